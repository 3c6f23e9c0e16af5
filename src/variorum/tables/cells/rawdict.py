"""Characters by position: a word that runs through a column divider is cut there, between its characters.

PDFs glue words of neighbouring columns together when the gap is below the reader's word space. A word is cut only where
white lies between two of its characters at the divider: a gap that exceeds every other gap between the word's
characters. Else the word is whole (a spanning cell). Evidence: character boxes in PDF points, as PyMuPDF's ``rawdict``
gives them.
"""

from __future__ import annotations

from collections.abc import Sequence

from variorum.page.model import Word
from variorum.tables.glued_words import cut_glued
from variorum.tables.model import TableContext


class Rawdict:
    """Assigns characters."""

    name = "rawdict"

    def pieces(self, ctx: TableContext, col_positions: Sequence[float]) -> tuple[Word, ...]:
        """Return the words of the table, those glued over a divider (points) cut in two or more."""
        return tuple(part for word in ctx.words for part in cut_glued(word, col_positions))
