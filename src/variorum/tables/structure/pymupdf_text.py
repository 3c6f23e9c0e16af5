"""Dividers of the table that PyMuPDF's ``find_tables`` sees with its ``text`` strategy.

The library imagines lines where the edges of words align, inside the region alone. Its inner edges are the dividers,
each widened to the white channel that holds it, in PDF points. Abstains when the library sees no table in the region.
Reference: PyMuPDF documentation, Page.find_tables.
"""

from __future__ import annotations

from variorum.tables.found_grids import grids_of, hypothesis_of
from variorum.tables.model import BoundaryHypothesis, TableContext


class PyMuPDFText:
    """Votes on rows and columns with PyMuPDF's table finder, strategy ``text``."""

    name = "pymupdf_text"

    def detect(self, ctx: TableContext) -> BoundaryHypothesis | None:
        """Return the library's inner edges as dividers in points; abstains when it sees no table here."""
        return hypothesis_of(grids_of(ctx, "text", ctx.bbox), ctx, self.name, ("column", "row"))
