"""The one door to pdfplumber (and pdfminer.six below it): imported lazily, asked about one page, in points as displayed.

Its messages go to nobody unless the caller has set up logging.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping
from functools import cache
from io import BytesIO
from typing import Any, Final

from variorum.geometry import Box
from variorum.page.model import LibraryGrid, PlainChar
from variorum.thresholds import COORDINATE_DIGITS

STRATEGIES: Final = ("lines", "text")
_NO_TEXT: Final = re.compile(r"\(cid:\d+\)")  # pdfminer's sign for a glyph without a text


@cache
def _pdfplumber() -> Any:
    import pdfplumber

    for name in ("pdfplumber", "pdfminer"):
        logging.getLogger(name).addHandler(logging.NullHandler())
    return pdfplumber


class PlumbedPage:
    """The only page of a PDF as pdfplumber parses it, once."""

    def __init__(self, data: bytes, width: float, height: float) -> None:
        self._pdf = _pdfplumber().open(BytesIO(data))
        self._page = self._pdf.pages[0]  # pages count from 0 here, and there is one
        left, top, right, bottom = self._page.bbox
        self._left, self._top = left, top
        self._across, self._down = width / (right - left), height / (bottom - top)

    def grids(self, strategy: str, clip: Box | None = None) -> tuple[LibraryGrid, ...]:
        """Return the tables that ``find_tables`` sees with the strategy (``lines`` or ``text``), inside the clip where one
        is given; sorted by place."""
        area = self._page if clip is None else self._cropped(clip)
        found = area.find_tables({"vertical_strategy": strategy, "horizontal_strategy": strategy})
        return tuple(sorted((self._grid(t) for t in found), key=lambda g: g.bbox))

    @property
    def chars(self) -> tuple[PlainChar, ...]:
        """Return the characters in the PDF's order, white space left out; one that has no text in the font's map is empty."""
        return tuple(self._char(c) for c in self._page.chars if not c["text"].isspace())

    def close(self) -> None:
        """Drop what was parsed."""
        self._pdf.close()

    def _cropped(self, clip: Box) -> Any:
        x0, x1 = (self._left + x / self._across for x in (clip.x0, clip.x1))
        y0, y1 = (self._top + y / self._down for y in (clip.y0, clip.y1))
        return self._page.crop((x0, y0, x1, y1), strict=False)

    def _grid(self, table: Any) -> LibraryGrid:
        rows = tuple(tuple(self._box(c) if c else None for c in row.cells) for row in table.rows)
        return LibraryGrid(self._box(table.bbox), rows)

    def _char(self, char: Mapping[str, Any]) -> PlainChar:
        along, rising, _, _, _, origin = char["matrix"]
        text = "" if _NO_TEXT.fullmatch(char["text"]) else char["text"]
        box = self._box((char["x0"], char["top"], char["x1"], char["bottom"]))
        baseline = round((self._page.height - origin) * self._down, COORDINATE_DIGITS)
        return PlainChar(text, box, baseline, along > 0 and abs(rising) < along)

    def _box(self, corners: tuple[float, float, float, float]) -> Box:
        x0, x1 = ((x - self._left) * self._across for x in (corners[0], corners[2]))
        y0, y1 = ((y - self._top) * self._down for y in (corners[1], corners[3]))
        return Box.of((x0, y0, x1, y1)).rounded(COORDINATE_DIGITS)
