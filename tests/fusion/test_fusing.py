"""Claims about fusing: the most confident reading wins, lacks nothing that another has, and every decision says why."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest
from paper_sources import PAPER, decision_on, fused, source, table_decision, with_formula, with_notice

from variorum.document import Citation, Document
from variorum.errors import UsageError
from variorum.fusion.fusing import fuse
from variorum.fusion.likeness import Spot
from variorum.fusion.model import Fusion, Source, SourceKind
from variorum.fusion.pieces import pieces_of
from variorum.fusion.record import from_json, to_json
from variorum.fusion.tenants import load_tenant
from variorum.fusion.weaving import reading_order, weave

EVERY: tuple[SourceKind, ...] = ("latex", "ar5iv", "docling", "pdf")


@pytest.fixture(scope="module")
def whole() -> Fusion:
    return fused(*map(source, EVERY))


def winners(fusion: Fusion) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for decision in fusion.decisions:
        found.setdefault(decision.type, set()).add(decision.winner)
    return found


def test_the_matrix_decides_for_each_type(whole: Fusion) -> None:
    assert winners(whole) == {
        "heading": {"docling"},
        "paragraph": {"docling"},
        "equation_display": {"latex"},
        "table": {"ar5iv"},
        "figure": {"docling"},
        "citation": {"latex"},
        "bibliography": {"latex"},
    }


def test_every_candidate_is_kept_with_its_weight_and_score(whole: Fusion) -> None:
    decision = table_decision(whole)
    assert [(c.source, c.weight, c.score) for c in decision.candidates[:1]] == [("ar5iv", 0.92, 0.92)]
    assert {c.source for c in decision.candidates} == set(EVERY)
    assert all(c.table is not None and c.table.apparatus is None for c in decision.candidates)
    assert decision.reason.startswith("ar5iv, 0.92, before ")


def test_a_dash_never_beats_another_reading(whole: Fusion) -> None:
    (decision,) = [d for d in whole.decisions if d.type == "figure"]
    last = decision.candidates[-1]
    assert (last.source, last.weight, last.score) == ("latex", None, None)
    assert "latex, —" in decision.reason


def test_a_dash_wins_where_nobody_else_speaks() -> None:
    fusion = fused(source("latex"), source("docling", "title: On the flight of gulls", "heading: 1 Introduction"))
    (decision,) = [d for d in fusion.decisions if d.type == "figure"]
    assert (decision.winner, decision.is_sole, decision.reason) == ("latex", True, "Only latex has it, with —.")
    assert len(fusion.document.figures) == 1


def test_a_sole_reading_is_kept_and_marked() -> None:
    lines = (
        "title: On the flight of gulls",
        "heading: 1 Introduction",
        "paragraph: A thing that only the PDF's page shows here.",
    )
    fusion = fused(source("latex"), source("pdf", *lines))
    decision = decision_on(fusion, "only the PDF's page")
    assert (decision.is_sole, decision.winner) == (True, "pdf")
    assert [c.text for c in fusion.document.components if c.id in decision.components] == [
        "A thing that only the PDF's page shows here."
    ]


def test_ties_fall_to_the_order_of_the_sources() -> None:
    rules = load_tenant("default")
    same = tuple(replace(w, value=0.5) for w in rules.weights)
    from variorum.fusion.alignment import align

    sources = [source("pdf"), source("docling"), source("ar5iv")]
    fusion = fuse(sources, replace(rules, weights=same), align(sources))
    assert {d.winner for d in fusion.decisions} == {"ar5iv"}
    assert "the tie with docling and pdf falls to the order latex, ar5iv, docling, pdf" in fusion.decisions[0].reason


def test_a_table_takes_page_and_box_from_the_pdf(whole: Fusion) -> None:
    (table,) = whole.document.tables
    assert (table.provenance.source, table.provenance.method, table.provenance.confidence) == ("ar5iv", "fusion:made", 0.92)
    assert (table.provenance.page_num, table.provenance.bbox is not None) == (1, True)
    (lent,) = [b for b in table_decision(whole).borrowed if b.attribute == "place"]
    assert (lent.source, lent.value.split(",")[0]) == ("pdf", "page 1")


def test_without_a_pdf_places_come_from_docling() -> None:
    fusion = fused(source("ar5iv"), source("docling"))
    assert {b.source for d in fusion.decisions for b in d.borrowed if b.attribute == "place"} == {"docling"}


def test_an_equation_without_tex_takes_it_from_the_tex() -> None:
    rules = load_tenant("default")
    weights = tuple(replace(w, value=1.0) if (w.source, w.type) == ("pdf", "equation_display") else w for w in rules.weights)
    fusion = fuse([source("pdf"), source("ar5iv")], replace(rules, weights=weights))
    (equation,) = [c for c in fusion.document.components if c.kind == "equation"]
    assert (equation.provenance.source, equation.text, equation.tex) == ("pdf", "n = a + b", "n &= a + b")


def test_an_empty_formula_takes_its_text_from_another() -> None:
    rules = load_tenant("default")
    weights = tuple(
        replace(w, value=1.0) if (w.source, w.type) == ("docling", "equation_display") else w for w in rules.weights
    )
    docling = source("docling")
    empty = tuple(replace(c, text="") if c.kind == "equation" else c for c in docling.document.components)
    emptied = replace(docling, document=replace(docling.document, components=empty))
    fusion = fuse([emptied, source("latex")], replace(rules, weights=weights))
    equations = [c for c in fusion.document.components if c.kind == "equation"]
    assert all(c.text for c in equations)


def test_levels_come_from_the_tex_and_have_no_gaps() -> None:
    def deep(made: Source, level: int) -> Source:
        parts = tuple(replace(c, level=level) if c.text == "2 Methods" else c for c in made.document.components)
        return replace(made, document=replace(made.document, components=parts))

    fusion = fused(deep(source("latex"), 4), deep(source("pdf"), 3))
    heads = {c.text: c.level for c in fusion.document.components if c.kind == "heading"}
    assert heads["1 Introduction"] == 1
    assert heads["2 Methods"] == 2


def test_citations_lead_to_the_fused_entries(whole: Fusion) -> None:
    document = whole.document
    entries = {e.id for e in document.bibliography}
    assert len(document.citations) == 2
    assert all(c.targets and set(c.targets) <= entries for c in document.citations)
    for decision in (d for d in whole.decisions if d.type == "citation"):
        assert decision.item is not None
        assert document.citations[decision.item].component == decision.components[0]


def test_a_citation_that_leads_nowhere_takes_its_target_from_another() -> None:
    docling = source("docling")
    lost = tuple(replace(c, targets=()) for c in docling.document.citations)
    fusion = fused(replace(docling, document=replace(docling.document, citations=lost)), source("latex"))
    assert all(c.targets for c in fusion.document.citations)
    assert [b.source for d in fusion.decisions if d.type == "citation" for b in d.borrowed] == ["latex", "latex"]


def test_a_mark_that_the_text_has_and_its_source_does_not_know_is_marked() -> None:
    docling = source("docling")
    fusion = fused(replace(docling, document=replace(docling.document, citations=())), source("latex"))
    texts = {c.id: c.text for c in fusion.document.components}
    found = [(texts[c.component][c.start : c.end], len(c.targets)) for c in fusion.document.citations]
    assert found == [("[1]", 1), ("[2]", 1)]


def test_an_inline_formula_is_set_into_the_text_that_lost_it() -> None:
    latex = with_formula(source("latex"), "twice a day", "2/d", "2/\\mathrm{d}")
    fusion = fused(latex, source("docling", mend={"twice a day": "2d"}))
    (equation,) = fusion.document.inline_equations
    text = next(c.text for c in fusion.document.components if c.id == equation.component)
    assert text == "Each island was walked 2/d, at dawn and at dusk, by two people."
    assert (equation.text, equation.tex) == ("2/d", "2/\\mathrm{d}")
    (decision,) = [d for d in fusion.decisions if d.type == "equation_inline"]
    assert [(b.attribute, b.source) for b in decision.borrowed] == [("inline", "latex")]


def test_a_formula_between_other_words_stays_out_and_says_so() -> None:
    latex = with_formula(source("latex"), "twice a day", "2/d", None)
    other = "Each island was, in all these years, gone over by two people at dawn and at dusk, walked."
    old = "Each island was walked twice a day, at dawn and at dusk, by two people."
    fusion = fused(latex, source("docling", mend={old: other}))
    (decision,) = [d for d in fusion.decisions if d.type == "equation_inline"]
    assert other in [c.text for c in fusion.document.components]
    assert decision.item is None
    assert decision.reason.endswith("the words around it differ, so the text keeps its own.")


def test_the_order_of_sources_does_not_matter() -> None:
    sources = [source(kind) for kind in EVERY]
    first = fused(*sources)
    texts = {(fusion.document.to_json(), to_json(fusion)) for p in itertools.permutations(sources) for fusion in [fused(*p)]}
    assert texts == {(first.document.to_json(), to_json(first))}


def test_the_fused_document_is_whole_and_read_back(whole: Fusion) -> None:
    text = whole.document.to_json()
    document = Document.from_json(text)
    assert document.to_json() == text
    assert document.completeness is not None
    assert document.completeness.grade in "AB"
    assert [s.label for s in document.sections][-1] == "references"
    assert document.identity.title == "On the flight of gulls"


def test_the_record_is_read_back_as_it_was(whole: Fusion) -> None:
    text = to_json(whole)
    again = from_json(text, Document.from_json(whole.document.to_json()))
    assert to_json(again) == text
    assert [d.position for d in again.decisions] == [d.position for d in whole.decisions]


def test_notices_name_their_source() -> None:
    noted = with_notice(source("ar5iv"), "LaTeXML did not understand something")
    assert "ar5iv: LaTeXML did not understand something" in [n.what for n in fused(noted, source("pdf")).document.notices]


def test_the_title_is_that_of_most_sources() -> None:
    wrong = source("pdf")
    identity = replace(wrong.document.identity, title="Draft of June")
    odd = replace(wrong, document=replace(wrong.document, identity=identity))
    assert fused(odd, source("ar5iv"), source("latex")).document.identity.title == "On the flight of gulls"


def test_no_source_and_a_missing_required_one_are_refused() -> None:
    with pytest.raises(UsageError, match="no source is given"):
        fuse([], load_tenant("default"))
    strict = replace(load_tenant("default"), required_sources=("latex", "pdf"))
    with pytest.raises(UsageError, match="the tenant default requires pdf"):
        fuse([source("latex")], strict)


def test_a_document_is_not_changed_by_being_fused(whole: Fusion) -> None:
    made = source("latex")
    before = made.document.to_json()
    fused(made, source("pdf"))
    assert made.document.to_json() == before


def test_marks_stand_where_they_say(whole: Fusion) -> None:
    texts = {c.id: c.text for c in whole.document.components}
    marks: list[Citation] = list(whole.document.citations)
    assert all(texts[m.component][m.start : m.end] == m.text for m in marks)


def test_a_float_has_the_number_that_the_pages_print() -> None:
    printed = {"Figure 1:": "Figure A.1:"}
    fusion = fused(source("latex"), source("ar5iv"), source("pdf", mend=printed))
    (figure,) = fusion.document.figures
    (decision,) = [d for d in fusion.decisions if d.type == "figure"]
    assert (decision.winner, figure.number) == ("ar5iv", "A.1")
    assert [(b.source, b.value) for b in decision.borrowed if b.attribute == "number"] == [("pdf", "A.1")]


def test_a_reading_of_parts_that_lie_apart_takes_no_text_along() -> None:
    made = source("latex")
    spots = [Spot((piece,)) for piece in pieces_of(made)]
    third, late = spots[3].pieces[0], spots[-3].pieces[0]
    apart = Spot((replace(third, components=(*third.components, *late.components)),))
    woven = weave([*spots[:3], apart, *spots[4:-3], *spots[-2:]], {"latex": reading_order(made.document)})
    assert [s.pieces[0].components[0] for s in woven] == [s.pieces[0].components[0] for s in spots if s is not spots[-3]]


def test_the_title_of_a_supplement_stands_where_the_source_that_gives_the_order_has_it() -> None:
    name = "Supplement to the flight of gulls"
    tex = source("latex", *PAPER, f"title: {name}", "paragraph: More gulls were counted in spring than ever before.")
    html = source("ar5iv", *PAPER[:2], f"title: {name}", *PAPER[2:])
    found = [(c.kind, c.text) for c in fused(tex, html).document.components if c.kind in ("title", "heading")]
    assert found[0] == ("title", "On the flight of gulls")
    assert found[-1] == ("title", name)
