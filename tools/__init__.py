"""The checks and generators that `make` runs."""
