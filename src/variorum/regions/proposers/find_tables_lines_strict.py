"""The tables that PyMuPDF's ``find_tables`` sees with its ``lines_strict`` strategy: grids of strokes, without the edges of
filled boxes.

Evidence: stroked vector graphics only. Shading behind rows, which the ``lines`` strategy takes for cells, does not mislead
it; a grid drawn with thin filled boxes escapes it. Shares one voice with the other strategies.
"""

from __future__ import annotations

from variorum.geometry import Box
from variorum.regions.model import ProposerContext


class FindTablesLinesStrict:
    name = "find_tables_lines_strict"
    family = "find_tables"
    seconds = False

    def propose(self, ctx: ProposerContext) -> list[Box]:
        """Return the boxes of the library's tables, turned into the view."""
        return [ctx.upright(g.bbox) for g in ctx.handle.found_grids("lines_strict")]
