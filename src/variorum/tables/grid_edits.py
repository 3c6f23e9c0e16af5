"""Edits of grids: taking rows out, replacing texts. Spans shrink with the rows they cover."""

from __future__ import annotations

from collections.abc import Callable, Collection
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
