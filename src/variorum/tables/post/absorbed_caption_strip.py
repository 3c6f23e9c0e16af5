"""Takes the caption out of the grid where the region absorbed it.

Leading or trailing rows whose whole text is part of the table's caption are removed. Evidence: the caption found beside
the table; a table without a caption is left as it is, and so is a row that holds anything the caption does not.
"""

from __future__ import annotations

from dataclasses import replace

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
        texts = ["".join(row) for row in grid.matrix()]
        doomed: set[int] = set()
        for order in (range(grid.n_rows), range(grid.n_rows - 1, -1, -1)):
            for i in order:
                row = _letters(texts[i])
                if not row or i in doomed or row not in caption or len(row.strip("0123456789")) == 0:
                    break
                if sum(bool(t) for t in grid.matrix()[i]) > 1 and len(row) * 2 < len(caption) / grid.n_rows:
                    break
                doomed.add(i)
        if not doomed or len(doomed) == grid.n_rows:
            return grid, ""
        return drop_rows(replace(grid), doomed), f"{len(doomed)} caption row{'s' if len(doomed) > 1 else ''} taken out"


def _letters(text: str) -> str:
    return "".join(c for c in text.casefold() if c.isalnum())
