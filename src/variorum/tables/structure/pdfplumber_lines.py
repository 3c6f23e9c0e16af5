"""Dividers of the table that pdfplumber sees with its ``lines`` strategy.

The library builds cells where drawn lines and the edges of boxes cross, on the whole page. Its inner edges are the dividers,
each widened to the white channel that holds it, in PDF points. Abstains when the library sees no table whose greater part lies
in the region. Reference: pdfplumber documentation, "Extracting tables".
"""

from __future__ import annotations

from variorum.tables.found_grids import hypothesis_of, live_page
from variorum.tables.model import BoundaryHypothesis, TableContext
from variorum.tables.ruling import ruled_axes


class PdfplumberLines:
    """Votes on rows and columns with pdfplumber's table finder, strategy ``lines``."""

    name = "pdfplumber_lines"

    def detect(self, ctx: TableContext) -> BoundaryHypothesis | None:
        """Return the library's inner edges as dividers in points; abstains when it sees no table here."""
        return hypothesis_of(live_page(ctx).pdfplumber_grids("lines"), ctx, self.name, ruled_axes(ctx))
