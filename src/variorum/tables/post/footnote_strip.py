"""Takes notes off the foot of a table: they are kept as its footnotes.

A note is a last row that holds a single text which begins as notes do (Note, Source, a star or dagger, a letter or
figure set as an exponent), or which stands alone below the rule that closes the table. Lines below it that hold a single
text each belong to it when they run on: no rule parts them, they begin no further right, and their first word would not
have fitted on the line above. Evidence: words, the size of the first sign, rules, the width of the table. A table without
such rows is left as it is.
"""

from __future__ import annotations

import re
from dataclasses import replace

from variorum.document import Cell
from variorum.tables.grid_edits import drop_rows
from variorum.tables.grid_rows import cells_of, lines_of_row, reaches_in, ruled_apart
from variorum.tables.model import CellGrid, TableContext
from variorum.tables.rows import full_rule_positions
from variorum.tables.text import join_lines

_OPENING = re.compile(
    r"^(notes?|sources?|abbreviations?|legend|remarks?|n\.?b)\b\.?\s?[:.\-\u2013]?|^[*\u2020\u2021\u00a7\u00b6]", re.IGNORECASE
)


class FootnoteStrip:
    """Moves notes from the last rows to the table's footnotes."""

    name = "footnote_strip"

    def process(self, grid: CellGrid, ctx: TableContext) -> tuple[CellGrid, str]:
        """Return the grid without note rows, their texts as `footnotes`, and how many rows went."""
        notes: list[list[int]] = []
        running: list[int] = []  # lines that run on, upwards from the last, until the opening of their note is found
        for row in range(grid.n_rows - 1, 0, -1):
            cells = [c for c in grid.cells if c.row == row]
            if len(cells) != 1 or reaches_in(grid, row):
                break
            if self._is_note(cells[0], grid, ctx):
                notes.append([row, *reversed(running)])
                running = []
            elif not _runs_on(grid, ctx, row):
                break
            else:
                running.append(row)
        doomed = {row for note in notes for row in note}
        if not doomed or len(doomed) == grid.n_rows:
            return grid, ""
        texts = tuple(join_lines([c.text for r in note for c in grid.cells if c.row == r], ctx.vocabulary) for note in notes)
        stripped = drop_rows(grid, doomed)
        said = f"{len(doomed)} note row{'s' if len(doomed) > 1 else ''}"
        return replace(stripped, footnotes=(*grid.footnotes, *reversed(texts))), said

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


def _runs_on(grid: CellGrid, ctx: TableContext, row: int) -> bool:
    """Return whether the row holds one text that runs on from the one text of the row above."""
    above, here = lines_of_row(grid, ctx, row - 1), lines_of_row(grid, ctx, row)
    if not above or not here or len(cells_of(grid, row - 1)) != 1 or ruled_apart(grid, ctx, row - 1, row):
        return False
    upper, lower = ctx.text_rows[above[-1]], ctx.text_rows[here[0]]
    if len(ctx.segments[here[0]]) != 1:
        return False
    first, right = lower.words[0], max(w.box.x1 for w in ctx.words)
    room = right - upper.box.x1 - ctx.word_space_em * first.size
    return lower.box.x0 <= upper.box.x0 + first.size and first.box.width > room


def _first_is_raised(cell: Cell, ctx: TableContext) -> bool:
    """Return whether the text begins with a sign set as an exponent."""
    inside = [w for w in ctx.words if cell.bbox is not None and cell.bbox.contains_centre_of(w.box)]
    if not inside:
        return False
    first = min(inside, key=lambda w: (round(w.baseline), w.box.x0))
    return bool(first.chars) and first.chars[0].size < max(w.size for w in inside)
