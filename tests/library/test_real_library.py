"""A real library of an older Zotero, in place; and the script's own, filled with the papers of the corpus."""

from __future__ import annotations

from pathlib import Path

import pytest
from library_watch import state_of

from tools.zotero_library import corpus_papers, make_library
from tools.zotero_writer import key_of
from variorum.libraries import check, read_zotero

pytestmark = pytest.mark.corpus


def test_a_real_library_is_read_whole(corpus: Path, nobody: Path) -> None:
    folder = corpus / "zotero"
    before = state_of(folder)
    library = read_zotero(folder, home=nobody)
    assert state_of(folder) == before
    assert (library.found, len(library), library.skipped, library.notices) == (5, 5, (), ())
    assert [item.key for item in library] == ["EWM83WCB", "GPPHXHHH", "I6RNZ53Q", "IH8J2JJP", "X8H6TF8V"]
    assert {item.key: item.year for item in library} == {
        "EWM83WCB": 1998,
        "GPPHXHHH": 2013,
        "I6RNZ53Q": 2015,
        "IH8J2JJP": 2014,
        "X8H6TF8V": 2009,
    }
    assert all(item.doi.startswith("10.") and item.publication and item.creators for item in library)
    assert all(pdf.path is not None and not pdf.is_renamed for item in library for pdf in item.pdfs)
    assert [len(item.pdfs) for item in library] == [0, 1, 1, 1, 1]


def test_the_papers_of_the_corpus_are_readable_in_a_library(corpus: Path, tmp_path: Path, nobody: Path) -> None:
    papers = corpus_papers(corpus)
    made = make_library(tmp_path, papers=papers)
    library = read_zotero(made.data_dir, home=nobody)
    keys = {key_of(f"paper {number}"): paper.title for number, paper in enumerate(papers, start=1)}
    items = [item for item in library if item.key in keys]
    assert {item.key: item.title for item in items} == keys
    report = check(items)
    assert report.count("readable") == len(report.files) == len(papers)
