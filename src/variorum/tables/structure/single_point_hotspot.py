"""Column dividers where the middles of gaps pile up.

Every gap between neighbouring segments of a line gives one point, its middle. Points of several lines whose gaps share
white space make a hotspot; its divider is the white that all of them share. Evidence: words only. A hotspot counts when
it is supported by more lines than the usual hotspot of this table has divided by two, so that accidents of one line
fall away however long the table is. Dividers in PDF points. Says nothing about rows. Abstains without gaps.
"""

from __future__ import annotations

import itertools
from statistics import median

from variorum.geometry import Interval
from variorum.tables.model import Abstain, BoundaryHypothesis, BoundaryPoint, TableContext


class SinglePointHotspot:
    """Votes on columns from the middles of gaps."""

    name = "single_point_hotspot"

    def detect(self, ctx: TableContext) -> BoundaryHypothesis | None:
        """Return column dividers in points; abstains when no line has a gap wider than a word space.

        Confidence is the share of lines with a gap in the hotspot, in (0, 1].
        """
        gaps = sorted(
            (
                Interval(left.box.x1, right.box.x0)
                for line in ctx.segments
                for left, right in itertools.pairwise(line)
                if right.box.x0 > left.box.x1
            ),
            key=lambda g: (g.middle, g.start),
        )
        if not gaps:
            raise Abstain("no line has a gap wider than a word space")
        spots: list[tuple[Interval, int]] = []
        for gap in gaps:
            shared = spots[-1][0].intersection(gap) if spots else None
            if shared is not None and shared.length > 0:
                spots[-1] = (shared, spots[-1][1] + 1)
            else:
                spots.append((gap, 1))
        usual = median(count for _, count in spots)
        strongest = max(count for _, count in spots)
        kept = [(s, n) for s, n in spots if 2 * n > min(usual, strongest) and 2 * n >= strongest / 2]
        total = max(len(ctx.text_rows), strongest)
        points = tuple(BoundaryPoint(s.start, s.end, n / total, self.name) for s, n in kept)
        return BoundaryHypothesis(points, (), self.name, {"complete": ("column",)})
