"""Column dividers where many lines have a gap that covers the place.

Every line of writing is cut into segments at gaps wider than word spaces. A place is a divider when the lines whose gap
covers it outnumber those with a segment across, and more so than to its left and right. Evidence: words only. Dividers
are the white channels shared by those lines, in PDF points. Says nothing about rows. Abstains when no channel is open.
(Founding documents: "gap span also credits rows whose gap covers the position".)
"""

from __future__ import annotations

from variorum.tables.model import Abstain, BoundaryHypothesis, BoundaryPoint, TableContext
from variorum.tables.rows import table_channels


class GapSpanHotspot:
    """Votes on columns from gaps that cover a place."""

    name = "gap_span_hotspot"

    def detect(self, ctx: TableContext) -> BoundaryHypothesis | None:
        """Return column dividers as white channels in points; abstains without any.

        Confidence is the share of the lines with something to say at the channel that leave it free, in (0, 1].
        """
        found = table_channels(ctx)
        if not found:
            raise Abstain("no white channel is shared by more lines than cross it")
        points = tuple(BoundaryPoint(c.interval.start, c.interval.end, c.confidence, self.name) for c in found)
        return BoundaryHypothesis(points, (), self.name, {"complete": ("column",)})
