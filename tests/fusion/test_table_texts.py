"""Claims about tables that a source did not see as such: their cells are not taken for text that only this source has."""

from __future__ import annotations

from paper_sources import PAPER, fused, source

from variorum.fusion.alignment import align

TABLE = next(line for line in PAPER if line.startswith("table: "))
AS_TEXT = ("heading: island gulls terns", "paragraph: Foula 12 40 Unst 31 7", "paragraph: Yell 5 19 Mousa 44 3")
LOOSE = tuple(line for old in PAPER for line in (AS_TEXT if old == TABLE else (old,)))
REASON = "stands in a table that only another source has as one"


def test_cells_that_became_text_are_left_over_with_the_reason() -> None:
    alignment = align([source("latex"), source("pdf", *LOOSE)])
    left = [(x.source, x.text) for x in alignment.left_overs if x.reason == REASON]
    assert left == [("pdf", line.partition(": ")[2]) for line in AS_TEXT]
    assert [p.readings[0].source for p in alignment.positions if p.type == "table"] == ["latex"]


def test_the_fused_text_has_them_once() -> None:
    document = fused(source("latex"), source("pdf", *LOOSE)).document
    assert len(document.tables) == 1
    assert not any("Foula" in c.text or "island gulls" in c.text for c in document.components)


def test_a_text_with_a_few_words_of_a_table_is_kept() -> None:
    own = "paragraph: Foula and Unst are two of the islands that only this source tells about at length."
    document = fused(source("latex"), source("pdf", *(line for line in PAPER if line != TABLE), own)).document
    assert own.partition(": ")[2] in [c.text for c in document.components]


def test_a_table_that_both_see_takes_no_text_away() -> None:
    alignment = align([source("latex"), source("pdf", *PAPER, "heading: island gulls terns")])
    assert [x.text for x in alignment.left_overs if x.reason == REASON] == []
