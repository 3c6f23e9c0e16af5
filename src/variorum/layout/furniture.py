"""Furniture: what is printed on the pages of a paper and belongs to none of its text.

Running heads and feet, page numbers, line numbers, stamps in the margin, watermarks. Nothing is furniture without evidence, and
the evidence stands beside each item: the same words (digits aside) at the same height of other pages; a number that counts
with the pages; a line set apart at the height where most pages have one; text written across the direction of reading; numbers
in the margin that count the lines; small type wholly outside the columns of the paper. Lines inside tables are never looked at.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Final, Literal

from variorum.geometry import Box, Interval
from variorum.layout.model import BodyStyle, LineId, PagePrint, PaperPrint, PrintLine, is_size
from variorum.layout.roman import roman_value
from variorum.layout.whole_numbers import whole_number

FurnitureKind = Literal["running head", "running foot", "page number", "line number", "margin", "watermark"]
Side = Literal["top", "bottom"]

_NUMBER_LINE: Final = re.compile(
    r"(?:page|p\.|seite)?\s*[-–—|•(\[]?\s*(?P<number>\d+|[ivxl]+)\s*[-–—|•)\]]?(?:\s*(?:of|/|von|de)\s*\d+)?", re.IGNORECASE
)
_DIGITS: Final = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class FurnitureItem:
    """One line that is furniture: what kind, and the evidence in a sentence."""

    line: LineId
    kind: FurnitureKind
    evidence: str


@dataclass(frozen=True, slots=True)
class _Edge:
    """The outermost rows of a page at one side, from the edge inwards; each row from left to right."""

    page: PagePrint
    rows: tuple[tuple[PrintLine, ...], ...]


def find_furniture(paper: PaperPrint, style: BodyStyle, taken: Set[LineId] = frozenset()) -> tuple[FurnitureItem, ...]:
    """Return the furniture of the paper by page and position; `taken` are lines that are known to be something else."""
    found: dict[LineId, FurnitureItem] = {}
    free = {page.page_index: [line for line in page.lines if line.id not in taken] for page in paper.pages}
    for stage in (_across, _line_numbers, _heads, _feet, partial(_margins, taken=taken)):
        for item in stage(paper, style, free):
            found[item.line] = item
        free = {index: [line for line in lines if line.id not in found] for index, lines in free.items()}
    return tuple(found[key] for key in sorted(found))


# ---- across the direction of reading ---------------------------------------------------------------------------------


def _across(paper: PaperPrint, _: BodyStyle, free: Mapping[int, Sequence[PrintLine]]) -> Iterator[FurnitureItem]:
    """Yield stamps and watermarks: lines written in another direction than the page, outside its columns or over its text."""
    for page in paper.pages:
        level = [line.box for line in free[page.page_index] if line.angle == 0]
        text = Box.around(level).x_interval if level else Interval(0.0, page.width)
        for line in free[page.page_index]:
            if line.angle == 0:
                continue
            if _page_number(line) in (page.page_num, page.page_num - 1) or (page.label and line.plain == page.label):
                yield FurnitureItem(line.id, "page number", "the number of the page alone, written across its lines")
            elif line.angle < 0 and sum(1 for box in level if box.intersection(line.box)) > 1:
                yield FurnitureItem(line.id, "watermark", "written obliquely over lines of text")
            elif 2 * text.overlap(line.box.x_interval) < line.box.width:
                yield FurnitureItem(line.id, "margin", f"written at {line.angle} degrees outside the text")


# ---- line numbers ----------------------------------------------------------------------------------------------------


def _line_numbers(paper: PaperPrint, style: BodyStyle, free: Mapping[int, Sequence[PrintLine]]) -> Iterator[FurnitureItem]:
    """Yield numbers outside the text that count its lines: on a page more than half of them follow each other in steps of one
    size, and they stand under each other."""
    edges = _text_edges(_body(free, style))
    if edges is None:
        return
    for page in paper.pages:
        lone = [
            line
            for line in free[page.page_index]
            if line.angle == 0 and whole_number(line.plain) is not None and (line.box.x1 < edges[0] or line.box.x0 > edges[1])
        ]
        columns: dict[int, list[PrintLine]] = defaultdict(list)
        for line in lone:
            columns[round(line.box.x1 / style.size)].append(line)
        for members in columns.values():
            column = sorted(members, key=lambda line: line.baseline)
            steps = Counter(int(b.plain) - int(a.plain) for a, b in pairwise(column))
            if not steps:
                continue
            step, count = max(steps.items(), key=lambda s: (s[1], -abs(s[0])))
            lines_of_text = len({round(line.baseline) for line in free[page.page_index]})
            if step > 0 and 2 * count > len(column) - 1 and 2 * len(column) * step > lines_of_text - len(column):
                for line in column:
                    yield FurnitureItem(line.id, "line number", f"numbers in steps of {step} under each other beside the lines")


# ---- heads and feet --------------------------------------------------------------------------------------------------


def _heads(paper: PaperPrint, style: BodyStyle, free: Mapping[int, Sequence[PrintLine]]) -> Iterator[FurnitureItem]:
    return _edge_items(paper, style, free, "top")


def _feet(paper: PaperPrint, style: BodyStyle, free: Mapping[int, Sequence[PrintLine]]) -> Iterator[FurnitureItem]:
    return _edge_items(paper, style, free, "bottom")


def _edge_items(
    paper: PaperPrint, style: BodyStyle, free: Mapping[int, Sequence[PrintLine]], side: Side
) -> Iterator[FurnitureItem]:
    edges = [_edge(page, free[page.page_index], side) for page in paper.pages]
    edges = [edge for edge in edges if edge.rows]
    repeats = _repeats(edges, style)
    offsets = _page_number_offsets(edges)
    heights = _habitual_heights(edges, style, side)
    running: FurnitureKind = "running head" if side == "top" else "running foot"
    for edge in edges:
        found: list[FurnitureItem] = []
        for depth, row in enumerate(edge.rows):
            items = []
            for line in row:
                if (why := _counts_pages(line, edge.page, offsets)) and _is_outermost(edge, depth, line):
                    items.append(FurnitureItem(line.id, "page number", why))
                elif (count := repeats.get((_signature(line), _height(line, style)), 0)) > 1:
                    items.append(FurnitureItem(line.id, running, f"the same words at this height of {count} pages"))
            if not items and (why := _at_habitual_height(edge, depth, heights, style, side)):
                items = [FurnitureItem(line.id, running, why) for line in row]
            elif items and len(items) < len(row):  # what stands on the line of a running head belongs to it
                why = "on one line with a running head or page number, set apart from the text"
                known = {item.line for item in items}
                others = [line for line in row if line.id not in known]
                items += [
                    FurnitureItem(line.id, running, why)
                    for line in others
                    if _gap_below(line, edge, depth) > style.leading + style.size / 2
                ]
            if not items:
                break
            found += items
        lines = sum(len(row) for row in edge.rows)
        if 2 * len(found) <= lines or lines <= 2:  # pages that are alike from end to end are copies: nothing runs through them
            yield from found


def _edge(page: PagePrint, lines: Sequence[PrintLine], side: Side) -> _Edge:
    rows: list[list[PrintLine]] = []
    level = [line for line in lines if line.angle == 0]
    for line in sorted(level, key=lambda line: (line.baseline if side == "top" else -line.baseline, line.box.x0)):
        if rows and 2 * abs(line.baseline - rows[-1][0].baseline) < min(line.size, rows[-1][0].size):
            rows[-1].append(line)
        else:
            rows.append([line])
    return _Edge(page, tuple(tuple(sorted(row, key=lambda line: line.box.x0)) for row in rows))


def _signature(line: PrintLine) -> str:
    """Return the words of a line, the digits between them masked; a line of digits alone as it is."""
    text = line.plain.casefold()
    return _DIGITS.sub("#", text) if any(c.isalpha() for c in text) else text


def _height(line: PrintLine, style: BodyStyle) -> int:
    return round(2 * line.baseline / style.leading)


def _repeats(edges: Sequence[_Edge], style: BodyStyle) -> dict[tuple[str, int], int]:
    """Return on how many pages the same words, digits aside, stand at about the same height."""
    pages: dict[tuple[str, int], set[int]] = defaultdict(set)
    for edge in edges:
        for row in edge.rows:
            for line in row:
                height = _height(line, style)
                for near in (height - 1, height, height + 1):  # two pages' heights may round to neighbours
                    pages[_signature(line), near].add(edge.page.page_index)
    return {key: len(found) for key, found in pages.items()}


def _page_number(line: PrintLine) -> int | None:
    match = _NUMBER_LINE.fullmatch(line.plain.strip())
    if match is None:
        return None
    number = match["number"].casefold()
    return whole_number(number) if number.isdecimal() else roman_value(number)


def _page_number_offsets(edges: Sequence[_Edge]) -> Counter[int]:
    """Return how many pages have, in their first or last row, a number that is so much larger than their position."""
    counts: Counter[int] = Counter()
    for edge in edges:
        numbers = {_page_number(line) for row in edge.rows[:2] for line in (row[0], row[-1])} - {None}
        counts.update({number - edge.page.page_num for number in numbers if number is not None})
    return counts


def _counts_pages(line: PrintLine, page: PagePrint, offsets: Mapping[int, int]) -> str:
    number = _page_number(line)
    if number is None:
        return ""
    count = offsets.get(number - page.page_num, 0)
    if count > 1:
        return f"a number that counts the pages, as on {count} of them"
    if page.label is not None and line.plain.strip() == page.label:
        return "the label that the PDF gives this page"
    return "a number alone at the edge of the page: its own" if number == page.page_num else ""


def _is_outermost(edge: _Edge, depth: int, line: PrintLine) -> bool:
    """Return whether a number stands at an end of its row, with nothing but furniture beyond that row."""
    row = edge.rows[depth]
    return line in (row[0], row[len(row) // 2], row[-1])


def _gap_inwards(edge: _Edge, depth: int, side: Side) -> float:
    """Return the distance of the writing lines from a row to the next one towards the middle of the page."""
    if depth + 1 >= len(edge.rows):
        return edge.page.height
    own, following = edge.rows[depth], edge.rows[depth + 1]
    if side == "top":
        return min(line.baseline for line in following) - max(line.baseline for line in own)
    return min(line.baseline for line in own) - max(line.baseline for line in following)


def _gap_below(line: PrintLine, edge: _Edge, depth: int) -> float:
    """Return the distance from a line to the next one inwards that stands in its column."""
    inwards = (o for row in edge.rows[depth + 1 :] for o in row if o.box.x_interval.overlap(line.box.x_interval) > 0)
    return min((abs(o.baseline - line.baseline) for o in inwards), default=edge.page.height)


def _habitual_heights(edges: Sequence[_Edge], style: BodyStyle, side: Side) -> dict[int, int]:
    """Return the heights at which more than half of the pages behind the first have their outermost row, set apart from the
    text by more than its leading, in type no larger; with the number of pages.

    Where the text itself begins on some page is no such height: there headings stand at the head of a page, not running heads.
    """
    counts: Counter[int] = Counter()
    of_text: set[int] = set()
    later = [edge for edge in edges if edge.page.page_index > 0]
    for edge in later:
        height = _height(edge.rows[0][0], style)
        near = {height - 1, height, height + 1}
        if _gap_inwards(edge, 0, side) <= style.leading + style.size / 2:
            of_text |= near
        elif all(line.size <= style.size or is_size(line.size, style.size) for line in edge.rows[0]):
            counts.update(near)
    return {h: count for h, count in counts.items() if 2 * count > len(later) and count > 1 and h not in of_text}


def _at_habitual_height(edge: _Edge, depth: int, heights: Mapping[int, int], style: BodyStyle, side: Side) -> str:
    if depth or _gap_inwards(edge, 0, side) <= style.leading + style.size / 2:
        return ""
    count = heights.get(_height(edge.rows[0][0], style), 0)
    words = sum(len(line.words) for line in edge.rows[0])
    is_large = any(line.size > style.size and not is_size(line.size, style.size) for line in edge.rows[0])
    if not count or edge.page.page_index == 0 or words > edge.page.width / style.size or is_large:
        return ""
    return f"set apart at the height where {count} pages have a line of their own"


# ---- beside the text -------------------------------------------------------------------------------------------------


def _margins(
    paper: PaperPrint, style: BodyStyle, free: Mapping[int, Sequence[PrintLine]], *, taken: Set[LineId]
) -> Iterator[FurnitureItem]:
    """Yield lines smaller than running text that stand wholly outside the columns of text, beside it.

    What hangs below a table that reaches as far out is a note of that table.
    """
    edges = _text_edges(_body(free, style))
    if edges is None:
        return
    left, right = edges
    for page in paper.pages:
        above = [line.box for line in page.lines if line.id in taken]
        for line in sorted(free[page.page_index], key=lambda line: (line.box.y0, line.box.x0)):
            is_outside = line.box.x1 < left or line.box.x0 > right
            if line.angle != 0 or not is_outside or line.size >= style.size or is_size(line.size, style.size):
                continue
            if any(_hangs_below(line.box, box) for box in above):
                above.append(line.box)
            else:
                yield FurnitureItem(line.id, "margin", f"small type beside the text (x = {left:.0f} to {right:.0f})")


def _hangs_below(lower: Box, upper: Box) -> bool:
    """Return whether a line stands below another, over some of its width, no farther from it than both are high together."""
    gap = lower.y0 - upper.y1
    return upper.y0 < lower.y0 and gap < upper.height + lower.height and lower.x_interval.overlap(upper.x_interval) > 0


def _body(free: Mapping[int, Sequence[PrintLine]], style: BodyStyle) -> list[PrintLine]:
    """Return the level lines of several words in the type of running text."""
    level = [line for lines in free.values() for line in lines if line.angle == 0 and len(line.words) > 1]
    return [line for line in level if is_size(line.size, style.size)]


def _text_edges(body: Sequence[PrintLine]) -> tuple[float, float] | None:
    """Return the left and right edge of the text block, the outermost of the places where lines begin and end most often; None
    without lines."""
    if not body:
        return None
    starts, ends = Counter(round(line.box.x0) for line in body), Counter(round(line.box.x1) for line in body)
    most_starts, most_ends = max(starts.values()), max(ends.values())
    left = min(x for x, count in starts.items() if 2 * count > most_starts)
    right = max(x for x, count in ends.items() if 2 * count > most_ends)
    return float(left), float(right)
