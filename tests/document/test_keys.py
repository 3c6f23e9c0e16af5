"""Claims about a paper's key."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from variorum.document.keys import file_sha256, make_component_id, paper_key

SHA256 = "0123456789abcdef" * 4


def test_attachment_of_a_zotero_library_has_its_key() -> None:
    assert paper_key("Zotero/storage/ABCD2345/paper.pdf", SHA256) == "ABCD2345"


@pytest.mark.parametrize(
    "path",
    [
        "paper.pdf",
        "ABCD2345/paper.pdf",
        "storage/abcd2345/paper.pdf",
        "storage/ABCD23456/paper.pdf",
        "storage/ABCD2345/sub/paper.pdf",
        "storage/ABCD2345",
        "Storage/ABCD2345/paper.pdf",
    ],
)
def test_any_other_file_has_the_beginning_of_its_hash(path: str) -> None:
    assert paper_key(path, SHA256) == "01234567"


def test_key_does_not_depend_on_where_the_command_was_called(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "storage" / "ABCD2345"
    folder.mkdir(parents=True)
    monkeypatch.chdir(folder)
    assert paper_key("paper.pdf", SHA256) == "ABCD2345"


def test_hash_is_that_of_the_bytes(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"x" * 3_000_000)
    assert file_sha256(path) == hashlib.sha256(b"x" * 3_000_000).hexdigest()


@pytest.mark.parametrize(
    ("kind", "number", "name"),
    [
        ("figure", "3", "fig-3"),
        ("equation", "4", "eq-4"),
        ("heading", "3.2", "sec-3.2"),
        ("bibliography_entry", "[12]", "ref-12"),
        ("paragraph", None, "par-7"),
        ("list_item", "•", "item-7"),
    ],
)
def test_component_is_named_by_its_printed_number_else_by_its_place(kind: str, number: str | None, name: str) -> None:
    assert make_component_id(kind, number, 7) == name


def test_second_component_of_a_number_gets_a_count() -> None:
    assert make_component_id("figure", "3", 9, taken={"fig-3"}) == "fig-3-2"
