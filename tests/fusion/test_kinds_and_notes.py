"""Claims about texts that sources hold for different kinds: what they are in the fused document, and that they stand once."""

from __future__ import annotations

from dataclasses import replace

import pytest
from aligned_documents import component, paragraphs, places, prose, source, table

from variorum.document import Citation, Table, TextComponent
from variorum.fusion.alignment import align
from variorum.fusion.fusing import fuse
from variorum.fusion.tenants import load_tenant

TITLE = "Counting gulls above the northern bay"
NOTES = ("*These authors counted with equal zeal.", "†Now at Shore College of Tides.", "‡Deceased.")


def heading(name: str, text: str) -> TextComponent:
    return component(name, "heading", text, level=1)


def test_a_title_that_the_trusted_source_has_as_text_is_the_title() -> None:
    one = source("latex", [component("t", "title", TITLE), heading("h", "Methods"), *paragraphs(1, 2)])
    other = source("ar5iv", [component("p", "paragraph", TITLE), heading("h", "Methods"), *paragraphs(1, 2)])
    found = fuse([one, other], load_tenant("default"))
    assert found.decisions[0].winner == "ar5iv"
    assert [c.text for c in found.document.components if c.kind == "title"] == [TITLE]
    assert found.document.to_markdown().count(TITLE) == 1


def test_a_heading_that_the_trusted_source_has_as_text_is_a_heading_of_its_level() -> None:
    one = source("latex", [*paragraphs(1), component("h", "heading", "2 Methods", level=2, number="2"), *paragraphs(2)])
    other = source("ar5iv", [*paragraphs(1), component("p", "paragraph", "2 Methods"), *paragraphs(2)])
    found = fuse([one, other], load_tenant("default")).document
    assert [(c.text, c.level, c.number) for c in found.components if c.kind == "heading"] == [("2 Methods", 1, "2")]


def test_notes_on_authors_that_one_source_has_in_one_and_two_as_texts_stand_once() -> None:
    end = [heading("h", "Methods"), *paragraphs(1, 2)]
    apart = [component(f"n-{i}", "paragraph", text) for i, text in enumerate(NOTES)]
    joined = [component("by-1", "byline", "Ada Gull* and Ben Tern†‡"), component("by-2", "byline", " ".join(NOTES))]
    names = component("a", "paragraph", "Ada Gull* and Ben Tern†‡")
    found = align(
        [source("latex", [names, *apart, *end]), source("ar5iv", [names, *apart, *end]), source("pdf", [*joined, *end])]
    )
    assert [len(place) for place in places(found)] == [3] * len(places(found))


def test_a_text_at_the_front_stays_one_where_the_authors_of_another_source_share_few_of_its_words() -> None:
    words = component("key", "paragraph", "Keywords: tides, gulls, terns and harbours of the bay")
    end = [heading("h", "Methods"), *paragraphs(1, 2)]
    by = component("by", "byline", "Ada Gull, College of the Bay")
    found = align([source("latex", [words, *end]), source("ar5iv", [words, *end]), source("pdf", [by, *end])])
    assert {"latex": ("key",), "ar5iv": ("key",)} in places(found)


NOTE = "Counted from the pier at low tide by two observers; missing days were left out."


def noted(name: str, *notes: str) -> Table:
    rows = [["Coast", "gulls"], ["North", "12"], ["South", "7"]]
    return replace(table(name, rows, "1", "Table 1: Gulls by coast."), footnotes=notes)


@pytest.mark.parametrize("kind", ["paragraph", "footnote"])
def test_the_note_of_a_table_that_others_have_as_text_stands_with_the_table_alone(kind: str) -> None:
    one = source("latex", paragraphs(1, 2), tables=[noted("t", NOTE)])
    other = source("ar5iv", [*paragraphs(1), component("n", kind, NOTE), *paragraphs(2)], tables=[noted("t")])
    found = fuse([one, other], load_tenant("default"))
    assert found.document.tables[0].provenance.source == "ar5iv"
    assert found.document.tables[0].footnotes == (NOTE,)
    assert found.document.to_markdown().count(NOTE) == 1
    assert [(left.source, left.component, left.reason) for left in found.left_overs] == [
        ("ar5iv", "n", "stands below a table as its note")
    ]
    assert ("notes", "latex") in [(b.attribute, b.source) for d in found.decisions for b in d.borrowed]


def test_both_halves_of_a_note_that_a_page_break_parted_are_left_over() -> None:
    halves = [component("n-1", "paragraph", NOTE[:40]), component("n-2", "paragraph", NOTE[40:])]
    one = source("latex", paragraphs(1, 2), tables=[noted("t", NOTE)])
    other = source("pdf", [*paragraphs(1), halves[0], *paragraphs(2), halves[1]], tables=[noted("t")])
    assert [left.component for left in align([one, other]).left_overs] == ["n-1", "n-2"]


def test_notes_that_two_sources_word_alike_are_not_taken_twice() -> None:
    one = source("latex", paragraphs(1, 2), tables=[noted("t", NOTE)])
    other = source("ar5iv", paragraphs(1, 2), tables=[noted("t", "Note. " + NOTE)])
    assert fuse([one, other], load_tenant("default")).document.tables[0].footnotes == ("Note. " + NOTE,)


def test_a_text_that_shares_a_few_words_with_a_note_stays_one() -> None:
    text = component("p", "paragraph", f"They were counted from the pier. {prose(7)}")
    one = source("latex", [*paragraphs(1), text], tables=[noted("t", NOTE)])
    assert align([one, source("pdf", [*paragraphs(1), text], tables=[noted("t")])]).left_overs == ()


def test_a_paragraph_that_repeats_the_title_of_its_source_is_left_over() -> None:
    start = [component("t", "title", TITLE), heading("h", "Methods"), *paragraphs(1)]
    found = align([source("latex", start), source("ar5iv", [*start, component("p", "paragraph", TITLE)])])
    assert [(left.component, left.reason) for left in found.left_overs] == [("p", "repeats the title")]


def test_a_part_of_a_note_is_known_by_its_citations_too() -> None:
    note = "Ages: Gull et al. (2021); Tern and Plover (2019); Heron (2020); Stork et al. (2018)."
    cited = component("n", "paragraph", "et al. (2021); Tern and Plover (2019); Heron (2020); Stork")
    one = source("latex", paragraphs(1, 2), tables=[noted("t", note)])
    other = source("pdf", [*paragraphs(1), cited, *paragraphs(2)], tables=[noted("t")])
    marks = tuple(Citation(component="n", start=i, end=i + 6, text=cited.text[i : i + 6], style="numeric") for i in (7, 32, 46))
    other = replace(other, document=replace(other.document, citations=marks))
    assert [left.component for left in align([one, other]).left_overs if left.kind == "paragraph"] == ["n"]
