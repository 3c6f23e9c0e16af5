"""Claims about the audit log: what a run writes, how runs follow each other, and what an interruption leaves."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from tests.fusion.audit_samples import LONG_TEXT, fusion, sources, tenant
from variorum.errors import AuditError, InputNotFoundError, OutputError, TenantMismatchError, UsageError
from variorum.fusion.audit import append_run, decisions_of, find_run, head_path, records, repair, runs_of, verify
from variorum.fusion.audit import files as log_files


def logged(folder: Path, runs: int = 1) -> Path:
    """Return a log of so many runs."""
    log = folder / "audit.jsonl"
    for _ in range(runs):
        append_run(log, fusion(), tenant(), sources())
    return log


# ---- what stands in it ----------------------------------------------------------------------------------------------


def test_a_run_is_an_opening_record_a_record_a_decision_and_a_closing_one(tmp_path: Path) -> None:
    kinds = [record["kind"] for record in records(logged(tmp_path))]
    assert kinds == ["run", *["decision"] * 4, "end"]


def test_the_opening_record_has_inputs_tenant_and_versions(tmp_path: Path) -> None:
    opening = runs_of(logged(tmp_path))[0].opening
    assert [entry["sha256"] for entry in opening["inputs"]] == [s.sha256 for s in sources()]
    assert opening["tenant"] == {
        "name": "default",
        "version": "1.0",
        "sha256": tenant().sha256,
        "text": tenant().canonical_text(),
    }
    assert opening["software"] == "variorum 0.1.0"
    assert "stamp" not in opening


def test_a_stamp_is_kept_as_the_caller_gave_it(tmp_path: Path) -> None:
    log = tmp_path / "audit.jsonl"
    append_run(log, fusion(), tenant(), sources(), stamp="batch 12, 1 May")
    assert runs_of(log)[0].opening["stamp"] == "batch 12, 1 May"
    assert verify(log).is_sound


def test_a_decision_has_all_candidates_with_weights_signals_and_scores(tmp_path: Path) -> None:
    first = next(decisions_of(logged(tmp_path), 1))
    assert [(c["source"], c["weight"], c["score"]) for c in first["candidates"]] == [("latex", 0.8, 0.8), ("pdf", 0.86, 0.774)]
    assert first["candidates"][1]["signals"][0]["name"] == "glued_words"
    assert (first["winner"], first["reason"]) == ("latex", "latex, 0.80, before pdf, 0.77 lowered from 0.86")


def test_long_texts_and_tables_stand_as_their_hashes(tmp_path: Path) -> None:
    log = logged(tmp_path)
    candidates = [c for d in decisions_of(log, 1) for c in d["candidates"]]
    assert candidates[0]["text_length"] == len(f"{LONG_TEXT} 1")
    assert candidates[0]["text_begins"] == LONG_TEXT[:64]
    assert candidates[1]["text"] == "Wheat 1"
    assert candidates[-1]["table"].keys() == {"sha256", "n_rows", "n_cols"}
    assert LONG_TEXT not in log.read_text(encoding="ascii")


def test_the_same_run_writes_the_same_bytes(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    assert logged(tmp_path / "a", 2).read_bytes() == logged(tmp_path / "b", 2).read_bytes()


def test_inputs_near_the_log_are_kept_relative_to_it_and_others_are_not(tmp_path: Path) -> None:
    project, far = tmp_path / "project", tmp_path / "far"
    log = project / "out" / "audit.jsonl"
    paths = {"latex": project / "papers" / "paper.tex", "pdf": far / "paper.pdf"}
    append_run(log, fusion(), tenant(), sources(), paths=paths)
    assert [entry.get("path") for entry in runs_of(log)[0].inputs] == ["../papers/paper.tex", None]


def test_a_run_is_found_by_its_number_and_others_are_named(tmp_path: Path) -> None:
    log = logged(tmp_path, 2)
    assert find_run(log, 2).number == 2
    with pytest.raises(UsageError, match=r"has no run 3.*--run 1 to 2"):
        find_run(log, 3)


# ---- runs that follow each other ------------------------------------------------------------------------------------


def test_a_second_run_goes_on_with_the_chain(tmp_path: Path) -> None:
    report = verify(logged(tmp_path, 3))
    assert report.is_sound
    assert (report.runs, report.records) == (3, 18)


def test_a_run_of_another_tenant_is_refused_and_nothing_is_written(tmp_path: Path) -> None:
    log = logged(tmp_path)
    before = log.read_bytes()
    with pytest.raises(TenantMismatchError, match="is the log of the tenant 'default', and the run is one of 'pharma'"):
        append_run(log, fusion("pharma"), tenant("pharma"), sources())
    assert log.read_bytes() == before


def test_a_tenant_may_change_its_matrix_and_each_run_keeps_its_own(tmp_path: Path) -> None:
    log = logged(tmp_path)
    changed = replace(tenant(), version="1.1")
    append_run(log, replace(fusion(), tenant_sha256=changed.sha256, matrix_version="1.1"), changed, sources())
    assert verify(log).is_sound
    assert [run.opening["tenant"]["version"] for run in runs_of(log)] == ["1.0", "1.1"]


APPENDER = """
import sys
from tests.fusion.audit_samples import fusion, sources, tenant
from variorum.fusion.audit import append_run
sys.stdin.readline()
for _ in range(5):
    append_run(sys.argv[1], fusion(), tenant(), sources())
"""


def test_processes_that_append_at_once_all_finish_and_the_chain_holds(tmp_path: Path, project_root: Path) -> None:
    log = tmp_path / "audit.jsonl"
    command = [sys.executable, "-c", APPENDER, str(log)]
    running = [subprocess.Popen(command, stdin=subprocess.PIPE, cwd=project_root, text=True) for _ in range(2)]
    for process in running:  # both wait until they are told, so that they append at the same time
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.close()
    assert [process.wait() for process in running] == [0, 0]
    report = verify(log)
    assert report.is_sound
    assert report.runs == 10


# ---- what goes wrong ------------------------------------------------------------------------------------------------


def torn(log: Path, *, cut: int = 10) -> None:
    """Cut the end of a log as a crash in the middle of its last run leaves it: the head is still that of the run before."""
    head = head_path(log).read_bytes()
    append_run(log, fusion(), tenant(), sources())
    log.write_bytes(log.read_bytes()[:-cut])
    head_path(log).write_bytes(head)


@pytest.mark.parametrize("whole_line", [False, True], ids=["in the middle of a line", "between two lines"])
def test_a_torn_end_is_reported_and_nothing_is_appended_to_it(tmp_path: Path, whole_line: bool) -> None:
    log = logged(tmp_path)
    torn(log, cut=len(log.read_bytes().splitlines(keepends=True)[-1]) if whole_line else 10)
    assert "cut, or its writing interrupted" in str(verify(log).faults[0])
    before = log.read_bytes()
    with pytest.raises(AuditError, match=r"nothing was appended\. To try: variorum audit verify"):
        append_run(log, fusion(), tenant(), sources())
    assert log.read_bytes() == before


def test_repair_moves_the_torn_end_aside_and_the_log_says_so(tmp_path: Path) -> None:
    log = logged(tmp_path)
    whole = log.read_bytes()
    torn(log)
    rest = log.read_bytes()[len(whole) :]
    done = repair(log)
    assert Path(done.moved_to).read_bytes() == rest
    assert log.read_bytes().startswith(whole)
    assert verify(log).is_sound
    last = list(records(log))[-1]
    assert (last["kind"], last["moved_bytes"]) == ("repair", len(rest))
    append_run(log, fusion(), tenant(), sources())
    assert verify(log).runs == 2


def test_a_head_that_was_not_renewed_is_seen_and_repaired(tmp_path: Path) -> None:
    log = logged(tmp_path)
    head = head_path(log).read_bytes()
    append_run(log, fusion(), tenant(), sources())
    head_path(log).write_bytes(head)
    assert "vouches for 6 records, and 12 of closed runs are here" in str(verify(log).faults[0])
    assert repair(log).unvouched == 6
    assert verify(log).is_sound


def test_an_altered_log_is_not_repaired(tmp_path: Path) -> None:
    log = logged(tmp_path, 2)
    log.write_bytes(log.read_bytes().replace(b'"winner":"latex"', b'"winner":"ar5iv"', 1))
    with pytest.raises(AuditError, match="was altered, not interrupted"):
        repair(log)


def test_runs_that_the_head_vouches_for_are_not_repaired_away(tmp_path: Path) -> None:
    log = logged(tmp_path, 2)
    log.write_bytes(log.read_bytes()[:-10])
    with pytest.raises(AuditError, match="was altered, not interrupted"):
        repair(log)


def test_a_sound_log_is_not_repaired(tmp_path: Path) -> None:
    log = logged(tmp_path)
    before = log.read_bytes()
    with pytest.raises(AuditError, match="nothing is wrong"):
        repair(log)
    assert log.read_bytes() == before


def test_a_log_without_its_head_is_not_appended_to(tmp_path: Path) -> None:
    log = logged(tmp_path)
    head_path(log).unlink()
    with pytest.raises(AuditError, match=r"has no audit\.jsonl\.head beside it"):
        append_run(log, fusion(), tenant(), sources())


def test_an_emptied_log_is_not_begun_anew(tmp_path: Path) -> None:
    log = logged(tmp_path)
    log.write_bytes(b"")
    with pytest.raises(AuditError, match=r"is empty, and audit\.jsonl\.head vouches for 6 records"):
        append_run(log, fusion(), tenant(), sources())


def test_a_full_disk_leaves_the_log_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = logged(tmp_path)
    before = log.read_bytes()

    def refuse(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(log_files.os, "fsync", refuse)
    with pytest.raises(OutputError, match="No space left on device"):
        append_run(log, fusion(), tenant(), sources())
    assert log.read_bytes() == before


def test_missing_logs_and_folders_are_refused_with_what_to_try(tmp_path: Path) -> None:
    with pytest.raises(InputNotFoundError, match="no such audit log"):
        verify(tmp_path / "none.jsonl")
    with pytest.raises(OutputError, match="cannot be written"):
        append_run(tmp_path, fusion(), tenant(), sources())


@pytest.mark.parametrize("held", [b"", b"[]", b"{}", b'{"hash": 1, "records": 1, "runs": 1}', b"\xff"])
def test_a_head_file_of_something_else_is_refused(tmp_path: Path, held: bytes) -> None:
    log = logged(tmp_path)
    head_path(log).write_bytes(held)
    with pytest.raises(AuditError, match="is no head of an audit log"):
        verify(log)


def test_reading_a_log_keeps_one_line_at_a_time(tmp_path: Path) -> None:
    log = logged(tmp_path)
    lines = log.read_bytes().splitlines(keepends=True)
    log.write_bytes(b"".join([*lines[:2], os.urandom(40).hex().encode() + b"\n", *lines[2:]]))
    assert verify(log).faults[0].line == 3
    with pytest.raises(AuditError, match="line 3: is no JSON record"):
        list(records(log))


def test_every_line_is_canonical_json(tmp_path: Path) -> None:
    for line in logged(tmp_path).read_text(encoding="ascii").splitlines():
        assert json.dumps(json.loads(line), sort_keys=True, separators=(",", ":")) == line
