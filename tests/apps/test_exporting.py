"""Claims about the files that a paper becomes."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

from variorum.apps.exporting import MAX_DPI, check_dpi, parse_formats, render_files
from variorum.apps.naming import figure_stems
from variorum.apps.output_folder import OutputFolder
from variorum.document import Document, Figure, PageInfo, Provenance
from variorum.errors import UsageError
from variorum.geometry import Box

BOX = Box(72, 72, 144, 216)  # one inch by two


def figure(index: int, number: str | None, page_num: int, box: Box | None = BOX) -> Figure:
    place = Provenance(source="pdf", method="figures", page_num=page_num, bbox=box)
    return Figure(id=f"f{index}", provenance=place, kind="vector", number=number)


def document(*figures: Figure) -> Document:
    pages = (PageInfo(page_num=1, width=612, height=792),)
    return Document(key="K", source_name="a.pdf", sha256="0" * 64, page_count=1, pages=pages, figures=figures)


@pytest.fixture
def pdf(tmp_path: Path) -> Path:
    import pymupdf

    path = tmp_path / "a.pdf"
    with pymupdf.open() as made:
        made.new_page(width=612, height=792).draw_rect(BOX.as_tuple(), fill=(1, 0, 0))
        made.save(path)
    return path


def size_of(png: bytes) -> tuple[int, int]:
    width, height = struct.unpack(">II", png[16:24])
    return width, height


def test_figures_are_named_like_tables() -> None:
    paper = document(figure(1, "1", 1), figure(2, None, 1), figure(3, "A.2", 1), figure(4, "3", 1), figure(5, "3", 2))
    assert figure_stems(paper) == ["figure-1", "figure-p1-1", "figure-A.2", "figure-3-p1", "figure-3-p2"]


@pytest.mark.parametrize("dpi", [72, 300])
def test_figure_is_drawn_at_the_resolution_and_linked(pdf: Path, dpi: int) -> None:
    files = render_files(document(figure(1, "1", 1)), ("md", "html", "figures"), pdf_path=pdf, password=None, dpi=dpi)
    assert size_of(files["figures/figure-1.png"]) == (dpi, 2 * dpi)
    assert b"![Figure 1](figures/figure-1.png)" in files["document.md"]
    assert b'<img src="figures/figure-1.png"' in files["document.html"]


def test_without_the_format_nothing_links_to_a_picture(pdf: Path) -> None:
    files = render_files(document(figure(1, "1", 1)), ("md", "html"), pdf_path=pdf, password=None)
    assert sorted(files) == ["document.html", "document.md"]
    assert b"figures/" not in files["document.md"] + files["document.html"]


def test_figure_that_cannot_be_drawn_costs_itself_and_is_named(pdf: Path) -> None:
    said: list[str] = []
    paper = document(figure(1, "1", 1), figure(2, "2", 1, Box(700, 0, 800, 10)), figure(3, "3", 1, None))
    files = render_files(paper, ("figures",), pdf_path=pdf, password=None, complain=said.append)
    assert sorted(files) == ["figures/figure-1.png"]
    assert sorted(what.split()[2] for what in said) == ["f2", "f3"]


def test_picture_of_a_figure_that_is_gone_is_removed(tmp_path: Path) -> None:
    folder = OutputFolder(tmp_path / "out")
    folder.write({"figures/figure-1.png": b"a", "figures/figure-2.png": b"b"}, source_sha256="1", table_stems=())
    folder.write({"document.md": b"c"}, source_sha256="1", table_stems=["figure-1"])
    assert [path.name for path in sorted((tmp_path / "out" / "figures").iterdir())] == ["figure-1.png"]


def test_docling_file_is_named_for_its_kind(pdf: Path) -> None:
    assert list(render_files(document(), ("docling",), pdf_path=pdf, password=None)) == ["document.docling.json"]


def test_docling_without_its_package_is_refused_before_anything_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("variorum.apps.exporting.find_spec", lambda name: None)
    with pytest.raises(UsageError) as caught:
        parse_formats(["docling"])
    assert caught.value.hint == "pip install 'variorum[docling]'"


@pytest.mark.parametrize("dpi", [0, -1, MAX_DPI + 1])
def test_resolution_out_of_range_is_refused(dpi: int) -> None:
    with pytest.raises(UsageError):
        check_dpi(dpi)
