"""A page without a text layer that can be read is known for one, and no other is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pymupdf
import pytest

from tests.page.scanned import (
    REPORT,
    Overlay,
    good_layer,
    layer_of_noise,
    layer_of_random_words,
    misplaced_layer,
    scan,
    stamp,
)
from variorum.page.reader import PdfFile
from variorum.page.scans import is_word

SCANS = 120
"""Resolution of scans that nobody reads."""
PARTS = 4


def kinds(path: Path) -> list[str]:
    with PdfFile(path) as pdf:
        return [page.text_layer.kind for page in pdf.pages()]


def test_pages_of_the_example_are_good() -> None:
    assert set(kinds(REPORT)) == {"good"}


@pytest.mark.parametrize(
    ("overlays", "kind"),
    [
        ((), "absent"),
        ((stamp,), "stamp"),
        ((good_layer,), "good"),
        ((good_layer, stamp), "good"),
        ((layer_of_noise,), "garbled"),
        ((layer_of_noise, stamp), "garbled"),
        ((layer_of_random_words,), "garbled"),
        ((misplaced_layer,), "garbled"),
    ],
)
def test_every_page_of_a_scan_is_known_for_what_it_is(overlays: tuple[Overlay, ...], kind: str, tmp_path: Path) -> None:
    assert set(kinds(scan(REPORT, tmp_path / "scan.pdf", *overlays, dpi=SCANS))) == {kind}


def test_one_page_with_a_layer_of_other_words_stands_out_in_its_paper(tmp_path: Path) -> None:
    path = scan(REPORT, tmp_path / "scan.pdf", layer_of_random_words, pages=[0], dpi=SCANS)
    with pymupdf.open(path) as scanned, pymupdf.open(REPORT) as report:
        scanned.insert_pdf(report, from_page=1)
        scanned.save(tmp_path / "mixed.pdf")
    assert kinds(tmp_path / "mixed.pdf") == ["garbled", "good", "good", "good", "good"]


def test_sideways_stamp_along_the_margin_is_a_stamp(tmp_path: Path) -> None:
    def along_the_edge(page: Any, _: Any) -> None:
        page.insert_text((12, 700), "Downloaded from library.example.org on 1 April 2024 " * 3, fontsize=7, rotate=90)

    assert kinds(scan(REPORT, tmp_path / "scan.pdf", along_the_edge, pages=[0], dpi=SCANS)) == ["stamp"]


def test_scan_in_strips_is_one_picture(tmp_path: Path) -> None:
    with pymupdf.open(REPORT) as old, pymupdf.open() as new:
        area = old[0].rect
        page = new.new_page(width=area.width, height=area.height)
        for n in range(10):
            strip = pymupdf.Rect(0, n * area.height / 10, area.width, (n + 1) * area.height / 10)
            page.insert_image(strip, stream=old[0].get_pixmap(dpi=SCANS, clip=strip).tobytes("png"))
        stamp(page, None)
        new.save(tmp_path / "strips.pdf")
    assert kinds(tmp_path / "strips.pdf") == ["stamp"]


def test_text_over_a_picture_of_the_page_is_no_stamp(tmp_path: Path) -> None:
    with pymupdf.open(REPORT) as pdf:
        ground = pymupdf.Pixmap(pymupdf.csRGB, (0, 0, 100, 140), 0)
        ground.set_rect(ground.irect, (200, 220, 255))
        pdf[0].insert_image(pdf[0].rect, pixmap=ground, overlay=False)
        pdf.save(tmp_path / "ground.pdf")
    assert kinds(tmp_path / "ground.pdf")[0] == "good"


def test_page_of_letters_as_shapes_is_outlined(tmp_path: Path) -> None:
    with pymupdf.open() as pdf:
        page = pdf.new_page()
        shape = page.new_shape()
        for x in range(60, 500, 12):
            shape.draw_curve((x, 100), (x + 5, 90), (x + 9, 100))
            shape.finish(fill=(0, 0, 0))
        shape.commit()
        pdf.save(tmp_path / "shapes.pdf")
    assert kinds(tmp_path / "shapes.pdf") == ["outlined"]


def test_empty_page_is_good(tmp_path: Path) -> None:
    with pymupdf.open() as pdf:
        pdf.new_page()
        pdf.save(tmp_path / "empty.pdf")
    assert kinds(tmp_path / "empty.pdf") == ["good"]


def test_reason_has_its_figures(tmp_path: Path) -> None:
    with PdfFile(scan(REPORT, tmp_path / "scan.pdf", stamp, pages=[0], dpi=SCANS)) as pdf:
        reason = pdf.page(0).text_layer.reason
    assert reason.startswith("a picture covers 100% of the page; 7 words leave ")


@pytest.mark.parametrize("word", ["reading,", "(Table", "NATO", "don't", "well-known", "Größe", "ἀρχή", "слово", "表格", "a"])
def test_word_of_a_language_is_one(word: str) -> None:
    assert is_word(word)


@pytest.mark.parametrize("noise", ["x7#q", "tbhk", "rEaD", "3.14", "a1", "||", ""])
def test_noise_is_no_word(noise: str) -> None:
    assert not is_word(noise)


@pytest.mark.corpus
@pytest.mark.parametrize("turn", range(PARTS))
def test_no_page_of_a_real_paper_with_text_is_called_a_scan(turn: int, corpus: Path) -> None:
    wrong = []
    for paper in sorted(corpus.rglob("*.pdf"))[turn::PARTS]:
        with PdfFile(paper) as pdf:
            for page in pdf.pages():
                if not page.text_layer.is_usable:
                    wrong.append((paper.name, page.page_index + 1, page.text_layer))
                page.close()
    assert wrong == []
