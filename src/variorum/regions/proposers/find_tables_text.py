"""The tables that PyMuPDF's ``find_tables`` sees with its ``text`` strategy inside the page's cut-up lines.

Evidence: words alone, as the library lines them up. Asked about a whole page it takes the page for one table: of 231 boxes
on the pages that it was measured on, seven held a table. So it is asked only about the aligned runs of lines that white
cuts, where it finds fewer tables than `text_density` does in a ninth of the time; the default configuration leaves it out.
Sideways text is beyond it. Shares one voice with the other strategies.
"""

from __future__ import annotations

from variorum.geometry import Box
from variorum.regions.cut_lines import aligned_runs
from variorum.regions.model import ProposerContext


class FindTablesText:
    name = "find_tables_text"
    family = "find_tables"
    seconds = True

    def propose(self, ctx: ProposerContext) -> list[Box]:
        """Return the boxes of the library's tables in each run of cut and aligned lines; none in a turned view."""
        if ctx.angle:
            return []
        runs = aligned_runs(ctx.view, ctx.captions, ctx.space_em)
        return [grid.bbox for run in runs for grid in ctx.handle.found_grids("text", run.box)]
