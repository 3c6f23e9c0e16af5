"""How good a reading is: truth tables, comparisons with them, and what is learnt from many of them."""
