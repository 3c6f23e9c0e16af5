"""Dividers of the table that PyMuPDF's ``find_tables`` sees with its ``lines`` strategy.

The library builds cells from all drawn lines, also the edges of filled boxes, on the whole page. Its inner edges are
the dividers, each widened to the white channel that holds it, in PDF points. Abstains when the library sees no table
whose greater part lies in the region. Reference: PyMuPDF documentation, Page.find_tables.
"""

from __future__ import annotations

from variorum.tables.found_grids import grids_of, hypothesis_of
from variorum.tables.model import BoundaryHypothesis, TableContext
from variorum.tables.ruling import ruled_axes


class PyMuPDFLines:
    """Votes on rows and columns with PyMuPDF's table finder, strategy ``lines``."""

    name = "pymupdf_lines"

    def detect(self, ctx: TableContext) -> BoundaryHypothesis | None:
        """Return the library's inner edges as dividers in points; abstains when it sees no table here."""
        return hypothesis_of(grids_of(ctx, "lines"), ctx, self.name, ruled_axes(ctx))
