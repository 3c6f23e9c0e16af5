"""Dividers of the table that pdfplumber sees with its ``text`` strategy.

The library imagines lines where the edges or middles of words align, inside the region alone. Its inner edges are the dividers,
each widened to the white channel that holds it, in PDF points. Abstains when the library sees no table in the region.
Reference: pdfplumber documentation, "Extracting tables".
"""

from __future__ import annotations

from variorum.tables.found_grids import hypothesis_of, live_page
from variorum.tables.model import BoundaryHypothesis, TableContext


class PdfplumberText:
    """Votes on rows and columns with pdfplumber's table finder, strategy ``text``."""

    name = "pdfplumber_text"

    def detect(self, ctx: TableContext) -> BoundaryHypothesis | None:
        """Return the library's inner edges as dividers in points; abstains when it sees no table here."""
        return hypothesis_of(live_page(ctx).pdfplumber_grids("text", ctx.bbox), ctx, self.name, ("column", "row"))
