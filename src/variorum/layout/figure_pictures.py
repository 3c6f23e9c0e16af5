"""A figure of a paper as a picture: the part of its page that it stands on, rendered."""

from __future__ import annotations

from variorum.document.model import Document
from variorum.document.paper_model import Figure
from variorum.errors import UsageError
from variorum.geometry import Box
from variorum.page.reader import PageHandle, PdfFile
from variorum.page.turning import displayed


def figure_png(pdf: PdfFile, figure: Figure, dpi: int) -> bytes:
    """Return a figure as PNG bytes at a resolution in dots per inch, cut from its page as the PDF shows it.

    Raises UsageError for a figure without page or box, and for a resolution below 1; PageRangeError for a page that the PDF
    does not have.
    """
    place = figure.provenance
    if place.page_num is None or place.bbox is None:
        raise UsageError("has no place on a page", where=figure.id, hint="a figure that was read from this PDF")
    handle = pdf.page(place.page_num - 1)
    try:
        return part_png(handle, place.bbox, dpi)
    finally:
        handle.close()


def figures_png(pdf: PdfFile, document: Document, dpi: int) -> dict[str, bytes]:
    """Return the figures of a document that have a place on a page as PNG bytes by their ids, in order; see `figure_png`."""
    placed = [f for f in document.figures if f.provenance.page_num is not None and f.provenance.bbox is not None]
    return {figure.id: figure_png(pdf, figure, dpi) for figure in placed}


def part_png(handle: PageHandle, box: Box, dpi: int, angle: int = 0) -> bytes:
    """Return a part of a page as PNG bytes at a resolution in dots per inch.

    `box` lies in the view of the page turned by `angle` (0: the page as displayed), in points; what of it is outside the page
    is left out. The picture shows the page as displayed. Raises UsageError for a resolution below 1 and a box outside the page.
    """
    if dpi < 1:
        raise UsageError(f"a resolution of {dpi} dots per inch shows nothing", hint="--dpi 150")
    page = handle.evidence
    seen = displayed(box, angle, page.width, page.height).intersection(page.box)
    if seen is None or seen.area == 0:
        raise UsageError(f"nothing of {box.as_tuple()} is on the page", where=f"page {page.page_num}", hint="a box on the page")
    return handle.render_png(dpi, seen)
