"""Claims about formulas in running text: each reader says where they stand and what their TeX is."""

from __future__ import annotations

import difflib
import re
from pathlib import Path

import docling_json
import latexml_html
import pytest

from tests.sources import latex_samples
from variorum.document import Document
from variorum.sources import read_source
from variorum.sources.latex_formulas import tex_of
from variorum.sources.latex_tokens import tokenize
from variorum.sources.latex_tree import build_tree

X_SQUARED = '<math class="ltx_Math" alttext="x^{2}" display="inline"><msup><mi>x</mi><mn>2</mn></msup></math>'


def formulas(document: Document) -> list[tuple[str, str, str | None]]:
    """Return for each formula the kind of its component, its text and its TeX; each stands where it says."""
    components = {c.id: c for c in document.components}
    for e in document.inline_equations:
        assert components[e.component].text[e.start : e.end] == e.text
    return [(components[e.component].kind, e.text, e.tex) for e in document.inline_equations]


# ---- HTML of LaTeXML ---------------------------------------------------------------------------------------------------


def test_formulas_of_html_stand_in_all_kinds_of_text(tmp_path: Path) -> None:
    note = (
        '<span class="ltx_note ltx_role_footnote"><sup class="ltx_note_mark">1</sup>'
        f'<span class="ltx_note_content">Where {X_SQUARED} ends.</span></span>'
    )
    entry = f'<ul class="ltx_biblist"><li id="bib.bib1" class="ltx_bibitem">A. Gull. On {X_SQUARED}. 2011.</li></ul>'
    document = latexml_html.read(
        tmp_path,
        latexml_html.section(f"The {X_SQUARED} law", latexml_html.paragraph(f"So {X_SQUARED}, as said{note}.")),
        latexml_html.table(latexml_html.row(X_SQUARED), caption=f"Birds by {X_SQUARED}."),
        latexml_html.section("References", entry, kind="bibliography"),
    )
    kinds = ["bibliography_entry", "caption", "footnote", "heading", "paragraph"]
    assert sorted(formulas(document)) == [(kind, "x²", "x^{2}") for kind in kinds]


def test_formula_behind_the_title_of_a_theorem_stands_where_it_says(tmp_path: Path) -> None:
    title = '<h6 class="ltx_title ltx_title_theorem">Theorem 1.</h6>'
    document = latexml_html.read(tmp_path, f'<div class="ltx_theorem">{title}{latexml_html.paragraph(X_SQUARED)}</div>')
    assert formulas(document) == [("paragraph", "x²", "x^{2}")]


def test_citation_set_as_a_formula_is_none(tmp_path: Path) -> None:
    cite = '<math alttext="{}^{1}"><msup><mi></mi><mtext><cite><a href="#bib.bib1">1</a></cite></mtext></msup></math>'
    assert formulas(latexml_html.read(tmp_path, latexml_html.paragraph(f"Gulls{cite} sing."))) == []


def test_formula_in_a_citation_and_the_citation_are_both_kept(tmp_path: Path) -> None:
    cite = f'<cite class="ltx_cite">[<a href="#bib.bib1">1</a>, for {X_SQUARED}]</cite>'
    document = latexml_html.read(tmp_path, latexml_html.paragraph(f"See {cite}."))
    assert [c.text for c in document.citations] == ["[1, for x²]"]
    assert formulas(document) == [("paragraph", "x²", "x^{2}")]


def test_footnote_of_html_keeps_its_citations(tmp_path: Path) -> None:
    note = (
        '<span class="ltx_note ltx_role_footnote"><sup class="ltx_note_mark">1</sup><span class="ltx_note_content">'
        'See <cite class="ltx_cite">[<a href="#bib.bib1">7</a>]</cite>.</span></span>'
    )
    (citation,) = latexml_html.read(tmp_path, latexml_html.paragraph(f"Birds{note} sing.")).citations
    assert (citation.component, citation.text) == ("note-x1", "[7]")


# ---- LaTeX --------------------------------------------------------------------------------------------------------------


def test_formulas_of_latex_stand_in_all_kinds_of_text(tmp_path: Path) -> None:
    body = (
        "\\section{The $a$ law}So $b_i$ and \\(c\\), as said\\footnote{Where \\ensuremath{d} ends.}.\n\n"
        "\\begin{itemize}\\item An $e$.\\end{itemize}\\begin{table}\\caption{By $f$}\\begin{tabular}{l}$g$\\\\\\end{tabular}"
        "\\end{table}\\begin{thebibliography}{1}\\bibitem{k} On $h$.\\end{thebibliography}"
    )
    assert formulas(latex_samples.read(tmp_path, body)) == [
        ("heading", "a", "a"),
        ("paragraph", "bᵢ", "b_{i}"),
        ("paragraph", "c", "c"),
        ("footnote", "d", "d"),
        ("list_item", "e", "e"),
        ("caption", "f", "f"),
        ("bibliography_entry", "h", "h"),
    ]


def test_text_of_latex_is_the_same_with_formulas_and_marks_in_any_place(tmp_path: Path) -> None:
    body = (
        "\\paragraph{On $x$.}As \\cite[$p=1$]{k} and $y$\\'{$e$}\\textsuperscript{$\\ast$} say: \\sqrt{$z$}.\n\n"
        "\\begin{itemize}\\item[$\\bullet$] One.\\end{itemize}See \\nameref{n}.\\section{Of $u$}\\label{n}$+$\n\n"
        "\\begin{thebibliography}{1}\\bibitem{k} K.\\end{thebibliography}"
    )
    document = latex_samples.read(tmp_path, body)
    assert [c.text for c in document.components if c.kind in ("heading", "paragraph")][:2] == [
        "On x",
        "As [1, p = 1] and yé∗ say: √(z).",
    ]
    assert "See Of u." in document.to_json()
    assert re.search("[\ue000-\uf8ff]|\\\\ue0", document.to_json()) is None
    assert [e.text for e in document.inline_equations] == ["x", "y", "z", "u"]


def test_citation_in_a_formula_makes_it_none(tmp_path: Path) -> None:
    body = "Gulls$^{\\cite{k}}$ sing $x$.\\begin{thebibliography}{1}\\bibitem{k} K.\\end{thebibliography}"
    document = latex_samples.read(tmp_path, body)
    assert [c.text for c in document.citations] == ["[1]"]
    assert formulas(document) == [("paragraph", "x", "x")]


def test_macros_of_the_paper_are_expanded_in_tex(tmp_path: Path) -> None:
    preamble = "\\newcommand{\\R}{\\mathbb{R}}\\newcommand{\\vect}[1]{\\mathbf{#1}}"
    assert formulas(latex_samples.read(tmp_path, "In $\\R^\\vect n$.", preamble=preamble)) == [
        ("paragraph", "ℝⁿ", "\\mathbb{R}^{\\mathbf{n}}")
    ]


@pytest.mark.parametrize(
    ("given", "written"),
    [
        ("x_1^2", "x_{1}^{2}"),
        ("f''(x)", "f^{\\prime\\prime}(x)"),
        ("\\alpha x + \\beta", "\\alpha x+\\beta"),
        ("T_\\textrm{max value} a", "T_{\\textrm{max value}}a"),
        ("^\\circ", "{}^{\\circ}"),
        ("a \\le \\ensuremath{b c}", "a\\leq bc"),
        ("\\text{if } x", "\\text{if }x"),
        ("(\\ref{eq_one})", "(\\ref{eq_one})"),
        ("x^", "x^{}"),
    ],
)
def test_tex_has_the_form_of_latexml(given: str, written: str) -> None:
    assert tex_of(build_tree(tokenize(given), "a test")) == written


# ---- DoclingDocuments ---------------------------------------------------------------------------------------------------


def test_formulas_in_an_inline_group_are_inline_equations(tmp_path: Path) -> None:
    parts = [
        docling_json.text("text", "For"),
        docling_json.text("formula", "x^2", orig="x²"),
        docling_json.text("formula", "y"),
        docling_json.text("text", "holds."),
    ]
    group = {"label": "inline", "children": [{"$ref": f"#/texts/{i}"} for i in range(4)]}
    document = docling_json.read(
        tmp_path, docling_json.stored(*parts, groups=[group], body={"children": [{"$ref": "#/groups/0"}]})
    )
    assert formulas(document) == [("paragraph", "x^2", "x^2"), ("paragraph", "y", None)]


# ---- real papers --------------------------------------------------------------------------------------------------------


@pytest.mark.corpus
def test_latex_and_html_of_real_papers_have_the_same_formulas(corpus: Path) -> None:
    """Both come of the same TeX: agreement shows what is read alike, not two independent witnesses."""
    same = count = 0
    for folder in sorted((corpus / "papers").iterdir()):
        if not (folder / "source.tar.gz").is_file():
            continue
        html, latex = (
            ["".join((e.tex or "").split()) for e in read_source(folder / name).inline_equations]
            for name in ("ar5iv.html", "source.tar.gz")
        )
        matcher = difflib.SequenceMatcher(None, html, latex, autojunk=False)
        same += sum(block.size for block in matcher.get_matching_blocks())
        count += max(len(html), len(latex))
    assert count > 0
    assert same / count >= 0.95
