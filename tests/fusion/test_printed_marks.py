"""Claims about what a page prints and TeX has otherwise: numbers of headings, marks of citations, formulas in a text."""

from __future__ import annotations

import pytest
from aligned_documents import component, prose, source
from paper_sources import fused

from variorum.document import BibliographyEntry, TextComponent
from variorum.fusion.model import Source, SourceKind


def heading(number: str, title: str, sign: str = "") -> TextComponent:
    return component("h-1", "heading", f"{number}{sign} {title}", number=number, level=2)


def paper(kind: SourceKind, *texts: TextComponent) -> Source:
    return source(kind, [*texts, component("par-1", "paragraph", prose(1))])


def test_a_heading_has_the_number_that_the_page_prints() -> None:
    fusion = fused(paper("ar5iv", heading("II-C", "Tides <>")), paper("pdf", heading("C", "Tides [?]", ".")))
    (found,) = [c for c in fusion.document.components if c.kind == "heading"]
    assert (found.number, found.text) == ("C", "C Tides [?]")
    assert [found.text[c.start : c.end] for c in fusion.document.citations] == ["[?]"]
    assert ("number", "pdf", "C") in [(b.attribute, b.source, b.value) for d in fusion.decisions for b in d.borrowed]


def test_a_printed_number_before_other_words_is_not_taken() -> None:
    for title, other in (("Tides", "Depths of the harbour"), ("D. melanogaster at sea", "melanogaster at sea")):
        fusion = fused(paper("ar5iv", heading("4", title)), paper("pdf", heading("D", other, ".")))
        assert f"4 {title}" in [c.text for c in fusion.document.components if c.kind == "heading"]


def rows(kind: SourceKind, *numbers: str | None) -> Source:
    texts = ["a = b + c + d + e", "f = g + h + i + j"] if len(numbers) > 1 else ["a = b + c + d + e f = g + h + i + j"]
    made = [component(f"eq-{i}", "equation", texts[i], number=n, tex=texts[i]) for i, n in enumerate(numbers)]
    return source(kind, [component("par-1", "paragraph", prose(1)), *made, component("par-2", "paragraph", prose(2))])


@pytest.mark.parametrize("own", [(None, "(2)"), ("2", None), (None, None)])
def test_the_number_of_a_formula_that_others_part_into_rows_stands_once(own: tuple[str | None, ...]) -> None:
    fusion = fused(rows("latex", *own), rows("pdf", "2"))
    found = [c.number for c in fusion.document.components if c.kind == "equation"]
    assert found == (list(own) if any(own) else [None, "2"])


def cited(kind: SourceKind, mark: str) -> Source:
    entry = component("ref-1", "bibliography_entry", "Gull, A.: On tides, 1980.")
    entries = {"ref-1": BibliographyEntry(id="ref-1", authors=("Gull, A.",), year="1980")}
    text = component("par-1", "paragraph", f"{prose(1)} Gulls follow {mark} the boats. {prose(2)}")
    return source(kind, [text, entry], entries=entries)


def test_a_mark_that_leads_nowhere_in_the_tex_is_that_of_the_source_that_knows_it() -> None:
    fusion = fused(cited("ar5iv", "<>"), cited("latex", "<ref-1>"))
    (text,) = [c.text for c in fusion.document.components if c.kind == "paragraph"]
    (mark,) = fusion.document.citations
    assert "Gulls follow [1] the boats" in text
    assert (text[mark.start : mark.end], len(mark.targets)) == ("[1]", 1)


def test_a_mark_of_a_source_that_links_none_stays_as_it_is_printed() -> None:
    fusion = fused(cited("docling", "<>"), cited("latex", "<ref-1>"))
    assert "Gulls follow [?] the boats" in next(c.text for c in fusion.document.components if c.kind == "paragraph")


def test_a_formula_that_is_a_text_of_its_own_does_not_take_the_place_of_another_text() -> None:
    one = [component("a-1", "paragraph", f"Walking at dusk. {prose(1)}")]
    other = [component("b-1", "paragraph", f"Walking at dusk. {prose(1, 20)}"), component("b-2", "paragraph", "$x+y$")]
    joined = fused(source("ar5iv", one), source("pdf", other))
    assert next(c.text for c in joined.document.components if c.kind == "paragraph") == one[0].text


def test_running_words_are_not_replaced_by_a_formula() -> None:
    own = f"{prose(1)} where the number of birds n is small {prose(2)}"
    their = f"{prose(1)} where $n$ is small {prose(2)}"
    fusion = fused(source("ar5iv", [component("a", "paragraph", own)]), source("latex", [component("b", "paragraph", their)]))
    assert [c.text for c in fusion.document.components] == [own]
    fusion = fused(
        source("ar5iv", [component("a", "paragraph", own.replace("the number of birds n", "N"))]),
        source("latex", [component("b", "paragraph", their)]),
    )
    assert [c.text for c in fusion.document.components] == [their.replace("$", "")]
