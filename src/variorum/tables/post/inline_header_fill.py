"""Gives headings of a panel ("Panel A: Males") the whole width of the table.

Such a heading is a row below the head that says one thing only. In a grid whose dividers cut it, or which holds it in
the column where it happens to begin, it looks like data. It becomes one cell over all columns, and so it stays a row of
its own: nothing is joined to it and it is no head of the columns. Evidence: the row's words stand together with nothing
but word spaces between them; they are no number; most rows below the head fill several columns; and the text runs
through a divider over what two columns hold elsewhere, or is centred over the whole table in a place (or, where it
keeps to its column, in a face) that no entry of the column has. A heading that stands in the first column and fits
there is left: the table sets it as a label. A row that reads on from the row above is no heading.
"""

from __future__ import annotations

from dataclasses import replace

from variorum.document import Cell
from variorum.geometry import Box
from variorum.page.lines import Segment, join_words
from variorum.tables.grid_rows import (
    cells_of,
    column_hull,
    face_of,
    group_of_line,
    letters,
    lines_of_row,
    reaches_in,
    usual_face,
    words_in,
)
from variorum.tables.model import CellGrid, TableContext
from variorum.tables.rows import is_number_like
from variorum.tables.text import join_lines


class InlineHeaderFill:
    """Spreads panel headings over all columns."""

    name = "inline_header_fill"

    def process(self, grid: CellGrid, ctx: TableContext) -> tuple[CellGrid, str]:
        """Return the grid with every panel heading as one cell over all columns, and how many were spread."""
        first = max(grid.header_rows, 1)
        body = range(first, grid.n_rows)
        full = [r for r in body if len(cells_of(grid, r)) > 1]
        if grid.n_cols <= 1 or 2 * len(full) <= len(body):
            return grid, ""
        count = 0
        while found := {r: cell for r in body if (cell := _heading(grid, ctx, r, first)) is not None}:
            kept = [c for c in grid.cells if c.row not in found]
            cells = tuple(sorted((*kept, *found.values()), key=lambda c: (c.row, c.col)))
            grid, count = replace(grid, cells=cells), count + len(found)
        return grid, f"{count} panel heading{'s' if count > 1 else ''} spread over all columns" if count else ""


def _heading(grid: CellGrid, ctx: TableContext, row: int, first: int) -> Cell | None:
    """Return the row as one cell over all columns where it is a heading that is not yet set so, else None."""
    cells = cells_of(grid, row)
    if not cells or cells[0].colspan == grid.n_cols or any(c.rowspan > 1 for c in cells) or reaches_in(grid, row):
        return None
    parts = _one_text(grid, ctx, row)
    if not parts:
        return None
    text = join_lines([join_words(s.words, ctx.word_space_em) for s in parts], ctx.vocabulary)
    if letters(text) != letters("".join(c.text for c in cells)) or is_number_like(text):
        return None
    if _goes_on(grid, ctx, row) or not _set_as_heading(grid, ctx, row, first, parts):
        return None
    raw = None if all(c.raw_text is None for c in cells) else " ".join(c.raw_text or c.text for c in cells)
    box = Box.around(s.box for s in parts)
    return Cell(row=row, col=0, text=text, colspan=grid.n_cols, is_header=cells[0].is_header, raw_text=raw, bbox=box)


def _one_text(grid: CellGrid, ctx: TableContext, row: int) -> list[Segment]:
    """Return the row's lines, each one segment, top to bottom; empty when a line holds several or belongs to more rows."""
    out: list[Segment] = []
    box = Box.around(c.bbox for c in cells_of(grid, row) if c.bbox is not None)
    for line in lines_of_row(grid, ctx, row):
        if len(ctx.segments[line]) != 1 or not all(box.contains_centre_of(w.box) for w in ctx.segments[line][0].words):
            return []
        out.append(ctx.segments[line][0])
    return out


def _goes_on(grid: CellGrid, ctx: TableContext, row: int) -> bool:
    """Return whether the table's setting counts the row's lines to the row above."""
    group = group_of_line(ctx)
    above, here = lines_of_row(grid, ctx, row - 1), lines_of_row(grid, ctx, row)
    return bool(above and here) and group[above[-1]] == group[here[0]]


def _set_as_heading(grid: CellGrid, ctx: TableContext, row: int, first: int, parts: list[Segment]) -> bool:
    box = Box.around(s.box for s in parts)
    hulls = [column_hull(grid, c, row) for c in range(grid.n_cols)]
    over = [c for c, hull in enumerate(hulls) if hull is not None and hull.overlap(box.x_interval) > 0]
    if len(over) > 1:
        return True
    known = [h for h in hulls if h is not None]
    if not known:
        return False
    middle = (min(h.start for h in known) + max(h.end for h in known)) / 2
    if 2 * abs(box.centre[0] - middle) >= parts[0].words[0].size or over == [0]:
        return False
    if not over:
        return True
    face = face_of([w for c in cells_of(grid, row) for w in words_in(c.bbox, ctx)])
    hull = hulls[over[0]]
    outgrown = hull is not None and not (hull.start <= box.x0 and box.x1 <= hull.end)
    return outgrown or face != usual_face(grid, ctx, first)
