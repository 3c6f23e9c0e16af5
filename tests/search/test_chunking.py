"""Chunks follow sections and sentences, fit the model, lead back into the document, and together hold every word."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_index import document, figure, paper, table, text, with_floats

from variorum.document import Document, Mention, Place, Section
from variorum.geometry import Box
from variorum.search.chunking import ChunkSizes, chunk_document
from variorum.search.model import Chunk
from variorum.search.sentences import sentence_spans
from variorum.search.tokens import EstimatedTokens, MeasuredText

ESTIMATE = EstimatedTokens()
SMALL = ChunkSizes(whole=24)
KINDS = ["paragraph", "list_item", "heading", "title", "equation", "footnote", "code", "byline", "bibliography_entry"]
WORDS = st.lists(st.text("abcdefghi", min_size=1, max_size=12), min_size=1, max_size=40)
SENTENCES = st.builds(lambda words, end: " ".join(words) + end, WORDS, st.sampled_from([".", ". A", "?", "", "\n", " "]))


@st.composite
def documents(draw: st.DrawFn) -> Document:
    """Return a document of any kinds of components, in sections that cover it."""
    texts = draw(st.lists(st.tuples(st.sampled_from(KINDS), SENTENCES), min_size=1, max_size=12))
    components = [text(f"c{i}", words, kind) for i, (kind, words) in enumerate(texts)]
    cuts = sorted(draw(st.sets(st.integers(1, len(components)), max_size=3)) | {0, len(components)})
    sections = [
        Section(label="results", confidence=1, reason="drawn", first=f"c{a}", last=f"c{b - 1}") for a, b in pairwise(cuts)
    ]
    return document(*components, sections=sections)


def passages(content: Document, sizes: ChunkSizes = SMALL) -> list[Chunk]:
    return [chunk for chunk in chunk_document(content, ESTIMATE, sizes) if chunk.kind == "passage"]


@given(documents())
def test_no_word_of_the_text_is_lost(content: Document) -> None:
    reached: dict[str, set[int]] = {}
    for chunk in passages(content):
        for span in chunk.spans:
            reached.setdefault(span.component, set()).update(range(span.start, span.end))
    for component in content.components:
        for i, sign in enumerate(component.text):
            assert sign.isspace() or i in reached[component.id]


@given(documents())
def test_a_chunk_holds_what_its_spans_say(content: Document) -> None:
    texts = {c.id: c.text for c in content.components}
    for chunk in passages(content):
        for span in chunk.spans:
            assert chunk.text[span.at : span.at + span.end - span.start] == texts[span.component][span.start : span.end]


@given(documents())
def test_no_chunk_is_longer_than_the_model_reads(content: Document) -> None:
    for chunk in passages(content):
        assert len(ESTIMATE.token_ends(f"{chunk.context}\n{chunk.text}")) <= SMALL.whole - 2


@given(documents())
def test_chunks_go_through_the_text_in_order(content: Document) -> None:
    order = {c.id: i for i, c in enumerate(content.components)}
    ends = [max((order[s.component], s.end) for s in chunk.spans) for chunk in passages(content)]
    assert ends == sorted(set(ends))


def test_running_heads_are_not_text() -> None:
    content = document(text("par-1", "Ice is cold."), text("foot", "Journal of Ice 7", "furniture"))
    assert [chunk.text for chunk in passages(content)] == ["Ice is cold."]


def test_a_chunk_ends_with_a_sentence_and_the_next_repeats_it() -> None:
    sentences = [f"Pond {name} froze." for name in "abcdefghijklmnop"]
    first, second, *_ = passages(paper("", " ".join(sentences)), ChunkSizes(whole=80))
    assert first.text.rstrip().endswith("froze.")
    assert second.text.startswith(first.text.rstrip().rpartition(". ")[2])


def test_sections_do_not_share_a_chunk() -> None:
    content = document(
        text("h1", "1 Methods", "heading"),
        text("p1", "We drilled."),
        text("h2", "2 Results", "heading"),
        text("p2", "It held."),
        sections=[
            Section(label="methods", confidence=1, reason="", first="h1", last="p1", heading="h1"),
            Section(label="results", confidence=1, reason="", first="h2", last="p2", heading="h2"),
        ],
    )
    found = passages(content, ChunkSizes())
    assert [(c.section, c.heading, c.text) for c in found] == [
        ("methods", "1 Methods", "1 Methods\nWe drilled."),
        ("results", "2 Results", "2 Results\nIt held."),
    ]


def test_a_heading_alone_stands_with_what_follows_it() -> None:
    content = document(
        text("h1", "3 Methods", "heading"),
        text("h2", "3.1 Drilling", "heading"),
        text("p1", "We drilled."),
        sections=[
            Section(label="methods", confidence=1, reason="", first="h1", last="h1", heading="h1"),
            Section(label="methods", confidence=1, reason="", first="h2", last="p1", heading="h2"),
        ],
    )
    assert [c.text for c in passages(content, ChunkSizes())] == ["3 Methods\n3.1 Drilling\nWe drilled."]


def test_title_and_heading_stand_before_a_text_that_has_them_not() -> None:
    content = document(
        text("t", "Ponds in winter", "title"),
        text("h", "1 Results", "heading"),
        text("p", " ".join(f"Pond {i} froze over." for i in range(40))),
        title="Ponds in winter",
        sections=[
            Section(label="preamble", confidence=1, reason="", first="t", last="t"),
            Section(label="results", confidence=1, reason="", first="h", last="p", heading="h"),
        ],
    )
    title, first, second, *_ = passages(content, ChunkSizes())
    assert title.context == ""
    assert first.context == "Ponds in winter"
    assert second.context == "Ponds in winter\n1 Results"


def test_printed_page_label_stands_beside_the_page_of_the_file() -> None:
    (chunk,) = passages(paper("", "Ice is cold."), ChunkSizes())
    assert (chunk.page_num, chunk.page_label) == (1, "1161")


def test_text_over_two_pages_begins_where_its_share_of_the_boxes_says() -> None:
    places = (Place(page_num=4, bbox=Box(0, 0, 100, 30)), Place(page_num=5, bbox=Box(0, 0, 100, 70)))
    words = " ".join(f"Sentence {i} stands here." for i in range(40))
    found = passages(document(text("p", words, places=places)), ChunkSizes())
    assert (found[0].page_num, found[-1].page_num, found[-1].page_end) == (4, 5, 5)


def test_a_table_is_an_entry_with_caption_headers_cells_and_what_names_it() -> None:
    (chunk,) = [c for c in chunk_document(with_floats(), ESTIMATE) if c.kind == "table"]
    assert chunk.text == "Table 1: Ice by pond.\nPond | Thickness\nMill pond | 31 mm\nGoose pond | 27 mm"
    assert "lists how thick the ice was" in chunk.citing
    assert (chunk.target, chunk.section, chunk.heading, chunk.page_label) == ("tab-1", "results", "1 Results", "1161")


def test_a_figure_is_an_entry_with_caption_words_and_what_names_it() -> None:
    (chunk,) = [c for c in chunk_document(with_floats(), ESTIMATE) if c.kind == "figure"]
    assert chunk.text == "Figure 2: Days until the thaw.\ndays ponds"
    assert "The thaw came late" in chunk.citing


def test_a_caption_stands_with_its_table_alone() -> None:
    assert not any("Ice by pond" in chunk.text for chunk in passages(with_floats(), ChunkSizes()))


def test_every_part_of_a_large_table_has_its_caption_and_headers() -> None:
    rows = [["Pond", "Thickness"], *([f"Pond number {i}", f"{i} mm"] for i in range(60))]
    large = document(text("p", "x"), tables=(table("t", rows, "Table 1: Ice."),))
    parts = [c for c in chunk_document(large, ESTIMATE) if c.kind == "table"]
    assert len(parts) > 1
    assert all(c.text.startswith("Table 1: Ice.\nPond | Thickness\n") for c in parts)
    assert all(any(f"Pond number {i} | {i} mm" in c.text for c in parts) for i in range(60))
    assert all(len(ESTIMATE.token_ends(c.text)) <= ChunkSizes().text for c in parts)


def test_a_caption_longer_than_a_chunk_loses_nothing() -> None:
    caption = "Figure 1: " + " ".join(f"word{i}" for i in range(300))
    parts = [c.text for c in chunk_document(document(text("p", "x"), figures=(figure("f", caption),)), ESTIMATE)]
    assert all(any(f"word{i}" in part.split() for part in parts) for i in range(300))


@pytest.mark.parametrize(
    ("words", "count"),
    [
        ("It froze. It held.", 2),
        ("Smith et al. (2019) drilled. See Fig. 3 for e.g. Mill pond.", 2),
        ("J. Smith and A. B. Miller drilled.", 1),
        ("Ice was 3.5 mm thick.", 1),
        ("结冰了。池塘很冷。", 2),
        ("Did it hold? (It did.) Yes!", 3),
    ],
)
def test_sentences_end_where_a_reader_ends_them(words: str, count: int) -> None:
    assert len(sentence_spans(words)) == count


@given(st.text())
def test_sentences_cover_the_text(words: str) -> None:
    spans = sentence_spans(words)
    assert "".join(words[a:b] for a, b in spans) == words
    assert all(a < b for a, b in spans)


@given(st.text(), st.integers(1, 30))
def test_what_is_cut_off_fits_and_is_something(words: str, room: int) -> None:
    measured = MeasuredText.of(words, ESTIMATE)
    start = 0
    while start < len(words):
        end = measured.reach(start, room)
        assert end > start
        assert measured.tokens(start, end) <= room
        start = end


def test_a_caption_whose_figure_was_not_found_is_an_entry_all_the_same() -> None:
    content = document(
        text("p", "The thaw is shown in Figure 3."),
        text("cap", "Figure 3: Days until the thaw.", "caption"),
        mentions=(Mention(component="p", start=21, end=29, text="Figure 3", kind="figure", number="3"),),
    )
    passage, lone = chunk_document(content, ESTIMATE)
    assert passage.text == "The thaw is shown in Figure 3."
    assert (lone.kind, lone.text, lone.target) == ("figure", "Figure 3: Days until the thaw.", "cap")
    assert lone.citing == "The thaw is shown in Figure 3."


def test_a_caption_that_names_nothing_is_running_text() -> None:
    (chunk,) = chunk_document(document(text("cap", "Ice, seen from above.", "caption")), ESTIMATE)
    assert chunk.kind == "passage"
