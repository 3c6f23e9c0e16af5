"""Texts of neighbouring columns that stand no farther apart than words do, as narrow heads often do: cut where columns begin.

What tells a gap between columns from a gap between words: both texts begin where those of most other lines do, and no other
line of the table has writing across the gap. Only lines of several texts are looked at, and only they tell where columns begin.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from variorum.page.lines import Segment
from variorum.tables.columns import place_slack

Line = tuple[Segment, ...]


def with_columns_parted(lines: Sequence[Line], space_em: float) -> tuple[Line, ...]:
    """Return the lines of segments, those that hold the texts of two columns or more cut between them.

    `lines` are in order from top to bottom, `space_em` is the usual word space in em.
    """
    telling = [line for line in lines if len(line) > 1]
    out: list[Line] = []
    for i, line in enumerate(lines):
        if len(line) > 1:
            others = [s for k, other in enumerate(lines) if k != i for s in other]
            out.append(tuple(part for s in line for part in _parted(s, telling, others, space_em)))
        else:
            out.append(line)
    return tuple(out)


def _parted(segment: Segment, telling: Sequence[Line], others: Sequence[Segment], space_em: float) -> list[Segment]:
    """Return the segment, cut before each word that begins a column."""
    if len(segment.words) == 1:
        return [segment]
    slack = place_slack(segment.words, space_em)
    if not _begins_column(segment.box.x0, telling, slack):
        return [segment]
    cuts = [
        k
        for k, (left, right) in enumerate(pairwise(segment.words), start=1)
        if _begins_column(right.box.x0, telling, slack)
        and not any(s.box.x0 < right.box.x0 and left.box.x1 < s.box.x1 for s in others)
    ]
    edges = [0, *cuts, len(segment.words)]
    return [Segment(segment.words[a:b]) for a, b in pairwise(edges)]


def _begins_column(x: float, telling: Sequence[Line], slack: float) -> bool:
    """Return whether most lines of several texts have one that begins at x."""
    return 2 * sum(any(abs(s.box.x0 - x) < slack for s in line) for line in telling) > len(telling)
