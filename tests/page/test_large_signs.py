"""Large signs of mathematics: known by their place in TeX's encoding, on the writing line that they belong to."""

from __future__ import annotations

from typing import Any

import pytest

from variorum.page.large_signs import large_signs, may_hold_large_signs
from variorum.page.words import words_of


def raw(text: str, font: str, top: float, bottom: float, origin: float) -> dict[str, Any]:
    char = {"c": text, "bbox": (100.0, top, 110.0, bottom), "origin": (100.0, origin)}
    line = {"dir": (1.0, 0.0), "spans": [{"size": 10.0, "font": font, "chars": [char]}]}
    return {"blocks": [{"lines": [line]}]}


@pytest.mark.parametrize(
    ("code", "sign"), [("P", "∑"), ("X", "∑"), ("R", "∫"), ("p", "√"), ("(", "{"), (" ", "("), ("\x0c", "|")]
)
def test_a_sign_without_unicode_is_known_by_its_code(code: str, sign: str) -> None:
    (found,) = large_signs(raw(code, "CMEX10", 90.0, 104.0, 90.0)).values()
    assert found.text == sign


@pytest.mark.parametrize("font", ["txexs", "ABCDEF+LMMathExtension10-Regular", "ABCDEF+LMMathExtension10-Regula"])
def test_a_font_of_large_signs_is_known_by_its_name_also_cut_short(font: str) -> None:
    (found,) = large_signs(raw("P", font, 90.0, 104.0, 90.0)).values()
    assert found.text == "∑"


def test_parts_of_brackets_leave_the_private_use_area() -> None:
    (found,) = large_signs(raw("\uf8ee", "CMEX10", 90.0, 104.0, 90.0)).values()
    assert found.text == "⎡"


def test_a_hanging_sign_stands_with_its_middle_on_the_axis_of_its_line() -> None:
    signs = large_signs(raw("P", "CMEX10", 90.0, 105.0, 90.0))
    (word,) = words_of(raw("\ufffd", "CMEX10", 80.0, 95.0, 90.0), signs)
    assert (word.text, word.baseline) == ("∑", 100.0)
    assert word.box.y_interval.middle == (90.0 + 105.0) / 2


def test_text_fonts_are_left_alone() -> None:
    page = raw("P", "CMR10", 90.0, 105.0, 100.0)
    assert not may_hold_large_signs(page)
    assert large_signs(page) == {}


def test_type_of_one_size_on_two_writing_lines_is_two_words() -> None:
    line = raw("a", "CMR10", 0.0, 0.0, 100.0)["blocks"][0]["lines"][0]
    chars = line["spans"][0]["chars"]
    chars.append({"c": "b", "bbox": (110.0, 0.0, 120.0, 0.0), "origin": (110.0, 94.0)})
    assert [w.text for w in words_of({"blocks": [{"lines": [line]}]})] == ["a", "b"]


def test_the_letters_of_a_ligature_reach_no_further_than_it_does() -> None:
    line = raw("o", "CMR10", 0.0, 0.0, 100.0)["blocks"][0]["lines"][0]
    chars = line["spans"][0]["chars"]
    for text, x0, x1 in (("f", 110.0, 116.0), ("f", 116.0, 119.0), (" ", 116.0, 120.0), ("t", 120.0, 124.0)):
        chars.append({"c": text, "bbox": (x0, 0.0, x1, 0.0), "origin": (x0, 100.0)})
    off, _ = words_of({"blocks": [{"lines": [line]}]})
    assert (off.text, off.box.x1) == ("off", 116.0)
