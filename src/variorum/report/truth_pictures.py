"""Pictures of pages for the truth workbench: the page as displayed, with the box and the name of each table on it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from variorum.geometry import Box
from variorum.page.reader import PageHandle, PdfFile

_RED: Final = (0.8, 0.0, 0.1)
_WHITE: Final = (1.0, 1.0, 1.0)
_LINE_PT: Final = 0.8
_TYPE_PT: Final = 8.0
_ROOM_PT: Final = 2.0
"""Points between a table's box, which is drawn close around its text, and the line."""


def truth_pictures(
    pdf_path: Path,
    boxes: Mapping[int, Sequence[tuple[str, Box]]],
    password: str | None,
    dpi: int,
    complain: Callable[[str], object],
) -> dict[int, bytes]:
    """Return a PNG for each page number (from 1) of `boxes`, with the boxes, in points as displayed, and their names drawn.

    `dpi` is the resolution in dots an inch. A page that cannot be drawn has no picture, and `complain` is told why. Raises
    errors of the family when the PDF cannot be opened or has no such page.
    """
    found: dict[int, bytes] = {}
    with PdfFile(pdf_path, password) as pdf:
        for page_num, named in sorted(boxes.items()):
            handle = pdf.page(page_num - 1)
            try:
                found[page_num] = _drawn(handle, named, dpi)
            except Exception as error:  # whatever the library says of one page, the others are drawn
                complain(f"page {page_num} could not be drawn ({type(error).__name__}: {error})")
            handle.close()
    return found


def _drawn(handle: PageHandle, named: Sequence[tuple[str, Box]], dpi: int) -> bytes:
    import pymupdf

    width, height = handle.evidence.width, handle.evidence.height
    canvas: Any = pymupdf.open()
    page = canvas.new_page(width=width, height=height)
    page.insert_image(page.rect, stream=handle.render_png(dpi))
    for name, box in named:
        line = pymupdf.Rect(box.x0 - _ROOM_PT, box.y0 - _ROOM_PT, box.x1 + _ROOM_PT, box.y1 + _ROOM_PT)
        page.draw_rect(line, color=_RED, width=_LINE_PT)
        room = pymupdf.get_text_length(name, fontsize=_TYPE_PT) + 2 * _ROOM_PT
        left = max(0.0, min(line.x0, width - room))
        top = line.y0 - _TYPE_PT - 2 * _ROOM_PT
        top = top if top >= 0 else min(line.y1, height - _TYPE_PT - 2 * _ROOM_PT)
        label = pymupdf.Rect(left, top, left + room, top + _TYPE_PT + 2 * _ROOM_PT)
        page.draw_rect(label, color=_RED, fill=_RED, width=_LINE_PT)
        page.insert_text((label.x0 + _ROOM_PT, label.y1 - 2 * _ROOM_PT), name, fontsize=_TYPE_PT, color=_WHITE)
    png: bytes = page.get_pixmap(dpi=dpi).tobytes("png")
    canvas.close()
    return png
