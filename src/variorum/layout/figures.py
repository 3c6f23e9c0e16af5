"""The figures of a paper: its pictures, each with its caption, its parts, and the lines of print inside it.

What is painted on a page comes in clusters (`figure_marks`). A cluster belongs to the caption that it can reach without running
text, another caption or a table in between: first in the direction in which most captions of the paper have their pictures,
then in others. So pictures are put together under one caption, and kept apart where two captions stand side by side or one
below the other. Pictures next to the caption of a table or of an algorithm are none. A caption that no picture belongs to is
an orphan.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Literal

from variorum.geometry import Box
from variorum.layout.figure_marks import (
    Cluster,
    Mark,
    PageMarks,
    column_width,
    marks_of,
    prose_of,
    repeated_marks,
)
from variorum.layout.figure_notes import notes_of
from variorum.layout.model import (
    BodyStyle,
    LineId,
    PagePrint,
    PaperPrint,
    PrintCaption,
    PrintLine,
    body_style,
    is_bold,
    is_size,
)
from variorum.layout.panels import panels_of
from variorum.thresholds import LINES_APART

Direction = Literal["above", "below", "beside"]
"""Where a picture stands, seen from its caption."""


@dataclass(frozen=True, slots=True)
class FoundFigure:
    """A figure: its page, its box in points of the page's view (the caption is outside), what it is painted with, its caption.

    `panels` are (label, box) of its parts, `lines` the lines of print inside it (the caption's are not among them).
    `is_data_table` says that the picture shows a table of data; `tables` are the boxes, of those given, of what was read as
    tables inside it and is none of the paper's. `note` says why what is not obvious was decided so.
    """

    page_index: int
    box: Box
    kind: Literal["raster", "vector", "mixed"]
    caption: PrintCaption | None
    panels: tuple[tuple[str, Box], ...]
    lines: tuple[LineId, ...]
    is_data_table: bool = False
    tables: tuple[Box, ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True)
class Figures:
    """The figures of a paper by page and place, and the captions of figures that have no picture, with their page indices."""

    figures: tuple[FoundFigure, ...]
    orphans: tuple[tuple[int, PrintCaption], ...]


@dataclass(frozen=True, slots=True)
class _Page:
    print: PagePrint
    tables: tuple[Box, ...]
    """Boxes of tables with captions of their own."""
    loose: tuple[Box, ...]
    """Boxes of tables that have none: what was read as a table may be a part of a picture."""
    prose: frozenset[int]
    notes: frozenset[int]
    """Lines of running text that stand between a caption and its picture as a note under the caption."""
    marks: PageMarks
    captions: tuple[PrintCaption, ...]
    free: tuple[PrintLine, ...]
    """Lines that are neither claimed, nor running text, nor in a caption."""

    @property
    def index(self) -> int:
        return self.print.page_index


def find_figures(paper: PaperPrint, tables: Mapping[int, Sequence[Box]], claimed: Set[LineId] = frozenset()) -> Figures:
    """Return the figures of a paper and the captions without one.

    `tables` are the boxes of the tables by page index, in the pages' views; `claimed` are lines that are known to be something
    else (furniture, tables) and belong to no figure.
    """
    style = body_style(paper.pages)
    if style is None:
        return Figures((), ())
    column = column_width(paper, style)
    repeated = repeated_marks(paper)
    pages = [_seen(page, tuple(tables.get(page.page_index, ())), claimed, repeated, style, column) for page in paper.pages]
    habit = _habit(pages)
    figures: list[FoundFigure] = []
    orphans: list[tuple[int, PrintCaption]] = []
    for page in pages:
        own, without = _figures_of(page, habit, style)
        figures += own
        orphans += [(page.index, caption) for caption in without if not _is_second(caption, own)]
    return Figures(tuple(figures), tuple(orphans))


def _is_second(caption: PrintCaption, figures: Sequence[FoundFigure]) -> bool:
    """Return whether a figure of the page has a caption of that number: then the other is a line of the text."""
    return any(f.caption is not None and f.caption.number == caption.number for f in figures)


def _seen(
    page: PagePrint,
    tables: tuple[Box, ...],
    claimed: Set[LineId],
    repeated: frozenset[Mark],
    style: BodyStyle,
    column: float,
) -> _Page:
    captions = tuple(page.captions)
    in_captions = {i for c in captions for i in c.lines}
    prose = prose_of(page, style, column) - in_captions
    free = tuple(
        line for line in page.lines if line.index not in prose and line.index not in in_captions and line.id not in claimed
    )
    own = tuple(box for box in tables if _has_caption(box, page, prose))
    loose = tuple(box for box in tables if box not in own)
    marks = marks_of(page, own, repeated, prose, style)
    return _Page(page, own, loose, prose, notes_of(page, prose, marks, style), marks, captions, free)


def _has_caption(table: Box, page: PagePrint, prose: frozenset[int]) -> bool:
    """Return whether the nearest caption that no running text parts from a table is one of a table."""
    text = [line.box for line in page.lines if line.index in prose]
    near = [
        (_distance(table, caption.box), caption.kind != "table", caption.kind)
        for caption in page.captions
        if not any(table.union(caption.box).contains_centre_of(b) and not table.contains_centre_of(b) for b in text)
    ]
    return not near or min(near)[-1] == "table"


# ---- which picture belongs to which caption --------------------------------------------------------------------------


def _habit(pages: Sequence[_Page]) -> Direction:
    """Return where most captions of figures have their pictures, counted where there is but one way; above, by default."""
    counts: Counter[Direction] = Counter()
    for page in pages:
        for caption in page.captions:
            if caption.kind == "figure":
                ways = {way for c in page.marks.clusters if c.is_picture and (way := _way(c.box, caption, page))}
                if len(ways) == 1:
                    counts.update(ways)
    return max(("above", "below", "beside"), key=lambda w: counts[w])


def _way(box: Box, caption: PrintCaption, page: _Page) -> Direction | None:
    """Return where a picture stands, seen from a caption; None when something stands between them."""
    own = caption.box
    if box.centre[1] < own.y0 and box.y1 <= own.centre[1]:
        way: Direction = "above"
    elif box.centre[1] > own.y1 and box.y0 >= own.centre[1]:
        way = "below"
    elif box.y_interval.overlap(own.y_interval) > 0 and box.x_interval.overlap(own.x_interval) <= 0:
        way = "beside"
    else:
        return None
    hull = box.union(own)
    blocked = any(hull.contains_centre_of(c.box) for c in page.captions if c is not caption) or any(
        hull.contains_centre_of(t) for t in page.tables
    )
    if blocked:
        return None
    parting = page.prose - page.notes
    for line in page.print.lines:
        if line.index in parting and hull.contains_centre_of(line.box) and not box.contains_centre_of(line.box):
            return None
    return way


def _distance(box: Box, other: Box) -> float:
    """Return the white between two boxes, down and across, in points."""
    return max(0.0, box.y0 - other.y1, other.y0 - box.y1) + max(0.0, box.x0 - other.x1, other.x0 - box.x1)


def _figures_of(page: _Page, habit: Direction, style: BodyStyle) -> tuple[list[FoundFigure], list[PrintCaption]]:
    """Return the figures of a page by place, and its captions of figures that have none."""
    clusters = [c for c in page.marks.clusters if c.is_picture]
    chosen = _assigned(clusters, page, habit)
    found: list[FoundFigure] = []
    orphans: list[PrintCaption] = []
    for k, caption in enumerate(page.captions):
        if caption.kind != "figure":
            continue
        own = [clusters[i] for i in sorted(chosen) if chosen[i] == k]
        if own:
            others = [clusters[i].box for i, j in chosen.items() if j != k and page.captions[j].kind == "figure"]
            found.append(_figure(own, caption, page, style, "", others))
        elif (frame := _frame_of(caption, page, style)) is not None:
            found.append(_framed(frame, caption, page))
        else:
            orphans.append(caption)
    loose = [c for i, c in enumerate(clusters) if i not in chosen and _stands_for_itself(c, page, style)]
    for group in _together(loose, page):
        found.append(_figure(group, None, page, style, "a picture without a caption"))
    return sorted(found, key=lambda f: (f.box.y0, f.box.x0)), orphans


def _assigned(clusters: Sequence[Cluster], page: _Page, habit: Direction) -> dict[int, int]:
    """Return for each cluster, by its position, the position of its caption on the page; those of no caption are left out."""
    ways = {
        (i, k): way
        for i, cluster in enumerate(clusters)
        for k, caption in enumerate(page.captions)
        if (way := _way(cluster.box, caption, page)) is not None
    }
    chosen: dict[int, int] = {}
    with_tables = _captions_of_tables(page)
    for usual in (True, False):
        served = set(chosen.values()) | with_tables
        for i, cluster in enumerate(clusters):
            open_to = [
                (*_apart(cluster.box, page.captions[k].box), k)
                for (j, k), way in ways.items()
                if j == i
                and k not in with_tables
                and (way == _usual(page.captions[k], habit)) is usual
                and (usual or k not in served)
            ]
            if open_to and i not in chosen:
                chosen[i] = min(open_to)[-1]
    return chosen


def _apart(box: Box, caption: Box) -> tuple[bool, float]:
    """Return how far a picture is from a caption: what stands over or under it comes before what stands to its side."""
    return (box.x_interval.overlap(caption.x_interval) <= 0, _distance(box, caption))


def _captions_of_tables(page: _Page) -> set[int]:
    """Return the positions of the captions that are nearest to the tables of the page: no picture is theirs."""
    own = [(k, c) for k, c in enumerate(page.captions) if c.kind == "table"]
    return {min(own, key=lambda item: _apart(table, item[1].box))[0] for table in page.tables} if own else set()


def _usual(caption: PrintCaption, habit: Direction) -> Direction:
    """Return where a caption has its float as a rule: figures by the paper's habit, tables and algorithms below."""
    return habit if caption.kind == "figure" else "below"


def _frame_of(caption: PrintCaption, page: _Page, style: BodyStyle) -> Box | None:
    """Return the frame with text in it that stands next to a caption, above or below it within two lines."""
    near = [
        (_distance(frame, caption.box), frame)
        for frame in page.marks.frames
        if _distance(frame, caption.box) <= LINES_APART * style.leading
        and frame.x_interval.overlap(caption.box.x_interval) > 0
        and not frame.contains_centre_of(caption.box)
    ]
    return min(near)[1] if near else None


def _stands_for_itself(cluster: Cluster, page: _Page, style: BodyStyle) -> bool:
    """Return whether a cluster without a caption is a figure: an image or drawing of some size; one above all the text of the
    first page is a logo."""
    if not cluster.has("image", "drawing"):
        return False
    tall = LINES_APART * LINES_APART * style.leading
    if min(cluster.box.width, cluster.box.height) < tall:
        return False
    if page.index > 0:
        return True
    text = [line for line in page.print.lines if line.index in page.prose and line.font == style.font]
    return any(line.box.y0 < cluster.box.y1 for line in text if is_size(line.size, style.size))


def _together(clusters: Sequence[Cluster], page: _Page) -> list[list[Cluster]]:
    """Return clusters without a caption in groups that one box of the layout model holds; each else by itself."""
    pictures = [box for kind, box in page.print.layout_boxes if kind == "picture"]
    groups: dict[int, list[Cluster]] = {}
    for i, cluster in enumerate(clusters):
        key = next((k for k, box in enumerate(pictures) if box.contains_centre_of(cluster.box)), len(pictures) + i)
        groups.setdefault(key, []).append(cluster)
    return [groups[key] for key in sorted(groups)]


# ---- what is inside --------------------------------------------------------------------------------------------------


def _figure(
    clusters: Sequence[Cluster],
    caption: PrintCaption | None,
    page: _Page,
    style: BodyStyle,
    note: str,
    others: Sequence[Box] = (),
) -> FoundFigure:
    """Return the figure that clusters make; `others` are the boxes of those that belong to the captions of other figures."""
    marks = [m for c in clusters for m in c.marks]
    lines, box = _inside(clusters, caption, page, style, others)
    return FoundFigure(
        page_index=page.index,
        box=box,
        kind=_kind(marks),
        caption=caption,
        panels=panels_of(box, clusters, lines),
        lines=tuple(line.id for line in lines),
        is_data_table=_shows_table(box, marks, lines, page),
        tables=tuple(t for t in page.loose if box.contains_centre_of(t)),
        note=note,
    )


def _framed(frame: Box, caption: PrintCaption, page: _Page) -> FoundFigure:
    """Return a figure that is text in a frame: all lines inside are its own."""
    in_captions = {i for c in page.captions for i in c.lines}
    own = [
        line
        for line in page.print.lines
        if frame.contains_centre_of(line.box)
        and line.index not in in_captions
        and (line.index in page.prose or line in page.free)
    ]
    return FoundFigure(
        page.index, frame, "vector", caption, (), tuple(line.id for line in own), note="text in a frame above its caption"
    )


def _kind(marks: Iterable[Mark]) -> Literal["raster", "vector", "mixed"]:
    kinds = {m.kind for m in marks}
    if "image" not in kinds:
        return "vector"
    return "mixed" if kinds & {"drawing", "vertical"} else "raster"


def _inside(
    clusters: Sequence[Cluster], caption: PrintCaption | None, page: _Page, style: BodyStyle, others: Sequence[Box]
) -> tuple[list[PrintLine], Box]:
    """Return the lines of a figure in their order, and its box with them.

    These are the lines inside the box; small, foreign or turned type within a leading of it, again and again (ticks, then
    titles of axes); titles centred over or under a part of it; and what stands between the picture and its caption.
    Never are they lines that stand in one of the `others` alone.
    """
    box = Box.around(c.box for c in clusters)
    not_own = _headings_over(clusters, page, style) | {
        line.index
        for line in page.free
        if any(other.contains_centre_of(line.box) for other in others) and not box.contains_centre_of(line.box)
    }
    own: dict[int, PrintLine] = {}
    blocked = [c.box for c in page.captions] + [
        line.box for line in page.print.lines if line.index in page.prose and not box.contains_centre_of(line.box)
    ]
    grew = True
    while grew:
        grew = False
        near = box.grown(style.leading)
        for line in page.free:
            if line.index in own or line.index in not_own:
                continue
            is_near = near.intersection(line.box) is not None
            is_such = _is_label(line, style) or (caption is not None and _is_title(line, clusters, style))
            if not box.contains_centre_of(line.box) and not (is_near and is_such):
                continue
            wider = box.union(line.box)
            if any(wider.contains_centre_of(b) and not box.contains_centre_of(b) for b in blocked):
                continue
            own[line.index] = line
            grew = grew or wider != box
            box = wider
    if caption is not None:
        hull = box.union(caption.box)
        low, high = sorted((min(box.y1, caption.box.y1), max(box.y0, caption.box.y0)))
        between = [
            line
            for line in page.free
            if line.index not in own
            and line.index not in not_own
            and hull.contains_centre_of(line.box)
            and low <= line.box.centre[1] <= high
        ]
        own |= {line.index: line for line in between}
        box = Box.around([box, *(line.box for line in between)])
    return [own[i] for i in sorted(own)], box


def _headings_over(clusters: Sequence[Cluster], page: _Page, style: BodyStyle) -> set[int]:
    """Return the lines of large bold type, flush with the running text, that images without any drawing lie over: headings that
    the white edge of an image reaches."""
    if any(c.has("drawing", "fill", "horizontal", "vertical") for c in clusters):
        return set()
    lefts = [line.box.x0 for line in page.print.lines if line.index in page.prose] or [
        c.box.x0 for c in page.captions if c.kind == "figure"
    ]
    return {
        line.index
        for line in page.free
        if line.size > style.size
        and not is_size(line.size, style.size)
        and is_bold(line.font)
        and any(2 * abs(line.box.x0 - left) < line.size for left in lefts)
    }


def _is_title(line: PrintLine, clusters: Sequence[Cluster], style: BodyStyle) -> bool:
    """Return whether a line is centred a leading or less over or under a part of a picture, and narrower."""
    for cluster in clusters:
        box = cluster.box
        white = max(box.y0 - line.box.y1, line.box.y0 - box.y1)
        is_centred = abs(line.box.centre[0] - box.centre[0]) < line.size
        if is_centred and -line.size < white <= style.leading and line.box.width < box.width + line.size:
            return True
    return False


def _is_label(line: PrintLine, style: BodyStyle) -> bool:
    """Return whether a line is set as labels of pictures are: turned, smaller than the text, or in another face and short."""
    if line.angle != 0:
        return True
    if line.size < style.size and not is_size(line.size, style.size):
        return True
    return is_size(line.size, style.size) and line.font != style.font and len(line.plain.split()) <= 2


def _shows_table(box: Box, marks: Sequence[Mark], lines: Sequence[PrintLine], page: _Page) -> bool:
    """Return whether the picture shows a table: words, no image or curve, and most of it was read as tables, or the layout
    model calls it one and rules cross it in both directions."""
    kinds = {m.kind for m in marks}
    if kinds & {"image", "drawing"} or not lines:
        return False
    if 2 * sum(t.area for t in page.loose if box.contains_centre_of(t)) > box.area:
        return True
    called = any(kind == "table" and 2 * box.share_inside(other) > 1 for kind, other in page.print.layout_boxes)
    wide = sum(m.kind == "horizontal" and 2 * m.box.width > box.width for m in marks)
    tall = sum(m.kind == "vertical" and 2 * m.box.height > box.height for m in marks)
    return called and min(wide, tall) > 2
