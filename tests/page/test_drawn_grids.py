"""A search for drawn tables is made where edges can meet, and only there."""

from __future__ import annotations

from pathlib import Path

import pytest

from variorum.page.reader import PdfFile


def page_with(path: Path, *, across: bool, down: bool, shaded: bool = False) -> Path:
    """Return a PDF with words in a grid of 2 × 2, and the rules of the grid that are asked for."""
    import pymupdf

    with pymupdf.open() as pdf:
        page = pdf.new_page(width=300, height=200)
        for x in (60, 160):
            for y in (65, 95):
                page.insert_text((x, y), "word")
        for at in (50, 75, 105) if across else ():
            page.draw_line((50, at), (250, at))
        for at in (50, 150, 250) if down else ():
            page.draw_line((at, 50), (at, 105))
        if shaded:
            page.draw_rect((50, 50, 250, 75), color=None, fill=(0.9, 0.9, 0.9))
            page.draw_rect((50, 75, 250, 105), color=None, fill=(0.8, 0.8, 0.8))
        pdf.save(path)
    return path


@pytest.mark.parametrize(
    ("across", "down", "shaded", "count"),
    [
        (True, True, False, 1),
        (True, False, False, 0),
        (False, True, False, 0),
        (False, False, False, 0),
        (False, False, True, 0),
    ],
)
def test_tables_are_found_as_the_library_finds_them(tmp_path: Path, across: bool, down: bool, shaded: bool, count: int) -> None:
    with PdfFile(page_with(tmp_path / "page.pdf", across=across, down=down, shaded=shaded)) as pdf:
        assert len(pdf.page(0).found_grids("lines")) == count
        assert len(pdf.live[0].find_tables(strategy="lines").tables) == count
