"""Captions that a page break parts from their table: at the head of a page, of the table that ends the page before; at the foot
of a page, of the table that begins the next.

Where captions stand below their tables, one that stands between two tables was given to the lower of them when the other's own
caption is on the next page: then each moves on to the table above it. Only tables that have no caption, or that lose it to
another without one, are given one; running heads and page numbers, which stand at the same place on both pages, do not count.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from variorum.geometry import Box
from variorum.regions.captions import FoundCaption
from variorum.regions.continuing import PageLine
from variorum.tables.continuation import Place
from variorum.tables.page_tables import PageReading, PageTable

_DIGITS: Final = re.compile(r"\d+|\b[ivxlc]+\b")


@dataclass(frozen=True, slots=True)
class CaptionAt:
    """A caption, and the position of the reading of the page on which it stands."""

    reading: int
    caption: FoundCaption


def captions_over_pages(readings: Sequence[PageReading], is_kept: Callable[[PageTable], bool]) -> Mapping[Place, CaptionAt]:
    """Return the captions of tables that have another caption, or one where they had none, than their own page gives them.

    `is_kept` says which regions are tables of the paper; the readings are in the order of their pages.
    """
    found: dict[Place, CaptionAt] = {}
    for i, reading in enumerate(readings):
        own = [item.region.caption for item in reading.tables if is_kept(item)]
        for lone in (c for c in reading.table_captions if c not in own):
            before, after = _neighbour(readings, i, -1), _neighbour(readings, i, 1)
            if before is not None and not _others(reading, readings[before], lone.box, above=True):
                found.update(_handed_up(before, readings[before], reading, CaptionAt(i, lone), is_kept))
            elif after is not None and not _others(reading, readings[after], lone.box, above=False):
                found.update(_handed_down(after, readings[after], reading, CaptionAt(i, lone), is_kept))
    return found


def _neighbour(readings: Sequence[PageReading], i: int, step: int) -> int | None:
    """Return the position of the reading of the page before or after, None where it was not read."""
    j = i + step
    is_next = 0 <= j < len(readings) and readings[j].page_num == readings[i].page_num + step
    return j if is_next else None


def _handed_up(
    i: int, page: PageReading, next_page: PageReading, lone: CaptionAt, is_kept: Callable[[PageTable], bool]
) -> Mapping[Place, CaptionAt]:
    """Return what becomes of the captions of a page when the table at its foot is given the caption."""
    column = _column(page, lone.caption.box, is_kept)
    if not column or _others(page, next_page, page.tables[column[-1]].region.box, above=False):
        return {}
    found: dict[Place, CaptionAt] = {}
    passed = lone
    for position, j in reversed(list(enumerate(column))):
        region = page.tables[j].region
        found[Place(i, j)] = passed
        if region.caption is None:
            return found
        upper = page.tables[column[position - 1]].region.box if position else None
        if upper is None or not _stands_below(region.caption, upper, page) or region.caption.box.y1 > region.box.y0:
            return {}
        passed = CaptionAt(i, region.caption)
    return {}


def _handed_down(
    i: int, page: PageReading, last_page: PageReading, lone: CaptionAt, is_kept: Callable[[PageTable], bool]
) -> Mapping[Place, CaptionAt]:
    column = _column(page, lone.caption.box, is_kept)
    if not column:
        return {}
    first = page.tables[column[0]].region
    if first.caption is not None or _others(page, last_page, first.box, above=True):
        return {}
    return {Place(i, column[0]): lone}


def _column(page: PageReading, box: Box, is_kept: Callable[[PageTable], bool]) -> list[int]:
    """Return the positions of the upright tables of a page that share the width of a box, from top to bottom."""
    own = [
        j
        for j, item in enumerate(page.tables)
        if item.angle == 0 and is_kept(item) and item.region.box.x_interval.overlap(box.x_interval) > 0
    ]
    return sorted(own, key=lambda j: page.tables[j].region.box.y0)


def _stands_below(caption: FoundCaption, box: Box, page: PageReading) -> bool:
    """Return whether a caption stands below a table with nothing between."""
    between = [n for n in page.lines if n.angle == 0 and box.y1 < n.box.centre[1] < caption.box.y0]
    return box.y1 <= caption.box.y0 and not any(n.box.x_interval.overlap(box.x_interval) > 0 for n in between)


def _others(page: PageReading, other: PageReading, box: Box, *, above: bool) -> list[PageLine]:
    """Return the lines above (or below) a box, over a part of its width, that are no running heads and feet."""
    lines = [n for n in page.lines if n.angle == 0 and n.box.x_interval.overlap(box.x_interval) > 0]
    beyond = [n for n in lines if (n.box.y1 <= box.y0 if above else n.box.y0 >= box.y1)]
    return [n for n in beyond if not _stands_on(n, other.lines)]


def _stands_on(line: PageLine, page: Sequence[PageLine]) -> bool:
    words = _DIGITS.sub("", line.text.casefold()).split()
    return any(
        o.angle == 0
        and o.box.y_interval.contains(line.box.y_interval.middle)
        and _DIGITS.sub("", o.text.casefold()).split() == words
        for o in page
    )
