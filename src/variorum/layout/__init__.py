"""The paper as a whole: lines of print, what each of them is, the order in which they are read, and what may be missing."""
