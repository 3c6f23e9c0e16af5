"""A page as a picture in grey, and the straight lines drawn in it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from variorum.geometry import Box
from variorum.page.model import Rule
from variorum.page.rules import join_rules
from variorum.thresholds import COORDINATE_DIGITS


@dataclass(frozen=True, slots=True)
class GreyPicture:
    """A rendered page: its size in pixels, its rows of grey values from the top (a byte a pixel, 0 is black), and its
    resolution in pixels an inch."""

    width_px: int
    height_px: int
    grey: bytes
    dpi: int

    def as_pnm(self) -> bytes:
        """Return the picture as a file in Netpbm's format of grey values."""
        return b"P5 %d %d 255\n" % (self.width_px, self.height_px) + self.grey


def rules_in(picture: GreyPicture, page: Box, text_size: float) -> tuple[Rule, ...]:
    """Return the straight lines along the edges of the page that the picture shows, in points.

    A line is ink without a gap for more than two `text_size` (points; no stroke of a letter is that long) that is thinner than
    half of it. Ink is darker than the middle between the darkest and the lightest pixel. Lines that are slanted by more than
    their thickness come in pieces.
    """
    import numpy

    grey = numpy.frombuffer(picture.grey, numpy.uint8).reshape(picture.height_px, picture.width_px)
    ink = grey < (int(grey.min()) + int(grey.max())) / 2
    across, down = page.width / picture.width_px, page.height / picture.height_px
    found: list[Rule] = []
    for row, last, start, end in _bars(ink, 2 * text_size / across):
        thickness = (last - row) * down
        if 2 * thickness < text_size:
            found.append(_rule("horizontal", (row + last) / 2 * down, start * across, end * across, thickness))
    for column, last, start, end in _bars(ink.T, 2 * text_size / down):
        thickness = (last - column) * across
        if 2 * thickness < text_size:
            found.append(_rule("vertical", (column + last) / 2 * across, start * down, end * down, thickness))
    return join_rules(found)


def _rule(orientation: Any, position: float, start: float, end: float, thickness: float) -> Rule:
    values = (round(v, COORDINATE_DIGITS) for v in (position, start, end, thickness))
    return Rule(orientation, *values)


def _bars(ink: Any, least: float) -> list[tuple[int, int, int, int]]:
    """Return (first row, row behind the last, first column, column behind the last) of ink that is longer than the least, each
    the runs of neighbouring rows that overlap."""
    import numpy

    rows, width = ink.shape
    padded = numpy.zeros((rows, width + 2), numpy.int8)
    padded[:, 1:-1] = ink
    steps = numpy.diff(padded, axis=1)
    row_of, starts = numpy.nonzero(steps == 1)
    ends = numpy.nonzero(steps == -1)[1]
    is_long = ends - starts > least
    open_bars: list[list[int]] = []
    done: list[list[int]] = []
    for row, start, end in zip(row_of[is_long].tolist(), starts[is_long].tolist(), ends[is_long].tolist(), strict=True):
        done += [bar for bar in open_bars if bar[1] < row]
        open_bars = [bar for bar in open_bars if bar[1] >= row]
        beside = next((bar for bar in open_bars if bar[2] < end and start < bar[3]), None)
        if beside is None:
            open_bars.append([row, row + 1, start, end])
        else:
            beside[1] = row + 1
            beside[2], beside[3] = min(beside[2], start), max(beside[3], end)
    return [(a, b, c, d) for a, b, c, d in sorted([*done, *open_bars])]
