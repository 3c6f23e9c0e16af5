"""Claims about captions in the fused document: each stands once, whole, and where the sources have it."""

from __future__ import annotations

from dataclasses import replace

from aligned_documents import component, figure, paragraphs, places, prose, source, table
from paper_sources import fused

from variorum.document import Caption
from variorum.fusion.alignment import align
from variorum.fusion.model import Fusion, Source
from variorum.geometry import Box

ROWS = [["coast", "gulls"], ["north", "12"], ["south", "34"]]
OTHERS = [["harbour", "terns"], ["east", "56"], ["west", "78"]]
CAPTION = "Table 1: Birds by coast and by harbour."


def captions(fusion: Fusion) -> list[str]:
    return [c.text for c in fusion.document.components if c.kind == "caption"]


def panels(kind: str, name: str = "t") -> Source:
    """Return a source with two tables under one caption."""
    one, other = table(f"{name}-1", ROWS, "1", CAPTION), table(f"{name}-2", OTHERS, "1", CAPTION)
    made = source(kind, paragraphs(1), tables=[one, other])  # type: ignore[arg-type]
    kept = tuple(c for c in made.document.components if c.id != f"cap-{name}-2")
    return replace(made, document=replace(made.document, components=kept))


def placed(made: Source) -> Source:
    """Return the source with the first table and its caption on a page, and without the second."""
    first = made.document.tables[0]
    on_page = replace(first.provenance, page_num=1, bbox=Box(10, 30, 90, 80))
    caption = Caption(text=CAPTION, label="Table", number="1", page_num=1, bbox=Box(10, 10, 90, 20))
    whole = replace(first, provenance=on_page, caption=caption)
    kept = tuple(c for c in made.document.components if c.target != made.document.tables[1].id)
    return replace(made, document=replace(made.document, tables=(whole,), components=kept))


def test_tables_that_share_a_caption_share_it_in_the_fused_document() -> None:
    fusion = fused(panels("latex"), panels("ar5iv"), placed(panels("pdf")))
    assert len(fusion.document.tables) == 2
    assert captions(fusion) == [CAPTION]
    assert fusion.document.tables[0].caption == fusion.document.tables[1].caption
    assert [c["text"] for c in fusion.document.to_referee()["document"]["captions"]] == [CAPTION]  # type: ignore[index]


def test_a_shared_caption_is_one_although_different_sources_win_the_tables() -> None:
    fusion = fused(panels("ar5iv"), placed(panels("docling")), tenant="default-dynamic")
    assert captions(fusion) == [CAPTION]


def test_a_caption_that_others_have_as_a_section_is_not_borrowed() -> None:
    title, text = "S1 Table.", "Gulls counted from the northern cliffs in every summer."

    def tex(kind: str) -> Source:
        section = [component("h-1", "heading", title, level=4), component("s-1", "paragraph", text)]
        return source(kind, [*paragraphs(1), *section, component("at-t", "table", target="t")], tables=[table("t", ROWS)])  # type: ignore[arg-type]

    whole = f"{title} {text}"
    pdf = source("pdf", [*paragraphs(1), component("at-p", "table", target="p")], tables=[table("p", ROWS, "S1", whole)])
    fusion = fused(tex("latex"), tex("ar5iv"), pdf)
    assert captions(fusion) == []
    assert [t.number for t in fusion.document.tables] == ["S1"]
    assert [c.text for c in fusion.document.components if c.kind == "heading"] == [title]


def test_a_caption_of_a_table_that_lacks_one_is_borrowed_although_its_words_stand_in_a_text() -> None:
    caption = "Table 1: Birds."
    bare = source("ar5iv", [component("a", "paragraph", f"Table 1: Birds. {prose(1)}")], tables=[table("t", ROWS)])
    pdf = source("pdf", paragraphs(1), tables=[table("p", ROWS, "1", caption)])
    assert captions(fused(bare, pdf)) == [caption]


def test_the_torn_end_of_a_caption_is_no_reference_and_no_paragraph() -> None:
    head, end = prose(1), prose(2, 12)
    whole = f"Figure 1: {head} {end}"
    for kind in ("bibliography_entry", "paragraph"):
        torn = source("pdf", [*paragraphs(3), component("torn", kind, end)], figures=[figure("f", "1", f"Figure 1: {head}")])
        found = align([source("latex", paragraphs(3), figures=[figure("a", "1", whole)]), torn])
        assert [left.component for left in found.left_overs if left.source == "pdf"] == ["torn"]
        assert {"latex": ("a",), "pdf": ("f",)} in places(found)


def test_a_text_that_a_caption_repeats_in_both_sources_stays() -> None:
    head, end = prose(1), prose(2, 12)
    sources = [
        source(
            kind, [*paragraphs(3), component("same", "paragraph", end)], figures=[figure("f", "1", f"Figure 1: {head} {end}")]
        )
        for kind in ("latex", "pdf")
    ]  # type: ignore[arg-type]
    assert {"latex": ("same",), "pdf": ("same",)} in places(align(sources))
