"""Dividers of the table that camelot sees with its ``network`` flavor.

The library looks for connected places where the edges or middles of words align, inside the region alone. The inner edges are
the dividers, each widened to the white channel that holds it, in PDF points. Beyond the founding thirteen. Abstains when the
library sees no table in the region. Reference: camelot documentation, camelot.read_pdf.
"""

from __future__ import annotations

from variorum.tables.found_grids import hypothesis_of, live_page
from variorum.tables.model import BoundaryHypothesis, TableContext


class CamelotNetwork:
    """Votes on rows and columns with camelot's flavor ``network``."""

    name = "camelot_network"

    def detect(self, ctx: TableContext) -> BoundaryHypothesis | None:
        """Return the library's inner edges as dividers in points; abstains when it sees no table here."""
        return hypothesis_of(live_page(ctx).camelot_grids("network", ctx.bbox), ctx, self.name, ("column", "row"))
