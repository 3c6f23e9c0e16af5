"""Edits of grids: taking rows out, joining and parting them, replacing texts. Spans shrink and grow with their rows."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace

from variorum.document import Cell
from variorum.tables.model import CellGrid


def drop_rows(grid: CellGrid, doomed: Collection[int]) -> CellGrid:
    """Return the grid without the rows; a cell that begins in a dropped row goes with it, one that reaches into it shrinks."""
    kept = [r for r in range(grid.n_rows) if r not in doomed]
    at = {r: i for i, r in enumerate(kept)}
    cells = []
    for cell in grid.cells:
        rows = [at[r] for r in range(cell.row, cell.row + cell.rowspan) if r in at]
        if rows and cell.row in at:
            cells.append(replace(cell, row=rows[0], rowspan=len(rows)))
    edges = grid.row_edges
    new_edges = tuple(edges[r] for r in kept) + ((edges[kept[-1] + 1],) if kept else ())
    header_rows = sum(r < grid.header_rows for r in kept)
    return replace(grid, n_rows=len(kept), cells=tuple(cells), row_edges=new_edges, header_rows=header_rows)


def map_texts(grid: CellGrid, change: Callable[[Cell], str]) -> tuple[CellGrid, int]:
    """Return the grid with every cell's text changed, the PDF's own text kept as `raw_text`, and how many cells changed."""
    cells, count = [], 0
    for cell in grid.cells:
        text = change(cell)
        if text != cell.text:
            count += 1
            cell = replace(cell, text=text, raw_text=cell.text if cell.raw_text is None else cell.raw_text)
        cells.append(cell)
    return replace(grid, cells=tuple(cells)), count


def join_row_to_above(grid: CellGrid, row: int, join: Callable[[Cell, Cell], Cell]) -> CellGrid:
    """Return the grid with the row joined to the one above: each of its cells by `join(upper, lower)` to the cell that
    covers its columns there, or moved up where none does.

    Cells that reach from above into the row, or from it further down, shrink by one row. Raises ValueError for the first
    row and for rows that the grid does not have.
    """
    if not 0 < row < grid.n_rows:
        raise ValueError(f"row {row} of a grid with {grid.n_rows} rows has none above to be joined to")
    cells: list[Cell] = []
    for cell in (c for c in grid.cells if c.row != row):
        if cell.row > row:
            cells.append(replace(cell, row=cell.row - 1))
        elif cell.row + cell.rowspan > row:
            cells.append(replace(cell, rowspan=cell.rowspan - 1))
        else:
            cells.append(cell)
    for cell in (c for c in grid.cells if c.row == row):
        at = next((i for i, c in enumerate(cells) if _covers(c, row - 1, cell)), None)
        if at is None:
            cells.append(replace(cell, row=row - 1))
        else:
            cells[at] = join(cells[at], cell)
    edges = grid.row_edges[:row] + grid.row_edges[row + 1 :]
    header_rows = grid.header_rows - (row < grid.header_rows)
    cells.sort(key=lambda c: (c.row, c.col))
    return replace(grid, n_rows=grid.n_rows - 1, cells=tuple(cells), row_edges=edges, header_rows=header_rows)


def _covers(cell: Cell, row: int, other: Cell) -> bool:
    in_row = cell.row <= row < cell.row + cell.rowspan
    return in_row and cell.col <= other.col and other.col + other.colspan <= cell.col + cell.colspan


def split_row(grid: CellGrid, row: int, parts: Mapping[int, tuple[Cell | None, ...]], edges: tuple[float, ...]) -> CellGrid:
    """Return the grid with the row parted into ``len(edges) + 1`` rows at the y positions `edges` (points, top to bottom).

    `parts` has for the column of each cell that begins in the row one cell for each new row, or None where it holds none;
    rows and columns of those cells are set here. Cells that reach into the row from above grow with it. Raises ValueError
    when a cell of the row reaches further down, or is not in `parts`.
    """
    more = len(edges)
    cells: list[Cell] = []
    for cell in grid.cells:
        if cell.row > row:
            cells.append(replace(cell, row=cell.row + more))
        elif cell.row == row:
            if cell.rowspan > 1 or len(parts.get(cell.col, ())) != more + 1:
                raise ValueError(f"the cell at row {row}, column {cell.col} cannot be parted into {more + 1} rows")
            new = [(i, p) for i, p in enumerate(parts[cell.col]) if p is not None]
            cells += [replace(p, row=row + i, col=cell.col, rowspan=1, colspan=cell.colspan) for i, p in new]
        elif cell.row + cell.rowspan > row:
            cells.append(replace(cell, rowspan=cell.rowspan + more))
        else:
            cells.append(cell)
    cells.sort(key=lambda c: (c.row, c.col))
    row_edges = (*grid.row_edges[: row + 1], *edges, *grid.row_edges[row + 1 :])
    return replace(grid, n_rows=grid.n_rows + more, cells=tuple(cells), row_edges=row_edges)
