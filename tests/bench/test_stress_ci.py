"""The stress test of CI: its papers are there, what is worse ends it with 1, and a new baseline is one call."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from bench import stress_ci
from variorum.config_checks import read_toml
from variorum.stress.corpus import chosen, papers_of_corpus
from variorum.stress.diff_inputs import load_notes


def summary(score: float) -> dict[str, Any]:
    table = {"truth_id": "t1", "table_id": "k", "score_pct": score, "cell_accuracy_pct": score, "cells_right": 1}
    paper = {"key": "a", "status": "read", "pages": 1, "grade": "A"}
    return {
        "schema_version": 1,
        "software": "s",
        "command": "c",
        "corpus": "p",
        "config": {"name": "default", "digest": "d"},
        "verdict": "reliable",
        "papers": [{**paper, "tables": [{**table, "cells_total": 2, "is_perfect": False, "is_missed": False}]}],
        "variants": [],
        "assertions": [],
    }


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with a baseline and notes of its own, and a corpus that nobody reads."""
    (tmp_path / "papers").mkdir()
    (tmp_path / "notes.toml").write_text("", encoding="utf-8")
    (tmp_path / "baseline.json").write_text(json.dumps(summary(90.0)), encoding="utf-8")
    for name, path in (("BASELINE", "baseline.json"), ("NOTES", "notes.toml"), ("REPOSITORY", ".")):
        monkeypatch.setattr(stress_ci, name, tmp_path / path)
    return tmp_path


def ended(place: Path, score: float | None, monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    """Return the code of a call whose test gives a table this score; None: it did not come to its end."""
    file = place / "new.json"
    if score is not None:
        file.write_text(json.dumps(summary(score)), encoding="utf-8")
    monkeypatch.setattr(stress_ci, "run", lambda *_: None if score is None else file)
    return stress_ci.main(["--corpus", str(place), *arguments])


def test_a_table_that_got_worse_ends_with_1_and_a_note_allows_it(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert ended(place, 90.0, monkeypatch) == 0
    assert ended(place, 80.0, monkeypatch) == 1
    (place / "notes.toml").write_text('[[note]]\npaper = "a"\ntable = "t1"\nreason = "why"\n', encoding="utf-8")
    assert ended(place, 80.0, monkeypatch) == 0
    assert ended(place, 90.0, monkeypatch) == 1, "the note is stale"


def test_a_test_that_did_not_end_is_no_success(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert ended(place, None, monkeypatch) == 1


def test_a_baseline_is_made_by_accepting(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (place / "baseline.json").unlink()
    assert ended(place, 80.0, monkeypatch) == 1
    assert ended(place, 80.0, monkeypatch, "--accept") == 0
    assert ended(place, 80.0, monkeypatch) == 0


def test_without_a_corpus_it_says_that_nothing_was_tested(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("VARIORUM_NO_SKIPS", raising=False)
    assert stress_ci.main(["--corpus", str(tmp_path)]) == 0
    assert "nothing was tested" in capsys.readouterr().err
    monkeypatch.setenv("VARIORUM_NO_SKIPS", "1")
    assert stress_ci.main(["--corpus", str(tmp_path)]) == 1


def test_the_committed_notes_can_be_read() -> None:
    load_notes(stress_ci.NOTES)


@pytest.mark.corpus
def test_the_papers_of_the_test_are_in_the_corpus_and_have_a_truth(corpus: Path) -> None:
    keys = read_toml(stress_ci.PAPERS)["papers"]
    assert isinstance(keys, list)
    papers = chosen(papers_of_corpus(corpus).papers, keys)
    assert sorted(paper.key for paper in papers) == sorted(keys)
    assert all(paper.truth is not None for paper in papers)
