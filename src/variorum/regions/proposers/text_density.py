"""Runs of lines that white cuts into aligned pieces.

Prose fills its lines; a table leaves white inside them, at the same places line after line. Lines that white cuts are
followed down each text column, and down the whole page; a run of them is proposed when most of its pieces stand under others:
left edge under left edge, right under right, or middle under middle, within half the type's size. Evidence: words only, no
rules and no captions, so it also sees tables that have neither. Lists of equations look alike to it, and so do forms. Shares
one voice with `captions`, which reads the same white.
"""

from __future__ import annotations

from variorum.geometry import Box
from variorum.regions.cut_lines import aligned_runs
from variorum.regions.model import ProposerContext


class TextDensity:
    name = "text_density"
    family = "cut_lines"
    seconds = True

    def propose(self, ctx: ProposerContext) -> list[Box]:
        """Return the boxes around runs of cut and aligned lines."""
        return [run.box for run in aligned_runs(ctx.view, ctx.captions, ctx.space_em)]
