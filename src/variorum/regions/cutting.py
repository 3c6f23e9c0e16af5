"""Proposals made ready for the vote: cut where two tables stand in one box, left out where a box holds no columns."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence

from variorum.geometry import Box
from variorum.page.lines import TextRow, segments, text_rows
from variorum.page.model import PageEvidence, Rule
from variorum.regions.captions import FoundCaption


def ready_for_the_vote(
    proposals: Mapping[str, Sequence[Box]], page: PageEvidence, captions: Sequence[FoundCaption], space_em: float
) -> dict[str, list[Box]]:
    """Return the proposals by proposer, sorted by name: cut at captions and between frames, those without columns left out."""
    pool = {
        name: [piece for box in boxes for part in _parted_by_rules(box, page) for piece in _parted(part, page, captions)]
        for name, boxes in sorted(proposals.items())
    }
    return {name: [b for b in boxes if _holds_columns(b, page, space_em)] for name, boxes in pool.items()}


def _parted(box: Box, page: PageEvidence, captions: Sequence[FoundCaption]) -> list[Box]:
    """Return the box, cut where a caption lies inside it with words both above and below."""
    for caption in captions:
        if not (box.y0 < caption.box.y0 and caption.box.y1 < box.y1 and 2 * caption.box.share_inside(box) > 1):
            continue
        if caption.box.x_interval.overlap(box.x_interval) * 2 < caption.box.width:
            continue
        upper = Box(box.x0, box.y0, box.x1, caption.box.y0)
        lower = Box(box.x0, caption.box.y1, box.x1, box.y1)
        held = [(p, [w.box for w in page.words if p.contains_centre_of(w.box)]) for p in (upper, lower)]
        pieces = [Box(p.x0, max(p.y0, min(w.y0 for w in ws)), p.x1, min(p.y1, max(w.y1 for w in ws))) for p, ws in held if ws]
        return [q for p in pieces for q in _parted(p, page, captions)]
    return [box]


def _parted_by_rules(box: Box, page: PageEvidence) -> list[Box]:
    """Return the box, cut where the frame of one table ends and that of the next begins.

    There two horizontal rules of different extent follow each other without words or vertical rules between them.
    """
    inside = sorted(
        (
            r
            for r in page.rules
            if r.orientation == "horizontal"
            and 2 * box.x_interval.overlap(r.box.x_interval) > box.width
            and box.y0 <= r.position <= box.y1
        ),
        key=lambda r: (r.position, r.start),
    )
    sizes = sorted(w.size for w in page.words if box.contains_centre_of(w.box))
    for i, (upper, lower) in enumerate(itertools.pairwise(inside)):
        gap = lower.position - upper.position
        if not 0 < i < len(inside) - 2 or not sizes or not max(upper.thickness, lower.thickness) < gap < sizes[len(sizes) // 2]:
            continue
        if max(abs(upper.start - lower.start), abs(upper.end - lower.end)) < sizes[len(sizes) // 2]:
            continue
        middle = (upper.position + lower.position) / 2
        if any(r.orientation == "vertical" and r.start < middle < r.end and box.x0 <= r.position <= box.x1 for r in page.rules):
            continue
        above = Box(upper.start, box.y0, upper.end, upper.position)
        below = Box(lower.start, lower.position, lower.end, box.y1)
        return [above, *_parted_by_rules(below, page)]
    return [box]


def _holds_columns(box: Box, page: PageEvidence, space_em: float) -> bool:
    """Return whether white or vertical rules cut at least two lines of the box into pieces: without that there are no
    columns. One line is enough where a grid is drawn around every line: then the others stand in its first column."""
    verticals = [r for r in page.rules if r.orientation == "vertical" and box.x0 < r.position < box.x1]
    lines = text_rows(w for w in page.words if w.angle == 0 and box.contains_centre_of(w.box))
    cut = sum(len(segments(line, space_em, verticals)) > 1 for line in lines)
    return cut > 1 or (cut == 1 < len(lines) and _is_drawn_grid(lines, verticals, box, page))


def _is_drawn_grid(lines: Sequence[TextRow], verticals: Sequence[Rule], box: Box, page: PageEvidence) -> bool:
    """Return whether a rule across the box parts every line from the next, and a vertical rule runs past all of them."""
    across = [
        r.position
        for r in page.rules
        if r.orientation == "horizontal" and 2 * box.x_interval.overlap(r.box.x_interval) > box.width
    ]
    closed = all(any(a.band.middle < y < b.band.middle for y in across) for a, b in itertools.pairwise(lines))
    return closed and any(r.start < lines[0].band.middle and lines[-1].band.middle < r.end for r in verticals)
