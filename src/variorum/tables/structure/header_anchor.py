"""Column dividers of the one line that shows the columns best, usually the header.

The line with most segments is the anchor; of several, the one whose gaps most other lines leave free, then the topmost. Its
gaps are the dividers, each narrowed to the white that it shares with the other lines. Evidence: words only. Dividers in PDF
points. Says nothing about rows. Abstains when no line has two segments. (Founding documents: "the row
that best shows the columns supplies the dividers; similar rows raise confidence".)
"""

from __future__ import annotations

import itertools
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence

from variorum.geometry import Interval, gaps_between
from variorum.page.lines import Segment
from variorum.tables.model import Abstain, BoundaryHypothesis, BoundaryPoint, TableContext

Line = Sequence[Segment]


class HeaderAnchor:
    """Votes on columns from the line that shows them best."""

    name = "header_anchor"

    def detect(self, ctx: TableContext) -> BoundaryHypothesis | None:
        """Return column dividers as white channels in points; abstains when no line has two segments.

        Confidence is the share of the lines with two segments, and of single ones across the gap, that have a gap there too,
        in (0, 1].
        """
        lines = ctx.segments
        most = max(map(len, lines), default=0)
        if most <= 1:
            raise Abstain("no line has two segments")
        free = _Cover(gap for line in lines for gap in _gaps(line))
        crossed = _Cover(s.box.x_interval for line in lines for s in line)
        candidates = [_gaps(line) for line in lines if len(line) == most]
        anchor = max(candidates, key=lambda gaps: sum(free.at(g.middle) - crossed.at(g.middle) for g in gaps))
        if not anchor:
            raise Abstain("no line has two segments with white between them")
        alone = _Cover(line[0].box.x_interval for line in lines if len(line) == 1)
        cut = sum(len(line) > 1 for line in lines)
        points = []
        for gap in anchor:
            white, confidence = _shared(gap, lines), free.at(gap.middle) / (cut + alone.at(gap.middle))
            points.append(BoundaryPoint(white.start, white.end, confidence, self.name))
        return BoundaryHypothesis(tuple(points), (), self.name, {"complete": ("column",)})


class _Cover:
    """How many of some intervals lie over a place."""

    def __init__(self, intervals: Iterable[Interval]) -> None:
        kept = list(intervals)
        self._starts = sorted(i.start for i in kept)
        self._ends = sorted(i.end for i in kept)

    def at(self, place: float) -> int:
        return bisect_right(self._starts, place) - bisect_left(self._ends, place)


def _gaps(line: Line) -> list[Interval]:
    """Return the white between the segments of a line, from left to right."""
    return [Interval(a.box.x1, b.box.x0) for a, b in itertools.pairwise(line) if a.box.x1 < b.box.x0]


def _shared(gap: Interval, lines: Sequence[Line]) -> Interval:
    """Return what is left of the gap when every line that leaves some of it white takes the rest away.

    Lines that leave most of it come first; one that would leave nothing of what is left takes nothing.
    """
    white = gap
    for part in sorted((_white_part(gap, line) for line in lines), key=lambda p: (-p.length, p.start)):
        narrowed = white.intersection(part)
        if narrowed is not None and narrowed.length > 0:
            white = narrowed
    return white


def _white_part(gap: Interval, line: Line) -> Interval:
    """Return the longest stretch of the gap in which the line has nothing; without length when it crosses the gap."""
    inside = [part for s in line if (part := s.box.x_interval.intersection(gap)) is not None]
    ends = (Interval(gap.start, gap.start), Interval(gap.end, gap.end))
    return max(gaps_between([*ends, *inside]), key=lambda p: (p.length, -p.start), default=ends[0])
