"""Pages without a text layer are read by Tesseract where that is asked for, and a fault of it costs its words only."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

import variorum
from tests.page.scanned import REPORT, good_layer, layer_of_noise, needs_tesseract, scan, stamp
from variorum.errors import UsageError
from variorum.geometry import Box
from variorum.page import _tesseract
from variorum.page._tesseract import RecognitionError, read_hocr
from variorum.page.model import PageEvidence, Rule, Word
from variorum.page.ocr import OcrOptions, RecognisedPage, check_ocr, read_picture, read_scan
from variorum.page.picture import GreyPicture, rules_in
from variorum.page.reader import PdfFile
from variorum.page.reprint import page_of

TABLES_PAGE = 3
"""The page of the example with Table 3 and Table 4; 0-based."""
RULED = "4"
"""The number of the table with rules around every cell."""
HOCR = """<?xml version="1.0" encoding="UTF-8"?>
<html xmlns="http://www.w3.org/1999/xhtml"><body><div class='ocr_page' title='bbox 0 0 100 100'>
<div class='ocr_carea'><p class='ocr_par'><span class='ocr_line' title="bbox 10 20 50 29; baseline 0.5 -2; x_size 9">
<span class='ocrx_word' title='bbox 10 20 30 29; x_wconf 91'>
<span class='ocrx_cinfo' title='x_bboxes 10 20 20 27; x_conf 99'>A</span><span class='ocrx_cinfo'
 title='x_bboxes 20 20 30 29; x_conf 98'>g</span></span></span></p></div>
<div class='ocr_photo' title="bbox 60 60 90 90"></div></div></body></html>"""


@pytest.fixture
def forgetful() -> Iterator[None]:
    """Look for the program anew, now and in the next test."""
    _tesseract.find_tesseract.cache_clear()
    yield
    _tesseract.find_tesseract.cache_clear()


def put_program(folder: Path, answer: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Put a program of the name on PATH that knows English, and answers for a picture what is given."""
    program = folder / "tesseract"
    head = '#!/bin/sh\ncase "$1" in --version) echo "tesseract 9.9";; --list-langs) printf "List:\\neng\\n";; *) '
    program.write_text(f"{head}{answer};; esac\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(folder), prepend=":")


def recognised(path: Path) -> list[RecognisedPage]:
    options = OcrOptions()
    with PdfFile(path) as pdf:
        return [read_picture(page.evidence, page.text_layer, page.picture(), options, 300) for page in pdf.pages()]


def recall(page: PageEvidence, index: int) -> float:
    """Return the share of the words of the example's page that are among those of the page."""
    with PdfFile(REPORT) as pdf:
        true = Counter(w.text for w in pdf.page(index).evidence.words)
    return (true & Counter(w.text for w in page.words)).total() / true.total()


# ---- with Tesseract -------------------------------------------------------------------------------------------------


@needs_tesseract
def test_words_of_a_scan_are_read(tmp_path: Path) -> None:
    first, tables = recognised(scan(REPORT, tmp_path / "scan.pdf", pages=[0, TABLES_PAGE]))
    assert recall(first.page, 0) >= 0.95
    assert recall(tables.page, TABLES_PAGE) >= 0.95


@needs_tesseract
def test_words_stand_where_they_are_printed(tmp_path: Path) -> None:
    (page,) = recognised(scan(REPORT, tmp_path / "scan.pdf", pages=[0]))
    with PdfFile(REPORT) as pdf:
        true = pdf.page(0).evidence.words
    once = {text for text, count in Counter(w.text for w in true).items() if count == 1 and len(text) > 2}
    places = {w.text: w for w in true if w.text in once}
    found = [(w, places[w.text]) for w in page.page.words if w.text in places]
    assert len(found) * 2 > len(places)
    assert all(a.box.contains_centre_of(b.box) and abs(a.baseline - b.baseline) < 1 for a, b in found)
    assert sum(abs(a.size - b.size) < 1 for a, b in found) * 10 >= 9 * len(found)


@needs_tesseract
def test_words_under_a_bad_layer_are_read_in_its_place(tmp_path: Path) -> None:
    (page,) = recognised(scan(REPORT, tmp_path / "scan.pdf", layer_of_noise, pages=[0]))
    assert recall(page.page, 0) >= 0.95
    assert page.page.images == ()


@needs_tesseract
def test_words_of_a_stamp_are_kept_once(tmp_path: Path) -> None:
    (page,) = recognised(scan(REPORT, tmp_path / "scan.pdf", stamp, pages=[0]))
    assert [w.text for w in page.page.words].count("library.example.org") == 1
    assert recall(page.page, 0) >= 0.95


@needs_tesseract
def test_ruled_table_of_a_scan_has_its_cells(tmp_path: Path) -> None:
    path = scan(REPORT, tmp_path / "scan.pdf", pages=[TABLES_PAGE])
    true = {t.number: t for t in variorum.extract(REPORT, pages=TABLES_PAGE + 1, config="fast").tables}
    read = {t.number: t for t in variorum.extract(path, config="fast", ocr=OcrOptions()).tables}
    assert sorted(read) == sorted(true)
    table, other = true[RULED], read[RULED]
    assert (other.n_rows, other.n_cols) == (table.n_rows, table.n_cols)
    texts = {(c.row, c.col, "".join(c.text.split())) for c in table.cells}
    same = texts & {(c.row, c.col, "".join(c.text.split())) for c in other.cells}
    assert len(same) * 10 >= 9 * len(texts)


@needs_tesseract
def test_result_does_not_depend_on_processes_and_says_how_it_was_read(tmp_path: Path) -> None:
    path = scan(REPORT, tmp_path / "scan.pdf", pages=[0, TABLES_PAGE])
    one = variorum.extract(path, config="minimal", ocr=OcrOptions())
    two = variorum.extract(path, config="minimal", ocr=OcrOptions(), jobs=2)
    assert one.to_json() == two.to_json()
    said = [n for n in one.notices if "was read by OCR (Tesseract" in n.what]
    assert [(n.page_num, n.severity) for n in said] == [(1, "info"), (2, "info")]
    assert "eng, mean confidence 9" in said[0].what


@needs_tesseract
def test_language_that_is_not_there_is_refused_with_what_to_install() -> None:
    with pytest.raises(UsageError, match=r"no data for the language 'xyz'.*apt-get install tesseract-ocr-xyz"):
        check_ocr(OcrOptions(language="eng+xyz"))


def test_good_pages_are_not_given_to_tesseract(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, forgetful: None) -> None:
    put_program(tmp_path, "exit 3", monkeypatch)
    path = scan(REPORT, tmp_path / "scan.pdf", good_layer, pages=[0], dpi=100)
    with PdfFile(path) as pdf:
        assert read_scan(pdf.page(0), OcrOptions(), 300) is None


# ---- without it, or with one that fails -------------------------------------------------------------------------------


def test_missing_program_is_refused_with_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, forgetful: None
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(UsageError, match=r"Tesseract is not installed.*apt-get install tesseract-ocr"):
        variorum.extract(REPORT, ocr=OcrOptions())


@pytest.mark.parametrize("language", ["", "-c", "eng deu", "eng++deu", "eng+"])
def test_what_names_no_language_is_refused(language: str) -> None:
    with pytest.raises(UsageError, match="names no languages"):
        check_ocr(OcrOptions(language=language))


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        ("echo no memory >&2; exit 3", "exit code 3: no memory"),
        ("kill -9 $$", "signal 9"),
        ("echo nonsense", "its answer cannot be read"),
        ("exec tail -f /dev/null", "no answer within 0.2 s"),
    ],
)
def test_fault_of_tesseract_costs_its_words_only(
    answer: str, why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, forgetful: None
) -> None:
    put_program(tmp_path, answer, monkeypatch)
    path = scan(REPORT, tmp_path / "scan.pdf", stamp, pages=[0], dpi=100)
    with PdfFile(path) as pdf:
        page = pdf.page(0)
        said = read_scan(page, OcrOptions(), 0.2)
        assert said is not None
        assert said.severity == "error"
        assert f"Tesseract could not read it ({why}" in said.what
        assert len(page.evidence.words) == 7
        assert not page.is_recognised


def test_page_without_ocr_is_named_with_what_to_try(tmp_path: Path) -> None:
    document = variorum.extract(scan(REPORT, tmp_path / "scan.pdf", pages=[0], dpi=100), config="minimal")
    (notice,) = [n for n in document.notices if n.page_num == 1]
    assert notice.what.startswith("the page has images and no text")
    assert "--ocr" in notice.what
    assert json.loads(document.to_json())["notices"]


def test_hocr_gives_words_lines_and_pictures() -> None:
    seen = read_hocr(HOCR.encode())
    (line,) = seen.lines
    assert (line.base_y, line.slope, line.height, line.block) == (27, 0.5, 9, 0)
    assert [(w.text, w.confidence, len(w.chars)) for w in line.words] == [("Ag", 91, 2)]
    assert seen.pictures == (Box(60, 60, 90, 90),)


@pytest.mark.parametrize("answer", ["", "<html", HOCR.replace("bbox 10 20 50 29", "no box"), HOCR.replace("x_wconf 91", "")])
def test_what_is_no_hocr_is_refused(answer: str) -> None:
    with pytest.raises(RecognitionError):
        read_hocr(answer.encode())


def test_lines_of_a_picture_are_rules_and_letters_are_not() -> None:
    rows = [bytearray(b"\xff" * 200) for _ in range(100)]
    for x in range(20, 180):
        rows[50][x] = rows[51][x] = 0  # a line of two pixels
    for y in range(10, 90):
        rows[y][30] = 0
    for x in range(60, 66):
        rows[20][x] = 0  # a stroke shorter than two letters are high
    for y in range(60, 80):
        rows[y][100:160] = bytes(60)  # an area, thicker than a line of text
    rules = rules_in(GreyPicture(200, 100, b"".join(rows), 144), Box(0, 0, 100, 50), 8)
    assert rules == (Rule("horizontal", 25.5, 10, 90, 1), Rule("vertical", 15.25, 5, 45, 0.5))


def test_page_printed_anew_has_the_words_in_their_places() -> None:
    def word(text: str, box: Box, baseline: float, angle: int = 0) -> Word:
        return Word(text, box, baseline, 10, "", angle, 0, 0)

    words = (
        word("level", Box(20, 23, 60, 32), 30),
        word("Ωδή", Box(70, 23, 90, 32), 30),
        word("up", Box(3, 60, 12, 90), 10, 90),
    )
    rule = Rule("horizontal", 40, 20, 90, 1)
    page = PageEvidence(0, 100, 100, words, (rule,), (), (), ())
    printed = page_of(page)
    found = {text: Box(x0, y0, x1, y1) for x0, y0, x1, y1, text, *_ in printed.get_text("words")}
    assert set(found) == {"level", "Ωδή", "up"}
    for own in words:
        assert found[own.text].contains_centre_of(own.box)
    assert abs(found["level"].width - 40) < 1
    assert abs(found["up"].height - 30) < 1
    assert len(printed.get_drawings()) == 1
    assert page_of(replace(page, words=())).get_text() == ""


@needs_tesseract
@pytest.mark.corpus
@pytest.mark.parametrize("turn", range(3))
def test_first_page_of_a_real_paper_is_read_from_its_picture(turn: int, corpus: Path, tmp_path: Path) -> None:
    papers = sorted(corpus.rglob("*.pdf"))
    paper = papers[(turn + 1) * len(papers) // 4]
    (page,) = recognised(scan(paper, tmp_path / "scan.pdf", pages=[0]))
    with PdfFile(paper) as pdf:
        true = Counter(w.text for w in pdf.page(0).evidence.words)
    assert (true & Counter(w.text for w in page.page.words)).total() / true.total() >= 0.9
