"""Finds which rows at the top are headers.

Evidence, in this order: a horizontal rule across most of the table below its first rows (the head of a booktabs table,
or of a table ruled between head and body only); else the first rows when their texts differ in kind from the columns below
(words above numbers), or the first one in face (bold above roman). A second row of words is of the head only if no column
of labels has an entry in both. A head does not end in a row whose cells still span several
columns: what spans is divided below. A table whose every row is closed by a rule says nothing by its rules; then the
kind and face decide.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable
from dataclasses import replace

from variorum.document import Cell
from variorum.geometry import Interval, merge_intervals
from variorum.tables.grid_rows import face_of, words_in
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
    rules = sorted((r for r in ctx.rules if r.orientation == "horizontal"), key=lambda r: r.position)
    places = [r.position for r in rules]
    width = grid.col_edges[-1] - grid.col_edges[0]
    closed: list[int] = []
    for k, (above, below) in enumerate(_text_around(grid), start=1):
        if above is None or below is None:
            continue
        between = rules[bisect_left(places, min(above, below)) : bisect_right(places, max(above, below))]
        parts = [Interval(r.start, r.end) for r in between]
        if 2 * sum(p.length for p in merge_intervals(parts)) > width:  # across more than half of the table
            closed.append(k)
    if not closed or 2 * len(closed) > grid.n_rows:
        return None
    return closed[0]


def _text_around(grid: CellGrid) -> list[tuple[float | None, float | None]]:
    """Return for each edge between two rows the middle of the lowest text above it and of the highest below, None without."""
    lowest: list[float | None] = [None] * (grid.n_rows + 1)  # of the texts that end at a row's top edge, then of all above
    highest: list[float | None] = [None] * (grid.n_rows + 1)
    for cell in grid.cells:
        if cell.bbox is None:
            continue
        middle, end = cell.bbox.centre[1], cell.row + cell.rowspan
        lowest[end] = _further(max, lowest[end], middle)
        highest[cell.row] = _further(min, highest[cell.row], middle)
    for k in range(1, grid.n_rows):
        lowest[k] = _further(max, lowest[k], lowest[k - 1])
    for k in range(grid.n_rows - 1, 0, -1):
        highest[k] = _further(min, highest[k], highest[k + 1])
    return list(zip(lowest[1 : grid.n_rows], highest[1 : grid.n_rows], strict=True))


def _further(which: Callable[[list[float]], float], a: float | None, b: float | None) -> float | None:
    known = [value for value in (a, b) if value is not None]
    return which(known) if known else None


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
    rows: dict[int, list[Cell]] = {}
    for cell in grid.cells:
        rows.setdefault(cell.row, []).append(cell)
    faces = [face_of([w for c in rows.get(r, ()) for w in words_in(c.bbox, ctx)]) for r in range(grid.n_rows)]
    usual = Counter(f for f in faces[1:] if f)
    if not faces[0] or not usual:
        return 0
    top = max(usual, key=lambda f: (usual[f], f))
    return 1 if faces[0] != top and faces[0] not in faces[1:] else 0


def _row(grid: CellGrid, row: int) -> list[Cell]:
    return [c for c in grid.cells if c.row == row]


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
