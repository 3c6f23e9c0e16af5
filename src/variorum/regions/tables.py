"""Table regions of a page: several proposers, one choice per table.

Rule groups, the library's line grids and the bundled layout model each propose boxes. A proposal that has a caption in
its middle is two tables and is cut there. Of the proposals that overlap, the one that the others agree with most is
taken, and its edges move out to those who agree with it. Captions are matched by distance, above or below; a caption
that no region answers to is given the cut-up lines next to it. Whether a region without a caption is a table is for the
document to decide: papers that caption their tables caption all of them.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from variorum.geometry import Box
from variorum.page.lines import TextRow, segments, text_rows
from variorum.page.model import PageEvidence, Rule, Word
from variorum.regions.captions import FoundCaption
from variorum.thresholds import LINES_APART

_PART_LABEL = re.compile(r"^\(?[a-z]\)$")  # (b): the caption of a part


@dataclass(frozen=True, slots=True)
class TableRegion:
    """A region that holds a table: its box in points, its caption if any, and who proposed it (sorted names)."""

    box: Box
    caption: FoundCaption | None
    proposers: tuple[str, ...]


def table_regions(
    page: PageEvidence,
    proposals: Mapping[str, Sequence[Box]],
    captions: Sequence[FoundCaption],
    space_em: float,
) -> list[TableRegion]:
    """Return the table regions of a page from top to bottom, then left to right.

    `proposals` are boxes by proposer, `captions` all captions of the page. Boxes are in points of the page as displayed.
    """
    tables = [c for c in captions if c.kind == "table"]
    pool = {
        name: [piece for box in boxes for part in _parted_by_rules(box, page) for piece in _parted(part, page, captions)]
        for name, boxes in sorted(proposals.items())
    }
    pool = {name: [b for b in boxes if _holds_columns(b, page, space_em)] for name, boxes in pool.items()}
    bare = [_without_captions(r, captions, page) for r in _elected(pool, page)]
    regions = [_grown(r, captions, page, space_em) for r in bare if r is not None]
    matched = _match(regions, tables, [c for c in captions if c.kind != "table"], page)
    for caption in tables:
        if caption not in [r.caption for r in matched]:
            found = _beside(caption, page, matched, captions, space_em)
            if found is not None:
                matched.append(TableRegion(found, caption, ("caption",)))
    return sorted(matched, key=lambda r: (r.box.y0, r.box.x0))


# ---- proposals ------------------------------------------------------------------------------------------------------


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
    """Return whether at least two lines of the box are cut into segments by white: without that there are no columns."""
    lines = text_rows(w for w in page.words if w.angle == 0 and box.contains_centre_of(w.box))
    return sum(len(segments(line, space_em)) > 1 for line in lines) > 1 or _has_rows_and_rules(lines, box, page)


def _has_rows_and_rules(lines: Sequence[TextRow], box: Box, page: PageEvidence) -> bool:
    verticals = [r for r in page.rules if r.orientation == "vertical" and box.x0 < r.position < box.x1]
    inside = [r for r in verticals if r.start < box.y1 and r.end > box.y0]
    return len(lines) > 1 and len({round(r.position) for r in inside}) > 2


def _elected(pool: Mapping[str, Sequence[Box]], page: PageEvidence) -> list[TableRegion]:
    """Return one region per table: the proposal with most agreement, then those that do not overlap it, and so on.

    Proposers of one family count once. Of two that agree as much, the larger is taken, unless a family has several
    boxes inside it that together hold most of its words: then it is several tables. Each edge is voted on by the
    families that agree: the middle one of three, the outer one of two.
    """
    families: dict[str, list[Box]] = {}
    for name, boxes in pool.items():
        families.setdefault(_family(name), []).extend(boxes)
    candidates = [(name, box) for name, boxes in families.items() for box in boxes]

    def agreement(box: Box) -> float:
        return sum(max((box.iou(other) for other in boxes), default=0.0) for boxes in families.values())

    def is_several(name: str, box: Box) -> bool:
        return any(_fills(boxes, box, page) for other, boxes in families.items() if other != name)

    ranked = sorted(candidates, key=lambda c: (-agreement(c[1]), is_several(*c), -c[1].area, c[0], c[1]))
    chosen: list[TableRegion] = []
    for family, box in ranked:
        if any(2 * max(box.share_inside(r.box), r.box.share_inside(box)) > 1 for r in chosen):
            continue
        friends = [
            max((b for b in boxes if 2 * b.iou(box) > 1), key=lambda b: (b.iou(box), b), default=None)
            for boxes in families.values()
        ]
        voted = _fit(_voted_edges([f for f in friends if f is not None]), page)
        apart = [b for b in (*families[family], *(r.box for r in chosen)) if not _meet(b, box)]
        if any(_meet(b, voted) for b in apart):
            voted = _fit(box, page)
        names = sorted(name for name, boxes in pool.items() if any(2 * b.iou(box) > 1 for b in boxes))
        chosen.append(TableRegion(voted, None, tuple(names)))
    return chosen


def _meet(a: Box, b: Box) -> bool:
    shared = a.intersection(b)
    return shared is not None and shared.area > 0


def _family(proposer: str) -> str:
    return proposer.removesuffix("_lines_strict").removesuffix("_lines")


def _fills(boxes: Sequence[Box], whole: Box, page: PageEvidence) -> bool:
    """Return whether two or more of the boxes lie in the whole and together hold more than half of its words."""
    inside: list[Box] = []
    for box in sorted(boxes):
        part = 2 * box.share_inside(whole) > 1 and 2 * whole.share_inside(box) < 1
        if part and not any(_meet(box, other) for other in inside):
            inside.append(box)
    words = [w for w in page.words if whole.contains_centre_of(w.box)]
    held = [w for w in words if any(b.contains_centre_of(w.box) for b in inside)]
    return len(inside) > 1 and 2 * len(held) > len(words)


def _voted_edges(boxes: Sequence[Box]) -> Box:
    """Return the box whose edges are the middle ones of the boxes; of an even number, the outer of the two middle ones."""
    low = (len(boxes) - 1) // 2
    high = len(boxes) // 2
    return Box(
        sorted(b.x0 for b in boxes)[low],
        sorted(b.y0 for b in boxes)[low],
        sorted(b.x1 for b in boxes)[high],
        sorted(b.y1 for b in boxes)[high],
    )


def _fit(box: Box, page: PageEvidence) -> Box:
    """Return the box grown to hold whole words that it cuts and the rules that close it at top and bottom."""
    words = [w.box for w in page.words if box.contains_centre_of(w.box)]
    if not words:
        return box
    fitted = Box.around([*words, box])
    reach = max(w.height for w in words)
    near = [
        r
        for r in page.rules
        if r.orientation == "horizontal"
        and fitted.y0 - reach <= r.position <= fitted.y1 + reach
        and 2 * fitted.x_interval.overlap(r.box.x_interval) > max(fitted.width, r.length)
    ]
    closing = [
        r.box
        for r in near
        if not any(
            max(abs(r.start - o.start), abs(r.end - o.end)) > reach
            and (r.position < o.position <= fitted.y0 or fitted.y1 <= o.position < r.position)
            for o in near
        )
    ]
    return Box.around([fitted, *closing])


def _without_captions(region: TableRegion, captions: Sequence[FoundCaption], page: PageEvidence) -> TableRegion | None:
    """Return the region cut back where a caption lies on its upper or lower edge; None when nothing is left."""
    box = region.box
    for caption in captions:
        shared = caption.box.intersection(box)
        if shared is None or 2 * shared.width < min(caption.box.width, box.width):
            continue
        if caption.box.centre[1] < box.centre[1] and caption.box.y1 > box.y0:
            if caption.box.y1 >= box.y1:
                return None
            box = Box(box.x0, max(box.y0, caption.box.y1), box.x1, box.y1)
        elif caption.box.centre[1] >= box.centre[1] and caption.box.y0 < box.y1:
            if caption.box.y0 <= box.y0:
                return None
            box = Box(box.x0, box.y0, box.x1, min(box.y1, caption.box.y0))
    if not any(box.contains_centre_of(w.box) for w in page.words):
        return None
    return replace(region, box=box)


def _grown(region: TableRegion, captions: Sequence[FoundCaption], page: PageEvidence, space_em: float) -> TableRegion:
    """Return the region with the lines right above and below it that belong to it by distance and shape.

    A line is taken in when it stands as near to the region as the region's own lines stand to each other, lies inside
    its width, and is no prose: cut into cells, or shorter than half of the width. Captions are never taken in.
    """
    foreign = {id(w) for c in captions for w in c.words}
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
    return replace(region, box=box)


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


# ---- captions -------------------------------------------------------------------------------------------------------


def _match(
    regions: Sequence[TableRegion], tables: Sequence[FoundCaption], others: Sequence[FoundCaption], page: PageEvidence
) -> list[TableRegion]:
    """Return the regions with their captions: pairs in order of distance, each caption and region once.

    A region nearer to the caption of a figure or listing is a part of that and is dropped.
    """
    pairs: list[tuple[float, int, int]] = []
    for i, region in enumerate(regions):
        for j, caption in enumerate(tables):
            distance = _distance(region.box, caption, page, regions)
            if distance is not None:
                pairs.append((distance, i, j))
    taken_regions: dict[int, int] = {}
    taken_captions: set[int] = set()
    for _, i, j in sorted(pairs):
        if i not in taken_regions and j not in taken_captions:
            taken_regions[i] = j
            taken_captions.add(j)
    for i, region in enumerate(regions):
        if i not in taken_regions:
            partner = next((k for k in sorted(taken_regions) if _abuts(region.box, regions[k].box, page)), None)
            if partner is not None:
                taken_regions[i] = taken_regions[partner]
    out: list[TableRegion] = []
    for i, region in enumerate(regions):
        if i in taken_regions:
            out.append(replace(region, caption=tables[taken_regions[i]]))
        elif not any(_distance(region.box, o, page, regions) is not None for o in others):
            out.append(region)
    return out


def _abuts(box: Box, other: Box, page: PageEvidence) -> bool:
    """Return whether two regions stand over each other with nothing between them: parts of one float that share its caption."""
    if 2 * box.x_interval.overlap(other.x_interval) <= min(box.width, other.width):
        return False
    low, high = sorted((min(box.y1, other.y1), max(box.y0, other.y0)))
    heights = sorted(w.box.height for w in page.words)
    line = heights[len(heights) // 2] if heights else 0.0
    between = text_rows(
        w for w in page.words if w.angle == 0 and low < w.box.centre[1] < high and w.box.x_interval.overlap(box.x_interval) > 0
    )
    if not between:
        return high - low <= LINES_APART * line
    return len(between) <= 2 and bool(_PART_LABEL.match(between[0].words[0].text))


def _distance(box: Box, caption: FoundCaption, page: PageEvidence, regions: Sequence[TableRegion]) -> float | None:
    """Return the white between a region and a caption above or below it, in points; None when they do not belong together.

    They do when one stands over the other, and no words of another region, caption or paragraph lie between.
    """
    shared = box.x_interval.overlap(caption.box.x_interval)
    if 2 * shared < min(box.width, caption.box.width):
        return _sideways(box, caption)
    if caption.box.centre[1] <= box.y0:
        low, high = caption.box.y1, box.y0
    elif caption.box.centre[1] >= box.y1:
        low, high = box.y1, caption.box.y0
    else:
        return None
    gap = max(0.0, high - low)
    between = (
        Box(max(box.x0, caption.box.x0), min(low, high), min(box.x1, caption.box.x1), max(low, high))
        if max(box.x0, caption.box.x0) < min(box.x1, caption.box.x1)
        else None
    )
    if between is not None:
        lines = text_rows(
            w for w in page.words if w.angle == 0 and between.contains_centre_of(w.box) and w not in caption.words
        )
        if len(lines) > 2:
            return None
        gap += sum(line.band.length for line in lines)
    return gap


def _sideways(box: Box, caption: FoundCaption) -> float | None:
    """Return the white between a region and a caption beside it at the same height, or None."""
    if 2 * box.y_interval.overlap(caption.box.y_interval) < min(box.height, caption.box.height):
        return None
    gap = max(caption.box.x0 - box.x1, box.x0 - caption.box.x1)
    return gap + box.height if 0 <= gap <= box.width else None


# ---- recovery -------------------------------------------------------------------------------------------------------


def _beside(
    caption: FoundCaption,
    page: PageEvidence,
    taken: Sequence[TableRegion],
    captions: Sequence[FoundCaption],
    space_em: float,
) -> Box | None:
    """Return the box of the cut-up lines that follow the caption, or that stand before it, or None.

    Lines go on as long as they are cut by white or vertical rules into columns, or stand between such lines; a paragraph,
    another caption or a known region ends them.
    """
    foreign = {id(w) for c in captions for w in c.words}
    free = [
        w
        for w in page.words
        if w.angle == 0 and id(w) not in foreign and not any(r.box.contains_centre_of(w.box) for r in taken)
    ]
    strip = _strip_of(caption, page)
    free = [w for w in free if strip.contains_centre_of(w.box)]
    rows = text_rows(free)
    below = [r for r in rows if r.band.start >= caption.box.centre[1]]
    above = [r for r in reversed(rows) if r.band.end <= caption.box.centre[1]]
    verticals = [r for r in page.rules if r.orientation == "vertical"]
    boxes = [b for lines in (below, above) if (b := _run_of(lines, space_em, verticals)) is not None]
    return max(boxes, key=lambda b: (b.area, -b.y0)) if boxes else None


def _strip_of(caption: FoundCaption, page: PageEvidence) -> Box:
    """Return the part of the page, full height, that a table under this caption may fill: its text column, or the
    page's width."""
    middle = page.width / 2
    crosses = caption.box.x0 < middle < caption.box.x1
    if crosses or not _two_columns(page):
        return page.box
    return Box(0.0, 0.0, middle, page.height) if caption.box.x1 <= middle else Box(middle, 0.0, page.width, page.height)


def _two_columns(page: PageEvidence) -> bool:
    """Return whether most words keep clear of the page's middle on lines that have words on both sides of it."""
    middle = page.width / 2
    lines = text_rows(w for w in page.words if w.angle == 0)
    both = [line for line in lines if line.words[0].box.x1 < middle < line.words[-1].box.x0]
    crossed = [line for line in both if any(w.box.x0 < middle < w.box.x1 for w in line.words)]
    single = [line for line in lines if any(w.box.x0 < middle < w.box.x1 for w in line.words)]
    return len(both) - len(crossed) > len(single)


def _run_of(lines: Sequence[TextRow], space_em: float, verticals: Sequence[Rule]) -> Box | None:
    members: list[TextRow] = []
    pending: list[TextRow] = []
    cut_count = 0
    last: TextRow | None = None
    for line in lines:
        if last is not None:
            step = abs(line.band.middle - last.band.middle)
            if step > LINES_APART * (line.band.length + last.band.length):
                break
        if len(segments(line, 2 * space_em, verticals)) > 1:
            members += [*pending, line]
            pending = []
            cut_count += 1
        else:
            pending.append(line)
            if len(pending) > 2:
                break
        last = line
    if cut_count <= 1:
        return None
    return Box.around(w.box for m in members for w in m.words)


def words_in(box: Box, page: PageEvidence) -> tuple[Word, ...]:
    """Return the upright words whose middle lies in the box."""
    return tuple(w for w in page.words if w.angle == 0 and box.contains_centre_of(w.box))
