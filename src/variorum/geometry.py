"""Box and Interval: PDF points, origin top-left, y down. Pure functions, no I/O."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Interval:
    """A closed interval on one axis, in PDF points; `start` is never after `end`."""

    start: float
    end: float

    def __post_init__(self) -> None:
        if not (math.isfinite(self.start) and math.isfinite(self.end)):
            raise ValueError(f"interval {self.start}..{self.end} is not finite")
        if self.start > self.end:
            raise ValueError(f"interval starts at {self.start}, after its end {self.end}")

    @property
    def length(self) -> float:
        """Return end minus start, in points."""
        return self.end - self.start

    @property
    def middle(self) -> float:
        """Return the point half-way between start and end."""
        return (self.start + self.end) / 2

    def contains(self, position: float) -> bool:
        """Return whether the position lies inside or on an end."""
        return self.start <= position <= self.end

    def overlap(self, other: Interval) -> float:
        """Return the length shared with the other interval, 0 when they are apart."""
        return max(0.0, min(self.end, other.end) - max(self.start, other.start))

    def intersection(self, other: Interval) -> Interval | None:
        """Return the shared interval (it may be a single point), or None."""
        start, end = max(self.start, other.start), min(self.end, other.end)
        return Interval(start, end) if start <= end else None

    def hull(self, other: Interval) -> Interval:
        """Return the smallest interval that holds both."""
        return Interval(min(self.start, other.start), max(self.end, other.end))


def merge_intervals(intervals: Iterable[Interval]) -> list[Interval]:
    """Return the union of the intervals as disjoint intervals in order; touching ones are joined."""
    merged: list[Interval] = []
    for item in sorted(intervals):
        if merged and item.start <= merged[-1].end:
            merged[-1] = merged[-1].hull(item)
        else:
            merged.append(item)
    return merged


def gaps_between(intervals: Iterable[Interval]) -> list[Interval]:
    """Return the white intervals between the merged intervals, in order."""
    merged = merge_intervals(intervals)
    return [Interval(a.end, b.start) for a, b in itertools.pairwise(merged)]


@dataclass(frozen=True, slots=True, order=True)
class Box:
    """A rectangle in PDF points of the page as displayed: origin top-left, y down, x0 <= x1 and y0 <= y1."""

    x0: float
    y0: float
    x1: float
    y1: float

    def __post_init__(self) -> None:
        if not all(map(math.isfinite, (self.x0, self.y0, self.x1, self.y1))):
            raise ValueError(f"box {self.as_tuple()} is not finite")
        if self.x0 > self.x1 or self.y0 > self.y1:
            raise ValueError(f"box {self.as_tuple()} has its corners swapped")

    @classmethod
    def of(cls, values: Iterable[float]) -> Box:
        """Return the box of four numbers, corners put in order."""
        a, b, c, d = values
        return cls(min(a, c), min(b, d), max(a, c), max(b, d))

    @classmethod
    def around(cls, boxes: Iterable[Box]) -> Box:
        """Return the smallest box that holds all boxes; raises ValueError when there are none."""
        items = list(boxes)
        if not items:
            raise ValueError("no box to put a box around")
        return cls(min(b.x0 for b in items), min(b.y0 for b in items), max(b.x1 for b in items), max(b.y1 for b in items))

    def as_tuple(self) -> tuple[float, float, float, float]:
        """Return (x0, y0, x1, y1)."""
        return (self.x0, self.y0, self.x1, self.y1)

    @property
    def width(self) -> float:
        """Return the width in points."""
        return self.x1 - self.x0

    @property
    def height(self) -> float:
        """Return the height in points."""
        return self.y1 - self.y0

    @property
    def area(self) -> float:
        """Return the area in square points."""
        return self.width * self.height

    @property
    def x_interval(self) -> Interval:
        """Return the horizontal extent."""
        return Interval(self.x0, self.x1)

    @property
    def y_interval(self) -> Interval:
        """Return the vertical extent."""
        return Interval(self.y0, self.y1)

    @property
    def centre(self) -> tuple[float, float]:
        """Return the middle point (x, y)."""
        return ((self.x0 + self.x1) / 2, (self.y0 + self.y1) / 2)

    def contains_point(self, x: float, y: float) -> bool:
        """Return whether the point lies inside or on an edge."""
        return self.x0 <= x <= self.x1 and self.y0 <= y <= self.y1

    def contains_centre_of(self, other: Box) -> bool:
        """Return whether the middle of the other box lies in this one."""
        return self.contains_point(*other.centre)

    def intersection(self, other: Box) -> Box | None:
        """Return the shared rectangle (it may have no area), or None."""
        x0, y0, x1, y1 = max(self.x0, other.x0), max(self.y0, other.y0), min(self.x1, other.x1), min(self.y1, other.y1)
        return Box(x0, y0, x1, y1) if x0 <= x1 and y0 <= y1 else None

    def union(self, other: Box) -> Box:
        """Return the smallest box that holds both."""
        return Box(min(self.x0, other.x0), min(self.y0, other.y0), max(self.x1, other.x1), max(self.y1, other.y1))

    def iou(self, other: Box) -> float:
        """Return intersection over union, in [0, 1]; 0 when both are without area."""
        shared = self.intersection(other)
        common = shared.area if shared else 0.0
        total = self.area + other.area - common
        return common / total if total > 0 else 0.0

    def share_inside(self, other: Box) -> float:
        """Return the share of this box's area that lies in the other, in [0, 1]; a box without area counts by its middle."""
        if self.area == 0:
            return 1.0 if other.contains_centre_of(self) else 0.0
        shared = self.intersection(other)
        return shared.area / self.area if shared else 0.0

    def grown(self, by: float) -> Box:
        """Return the box with every edge moved outwards by so many points (inwards if negative, never past the middle)."""
        dx, dy = max(by, -self.width / 2), max(by, -self.height / 2)
        return Box(self.x0 - dx, self.y0 - dy, self.x1 + dx, self.y1 + dy)

    def rounded(self, digits: int = 2) -> Box:
        """Return the box with its numbers rounded, for output."""
        return Box(*(round(v, digits) for v in self.as_tuple()))
