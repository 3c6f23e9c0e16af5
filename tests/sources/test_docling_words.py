"""Claims about texts of Docling: cut words are whole, authors have no numbers, and an abstract is called so once."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from variorum.document import Document
from variorum.sources.docling import read_docling
from variorum.sources.docling_words import mended, names_of, words_of


def read(folder: Path, *items: tuple[str, str]) -> Document:
    data = {
        "schema_name": "DoclingDocument",
        "version": "1.10.0",
        "body": {"children": [{"$ref": f"#/texts/{i}"} for i in range(len(items))]},
        "texts": [{"label": label, "text": text, "prov": []} for label, text in items],
        "pages": {"1": {"page_no": 1, "size": {"width": 600, "height": 800}}},
    }
    file = folder / "paper.json"
    file.write_text(json.dumps(data), encoding="utf-8")
    return read_docling(file)


def said(document: Document, kind: str) -> list[str]:
    return [c.text for c in document.components if c.kind == kind]


@pytest.mark.parametrize(
    ("text", "elsewhere", "whole"),
    [
        ("the infor- mation", "Information is all.", "the information"),
        ("the infor\u00ad mation", "Information is all.", "the information"),
        ("a state- of the art", "", "a state- of the art"),
        ("an end- user", "end-user end-users", "an end-user"),
        ("pre- and post-processing", "pre and post", "pre- and post-processing"),
        ("row- or column-wise", "rows or columns", "row- or column-wise"),
        ("infor- mation", "", "infor- mation"),
        ("F1- score", "score", "F1- score"),
    ],
)
def test_a_cut_word_is_mended_where_the_paper_has_it_whole(text: str, elsewhere: str, whole: str) -> None:
    assert mended(text, words_of([text, elsewhere])) == whole


def test_cut_words_of_all_texts_are_mended(tmp_path: Path) -> None:
    document = read(
        tmp_path, ("text", "Infor- mation is all."), ("list_item", "some infor- mation"), ("text", "No information.")
    )
    assert said(document, "paragraph") == ["Information is all.", "No information."]
    assert said(document, "list_item") == ["some information"]


@pytest.mark.parametrize(
    ("byline", "names"),
    [
        ("Ann Gull [0000 -0002 -1825 -0097] , Bo Tern [0000-0001-5109-3700]", "Ann Gull, Bo Tern"),
        ("Ann Gull (https://orcid.org/0000-0002-1694-233X)", "Ann Gull"),
        ("[0000-0002-1825-0097]", ""),
        ("Institute of Birds, 8000 Zürich", "Institute of Birds, 8000 Zürich"),
        ("Ann Gull ,", "Ann Gull ,"),
    ],
)
def test_names_of_authors_have_no_orcids(byline: str, names: str) -> None:
    assert names_of(byline) == names


def test_the_word_abstract_is_the_heading_of_the_abstract(tmp_path: Path) -> None:
    document = read(
        tmp_path,
        ("section_header", "On Birds"),
        ("text", "Ann Gull [0000-0002-1825-0097]"),
        ("text", "Abstract. Birds fly."),
        ("section_header", "1 Introduction"),
        ("text", "Abstract. Art is another matter."),
    )
    assert said(document, "byline") == ["Ann Gull"]
    assert said(document, "heading") == ["Abstract", "1 Introduction"]
    assert said(document, "paragraph") == ["Birds fly.", "Abstract. Art is another matter."]


def test_a_sign_by_itself_is_no_paragraph_and_not_lost(tmp_path: Path) -> None:
    document = read(tmp_path, ("text", "Birds fly."), ("text", "≥"))
    assert said(document, "paragraph") == ["Birds fly."]
    assert [(c.text, c.note[:18]) for c in document.components if c.kind == "furniture"] == [("≥", "docling: text; one")]
