"""Claims about exports of equations whose TeX is known: it is there to be set, and the text is there to be read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from document_samples import document_of, text

from variorum.document import Document
from variorum.document.tex import display_tex


def equation(tex: str | None, number: str | None = None, said: str = "a = b") -> Document:
    return document_of(components=[text("equation", said, id="e", tex=tex, number=number)])


def test_markdown_has_the_tex_with_its_number() -> None:
    assert equation(r"a = \frac{b}{c}", "3").to_markdown() == "```math\na = \\frac{b}{c} \\tag{3}\n```\n"


def test_an_equation_without_tex_is_its_text() -> None:
    assert equation(None, "3").to_markdown() == "a = b (3)\n"


def test_rows_and_columns_get_an_environment_around_them() -> None:
    said = equation("a &= b \\\\\nc &= d", "A.2").to_markdown()
    assert said == "```math\n\\begin{aligned}\na &= b \\\\\nc &= d\n\\end{aligned} \\tag{A.2}\n```\n"


@pytest.mark.parametrize(
    "tex",
    [
        r"\begin{bmatrix} a & b \\ c & d \end{bmatrix}",
        r"\begin{split} a &= \begin{array}{l} b \\ c \end{array} \end{split}",
        r"a \& b",
    ],
)
def test_rows_of_an_environment_of_their_own_get_none(tex: str) -> None:
    assert equation(tex).to_markdown() == f"```math\n{tex}\n```\n"


def test_a_tag_of_the_source_stays_the_only_one() -> None:
    assert equation(r"a = b \tag{*}", "3").to_markdown() == "```math\na = b \\tag{*}\n```\n"


def test_empty_lines_which_end_a_formula_in_tex_are_left_out() -> None:
    assert equation("a =\n\n b").to_markdown() == "```math\na =\nb\n```\n"


@pytest.mark.parametrize(("tex", "number"), [(r"a = {b", None), (r"a = b}{", None), ("a", "3}{"), (" ", None)])
def test_tex_that_cannot_be_set_gives_way_to_the_text(tex: str, number: str | None) -> None:
    (component,) = equation(tex, number).components
    assert display_tex(component) is None
    assert "a = b" in equation(tex, number).to_markdown()


def test_html_has_the_text_and_the_tex_to_unfold() -> None:
    page = equation(r"a < \text{b}", "3").to_html()
    assert '<div id="e" class="equation"><p>a = b <span class="number">(3)</span></p>' in page
    assert r"<details><summary>TeX</summary><pre><code>a &lt; \text{b} \tag{3}</code></pre></details></div>" in page


def test_docling_gets_the_tex_as_text_and_what_is_printed_as_original(tmp_path: Path) -> None:
    pytest.importorskip("docling_core")
    from variorum.document.export_docling import document_to_docling
    from variorum.sources.docling import read_docling

    made: Any = document_to_docling(equation(r"a = \beta", "3"))
    (formula,) = made.texts
    assert (formula.text, formula.orig) == (r"a = \beta", "a = b (3)")
    file = tmp_path / "paper.docling.json"
    file.write_text(made.model_dump_json(by_alias=True), encoding="utf-8")
    (again,) = read_docling(file).components
    assert (again.text, again.tex, again.number) == ("a = b", r"a = \beta", "3")
