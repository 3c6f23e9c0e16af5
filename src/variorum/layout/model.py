"""What the document level works on: the lines of print of every page, as frozen data that can be sent between processes.

A line of print is what stands on one baseline with nothing but word spaces between: in one column, or in one cell of a table.
Boxes are PDF points of the page as displayed, origin top-left, y down; page indices are 0-based, page numbers 1-based.
"""

from __future__ import annotations

import itertools
from collections import Counter
from dataclasses import dataclass
from typing import Literal

from variorum.geometry import Box
from variorum.layout.scripts import text_of_runs
from variorum.page.bookmarks import OutlineEntry
from variorum.page.model import Rule
from variorum.page.turning import UPSIDE_DOWN
from variorum.thresholds import LINES_APART

Script = Literal["", "sup", "sub"]
LineId = tuple[int, int]
"""A line of the paper: the 0-based index of its page, and its position on that page."""


@dataclass(frozen=True, slots=True)
class Run:
    """A stretch of a line in one font, size and position: its text without spaces at its ends, and whether a space stands
    before it.

    `script` says whether it is raised (``sup``) or lowered (``sub``) small type.
    """

    text: str
    box: Box
    font: str
    size: float
    script: Script = ""
    space_before: bool = False


@dataclass(frozen=True, slots=True)
class PrintLine:
    """One line of print: its box, baseline (y for level text), the size and font of most of its characters, and its runs.

    `index` is its position among the lines of the page, which are in the PDF's own order of text; `words` are the indices of
    its words among those of the page's evidence; `block` is the block of the PDF in which it begins. `angle` is 0 for a line
    that stands upright in the page's view, else its direction on the page as displayed (-1 oblique).
    """

    page_index: int
    index: int
    box: Box
    baseline: float
    size: float
    font: str
    runs: tuple[Run, ...]
    words: tuple[int, ...]
    block: int
    angle: int = 0

    @property
    def id(self) -> LineId:
        """Return the page index and the position on the page."""
        return (self.page_index, self.index)

    @property
    def text(self) -> str:
        """Return the text with superscripts and subscripts as Unicode signs where there are such (``x²``, else ``x^{*}``)."""
        return text_of_runs(self.runs)

    @property
    def plain(self) -> str:
        """Return the text with raised and lowered characters as they are."""
        return "".join((" " if r.space_before else "") + r.text for r in self.runs).strip()

    def share_of(self, is_such: object) -> float:
        """Return the share of the characters, from 0 to 1, in runs for which `is_such(run)` holds."""
        if not callable(is_such):
            raise TypeError("a function from a Run to a truth value is needed")
        total = sum(len(r.text) for r in self.runs)
        return sum(len(r.text) for r in self.runs if is_such(r)) / total if total else 0.0


@dataclass(frozen=True, slots=True)
class PrintCaption:
    """A caption as a page prints it: its kind (``table``, ``figure``, ``algorithm``), label and number as printed, whole text,
    box, and the positions of its lines on the page."""

    kind: str
    label: str
    number: str
    text: str
    box: Box
    lines: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PagePrint:
    """All that the document level needs of one page: its lines of print, captions, rules, pictures, the layout model's boxes.

    Everything stands in the view in which most of its words are upright: the page as displayed turned by `angle` (0, 90, 180
    or 270; `variorum.page.turning.displayed` leads back; `width` and `height` are those of the view). `drawings` are the boxes
    of painted paths, `fills` those of filled areas, `images` those of raster images (with their size in pixels); `layout_boxes`
    are (class, box) of PyMuPDF's layout model, empty where it was not asked. `space_em` is the page's usual word space in em;
    `n_words` counts the words of the page's evidence. `ocr` says that the words come from the recognition of a picture.
    `hidden` are lines that nobody sees; they are not among the `lines`, and their numbers go on behind them.
    """

    page_index: int
    width: float
    height: float
    label: str | None
    lines: tuple[PrintLine, ...]
    captions: tuple[PrintCaption, ...] = ()
    rules: tuple[Rule, ...] = ()
    images: tuple[tuple[Box, int, int], ...] = ()
    drawings: tuple[Box, ...] = ()
    fills: tuple[Box, ...] = ()
    layout_boxes: tuple[tuple[str, Box], ...] = ()
    angle: int = 0
    space_em: float = 0.0
    n_words: int = 0
    ocr: bool = False
    hidden: tuple[PrintLine, ...] = ()

    @property
    def page_num(self) -> int:
        """Return the 1-based page number."""
        return self.page_index + 1

    @property
    def displayed_size(self) -> tuple[float, float]:
        """Return width and height of the page as displayed, in points."""
        return (self.width, self.height) if self.angle in (0, UPSIDE_DOWN) else (self.height, self.width)


@dataclass(frozen=True, slots=True)
class PaperPrint:
    """All pages that were read, in order, with the PDF's bookmarks and the title and author of its metadata ('' unknown)."""

    pages: tuple[PagePrint, ...]
    outline: tuple[OutlineEntry, ...] = ()
    meta_title: str = ""
    meta_author: str = ""


@dataclass(frozen=True, slots=True)
class BodyStyle:
    """How running text is set in this paper: font size, font, leading (baseline to baseline) and word space in points.

    Measured over all lines, weighted by their characters: the most frequent of each; sizes to half a point.
    """

    size: float
    font: str
    leading: float
    word_space: float


def is_size(size: float, other: float) -> bool:
    """Return whether two font sizes are the same to the eye: TeX stretches type by some hundredths to fill a line."""
    return 2 * abs(size - other) < 1


def is_bold(font: str) -> bool:
    """Return whether a font's name says bold."""
    return any(mark in font.lower() for mark in ("bold", "black", "heavy", "-bd", "cmbx", "demi", "medi", "sfbx", "ecbx"))


def is_italic(font: str) -> bool:
    """Return whether a font's name says italic or slanted."""
    return any(mark in font.lower() for mark in ("ital", "obli", "slant", "cmti", "cmsl", "cmmi", "sfti", "ecti"))


def is_monospaced(font: str) -> bool:
    """Return whether a font's name says that all its characters are of one width."""
    return any(
        mark in font.lower() for mark in ("mono", "courier", "cmtt", "typewriter", "consol", "sftt", "ectt", "inconsolata")
    )


def body_style(pages: tuple[PagePrint, ...]) -> BodyStyle | None:
    """Return how running text is set, measured over all level lines of the pages; None where there is no line."""
    lines = [line for page in pages for line in page.lines if line.angle == 0]
    if not lines:
        return None
    sizes: Counter[float] = Counter()
    for line in lines:
        sizes[round(2 * line.size) / 2] += len(line.plain)
    size = max(sizes, key=lambda s: (sizes[s], s))
    own = [line for line in lines if is_size(line.size, size)]
    fonts: Counter[str] = Counter()
    for line in own:
        fonts[line.font] += len(line.plain)
    font = max(fonts, key=lambda f: (fonts[f], f))
    spaces = sorted(page.space_em for page in pages if page.lines)
    return BodyStyle(size, font, _leading(own, size), spaces[len(spaces) // 2] * size)


def _leading(lines: list[PrintLine], size: float) -> float:
    steps: Counter[float] = Counter()
    for above, below in itertools.pairwise(lines):
        step = round(below.baseline - above.baseline, 1)
        if above.page_index == below.page_index and 0 < step <= LINES_APART * size and _share_column(above, below):
            steps[step] += 1
    return max(steps, key=lambda s: (steps[s], -s)) if steps else size


def _share_column(above: PrintLine, below: PrintLine) -> bool:
    return above.box.x_interval.overlap(below.box.x_interval) > 0
