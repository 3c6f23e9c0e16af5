"""Columns from white space: where, line after line, the segments of a table leave a channel free.

For every x the lines of writing either support a divider (they have segments on both sides and none across), block it
(a segment lies across) or say nothing. A channel is a stretch where support is highest locally and more lines support
than block: one spanning header or one long label does not close it, one accidental gap does not open it. Two
neighbouring columns that no line ever fills together are one column whose entries do not overlap; their divider is dropped.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from variorum.geometry import Interval
from variorum.page.lines import Segment
from variorum.page.model import Word


@dataclass(frozen=True, slots=True)
class Channel:
    """A white channel: its x extent in points, the lines that support it and those that block it."""

    interval: Interval
    support: int
    blocked: int

    @property
    def confidence(self) -> float:
        """Return the share of speaking lines that support the channel, in (0, 1]."""
        return self.support / (self.support + self.blocked)


def channels(lines: Sequence[Sequence[Segment]]) -> list[Channel]:
    """Return the channels between the columns of lines of segments, left to right."""
    found = _peaks(lines)
    while found:
        lone = _unsupported(found, lines)
        if lone is None:
            break
        found = [c for c in found if c is not lone]
    return found


def _peaks(lines: Sequence[Sequence[Segment]]) -> list[Channel]:
    edges = sorted({x for line in lines for s in line for x in (s.box.x0, s.box.x1)})
    if len(edges) <= 2:
        return []
    n = len(edges) - 1
    support, blocked = [0] * n, [0] * n
    for line in lines:
        boxes = [s.box for s in line]
        for box in boxes:
            for i in range(bisect_left(edges, box.x0), bisect_left(edges, box.x1)):
                blocked[i] += 1
        reach = boxes[0].x1 if boxes else 0.0
        for box in boxes[1:]:
            for i in range(bisect_left(edges, reach), bisect_left(edges, box.x0)):
                support[i] += 1
            reach = max(reach, box.x1)
    return _local_maxima(edges, support, blocked)


def _local_maxima(edges: Sequence[float], support: Sequence[int], blocked: Sequence[int]) -> list[Channel]:
    found: list[Channel] = []
    n = len(support)
    i = 0
    while i < n:
        j = i
        score = support[i] - blocked[i]
        while j + 1 < n and support[j + 1] - blocked[j + 1] == score:
            j += 1
        before = support[i - 1] - blocked[i - 1] if i else score - 1
        after = support[j + 1] - blocked[j + 1] if j + 1 < n else score - 1
        if score > 0 and before < score > after:
            found.append(Channel(Interval(edges[i], edges[j + 1]), support[i], blocked[i]))
        i = j + 1
    return found


def column_of(x0: float, x1: float, found: Sequence[Channel]) -> range:
    """Return the columns that the extent x0..x1 covers: between which channels' middles it lies or reaches."""
    middles = [c.interval.middle for c in found]
    first = sum(m <= x0 for m in middles)
    last = sum(m < x1 for m in middles)
    return range(first, max(first, last) + 1)


def fill_matrix(lines: Sequence[Sequence[Segment]], found: Sequence[Channel]) -> list[set[int]]:
    """Return for every line the set of columns that it fills with segments of one column; spanning segments are left out."""
    rows: list[set[int]] = []
    for line in lines:
        spans = [column_of(s.box.x0, s.box.x1, found) for s in line]
        rows.append({r[0] for r in spans if len(r) == 1})
    return rows


def _unsupported(found: Sequence[Channel], lines: Sequence[Sequence[Segment]]) -> Channel | None:
    """Return the weakest channel whose two columns are never filled by one line, or None."""
    filled = fill_matrix(lines, found)
    lone = [c for i, c in enumerate(found) if not any(i in f and i + 1 in f for f in filled)]
    return min(lone, key=lambda c: (c.support - c.blocked, c.interval.length, c.interval.start), default=None)


def place_slack(words: Iterable[Word], space_em: float) -> float:
    """Return by how much two texts that stand alike in a column may differ, in points: half of half a word space of the largest
    type, so that no text a space further on stands like them."""
    return space_em * max((w.size for w in words), default=0.0) / 2 / 2
