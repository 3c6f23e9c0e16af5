"""The one door to PyMuPDF: imported lazily and put into the state in which its text is proven clean.

A plain import of PyMuPDF 2 switches its layout model and unset quad corrections on, which damages text (characters out
of order, digits lost). Both are switched off here, and messages on stderr are silenced: damage is reported by the
reader as notices.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any


@cache
def pymupdf() -> Any:
    """Return the PyMuPDF module, set up for clean text."""
    return _modules()[0]


def forget_pages() -> None:
    """Drop what MuPDF keeps of the pages that it has read (fonts, images), so that a process does not grow with every page."""
    pymupdf().mupdf.fz_empty_store()


def outlined_characters(page: Any, flags: int) -> Any:
    """Return a page's ``rawdict`` with the boxes of the glyphs' outlines, and with the codes of characters without Unicode.

    The outlines are kept only while quad corrections are unset; the order of its characters is of no use then.
    """
    mu = pymupdf()
    mu.TOOLS.unset_quad_corrections(True)
    try:
        return page.get_text("rawdict", flags=flags | mu.TEXT_CID_FOR_UNKNOWN_UNICODE | mu.TEXT_ACCURATE_BBOXES)
    finally:
        mu.TOOLS.unset_quad_corrections(False)


@cache
def layout_model() -> Callable[..., Any]:
    """Return the function of PyMuPDF's bundled layout model: from a page to boxes with their classes, or, with
    ``return_raw=True``, to groups (``class_name``, ``group_bbox``, and for tables the lines of the grid model, ``table_grid``).

    The import of PyMuPDF has loaded it already; the plain text path stays switched as it is.
    """
    predict: Callable[..., Any] | None = _modules()[1]
    if predict is not None:
        return predict
    from pymupdf.layout import DocumentLayoutAnalyzer

    found: Callable[..., Any] = DocumentLayoutAnalyzer.get_model().predict
    return found


@cache
def _modules() -> tuple[Any, Any]:
    import pymupdf as module

    predict = getattr(module, "_get_layout", None)
    module.TOOLS.unset_quad_corrections(False)
    module.TOOLS.mupdf_display_errors(False)
    module.TOOLS.mupdf_display_warnings(False)
    module.use_layout(False)
    return module, predict
