"""Joins the lines of a wrapped cell that a grid holds as rows of their own.

A row goes on with the row above when the table's own setting counts the lines of both to one row (see
``variorum.tables.rows``: wrapped cells, bands between rules). It does so, too, when a word is divided at the end of the
upper text and goes on with a small letter, or a parenthesis is opened above and closed below, while the two stand no
further apart than the table's rows. Evidence: lines of writing, rules, leading, texts. Rows parted by a rule are never
joined, nor one that brings an entry to a column which the row above leaves empty, or a number to a column of numbers;
headings over the whole width are left alone, and so are the rows of the head.
"""

from __future__ import annotations

from dataclasses import replace

from variorum.document import Cell
from variorum.geometry import Box
from variorum.tables.grid_edits import join_row_to_above
from variorum.tables.grid_rows import (
    cells_of,
    face_of,
    group_of_line,
    letters,
    lines_of_row,
    numeric_columns,
    reaches_in,
    ruled_apart,
    usual_step,
    words_in,
)
from variorum.tables.model import CellGrid, TableContext
from variorum.tables.rows import is_number_like
from variorum.tables.text import HYPHENS, join_lines


class ContinuationMerge:
    """Joins continuation rows to the row above."""

    name = "continuation_merge"

    def process(self, grid: CellGrid, ctx: TableContext) -> tuple[CellGrid, str]:
        """Return the grid with continuation rows joined to the rows they go on with, and how many were joined."""
        before = grid.n_rows
        while (joined := _pass(grid, ctx)).n_rows < grid.n_rows:
            grid = joined  # what was joined is evidence for the other rows
        count = before - grid.n_rows
        return grid, f"{count} continuation row{'s' if count > 1 else ''} joined to the row above" if count else ""


def _pass(grid: CellGrid, ctx: TableContext) -> CellGrid:
    """Return the grid with each row joined that goes on with the row above, the columns judged as they are before."""
    first = max(grid.header_rows, 1)
    numeric, step = numeric_columns(grid, first), usual_step(grid, first)
    row = first + 1
    while row < grid.n_rows:
        if _continues(grid, ctx, row, numeric, step):
            grid = join_row_to_above(grid, row, lambda upper, lower: _joined(upper, lower, ctx))
        else:
            row += 1
    return grid


def _joined(upper: Cell, lower: Cell, ctx: TableContext) -> Cell:
    """Return the upper cell with both texts; where the join takes a hyphen or a text was repaired before, the raw text is
    kept."""
    text = join_lines([upper.text, lower.text], ctx.vocabulary)
    printed = f"{upper.raw_text or upper.text} {lower.raw_text or lower.text}".strip()
    boxes = [b for b in (upper.bbox, lower.bbox) if b is not None]
    return replace(upper, text=text, raw_text=None if text == printed else printed, bbox=Box.around(boxes) if boxes else None)


def _continues(grid: CellGrid, ctx: TableContext, row: int, numeric: set[int], step: float | None) -> bool:
    here, above = cells_of(grid, row), cells_of(grid, row - 1)
    if not here or not above or reaches_in(grid, row) or any(c.rowspan > 1 for c in (*here, *above)):
        return False
    if any(c.colspan == grid.n_cols for c in (*here, *above)) or ruled_apart(grid, ctx, row - 1, row):
        return False
    partners = [_partner(c, above) for c in here]
    if any(p is None for p in partners) or any(c.col in numeric and is_number_like(c.text) for c in here):
        return False
    pairs = [(p, c) for p, c in zip(partners, here, strict=True) if p is not None]
    if len(here) == 1 and _other_face(*pairs[0], ctx):
        return False
    upper, lower = lines_of_row(grid, ctx, row - 1), lines_of_row(grid, ctx, row)
    if not upper or not lower:
        return False
    group = group_of_line(ctx)
    if len({group[i] for i in (*upper, *lower)}) == 1:
        return True
    apart = ctx.text_rows[lower[0]].band.start - ctx.text_rows[upper[-1]].band.start
    slack = ctx.text_rows[lower[0]].band.length / 2
    close = step is not None and apart <= step + slack
    return close and len(here) < len(above) and all(_reads_on(p.text, c.text) for p, c in pairs)


def _partner(cell: Cell, above: list[Cell]) -> Cell | None:
    """Return the cell above that covers the cell's columns, or None."""
    return next((a for a in above if a.col <= cell.col and cell.col + cell.colspan <= a.col + a.colspan), None)


def _other_face(upper: Cell, lower: Cell, ctx: TableContext) -> bool:
    """Return whether the lower text is set in another font than the upper one: a label of its own."""
    a, b = face_of(words_in(upper.bbox, ctx)), face_of(words_in(lower.bbox, ctx))
    return a != b and not (_reads_on(upper.text, lower.text))


def _reads_on(upper: str, lower: str) -> bool:
    """Return whether a divided word or an open parenthesis of the upper text goes on in the lower one."""
    divided = upper[-1:] in HYPHENS and upper[-2:-1].isalpha() and lower[:1].islower()
    opened = upper.count("(") > upper.count(")") and lower.count(")") > lower.count("(")
    return bool(letters(upper)) and (divided or opened)
