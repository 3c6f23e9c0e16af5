"""Column dividers at gaps above the cliff in the widths of all gaps of the table.

All gaps between neighbouring words are sorted by width; the largest jump, as a ratio, parts word spaces from column gaps (see
``variorum.tables.cliffs``). Lines are cut at the column gaps, and the white channels that more lines leave free than cross are
the dividers, in PDF points. Evidence: words only. Says nothing about rows. Abstains when no gap is twice as wide as the next
narrower one, or no channel is open. (Founding documents: "in the sorted gap widths the largest relative jump separates word
spaces from column gaps; globally, or per row".)
"""

from __future__ import annotations

from variorum.tables.cliffs import channel_points, cliff_of, cut_line, gap_widths
from variorum.tables.model import Abstain, BoundaryHypothesis, TableContext


class GlobalCliff:
    """Votes on columns from one cliff in the widths of all gaps."""

    name = "global_cliff"

    def detect(self, ctx: TableContext) -> BoundaryHypothesis | None:
        """Return column dividers as white channels in points; abstains without a cliff or an open channel.

        Confidence is the share of the lines with something to say at the channel that leave it free, in (0, 1].
        """
        space = ctx.word_space_em
        narrowest = cliff_of((w for row in ctx.text_rows for w in gap_widths(row, space)), space)
        if narrowest is None:
            raise Abstain("no jump in the widths of the gaps")
        points = channel_points([cut_line(row, narrowest) for row in ctx.text_rows], self.name)
        if not points:
            raise Abstain("no white channel is shared by more lines than cross it")
        return BoundaryHypothesis(points, (), self.name, {"complete": ("column",)})
