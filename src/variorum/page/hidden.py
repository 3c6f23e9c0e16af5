"""Hidden text: words that a page holds and nobody sees, since they are not painted, or white on the white of the page.

Words that lie on a picture, a shape or a shaded area are none of these: they are the text layer of a scan, letters drawn as
shapes, or white type on a dark ground.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from variorum.geometry import Box
from variorum.page._pymupdf import pymupdf
from variorum.page.model import Word


def is_unpainted(span: Mapping[str, Any]) -> bool:
    """Return whether a span of a PyMuPDF ``rawdict`` is neither filled nor stroked nor used to clip, or is wholly transparent.

    What the span does not say is as usual: filled and opaque.
    """
    mu = pymupdf().mupdf
    painted = mu.FZ_STEXT_FILLED | mu.FZ_STEXT_STROKED | mu.FZ_STEXT_CLIPPED
    return not span.get("char_flags", painted) & painted or span.get("alpha") == 0


def is_invisible(span: Mapping[str, Any]) -> bool:
    """Return whether a span leaves no mark on white paper: it is not painted, or white."""
    return is_unpainted(span) or bool(min(pymupdf().sRGB_to_pdf(span.get("color", 0))) == 1)


def part_hidden(words: Sequence[Word], painted: Iterable[Box]) -> tuple[tuple[Word, ...], tuple[Word, ...]]:
    """Return the words that can be seen and those that cannot, each in order; `painted` are pictures, shapes and fills."""
    doubtful = [w for w in words if not w.is_visible]
    if not doubtful:
        return tuple(words), ()
    boxes = list(painted)
    hidden = {id(w) for w in doubtful if not any(box.contains_centre_of(w.box) for box in boxes)}
    return tuple(w for w in words if id(w) not in hidden), tuple(w for w in words if id(w) in hidden)
