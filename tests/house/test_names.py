"""Names of documents stay out of src/, and places of one machine out of the project."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools import check_names


def faults(path: str, text: str) -> list[str]:
    return list(check_names.faults_in(path, text, ["/builds/someone/"], ["odd-paper"]))


@pytest.mark.parametrize(
    "line",
    [
        "if name == 'eu-012':",
        "# tuned on " + "2305." + "03393",
        "if key == 'jose." + "00042':",
        "if paper == 'odd-paper':",
        "open('/home/me/paper.pdf')",
        "cache = '/tmp/cache'",
    ],
)
def test_document_or_path_in_source_is_found(line: str) -> None:
    assert len(faults("src/variorum/x.py", line)) == 1


@pytest.mark.parametrize(
    "line", ["value = 2013.5", "see https://example.org/home/page", "odd-paper-like", "x / y / z", "'text/html'"]
)
def test_ordinary_source_passes(line: str) -> None:
    assert faults("src/variorum/x.py", line) == []


def test_place_of_this_machine_is_found_everywhere() -> None:
    assert faults("docs/index.md", "see /builds/someone/notes")
    assert faults("constraints.txt", "variorum @ " + "file:///" + "builds/x")


def test_documents_may_be_named_in_tests() -> None:
    assert faults("tests/test_x.py", "eu-012 and odd-paper") == []


def test_corpus_folders_that_are_plain_words_are_not_looked_for(tmp_path: Path) -> None:
    for name in ("attention", "mistral7b", "wallets-sok"):
        (tmp_path / "papers" / name).mkdir(parents=True)
    assert check_names.corpus_names(tmp_path) == ["mistral7b", "wallets-sok"]
    assert check_names.corpus_names(tmp_path / "absent") == []
