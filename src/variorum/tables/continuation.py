"""Which tables as read are parts of one that goes on in the next column or on the next page.

A part belongs to an earlier one on evidence only, never because their columns happen to be the same:

- its caption has the same label and number, and says that the table is continued; or
- its caption repeats the label and number of the earlier one (its title, too, or none), the head is the same, and it stands in
  the next column or on the next page; or
- it has no caption, its columns lie as the earlier one's do, no other table stands between them, and a note names the
  continuation below the earlier or above the later part; or it repeats the head, and nothing but running heads and page numbers
  stands between them.

Two tables under one caption are never parts of one. In every case both have the same number of columns.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from variorum.document import Provenance, Table
from variorum.geometry import Box
from variorum.regions.captions import FoundCaption
from variorum.regions.continuing import PageLine, caption_title, continuation_note, is_continued, squashed
from variorum.tables.joining import edge_notes, repeated_head
from variorum.tables.page_tables import PageReading, PageTable

_DIGITS: Final = re.compile(r"\d+|\b[ivxlc]+\b")


@dataclass(frozen=True, slots=True)
class Place:
    """A table as read: which reading of a page, counted from 0, and which table of it."""

    reading: int
    table: int


@dataclass(frozen=True, slots=True)
class Continuations:
    """For a part the part after it, and for a part that its caption calls a continuation why it was not joined to the table."""

    after: Mapping[Place, Place]
    refused: Mapping[Place, str]

    def chain(self, start: Place) -> tuple[Place, ...]:
        """Return the part and all that go on with it, in reading order."""
        found = [start]
        while found[-1] in self.after:
            found.append(self.after[found[-1]])
        return tuple(found)

    @property
    def later(self) -> frozenset[Place]:
        """Return the parts that go on with another."""
        return frozenset(self.after.values())


def find_continuations(readings: Sequence[PageReading], is_kept: Callable[[PageTable], bool]) -> Continuations:
    """Return which tables of the readings, in order of their pages, go on with which.

    `is_kept` says which are tables of the paper in their own right: only those are gone on with, by a region of any kind.
    """
    view = _View(readings, sorted(_parts(readings), key=lambda p: p.order))
    kept = {p.place for p in view.parts if is_kept(p.item)}
    after: dict[Place, Place] = {}
    number = {p.place: None if p.caption is None else p.caption.number for p in view.parts}
    refused: dict[Place, str] = {}
    for later in view.parts:
        if later.item.region.proposers == ("given",):  # the user says what a table is
            continue
        free = [p for p in view.near(later) if p.place in kept and p.place not in after]
        fitting = [p for p in free if view.goes_on(p, later, number[p.place])]
        earlier = max(fitting, key=lambda p: p.order, default=None)
        if earlier is None:
            continue
        if earlier.n_cols == later.n_cols:
            after[earlier.place] = later.place
            number[later.place] = number[earlier.place]
            kept.add(later.place)
        elif later.caption is not None:
            name = f"{later.caption.label.rstrip('.')} {later.caption.number}"
            shapes = f"with {later.n_cols} columns as read, not {earlier.n_cols}"
            refused[later.place] = f"{name} goes on here, but {shapes}: the parts stay apart"
    return Continuations(after, refused)


# ---- what is known of each part ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Part:
    """One table as read, with its page number; boxes are of the view whose text is upright."""

    place: Place
    page_num: int
    item: PageTable
    table: Table

    @property
    def caption(self) -> FoundCaption | None:
        return self.item.region.caption

    @property
    def n_cols(self) -> int:
        return self.table.n_cols

    @property
    def order(self) -> tuple[float, ...]:
        """Return the key of the reading order: by page, then column by column."""
        box = self.item.region.box
        return (self.page_num, box.x0, box.y0, self.place.table)


def _parts(readings: Sequence[PageReading]) -> list[_Part]:
    found = []
    for r, reading in enumerate(readings):
        for t, item in enumerate(reading.tables):
            grid = item.result.grid
            if grid is not None:
                table = Table(
                    id="",
                    n_rows=grid.n_rows,
                    n_cols=grid.n_cols,
                    cells=grid.cells,
                    header_rows=grid.header_rows,
                    column_edges=grid.col_edges,
                    provenance=Provenance(source="", method=grid.name, page_num=reading.page_num),
                )
                found.append(_Part(Place(r, t), reading.page_num, item, table))
    return found


def _same_label(one: FoundCaption, other: FoundCaption) -> bool:
    return _label_of(one) == _label_of(other)


def _label_of(caption: FoundCaption) -> tuple[str, str]:
    """Return label and number as they are compared; the number holds what ``Supporting`` before the label says (``S3``)."""
    return squashed(caption.label.split()[-1].rstrip(".")), squashed(caption.number)


# ---- evidence ---------------------------------------------------------------------------------------------------------


class _View:
    """The parts among the lines of their pages."""

    def __init__(self, readings: Sequence[PageReading], parts: Sequence[_Part]) -> None:
        self.parts = parts
        self._readings = readings
        self._pages = {r.page_num for r in readings}
        self._on_page: dict[int, list[_Part]] = {}
        self._labelled: dict[tuple[str, str], list[_Part]] = {}
        for part in parts:
            self._on_page.setdefault(part.page_num, []).append(part)
            if part.caption is not None:
                self._labelled.setdefault(_label_of(part.caption), []).append(part)

    def near(self, later: _Part) -> list[_Part]:
        """Return the parts that a part can go on with: of the same label and number, or without a caption, on its page and the
        page before."""
        if later.caption is not None:
            return [p for p in self._labelled[_label_of(later.caption)] if p is not later]
        pages = (later.page_num - 1, later.page_num)
        return [p for n in pages for p in self._on_page.get(n, ()) if p is not later]

    def goes_on(self, earlier: _Part, later: _Part, number: str | None) -> bool:
        """Return whether the later part goes on with the earlier one, whose table has the printed number, if it has one."""
        if earlier.item.angle != later.item.angle or not self._is_before(earlier, later):
            return False
        one, other = earlier.caption, later.caption
        if other is None:
            return self._goes_on_without_caption(earlier, later, number)
        if one is None or not _same_label(one, other) or (one.box, earlier.page_num) == (other.box, later.page_num):
            return False
        if is_continued(other):
            return self._is_read_between(earlier, later)
        title = squashed(caption_title(other)).strip(".:–—-")
        is_same_title = not title or title == squashed(caption_title(one)).strip(".:–—-")
        return is_same_title and self._is_next_place(earlier, later) and bool(repeated_head(earlier.table, later.table))

    def _is_before(self, earlier: _Part, later: _Part) -> bool:
        """Return whether one part is read before the other: on an earlier page, in a column to the left, or higher up."""
        if earlier.page_num != later.page_num:
            return earlier.page_num < later.page_num
        one, other = earlier.item.region.box, later.item.region.box
        if one.x_interval.overlap(other.x_interval) > 0:
            return one.y1 <= other.centre[1] and one.y0 < other.y0
        return one.x1 <= other.x0

    def _is_read_between(self, earlier: _Part, later: _Part) -> bool:
        """Return whether every page between both was read, so that no part is missing."""
        return all(n in self._pages for n in range(earlier.page_num, later.page_num))

    def _is_next_place(self, earlier: _Part, later: _Part) -> bool:
        """Return whether the later part stands on the next page, or on the same in a column further right."""
        one, other = earlier.item.region.box, later.item.region.box
        if earlier.page_num == later.page_num:
            return one.x1 <= other.x0
        return later.page_num == earlier.page_num + 1

    def _goes_on_without_caption(self, earlier: _Part, later: _Part, number: str | None) -> bool:
        if earlier.n_cols != later.n_cols or not self._is_next_place(earlier, later):
            return False
        if self._stands_between(earlier, later) or not _same_columns(earlier.table, later.table):
            return False
        below, above = self._rest_of_column(earlier), self._start_of_column(later)
        notes = [line.text for line in (*below, *above)] + edge_notes(earlier.table)[1] + edge_notes(later.table)[0]
        said = [note for text in notes if (note := continuation_note(text)) is not None]
        if said:
            return any(n.number is None or number is None or squashed(n.number) == squashed(number) for n in said)
        return bool(repeated_head(earlier.table, later.table)) and self._is_furniture(earlier, later, below, above)

    def _stands_between(self, earlier: _Part, later: _Part) -> bool:
        """Return whether another table stands below the earlier part or above the later one, in their columns."""
        one, other = earlier.item.region.box, later.item.region.box
        below = [b for b in self._others(earlier) if b.x_interval.overlap(one.x_interval) > 0 and b.y0 >= one.y1]
        above = [b for b in self._others(later) if b.x_interval.overlap(other.x_interval) > 0 and b.y1 <= other.y0]
        return bool(below or above)

    def _others(self, part: _Part) -> list[Box]:
        """Return the boxes of the other tables in the same view of the page."""
        same_page = self._on_page[part.page_num]
        return [p.item.region.box for p in same_page if p is not part and p.item.angle == part.item.angle]

    def _rest_of_column(self, part: _Part) -> list[PageLine]:
        """Return the lines below a part."""
        box = part.item.region.box
        return [line for line in self._lines_over(part) if line.box.centre[1] >= box.y1]

    def _start_of_column(self, part: _Part) -> list[PageLine]:
        """Return the lines above a part."""
        box = part.item.region.box
        return [line for line in self._lines_over(part) if line.box.centre[1] <= box.y0]

    def _lines_over(self, part: _Part) -> list[PageLine]:
        box, angle = part.item.region.box, part.item.angle
        lines = self._readings[part.place.reading].lines
        return [n for n in lines if n.angle == angle and n.box.x_interval.overlap(box.x_interval) > 0]

    def _is_furniture(self, earlier: _Part, later: _Part, below: Sequence[PageLine], above: Sequence[PageLine]) -> bool:
        """Return whether all these lines are running heads and feet: what stands at the same place on both pages, but for
        numbers."""
        if earlier.page_num == later.page_num:
            return not below and not above
        pages = [self._readings[p.place.reading].lines for p in (later, earlier)]
        return all(_stands_on(line, other) for lines, other in zip((below, above), pages, strict=True) for line in lines)


def _stands_on(line: PageLine, page: Sequence[PageLine]) -> bool:
    words = _DIGITS.sub("", line.text.casefold()).split()
    return not words or any(
        other.angle == line.angle
        and other.box.y_interval.contains(line.box.y_interval.middle)
        and _DIGITS.sub("", other.text.casefold()).split() == words
        for other in page
    )


def _same_columns(one: Table, other: Table) -> bool:
    """Return whether the columns of both lie alike: counted from the left edge, each edge of the one is nearest to its like in
    the other."""
    return _edges_fit(one.column_edges, other.column_edges) and _edges_fit(other.column_edges, one.column_edges)


def _edges_fit(edges: Sequence[float], others: Sequence[float]) -> bool:
    if len(edges) != len(others) or len(edges) < 2:
        return False
    places = [edge - edges[0] for edge in edges]
    shifted = [edge - others[0] for edge in others]
    middles = [(a + b) / 2 for a, b in pairwise(places)]
    last = places[-1] + places[-1] - middles[-1]
    return all(low < edge < high for low, edge, high in zip(middles, shifted[1:], (*middles[1:], last), strict=True))
