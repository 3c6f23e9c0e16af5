"""A run that is killed at any step leaves an index that is whole; the next goes on, and ends where an undisturbed one does."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tools.zotero_library import text_pdf
from variorum.search import store
from variorum.search.manifest import Manifest
from variorum.search.store import open_index
from variorum.search.verifying import dump, verify

RUN = Path(__file__).with_name("interrupted_run.py")
WORDS = ["Ice on ponds is thin.", "Snow lies on hills.", "Rivers carry stones."]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with three PDFs and a damaged one."""
    place = tmp_path_factory.mktemp("papers")
    for name, words in zip("abc", WORDS, strict=True):
        (place / f"{name}.pdf").write_bytes(text_pdf([words]))
    (place / "damaged.pdf").write_bytes(text_pdf(["x"])[:200])
    return place


def run_until(folder: Path, index: Path, step: str) -> str:
    """Return the last step that a run said; it is killed at the first that begins so, or goes to its end."""
    said = ""
    command = [sys.executable, str(RUN), str(folder), str(index)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=RUN.parent) as process:
        assert process.stdout is not None
        assert process.stdin is not None
        for line in process.stdout:
            said = line.strip()
            if said.startswith(("done", step)):
                break
            process.stdin.write("on\n")
            process.stdin.flush()
        if said != "done":
            process.kill()
    return said


def dumped(index: Path) -> list[str]:
    with open_index(index) as opened:
        return list(dump(opened))


def test_a_run_killed_again_and_again_ends_where_an_undisturbed_one_does(folder: Path, tmp_path: Path) -> None:
    whole, cut = tmp_path / "whole.sqlite", tmp_path / "cut.sqlite"
    assert run_until(folder, whole, "done") == "done"
    for step in ("items 1", "papers 0", "papers 2", "vectors"):
        assert run_until(folder, cut, step).startswith(step)
        assert verify(cut) == ()
    assert run_until(folder, cut, "done") == "done"
    assert dumped(cut) == dumped(whole)


@pytest.mark.parametrize("step", ["_create", "_give_id"])
def test_an_index_is_there_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str) -> None:
    manifest = Manifest(reading="test", tokenizer="test", max_tokens=256)

    def die(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(store, step, die)
        with pytest.raises(KeyboardInterrupt):
            store.open_writer(tmp_path / "index.sqlite", manifest)
    assert not (tmp_path / "index.sqlite").exists()
    store.open_writer(tmp_path / "index.sqlite", manifest).close()
    assert verify(tmp_path / "index.sqlite") == ()
    assert {path.name for path in tmp_path.iterdir()} == {"index.sqlite", "index.sqlite.lock"}
