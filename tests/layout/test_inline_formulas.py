"""Claims about formulas in lines of print: mathematical type makes them, and they end where the sentence goes on."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from tests.layout.printed import line
from variorum.layout.inline_formulas import cut_at, formulas_in, formulas_in_text
from variorum.layout.model import PrintLine, Run, Script

_PIECE = re.compile(r"(?P<script>[_^])?<(?P<maths>[^<>]*)>|(?P<mark>[_^])\[(?P<words>[^\]]*)\]|(?P<text>[^<_^]+|.)")


def written(text: str) -> PrintLine:
    """Return a line: ``<x>`` is mathematical type, ``_<i>`` and ``^<2>`` are such scripts, ``^[1]`` is a script of text."""
    plain = line("x")
    runs = []
    for match in _PIECE.finditer(text):
        inside = match["maths"] or match["words"] or match["text"] or ""
        sign = match["script"] or match["mark"]
        script: Script = "" if sign is None else "sup" if sign == "^" else "sub"
        before = match.start() > 0 and text[match.start() - 1] == " "
        space = before or inside[:1] == " "
        font = "CMMI10" if match["maths"] is not None else "Serif"
        if inside.strip():
            runs.append(Run(inside.strip(), plain.box, font, 7.0 if script else 10.0, script, bool(runs) and space))
    return replace(plain, runs=tuple(runs))


def found(text: str) -> list[str]:
    own = written(text)
    return [own.text[start:end] for start, end in formulas_in(own)]


@pytest.mark.parametrize(
    ("text", "formulas"),
    [
        ("for each <x> and <y> of it", ["x", "y"]),
        ("with <h> = 8 heads", ["h = 8"]),
        ("the mean <µ> = 1.0.", ["µ = 1.0"]),
        ("where <d>_[model] = 512, so", ["d_{model} = 512"]),
        ("at <x>_<i>^<2> + <y> ends", ["xᵢ² + y"]),
        ("of 10^<−3> m, and of 3 m", ["10⁻³"]),
        ("with log <p>(<x>) of it", ["log p(x)"]),
        ("all of (<x>_[1], ..., <x>_<n>) map", ["(x₁, ..., xₙ)"]),
        ("it holds (<n> = 5) here", ["n = 5"]),
        ("(as <x> says)", ["x"]),
        ("the set {1, 2, <n>} of", ["{1, 2, n}"]),
        ("an <n>-gram of them", ["n"]),
        ("bold z = <x> here", ["z = x"]),
        ("a <±>20 window", ["±20"]),
        ("its dual <A∗>(<x>) is", ["A∗(x)"]),
        ("ε_[x] ≥ 0 there", ["εₓ ≥ 0"]),
    ],
)
def test_formula_reaches_as_far_as_its_signs(text: str, formulas: list[str]) -> None:
    assert found(text) == formulas


@pytest.mark.parametrize(
    "text",
    [
        "In 2010^[3] there were 12 of them (see [4], 5).",
        "the word^[1] has a note, and so has a^[2] letter",
        "marks <∗> and <†> alone, a bullet <•>",
        "p-value < 0.05 in text type, 3 × 4, β-carotene",
        "CO_[2] and H_[2]O",
    ],
)
def test_text_without_mathematical_type_has_none(text: str) -> None:
    assert found(text) == []


def test_formula_that_goes_on_in_the_next_line_is_one() -> None:
    lines = [written("and so <x> ="), written("<y> + 1 is what we see, and <z>")]
    text = "and so x = y + 1 is what we see, and z"
    assert [text[a:b] for a, b in formulas_in_text(lines, text)] == ["x = y + 1", "z"]


def test_formulas_that_a_line_end_parts_are_two() -> None:
    lines = [written("all of <x>"), written("<y> and so on")]
    text = "all of x y and so on"
    assert [text[a:b] for a, b in formulas_in_text(lines, text)] == ["x", "y"]


def test_words_mended_at_line_ends_do_not_move_the_formulas_behind_them() -> None:
    lines = [written("the <x> of our mod-"), written("els and <y> of others-"), written("hip <z>")]
    text = "the x of our models and y of others-hip z"
    assert [text[a:b] for a, b in formulas_in_text(lines, text)] == ["x", "y", "z"]


def test_label_that_the_text_lacks_moves_nothing() -> None:
    text = "the x of it"
    assert [text[a:b] for a, b in formulas_in_text([written("(1) the <x> of it")], text)] == ["x"]


def test_line_that_the_text_does_not_hold_has_no_formulas_there() -> None:
    text = "and then y"
    lines = [written("quite another <x>"), written("and then <y>")]
    assert [text[a:b] for a, b in formulas_in_text(lines, text)] == ["y"]


def test_formula_ends_before_a_citation() -> None:
    text = "of d [3] and e"
    assert list(cut_at([(3, 8), (13, 14)], text, [(5, 8)])) == [(3, 4), (13, 14)]
    assert list(cut_at([(5, 7)], text, [(5, 8)])) == []
