"""Claims about reading LaTeXML's HTML: each block is what its class says, and the known traps are none."""

from __future__ import annotations

from pathlib import Path

import pytest
from latexml_html import page, paragraph, read, row, section, table

from variorum.document import Document
from variorum.errors import DamagedInputError
from variorum.sources.ar5iv import read_ar5iv


def texts(document: Document, kind: str) -> list[str]:
    return [c.text for c in document.components if c.kind == kind]


def math(tex: str, mathml: str) -> str:
    return f'<math class="ltx_Math" alttext="{tex}" display="inline"><semantics>{mathml}</semantics></math>'


X_SQUARED = math("x^{2}", "<msup><mi>x</mi><mn>2</mn></msup>")


def test_headings_have_the_level_of_latex_and_their_number(tmp_path: Path) -> None:
    inner = section("Nests", paragraph("Few."), number="1.1", kind="subsection")
    document = read(tmp_path, section("Birds", paragraph("Many.") + inner, number="1"))
    heads = [(c.level, c.number, c.text) for c in document.components if c.kind == "heading"]
    assert heads == [(1, "1", "1 Birds"), (2, "1.1", "1.1 Nests")]
    assert document.identity.title == "Birds of the Coast"


def test_word_before_the_letter_of_an_appendix_is_latexmls_own(tmp_path: Path) -> None:
    document = read(tmp_path, section("Data", paragraph("All."), number="Appendix A", kind="appendix"))
    (head,) = (c for c in document.components if c.kind == "heading")
    assert (head.number, head.text) == ("A", "A Data")


def test_nothing_has_a_page_or_a_box(tmp_path: Path) -> None:
    document = read(tmp_path, paragraph("Text."), table(row("a", "b") + row("1", "2")))
    assert document.pages == ()
    assert {c.provenance.page_num for c in document.components} == {None}
    assert {c.provenance.source for c in document.components} == {"ar5iv"}
    assert document.tables[0].caption is not None
    assert document.tables[0].caption.bbox is None


def test_formula_in_a_line_is_readable_text(tmp_path: Path) -> None:
    assert texts(read(tmp_path, paragraph(f"Let {X_SQUARED} be.")), "paragraph") == ["Let x² be."]


def test_rows_of_a_group_are_equations_and_the_group_is_none(tmp_path: Path) -> None:
    def line(number: str) -> str:
        tag = f'<span class="ltx_tag ltx_tag_equation">({number})</span>' if number else ""
        return f'<tbody><tr class="ltx_equation ltx_eqn_row"><td>{X_SQUARED}</td><td>{tag}</td></tr></tbody>'

    group = f'<table class="ltx_equationgroup ltx_eqn_table">{line("1")}{line("")}</table>'
    document = read(tmp_path, f'<div class="ltx_para">{group}</div>')
    found = [(c.number, c.text, c.tex) for c in document.components if c.kind == "equation"]
    assert found == [("1", "x²", "x^{2}"), (None, "x²", "x^{2}")]


def test_footnote_is_lifted_out_and_leaves_its_mark(tmp_path: Path) -> None:
    note = (
        '<span class="ltx_note ltx_role_footnote"><sup class="ltx_note_mark">1</sup><span class="ltx_note_outer">'
        '<span class="ltx_note_content"><sup class="ltx_note_mark">1</sup>Gulls.</span></span></span>'
    )
    document = read(tmp_path, paragraph(f"Birds{note} sing."))
    assert texts(document, "paragraph") == ["Birds¹ sing."]
    assert [(c.number, c.text) for c in document.components if c.kind == "footnote"] == [("1", "Gulls.")]


def test_citation_leads_to_its_entry_and_stands_where_it_says(tmp_path: Path) -> None:
    cite = 'As <cite class="ltx_cite">[<a class="ltx_ref" href="#bib.bib2">2</a>]</cite> says.'
    entries = "".join(
        f'<li id="bib.bib{n}" class="ltx_bibitem"><span class="ltx_tag ltx_tag_bibitem">[{n}]</span>'
        f'<span class="ltx_bibblock">A. Gull. Birds of {n}. 201{n}.</span></li>'
        for n in (1, 2)
    )
    listed = section("References", f'<ul class="ltx_biblist">{entries}</ul>', kind="bibliography")
    document = read(tmp_path, paragraph(cite), listed)
    (citation,) = document.citations
    assert (citation.text, citation.style, citation.targets) == ("[2]", "numeric", ("ref-2",))
    assert [(e.label, e.year) for e in document.bibliography] == [("1", "2011"), ("2", "2012")]


def test_entries_in_one_another_are_entries_each(tmp_path: Path) -> None:
    unclosed = '<li class="ltx_bibitem" id="bib.bib1"><span class="ltx_bibblock">One. <li class="ltx_bibitem">Two.</span></li>'
    assert texts(read(tmp_path, section("References", unclosed, kind="bibliography")), "bibliography_entry") == ["One.", "Two."]


def test_table_of_elements_with_spans(tmp_path: Path) -> None:
    head = '<tr class="ltx_tr"><th class="ltx_td ltx_th_column" colspan="2">both</th></tr>'
    tall = '<tr class="ltx_tr"><td class="ltx_td" rowspan="2">tall</td><td class="ltx_td">1</td></tr>'
    (found,) = read(tmp_path, table(head + tall + row("2"))).tables
    assert (found.n_rows, found.n_cols, found.header_rows, found.number) == (3, 2, 1, "1")
    assert [(c.row, c.col, c.rowspan, c.colspan, c.text) for c in found.cells] == [
        (0, 0, 1, 2, "both"),
        (1, 0, 2, 1, "tall"),
        (1, 1, 1, 1, "1"),
        (2, 1, 1, 1, "2"),
    ]


def test_table_built_wholly_from_spans(tmp_path: Path) -> None:
    def line(*cells: str) -> str:
        return '<span class="ltx_tr">' + "".join(cells) + "</span>"

    wide = '<span class="ltx_td ltx_colspan ltx_colspan_2">wide</span>'
    cells = [f'<span class="ltx_td">{t}</span>' for t in "ab"]
    grid = f'<p class="ltx_p"><span class="ltx_tabular">{line(wide)}{line(*cells)}</span></p>'
    caption = '<figcaption class="ltx_caption">Table 2: Spans.</figcaption>'
    (found,) = read(tmp_path, f'<figure class="ltx_table">{caption}{grid}</figure>').tables
    assert found.matrix() == [["wide", ""], ["a", "b"]]
    assert found.cells[0].colspan == 2


def test_lines_set_in_a_cell_are_one_text(tmp_path: Path) -> None:
    lines = '<table class="ltx_tabular">' + row("two") + row("lines") + "</table>"
    (found,) = read(tmp_path, table(row(lines, "b") + row("1", "2"))).tables
    assert found.matrix() == [["two lines", "b"], ["1", "2"]]


def test_rows_and_columns_without_text_are_no_part_of_the_table(tmp_path: Path) -> None:
    (found,) = read(tmp_path, table(row("a", "", "b") + row("", "", "") + row("1", "", "2"))).tables
    assert found.matrix() == [["a", "b"], ["1", "2"]]


def test_panels_share_the_caption_of_their_float(tmp_path: Path) -> None:
    def panel(text: str) -> str:
        tabular = f'<table class="ltx_tabular">{row(text, "x")}</table>'
        return f'<figure class="ltx_table"><figcaption class="ltx_caption">({text}) part</figcaption>{tabular}</figure>'

    caption = '<figcaption class="ltx_caption">Table 3: Both.</figcaption>'
    document = read(tmp_path, f'<figure class="ltx_table">{caption}{panel("a")}{panel("b")}</figure>')
    assert [t.number for t in document.tables] == ["3", "3"]
    assert texts(document, "caption") == ["Table 3: Both."]
    assert texts(document, "paragraph") == ["(a) part", "(b) part"]


def test_section_inside_a_float_is_read_behind_it(tmp_path: Path) -> None:
    stray = section("Later", paragraph("Still here."), number="2")
    document = read(tmp_path, f'<figure class="ltx_table"><figcaption>Table 1: T.</figcaption>{stray}</figure>')
    assert texts(read(tmp_path, f'<div class="ltx_figure">{stray}</div>'), "heading") == ["2 Later"]
    assert texts(document, "heading") == ["2 Later"]
    assert texts(document, "paragraph") == ["Still here."]


def test_caption_without_its_table_is_kept_and_said(tmp_path: Path) -> None:
    document = read(tmp_path, paragraph("Text."), '<figure class="ltx_table"><figcaption>Table 4: Lost.</figcaption></figure>')
    assert texts(document, "caption") == ["Table 4: Lost."]
    assert ["Table 4: the table is missing" in n.what for n in document.notices] == [True]


def test_figure_has_its_number_and_caption(tmp_path: Path) -> None:
    figure = '<figure class="ltx_figure"><img src="x.png"><figcaption>Figure 2: A gull.</figcaption></figure>'
    (found,) = read(tmp_path, paragraph("See Figure 2."), figure).figures
    assert (found.id, found.number, found.kind) == ("fig-2", "2", "raster")


def test_figures_of_one_caption_have_it_each(tmp_path: Path) -> None:
    figure = '<figure class="ltx_figure"><figcaption>Figure 2: A gull.</figcaption></figure>'
    document = read(tmp_path, paragraph("Text."), figure, figure)
    assert [f.id for f in document.figures] == ["fig-2", "fig-2-2"]
    assert texts(document, "caption") == ["Figure 2: A gull."] * 2


def test_items_keep_their_marks_and_what_follows_is_a_paragraph(tmp_path: Path) -> None:
    item = f'<li class="ltx_item"><span class="ltx_tag ltx_tag_item">1.</span>{paragraph("First.")}{paragraph("More.")}</li>'
    document = read(tmp_path, f'<div class="ltx_para"><ol class="ltx_enumerate">{item}</ol></div>')
    assert [(c.kind, c.number, c.text) for c in document.components[1:]] == [
        ("list_item", "1.", "First."),
        ("paragraph", None, "More."),
    ]


def test_code_keeps_its_lines(tmp_path: Path) -> None:
    lines = "".join(f'<div class="ltx_listingline">{text}\n</div>' for text in ("for x:", "    y"))
    assert texts(read(tmp_path, f'<div class="ltx_listing">{lines}</div>'), "code") == ["for x:\n    y"]


def test_title_of_a_theorem_begins_its_paragraph(tmp_path: Path) -> None:
    title = '<h6 class="ltx_title ltx_title_theorem">Theorem 1.</h6>'
    document = read(tmp_path, f'<div class="ltx_theorem">{title}{paragraph("All gulls fly.")}</div>')
    assert texts(document, "paragraph") == ["Theorem 1. All gulls fly."]


def test_marks_of_errors_are_a_notice_and_no_text(tmp_path: Path) -> None:
    document = read(tmp_path, paragraph('One <span class="ltx_ERROR undefined">\\foo</span>two.'))
    assert texts(document, "paragraph") == ["One two."]
    assert [n.what for n in document.notices] == ["LaTeXML did not understand the TeX in 1 place (\\foo)"]


def test_authors_that_are_repeated_below_a_second_title_stand_once(tmp_path: Path) -> None:
    author = '<span class="ltx_creator ltx_role_author"><span class="ltx_personname">Jane Smith</span></span>'
    block = f'<h1 class="ltx_title ltx_title_document">Gulls</h1><div class="ltx_authors">{author}</div>'
    document = read(tmp_path, block + block.replace("Gulls", "Supplement") + paragraph("Text."))
    assert texts(document, "byline") == ["Jane Smith"]
    assert document.identity.authors == ("Jane Smith",)


def test_conversion_that_failed_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "paper.html"
    file.write_text('<!DOCTYPE html><html><body><article class="ltx_document"></article></body></html>')
    with pytest.raises(DamagedInputError, match="conversion by LaTeXML failed"):
        read_ar5iv(file)
    file.write_text(page(paragraph("Text.")))
    (tmp_path / "paper.log").write_text("...\nStatus:conversion:3\n")
    with pytest.raises(DamagedInputError, match="log says that the conversion failed"):
        read_ar5iv(file)
    (tmp_path / "paper.log").write_text("...\nStatus:conversion:2\n")
    assert [n.what for n in read_ar5iv(file).notices] == ["LaTeXML's log says that the conversion had errors"]


def test_time_of_the_conversion_is_no_part_of_the_key(tmp_path: Path) -> None:
    keys = set()
    for day in ("Mon", "Tue"):
        file = tmp_path / f"{day}.html"
        file.write_text(page(paragraph("Text.")).replace("on Mon by", f"on {day} by"))
        keys.add(read_ar5iv(file).sha256)
    assert len(keys) == 1
