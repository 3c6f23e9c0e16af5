"""The one door to PyMuPDF: imported lazily and put into the state in which its text is proven clean.

A plain import of PyMuPDF 2 switches its layout model and unset quad corrections on, which damages text (characters out
of order, digits lost). Both are switched off here, and messages on stderr are silenced: damage is reported by the
reader as notices.
"""

from __future__ import annotations

from functools import cache
from typing import Any


@cache
def pymupdf() -> Any:
    """Return the PyMuPDF module, set up for clean text."""
    import pymupdf as module

    module.TOOLS.unset_quad_corrections(False)
    module.TOOLS.mupdf_display_errors(False)
    module.TOOLS.mupdf_display_warnings(False)
    module.use_layout(False)
    return module


@cache
def layout_model() -> Any:
    """Return PyMuPDF's bundled layout model (boxes by class); loaded on first use, the plain text path is left switched
    as it is."""
    pymupdf()
    from pymupdf.layout import DocumentLayoutAnalyzer

    return DocumentLayoutAnalyzer.get_model()
