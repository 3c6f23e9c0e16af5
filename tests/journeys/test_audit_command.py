"""``variorum audit`` from outside: a log is verified, its runs are made again from their inputs, and what differs is said."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from journey_words import Command

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "technical-report"


@pytest.fixture
def fused(command: Command, tmp_path: Path) -> Path:
    """Return the log of a fusion of the example's HTML and LaTeX, which lie in ``in`` beside the results in ``out``."""
    (tmp_path / "in").mkdir()
    for name in ("report.html", "report.tex", "references.bib"):
        shutil.copy(EXAMPLE / name, tmp_path / "in" / name)
    sources = ["--ar5iv", "in/report.html", "--latex", "in/report.tex"]
    run = command("fuse", *sources, "-o", "out", "--format", "json", "--quiet", "--stamp", "first of May")
    assert run.code == 0, run.err
    return tmp_path / "out" / "audit.jsonl"


def test_a_log_is_sound_as_it_was_written(command: Command, fused: Path) -> None:
    run = command("audit", "verify", fused)
    assert (run.code, run.err) == (0, "")
    assert "sound" in run.out
    assert "audit.jsonl.head vouches for" in run.out


def test_an_altered_log_is_found_with_line_and_seq(command: Command, fused: Path) -> None:
    lines = fused.read_bytes().splitlines(keepends=True)
    fused.write_bytes(b"".join([*lines[:2], *lines[3:]]))
    run = command("audit", "verify", fused)
    assert run.code == 10
    assert "line 3, seq 4: stands where record 3 belongs" in run.err
    answer = json.loads(command("audit", "verify", fused, "--json").out)
    assert not answer["is_sound"]
    assert answer["faults"][0]["line"] == 3


def test_a_run_is_made_again_from_where_its_inputs_lie(command: Command, fused: Path) -> None:
    run = command("audit", "replay", fused)
    assert (run.code, run.err) == (0, "")
    assert "made again" in run.out
    assert "both files byte by byte" in run.out


def test_a_project_that_was_moved_is_made_again(command: Command, fused: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    for name in ("in", "out"):
        (tmp_path / name).rename(tmp_path / "elsewhere" / name)
    assert command("audit", "replay", "elsewhere/out/audit.jsonl").code == 0


def test_inputs_are_found_in_a_folder_by_name_and_hash(command: Command, fused: Path, tmp_path: Path) -> None:
    decoy = tmp_path / "archive" / "a" / "report.html"
    decoy.parent.mkdir(parents=True)
    decoy.write_text((EXAMPLE / "report.html").read_text(encoding="utf-8").replace("the", "one", 1), encoding="utf-8")
    (tmp_path / "in").rename(tmp_path / "archive" / "b")
    assert "is not found" in command("audit", "replay", fused).err
    run = command("audit", "replay", fused, "--inputs", "archive")
    assert (run.code, run.err) == (0, "")


def test_another_input_is_refused_before_anything_is_fused(command: Command, fused: Path, tmp_path: Path) -> None:
    page = tmp_path / "in" / "report.html"
    page.write_text(page.read_text(encoding="utf-8").replace("the", "one", 1), encoding="utf-8")
    run = command("audit", "replay", fused)
    assert run.code == 10
    assert "is not the ar5iv of the run: its SHA-256 is" in run.err


def test_stored_readings_stand_for_inputs_that_are_gone(command: Command, fused: Path, tmp_path: Path) -> None:
    shutil.rmtree(tmp_path / "in")
    run = command("audit", "replay", fused, "--stored-readings", "out/readings")
    assert (run.code, run.err) == (0, "")
    assert "ar5iv from its stored reading" in run.out


def test_a_changed_stored_reading_is_refused(command: Command, fused: Path, tmp_path: Path) -> None:
    shutil.rmtree(tmp_path / "in")
    reading = tmp_path / "out" / "readings" / "latex.json"
    reading.write_text(reading.read_text(encoding="utf-8").replace("the", "one", 1), encoding="utf-8")
    run = command("audit", "replay", fused, "--stored-readings", "out/readings")
    assert run.code == 10
    assert "is not the reading of the run" in run.err


def test_an_altered_log_is_not_replayed(command: Command, fused: Path) -> None:
    fused.write_bytes(fused.read_bytes().replace(b"first of May", b"first of Mai"))
    run = command("audit", "replay", fused)
    assert run.code == 10
    assert "does not have the hash of what it says" in run.err


def test_a_decision_is_shown_with_all_candidates(command: Command, fused: Path) -> None:
    whole = command("audit", "show", fused)
    assert whole.code == 0
    assert "stamp    first of May" in whole.out
    decision = json.loads(fused.read_text(encoding="ascii").splitlines()[1])
    shown = command("audit", "show", fused, "--component", decision["components"][0])
    assert decision["reason"] in shown.out
    assert len(shown.out) < len(whole.out)


def test_a_component_that_no_decision_is_about_is_said(command: Command, fused: Path) -> None:
    run = command("audit", "show", fused, "--component", "par-9999")
    assert (run.code, run.out) == (2, "")
    assert "no decision is about 'par-9999'" in run.err


def test_the_order_of_options_does_not_matter_to_the_log(command: Command, fused: Path, tmp_path: Path) -> None:
    options = ["--stamp", "first of May", "--latex", "in/report.tex", "--ar5iv", "in/report.html"]
    assert command("fuse", *options, "-o", "two", "--format", "json", "--quiet").code == 0
    assert (tmp_path / "two" / "audit.jsonl").read_bytes() == fused.read_bytes()


def test_another_tenant_cannot_write_into_the_log(command: Command, fused: Path) -> None:
    before = fused.read_bytes()
    run = command("fuse", "--latex", "in/report.tex", "--tenant", "default-dynamic", "-o", "out", "--quiet")
    assert run.code == 10
    assert "is the log of the tenant 'default'" in run.err
    assert fused.read_bytes() == before
    assert command("audit", "verify", fused).code == 0


def test_an_interrupted_run_is_explained_and_repaired(command: Command, fused: Path) -> None:
    head = fused.with_name("audit.jsonl.head")
    kept = head.read_bytes()
    again = ["fuse", "--ar5iv", "in/report.html", "--latex", "in/report.tex", "-o", "out", "--format", "json", "--quiet"]
    assert command(*again).code == 0
    fused.write_bytes(fused.read_bytes()[:-50])
    head.write_bytes(kept)
    run = command("audit", "verify", fused)
    assert run.code == 10
    assert "To try: variorum audit repair" in run.err
    assert "nothing was appended" in command(*again).err
    assert command("audit", "repair", fused).code == 0
    assert command(*again).code == 0
    assert command("audit", "verify", fused).code == 0
    assert command("audit", "replay", fused, "--quiet").code == 0


def test_what_is_no_log_is_refused_in_one_line(command: Command, tmp_path: Path) -> None:
    (tmp_path / "nonsense").write_bytes(b"\x00\xff no log")
    for verb in ("verify", "replay", "show"):
        for name in ("nonsense", "missing.jsonl", "."):
            run = command("audit", verb, name)
            assert run.code in (3, 10)
            assert "Traceback" not in run.err
            assert run.err.startswith("variorum: ")
