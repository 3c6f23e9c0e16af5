"""What the lines of writing say about the rows of a finished grid: evidence that several repairs share.

A row of a grid is compared with the page by the boxes of its texts. Lines of writing are counted as in
``TableContext.text_rows``; positions are points, origin top-left.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from statistics import median

from variorum.document import Cell
from variorum.geometry import Box, Interval
from variorum.page.model import Word
from variorum.tables.model import CellGrid, TableContext
from variorum.tables.rows import is_number_like, read_rows, rule_between


class _ByRow:
    """The cells of one grid by the row in which they begin, and those over several rows."""

    def __init__(self, grid: CellGrid) -> None:
        self.grid = grid
        self.cells: dict[int, list[Cell]] = {}
        for cell in grid.cells:
            self.cells.setdefault(cell.row, []).append(cell)
        self.tall = [cell for cell in grid.cells if cell.rowspan > 1]
        self.narrow: dict[int, list[Cell]] = {}
        for cell in grid.cells:
            if cell.colspan == 1 and cell.bbox is not None:
                self.narrow.setdefault(cell.col, []).append(cell)


_latest: list[_ByRow] = []  # of the grid asked about last: repairs ask about every row of one grid, one after the other


def _by_row(grid: CellGrid) -> _ByRow:
    if not _latest or _latest[0].grid is not grid:
        _latest[:] = [_ByRow(grid)]
    return _latest[0]


def cells_of(grid: CellGrid, row: int) -> list[Cell]:
    """Return the cells that begin in the row and hold a text, left to right."""
    return [c for c in _by_row(grid).cells.get(row, ()) if c.text]


def words_in(box: Box | None, ctx: TableContext) -> list[Word]:
    """Return the words with their middle in the box, in the order of the context; none without a box."""
    if box is None:
        return []
    heights: list[tuple[float, int]] = ctx.once(
        "word_heights", lambda: sorted((w.box.centre[1], i) for i, w in enumerate(ctx.words))
    )
    near = heights[bisect_left(heights, (box.y0, -1)) : bisect_right(heights, (box.y1, len(ctx.words)))]
    return [ctx.words[i] for i in sorted(i for _, i in near) if box.contains_centre_of(ctx.words[i].box)]


def lines_in(box: Box | None, ctx: TableContext) -> tuple[int, ...]:
    """Return the lines of writing that have words in the box, top to bottom."""
    line_of: dict[int, int] = ctx.once(
        "line_of_word", lambda: {id(w): i for i, line in enumerate(ctx.text_rows) for w in line.words}
    )
    return tuple(sorted({line_of[id(w)] for w in words_in(box, ctx)}))


def lines_of_row(grid: CellGrid, ctx: TableContext, row: int) -> tuple[int, ...]:
    """Return the lines of writing of the texts that begin in the row and stand in it alone, top to bottom."""
    return tuple(sorted({i for c in cells_of(grid, row) if c.rowspan == 1 for i in lines_in(c.bbox, ctx)}))


def group_of_line(ctx: TableContext) -> dict[int, int]:
    """Return for each line of writing the row that it belongs to by the table's own setting (see `rows.read_rows`)."""
    return ctx.once("group_of_line", lambda: {i: k for k, group in enumerate(read_rows(ctx).groups) for i in group.lines})


def numeric_columns(grid: CellGrid, first: int) -> set[int]:
    """Return the columns in which numbers outnumber other texts from row `first` downwards, spanning cells left out."""
    votes: Counter[int] = Counter()
    for cell in grid.cells:
        if cell.row >= first and cell.colspan == 1 and cell.text:
            votes[cell.col] += 1 if is_number_like(cell.text) else -1
    return {c for c, balance in votes.items() if balance > 0}


def reaches_in(grid: CellGrid, row: int) -> bool:
    """Return whether a cell that begins above reaches down into the row."""
    return any(c.row < row < c.row + c.rowspan for c in _by_row(grid).tall)


def ruled_apart(grid: CellGrid, ctx: TableContext, upper: int, lower: int) -> bool:
    """Return whether a rule lies between the last line of one row and the first line of another, over words of both."""
    above, below = lines_of_row(grid, ctx, upper), lines_of_row(grid, ctx, lower)
    return bool(above and below) and rule_between(ctx.rules, ctx.text_rows[above[-1]], ctx.text_rows[below[0]])


def usual_step(grid: CellGrid, first: int) -> float | None:
    """Return the median distance in points between the tops of neighbouring rows that are filled as far as any row is.

    Rows above `first` do not count. None without such neighbours.
    """
    rows = {r: cells_of(grid, r) for r in range(first, grid.n_rows)}
    most = max((len(c) for c in rows.values()), default=0)
    tops = {r: min(c.bbox.y0 for c in cells if c.bbox) for r, cells in rows.items() if any(c.bbox for c in cells)}
    steps = [tops[b] - tops[a] for a, b in pairwise(tops) if b == a + 1 and len(rows[a]) == most == len(rows[b])]
    return median(steps) if steps else None


def face_of(words: Sequence[Word]) -> str:
    """Return the font in which most of the words are set; empty without words."""
    counts = Counter(w.font for w in words)
    return max(counts, key=lambda f: (counts[f], f)) if counts else ""


def usual_face(grid: CellGrid, ctx: TableContext, first: int) -> str:
    """Return the font in which most words of the rows from `first` downwards are set; empty without words."""
    return face_of([w for c in grid.cells if c.row >= first for w in words_in(c.bbox, ctx)])


def column_hull(grid: CellGrid, column: int, but: int) -> Interval | None:
    """Return the extent of what the column holds in other rows than `but`, spanning cells left out; None when nothing."""
    boxes = [c.bbox for c in _by_row(grid).narrow.get(column, ()) if c.row != but and c.bbox is not None]
    return Interval(min(b.x0 for b in boxes), max(b.x1 for b in boxes)) if boxes else None


def letters(text: str) -> str:
    """Return the text without white space and hyphens: what has to survive when texts are joined or parted."""
    return "".join(c for c in text if not c.isspace() and c not in "-\u2010\u00ad")
