"""What makes a drawn rule the bar of a fraction: what stands above and below it, measured by the size of the type.

Words are asked by their boxes and sizes, and so are groups of them; only extents across count here, how near they stand to the
bar is for the caller to say.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from variorum.geometry import Box, Interval
from variorum.page.model import Rule


class Typeset(Protocol):
    """Type that was set: its box in points, and the size of the type."""

    @property
    def box(self) -> Box:
        """The box around it."""
        ...

    @property
    def size(self) -> float:
        """The size of its type in points."""
        ...


def stands_at(part: Typeset, bar: Rule) -> bool:
    """Return whether a part has its middle over or under the bar, and reaches past its ends by half its size at most."""
    over = max(bar.start - part.box.x0, part.box.x1 - bar.end)
    return bar.start <= part.box.x_interval.middle <= bar.end and 2 * over <= part.size


def is_central(bar: Rule, side: Sequence[Typeset]) -> bool:
    """Return whether a side of a fraction stands in the middle of the bar, to half the size of its type."""
    return 2 * abs(hull_of(side).middle - (bar.start + bar.end) / 2) <= max(part.size for part in side)


def fills(bar: Rule, above: Sequence[Typeset], below: Sequence[Typeset]) -> bool:
    """Return whether a bar is as long as the longer of two sides: the rules of tables are as long as their columns."""
    longer = max(hull_of(above).length, hull_of(below).length)
    return 2 * abs(bar.length - longer) <= max(part.size for part in (*above, *below))


def hull_of(parts: Sequence[Typeset]) -> Interval:
    """Return the extent across of all parts."""
    return Box.around(part.box for part in parts).x_interval


def needs_brackets(side: str) -> bool:
    """Return whether a side of a fraction is more than one word, number or sign, so that ``/`` alone would mislead."""
    return not (side.isalnum() or len(side) == 1)
