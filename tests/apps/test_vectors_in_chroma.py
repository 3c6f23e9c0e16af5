"""The commands with vectors in Chroma, as a user has them: kept up to date, checked, damaged, mended; nonsense is one line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from made_index import HashedWords, Shelf, item, paper

from variorum.apps.cli.main import main
from variorum.apps.vectors_in_chroma import keep_vectors
from variorum.search.vector_choice import EXACT, VectorChoice


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shelf:
    pytest.importorskip("chromadb", reason="chromadb is not installed: pip install 'variorum[chroma]'")
    monkeypatch.setenv("VARIORUM_DATA", str(tmp_path / "data"))
    made = Shelf(tmp_path / "index.sqlite", HashedWords())
    made.put([(item("A", "Ponds"), paper("Ponds", "Ice on the pond.")), (item("B", "Reeds"), paper("Reeds", "A heron."))])
    made.embed()
    return made


def test_vectors_are_kept_checked_set_aside_and_made_anew(shelf: Shelf, capsys: pytest.CaptureFixture[str]) -> None:
    choice = VectorChoice(store="chroma")
    change, said = keep_vectors(shelf.path, choice)
    assert change is not None
    assert change.added == change.rows > 0
    assert said == ()
    check = ["index", "--verify", "--vectors", "chroma", "--index", str(shelf.path), "--json"]
    assert main(check) == 0
    assert json.loads(capsys.readouterr().out)["faults"] == []
    database = next(shelf.path.with_name("index.sqlite.chroma").glob("vectors-1/chroma.sqlite3"))
    database.write_bytes(database.read_bytes()[:-1])
    assert main(check) == 4
    (fault,) = json.loads(capsys.readouterr().out)["faults"]
    assert "chroma.sqlite3 has changed" in fault
    assert "vectors-1.damaged" in fault
    assert main(check) == 0
    again, _ = keep_vectors(shelf.path, choice)
    assert again is not None
    assert again.added == change.rows


@pytest.mark.parametrize("how", [["--by", "words"], ["--boolean"]])
def test_a_search_by_words_opens_no_chroma(
    shelf: Shelf, how: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("variorum.search.opening.find_model", lambda folder: "a model")
    monkeypatch.setattr("variorum.search.opening.OnnxEmbedder", lambda files: HashedWords())
    call = ["search", "heron", *how, "--vectors", "chroma", "--index", str(shelf.path)]
    assert main(call) == 0
    assert "Reeds" in capsys.readouterr().out
    assert not list(shelf.path.parent.glob("*.chroma"))


def test_the_exact_store_keeps_nothing(shelf: Shelf) -> None:
    assert keep_vectors(shelf.path, EXACT) == (None, ())
    assert not list(shelf.path.parent.glob("*.chroma"))


@pytest.mark.parametrize(
    ("options", "code", "where"),
    [
        (["--vectors", "croma"], 2, "--vectors"),
        (["--chroma-port", "8000"], 2, "--chroma-port"),
        (["--vectors", "chroma", "--chroma-path", "FILE"], 2, "is a file"),
        (["--vectors", "chroma", "--chroma-path", "x", "--chroma-host", "localhost"], 2, "--chroma-path"),
        (["--vectors", "chroma", "--chroma-path", ""], 2, "empty"),
    ],
)
def test_choices_that_make_no_sense_are_one_line_and_a_code(
    shelf: Shelf, capsys: pytest.CaptureFixture[str], options: list[str], code: int, where: str
) -> None:
    given = [str(shelf.path) if option == "FILE" else option for option in options]
    assert main(["index", "--verify", "--index", str(shelf.path), *given]) == code
    error = capsys.readouterr().err
    assert where in error
    assert "Traceback" not in error
