"""Words by their middle: a word belongs whole to the column that holds its middle.

Never splits a word. Where a divider cuts a word, the word goes to the side on which more of it lies. Evidence: word
boxes in PDF points.
"""

from __future__ import annotations

from collections.abc import Sequence

from variorum.page.model import Word
from variorum.tables.model import TableContext


class WordAssignment:
    """Assigns whole words."""

    name = "word_assignment"

    def pieces(self, ctx: TableContext, col_positions: Sequence[float]) -> tuple[Word, ...]:
        """Return the words of the table as they are; `col_positions` (points) cut nothing."""
        return ctx.words
