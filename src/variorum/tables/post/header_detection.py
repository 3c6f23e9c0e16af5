"""Finds which rows at the top are headers.

Evidence, in this order: a horizontal rule across most of the table below its first rows (the head of a booktabs table,
or of a table ruled between head and body only); else the first rows when their texts differ in kind from the columns below
(words above numbers), or the first one in face (bold above roman). A second row of words is of the head only if no column
of labels has an entry in both. A head does not end in a row whose cells still span several
columns: what spans is divided below. A table whose every row is closed by a rule says nothing by its rules; then the
kind and face decide.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from variorum.document import Cell
from variorum.geometry import Interval, merge_intervals
from variorum.tables.model import CellGrid, TableContext
from variorum.tables.rows import is_number_like


class HeaderDetection:
    """Marks header rows."""

    name = "header_detection"

    def process(self, grid: CellGrid, ctx: TableContext) -> tuple[CellGrid, str]:
        """Return the grid with `header_rows` and the cells' `is_header` set, and how many header rows were found."""
        if grid.n_rows <= 1:
            return grid, ""
        count = _by_rule(grid, ctx)
        if count is None:
            count = _by_kind(grid) or _by_face(grid, ctx)
        count = _past_spans(grid, count)
        if not 0 < count < grid.n_rows:
            return grid, ""
        cells = tuple(replace(c, is_header=c.row < count) for c in grid.cells)
        marked = replace(grid, cells=cells, header_rows=count)
        return marked, f"{count} header row{'s' if count > 1 else ''}" if marked != grid else ""


def _by_rule(grid: CellGrid, ctx: TableContext) -> int | None:
    """Return how many rows stand above the first rule across the table, or None when rules do not tell."""
    closed = [k for k in range(1, grid.n_rows) if _ruled(grid, ctx, k)]
    if not closed or 2 * len(closed) > grid.n_rows:
        return None
    return closed[0]


def _ruled(grid: CellGrid, ctx: TableContext, k: int) -> bool:
    """Return whether a rule runs across more than half of the table between rows k-1 and k."""
    upper = [c.bbox for c in grid.cells if c.row + c.rowspan <= k and c.bbox is not None]
    lower = [c.bbox for c in grid.cells if c.row >= k and c.bbox is not None]
    if not upper or not lower:
        return False
    low, high = max(b.centre[1] for b in upper), min(b.centre[1] for b in lower)
    parts = [
        Interval(r.start, r.end)
        for r in ctx.rules
        if r.orientation == "horizontal" and min(low, high) <= r.position <= max(low, high)
    ]
    width = grid.col_edges[-1] - grid.col_edges[0]
    return 2 * sum(p.length for p in merge_intervals(parts)) > width


def _by_kind(grid: CellGrid) -> int:
    """Return how many first rows have words above most columns of numbers.

    Rows after the first count only as long as no other column is filled twice: then they would be rows with labels.
    """
    numeric = {
        col
        for col in range(grid.n_cols)
        if (body := [is_number_like(c.text) for c in grid.cells if c.col == col and c.colspan == 1 and c.text and c.row > 0])
        and 2 * sum(body) > len(body)
    }
    labelled: set[int] = set()
    for row in range(grid.n_rows):
        cells = [c for c in _row(grid, row) if c.text]
        over = [is_number_like(c.text) for c in cells if c.colspan == 1 and c.col in numeric]
        others = {c.col for c in cells if c.col not in numeric}
        if not 2 * sum(over) < len(over) or others & labelled:
            return row
        labelled |= others
    return 0


def _by_face(grid: CellGrid, ctx: TableContext) -> int:
    """Return 1 when the first row is set in another face than most rows below, else 0."""
    faces = [_face(_row(grid, r), ctx) for r in range(grid.n_rows)]
    usual = Counter(f for f in faces[1:] if f)
    if not faces[0] or not usual:
        return 0
    top = max(usual, key=lambda f: (usual[f], f))
    return 1 if faces[0] != top and faces[0] not in faces[1:] else 0


def _row(grid: CellGrid, row: int) -> list[Cell]:
    return [c for c in grid.cells if c.row == row]


def _face(cells: Sequence[Cell], ctx: TableContext) -> str:
    counts = Counter(w.font for c in cells if c.bbox is not None for w in ctx.words if c.bbox.contains_centre_of(w.box))
    return max(counts, key=lambda f: (counts[f], f)) if counts else ""


def _past_spans(grid: CellGrid, count: int) -> int:
    """Return the count moved down while the last header row has cells over several columns that the next row divides."""
    while 0 < count < grid.n_rows - 1:
        spans = [c for c in grid.cells if c.row == count - 1 and c.colspan > 1 and c.colspan < grid.n_cols]
        below = [c for c in _row(grid, count) if any(s.col <= c.col < s.col + s.colspan for s in spans)]
        deep = any(c.row < count < c.row + c.rowspan for c in grid.cells)
        if not deep and (not spans or not below or all(is_number_like(c.text) for c in below)):
            break
        count += 1
    return count
