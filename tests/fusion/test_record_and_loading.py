"""Claims about the record of a fusion as a file, and about what may be given as a source."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from paper_sources import fused, source

from variorum.document import Document
from variorum.errors import InputNotFoundError, SchemaError, UsageError
from variorum.fusion.explaining import explain_component
from variorum.fusion.loading import load_sources
from variorum.fusion.model import Fusion
from variorum.fusion.record import from_json, record_from_json, to_json


@pytest.fixture(scope="module")
def whole() -> Fusion:
    return fused(source("latex"), source("ar5iv"), source("pdf"), tenant="default-dynamic")


def changed(fusion: Fusion, **values: object) -> str:
    return json.dumps({**json.loads(to_json(fusion)), **values})


def test_a_record_is_canonical(whole: Fusion) -> None:
    text = to_json(whole)
    assert text.endswith("\n")
    assert list(json.loads(text))[:2] == ["schema_version", "tenant"]
    assert record_from_json(text).decisions == from_json(text, Document.from_json(whole.document.to_json())).decisions


@pytest.mark.parametrize(
    ("values", "where"),
    [
        ({"schema_version": "9.0"}, "schema_version"),
        ({"decisions": [{"position": "p1"}]}, "decisions[0].part"),
        ({"tenant": 7}, "tenant"),
        ({"extra": 1}, "extra"),
    ],
    ids=["version", "half a decision", "number", "unknown"],
)
def test_a_wrong_record_is_refused_with_the_path(whole: Fusion, values: dict[str, object], where: str) -> None:
    with pytest.raises(SchemaError) as caught:
        record_from_json(changed(whole, **values))
    assert caught.value.where == where


def test_what_is_no_record_is_refused(whole: Fusion) -> None:
    for text in ("", "[]", "{}", whole.document.to_json()):
        with pytest.raises(SchemaError):
            record_from_json(text)


def test_a_record_of_another_document_is_refused(whole: Fusion) -> None:
    other = fused(source("pdf", "title: On the flight of gulls", "paragraph: Something else stands here."))
    with pytest.raises(SchemaError, match="the document has no component"):
        from_json(to_json(whole), other.document)


def test_an_explanation_has_every_reading_with_its_score(whole: Fusion) -> None:
    record = record_from_json(to_json(whole))
    (table,) = whole.document.tables
    said = explain_component(record, table.id)
    for kind in ("latex (", "ar5iv (", "pdf ("):
        assert f"  {kind}" in said
    assert "5×3): weight 0.92, score 0.92" in said
    assert "| Foula | 12 | 40" in said
    assert "borrowed from pdf" in said


def test_an_id_that_does_not_exist_has_a_hint(whole: Fusion) -> None:
    record = record_from_json(to_json(whole))
    with pytest.raises(UsageError, match="did you mean fig-1"):
        explain_component(record, "fig1")


def test_sources_come_in_their_order_with_the_hash_of_what_was_given(tmp_path: Path) -> None:
    for kind in ("pdf", "latex"):
        (tmp_path / f"{kind}.json").write_text(source(kind).document.to_json(), encoding="utf-8")
    found = load_sources(pdf=tmp_path / "pdf.json", latex=tmp_path / "latex.json")
    assert [(s.kind, s.name, len(s.sha256)) for s in found] == [("latex", "latex.json", 64), ("pdf", "pdf.json", 64)]
    assert found[0].sha256 != found[1].sha256


def test_the_hash_of_a_folder_is_that_of_names_and_bytes(tmp_path: Path) -> None:
    def made(name: str, body: str, chapter: str) -> Path:
        folder = tmp_path / name
        folder.mkdir()
        (folder / "main.tex").write_text(f"\\documentclass{{article}}\\begin{{document}}{body}\\end{{document}}")
        (folder / "part.tex").write_text(chapter)
        return folder

    first = made("a", "\\section{One}\\input{part}", "Gulls fly.")
    same = made("b", "\\section{One}\\input{part}", "Gulls fly.")
    other = made("c", "\\section{One}\\input{part}", "Terns fly.")
    hashes = [load_sources(latex=folder)[0].sha256 for folder in (first, same, other)]
    assert hashes[0] == hashes[1] != hashes[2]


def test_no_source_and_a_missing_file_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no source is given"):
        load_sources()
    with pytest.raises(InputNotFoundError):
        load_sources(ar5iv=tmp_path / "none.html")
    with pytest.raises(InputNotFoundError):
        load_sources(docling=tmp_path / "none.json")
