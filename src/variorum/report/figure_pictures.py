"""The figures of a paper as PNG files: each one's box of its page, drawn again from the PDF."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

from variorum.document import Document, Figure
from variorum.geometry import Box
from variorum.page.reader import PageHandle, PdfFile


def figure_pictures(
    document: Document, pdf_path: str | Path, password: str | None, dpi: int, complain: Callable[[str], object]
) -> dict[str, bytes]:
    """Return the pictures of the figures as PNG at `dpi` dots an inch, by the figures' ids, in the order of the document.

    The box of a figure is cut to its page; its caption stands outside. A figure that cannot be drawn has no picture, and
    `complain` is told why in a sentence. Raises errors of the family when the PDF cannot be opened.
    """
    by_page: defaultdict[int, list[tuple[Figure, Box]]] = defaultdict(list)
    for figure in document.figures:
        place = figure.provenance
        if place.page_num is not None and place.bbox is not None:
            by_page[place.page_num].append((figure, place.bbox))
        else:
            complain(f"the figure {figure.id} has no place on a page, so it has no picture")
    found: dict[str, bytes] = {}
    if not by_page:
        return found
    with PdfFile(pdf_path, password) as pdf:
        for page_num, figures in sorted(by_page.items()):
            handle = pdf.page(page_num - 1)
            for figure, box in figures:
                try:
                    found[figure.id] = _drawn(handle, box, dpi)
                except Exception as error:  # whatever the library says of one picture, the others are drawn
                    complain(f"the figure {figure.id} on page {page_num} could not be drawn ({type(error).__name__}: {error})")
            handle.close()
    return {figure.id: found[figure.id] for figure in document.figures if figure.id in found}


def _drawn(handle: PageHandle, box: Box, dpi: int) -> bytes:
    page = handle.evidence
    shown = box.intersection(Box(0, 0, page.width, page.height))
    if shown is None or shown.area == 0:
        raise ValueError("its box has no area on the page")
    return handle.render_png(dpi, shown)
