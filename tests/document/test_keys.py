"""Claims about a paper's key."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from variorum.document.keys import file_sha256, paper_key

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
