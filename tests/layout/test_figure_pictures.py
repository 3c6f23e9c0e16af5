"""Figures as pictures: the part of the page that they stand on, at the resolution asked for."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

from variorum.document.paper_model import Figure
from variorum.document.placing import Provenance
from variorum.errors import PageRangeError, UsageError
from variorum.geometry import Box
from variorum.layout.figure_pictures import figure_png, part_png
from variorum.page.reader import PdfFile
from variorum.page.turning import UPWARDS


@pytest.fixture
def paper(tmp_path: Path) -> Path:
    """Return a PDF of one page of 300 x 400 pt."""
    import pymupdf

    path = tmp_path / "paper.pdf"
    pdf = pymupdf.open()
    pdf.new_page(width=300, height=400).draw_rect((60, 80, 132, 224), fill=(0, 0, 0))
    pdf.save(path)
    pdf.close()
    return path


def figure(box: Box | None, page_num: int | None = 1) -> Figure:
    return Figure(id="figure-1", provenance=Provenance(source="pdf", method="", page_num=page_num, bbox=box), kind="vector")


def size(png: bytes) -> tuple[int, int]:
    """Return the width and height in pixels that a PNG states."""
    assert png.startswith(b"\x89PNG")
    width, height = struct.unpack(">II", png[16:24])
    return width, height


@pytest.mark.parametrize(("dpi", "pixels"), [(72, (72, 144)), (144, (144, 288))])
def test_picture_has_the_size_of_the_figure_at_the_resolution(paper: Path, dpi: int, pixels: tuple[int, int]) -> None:
    with PdfFile(paper) as pdf:
        assert size(figure_png(pdf, figure(Box(60, 80, 132, 224)), dpi)) == pixels


def test_what_is_outside_the_page_is_left_out(paper: Path) -> None:
    with PdfFile(paper) as pdf:
        assert size(figure_png(pdf, figure(Box(200, 300, 900, 900)), 72)) == (100, 100)


def test_box_of_a_turned_view_is_led_back_to_the_page(paper: Path) -> None:
    with PdfFile(paper) as pdf:
        handle = pdf.page(0)
        assert size(part_png(handle, Box(0, 0, 144, 72), 72, UPWARDS)) == (72, 144)


def test_same_figure_gives_the_same_bytes(paper: Path) -> None:
    with PdfFile(paper) as pdf:
        one, other = (figure_png(pdf, figure(Box(60, 80, 132, 224)), 100) for _ in range(2))
    assert one == other


@pytest.mark.parametrize(("box", "dpi"), [(None, 72), (Box(60, 80, 132, 224), 0), (Box(900, 900, 950, 950), 72)])
def test_figure_that_cannot_be_shown_is_a_fault_of_the_call(paper: Path, box: Box | None, dpi: int) -> None:
    with PdfFile(paper) as pdf, pytest.raises(UsageError):
        figure_png(pdf, figure(box), dpi)


def test_figure_on_a_page_that_is_not_there_is_a_fault(paper: Path) -> None:
    with PdfFile(paper) as pdf, pytest.raises(PageRangeError):
        figure_png(pdf, figure(Box(0, 0, 10, 10), page_num=2), 72)
