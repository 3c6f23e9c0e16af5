"""How the edges of a region leave the places that the vote gave them: each step a region with its edges, their moves written
down.

An edge grows to hold whole words and the rule that closes the table, is cut back at a caption, and grows over lines that
belong to the table by distance and shape.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from variorum.document.apparatus import Axis, EdgeMove, EdgeName, RegionEdge
from variorum.document.voices import counted
from variorum.geometry import Box
from variorum.page.lines import TextRow, segments, text_rows
from variorum.page.model import PageEvidence, Word
from variorum.regions.captions import FoundCaption
from variorum.regions.model import TableRegion

EDGES: Final[tuple[EdgeName, ...]] = ("top", "bottom", "left", "right")


def axis_of(edge: EdgeName) -> Axis:
    """Return the axis on which an edge parts a table from what is around it."""
    return "row" if edge in ("top", "bottom") else "column"


def unvoted(box: Box) -> tuple[RegionEdge, ...]:
    """Return the edges of a box that was given and not voted on."""
    return tuple(RegionEdge(id=name, axis=axis_of(name), position=position_of(name, box)) for name in EDGES)


def moved(region: TableRegion, box: Box, reason: str) -> TableRegion:
    """Return the region with another box; the edges that differ note the reason."""
    return replace(region, box=box, edges=tuple(_moved_edge(e, position_of(e.id, box), reason) for e in region.edges))


def position_of(edge: EdgeName, box: Box) -> float:
    """Return where the edge (``top``, ``bottom``, ``left``, ``right``) of a box lies."""
    return {"top": box.y0, "bottom": box.y1, "left": box.x0, "right": box.x1}[edge]


def _moved_edge(edge: RegionEdge, position: float, reason: str) -> RegionEdge:
    if position == edge.position:
        return edge
    return replace(edge, position=position, moves=(*edge.moves, EdgeMove(position=position, reason=reason)))


def fitted(region: TableRegion, page: PageEvidence) -> TableRegion:
    """Return the region grown to hold whole words that it cuts and the rules that close it at top and bottom."""
    words = [w.box for w in page.words if region.box.contains_centre_of(w.box)]
    if not words:
        return region
    region = moved(region, Box.around([*words, region.box]), "grown to hold whole words")
    box = region.box
    reach = max(w.height for w in words)
    near = [
        r
        for r in page.rules
        if r.orientation == "horizontal"
        and box.y0 - reach <= r.position <= box.y1 + reach
        and 2 * box.x_interval.overlap(r.box.x_interval) > max(box.width, r.length)
    ]
    closing = [
        r.box
        for r in near
        if not any(
            max(abs(r.start - o.start), abs(r.end - o.end)) > reach
            and (r.position < o.position <= box.y0 or box.y1 <= o.position < r.position)
            for o in near
        )
    ]
    return moved(region, Box.around([box, *closing]), "grown to hold the rules that close the table")


def without_captions(region: TableRegion, captions: Sequence[FoundCaption], page: PageEvidence) -> TableRegion | None:
    """Return the region cut back where a caption lies on its upper or lower edge; None when nothing is left."""
    for caption in captions:
        box = region.box
        shared = caption.box.intersection(box)
        if shared is None or 2 * shared.width < min(caption.box.width, box.width):
            continue
        if caption.box.centre[1] < box.centre[1] and caption.box.y1 > box.y0:
            if caption.box.y1 >= box.y1:
                return None
            rest = Box(box.x0, max(box.y0, caption.box.y1), box.x1, box.y1)
        elif caption.box.centre[1] >= box.centre[1] and caption.box.y0 < box.y1:
            if caption.box.y0 <= box.y0:
                return None
            rest = Box(box.x0, box.y0, box.x1, min(box.y1, caption.box.y0))
        else:
            continue
        region = moved(region, rest, f"cut at the caption of {caption.label.rstrip('.')} {caption.number}")
    return region if any(region.box.contains_centre_of(w.box) for w in page.words) else None


def grown(region: TableRegion, captions: Sequence[FoundCaption], page: PageEvidence, space_em: float) -> TableRegion:
    """Return the region with the lines right above and below it that belong to it by distance and shape.

    A line is taken in when it stands as near to the region as the region's own lines stand to each other, lies inside
    its width, and is no prose: cut into cells, or shorter than half of the width. Captions are never taken in.
    """
    foreign = {id(w) for c in captions for w in (*c.words, *c.part)}
    box = region.box
    own = text_rows(w for w in page.words if w.angle == 0 and box.contains_centre_of(w.box))
    steps = sorted(b.band.start - a.band.start for a, b in itertools.pairwise(own))
    if not steps:
        return region
    usual = steps[len(steps) // 2]
    strip = [w for w in page.words if w.angle == 0 and id(w) not in foreign and box.x0 <= w.box.centre[0] <= box.x1]
    outside = text_rows(w for w in strip if not box.contains_centre_of(w.box))
    for lines, above in (
        (list(reversed([r for r in outside if r.band.middle < box.y0])), True),
        ([r for r in outside if r.band.middle > box.y1], False),
    ):
        edge = own[0].band.start if above else own[-1].band.start
        if _is_closed(box, page, above=above):
            continue
        taken = 0
        for line in lines:
            step = abs(edge - line.band.start)
            crosses = any(
                w.angle == 0
                and line.band.contains(w.box.centre[1])
                and not box.x0 <= w.box.centre[0] <= box.x1
                and _touches(w, line, space_em)
                for w in page.words
            )
            ruled = any(
                r.orientation == "horizontal"
                and min(edge, line.band.end) < r.position < max(edge, line.band.end)
                and 2 * box.x_interval.overlap(r.box.x_interval) > box.width
                for r in page.rules
            )
            shape = len(segments(line, space_em)) > 1 or 2 * line.box.width < box.width
            if step > usual + line.band.length / 2 or not shape or crosses or ruled:
                break
            box = box.union(line.box)
            edge = line.band.start
            taken += 1
        region = moved(region, box, f"grown over {counted(taken, 'line')} as near as its own")
    return region


def _is_closed(box: Box, page: PageEvidence, *, above: bool) -> bool:
    """Return whether a rule across the region lies on its upper (or lower) edge."""
    edge = box.y0 if above else box.y1
    return any(
        r.orientation == "horizontal"
        and abs(r.position - edge) <= max(r.thickness, 1)
        and 2 * box.x_interval.overlap(r.box.x_interval) > box.width
        for r in page.rules
    )


def _touches(word: Word, line: TextRow, space_em: float) -> bool:
    """Return whether the word goes on with the line: only word spaces lie between."""
    reach = 2 * space_em * word.size
    return word.box.x1 + reach > line.box.x0 and word.box.x0 - reach < line.box.x1
