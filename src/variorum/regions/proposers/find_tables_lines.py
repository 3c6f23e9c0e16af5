"""The tables that PyMuPDF's ``find_tables`` sees with its ``lines`` strategy: grids of strokes and of the edges of filled
boxes.

Evidence: vector graphics only. It finds ruled tables whole, and in plots and framed text much that is none. Needs drawn lines
in both directions; a table with horizontal rules alone escapes it. Shares one voice with the other strategies.
"""

from __future__ import annotations

from variorum.geometry import Box
from variorum.regions.model import ProposerContext


class FindTablesLines:
    name = "find_tables_lines"
    family = "find_tables"
    seconds = False

    def propose(self, ctx: ProposerContext) -> list[Box]:
        """Return the boxes of the library's tables, turned into the view."""
        return [ctx.upright(g.bbox) for g in ctx.handle.found_grids("lines")]
