"""What a PDF page gives us: words, characters, fonts, rules and images, as frozen data in displayed coordinates.

Boxes are PDF points, origin top-left, y down, of the page as displayed (page rotation and crop box already applied).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from variorum.geometry import Box


@dataclass(frozen=True, slots=True)
class Char:
    """One character: its text, box, baseline y, font size in points, font name."""

    text: str
    box: Box
    baseline: float
    size: float
    font: str


@dataclass(frozen=True, slots=True)
class Word:
    """A run of characters without white space on one line.

    `baseline` is the y of the writing line, `size` the font size of most of its characters, `font` that font's name;
    `angle` the direction in degrees counter-clockwise (0 is left to right). `block` and `line` are the positions in the
    PDF's own order of text. `is_visible` is False for a word that leaves no mark on white paper.
    """

    text: str
    box: Box
    baseline: float
    size: float
    font: str
    angle: int
    block: int
    line: int
    chars: tuple[Char, ...] = ()
    is_visible: bool = True

    @property
    def is_bold(self) -> bool:
        """Return whether the font's name says bold."""
        return any(mark in self.font.lower() for mark in ("bold", "black", "heavy", "-bd", "cmbx", "demi"))


@dataclass(frozen=True, slots=True)
class Rule:
    """An axis-parallel line on the page: a stroke, a thin filled rectangle, or the edge of a box; `thickness` in points.

    For a horizontal rule `position` is the y of its middle and `start..end` its x extent; for a vertical one the other
    way round.
    """

    orientation: Literal["horizontal", "vertical"]
    position: float
    start: float
    end: float
    thickness: float

    @property
    def length(self) -> float:
        """Return the extent in points."""
        return self.end - self.start

    @property
    def box(self) -> Box:
        """Return the rule as a box of its thickness."""
        half = self.thickness / 2
        if self.orientation == "horizontal":
            return Box(self.start, self.position - half, self.end, self.position + half)
        return Box(self.position - half, self.start, self.position + half, self.end)


@dataclass(frozen=True, slots=True)
class ImageBox:
    """A raster image on the page and where it is shown."""

    box: Box
    width_px: int
    height_px: int


@dataclass(frozen=True, slots=True)
class PageEvidence:
    """All that was read from one page, once.

    `page_index` is 0-based, `label` the printed page label where the PDF has one; `segment_count` counts the line segments and
    curves of all paths, `fills` are filled areas too thick to
    be rules (shading); `warnings` say what could not be read. `hidden` are words that nobody sees; they are not among the
    `words`.
    """

    page_index: int
    width: float
    height: float
    words: tuple[Word, ...]
    rules: tuple[Rule, ...]
    images: tuple[ImageBox, ...]
    fills: tuple[Box, ...]
    drawings: tuple[Box, ...]
    label: str | None = None
    warnings: tuple[str, ...] = ()
    segment_count: int = 0
    hidden: tuple[Word, ...] = ()

    @property
    def page_num(self) -> int:
        """Return the 1-based page number."""
        return self.page_index + 1

    @property
    def box(self) -> Box:
        """Return the whole page."""
        return Box(0.0, 0.0, self.width, self.height)


@dataclass(frozen=True, slots=True)
class LibraryGrid:
    """A table as a library sees it: its box and the boxes of its cells (None where a cell is covered), row by row."""

    bbox: Box
    rows: tuple[tuple[Box | None, ...], ...]


@dataclass(frozen=True, slots=True)
class PlainChar:
    """A character as another library reads it: its text (more than one letter for a ligature, empty where it knows none), its
    box, the y of its writing line, and whether it is written from left to right."""

    text: str
    box: Box
    baseline: float
    is_level: bool
