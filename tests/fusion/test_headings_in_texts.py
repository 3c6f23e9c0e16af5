"""Claims about headings of one source that are words of a text in the source that leads."""

from __future__ import annotations

from aligned_documents import component, paragraphs, places, prose, source

from variorum.document import TextComponent
from variorum.fusion.alignment import align


def heading(name: str, text: str) -> TextComponent:
    return component(name, "heading", text, level=3)


def test_each_of_several_headings_of_like_words_goes_with_the_text_behind_it() -> None:
    one = [
        component(f"a-{n}", "paragraph", f"Tides: {words} {prose(n)}") for n, words in ((1, "by the moon"), (2, "in summer"))
    ]
    other = [heading("h-1", "Tides: by the moon"), *paragraphs(1)]
    other += [heading("h-2", "Tides:"), component("par-2", "paragraph", f"In summer {prose(2)}")]
    found = align([source("latex", one), source("pdf", other)])
    assert places(found) == [{"latex": ("a-1",), "pdf": ("h-1", "par-1")}, {"latex": ("a-2",), "pdf": ("h-2", "par-2")}]


def test_the_last_line_of_a_paragraph_that_was_held_for_a_heading_is_read_with_it() -> None:
    whole = component("whole", "paragraph", f"{prose(1)} Counted at dusk.")
    other = [component("cut", "paragraph", prose(1)), heading("h-1", "Counted at dusk."), *paragraphs(2)]
    found = align([source("latex", [whole, *paragraphs(2)]), source("pdf", other)])
    assert places(found) == [{"latex": ("whole",), "pdf": ("cut", "h-1")}, {"latex": ("par-2",), "pdf": ("par-2",)}]


def test_a_heading_whose_words_stand_within_the_text_before_it_stays_alone() -> None:
    whole = component("whole", "paragraph", f"{prose(1)} Counted at dusk. {prose(3)}")
    other = [component("b", "paragraph", f"{prose(1)} {prose(3)}"), heading("h-1", "Counted at dusk."), *paragraphs(2)]
    found = align([source("latex", [whole, *paragraphs(2)]), source("pdf", other)])
    assert {"pdf": ("h-1",)} in places(found)


def test_a_heading_over_a_text_that_another_source_has_in_many_pieces_is_read_with_them() -> None:
    names = [prose(n, 4) for n in range(10, 18)]
    whole = component("whole", "paragraph", f"Counting and walking {' '.join(names)}")
    pieces = [component(f"n-{i}", "paragraph", names[i]) for i in (4, 0, 5, 1, 6, 2, 7, 3)]
    lists = [*paragraphs(1), heading("h-1", "Counting and walking"), *pieces, *paragraphs(2)]
    found = align([source("latex", [*paragraphs(1), whole, *paragraphs(2)]), source("pdf", lists)])
    assert {"latex": ("whole",), "pdf": ("h-1", *(p.id for p in pieces))} in places(found)
