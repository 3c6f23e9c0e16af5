"""Other libraries are asked about the right page, and what they say lies where a viewer shows it."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path

import pytest
from pictures import HEIGHT, WIDTH, drawn, pdf_of

from variorum.geometry import Box
from variorum.page._pymupdf import pymupdf
from variorum.page.model import LibraryGrid
from variorum.page.reader import PageHandle, PdfFile

GRID = "+-----+-----+\n| A   | B   |\n+-----+-----+\n| C   | D   |\n+-----+-----+"
READERS: dict[str, Callable[[PageHandle], tuple[LibraryGrid, ...]]] = {
    "camelot lattice": lambda handle: handle.camelot_grids("lattice"),
    "camelot hybrid": lambda handle: handle.camelot_grids("hybrid"),
    "pdfplumber lines": lambda handle: handle.pdfplumber_grids("lines"),
    "pymupdf lines": lambda handle: handle.found_grids("lines"),
}
NEAR = 3.01  # points: rules of a drawing go on by 3 points past where they cross, and camelot goes to their ends


def corners(drawing: str) -> Box:
    """Return the box around the places where the rules of a drawing cross."""
    rules = drawn(drawing).rules
    xs = [r.position for r in rules if r.orientation == "vertical"]
    ys = [r.position for r in rules if r.orientation == "horizontal"]
    return Box(min(xs), min(ys), max(xs), max(ys))


def framed(path: Path, frame: str, rotation: int) -> Box:
    """Write the grid on a page whose frame is cropped or begins elsewhere, turned; return where a viewer shows its rules."""
    mu = pymupdf()
    pdf_of(GRID, path.with_suffix(".upright.pdf"))
    with mu.open(path.with_suffix(".upright.pdf")) as pdf:
        live = pdf[0]
        box = corners(GRID)
        wide, high = WIDTH, HEIGHT
        if frame == "cropped":
            live.set_cropbox(mu.Rect(30, 40, WIDTH - 10, HEIGHT - 20))
            box, wide, high = Box(box.x0 - 30, box.y0 - 40, box.x1 - 30, box.y1 - 40), WIDTH - 40, HEIGHT - 60
        if frame == "origin elsewhere":  # the drawing stays where it is; the page begins 20 further left and ends 30 higher
            pdf.xref_set_key(live.xref, "MediaBox", f"[-20 0 {WIDTH} {HEIGHT + 30}]")
            box, wide, high = Box(box.x0 + 20, box.y0 + 30, box.x1 + 20, box.y1 + 30), WIDTH + 20, HEIGHT + 30
        live.set_rotation(rotation)
        pdf.save(path)
    match rotation:
        case 90:
            return Box(high - box.y1, box.x0, high - box.y0, box.x1)
        case 180:
            return Box(wide - box.x1, high - box.y1, wide - box.x0, high - box.y0)
        case 270:
            return Box(box.y0, wide - box.x1, box.y1, wide - box.x0)
    return box


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("frame", ["whole", "cropped", "origin elsewhere"])
@pytest.mark.parametrize("rotation", [0, 180])
def test_grid_lies_where_it_is_seen(reader: str, frame: str, rotation: int, tmp_path: Path) -> None:
    expected = framed(tmp_path / "page.pdf", frame, rotation)
    with PdfFile(tmp_path / "page.pdf") as pdf:
        grids = READERS[reader](pdf.page(0))
    assert grids
    for grid in grids:
        assert grid.bbox.as_tuple() == pytest.approx(expected.as_tuple(), abs=NEAR)


@pytest.mark.parametrize("frame", ["whole", "cropped", "origin elsewhere"])
@pytest.mark.parametrize("rotation", [90, 270])
def test_grid_on_a_page_turned_aside_lies_where_it_is_seen(frame: str, rotation: int, tmp_path: Path) -> None:
    """camelot turns pages of sideways text itself; what it finds there has no place on the page and is left out."""
    expected = framed(tmp_path / "page.pdf", frame, rotation)
    with PdfFile(tmp_path / "page.pdf") as pdf:
        handle = pdf.page(0)
        (grid,) = handle.pdfplumber_grids("lines")
        turned = (*handle.camelot_grids("lattice"), *handle.camelot_grids("hybrid"))
    assert grid.bbox.as_tuple() == pytest.approx(expected.as_tuple(), abs=NEAR)
    assert all(g.bbox.as_tuple() == pytest.approx(expected.as_tuple(), abs=NEAR) for g in turned)


@pytest.mark.parametrize("frame", ["whole", "cropped", "origin elsewhere"])
@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
def test_characters_stand_where_the_words_do(frame: str, rotation: int, tmp_path: Path) -> None:
    framed(tmp_path / "page.pdf", frame, rotation)
    with PdfFile(tmp_path / "page.pdf") as pdf:
        handle = pdf.page(0)
        words = {w.text: w for w in handle.evidence.words}
        chars = {c.text: c for c in handle.pdfminer_chars}
    assert sorted(chars) == sorted(words) == ["A", "B", "C", "D"]
    for text, char in chars.items():
        assert words[text].box.grown(1).contains_centre_of(char.box)
        assert char.is_level == (rotation == 0)
        if rotation == 0:
            assert char.baseline == pytest.approx(words[text].baseline, abs=0.01)


def pages_of(path: Path, *drawings: str, password: str | None = None) -> None:
    """Write a PDF with these drawings, one a page."""
    mu = pymupdf()
    with mu.open() as pdf:
        for i, drawing in enumerate(drawings):
            pdf_of(drawing, path.with_suffix(f".{i}.pdf"))
            with mu.open(path.with_suffix(f".{i}.pdf")) as one:
                pdf.insert_pdf(one)
        if password:
            forbidden = mu.PDF_PERM_ACCESSIBILITY  # nothing else, so no copying of text
            pdf.save(path, encryption=mu.PDF_ENCRYPT_AES_256, user_pw=password, owner_pw="other", permissions=forbidden)
        else:
            pdf.save(path)


WIDE = "+-----+-----+-----+\n| K   | L   | M   |\n+-----+-----+-----+\n| N   | O   | P   |\n+-----+-----+-----+"


@pytest.mark.parametrize("password", [None, "open"])
@pytest.mark.parametrize("reader", READERS)
def test_the_page_that_was_asked_for_is_read(reader: str, password: str | None, tmp_path: Path) -> None:
    pages_of(tmp_path / "three.pdf", "nothing here", GRID, WIDE, password=password)
    with PdfFile(tmp_path / "three.pdf", password) as pdf:
        found = [READERS[reader](pdf.page(i)) for i in range(3)]
        letters = ["".join(sorted({c.text for c in pdf.page(i).pdfminer_chars})) for i in range(3)]
    right = [max((g.bbox.x1 for g in grids if len(g.rows) > 1), default=0.0) for grids in found]
    assert right == pytest.approx([0, corners(GRID).x1, corners(WIDE).x1], abs=NEAR)
    assert letters == ["eghinort", "ABCD", "KLMNOP"]


def test_a_page_is_read_once_a_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import variorum.page.reader as module

    pages_of(tmp_path / "one.pdf", GRID)
    copies: list[int] = []
    original = module.page_alone
    monkeypatch.setattr(module, "page_alone", lambda live: copies.append(live.number) or original(live))
    with PdfFile(tmp_path / "one.pdf") as pdf:
        handle = pdf.page(0)
        for _ in range(2):
            assert [reader(handle) for reader in READERS.values()]
            assert handle.pdfminer_chars
        assert handle.camelot_grids("lattice") is handle.camelot_grids("lattice")
        assert handle.pdfplumber_grids("lines") is handle.pdfplumber_grids("lines")
        assert copies == [0]
        handle.close()
        assert handle.pdfminer_chars
        assert copies == [0, 0]


def test_libraries_say_nothing_on_stderr(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    with pymupdf().open() as pdf:
        pdf.new_page()
        pdf.save(tmp_path / "empty.pdf")
    with PdfFile(tmp_path / "empty.pdf") as file:
        handle = file.page(0)
        assert handle.camelot_grids("lattice") == handle.camelot_grids("hybrid") == handle.camelot_grids("network") == ()
        assert handle.pdfplumber_grids("lines") == handle.pdfplumber_grids("text") == ()
        assert handle.pdfminer_chars == ()
    for name in ("camelot", "playa.font", "pdfminer.pdffont", "pdfplumber.pdf"):
        logging.getLogger(name).handle(logging.LogRecord(name, logging.WARNING, "", 0, "a fault in the font", None, None))
    assert capfd.readouterr() == ("", "")
