"""Regions that rules frame: horizontal rules of the same extent with a table's content between them.

Booktabs tables have two to four long rules from edge to edge; ruled tables have one below each row, and vertical rules
that join them. Rules of one extent that follow each other down the page are one table as long as what stands between
them is cut into columns by white, is a caption of none, and holds no paragraph. A frame without columns inside (a box
around text, an algorithm) is no table, nor is one around a picture. Evidence: horizontal rules, and the words between them.
"""

from __future__ import annotations

from collections.abc import Sequence

from variorum.geometry import Box, Interval
from variorum.page.lines import TextRow, segments, text_rows
from variorum.page.model import PageEvidence, Rule
from variorum.regions.captions import FoundCaption
from variorum.regions.model import ProposerContext
from variorum.thresholds import LINES_APART


class Rules:
    name = "rules"
    family = "rules"
    seconds = False

    def propose(self, ctx: ProposerContext) -> list[Box]:
        """Return the boxes that groups of horizontal rules frame, top to bottom."""
        return rule_regions(ctx.view, ctx.captions, ctx.space_em)


def rule_regions(page: PageEvidence, captions: Sequence[FoundCaption], space_em: float) -> list[Box]:
    """Return the boxes (points) that groups of horizontal rules frame, top to bottom."""
    text_size = _usual_size(page)
    horizontal = [r for r in page.rules if r.orientation == "horizontal" and r.length / 2 > text_size]
    found: list[Box] = []
    for group in _same_extent(horizontal, text_size):
        run = [group[0]]
        for rule in group[1:]:
            if _table_between(page, run[-1], rule, captions, space_em):
                run.append(rule)
            else:
                found += _framed(run)
                run = [rule]
        found += _framed(run)
    return sorted(found, key=lambda b: (b.y0, b.x0))


def _usual_size(page: PageEvidence) -> float:
    sizes = sorted(w.size for w in page.words)
    return sizes[len(sizes) // 2] if sizes else 1.0


def _same_extent(rules: Sequence[Rule], text_size: float) -> list[list[Rule]]:
    """Return the rules grouped by equal ends (within half the text's size), each group from top to bottom."""
    groups: list[list[Rule]] = []
    for rule in sorted(rules, key=lambda r: (r.start, r.end, r.position)):
        for group in groups:
            if abs(group[0].start - rule.start) * 2 < text_size and abs(group[0].end - rule.end) * 2 < text_size:
                group.append(rule)
                break
        else:
            groups.append([rule])
    return [sorted(g, key=lambda r: r.position) for g in groups]


def _framed(run: Sequence[Rule]) -> list[Box]:
    if len(run) <= 1:
        return []
    return [Box(min(r.start for r in run), run[0].position, max(r.end for r in run), run[-1].position)]


def _table_between(page: PageEvidence, upper: Rule, lower: Rule, captions: Sequence[FoundCaption], space_em: float) -> bool:
    between = Box(min(upper.start, lower.start), upper.position, max(upper.end, lower.end), lower.position)
    if any(between.contains_centre_of(c.label_box) for c in captions):
        return False
    if _holds_picture(page, between):
        return False
    words = [w for w in page.words if w.angle == 0 and between.contains_centre_of(w.box)]
    lines = text_rows(words)
    if not lines:
        return between.height < LINES_APART * _usual_size(page)
    return not _has_paragraph(lines, between.x_interval, space_em)


def _holds_picture(page: PageEvidence, between: Box) -> bool:
    """Return whether something is drawn there, with curves or slanted strokes, that is larger than a line and holds no
    words."""
    size = _usual_size(page)
    return any(
        min(d.width, d.height) > size
        and between.contains_centre_of(d)
        and not any(d.contains_centre_of(w.box) for w in page.words)
        for d in page.drawings
    )


def _has_paragraph(lines: Sequence[TextRow], extent: Interval, space_em: float) -> bool:
    """Return whether most lines are set from edge to edge without a gap: prose, not cells."""
    full = [len(segments(line, space_em)) == 1 and line.box.width * 2 > extent.length for line in lines]
    return sum(full) * 2 > len(lines) and len(lines) > 2
