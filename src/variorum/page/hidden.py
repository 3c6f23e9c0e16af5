"""Text that is not painted, and text that lies where nothing is printed: what scans carry as their text layer."""

from __future__ import annotations

from collections import Counter
from typing import Any

from variorum.page._pymupdf import pymupdf
from variorum.page.model import PageEvidence


def hidden_share(live: Any) -> float:
    """Return the share of the characters of a PyMuPDF page that are neither filled nor stroked, or wholly transparent, from 0
    to 1; 0 without characters."""
    mu = pymupdf()
    painted = mu.mupdf.FZ_STEXT_FILLED | mu.mupdf.FZ_STEXT_STROKED
    counts: Counter[bool] = Counter()
    for block in live.get_text("rawdict", flags=mu.TEXT_MEDIABOX_CLIP)["blocks"]:
        for line in block.get("lines", ()):
            for span in line["spans"]:
                is_hidden = not span["char_flags"] & painted or span["alpha"] == 0
                counts[is_hidden] += sum(not c["c"].isspace() for c in span["chars"])
    return counts[True] / counts.total() if counts.total() else 0.0


def share_without_ink(live: Any, page: PageEvidence) -> float:
    """Return the share of the page's words in whose boxes nothing is printed, from 0 to 1; 0 without words.

    The page is rendered at a pixel a point. Ink is what is darker than the middle between its darkest and its lightest pixel.
    """
    import numpy

    mu = pymupdf()
    picture = live.get_pixmap(colorspace=mu.csGRAY, alpha=False)
    grey = numpy.frombuffer(picture.samples, numpy.uint8).reshape(picture.height, picture.stride)[:, : picture.width]
    middle = (int(grey.min()) + int(grey.max())) / 2
    empty = 0
    for word in page.words:
        box = word.box
        inside = grey[max(0, int(box.y0)) : int(box.y1) + 1, max(0, int(box.x0)) : int(box.x1) + 1]
        empty += not (inside < middle).any()
    return empty / len(page.words) if page.words else 0.0
