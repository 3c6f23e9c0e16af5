"""From cells with spans to the cells of a table: each position once, empty rows and columns dropped."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from variorum.document import Cell
from variorum.errors import DamagedInputError
from variorum.geometry import Box
from variorum.thresholds import MAX_SOURCE_POSITIONS


@dataclass(frozen=True, slots=True)
class SourceCell:
    """A cell as a source has it: text, extent, whether it is a header, and its box where the source has one."""

    text: str
    rowspan: int = 1
    colspan: int = 1
    is_header: bool = False
    bbox: Box | None = None


@dataclass(frozen=True, slots=True)
class Grid:
    """The cells of a table, its size, and how many of its first rows are headers."""

    n_rows: int
    n_cols: int
    cells: tuple[Cell, ...]
    header_rows: int


def laid_out(rows: Sequence[Sequence[SourceCell]], where: str) -> list[Cell]:
    """Return the cells of rows as HTML lays them out: each in the first free position of its row.

    Spans end with the last row. Raises DamagedInputError for a table of more than `MAX_SOURCE_POSITIONS` positions.
    """
    taken: set[tuple[int, int]] = set()
    cells: list[Cell] = []
    for r, row in enumerate(rows):
        col = 0
        for item in row:
            while (r, col) in taken:
                col += 1
            rowspan = max(1, min(item.rowspan, len(rows) - r))
            colspan = max(1, item.colspan)
            if len(taken) + rowspan * colspan > MAX_SOURCE_POSITIONS:
                what = f"a table has more than {MAX_SOURCE_POSITIONS:,} positions"
                raise DamagedInputError(what, where=where, hint="a source without such a table")
            while any((r, c) in taken for c in range(col, col + colspan)):
                colspan -= 1  # a cell from above stands in its way
            for y in range(r, r + rowspan):
                taken.update((y, x) for x in range(col, col + colspan))
            cells.append(Cell(row=r, col=col, text=item.text, rowspan=rowspan, colspan=colspan, is_header=item.is_header))
            col += colspan
    return without_overlaps(cells)


def without_overlaps(cells: Sequence[Cell]) -> list[Cell]:
    """Return cells in row-major order, each cut down to the positions that no earlier one covers; one without any goes."""
    owner: set[tuple[int, int]] = set()
    out = []
    for cell in sorted(cells, key=lambda c: (c.row, c.col)):
        if (cell.row, cell.col) in owner:
            continue
        colspan = 1
        while colspan < cell.colspan and (cell.row, cell.col + colspan) not in owner:
            colspan += 1
        cols = range(cell.col, cell.col + colspan)
        rowspan = 1
        while rowspan < cell.rowspan and not any((cell.row + rowspan, c) in owner for c in cols):
            rowspan += 1
        owner.update((r, c) for r in range(cell.row, cell.row + rowspan) for c in cols)
        out.append(_resized(cell, cell.row, cell.col, rowspan, colspan))
    return out


def as_grid(cells: Sequence[Cell], header_rows: int) -> Grid:
    """Return the grid of cells without rows and columns in which no text begins: they are rules and space between columns.

    `header_rows` counts those of the grid that is given.
    """
    filled = [c for c in cells if c.text.strip()]
    rows = {r: i for i, r in enumerate(sorted({c.row for c in filled}))}
    cols = {c: i for i, c in enumerate(sorted({c.col for c in filled}))}
    out = []
    for cell in cells:
        own_rows = [rows[r] for r in range(cell.row, cell.row + cell.rowspan) if r in rows]
        own_cols = [cols[c] for c in range(cell.col, cell.col + cell.colspan) if c in cols]
        if own_rows and own_cols:
            out.append(_resized(cell, own_rows[0], own_cols[0], len(own_rows), len(own_cols)))
    heads = sum(r < header_rows for r in rows)
    out = [_resized(c, c.row, c.col, c.rowspan, c.colspan, is_header=c.is_header or c.row < heads) for c in out]
    return Grid(len(rows), len(cols), tuple(sorted(out, key=lambda c: (c.row, c.col))), heads)


def _resized(cell: Cell, row: int, col: int, rowspan: int, colspan: int, *, is_header: bool | None = None) -> Cell:
    return Cell(
        row=row,
        col=col,
        text=cell.text,
        rowspan=rowspan,
        colspan=colspan,
        is_header=cell.is_header if is_header is None else is_header,
        bbox=cell.bbox,
    )
