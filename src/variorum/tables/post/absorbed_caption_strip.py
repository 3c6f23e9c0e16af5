"""Takes the caption out of the grid where the region absorbed it.

Leading or trailing rows that together are the table's caption, its beginning or the greater part of it up to its end are
removed. Evidence: the caption found beside the table; a table without a caption is left as it is, and so is a row that
holds anything the caption does not. A head that only uses words of the caption stays.
"""

from __future__ import annotations

from collections.abc import Sequence

from variorum.tables.grid_edits import drop_rows
from variorum.tables.model import CellGrid, TableContext


class AbsorbedCaptionStrip:
    """Removes caption rows."""

    name = "absorbed_caption_strip"

    def process(self, grid: CellGrid, ctx: TableContext) -> tuple[CellGrid, str]:
        """Return the grid without rows that only repeat the caption, and which rows those were."""
        caption = _letters(ctx.caption)
        if not caption:
            return grid, ""
        first, last = 0, grid.n_rows
        texts = [_letters("".join(row)) for row in grid.matrix()]
        while count := _longest(caption, texts[first:last]):
            first += count
        while count := _longest(caption, texts[first:last][::-1], from_below=True):
            last -= count
        doomed = {*range(first), *range(last, grid.n_rows)}
        if not doomed or len(doomed) == grid.n_rows:
            return grid, ""
        return drop_rows(grid, doomed), f"{len(doomed)} caption row{'s' if len(doomed) > 1 else ''} taken out"


def _longest(caption: str, rows: Sequence[str], *, from_below: bool = False) -> int:
    """Return how many of the first rows are the caption or a part of it at its beginning or end; 0 for none.

    What ends the caption has to be more than half of it: its last words may well be a head.
    """
    found, text = 0, ""
    for count, row in enumerate(rows, 1):
        text = row + text if from_below else text + row
        if not row or len(text) > len(caption):
            break
        if _is_part(caption, text):
            found = count
    return found


def _is_part(caption: str, text: str) -> bool:
    begins = caption.startswith(text) and any(c.isalpha() for c in text)
    return begins or (caption.endswith(text) and 2 * len(text) > len(caption))


def _letters(text: str) -> str:
    return "".join(c for c in text.casefold() if c.isalnum())
