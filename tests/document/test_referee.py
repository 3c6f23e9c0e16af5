"""What outside scorers are given."""

from __future__ import annotations

import json

from document_samples import caption, document_of, documents, figure_of, provenance, spanned_table, table_of, text
from hypothesis import given, settings

from variorum.document import Citation, Document, PaperIdentity, to_referee


def test_table_has_header_rows_first_and_its_spans() -> None:
    assert to_referee(document_of(spanned_table()))["tables"] == [
        {
            "page": 7,
            "bbox": [100, 200, 400, 300],
            "rows": [["Group", "Outcome", ""], ["", "b", "se"], ["A", "1", "2"], ["", "3", "4"], ["Panel B", "", ""]],
            "spans": [[0, 0, 2, 1], [0, 1, 1, 2], [2, 0, 2, 1], [4, 0, 1, 3]],
            "caption": "Table 2. Outcomes",
            "table_id": "t1",
        }
    ]


def test_document_without_text_is_empty_lists() -> None:
    assert to_referee(document_of())["document"] == {
        "title": "",
        "headings": [],
        "paragraphs": [],
        "captions": [],
        "equations": [],
        "references": [],
        "citations": 0,
    }


def test_text_goes_where_it_belongs() -> None:
    document = document_of(
        spanned_table(),
        components=[
            text("title", "A paper"),
            text("heading", "Methods", level=2),
            text("paragraph", "One."),
            text("list_item", "Two."),
            text("furniture", "Journal"),
            text("equation", "a = b"),
            text("citation", "[1]"),
            text("citation", "[2]"),
            text("caption", "Figure 1. A plot", number="1"),
            text("caption", "Table 2. Outcomes", target="t1"),
            text("bibliography_entry", "Doe 2020"),
        ],
    )
    assert to_referee(document)["document"] == {
        "title": "A paper",
        "headings": [{"level": 2, "text": "Methods"}],
        "paragraphs": ["One.", "Two."],
        "captions": [
            {"kind": "table", "number": "2", "text": "Table 2. Outcomes"},
            {"kind": "figure", "number": "1", "text": "Figure 1. A plot"},
        ],
        "equations": [{"text": "a = b"}],
        "references": [{"text": "Doe 2020"}],
        "citations": 2,
    }


def test_table_without_a_page_takes_that_of_its_caption() -> None:
    tables = to_referee(document_of(table_of([], provenance=provenance(None), caption=caption(page_num=3))))["tables"]
    assert isinstance(tables, list)
    assert tables[0]["page"] == 3


@settings(deadline=None, max_examples=50)
@given(documents)
def test_result_is_plain_json_that_a_scorer_can_read(document: Document) -> None:
    data = to_referee(document)
    assert json.loads(json.dumps(data, allow_nan=False)) == data
    assert isinstance(data["tables"], list)
    assert all(table["page"] >= 1 for table in data["tables"])


def test_whole_paper_gives_each_caption_once_and_the_numbers_that_are_printed() -> None:
    document = document_of(
        spanned_table(),
        figures=(figure_of(),),
        identity=PaperIdentity(title="A paper"),
        components=[
            text("byline", "Ann Author"),
            text("heading", "1 Model", level=1, number="1"),
            text("paragraph", "As [1] says.", id="p"),
            text("equation", "a = b", number="3"),
            text("code", "print()"),
            text("footnote", "¹ A note.", number="1"),
            text("table", "", target="t1"),
            text("figure", "", target="fig-3"),
            text("caption", "Figure 3: A bird.", target="fig-3"),
            text("bibliography_entry", "Doe 2020", number="[1]", id="ref-1"),
        ],
        citations=(Citation(component="p", start=3, end=6, text="[1]", style="numeric", targets=("ref-1",)),),
    )
    assert to_referee(document)["document"] == {
        "title": "A paper",
        "headings": [{"level": 1, "text": "1 Model", "number": "1"}],
        "paragraphs": ["As [1] says."],
        "captions": [
            {"kind": "table", "number": "2", "text": "Table 2. Outcomes"},
            {"kind": "figure", "number": "3", "text": "Figure 3: A bird."},
        ],
        "equations": [{"text": "a = b", "number": "3"}],
        "references": [{"text": "Doe 2020", "number": "[1]"}],
        "citations": 1,
    }


def test_artifacts_are_none_of_the_tables() -> None:
    document = document_of(table_of([["a"]], id="one"), table_of([["b", "7"]], id="list", artifact="contents_list"))
    tables = document.to_referee()["tables"]
    assert isinstance(tables, list)
    assert [table["table_id"] for table in tables] == ["one"]
