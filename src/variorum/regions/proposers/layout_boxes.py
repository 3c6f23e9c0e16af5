"""The boxes that PyMuPDF's layout model calls tables: a small neural network that comes with the library and reads the page's
words and picture.

Evidence: what pages look like, learned. It needs no rules, and sees tables that nothing else sees; now and then it takes two
tables for one, or an author block for a table. Its text is never used.
"""

from __future__ import annotations

from variorum.geometry import Box
from variorum.regions.model import ProposerContext


class LayoutBoxes:
    name = "layout_boxes"
    family = "layout_boxes"
    seconds = False

    def propose(self, ctx: ProposerContext) -> list[Box]:
        """Return the model's boxes of the kind table, turned into the view."""
        return [ctx.upright(box) for kind, box in ctx.handle.layout_boxes if kind == "table"]
