"""Characters come back as they were written: none lost, none out of order, none from elsewhere.

PyMuPDF 2 as it is imported damages text (its layout model and quad corrections reorder characters and drop digits); the door in
`page._pymupdf` switches that off. Numbers with one digit behind the point showed it first.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

from variorum.page._pymupdf import pymupdf
from variorum.page.reader import PdfFile
from variorum.page.words import LEADER_SIGNS, words_of

LEADER = re.compile(f"([{re.escape(''.join(sorted(LEADER_SIGNS)))}])\\1{{3,}}")

NUMBERS = ("34.7", "0.05", ".05", "1,234.5", "-3.2", "12.50", "7", "100.0", "3.14159", "1e-5", "99.9%", "(0.81)", "p<.001")


def write(path: Path, lines: Sequence[Sequence[str]], font: str = "helv", size: float = 9.0) -> None:
    pdf = pymupdf().open()
    page = pdf.new_page(width=595, height=842)
    for r, row in enumerate(lines):
        for c, text in enumerate(row):
            page.insert_text((60 + 70 * c, 80 + 12 * r), text, fontsize=size, fontname=font)
    pdf.save(path)
    pdf.close()


def read_words(path: Path) -> list[str]:
    with PdfFile(path) as pdf:
        return [w.text for w in pdf.page(0).evidence.words]


@pytest.mark.parametrize("font", ["helv", "tiro", "cour"])
def test_numbers_come_back_character_by_character(font: str, tmp_path: Path) -> None:
    lines = [NUMBERS[i : i + 5] for i in range(0, len(NUMBERS), 5)]
    write(tmp_path / "page.pdf", lines, font)
    assert read_words(tmp_path / "page.pdf") == [text for row in lines for text in row]


def test_a_table_of_350_numbers_comes_back_character_by_character(tmp_path: Path) -> None:
    dice = random.Random(7)
    lines = [[f"{dice.uniform(0, 100):.1f}" for _ in range(7)] for _ in range(50)]
    write(tmp_path / "page.pdf", lines)
    assert read_words(tmp_path / "page.pdf") == [text for row in lines for text in row]


def test_words_and_their_characters_say_the_same(tmp_path: Path) -> None:
    write(tmp_path / "page.pdf", [NUMBERS[:5]])
    with PdfFile(tmp_path / "page.pdf") as pdf:
        for word in pdf.page(0).evidence.words:
            assert "".join(c.text for c in word.chars) == word.text
            assert all(word.box.x0 <= c.box.x0 <= c.box.x1 <= word.box.x1 for c in word.chars)
            assert word.chars == tuple(sorted(word.chars, key=lambda c: c.box.x0))


def test_asking_for_layout_and_tables_first_changes_no_character(tmp_path: Path) -> None:
    """The bundled layout model is what damages text; loading it must leave the text path as it was."""
    lines = [NUMBERS[i : i + 5] for i in range(0, len(NUMBERS), 5)]
    write(tmp_path / "page.pdf", lines)
    with PdfFile(tmp_path / "page.pdf") as pdf:
        handle = pdf.page(0)
        assert handle.layout_boxes is not None
        handle.found_grids("text")
        assert [w.text for w in handle.evidence.words] == [text for row in lines for text in row]


def test_box_of_a_word_is_set_from_its_baseline(tmp_path: Path) -> None:
    """7 pt above the baseline and 2 pt below it, for type of 10 pt, whatever the font says of its ascent."""
    write(tmp_path / "page.pdf", [["word"]], size=10)
    with PdfFile(tmp_path / "page.pdf") as pdf:
        (word,) = pdf.page(0).evidence.words
    assert (word.baseline, word.size, word.angle) == (80, 10, 0)
    assert (word.box.x0, word.box.y0, word.box.y1) == (60, 80 - 7, 80 + 2)


# ---- words from characters ------------------------------------------------------------------------------------------


def raw(*lines: str, sizes: Sequence[float] = ()) -> dict[str, object]:
    """Return a rawdict of lines of 10 pt on baselines 20 pt apart; `sizes` of the characters of the first line."""

    def chars(text: str, y: float) -> list[dict[str, object]]:
        return [{"c": sign, "bbox": (6 * i, y - 8, 6 * i + 6, y + 3), "origin": (6 * i, y)} for i, sign in enumerate(text)]

    def spans(text: str, number: int) -> list[dict[str, object]]:
        signs = chars(text, 20.0 * (number + 1))
        if number or not sizes:
            return [{"size": 10.0, "font": "Times", "chars": signs}]
        return [{"size": size, "font": "Times", "chars": [sign]} for size, sign in zip(sizes, signs, strict=True)]

    return {"blocks": [{"lines": [{"dir": (1, 0), "spans": spans(text, i)} for i, text in enumerate(lines)]}]}


def texts(*lines: str) -> list[str]:
    return [w.text for w in words_of(raw(*lines))]


def test_white_space_of_every_kind_parts_words() -> None:
    assert texts("a b\tc\u00a0d\u2003e") == ["a", "b", "c", "d", "e"]


def test_lines_part_words() -> None:
    assert texts("end", "begin") == ["end", "begin"]
    assert [w.line for w in words_of(raw("end", "begin"))] == [0, 1]


def test_leaders_are_cut_out() -> None:
    assert texts("Introduction.......12") == ["Introduction", "12"]
    assert texts("Methods____3", "Results\u00b7\u00b7\u00b7\u00b7\u00b7\u00b745") == ["Methods", "3", "Results", "45"]


def test_ellipsis_of_three_dots_is_text() -> None:
    assert texts("and...so") == ["and...so"]


def test_different_signs_are_no_leader() -> None:
    assert texts("._._._") == ["._._._"]


def test_soft_hyphen_is_a_printed_hyphen_and_control_characters_part() -> None:
    assert texts("exam\u00ad") == ["exam-"]
    assert texts("a\x07b") == ["a", "b"]


def test_signs_of_the_private_use_area_are_kept() -> None:
    assert texts("a\ue000b") == ["a\ue000b"]


def test_word_has_the_size_of_most_of_its_characters() -> None:
    (word,) = words_of(raw("ab2", sizes=[10.0, 10.0, 7.0]))
    assert (word.text, word.size, word.box.height) == ("ab2", 10.0, 9.0)


# ---- real papers ----------------------------------------------------------------------------------------------------


def signs(text: str) -> Counter[str]:
    """Return how often each printed sign stands in the text; a soft hyphen is one printed, leaders are none."""
    kept = LEADER.sub("", text.replace("\u00ad", "-"))
    return Counter(c for c in kept if not c.isspace() and (c.isprintable() or ord(c) > ord(" ")))


@pytest.mark.corpus
def test_pages_of_real_papers_lose_no_character(corpus: Path) -> None:
    """The middle page of every ninth paper, against the library's plain text: as many of every sign."""
    papers = sorted(corpus.rglob("*.pdf"))[::9]
    assert papers
    for path in papers:
        with PdfFile(path) as pdf:
            index = pdf.page_count // 2
            words = pdf.page(index).evidence.words
            flags = pymupdf().TEXT_PRESERVE_LIGATURES | pymupdf().TEXT_PRESERVE_WHITESPACE | pymupdf().TEXT_MEDIABOX_CLIP
            plain = pdf.live[index].get_text("text", flags=flags)
        assert signs("".join(w.text for w in words)) == signs(plain), path.name
