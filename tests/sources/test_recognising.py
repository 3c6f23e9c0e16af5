"""Claims about what a source is taken for: by what it is, not by what it is called."""

from __future__ import annotations

from pathlib import Path

import pytest
from docling_json import stored, text, write
from latexml_html import page, paragraph

from variorum.errors import InputNotFoundError, SchemaError, UsageError
from variorum.sources import KINDS, check_kind, read_source, recognise


@pytest.mark.parametrize(
    ("name", "head", "kind"),
    [
        ("a.html", page(), "ar5iv"),
        ("a", page(), "ar5iv"),
        ("a.txt", "%PDF-1.7", "pdf"),
        ("a.tex", "", "latex"),
        ("a.tar.gz", "\x1f\x8b", "latex"),
        ("a", "\\documentclass{article}", "latex"),
        ("a.json", '{"schema_name": "DoclingDocument"}', "docling"),
        ("a", ' {"schema_version": "1.0"}', "document"),
    ],
)
def test_recognised(tmp_path: Path, name: str, head: str, kind: str) -> None:
    (tmp_path / name).write_text(head, encoding="utf-8")
    assert recognise(tmp_path / name) == kind
    assert kind in KINDS


def test_folder_is_latex_unless_it_holds_results(tmp_path: Path) -> None:
    assert recognise(tmp_path) == "latex"
    (tmp_path / "document.json").write_text("{}")
    with pytest.raises(UsageError, match="folder of results") as caught:
        recognise(tmp_path)
    assert caught.value.hint.endswith("document.json")


def test_what_is_none_is_refused_with_the_kinds(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("words")
    with pytest.raises(UsageError, match="no source that is known") as caught:
        recognise(tmp_path / "a.txt")
    assert "--kind" in caught.value.hint
    (tmp_path / "a.json").write_text('{"a": 1}')
    with pytest.raises(SchemaError, match="neither a DoclingDocument nor"):
        recognise(tmp_path / "a.json")
    for missing in ("no.html", "a\0b"):
        with pytest.raises(InputNotFoundError):
            recognise(tmp_path / missing)


def test_unknown_kind_is_refused_with_the_nearest(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="unknown kind of source 'docing'") as caught:
        check_kind("docing")
    assert "docling" in caught.value.hint


def test_stored_document_is_read_as_it_was_written(tmp_path: Path) -> None:
    first = read_source(write(tmp_path, stored(text("text", "Gulls."))))
    (tmp_path / "document.json").write_text(first.to_json(), encoding="utf-8")
    assert read_source(tmp_path / "document.json").to_json() == first.to_json()


def test_same_file_gives_the_same_document(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(page(paragraph("Gulls.")))
    assert read_source(tmp_path / "a.html").to_json() == read_source(tmp_path / "a.html", "ar5iv").to_json()
