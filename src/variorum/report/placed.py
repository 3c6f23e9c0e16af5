"""Boxes as the report writes them: four numbers of the page as displayed, in points, with two digits after the point."""

from __future__ import annotations

from variorum.geometry import Box

Corners = list[float]
_DIGITS = 2


def corners(box: Box) -> Corners:
    """Return the box as ``[x0, y0, x1, y1]``."""
    return [rounded(v) for v in box.as_tuple()]


def rounded(value: float) -> float:
    """Return the value with two digits after the point; never a minus zero."""
    return round(value, _DIGITS) + 0.0
