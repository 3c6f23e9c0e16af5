"""A table set sideways is read in a turned view, and its places are told on the page as displayed."""

from __future__ import annotations

from pathlib import Path

import pytest
from pictures import rows_of

import variorum
from variorum.geometry import Box
from variorum.page._pymupdf import pymupdf

ROWS = (("Drug", "Dose", "Effect"), ("Alpha", "12.5", "0.81"), ("Beta", "7.0", "0.64"), ("Gamma", "3.2", "0.17"))
WIDTH, HEIGHT = 595, 842
STEP, LEADING, TOP, LEFT = 110, 18, 160, 120


def placed(x: float, y: float, angle: int) -> tuple[float, float]:
    """Return where a point of the upright sheet (842 x 595) lies on the page: turned by the angle, counter-clockwise."""
    return {0: (x, y), 90: (y, HEIGHT - x), 270: (WIDTH - y, x)}[angle]


def write(path: Path, angle: int) -> None:
    pdf = pymupdf().open()
    page = pdf.new_page(width=WIDTH, height=HEIGHT)
    page.insert_text(placed(LEFT, TOP - 14, angle), "Table 1. Effects of the drugs.", fontsize=10, rotate=angle)
    right, bottom = LEFT + STEP * 3, TOP + LEADING * len(ROWS)
    for r, row in enumerate(ROWS):
        for c, text in enumerate(row):
            page.insert_text(placed(LEFT + 6 + c * STEP, TOP + 13 + r * LEADING, angle), text, fontsize=10, rotate=angle)
    for r in range(len(ROWS) + 1):
        y = TOP + r * LEADING
        page.draw_line(placed(LEFT, y, angle), placed(right, y, angle), width=0.6)
    for c in range(4):
        x = LEFT + c * STEP
        page.draw_line(placed(x, TOP, angle), placed(x, bottom, angle), width=0.6)
    pdf.save(path)
    pdf.close()


@pytest.mark.parametrize("angle", [0, 90, 270])
def test_cells_caption_and_places(angle: int, tmp_path: Path) -> None:
    write(tmp_path / "page.pdf", angle)
    document = variorum.extract(tmp_path / "page.pdf")
    (table,) = document.tables
    assert list(rows_of([[c.text for c in table.cells if c.row == r] for r in range(4)])) == [" | ".join(row) for row in ROWS]
    assert (table.angle, table.number, table.header_rows) == (angle, "1", 1)
    assert not [n for n in document.notices if n.severity == "error"]
    assert table.apparatus is not None
    assert not [o for o in table.apparatus.outcomes if o.status == "failed"]

    def region(x0: float, y0: float, x1: float, y1: float) -> Box:
        return Box.of((*placed(x0, y0, angle), *placed(x1, y1, angle)))

    bbox = table.provenance.bbox
    assert bbox is not None
    assert bbox.iou(region(LEFT, TOP, LEFT + STEP * 3, TOP + LEADING * 4)) > 0.9
    assert table.caption is not None
    assert region(LEFT - 5, TOP - 30, LEFT + 300, TOP).contains_centre_of(table.caption.bbox)
    for cell in table.cells:
        place = region(
            LEFT + cell.col * STEP, TOP + cell.row * LEADING, LEFT + (cell.col + 1) * STEP, TOP + (cell.row + 1) * LEADING
        )
        assert cell.bbox is not None
        assert place.intersection(cell.bbox) == cell.bbox
    with pymupdf().open(tmp_path / "page.pdf") as pdf:
        for cell in table.cells:
            assert pdf[0].get_text("text", clip=pymupdf().Rect(*cell.bbox.grown(1).as_tuple())).split() == [cell.text]  # type: ignore[union-attr]


def test_given_region_of_a_sideways_table_is_read_sideways(tmp_path: Path) -> None:
    write(tmp_path / "page.pdf", 90)
    box = Box.of((*placed(LEFT - 2, TOP - 2, 90), *placed(LEFT + STEP * 3 + 2, TOP + LEADING * 4 + 2, 90)))
    document = variorum.extract(tmp_path / "page.pdf", regions=[{"page": 1, "bbox": list(box.as_tuple())}])
    (table,) = document.tables
    assert (table.angle, table.n_rows, table.n_cols) == (90, 4, 3)
    assert [c.text for c in table.cells if c.row == 1] == list(ROWS[1])
