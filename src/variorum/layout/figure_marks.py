"""What is painted on a page, put together to clusters: the pictures of a page before anybody has said what they are.

Marks are images, painted paths, filled areas and rules. What stands in the same place on most pages is furniture; an area with
running text in it is shading or a frame, not a picture. Marks no more than a leading apart are one cluster.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from variorum.geometry import Box
from variorum.layout.model import BodyStyle, PagePrint, PaperPrint, PrintLine, is_size
from variorum.thresholds import LINES_APART

MarkKind = Literal["image", "drawing", "fill", "horizontal", "vertical"]


@dataclass(frozen=True, slots=True, order=True)
class Mark:
    """One thing that is painted: an image, a path, a filled area, a rule; its box in points of the page's view."""

    box: Box
    kind: MarkKind


@dataclass(frozen=True, slots=True)
class Cluster:
    """Marks that stand close together, sorted, and the box around them."""

    box: Box
    marks: tuple[Mark, ...]

    def has(self, *kinds: MarkKind) -> bool:
        """Return whether a mark of one of these kinds is in it."""
        return any(m.kind in kinds for m in self.marks)

    @property
    def is_picture(self) -> bool:
        """Whether it is more than rules in one direction, as stand under a head or around a table's head."""
        return self.has("image", "drawing", "fill") or (self.has("horizontal") and self.has("vertical"))


@dataclass(frozen=True, slots=True)
class PageMarks:
    """The clusters of a page, and its frames: painted areas with running text in them. Both are sorted."""

    clusters: tuple[Cluster, ...]
    frames: tuple[Box, ...]


def prose_of(page: PagePrint, style: BodyStyle, column: float) -> frozenset[int]:
    """Return the indices of the lines of running text on a page; `column` is the usual width of such lines in points.

    These are lines of more than half a column in the type of the text, or with a like line a leading above or below, and the
    short lines that end their paragraphs.
    """
    level = [line for line in page.lines if line.angle == 0]
    wide = [line for line in level if 2 * line.box.width > column and len(line.plain.split()) > 2 and _is_worded(line)]
    prose = {line.index for line in wide if is_size(line.size, style.size) and line.font == style.font}
    for above, below in pairwise(wide):
        if is_size(above.size, below.size) and _follows(above, below):
            prose |= {above.index, below.index}
    for above, below in pairwise(level):
        if above.index not in prose:
            continue
        is_full = below.box.width > column - below.size and len(below.plain.split()) > 2
        is_same = is_size(above.size, below.size) and below.font == above.font
        if (is_full or is_same) and _follows(above, below):
            prose.add(below.index)
    return frozenset(prose)


def _is_worded(line: PrintLine) -> bool:
    text = line.plain
    return 2 * sum(c.isalpha() for c in text) > len(text)


def _follows(above: PrintLine, below: PrintLine) -> bool:
    """Return whether a line goes on a leading below another, flush with it on the left or on the right."""
    if not 0 < below.baseline - above.baseline < LINES_APART * above.size:
        return False
    return min(abs(above.box.x0 - below.box.x0), abs(above.box.x1 - below.box.x1)) < above.size


def column_width(paper: PaperPrint, style: BodyStyle) -> float:
    """Return the usual width of lines of running text in points: the median over their characters; 0 for a paper without."""
    widths = sorted(
        (line.box.width, len(line.plain))
        for page in paper.pages
        for line in page.lines
        if line.angle == 0 and is_size(line.size, style.size) and line.font == style.font
    )
    half, passed = sum(n for _, n in widths) / 2, 0
    for width, n in widths:
        passed += n
        if passed >= half:
            return width
    return 0.0


def repeated_marks(paper: PaperPrint) -> frozenset[Mark]:
    """Return the marks that stand in the same place on half of the pages or more (with two pages, on both): logos, watermarks,
    the rules of running heads."""
    counts: Counter[Mark] = Counter()
    for page in paper.pages:
        counts.update({Mark(m.box.rounded(0), m.kind) for m in _painted(page)})
    enough = max(2, len(paper.pages) / 2)
    return frozenset(mark for mark, n in counts.items() if n >= enough)


def marks_of(
    page: PagePrint, tables: Sequence[Box], repeated: frozenset[Mark], prose: frozenset[int], style: BodyStyle
) -> PageMarks:
    """Return the clusters and frames of a page, without what lies in its tables or is furniture.

    Painting behind a caption is a highlight, and a rule across lines of text one that the PDF cuts off before it gets there:
    neither is a mark.
    """
    captioned = {i for c in page.captions for i in c.lines}
    text = [line.box for line in page.lines if line.index in prose]
    captions = [line.box for line in page.lines if line.index in captioned]
    marks: list[Mark] = []
    frames: set[Box] = set()
    for mark in _painted(page):
        is_known = Mark(mark.box.rounded(0), mark.kind) in repeated or any(t.contains_centre_of(mark.box) for t in tables)
        if is_known or any(_lies_under(mark, box) for box in captions) or _is_ground(mark, page):
            continue
        if any(_lies_under(mark, box) for box in text):
            holds = any(mark.box.contains_centre_of(box) for box in text)
            if mark.kind in ("image", "drawing", "fill") and holds and not _fills(mark.box, page):
                frames.add(mark.box)
        elif mark.kind != "fill" or not any(_overlaps(mark.box, box) for box in text):
            marks.append(mark)
    clusters: list[Cluster] = []
    captions, of_figures = [c.box for c in page.captions], [c.box for c in page.captions if c.kind == "figure"]
    for cluster in clusters_of(marks, style.leading):
        for piece in _cut(cluster, captions, style.leading):
            clusters += _shared_out(piece, of_figures, style.leading)
    return PageMarks(tuple(sorted(clusters, key=lambda c: c.box)), tuple(sorted(frames)))


def _cut(cluster: Cluster, captions: Sequence[Box], reach: float) -> list[Cluster]:
    """Return a cluster cut at the captions that stand inside it; marks that run past a caption on both sides are left out: they
    reach beyond what the PDF shows of them."""
    inside = next((c for c in captions if cluster.box.contains_centre_of(c)), None)
    if inside is None:
        return [cluster]
    over = [m for m in cluster.marks if m.box.y1 <= inside.centre[1]]
    under = [m for m in cluster.marks if m.box.y0 >= inside.centre[1]]
    found: list[Cluster] = []
    for part in (over, under):
        for piece in clusters_of(part, reach):
            found += _cut(piece, captions, reach)
    return found


def _shared_out(cluster: Cluster, captions: Sequence[Box], reach: float) -> list[Cluster]:
    """Return a cluster parted among the captions that stand side by side right below it, or right above it: pictures whose
    frames touch. It stays whole where a mark belongs to two of them, and where one of them would get nothing."""
    box = cluster.box
    near = [c for c in captions if box.x_interval.contains(c.centre[0])]
    below = [c for c in near if abs(c.y0 - box.y1) <= LINES_APART * reach]
    above = [c for c in near if abs(box.y0 - c.y1) <= LINES_APART * reach]
    for beside in (below, above):
        if len(beside) > 1 and (parts := _between(cluster, sorted(c.centre[0] for c in beside), reach)) is not None:
            return parts
    return [cluster]


def _between(cluster: Cluster, centres: Sequence[float], reach: float) -> list[Cluster] | None:
    """Return the marks of a cluster by the nearest of the centres across; None where the parts are not all there, or lie over
    each other by more than the white that would part them."""
    groups: dict[float, list[Mark]] = {centre: [] for centre in centres}
    for mark in cluster.marks:
        groups[min(centres, key=lambda x: abs(mark.box.centre[0] - x))].append(mark)
    if not all(groups.values()):
        return None
    parts = [Cluster(Box.around(m.box for m in groups[x]), tuple(groups[x])) for x in centres]
    is_clear = all(left.box.x1 - right.box.x0 < reach for left, right in pairwise(parts))
    return parts if is_clear and all(part.is_picture for part in parts) else None


def _painted(page: PagePrint) -> list[Mark]:
    marks = [Mark(box, "image") for box, _, _ in page.images]
    marks += [Mark(box, "drawing") for box in page.drawings]
    marks += [Mark(box, "fill") for box in page.fills]
    return marks + [Mark(rule.box, rule.orientation) for rule in page.rules]


def _lies_under(mark: Mark, line: Box) -> bool:
    """Return whether a line of text stands on a mark, a mark in the line (a highlight, an icon), or a rule from top to bottom
    runs through it."""
    if mark.kind == "vertical":
        return line.x0 < mark.box.x0 and mark.box.x1 < line.x1 and mark.box.y0 < line.centre[1] < mark.box.y1
    return mark.kind != "horizontal" and (mark.box.contains_centre_of(line) or line.contains_centre_of(mark.box))


def _is_ground(mark: Mark, page: PagePrint) -> bool:
    """Return whether a filled area is the ground of a picture rather than a part of it: most of the page, or cut off by an edge
    of the page."""
    box = mark.box
    return mark.kind == "fill" and (_fills(box, page) or box.x0 <= 0 or box.x1 >= page.width)


def _overlaps(box: Box, line: Box) -> bool:
    """Return whether a box lies over a part of a line as high as wide: a ground that is wider than what is shown on it."""
    shared = box.intersection(line)
    return shared is not None and 2 * min(shared.width, shared.height) > line.height


def _fills(box: Box, page: PagePrint) -> bool:
    """Return whether a box covers most of the page: a background."""
    return 2 * box.area > page.width * page.height


def clusters_of(marks: Sequence[Mark], reach: float) -> list[Cluster]:
    """Return the marks in clusters, sorted by place; marks are in one when no more than `reach` points of white part them."""
    cell = reach / 2
    owner: dict[tuple[int, int], int] = {}
    parent = list(range(len(marks)))

    def root(i: int) -> int:
        while parent[i] != i:
            parent[i] = parent[parent[i]]
            i = parent[i]
        return i

    def join(a: int, b: int) -> None:
        low, high = sorted((root(a), root(b)))
        parent[high] = low

    for i, mark in enumerate(marks):
        for x in range(math.floor(mark.box.x0 / cell), math.floor(mark.box.x1 / cell) + 1):
            for y in range(math.floor(mark.box.y0 / cell), math.floor(mark.box.y1 / cell) + 1):
                if (x, y) in owner:
                    join(owner[x, y], i)
                else:
                    owner[x, y] = i
    for (x, y), i in sorted(owner.items()):
        for beside in ((x + 1, y), (x, y + 1), (x + 1, y + 1), (x + 1, y - 1)):
            if beside in owner:
                join(owner[beside], i)
    groups: dict[int, list[Mark]] = {}
    for i, mark in enumerate(marks):
        groups.setdefault(root(i), []).append(mark)
    found = [Cluster(Box.around(m.box for m in members), tuple(sorted(members))) for members in groups.values()]
    return sorted(found, key=lambda c: c.box)


def by_kind(marks: Sequence[Mark]) -> Mapping[MarkKind, int]:
    """Return how many marks there are of each kind."""
    return Counter(m.kind for m in marks)
