"""Which caption belongs to which region: pairs in order of distance, above, below or beside."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from variorum.geometry import Box, Interval
from variorum.page.lines import TextRow, text_rows
from variorum.page.model import PageEvidence
from variorum.regions.captions import FoundCaption
from variorum.regions.model import TableRegion
from variorum.thresholds import LINES_APART

_PART_LABEL = re.compile(r"^\(?[a-z]\)$")  # (b): the caption of a part


def with_captions(
    regions: Sequence[TableRegion], tables: Sequence[FoundCaption], others: Sequence[FoundCaption], page: PageEvidence
) -> list[TableRegion]:
    """Return the regions with their captions: pairs in order of distance, each caption and region once, as many as can be.

    A region nearer to the caption of a figure or listing is a part of that and is dropped.
    """
    pairs: list[tuple[float, int, int]] = []
    for i, region in enumerate(regions):
        for j, caption in enumerate(tables):
            distance = _distance(region.box, caption, page, regions)
            if distance is not None:
                pairs.append((distance, i, j))
    taken_regions = _paired(pairs)
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


def _paired(pairs: Sequence[tuple[float, int, int]]) -> dict[int, int]:
    """Return the caption of each region: pairs in order of distance, then those that become possible when others step aside.

    A caption that stands between two tables may be nearer to the one that it does not belong to; when that table has another
    caption too, and the other table none, it goes on to the other table.
    """
    near: dict[int, list[int]] = {}
    taken: dict[int, int] = {}
    for _, i, j in sorted(pairs):
        near.setdefault(j, []).append(i)
        if i not in taken and j not in taken.values():
            taken[i] = j

    def finds_one(caption: int, asked: set[int]) -> bool:
        for i in near[caption]:
            if i in asked:
                continue
            asked.add(i)
            if i not in taken or finds_one(taken[i], asked):
                taken[i] = caption
                return True
        return False

    for caption in sorted(near):
        if caption not in taken.values():
            finds_one(caption, set())
    return taken


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

    They do when one stands over the other, and no words of another region, caption or paragraph lie between; the notes of a
    table may.
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
        if len(lines) > 2 and not _are_notes(lines, Interval(low, high), page):
            return None
        gap += sum(line.band.length for line in lines)
    return gap


def _are_notes(rows: Sequence[TextRow], between: Interval, page: PageEvidence) -> bool:
    """Return whether lines are the notes of a table: in type smaller than the page's text, one right below the other, and
    within two lines of the edges of what lies between the table and its caption."""
    body, size = text_size(page), min(row_size(row) for row in rows)
    if any(2 * (body - row_size(row)) <= 1 for row in rows):
        return False
    if any(below.band.start - above.band.end > size for above, below in pairwise(rows)):
        return False
    ends = (rows[0].band.start - between.start, between.end - rows[-1].band.end)
    return max(ends) <= LINES_APART * size


def text_size(page: PageEvidence) -> float:
    """Return the size of most characters of a page in points, 0 for a page without any."""
    sizes: Counter[float] = Counter()
    for word in page.words:
        if word.angle == 0:
            sizes[word.size] += len(word.text)
    return max(sizes, key=lambda s: (sizes[s], s), default=0.0)


def row_size(row: TextRow) -> float:
    """Return the middle size of the words of a line in points."""
    sizes = sorted(w.size for w in row.words)
    return sizes[len(sizes) // 2]


def _sideways(box: Box, caption: FoundCaption) -> float | None:
    """Return the white between a region and a caption beside it at the same height, or None."""
    if 2 * box.y_interval.overlap(caption.box.y_interval) < min(box.height, caption.box.height):
        return None
    gap = max(caption.box.x0 - box.x1, box.x0 - caption.box.x1)
    return gap + box.height if 0 <= gap <= box.width else None
