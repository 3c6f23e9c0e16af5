"""What stands under the caption of a table that no proposer saw: a row between rules, a list, or prose in other type.

White and rules that cut lines into columns are what proposers go by. A table of one row, one that is set as a list of items,
and one whose only cell is a paragraph have none. Here the caption is the evidence that a table stands beside it, and how it is
set says where it ends:

- **ruled**: rules of one extent, the first of them right beside the caption, with lines between the first and the last;
- **list**: two items or more below the caption, each with a bullet or number at one left edge, their further lines indented; it
  ends with the line that goes back to that edge or beyond, and where the white is wider than between lines that belong
  together;
- **prose**: two lines or more below the caption in type smaller than that of the page's text, and set off from the caption; it
  ends where the type or the leading changes. No rule stands before it: under a rule are footnotes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final, Literal

from variorum.geometry import Box, Interval
from variorum.page.lines import TextRow, text_rows
from variorum.page.model import PageEvidence, Rule
from variorum.regions.caption_matching import row_size, text_size
from variorum.regions.captions import FoundCaption
from variorum.regions.edge_moves import moved
from variorum.regions.model import TableRegion
from variorum.thresholds import LINES_APART

_MARK: Final = re.compile(r"[•·◦▪▸►‣∙●○■□–—∗*✓✔➢➤⋄\-]|\(?(?:\d{1,2}|[ivx]{1,4}|[a-z])[.)]|(?:\d{1,2}|[A-Z])[.)]")


def stretch_beside(
    caption: FoundCaption, page: PageEvidence, below: Sequence[TextRow], above: Sequence[TextRow]
) -> tuple[Box, Literal["ruled", "list", "prose"]] | None:
    """Return the box of what is set as a table under the caption, or above it between rules, and how it is set; None where
    nothing is.

    `below` are the lines of its column from the caption down, `above` those from it up, without captions and known tables.
    """
    ruled = _ruled(caption, page.rules, below, is_below=True) or _ruled(caption, page.rules, above, is_below=False)
    if ruled is not None:
        return ruled, "ruled"
    items = _list(caption, below)
    if items is not None:
        return items, "list"
    prose = _prose(caption, page, below)
    return None if prose is None else (prose, "prose")


def with_their_rest(regions: Sequence[TableRegion], page: PageEvidence) -> list[TableRegion]:
    """Return the regions in which those without a caption that go on with one are joined to it.

    A head between rules and the rows below it may be taken for two tables, and only the nearer one has the caption. The rest
    stands on the far side of the captioned region, at the same left edge, with at most one line between them.
    """
    out = list(regions)
    for region in regions:
        caption = region.caption
        if caption is None or region not in out or sum(r.caption == caption for r in regions) > 1:
            continue
        is_below = caption.box.centre[1] <= region.box.y0
        for rest in [r for r in regions if r.caption is None]:
            if _goes_on(region.box, rest.box, page, _size(caption), is_below=is_below):
                whole = moved(
                    region, region.box.union(rest.box), "grown over the rest of the table, which has no caption of its own"
                )
                out = [whole if r is region else r for r in out if r is not rest]
                break
    return out


def _goes_on(box: Box, rest: Box, page: PageEvidence, size: float, *, is_below: bool) -> bool:
    low, high = (box.y1, rest.y0) if is_below else (rest.y1, box.y0)
    if 2 * abs(box.x0 - rest.x0) > size or low > high:
        return False
    both = box.union(rest)
    between = text_rows(
        w for w in page.words if w.angle == 0 and low < w.box.centre[1] < high and both.contains_centre_of(w.box)
    )
    return len(between) <= 1 and high - low <= LINES_APART * size


def _ruled(caption: FoundCaption, rules: Sequence[Rule], rows: Sequence[TextRow], *, is_below: bool) -> Box | None:
    own = caption.box
    level = [r for r in rules if r.orientation == "horizontal" and Interval(r.start, r.end).overlap(own.x_interval) > 0]
    if is_below:
        beyond = sorted((r for r in level if r.position >= own.y1), key=lambda r: r.position)
    else:
        beyond = sorted((r for r in level if r.position <= own.y0), key=lambda r: -r.position)
    if not beyond or not rows:
        return None
    size = _size(caption)
    first = beyond[0]
    edge = own.y1 if is_below else own.y0
    if abs(first.position - edge) > LINES_APART * size or _stands_before(rows[0], first, edge):
        return None
    band = [first]
    for rule in beyond[1:]:
        if 2 * max(abs(rule.start - first.start), abs(rule.end - first.end)) > size:
            break
        band.append(rule)
    low, high = sorted((first.position, band[-1].position))
    inside = [row for row in rows if low < row.band.middle < high]
    if not inside or any(_is_apart(a, b) for a, b in pairwise(inside)):
        return None
    return Box(first.start, low, first.end, high)


def _stands_before(row: TextRow, rule: Rule, edge: float) -> bool:
    """Return whether a line stands between the caption's edge and the rule."""
    low, high = sorted((edge, rule.position))
    return low < row.band.middle < high


def _list(caption: FoundCaption, rows: Sequence[TextRow]) -> Box | None:
    if not rows or not _is_mark(rows[0]) or not _follows(caption, rows[0]):
        return None
    left = rows[0].box.x0
    members = [rows[0]]
    items = 1
    for row in rows[1:]:
        begins = is_item(row, left)
        is_indented = 2 * row.box.x0 >= left + members[0].words[1].box.x0  # nearer to the text of the items than to their marks
        if _is_apart(members[-1], row) or not (begins or is_indented):
            break
        items += begins
        members.append(row)
    return Box.around(row.box for row in members) if items > 1 else None


def is_item(row: TextRow, left: float) -> bool:
    """Return whether a line begins an item of a list whose marks stand at the left edge given."""
    return _is_mark(row) and 2 * abs(row.box.x0 - left) <= row.words[0].size


def _is_mark(row: TextRow) -> bool:
    """Return whether a line begins with a bullet or number, with words behind it."""
    return len(row.words) > 1 and _MARK.fullmatch(row.words[0].text) is not None


def _prose(caption: FoundCaption, page: PageEvidence, rows: Sequence[TextRow]) -> Box | None:
    if not rows or not _follows(caption, rows[0]):
        return None
    size = row_size(rows[0])
    body = text_size(page)
    ruled = (r.position for r in page.rules if r.orientation == "horizontal")
    if 2 * (body - size) <= 1 or any(caption.box.y1 <= y <= rows[0].band.start for y in ruled):
        return None
    members = [rows[0]]
    for row in rows[1:]:
        step = row.band.middle - members[-1].band.middle
        usual = members[1].band.middle - members[0].band.middle if len(members) > 1 else LINES_APART * size
        if 2 * abs(row_size(row) - size) >= 1 or step > usual + size / 2:
            break
        members.append(row)
    return Box.around(row.box for row in members) if len(members) > 1 else None


def _follows(caption: FoundCaption, row: TextRow) -> bool:
    """Return whether a line stands within two lines below the caption, over a part of its width."""
    gap = row.band.start - caption.box.y1
    return gap <= LINES_APART * _size(caption) and row.box.x_interval.overlap(caption.box.x_interval) > 0


def _is_apart(line: TextRow, other: TextRow) -> bool:
    return abs(other.band.middle - line.band.middle) > LINES_APART * (other.band.length + line.band.length)


def _size(caption: FoundCaption) -> float:
    sizes = sorted(w.size for w in caption.words)
    return sizes[len(sizes) // 2]
