"""Claims about commands that mathtools declares: what they stand around is read, with their signs."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.sources.latex_samples import read, texts


@pytest.mark.parametrize(
    ("declared", "used", "text"),
    [
        (r"\DeclarePairedDelimiter{\abs}{\lvert}{\rvert}", r"\abs{x}", "|x|"),
        (r"\DeclarePairedDelimiter\abs{\lvert}{\rvert}", r"\abs*{\frac{a}{b}}", "|a/b|"),
        (r"\DeclarePairedDelimiter\ceil{\lceil}{\rceil}", r"\ceil[\big]{x}+1", "⌈x⌉+1"),
        (r"\DeclarePairedDelimiterX{\inner}[2]{\langle}{\rangle}{#1, #2}", r"\inner{t(x)}{\eta}", "⟨t(x),η⟩"),
        (r"\DeclarePairedDelimiterX\set[1]\{\}{\nonscript\,#1\delimsize\nonscript\,}", r"\set{a}", "{a}"),
        (r"\DeclarePairedDelimiterXPP\norm[2]{f}{\|}{\|}{_{#1}}{#2}", r"\norm{p}{x}", "f∥x∥ₚ"),
    ],
)
def test_a_declared_pair_stands_around_its_argument(tmp_path: Path, declared: str, used: str, text: str) -> None:
    document = read(tmp_path, f"So ${used}$ is.", preamble=declared)
    assert texts(document, "paragraph") == [f"So {text} is."]


def test_the_tex_of_a_formula_has_the_signs_of_a_declared_pair(tmp_path: Path) -> None:
    document = read(tmp_path, r"So $\abs{x}$ is.", preamble=r"\DeclarePairedDelimiter{\abs}{\lvert}{\rvert}")
    assert [e.tex for e in document.inline_equations] == [r"\lvert x\rvert"]
