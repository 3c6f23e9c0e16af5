"""One page of an open PDF as a PDF of its own, for libraries that read files.

What is handed over has the page as displayed: rotation and crop box are applied, encryption is taken off, annotations are
left out. It has one page only, so that a library can read no other.
"""

from __future__ import annotations

from typing import Any

from variorum.page._pymupdf import pymupdf


def page_alone(live: Any) -> bytes:
    """Return a PDF of the one page, which must be without rotation; its media box is what is shown."""
    mu = pymupdf()
    with mu.open() as copy:
        copy.insert_pdf(live.parent, from_page=live.number, to_page=live.number, links=False, annots=False, widgets=False)
        page = copy[0]
        crop_to_shown(page)
        data: bytes = copy.tobytes(encryption=mu.PDF_ENCRYPT_NONE)
        return data


def crop_to_shown(page: Any) -> None:
    """Make the crop box the whole of a PyMuPDF page, where it is not."""
    whole, crop = page.mediabox, page.cropbox
    if crop != whole:
        page.set_mediabox(pymupdf().Rect(crop.x0, whole.y1 - crop.y1, crop.x1, whole.y1 - crop.y0))
