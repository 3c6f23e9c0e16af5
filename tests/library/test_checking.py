"""A check opens every PDF, says of each what became of it, and its sums add up."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tools.zotero_library import text_pdf
from tools.zotero_writer import key_of
from variorum.libraries import CheckReport, Library, check, read_folder, select
from variorum.libraries import Selection as Wish
from variorum.libraries.checking import STATES

STATE_OF = {
    "scanned": ("without-text", "no page has text: a scan, to be read with OCR"),
    "encrypted": ("encrypted", "the file is encrypted"),
    "empty": ("damaged", "the file is empty"),
    "corrupt": ("damaged", "damaged beyond reading"),
    "not downloaded": ("no-file", "the file is on Zotero's server"),
    "two candidates": ("no-file", "there is no 'article.pdf' in its folder"),
    "linked on windows": ("no-file", "its path is one of another operating system"),
}


@pytest.fixture(scope="module")
def report(library: Library) -> CheckReport:
    return check(select(library, Wish()))


def test_every_pdf_has_one_state(report: CheckReport, library: Library) -> None:
    assert len(report.files) == sum(len(item.pdfs) for item in library) == sum(report.count(state) for state in STATES)


def test_each_bad_file_is_known_with_its_reason_and_no_good_one_is_called_bad(report: CheckReport) -> None:
    bad = {file.item.key: (file.state, file.reason) for file in report.files if file.state != "readable"}
    assert set(bad) == {key_of(name) for name in STATE_OF}
    for name, (state, reason) in STATE_OF.items():
        assert bad[key_of(name)][0] == state
        assert bad[key_of(name)][1].startswith(reason)
    assert report.has_faults


def test_readable_files_have_pages_and_a_content(report: CheckReport) -> None:
    readable = [file for file in report.files if file.state == "readable"]
    assert all(file.n_pages == 1 and len(file.sha256) == 64 for file in readable)


def test_renamed_files_are_marked(report: CheckReport) -> None:
    assert [file.item.key for file in report.files if file.is_renamed] == [key_of("renamed")]


def test_items_without_a_pdf_are_listed_but_not_files_and_notes_of_their_own(report: CheckReport) -> None:
    names = ("web link", "case", "book", "attachment in trash")
    assert {ref.key for ref in report.without_pdf} == {key_of(name) for name in names}


def test_the_same_doi_and_the_same_content_are_named_within_a_library(report: CheckReport) -> None:
    same = {(found.kind, frozenset(found.keys)) for found in report.duplicates}
    assert same == {
        ("doi", frozenset(map(key_of, ("annotated", "same doi")))),
        ("content", frozenset(map(key_of, ("pdf of annotated", "pdf of same content")))),
    }


def test_progress_counts_every_file_that_is_opened(library: Library) -> None:
    told: list[tuple[int, int]] = []
    check(select(library, Wish(tags=("tables", "表格"))), done=lambda done, total: told.append((done, total)))
    assert told == [(1, 2), (2, 2)]


def test_a_file_that_is_gone_when_it_is_opened_costs_itself_only(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / f"{name}.pdf").write_bytes(text_pdf([name]))
    library = read_folder(tmp_path)
    (tmp_path / "a.pdf").unlink()
    report = check(library.items, isolated=False)
    assert sorted((file.title, file.state, file.reason) for file in report.files) == [
        ("a.pdf", "damaged", "no such file"),
        ("b.pdf", "readable", ""),
    ]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_pipe_is_no_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.pdf")
    library = read_folder(tmp_path)
    assert [row.reason for row in library.skipped] == ["it is no regular file"]


def test_no_item_is_a_report_of_nothing() -> None:
    report = check(())
    assert (report.files, report.has_faults, report.n_items) == ((), False, 0)
