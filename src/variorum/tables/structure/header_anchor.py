"""Column dividers of the one line that shows the columns best, usually the header.

The line with most segments is the anchor; of several, the one whose gaps most other lines leave free, then the topmost. Its
gaps are the dividers, each narrowed to the white that it shares with the lines that have a gap there too. Evidence: words
only. Dividers in PDF points. Says nothing about rows. Abstains when no line has two segments. (Founding documents: "the row
that best shows the columns supplies the dividers; similar rows raise confidence".)
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from variorum.geometry import Interval
from variorum.page.lines import Segment
from variorum.tables.model import Abstain, BoundaryHypothesis, BoundaryPoint, TableContext

Line = Sequence[Segment]


class HeaderAnchor:
    """Votes on columns from the line that shows them best."""

    name = "header_anchor"

    def detect(self, ctx: TableContext) -> BoundaryHypothesis | None:
        """Return column dividers as white channels in points; abstains when no line has two segments.

        Confidence is the share of the lines with something to say at the divider that leave it free, in (0, 1].
        """
        lines = ctx.segments
        most = max(map(len, lines), default=0)
        if most <= 1:
            raise Abstain("no line has two segments")
        candidates = [_gaps(line) for line in lines if len(line) == most]
        anchor = max(candidates, key=lambda gaps: sum(_freeing(g, lines) - _crossing(g, lines) for g in gaps))
        points = [self._point(gap, lines) for gap in anchor]
        if not points:
            raise Abstain("no line has two segments with white between them")
        return BoundaryHypothesis(tuple(points), (), self.name, {"complete": ("column",)})

    def _point(self, gap: Interval, lines: Sequence[Line]) -> BoundaryPoint:
        free, crossed = _freeing(gap, lines), _crossing(gap, lines)
        white = _shared(gap, lines)
        return BoundaryPoint(white.start, white.end, free / (free + crossed), self.name)


def _gaps(line: Line) -> list[Interval]:
    """Return the white between the segments of a line, from left to right."""
    return [Interval(a.box.x1, b.box.x0) for a, b in itertools.pairwise(line) if a.box.x1 < b.box.x0]


def _freeing(gap: Interval, lines: Sequence[Line]) -> int:
    """Return how many lines have a gap of their own that shares white with this one; the anchor itself is one."""
    return sum(any(own.overlap(gap) > 0 for own in _gaps(line)) for line in lines)


def _crossing(gap: Interval, lines: Sequence[Line]) -> int:
    """Return how many lines have a segment that reaches across the whole gap."""
    return sum(any(s.box.x0 <= gap.start and gap.end <= s.box.x1 for s in line) for line in lines)


def _shared(gap: Interval, lines: Sequence[Line]) -> Interval:
    """Return what is left of the gap when each line that leaves some of it white takes away the rest.

    Lines that leave most of it come first; a line that would leave nothing of what is left takes nothing.
    """
    parts = [
        max((part for own in _gaps(line) if (part := own.intersection(gap)) is not None), key=lambda p: p.length, default=None)
        for line in lines
    ]
    white = gap
    for part in sorted((p for p in parts if p is not None), key=lambda p: (-p.length, p.start)):
        narrowed = white.intersection(part)
        if narrowed is not None and narrowed.length > 0:
            white = narrowed
    return white
