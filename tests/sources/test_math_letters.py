"""Claims about letters of formulas: other letters stay what they are, and type is no letter."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.sources.latex_samples import read, texts
from variorum.sources._mathml import math_text
from variorum.sources.math_letters import double_struck, fraktur, read_letters, script


@pytest.mark.parametrize("letter", ["𝐱", "𝒙", "𝑥", "𝗑", "𝘅", "𝚡"])
def test_weight_slant_and_family_of_a_letter_are_not_read(letter: str) -> None:
    assert read_letters(letter) == "x"


def test_figures_and_greek_letters_are_read_without_their_weight() -> None:
    assert read_letters("𝟏𝟘𝜷𝛼") == "1𝟘βα"


def test_letters_in_script_fraktur_and_double_struck_stay() -> None:
    assert read_letters("ℒ𝒞𝔤ℝ𝟙") == "ℒ𝒞𝔤ℝ𝟙"


def test_bold_script_is_the_same_letter_in_script() -> None:
    assert read_letters("𝓛𝖌") == "ℒ𝔤"


def test_signs_that_are_no_letters_stay() -> None:
    assert read_letters("∇∂ℓℏϵ…′≤é") == "∇∂ℓℏϵ…′≤é"


def test_the_letters_that_unicode_had_before_the_others_are_used() -> None:
    assert (script("BLxe"), fraktur("CHg"), double_struck("CRk1+")) == ("ℬℒ𝓍ℯ", "ℭℌ𝔤", "ℂℝ𝕜𝟙+")


@pytest.mark.parametrize(
    ("variant", "read_as"),
    [("script", "ℒ"), ("bold-script", "ℒ"), ("fraktur", "𝔏"), ("double-struck", "𝕃"), ("bold", "L"), ("normal", "L")],
)
def test_a_variant_of_mathml_says_the_form(variant: str, read_as: str) -> None:
    from lxml import html

    tree = html.fromstring(f'<p><math><mi mathvariant="{variant}">L</mi></math></p>')
    assert math_text(tree.find("math")) == read_as


@pytest.mark.parametrize(
    ("tex", "mathml"),
    [
        (r"\mathcal{L}", "<mi>ℒ</mi>"),
        (r"{\cal L}", "<mi>ℒ</mi>"),
        (r"\mathscr{H}", "<mi>ℋ</mi>"),
        (r"\mathfrak{g}", "<mi>𝔤</mi>"),
        (r"\mathbb{R}", "<mi>ℝ</mi>"),
        (r"\mathbf{x}", "<mi>𝐱</mi>"),
        (r"\boldsymbol{x}", "<mi>𝒙</mi>"),
        (r"\mathtt{x}", "<mi>𝚡</mi>"),
        (r"\mathbf{1}", "<mn>𝟏</mn>"),
    ],
)
def test_latex_and_its_html_say_the_same_letter(tmp_path: Path, tex: str, mathml: str) -> None:
    from lxml import html

    (said,) = texts(read(tmp_path, f"Let ${tex}$ be."), "paragraph")
    assert said == f"Let {math_text(html.fromstring(f'<p><math>{mathml}</math></p>').find('math'))} be."
