"""Components of several sources come to common positions: in order, merged, moved, as floats, notes, references, and inline."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations

import pytest

from tests.fusion.aligned_documents import component, figure, inline, paragraphs, places, prose, said, source, table
from variorum.document import BibliographyEntry, TextComponent
from variorum.errors import UsageError
from variorum.fusion.alignment import align
from variorum.fusion.model import Source, SourceKind


def heading(name: str, text: str, number: str | None = None) -> TextComponent:
    return component(name, "heading", f"{number} {text}" if number else text, number=number, level=1)


def between(kind: SourceKind, *components: TextComponent) -> Source:
    """Return a source that has these components between two paragraphs."""
    return source(kind, [*paragraphs(1), *components, *paragraphs(2)])


# ---- the flow of the text ---------------------------------------------------------------------------------------------


def test_the_same_paragraphs_stand_at_common_positions() -> None:
    found = align([source("latex", paragraphs(1, 2, 3)), source("pdf", paragraphs(1, 2, 3, prefix="p"))])
    assert places(found) == [{"latex": (f"par-{n}",), "pdf": (f"p-{n}",)} for n in (1, 2, 3)]
    assert {p.similarity for p in found.positions} == {1.0}
    assert found.left_overs == ()


def test_a_sole_text_follows_what_its_source_has_before_it() -> None:
    found = align([source("latex", paragraphs(1, 2, 3)), source("pdf", paragraphs(1, 7, 2, 3))])
    assert [said(p).get("pdf") for p in found.positions] == [("par-1",), ("par-7",), ("par-2",), ("par-3",)]
    assert said(found.positions[1]) == {"pdf": ("par-7",)}


def test_paragraphs_that_another_source_has_as_one_are_one_position() -> None:
    whole = component("whole", "paragraph", f"{prose(2)} {prose(3)} {prose(4)}")
    found = align(
        [
            source("latex", paragraphs(1, 2, 3, 4, 5)),
            source("ar5iv", [*paragraphs(1), whole, *paragraphs(5)]),
            source("pdf", paragraphs(1, 2, 3, 4, 5)),
        ]
    )
    parts = ("par-2", "par-3", "par-4")
    assert places(found)[1] == {"latex": parts, "ar5iv": ("whole",), "pdf": parts}
    assert len(found.positions) == 3


def test_a_formula_within_a_paragraph_of_another_source_belongs_to_its_position() -> None:
    formula = component("eq-1", "equation", "E = mc²", tex="E=mc^2")
    whole = component("whole", "paragraph", f"{prose(1)} E = mc² {prose(2)}")
    found = align([source("latex", [*paragraphs(1), formula, *paragraphs(2)]), source("pdf", [whole])])
    assert places(found) == [{"latex": ("par-1", "eq-1", "par-2"), "pdf": ("whole",)}]
    assert found.positions[0].type == "paragraph"


def test_rows_of_a_formula_are_the_formula_that_has_them_all() -> None:
    rows = [
        component("eq-1", "equation", "a = b + c", tex="a=b+c"),
        component("eq-2", "equation", "d = ef − g", tex="d=ef-g"),
    ]
    both = component("eq-9", "equation", "a = b + c d = ef − g")
    found = align(
        [source("latex", [*paragraphs(1), *rows, *paragraphs(2)]), source("pdf", [*paragraphs(1), both, *paragraphs(2)])]
    )
    assert {"latex": ("eq-1", "eq-2"), "pdf": ("eq-9",)} in places(found)


def test_formulas_that_cannot_be_read_are_paired_between_their_neighbours() -> None:
    read = component("eq-1", "equation", "x = y", tex="x=y")
    unread = component("eq-9", "equation", "")
    found = align(
        [source("latex", [*paragraphs(1), read, *paragraphs(2)]), source("docling", [*paragraphs(1), unread, *paragraphs(2)])]
    )
    assert places(found)[1] == {"latex": ("eq-1",), "docling": ("eq-9",)}


def test_formulas_with_other_numbers_are_not_paired_by_their_place() -> None:
    one = component("eq-1", "equation", "x = y", number="1")
    other = component("eq-2", "equation", "", number="2")
    found = align(
        [source("latex", [*paragraphs(1), one, *paragraphs(2)]), source("docling", [*paragraphs(1), other, *paragraphs(2)])]
    )
    assert {"latex": ("eq-1",)} in places(found)
    assert {"docling": ("eq-2",)} in places(found)


def test_tex_and_signs_of_a_formula_find_each_other_in_two_sources() -> None:
    tex = r"\left( \frac{a}{b} \right) \leq \mathrm{max}(c)"
    other = r"\big(\frac a b\big)\le\max(c)"
    found = align(
        [
            source("latex", [component("eq-1", "equation", "(a/b) ≤ max(c)", tex=tex)]),
            source("ar5iv", [component("eq-7", "equation", "", tex=other)]),
            source("pdf", [component("eq-8", "equation", "(a/b) ≤ max(c)")]),
        ]
    )
    assert places(found) == [{"latex": ("eq-1",), "ar5iv": ("eq-7",), "pdf": ("eq-8",)}]


def test_a_heading_is_found_whatever_its_number_and_type() -> None:
    found = align(
        [
            source("latex", [heading("sec-1", "Our Méthods", "1"), *paragraphs(1)]),
            source("pdf", [heading("sec-9", "OUR METHODS", "IV."), *paragraphs(1)]),
        ]
    )
    assert places(found)[0] == {"latex": ("sec-1",), "pdf": ("sec-9",)}


def test_headings_of_the_same_words_keep_their_order() -> None:
    def paper(prefix: str) -> list[TextComponent]:
        return [
            heading(f"{prefix}-1", "Results"),
            *paragraphs(1),
            heading(f"{prefix}-2", "Results"),
            *paragraphs(2),
        ]

    found = align([source("latex", paper("a")), source("pdf", paper("b"))])
    assert {"latex": ("a-1",), "pdf": ("b-1",)} in places(found)
    assert {"latex": ("a-2",), "pdf": ("b-2",)} in places(found)


def test_a_heading_of_the_leading_source_is_kept_although_another_has_it_in_the_text() -> None:
    run_in = component("whole", "paragraph", f"Abstract. {prose(1)}")
    found = align([source("latex", [heading("sec-a", "Abstract"), *paragraphs(1)]), source("docling", [run_in])])
    assert places(found) == [{"latex": ("sec-a",)}, {"latex": ("par-1",), "docling": ("whole",)}]


def test_a_heading_that_the_leading_source_has_in_the_text_is_read_with_it() -> None:
    run_in = component("whole", "paragraph", f"Rolling tides. {prose(1)}")
    found = align([source("latex", [run_in]), source("pdf", [heading("sec-a", "Rolling tides."), *paragraphs(1)])])
    assert places(found) == [{"latex": ("whole",), "pdf": ("sec-a", "par-1")}]


def test_mathematics_within_a_text_does_not_part_it() -> None:
    marked = component("a", "paragraph", f"{prose(1, 12)} $\\frac{{\\alpha}}{{\\beta+\\gamma}}$ {prose(2, 12)}")
    other = component("b", "paragraph", f"{prose(1, 12)} $α/(β + γ)$ {prose(2, 12)}")
    found = align([source("latex", [marked]), source("ar5iv", [other])])
    assert places(found) == [{"latex": ("a",), "ar5iv": ("b",)}]
    assert found.positions[0].similarity == 1.0


def test_a_piece_that_was_torn_off_is_read_with_its_paragraph() -> None:
    whole = component("whole", "paragraph", f"{prose(1)} {prose(2)}")
    note = component("note", "paragraph", prose(9))
    found = align(
        [source("latex", [whole, *paragraphs(5)]), source("pdf", [*paragraphs(1), note, *paragraphs(2), *paragraphs(5)])]
    )
    assert {"latex": ("whole",), "pdf": ("par-1", "par-2")} in places(found)
    assert {"pdf": ("note",)} in places(found)


def test_a_paragraph_cut_short_is_the_same_paragraph() -> None:
    short = component("short", "paragraph", prose(5, 12))
    long = component("long", "paragraph", prose(5, 40))
    assert long.text.startswith(short.text[:-1])
    found = align(
        [source("latex", [*paragraphs(1), long, *paragraphs(3)]), source("pdf", [*paragraphs(1), short, *paragraphs(3)])]
    )
    assert {"latex": ("long",), "pdf": ("short",)} in places(found)


def test_a_section_that_was_moved_is_found_and_stands_where_the_first_source_has_it() -> None:
    first, second = paragraphs(1, 2, 3), paragraphs(4, 5, 6, 7, 8)
    found = align([source("latex", [*first, *second]), source("pdf", [*second, *first])])
    assert places(found) == [{"latex": (f"par-{n}",), "pdf": (f"par-{n}",)} for n in (1, 2, 3, 4, 5, 6, 7, 8)]


def test_different_paragraphs_are_never_paired() -> None:
    found = align([source("latex", paragraphs(*range(1, 20))), source("pdf", paragraphs(*range(101, 120)))])
    assert all(len(p.readings) == 1 for p in found.positions)


# ---- front, notes, references -----------------------------------------------------------------------------------------


def test_names_and_addresses_are_one_place_however_they_are_parted() -> None:
    one = [component(f"by-{n}", "byline", text) for n, text in enumerate(("Ada Gull", "Ben Tern", "Shore College"))]
    other = [component("by-9", "byline", "Ada Gull and Ben Tern, Shore College")]
    found = align([source("latex", [*one, *paragraphs(1)]), source("pdf", [*other, *paragraphs(1)])])
    assert places(found)[0] == {"latex": ("by-0", "by-1", "by-2"), "pdf": ("by-9",)}
    assert found.positions[0].similarity > 0.5


def test_an_address_read_as_text_goes_with_the_authors() -> None:
    one = [component("by-1", "byline", "Ada Gull, Shore College of Tides, Northern Bay")]
    other = [component("by-9", "byline", "Ada Gull"), component("par-a", "paragraph", "Shore College of Tides, Northern Bay")]
    end = [heading("sec-1", "Introduction"), *paragraphs(1)]
    found = align([source("latex", [*one, *end]), source("ar5iv", [*other, *end])])
    assert places(found)[0] == {"latex": ("by-1",), "ar5iv": ("by-9", "par-a")}


def test_a_byline_that_others_have_as_text_is_that_text() -> None:
    words = "Keywords: tides, gulls, terns, harbours and breakwaters of the northern coast"
    found = align(
        [
            source("latex", [component("by", "byline", "Ada Gull"), component("key", "paragraph", words), *paragraphs(1)]),
            source("pdf", [component("by", "byline", "Ada Gull"), component("key", "byline", words), *paragraphs(1)]),
        ]
    )
    assert {"latex": ("key",), "pdf": ("key",)} in places(found)


def test_a_footnote_is_found_where_another_source_has_it_in_the_text() -> None:
    note = component("note-1", "footnote", prose(9), number="1")
    in_text = component("par-9", "paragraph", f"¹ {prose(9)}")
    found = align([source("latex", [*paragraphs(1), note, *paragraphs(2)]), source("docling", [*paragraphs(1, 2), in_text])])
    assert {"latex": ("note-1",), "docling": ("par-9",)} in places(found)


def references(*texts: str) -> list[TextComponent]:
    return [component(f"ref-{n}", "bibliography_entry", text, number=f"[{n}]") for n, text in enumerate(texts, 1)]


def test_references_in_another_order_are_found_by_their_words() -> None:
    one = references(prose(1, 15), prose(2, 15), prose(3, 15))
    other = references(prose(3, 15), prose(1, 15), prose(2, 15))
    found = align([source("latex", one), source("docling", other)])
    assert places(found) == [{"latex": (f"ref-{n}",), "docling": (f"ref-{m}",)} for n, m in ((1, 2), (2, 3), (3, 1))]


def test_a_reference_is_known_by_author_and_year_although_its_words_are_lost() -> None:
    one = references("Gull, A. 1980, Journal of Tides, 236, 351, doi: 10.1000/157753", "Tern, B. 1991, Journal of Tides, 7")
    other = references("Gull, A. 1980, , 236, 351", "Tern, B. 1991, , 7")
    entries = {
        "ref-1": BibliographyEntry(id="ref-1", authors=("Gull, A.",), year="1980"),
        "ref-2": BibliographyEntry(id="ref-2", authors=("Tern, B.",), year="1991"),
    }
    found = align([source("latex", one, entries=entries), source("ar5iv", other, entries=entries)])
    assert places(found) == [{"latex": (f"ref-{n}",), "ar5iv": (f"ref-{n}",)} for n in (1, 2)]


# ---- tables and figures -----------------------------------------------------------------------------------------------

ROWS = [["coast", "gulls"], ["north", "12"], ["south", "34"]]
OTHERS = [["harbour", "terns"], ["east", "56"], ["west", "78"]]


def test_tables_are_paired_by_number_and_caption_wherever_they_stand() -> None:
    one = [table("t-1", ROWS, "1", "Table 1: Gulls by coast."), table("t-2", OTHERS, "2", "Table 2: Terns by harbour.")]
    other = [table("a-2", OTHERS, "2", "Table 2. Terns by harbour."), table("a-1", ROWS, "1", "Table 1. Gulls by coast.")]
    found = align([source("latex", paragraphs(1), tables=one), source("pdf", paragraphs(1), tables=other)])
    assert places(found, "float") == [{"latex": ("t-1",), "pdf": ("a-1",)}, {"latex": ("t-2",), "pdf": ("a-2",)}]


def test_tables_of_one_number_and_caption_are_told_by_what_is_in_them() -> None:
    one = [table("t-1", ROWS, "1", "Table 1: Birds."), table("t-2", OTHERS, "1", "Table 1: Birds.")]
    found = align([source("latex", [], tables=one), source("ar5iv", [], tables=one[::-1])])
    assert places(found, "float") == [{"latex": (t.id,), "ar5iv": (t.id,)} for t in one]


def test_caption_and_content_outweigh_a_number_that_is_counted_otherwise() -> None:
    one = [table("t-1", ROWS, "1", "Table 1: Gulls counted from the northern cliffs.")]
    other = [
        table("a-1", OTHERS, "1", "Table 1: Depth of harbours at low water in fathoms."),
        table("a-2", ROWS, "2", "Table 2: Gulls counted from the northern cliffs."),
    ]
    found = align([source("latex", [], tables=one), source("pdf", [], tables=other)])
    assert {"latex": ("t-1",), "pdf": ("a-2",)} in places(found, "float")
    assert {"pdf": ("a-1",)} in places(found, "float")


def test_a_figure_without_number_and_caption_is_found_between_its_neighbours() -> None:
    known = [figure("f-1", "1", "Figure 1: Gulls of the coast."), figure("f-3", "3", "Figure 3: Terns of the harbour.")]
    one = [known[0], figure("f-2", "2", "Figure 2: Nests."), known[1]]
    other = [known[0], figure("x"), known[1]]
    found = align([source("latex", [], figures=one), source("ar5iv", [], figures=other)])
    assert {"latex": ("f-2",), "ar5iv": ("x",)} in places(found, "float")


def test_a_table_that_another_source_holds_for_a_figure_is_found_by_its_caption() -> None:
    caption = "Table 1: Gulls counted from the northern cliffs in every summer of the survey."
    found = align(
        [
            source("latex", [], tables=[table("t-1", ROWS, "1", caption)]),
            source("pdf", [], figures=[figure("f-1", "1", caption)]),
        ]
    )
    assert places(found, "float") == [{"latex": ("t-1",), "pdf": ("f-1",)}]
    assert found.positions[0].type == "table"


def test_a_caption_whose_table_only_another_source_has_is_left_over_with_the_reason() -> None:
    caption = component("cap-1", "caption", "Table 1: Gulls counted from the northern cliffs.", number="1")
    one = [table("t-1", ROWS, "1", caption.text)]
    found = align([source("latex", paragraphs(1), tables=one), source("ar5iv", [*paragraphs(1), caption])])
    assert [(x.source, x.component) for x in found.left_overs] == [("ar5iv", "cap-1")]
    assert "only another source has" in found.left_overs[0].reason


def test_a_caption_that_no_source_has_a_table_for_is_a_text_of_its_own() -> None:
    caption = component("cap-1", "caption", "Algorithm 1: How gulls are counted.", number="1")
    found = align([source("latex", [*paragraphs(1), caption]), source("ar5iv", [*paragraphs(1), caption])])
    assert places(found)[1] == {"latex": ("cap-1",), "ar5iv": ("cap-1",)}
    assert found.left_overs == ()


def test_furniture_is_left_over_with_the_evidence() -> None:
    running = component("furniture-1", "furniture", "Gulls 7", note="running head")
    found = align([source("latex", paragraphs(1)), source("pdf", [*paragraphs(1), running])])
    assert [(x.component, x.kind, x.reason) for x in found.left_overs] == [("furniture-1", "furniture", "running head")]


# ---- what stands inside texts -----------------------------------------------------------------------------------------

ENTRIES = references(prose(11, 15), prose(12, 15), prose(13, 15))


def test_a_missing_citation_does_not_shift_those_behind_it() -> None:
    one = component("a", "paragraph", f"{prose(1, 9)} <ref-1> {prose(2, 9)} <ref-2> {prose(3, 9)} <ref-3>")
    other = component("b", "paragraph", f"{prose(1, 9)} <ref-1> {prose(2, 9)} {prose(3, 9)} <ref-3>")
    found = align([source("latex", [one, *ENTRIES]), source("pdf", [other, *ENTRIES])])
    assert inline(found, "citation") == [
        {"latex": ("a", "0"), "pdf": ("b", "0")},
        {"latex": ("a", "1")},
        {"latex": ("a", "2"), "pdf": ("b", "1")},
    ]
    assert {p.parent for p in found.positions if p.part == "inline"} == {found.positions[0].id}


def test_citations_are_compared_by_their_entries_not_by_their_numbers() -> None:
    moved = references(prose(13, 15), prose(11, 15), prose(12, 15))
    one = component("a", "paragraph", f"{prose(1)} <ref-1> {prose(2)} <ref-3>")
    other = component("b", "paragraph", f"{prose(1)} <ref-2> {prose(2)} <ref-1>")
    found = align([source("latex", [one, *ENTRIES]), source("pdf", [other, *moved])])
    assert inline(found, "citation") == [{"latex": ("a", str(n)), "pdf": ("b", str(n))} for n in (0, 1)]
    assert {p.similarity for p in found.positions if p.part == "inline"} == {1.0}


def test_citations_that_lead_nowhere_are_paired_between_their_neighbours() -> None:
    one = component("a", "paragraph", f"{prose(1)} <ref-1> {prose(2)} <> {prose(3)} <ref-3>")
    other = component("b", "paragraph", f"{prose(1)} <ref-1> {prose(2)} <ref-2> {prose(3)} <ref-3>")
    found = align([source("latex", [one, *ENTRIES]), source("pdf", [other, *ENTRIES])])
    assert len(inline(found, "citation")) == 3


def test_citations_in_captions_belong_to_the_float() -> None:
    caption = component("cap-t-1", "caption", "Table 1: Gulls after <ref-1>.", number="1", target="t-1")
    bare = replace(table("t-1", ROWS, "1", "Table 1: Gulls after [1]."), caption=None)
    marker = component("at-t-1", "table", target="t-1")
    sources = [source(kind, [marker, caption, *ENTRIES], tables=[bare]) for kind in ("latex", "pdf")]  # type: ignore[arg-type]
    found = align(sources)
    parent = next(p for p in found.positions if p.part == "float")
    assert [p.parent for p in found.positions if p.part == "inline"] == [parent.id]


def test_inline_equations_are_compared_by_tex() -> None:
    one = component("a", "paragraph", f"{prose(1)} $x^2$ {prose(2)} $y$ {prose(3)} $\\alpha$")
    other = component("b", "paragraph", f"{prose(1)} $x^{{2}}$ {prose(2)} {prose(3)} $\\alpha$")
    found = align([source("latex", [one]), source("ar5iv", [other])])
    assert inline(found, "equation_inline") == [
        {"latex": ("a", "0"), "ar5iv": ("b", "0")},
        {"latex": ("a", "1")},
        {"latex": ("a", "2"), "ar5iv": ("b", "1")},
    ]


def test_inline_items_of_merged_paragraphs_are_in_order() -> None:
    first = component("a", "paragraph", f"{prose(1)} <ref-1>")
    second = component("b", "paragraph", f"{prose(2)} <ref-2>")
    both = component("whole", "paragraph", f"{first.text} {second.text}")
    found = align([source("latex", [first, second, *ENTRIES]), source("pdf", [both, *ENTRIES])])
    assert inline(found, "citation") == [
        {"latex": ("a", "0"), "pdf": ("whole", "0")},
        {"latex": ("b", "1"), "pdf": ("whole", "1")},
    ]


# ---- all of it --------------------------------------------------------------------------------------------------------


def test_the_order_in_which_sources_are_given_does_not_matter() -> None:
    whole = component("whole", "paragraph", f"{prose(2)} {prose(3)}")
    sources = [
        source("latex", paragraphs(1, 2, 3, 8)),
        source("ar5iv", [*paragraphs(1), whole, *paragraphs(9)]),
        source("docling", paragraphs(3, 1, 9)),
        source("pdf", paragraphs(1, 2, 3, 8, 9)),
    ]
    expected = align(sources)
    assert all(align(list(order)) == expected for order in permutations(sources))


def test_agreements_count_what_is_shared_by_type() -> None:
    found = align([source("latex", paragraphs(1, 2, 3)), source("pdf", paragraphs(1, 3))])
    (agreement,) = found.agreements
    assert (agreement.first, agreement.second, agreement.type) == ("latex", "pdf", "paragraph")
    assert (agreement.of_first, agreement.shared_of_first, agreement.of_second, agreement.shared_of_second) == (3, 2, 2, 2)


def test_one_source_and_empty_sources_have_their_positions() -> None:
    assert align([]).positions == ()
    assert places(align([source("pdf", paragraphs(1, 2))])) == [{"pdf": ("par-1",)}, {"pdf": ("par-2",)}]
    assert places(align([source("latex", []), source("pdf", paragraphs(1))])) == [{"pdf": ("par-1",)}]


def test_two_sources_of_a_kind_are_refused() -> None:
    with pytest.raises(UsageError, match="two sources of the kind pdf"):
        align([source("pdf", paragraphs(1)), source("pdf", paragraphs(1))])
