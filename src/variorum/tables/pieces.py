"""Pieces: the runs of words of a line that stand in one cell, and the columns each stands in.

The words of a line that stand together with nothing but word spaces between them are one piece. A divider that runs
through a gap of it cuts it where the gap holds all the white that the table leaves there, or where all its parts stand where
the texts of their columns usually stand; where the divider would cut a word, the piece spans.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from statistics import median

from variorum.geometry import Box, Interval
from variorum.page.lines import Segment, TextRow, segments
from variorum.page.model import Word
from variorum.tables.columns import place_slack
from variorum.tables.model import TableContext

Rect = tuple[int, int, int, int]  # first row, first column, last row, last column


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of words of one line inside one row of the grid, and the columns `first..last` that it stands in."""

    words: tuple[Word, ...]
    line: int
    row: int
    first: int
    last: int

    box: Box = field(init=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "box", Box.around(w.box for w in self.words))


def cut_pieces(
    lines: Sequence[TextRow], ctx: TableContext, col_positions: Sequence[float], row_positions: Sequence[float]
) -> list[Piece]:
    cut = ctx.segments if lines is ctx.text_rows else [segments(line, ctx.word_space_em, ctx.verticals) for line in lines]
    lefts, rights = sorted(s.box.x1 for line in cut for s in line), sorted(s.box.x0 for line in cut for s in line)
    white = {p: _white_around(p, lefts, rights) for p in col_positions}
    places = _Places.of(col_positions, cut, ctx.word_space_em)
    out: list[Piece] = []
    for i, line in enumerate(cut):
        for segment in line:
            for words in places.parted(segment) or _split(segment, col_positions, white, ctx.word_space_em):
                box = Box.around(w.box for w in words)
                first, last = _columns(words, box, col_positions)
                row = bisect_left(row_positions, box.centre[1])
                out.append(Piece(tuple(words), i, row, first, last))
    return out


def _columns(words: Sequence[Word], box: Box, col_positions: Sequence[float]) -> tuple[int, int]:
    """Return the first and last column that a piece touches; a single word without characters stays on its middle's side."""
    if len(words) == 1 and not words[0].chars:
        column = bisect_left(col_positions, box.centre[0])
        return column, column
    first, last = bisect_right(col_positions, box.x0), bisect_left(col_positions, box.x1)
    return first, max(first, last)


def held_to_hulls(pieces: Sequence[Piece], n_cols: int, col_positions: Sequence[float]) -> list[Piece]:
    """Return the pieces, those over several columns cut back to the columns over whose own content they stand.

    A text wider than its column reaches past the divider into white; it spans the neighbour only if it stands over what
    that column holds elsewhere.
    """
    hulls = column_hulls(pieces, n_cols)
    out: list[Piece] = []
    for p in pieces:
        first, last = p.first, p.last
        while first < last and not _stands_over(p, hulls[first]):
            first += 1
        while first < last and not _stands_over(p, hulls[last]):
            last -= 1
        if p.last > p.first and first == last and not _stands_over(p, hulls[first]):
            first = last = bisect_left(col_positions, p.box.centre[0])
        out.append(replace(p, first=first, last=last))
    return out


def _stands_over(piece: Piece, hull: Interval | None) -> bool:
    return hull is None or hull.overlap(piece.box.x_interval) > 0


def _white_around(position: float, lefts: Sequence[float], rights: Sequence[float]) -> Interval:
    """Return the white that all segments which do not run through the position leave around it.

    `lefts` are the right edges of all segments, `rights` their left edges, both sorted.
    """
    before, after = bisect_right(lefts, position), bisect_left(rights, position)
    return Interval(lefts[before - 1] if before else position, rights[after] if after < len(rights) else position)


def _is_near(x: float, place: float, slack: float) -> bool:
    return abs(x - place) < slack


@dataclass(frozen=True, slots=True)
class _Places:
    """Where the texts of each column usually stand: their left edge, middle or right edge, each None where most lines do not
    share one. `slack` is what two texts that stand alike may differ by, in points."""

    dividers: tuple[float, ...]
    usual: tuple[tuple[float | None, float | None, float | None], ...]
    slack: float

    @classmethod
    def of(cls, col_positions: Sequence[float], cut: Sequence[Sequence[Segment]], space_em: float) -> _Places:
        """Return the places of all columns, told by the texts that stand in one column."""
        dividers = tuple(sorted(col_positions))
        held: list[list[Box]] = [[] for _ in range(len(dividers) + 1)]
        for line in cut:
            for s in line:
                first, last = bisect_right(dividers, s.box.x0), bisect_left(dividers, s.box.x1)
                if first == last:
                    held[first].append(s.box)
        slack = place_slack((w for line in cut for s in line for w in s.words), space_em)
        return cls(dividers, tuple(_usual_places(boxes, len(cut), slack) for boxes in held), slack)

    def parted(self, segment: Segment) -> list[list[Word]]:
        """Return the words of a segment cut at every divider in it, where each runs through a gap and each part stands where
        the texts of its column do; else nothing."""
        inside = [p for p in self.dividers if segment.box.x0 < p < segment.box.x1]
        parts = [[w for w in segment.words if bisect_left(inside, w.box.centre[0]) == k] for k in range(len(inside) + 1)]
        if not inside or not all(parts):
            return []
        column = bisect_right(self.dividers, segment.box.x0)
        for k, words in enumerate(parts):
            box = Box.around(w.box for w in words)
            is_within = (k == 0 or inside[k - 1] <= box.x0) and (k == len(inside) or box.x1 <= inside[k])
            if not is_within or not self._stands(box, column + k):
                return []
        return parts

    def _stands(self, box: Box, column: int) -> bool:
        return any(
            place is not None and _is_near(own, place, self.slack)
            for own, place in zip(_places_of(box), self.usual[column], strict=True)
        )


def _places_of(box: Box) -> tuple[float, float, float]:
    return box.x0, box.centre[0], box.x1


def _usual_places(boxes: Sequence[Box], n_lines: int, slack: float) -> tuple[float | None, float | None, float | None]:
    """Return the left edge, middle and right edge that more than half of the lines share, each None without one."""

    def shared(values: Sequence[float]) -> float | None:
        middle = median(values) if values else 0.0
        return middle if 2 * sum(_is_near(value, middle, slack) for value in values) > n_lines else None

    lefts, middles, rights = (list(column) for column in zip(*map(_places_of, boxes), strict=True)) if boxes else ([], [], [])
    return shared(lefts), shared(middles), shared(rights)


def _split(
    segment: Segment, col_positions: Sequence[float], white: Mapping[float, Interval], space_em: float
) -> list[list[Word]]:
    """Return the words of a segment cut at the dividers that run through one of its gaps, where that gap holds the whole
    white."""
    parts: list[list[Word]] = [[segment.words[0]]]
    for left, right in pairwise(segment.words):
        slack = space_em * max(left.size, right.size) / 2
        divided = any(
            left.box.x1 <= p <= right.box.x0 and left.box.x1 <= white[p].start + slack and white[p].end - slack <= right.box.x0
            for p in col_positions
        )
        if divided:
            parts.append([right])
        else:
            parts[-1].append(right)
    return parts


def column_hulls(pieces: Sequence[Piece], n_cols: int) -> list[Interval | None]:
    hulls: list[Interval | None] = [None] * n_cols
    for p in pieces:
        if p.first == p.last:
            extent = Interval(p.words[0].box.x0, max(w.box.x1 for w in p.words))
            old = hulls[p.first]
            hulls[p.first] = extent if old is None else old.hull(extent)
    return hulls
