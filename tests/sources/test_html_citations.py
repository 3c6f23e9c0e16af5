"""Claims about citations that show keys: the number of the entry stands in their place, and nothing else is touched."""

from __future__ import annotations

from pathlib import Path

import pytest

from variorum.document import Document
from variorum.sources.ar5iv import read_ar5iv

PAGE = (
    '<!DOCTYPE html><html><body><article class="ltx_document"><h1 class="ltx_title ltx_title_document">Birds</h1>'
    '<div class="ltx_para"><p class="ltx_p">Gulls fly {cite}.</p></div>'
    '<section class="ltx_bibliography"><h2 class="ltx_title">References</h2><ul class="ltx_biblist">'
    '<li id="bib.bib1" class="ltx_bibitem"><span class="ltx_tag ltx_tag_bibitem">{first}</span>'
    '<span class="ltx_bibblock">Jane Smith. On gulls. 2017.</span></li>'
    '<li id="bib.bib2" class="ltx_bibitem"><span class="ltx_tag ltx_tag_bibitem">{second}</span>'
    '<span class="ltx_bibblock">Ann Wu. On terns. 2019.</span></li></ul></section></article></body></html>'
)


def link(target: str, text: str) -> str:
    return f'<a href="#bib.{target}" class="ltx_ref">{text}</a>'


def read(tmp_path: Path, cite: str, first: str = "[1]", second: str = "[2]") -> Document:
    file = tmp_path / "paper.html"
    page = PAGE.format(cite=f'<cite class="ltx_cite">{cite}</cite>', first=first, second=second)
    file.write_text(page, encoding="utf-8")
    return read_ar5iv(file)


def sentence(document: Document) -> str:
    return next(c.text for c in document.components if c.kind == "paragraph")


def test_keys_become_the_numbers_of_their_entries(tmp_path: Path) -> None:
    document = read(tmp_path, f"({link('bib2', 'wu2019terns, ')}; {link('bib1', 'smith2017, ')})")
    assert sentence(document) == "Gulls fly [2, 1]."
    (citation,) = document.citations
    assert (citation.text, citation.style, citation.targets) == ("[2, 1]", "numeric", ("ref-2", "ref-1"))
    assert [n.what for n in document.notices if n.severity == "info"] == [
        "1 citation shows a key; the number of the entry stands in its place"
    ]


@pytest.mark.parametrize(
    ("cite", "said"),
    [
        (f"({link('bib1', 'Smith')}, {link('bib2', 'Wu')})", "(Smith, Wu)"),
        (f"({link('bib1', 'Smith et al., 2017')})", "(Smith et al., 2017)"),
        (f"(see {link('bib1', 'smith2017')})", "(see smith2017)"),
        (f"({link('bib1', 'smith2017')}; {link('bib2', '2')})", "(smith2017; 2)"),
        (f"({link('bib9', 'nobody2000')})", "(nobody2000)"),
    ],
    ids=["names", "names and years", "other words", "one key of two", "no entry"],
)
def test_what_is_no_key_alone_is_left_as_it_is(tmp_path: Path, cite: str, said: str) -> None:
    assert sentence(read(tmp_path, cite)) == f"Gulls fly {said}."


def test_entries_with_labels_of_names_lend_none(tmp_path: Path) -> None:
    document = read(tmp_path, f"[{link('bib1', 'smith2017x')}]", first="[Smith2017]")
    assert sentence(document) == "Gulls fly [smith2017x]."


def test_a_citation_of_what_latexml_did_not_find_is_a_question_mark_as_tex_prints_it(tmp_path: Path) -> None:
    document = read(tmp_path, '(<span class="ltx_ref ltx_missing_citation ltx_ref_self">nobody-2000-better</span>)')
    assert sentence(document) == "Gulls fly (?)."
    (citation,) = document.citations
    assert (citation.text, citation.targets) == ("(?)", ())
