"""Row dividers between lines of writing that begin a row.

Words on one baseline make a line. A line begins a row unless it can be read as the rest of wrapped cells of the row
above, or as a label centred over several rows. Evidence: baselines, rules, the columns' white channels and widths (see
``variorum.tables.rows``). Dividers are the white bands between rows, in PDF points. Says nothing about columns.
Abstains when the table has a single row.
"""

from __future__ import annotations

import itertools

from variorum.tables.model import Abstain, BoundaryHypothesis, BoundaryPoint, TableContext
from variorum.tables.rows import row_groups


class BaselineRows:
    """Votes on rows from baselines."""

    name = "baseline_rows"

    def detect(self, ctx: TableContext) -> BoundaryHypothesis | None:
        """Return row dividers, the white bands between rows in points; abstains with fewer than two rows.

        Confidence is the share of the band between two rows that is white, in (0, 1].
        """
        groups = row_groups(ctx)
        if len(groups) <= 1:
            raise Abstain("all words stand in one row")
        points = []
        for upper, lower in itertools.pairwise(groups):
            low, high = sorted((upper.band.end, lower.band.start))
            white = lower.band.start - upper.band.end
            confidence = 1.0 if white >= 0 else 1 / 2
            points.append(BoundaryPoint(low, high, confidence, self.name))
        return BoundaryHypothesis((), tuple(points), self.name, {"complete": ("row",)})
