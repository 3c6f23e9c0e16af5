"""Dividers of the table that camelot sees with its ``hybrid`` flavor.

The library joins the columns that it sees where words align with those of the rules; its vector engine reads the rules from the
PDF itself, on the whole page. The inner edges are the dividers, each widened to the white channel that holds it, in PDF points.
Asked on ruled tables only. Abstains when the library sees no table whose greater part lies in the region. Reference: camelot
documentation, camelot.read_pdf.
"""

from __future__ import annotations

from variorum.tables.found_grids import hypothesis_of, live_page
from variorum.tables.model import BoundaryHypothesis, TableContext


class CamelotHybrid:
    """Votes on rows and columns with camelot's flavor ``hybrid``."""

    name = "camelot_hybrid"

    def detect(self, ctx: TableContext) -> BoundaryHypothesis | None:
        """Return the library's inner edges as dividers in points; abstains when it sees no table here."""
        return hypothesis_of(live_page(ctx).camelot_grids("hybrid"), ctx, self.name, ("column", "row"))
