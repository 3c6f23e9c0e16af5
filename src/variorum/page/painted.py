"""What is painted on a page and what is not: text that is hidden, words where nothing is printed, writing that is no text."""

from __future__ import annotations

from collections import Counter
from typing import Any

from variorum.page._pymupdf import pymupdf
from variorum.page.hidden import is_unpainted
from variorum.page.model import PageEvidence

_PIXELS_PER_POINT = 2


class Painted:
    """What is painted on a PyMuPDF page with the words of the evidence; nothing is rendered before it is asked for."""

    def __init__(self, live: Any, page: PageEvidence) -> None:
        self._live = live
        self._page = page

    def hidden_share(self) -> float:
        """Return the share of the characters that are not painted, from 0 to 1; 0 without characters."""
        counts: Counter[bool] = Counter()
        for block in self._live.get_text("rawdict", flags=pymupdf().TEXT_MEDIABOX_CLIP)["blocks"]:
            for line in block.get("lines", ()):
                for span in line["spans"]:
                    counts[is_unpainted(span)] += sum(not c["c"].isspace() for c in span["chars"])
        return counts[True] / counts.total() if counts.total() else 0.0

    def share_without_ink(self) -> float:
        """Return the share of the words in whose boxes nothing is printed, from 0 to 1; 0 without words."""
        ink = self._ink()
        empty = sum(not ink[rows, columns].any() for rows, columns in self._places())
        return empty / len(self._page.words) if self._page.words else 0.0

    def share_of_strokes_beside_words(self) -> float:
        """Return the share of the strokes that lie in no word's box, from 0 to 1; 0 without ink.

        A stroke is a change from light to ink along a line of pixels: writing has many, areas and lines few.
        """
        ink = self._ink()
        begins = ink.copy()
        begins[:, 1:] &= ~ink[:, :-1]
        total = int(begins.sum())
        for rows, columns in self._places():
            begins[rows, columns] = False
        return int(begins.sum()) / total if total else 0.0

    def _places(self) -> list[tuple[slice, slice]]:
        """Return rows and columns of pixels of each word."""
        boxes = [w.box for w in self._page.words]
        by = _PIXELS_PER_POINT
        return [
            (slice(max(0, int(b.y0 * by)), int(b.y1 * by) + 1), slice(max(0, int(b.x0 * by)), int(b.x1 * by) + 1))
            for b in boxes
        ]

    def _ink(self) -> Any:
        """Return where the page is darker than the middle between its darkest and its lightest pixel: rows of truth values, two
        a point."""
        import numpy

        mu = pymupdf()
        scale = mu.Matrix(_PIXELS_PER_POINT, _PIXELS_PER_POINT)
        picture = self._live.get_pixmap(matrix=scale, colorspace=mu.csGRAY, alpha=False)
        grey = numpy.frombuffer(picture.samples, numpy.uint8).reshape(picture.height, picture.stride)[:, : picture.width]
        return grey < (int(grey.min()) + int(grey.max())) / 2
