"""Where the dividers of a table really are, and which votes stand for one of them.

A truth seldom says where on the page its dividers run. But a grid that agrees with the truth in every cell has the true
columns and rows, and the page has the white between their texts. Where no candidate agrees, the truth is not known; where
nothing was compared, the chosen grid is what the votes are held against.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from variorum.document import Cell
from variorum.document.apparatus import Axis
from variorum.geometry import Interval
from variorum.tables.model import CellGrid

AXES: tuple[Axis, ...] = ("column", "row")


def dividers_of(grid: CellGrid) -> dict[Axis, tuple[Interval, ...]]:
    """Return for each axis the channels between neighbouring columns or rows, in order, in points.

    A channel runs from the end of the texts on its left (above it) to the beginning of those on its right (below). Cells that
    span it have no say. Where texts of the two sides overlap, the channel is the overlap.
    """
    return {axis: tuple(_channel(grid, axis, at) for at in range(1, _count(grid, axis))) for axis in AXES}


def is_at(start: float, end: float, channels: Sequence[Interval]) -> bool:
    """Return whether the middle of the range ``start..end`` lies in one of the channels."""
    middle = (start + end) / 2
    return any(c.start <= middle <= c.end for c in channels)


def _count(grid: CellGrid, axis: Axis) -> int:
    return grid.n_cols if axis == "column" else grid.n_rows


def _channel(grid: CellGrid, axis: Axis, at: int) -> Interval:
    edges: Mapping[Axis, Sequence[float]] = {"column": grid.col_edges, "row": grid.row_edges}
    before = [_extent(c, axis).end for c in grid.cells if c.bbox is not None and _last(c, axis) < at]
    after = [_extent(c, axis).start for c in grid.cells if c.bbox is not None and _first(c, axis) >= at]
    edge = edges[axis][at]
    low, high = max(before, default=edge), min(after, default=edge)
    return Interval(min(low, high), max(low, high))


def _extent(cell: Cell, axis: Axis) -> Interval:
    if cell.bbox is None:
        raise ValueError("a cell without text has no extent")
    return cell.bbox.x_interval if axis == "column" else cell.bbox.y_interval


def _first(cell: Cell, axis: Axis) -> int:
    return cell.col if axis == "column" else cell.row


def _last(cell: Cell, axis: Axis) -> int:
    return cell.col + cell.colspan - 1 if axis == "column" else cell.row + cell.rowspan - 1
