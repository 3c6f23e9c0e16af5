"""Claims about a stored DoclingDocument: the body alone, boxes from the top, levels by numbers, references as entries."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from docling_json import cell, place, read, stored, text, write

from variorum.document import Document
from variorum.errors import DamagedInputError, SchemaError
from variorum.geometry import Box
from variorum.sources.docling import read_docling


def kinds(document: Document) -> list[tuple[str, str]]:
    return [(c.kind, c.text) for c in document.components]


HEADS = (text("section_header", "Birds of the Coast"), text("section_header", "1 Introduction"), text("text", "Gulls."))


def test_first_heading_without_a_number_is_the_title(tmp_path: Path) -> None:
    document = read(tmp_path, stored(*HEADS))
    assert kinds(document) == [("title", "Birds of the Coast"), ("heading", "1 Introduction"), ("paragraph", "Gulls.")]
    assert document.identity.title == "Birds of the Coast"


def test_level_is_that_of_the_number(tmp_path: Path) -> None:
    document = read(tmp_path, stored(*HEADS, text("section_header", "1.2 Nests", level=1)))
    assert [(c.level, c.number) for c in document.components if c.kind == "heading"] == [(1, "1"), (2, "1.2")]


@pytest.mark.parametrize("origin", ["BOTTOMLEFT", "TOPLEFT"])
def test_boxes_are_from_the_top_left(tmp_path: Path, origin: str) -> None:
    document = read(tmp_path, stored(text("text", "Gulls.", prov=[place(origin=origin)])))
    assert document.components[0].provenance.bbox == Box(100, 100, 300, 150)
    assert document.components[0].provenance.page_num == 1


def test_text_between_title_and_abstract_is_no_body(tmp_path: Path) -> None:
    texts = (HEADS[0], text("text", "A. Gull [0000-0001]"), text("text", "Abstract. Birds."), *HEADS[1:])
    document = read(tmp_path, stored(*texts))
    assert kinds(document)[1:4] == [("byline", "A. Gull [0000-0001]"), ("heading", "Abstract"), ("paragraph", "Birds.")]


def test_items_below_references_are_entries_and_cited_from_the_text(tmp_path: Path) -> None:
    entries = (text("section_header", "References"), text("list_item", "A. Gull. Birds. 2019.", marker="1."))
    document = read(tmp_path, stored(*HEADS, text("text", "See [1]."), *entries))
    (entry,) = document.bibliography
    assert (entry.id, entry.label, entry.year) == ("ref-1", "1", "2019")
    assert [(c.text, c.targets) for c in document.citations] == [("[1]", ("ref-1",))]


def test_running_heads_are_furniture(tmp_path: Path) -> None:
    document = read(tmp_path, stored(text("page_header", "Birds 7", content_layer="furniture"), *HEADS))
    assert kinds(document)[0] == ("furniture", "Birds 7")


def test_texts_in_a_picture_are_its_words_and_no_paragraphs(tmp_path: Path) -> None:
    words = [text("caption", "Fig. 2. A gull."), text("text", "beak"), text("text", "wing")]
    refs = [{"$ref": f"#/texts/{i}"} for i in range(3)]
    picture = {"label": "picture", "children": refs, "captions": refs[:1], "prov": [place()]}
    body = {"children": [{"$ref": "#/pictures/0"}]}
    document = read(tmp_path, stored(*words, pictures=[picture], body=body))
    (figure,) = document.figures
    assert (figure.number, figure.text) == ("2", "beak wing")
    assert [c.kind for c in document.components] == ["figure", "caption"]


def table(cells: list[dict[str, Any]], rows: int, cols: int, **more: Any) -> dict[str, Any]:
    data = {"num_rows": rows, "num_cols": cols, "table_cells": cells}
    return {"label": "table", "data": data, "prov": [place()], **more}


def test_table_has_its_spans_headers_and_caption(tmp_path: Path) -> None:
    cells = [cell(0, 0, "both", colspan=2, head=True), cell(1, 0, "a"), cell(1, 1, "b")]
    item = table(cells, 2, 2, captions=[{"$ref": "#/texts/0"}])
    body = {"children": [{"$ref": "#/tables/0"}, {"$ref": "#/texts/0"}]}
    document = read(tmp_path, stored(text("caption", "Table 1: Birds."), tables=[item], body=body))
    (found,) = document.tables
    assert (found.number, found.header_rows, found.matrix()) == ("1", 1, [["both", ""], ["a", "b"]])
    assert found.provenance.bbox == Box(100, 100, 300, 150)
    assert [c.text for c in document.components if c.kind == "caption"] == ["Table 1: Birds."]


def test_cells_in_one_place_are_said(tmp_path: Path) -> None:
    item = table([cell(0, 0, "wide", colspan=2), cell(0, 1, "under")], 1, 2)
    document = read(tmp_path, stored(tables=[item], body={"children": [{"$ref": "#/tables/0"}]}))
    assert [n.what for n in document.notices] == ["1 cells stood where others do, and were left out"]


def test_formula_without_text_is_kept_and_said(tmp_path: Path) -> None:
    enriched = text("formula", "x^2", orig="x2 (4)")
    document = read(tmp_path, stored(*HEADS, text("formula", ""), enriched))
    found = [(c.number, c.text, c.tex) for c in document.components if c.kind == "equation"]
    assert found == [(None, "", None), ("4", "x2", "x^2")]
    assert ["1 formulas have no text" in n.what for n in document.notices] == [True]


def test_groups_give_way_to_their_items(tmp_path: Path) -> None:
    group = {"label": "list", "children": [{"$ref": "#/texts/0"}]}
    document = read(
        tmp_path, stored(text("list_item", "- One.", marker=""), groups=[group], body={"children": [{"$ref": "#/groups/0"}]})
    )
    assert [(c.kind, c.number, c.text) for c in document.components] == [("list_item", "-", "One.")]


BROKEN: dict[str, tuple[Any, str]] = {
    "no JSON": ('{"schema_name": "Docl', "not JSON"),
    "NaN": ('{"schema_name": NaN}', "NaN is not a JSON number"),
    "nested a million deep": ("[" * 10**6, "not JSON that can be read"),
    "a list": ("[]", "expected an object"),
    "another schema": (stored(schema_name="Other"), "is no DoclingDocument"),
    "another version": (stored(version="9.0"), "schema 9.0 is not supported"),
    "no body": ({"schema_name": "DoclingDocument", "version": "1.0"}, "body: expected an object"),
    "reference to nothing": (stored(body={"children": [{"$ref": "#/texts/3"}]}), "body.children: refers to '#/texts/3'"),
    "reference to a file": (stored(body={"children": [{"$ref": "../x.json"}]}), "refers to '../x.json'"),
    "reference that is none": (stored(body={"children": [{"$ref": [1]}]}), r"body.children\[0\].\$ref: expected a text"),
    "text that is none": (stored(text("text", 5)), r"texts\[0\].text: expected a text"),  # type: ignore[arg-type]
    "page that is not there": (stored(text("text", "a", prov=[place(9)])), "page 9 is not there"),
    "page without an end": (
        stored(pages={"1": {"page_no": 1, "size": {"width": 1e300, "height": 1}}}),
        "width: expected a finite number",
    ),
    "circle": (
        stored(
            groups=[{"label": "list", "children": [{"$ref": f"#/groups/{1 - i}"}]} for i in range(2)],
            body={"children": [{"$ref": "#/groups/0"}]},
        ),
        "#/groups/0 stands twice",
    ),
    "table without end": (
        stored(tables=[table([], 10**9, 10**9)], body={"children": [{"$ref": "#/tables/0"}]}),
        "250,000 are read",
    ),
    "cell outside": (
        stored(tables=[table([cell(0, 0, "a", rowspan=5)], 1, 1)], body={"children": [{"$ref": "#/tables/0"}]}),
        r"table_cells\[0\]: reaches over rows 0 to 5",
    ),
}


@pytest.mark.parametrize("name", BROKEN)
def test_what_is_wrong_is_named_with_its_place(tmp_path: Path, name: str) -> None:
    data, what = BROKEN[name]
    with pytest.raises(SchemaError, match=what) as caught:
        read_docling(write(tmp_path, data))
    assert "paper.json" in caught.value.where
    assert caught.value.hint


def test_chain_of_groups_of_any_length_is_read(tmp_path: Path) -> None:
    many = 20_000
    groups = [{"label": "list", "children": [{"$ref": f"#/groups/{i + 1}"}]} for i in range(many)]
    groups.append({"label": "list", "children": [{"$ref": "#/texts/0"}]})
    document = read(tmp_path, stored(text("text", "Gulls."), groups=groups, body={"children": [{"$ref": "#/groups/0"}]}))
    assert kinds(document) == [("paragraph", "Gulls.")]


def test_document_without_anything_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DamagedInputError, match="has no text, no tables and no figures"):
        read_docling(write(tmp_path, stored()))
