"""The cut-up lines next to the caption of a table, above or below it.

Evidence: the caption, and white or vertical rules that cut the lines beside it into columns. Lines go on as long as they are
cut, or stand between such lines; a paragraph, another caption or a known region ends them. Of what stands above and below,
the larger is taken. It needs no other rules, and knows nothing of tables without a caption. Shares one voice with
`text_density`, which reads the same white.
"""

from __future__ import annotations

from collections.abc import Sequence

from variorum.geometry import Box
from variorum.page.lines import TextRow, text_rows
from variorum.page.model import PageEvidence
from variorum.regions.captions import FoundCaption
from variorum.regions.cut_lines import halves, run_at_start, two_columns
from variorum.regions.model import ProposerContext


class Captions:
    name = "captions"
    family = "cut_lines"
    seconds = True

    def propose(self, ctx: ProposerContext) -> list[Box]:
        """Return the box of the cut-up lines beside each table caption that has some."""
        beside = [
            lines_beside(caption, ctx.view, (), ctx.captions, ctx.space_em)
            for caption in ctx.captions
            if caption.kind == "table"
        ]
        return [box for box in beside if box is not None]


def lines_beside(
    caption: FoundCaption,
    page: PageEvidence,
    taken: Sequence[Box],
    captions: Sequence[FoundCaption],
    space_em: float,
) -> Box | None:
    """Return the box of the cut-up lines that follow the caption, or that stand before it, or None.

    Words in a `taken` box and words of captions do not count.
    """
    below, above = lines_around(caption, page, taken, captions)
    verticals = [r for r in page.rules if r.orientation == "vertical"]
    boxes = [run.box for lines in (below, above) if (run := run_at_start(lines, space_em, verticals)) is not None]
    return max(boxes, key=lambda b: (b.area, -b.y0)) if boxes else None


def lines_around(
    caption: FoundCaption, page: PageEvidence, taken: Sequence[Box], captions: Sequence[FoundCaption]
) -> tuple[list[TextRow], list[TextRow]]:
    """Return the lines in the caption's column from it down, and those from it up; words in a `taken` box, of captions,
    and of the caption of a part do not count."""
    foreign = {id(w) for c in captions for w in (*c.words, *c.part)}
    strip = _strip_of(caption, page)
    rows = text_rows(
        w
        for w in page.words
        if w.angle == 0
        and id(w) not in foreign
        and strip.contains_centre_of(w.box)
        and not any(box.contains_centre_of(w.box) for box in taken)
    )
    last = Box.around(w.box for w in caption.part) if caption.part else caption.box
    below = [r for r in rows if r.band.start >= last.centre[1]]
    above = [r for r in reversed(rows) if r.band.end <= caption.box.centre[1]]
    return below, above


def _strip_of(caption: FoundCaption, page: PageEvidence) -> Box:
    """Return the part of the page, full height, that a table under this caption may fill: its text column, or the page's
    width."""
    middle = page.width / 2
    if caption.box.x0 < middle < caption.box.x1 or not two_columns(page):
        return page.box
    left, right = halves(page)
    return left if caption.box.x1 <= middle else right
