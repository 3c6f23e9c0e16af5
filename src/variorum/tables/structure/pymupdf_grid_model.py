"""Dividers of the grid model that comes with PyMuPDF: a small neural network that draws row and column lines into tables.

The library's layout model finds tables on the rendered page, its grid model the lines in each. They run on the page once, also
for the table regions. The inner lines are the dividers, each widened to the white channel that holds it, in PDF points. Beyond
the founding thirteen. Abstains when the library sees no table whose greater part lies in the region. Reference: PyMuPDF
Layout documentation.
"""

from __future__ import annotations

from variorum.tables.found_grids import hypothesis_of, live_page
from variorum.tables.model import BoundaryHypothesis, TableContext


class PyMuPDFGridModel:
    """Votes on rows and columns with PyMuPDF's bundled grid model."""

    name = "pymupdf_grid_model"

    def detect(self, ctx: TableContext) -> BoundaryHypothesis | None:
        """Return the model's inner lines as dividers in points; abstains when the library sees no table here."""
        return hypothesis_of(live_page(ctx).model_grids, ctx, self.name, ("column", "row"))
