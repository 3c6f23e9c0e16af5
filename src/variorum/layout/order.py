"""The order in which the pieces of a page are read: columns from left to right, what spans them in its place.

A page is cut where a channel of white parts lines that stand side by side over some height: what lies left of it is read before
what lies right of it, between the pieces that reach over the channel, from the top to the bottom. Each side is cut again, so
three columns are two cuts. Where no channel parts the lines they are read from top to bottom, what stands on one line from left
to right. (The idea of cutting along white space is Nagy and Seth's, "Hierarchical representation of optically scanned
documents", ICPR 1984; that pieces which reach over the channel part the page is that of Breuel, doi:10.1007/3-540-45869-7_23.)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from variorum.geometry import Box, Interval, merge_intervals
from variorum.layout.model import PrintLine


@dataclass(frozen=True, slots=True)
class Item:
    """A piece of a page that is read as one: a line of print, or a float or formula with all that belongs to it.

    `line` is None for the latter; `key` is the caller's own.
    """

    box: Box
    key: object
    line: PrintLine | None = None


@dataclass(frozen=True, slots=True)
class Placed:
    """An item in its column: the x extent of the column, and its number on the page, in the order of reading."""

    item: Item
    column: Interval
    column_number: int


def reading_order(items: Sequence[Item], page: Box, leading: float) -> tuple[Placed, ...]:
    """Return the items of a page in the order of reading, each with its column; `leading` is that of running text."""
    runs = _cut(sorted(items, key=_by_rows), page.x_interval, leading)
    placed = []
    for number, run in enumerate(_merged(runs)):
        column = Box.around(item.box for item in run).x_interval
        placed += [Placed(item, column, number) for item in run]
    return tuple(placed)


def _by_rows(item: Item) -> tuple[float, float, float]:
    return (item.box.y1 if item.line is None else item.line.baseline, item.box.x0, item.box.y0)


def _cut(items: Sequence[Item], extent: Interval, leading: float) -> list[list[Item]]:
    """Return runs of items, each in one column, in the order of reading."""
    channel = _channel(items, leading)
    if channel is None:
        return [_in_rows(items)] if items else []
    across = _across(items, channel)
    runs: list[list[Item]] = []
    whole: list[Item] = []  # what is read as one column, since nothing stands beside it
    gone = {id(i) for i in across}
    rest = [i for i in items if id(i) not in gone]
    for crossing in [*sorted(across, key=lambda i: (i.box.y0, i.box.x0)), None]:
        above = rest if crossing is None else [i for i in rest if i.box.centre[1] < crossing.box.centre[1]]
        sides = [
            [i for i in above if _begins_left(i, channel)],
            [i for i in above if not _begins_left(i, channel)],
        ]
        parts = [_cut(side, extent, leading) for side in sides if side]
        if len(parts) == 1 and len(parts[0]) == 1:
            whole += parts[0][0]
        elif parts:
            runs += [whole, *(run for part in parts for run in part)]
            whole = []
        if crossing is not None:
            whole.append(crossing)
        taken = {id(i) for i in above}
        rest = [i for i in rest if id(i) not in taken]
    return [run for run in (*runs, whole) if run]


def _across(items: Sequence[Item], channel: Interval) -> list[Item]:
    """Return the items that reach over the channel with nothing beside them; a line that runs out of its column into a line of
    the next one stays in its own."""
    reaching = [i for i in items if i.box.x0 < channel.start and i.box.x1 > channel.end]
    others = [i for i in items if i.box.x0 >= channel.start or i.box.x1 <= channel.end]
    return [i for i in reaching if i.line is None or not any(_on_one_line(i.box, o.box) for o in others)]


def _begins_left(item: Item, channel: Interval) -> bool:
    return item.box.centre[0] < channel.middle or (item.box.x0 < channel.start and item.box.x1 > channel.end)


def _merged(runs: Sequence[list[Item]]) -> list[list[Item]]:
    """Return the runs with those joined that follow each other down one column."""
    out: list[list[Item]] = []
    for run in runs:
        if out and _follows(out[-1], run):
            out[-1] = [*out[-1], *run]
        else:
            out.append(list(run))
    return out


def _follows(above: Sequence[Item], below: Sequence[Item]) -> bool:
    a, b = Box.around(i.box for i in above), Box.around(i.box for i in below)
    shared = a.x_interval.overlap(b.x_interval)
    return above[-1].box.centre[1] <= below[0].box.centre[1] and 2 * shared > max(a.width, b.width)


def _in_rows(items: Sequence[Item]) -> list[Item]:
    """Return items from top to bottom, those on one line from left to right."""
    rows: list[list[Item]] = []
    for item in sorted(items, key=_by_rows):
        last = rows[-1][0] if rows else None
        if last is not None and last.line and item.line and _on_one_line(last.box, item.box):
            rows[-1].append(item)
        else:
            rows.append([item])
    return [item for row in rows for item in sorted(row, key=lambda i: (i.box.x0, i.box.y0))]


def _on_one_line(a: Box, b: Box) -> bool:
    return 2 * a.y_interval.overlap(b.y_interval) > min(a.height, b.height)


def _channel(items: Sequence[Item], leading: float) -> Interval | None:
    """Return the white channel that best parts the items into columns, or None.

    Left and right of it lines stand under each other over the same stretch of the page; it is narrower than the columns that it
    parts (else the right one is a list of numbers, or of formulas' labels), and of two channels that is best along which most
    lines stand, less those that reach over it.
    """
    best: tuple[float, float] | None = None
    found: Interval | None = None
    for gap in _gaps(items):
        left = [i for i in items if i.box.x1 <= gap.start or (i.box.x0 < gap.start and i.box.x1 < gap.end)]
        right = [i for i in items if i.box.x0 >= gap.end or (i.box.x1 > gap.end and i.box.x0 > gap.start)]
        worth = _worth(left, right, items, gap, leading)
        if worth > 0 and (best is None or (worth, -gap.middle) > best):
            best, found = (worth, -gap.middle), gap
    return found


def _gaps(items: Sequence[Item]) -> list[Interval]:
    """Return the intervals between a right edge and the next left edge to its right that no item of the neighbours covers."""
    ends = sorted({i.box.x1 for i in items})
    starts = sorted({i.box.x0 for i in items})
    gaps: set[Interval] = set()
    for end in ends:
        start = next((s for s in starts if s > end), None)
        if start is not None:
            inner = max(e for e in ends if e < start)
            gaps.add(Interval(inner, start))
    return sorted(gaps)


def _worth(left: Sequence[Item], right: Sequence[Item], items: Sequence[Item], gap: Interval, leading: float) -> float:
    """Return over how many points lines stand on both sides of a channel, less the height of what reaches over it there."""
    if not left or not right:
        return 0.0
    both = _shared(left, right)
    stretch = sum(i.length for i in both)
    if stretch <= leading + leading / 2 or not (_is_column(left, gap, leading) and _is_column(right, gap, leading)):
        return 0.0
    low, high = both[0].start, both[-1].end
    across = [i for i in items if i.box.x0 < gap.start and i.box.x1 > gap.end and low < i.box.centre[1] < high]
    return stretch - sum(i.box.height for i in across if i.line is not None) * 2


def _shared(left: Sequence[Item], right: Sequence[Item]) -> list[Interval]:
    a, b = merge_intervals(i.box.y_interval for i in left), merge_intervals(i.box.y_interval for i in right)
    shared = [common for x in a for y in b if (common := x.intersection(y)) is not None and common.length > 0]
    return merge_intervals(shared)


def _is_column(side: Sequence[Item], gap: Interval, leading: float) -> bool:
    """Return whether lines stand under each other at the distance of running text, and are wider than the channel."""
    rows = sorted(side, key=_by_rows)
    widths = sorted(i.box.width for i in side)
    if widths[len(widths) // 2] <= gap.length:
        return False
    steps = [b.box.y1 - a.box.y1 for a, b in pairwise(rows)]
    return any(0 < step <= leading + leading / 2 for step in steps) or any(i.box.height / 2 > leading for i in side)
