"""Pictures of pages for the truth workbench: the page at its size, and the box of each table on it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from variorum.errors import PageRangeError
from variorum.geometry import Box
from variorum.report.truth_pictures import truth_pictures

RED = (204, 0, 26)


def blank_pdf(folder: Path, rotation: int = 0) -> Path:
    import pymupdf

    pdf = pymupdf.open()
    pdf.new_page(width=200, height=300).set_rotation(rotation)
    pdf.save(folder / "paper.pdf")
    return folder / "paper.pdf"


def drawn(pdf: Path, box: Box) -> Any:
    import pymupdf

    found = truth_pictures(pdf, {1: [("table-1", box)]}, None, 144, pytest.fail)
    return pymupdf.Pixmap(found[1])


def is_red(pixel: tuple[int, ...]) -> bool:
    return all(abs(one - other) < 60 for one, other in zip(pixel, RED, strict=True))


@pytest.mark.parametrize(("rotation", "size"), [(0, (400, 600)), (90, (600, 400))])
def test_two_pixels_of_the_page_as_displayed_are_a_point(tmp_path: Path, rotation: int, size: tuple[int, int]) -> None:
    picture = drawn(blank_pdf(tmp_path, rotation), Box(50, 100, 150, 140))
    assert (picture.width, picture.height) == size
    red = [(x, y) for x in range(picture.width) for y in (240,) if is_red(picture.pixel(x, y))]
    assert [round(x / 2) for x, _ in (red[0], red[-1])] == [48, 152], "a line two points around the box"
    assert not is_red(picture.pixel(200, 240))


def test_the_name_of_a_table_at_the_edge_stays_on_the_page(tmp_path: Path) -> None:
    picture = drawn(blank_pdf(tmp_path), Box(190, 0, 200, 20))
    columns = [x for x in range(picture.width) for y in range(20, 80, 4) if is_red(picture.pixel(x, y))]
    assert max(columns) - min(columns) > 40, "the label is there in its whole width"


def test_a_page_outside_the_paper_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(PageRangeError):
        truth_pictures(blank_pdf(tmp_path), {2: []}, None, 144, pytest.fail)
