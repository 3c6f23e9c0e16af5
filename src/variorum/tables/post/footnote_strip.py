"""Takes notes off the foot of a table: they are kept as its footnotes.

A note is a last row that holds a single text which begins as notes do (Note, Source, a star or dagger, a letter or
figure set as an exponent), or which stands alone below the rule that closes the table. Evidence: words, the size of the
first sign, rules. A table without such rows is left as it is.
"""

from __future__ import annotations

import re
from dataclasses import replace

from variorum.document import Cell
from variorum.tables.grid_edits import drop_rows
from variorum.tables.model import CellGrid, TableContext
from variorum.tables.rows import full_rule_positions

_OPENING = re.compile(
    r"^(notes?|sources?|abbreviations?|legend|remarks?|n\.?b)\b\.?\s?[:.\-\u2013]?|^[*\u2020\u2021\u00a7\u00b6]", re.IGNORECASE
)


class FootnoteStrip:
    """Moves notes from the last rows to the table's footnotes."""

    name = "footnote_strip"

    def process(self, grid: CellGrid, ctx: TableContext) -> tuple[CellGrid, str]:
        """Return the grid without note rows, their texts as `footnotes`, and how many rows went."""
        doomed: list[int] = []
        for row in range(grid.n_rows - 1, 0, -1):
            cells = [c for c in grid.cells if c.row == row]
            if len(cells) != 1 or not self._is_note(cells[0], grid, ctx):
                break
            doomed.append(row)
        # a continuation line of a note has no opening of its own: it was joined to it or stands below it
        if not doomed or len(doomed) == grid.n_rows:
            return grid, ""
        notes = tuple(c.text for r in sorted(doomed) for c in grid.cells if c.row == r)
        stripped = drop_rows(grid, set(doomed))
        return replace(stripped, footnotes=(*grid.footnotes, *notes)), f"{len(doomed)} note row{'s' if len(doomed) > 1 else ''}"

    def _is_note(self, cell: Cell, grid: CellGrid, ctx: TableContext) -> bool:
        if cell.bbox is None:
            return False
        if _OPENING.match(cell.text) and cell.text.lstrip("*†‡§¶") != "":
            return True
        closing = full_rule_positions(ctx)
        above = [c for c in grid.cells if c.row < cell.row and c.bbox is not None]
        last = max((c.bbox.y1 for c in above if c.bbox is not None), default=0.0)
        closed = any(last <= y <= cell.bbox.y0 for y in closing) and not any(y > cell.bbox.y1 for y in closing)
        return closed and len(closing) > 1 and cell.colspan * 2 > grid.n_cols and _first_is_raised(cell, ctx)


def _first_is_raised(cell: Cell, ctx: TableContext) -> bool:
    """Return whether the text begins with a sign set as an exponent."""
    inside = [w for w in ctx.words if cell.bbox is not None and cell.bbox.contains_centre_of(w.box)]
    if not inside:
        return False
    first = min(inside, key=lambda w: (round(w.baseline), w.box.x0))
    return bool(first.chars) and first.chars[0].size < max(w.size for w in inside)
