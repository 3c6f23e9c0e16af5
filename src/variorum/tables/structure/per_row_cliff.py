"""Column dividers at gaps above the cliff in the gap widths of each line.

The gaps between neighbouring words of one line are sorted by width; the largest jump, as a ratio, parts that line's word
spaces from its column gaps (see ``variorum.tables.cliffs``). So a line of narrower gaps, or of larger type, has its own
measure. Lines are cut at their column gaps, and the white channels that more lines leave free than cross are the dividers, in
PDF points. Evidence: words only. Says nothing about rows. Abstains when no line has a gap twice as wide as its next narrower
one, or no channel is open.
"""

from __future__ import annotations

from variorum.tables.cliffs import channel_points, cliff_of, cut_line, gap_widths
from variorum.tables.model import Abstain, BoundaryHypothesis, TableContext


class PerRowCliff:
    """Votes on columns from a cliff in the gap widths of each line."""

    name = "per_row_cliff"

    def detect(self, ctx: TableContext) -> BoundaryHypothesis | None:
        """Return column dividers as white channels in points; abstains without a cliff or an open channel.

        Confidence is the share of the lines with something to say at the channel that leave it free, in (0, 1].
        """
        space = ctx.word_space_em
        narrowest = [cliff_of(gap_widths(row, space), space) for row in ctx.text_rows]
        if all(width is None for width in narrowest):
            raise Abstain("no line has a jump in the widths of its gaps")
        points = channel_points([cut_line(r, n) for r, n in zip(ctx.text_rows, narrowest, strict=True)], self.name)
        if not points:
            raise Abstain("no white channel is shared by more lines than cross it")
        return BoundaryHypothesis(points, (), self.name, {"complete": ("column",)})
