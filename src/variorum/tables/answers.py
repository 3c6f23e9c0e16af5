"""What a method may answer: anything else is its failure, and costs its vote.

Limits are counts taken from the table itself, so that an answer of a million dividers ends here and not in the vote, on
every machine alike: a divider parts words or lies on a rule, so a table has fewer dividers on an axis than words and rules; a
piece of text has a character.
"""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Real

from variorum.page.model import Word
from variorum.tables.model import BoundaryHypothesis, BoundaryPoint, CellGrid, TableContext


class WrongAnswerError(Exception):
    """A method returned what is no answer; the message says what."""


def check_hypothesis(answer: object, name: str, ctx: TableContext) -> BoundaryHypothesis:
    """Return the answer of the structure method of this name; raises WrongAnswerError when it is no hypothesis of its own."""
    if not isinstance(answer, BoundaryHypothesis):
        raise WrongAnswerError(f"returned {_kind(answer)}, no BoundaryHypothesis")
    if answer.method != name:
        raise WrongAnswerError(f"speaks under another name: {answer.method!r}")
    limit = len(ctx.words) + len(ctx.rules)
    for axis, points in (("column", answer.col_boundaries), ("row", answer.row_boundaries)):
        if not isinstance(points, tuple):
            raise WrongAnswerError(f"its {axis} dividers are {_kind(points)}, no tuple")
        if len(points) > limit:
            raise WrongAnswerError(f"returned {len(points):,} {axis} dividers for a table of {limit:,} words and rules")
        for point in points:
            _check_point(point, name)
    return answer


def _check_point(point: object, name: str) -> None:
    if not isinstance(point, BoundaryPoint):
        raise WrongAnswerError(f"one of its dividers is {_kind(point)}, no BoundaryPoint")
    numbers = (point.min_pos, point.max_pos, point.confidence, *(() if point.anchor is None else (point.anchor,)))
    if not all(isinstance(v, Real) and not isinstance(v, bool) for v in numbers):
        raise WrongAnswerError(f"one of its dividers is no number: {numbers}")
    if point.provenance != name:
        raise WrongAnswerError(f"one of its dividers speaks under another name: {point.provenance!r}")


def check_pieces(answer: object, ctx: TableContext) -> tuple[Word, ...]:
    """Return the answer of a cell method; raises WrongAnswerError when it is no tuple of words, or has more than characters."""
    if not isinstance(answer, tuple) or not all(isinstance(word, Word) for word in answer):
        raise WrongAnswerError(f"returned {_kind(answer)}, no tuple of words")
    limit = sum(max(len(word.chars), 1) for word in ctx.words)
    if len(answer) > limit:
        raise WrongAnswerError(f"returned {len(answer):,} pieces of text for a table of {limit:,} characters")
    return answer


def check_repair(answer: object, before: CellGrid) -> tuple[CellGrid, str]:
    """Return the answer of a post-processor to the grid; raises WrongAnswerError when it is no grid with a text.

    The cells of a grid lie inside it and do not overlap. A repair may divide rows and columns, not invent them: the grid has at
    most as many rows and columns as the one before has characters, or lines and columns.
    """
    if not (isinstance(answer, tuple) and len(answer) == len((before, "")) and isinstance(answer[1], str)):
        raise WrongAnswerError(f"returned {_kind(answer)}, no pair of a grid and a text")
    grid, detail = answer
    if grid is before:
        return grid, detail
    if not isinstance(grid, CellGrid):
        raise WrongAnswerError(f"returned {_kind(grid)}, no CellGrid")
    limit = sum(len(cell.text) for cell in before.cells) + before.n_rows + before.n_cols
    if max(grid.n_rows, grid.n_cols, len(grid.cells)) > limit:
        raise WrongAnswerError(
            f"returned a grid of {grid.n_rows:,} × {grid.n_cols:,} for {limit:,} characters, rows and columns"
        )
    _check_cells(grid)
    return grid, detail


def _check_cells(grid: CellGrid) -> None:
    taken: set[tuple[int, int]] = set()
    for cell in grid.cells:
        inside = (
            min(cell.row, cell.col) >= 0
            and min(cell.rowspan, cell.colspan) >= 1
            and cell.row + cell.rowspan <= grid.n_rows
            and cell.col + cell.colspan <= grid.n_cols
        )
        if not inside:
            raise WrongAnswerError(f"returned a cell outside the grid, at row {cell.row}, column {cell.col}")
        places = {(r, c) for r in _span(cell.row, cell.rowspan) for c in _span(cell.col, cell.colspan)}
        if places & taken:
            raise WrongAnswerError(f"returned cells that overlap at row {cell.row}, column {cell.col}")
        taken |= places
    if list(grid.cells) != sorted(grid.cells, key=lambda c: (c.row, c.col)):
        raise WrongAnswerError("returned cells out of order")
    if not 0 <= grid.header_rows <= grid.n_rows:
        raise WrongAnswerError(f"returned {grid.header_rows} header rows in {grid.n_rows} rows")


def _span(start: int, size: int) -> range:
    return range(start, start + size)


def _kind(value: object) -> str:
    """Return what a value is, for a message."""
    if value is None:
        return "nothing"
    size = f" of {len(value):,}" if isinstance(value, Sequence) and not isinstance(value, str) else ""
    return f"a {type(value).__name__}{size}"
