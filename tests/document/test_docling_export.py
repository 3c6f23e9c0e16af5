"""A DoclingDocument holds what the paper holds, is valid, and the chunkers made for such documents run on it."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from typing import Any

import pytest
from document_samples import document_of, documents, figure_of, parted_table, provenance, spanned_table, text
from hypothesis import given, settings

from variorum.document import Document, PageInfo, Place
from variorum.errors import UsageError
from variorum.geometry import Box

PAGES = tuple(PageInfo(page_num=n, width=612, height=792) for n in range(1, 10))


def paper() -> Document:
    places = (Place(page_num=1, bbox=Box(100, 200, 400, 300)), Place(page_num=2, bbox=Box(100, 80, 400, 90)))
    header = Box(100, 20, 200, 30)
    return document_of(
        spanned_table(footnotes=("Note.",)),
        figures=(figure_of(),),
        pages=PAGES,
        components=[
            text("title", "A paper"),
            text("byline", "Ann Author"),
            text("furniture", "Journal", provenance=replace(provenance(1), bbox=header)),
            text("heading", "1 Model", level=1),
            text("heading", "1.1 Parts", level=2),
            text("paragraph", "Words on two pages.", places=places),
            text("equation", "a = b", number="3"),
            text("code", "print()"),
            text("list_item", "one", number="•"),
            text("list_item", "two", number="2."),
            text("table", "", target="t1"),
            text("caption", "Table 2. Outcomes", target="t1"),
            text("figure", "", target="fig-3"),
            text("caption", "Figure 3: A bird.", target="fig-3"),
            text("footnote", "¹ A note."),
            text("bibliography_entry", "Doe 2020", number="[1]"),
        ],
    )


def labels(made: Any) -> list[tuple[str, str]]:
    return [(item.label.value, item.text) for item, _ in made.iterate_items() if hasattr(item, "text")]


def test_everything_stands_in_reading_order_under_its_label() -> None:
    assert labels(paper().to_docling()) == [
        ("title", "A paper"),
        ("text", "Ann Author"),
        ("section_header", "1 Model"),
        ("section_header", "1.1 Parts"),
        ("text", "Words on two pages."),
        ("formula", "a = b (3)"),
        ("code", "print()"),
        ("list_item", "one"),
        ("list_item", "two"),
        ("caption", "Table 2. Outcomes"),
        ("footnote", "Note."),
        ("caption", "Figure 3: A bird."),
        ("footnote", "¹ A note."),
        ("reference", "[1] Doe 2020"),
    ]


def test_furniture_is_in_a_layer_of_its_own() -> None:
    made = paper().to_docling()
    assert [(t.label.value, t.text) for t in made.texts if t.content_layer.value == "furniture"] == [("page_header", "Journal")]
    assert "Journal" not in made.export_to_markdown()


def test_headings_have_levels_and_lists_their_marks() -> None:
    made = paper().to_docling()
    assert [t.level for t in made.texts if t.label.value == "section_header"] == [1, 2]
    assert [(t.enumerated, t.marker) for t in made.texts if t.label.value == "list_item"] == [(False, ""), (True, "2.")]
    assert len(made.groups) == 1


def test_text_on_two_pages_has_a_provenance_for_each() -> None:
    made = paper().to_docling()
    item = next(t for t in made.texts if t.text == "Words on two pages.")
    assert [(p.page_no, p.bbox.t, p.bbox.coord_origin.value, p.charspan) for p in item.prov] == [
        (1, 200.0, "TOPLEFT", (0, 19)),
        (2, 80.0, "TOPLEFT", (0, 19)),
    ]


def test_table_has_its_spans_headers_caption_and_place() -> None:
    made = paper().to_docling()
    table = made.tables[0]
    spanning = next(c for c in table.data.table_cells if c.text == "Outcome")
    assert (spanning.row_span, spanning.col_span, spanning.column_header) == (1, 2, True)
    assert [c.text for c in table.data.table_cells if c.column_header] == ["Group", "Outcome", "b", "se"]
    assert table.caption_text(made) == "Table 2. Outcomes"
    assert [p.page_no for p in table.prov] == [7]
    assert made.export_to_markdown().count("Table 2. Outcomes") == 1


def test_table_over_two_pages_has_a_place_on_each() -> None:
    made = document_of(parted_table(), pages=PAGES).to_docling()
    assert [p.page_no for p in made.tables[0].prov] == [7, 8]


def test_picture_has_its_caption() -> None:
    made = paper().to_docling()
    assert made.pictures[0].caption_text(made) == "Figure 3: A bird."


def test_file_is_valid_and_the_same_every_time() -> None:
    from docling_core.types.doc.document import DoclingDocument

    plain = json.dumps(paper().to_docling().export_to_dict())
    assert DoclingDocument.model_validate_json(plain).export_to_dict() == json.loads(plain)
    assert json.dumps(paper().to_docling().export_to_dict()) == plain


def test_chunkers_run_and_lose_no_text() -> None:
    from docling_core.transforms.chunker import HierarchicalChunker, HybridChunker
    from docling_core.transforms.chunker.tokenizer.base import BaseTokenizer

    class Words(BaseTokenizer):
        """Counts words: a tokenizer that needs no model."""

        def count_tokens(self, text: str) -> int:
            return len(text.split())

        def get_max_tokens(self) -> int:
            return 64

        def get_tokenizer(self) -> Any:
            return self.count_tokens

    made = paper().to_docling()
    chunks = [*HierarchicalChunker().chunk(made)]
    assert [c.meta.headings for c in chunks if c.text == "Words on two pages."] == [["A paper", "1 Model", "1.1 Parts"]]
    for chunked in (chunks, [*HybridChunker(tokenizer=Words()).chunk(made)]):
        whole = " ".join(c.text for c in chunked)
        assert all(words in whole for words in ("Ann Author", "two pages", "two", "Figure 3: A bird.", "Panel B", "Doe 2020"))


@settings(deadline=None, max_examples=40)
@given(documents)
def test_any_document_becomes_a_valid_one(document: Document) -> None:
    from docling_core.types.doc.document import DoclingDocument

    DoclingDocument.model_validate_json(document.to_docling().model_dump_json())


def test_without_the_package_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [n for n in sys.modules if n.split(".")[0] == "docling_core"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "docling_core", None)
    with pytest.raises(UsageError) as caught:
        document_of().to_docling()
    assert caught.value.hint == "pip install 'variorum[docling]'"
