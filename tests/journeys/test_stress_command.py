"""The stress test as a person calls it: from a folder of papers to a verdict, cut off and resumed, with bad input and none."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest
from journey_words import PACKAGE_PARENT, ROWS, Command, MakePdf

FAST = ("--config", "fast", "--no-vectors", "--no-variants")


def ask(path: Path, sql: str) -> list[tuple[object, ...]]:
    connection = sqlite3.connect(path)
    try:
        return connection.execute(sql).fetchall()
    finally:
        connection.close()


def write_truth(folder: Path, *, effect: str = "0.81") -> None:
    """Write the truth of the paper in a folder, with this text in the cell of the first effect."""
    rows = [list(row) for row in ROWS]
    rows[1][2] = effect
    cells = [{"row": r, "col": c, "text": text} for r, row in enumerate(rows) for c, text in enumerate(row)]
    cells = [{**cell, "rowspan": 1, "colspan": 1} for cell in cells]
    table = {
        "id": "T1",
        "number": "1",
        "page": 1,
        "n_rows": 4,
        "n_cols": 3,
        "header_rows": 1,
        "caption": "Effects of the drugs.",
    }
    truth = {"tables": [{**table, "cells": cells, "exact": True, "ok": True}]}
    (folder / "truth.json").write_text(json.dumps(truth), encoding="utf-8")


def test_a_corpus_with_its_truth_leads_to_reports_and_a_verdict(command: Command, make_pdf: MakePdf, tmp_path: Path) -> None:
    make_pdf("corpus/drugs/paper.pdf")
    write_truth(tmp_path / "corpus" / "drugs")
    make_pdf("corpus/plain/paper.pdf", captions=("Table 1. The same again.", ""))
    done = command("stress", "--corpus", "corpus", "-o", "out", "--config", "fast", "--no-vectors", "--jobs", "2")
    last = done.out.splitlines()[-1]
    assert last.startswith("VERDICT: ")
    assert last.endswith(" of 2 papers")
    assert done.code == {"reliable": 0, "rough edges": 1, "unreliable": 2}[last.removeprefix("VERDICT: ").partition(" – ")[0]]
    made = {path.relative_to(tmp_path / "out").as_posix() for path in (tmp_path / "out").rglob("*") if path.is_file()}
    assert {"STRESS_TEST_REPORT.md", "stress_report.html", "stress_summary.json", "debug.db", "index.sqlite"} <= made
    assert {"papers/drugs/document.json", "papers/plain/document.json"} <= made
    database = tmp_path / "out" / "debug.db"
    assert ask(database, "SELECT key, status, num_true_tables FROM stress_papers ORDER BY key") == [
        ("drugs", "read", 1),
        ("plain", "read", 0),
    ]
    assert ask(database, "SELECT config, is_perfect FROM variant_results JOIN papers USING(item_key) ORDER BY config") == [
        (name, 1) for name in ("default", "fast", "minimal", "ruled")
    ]
    assert ask(database, "SELECT count(*) FROM papers WHERE num_chunks > 0") == [(2,)]
    assert ask(database, "SELECT count(*) FROM chunks") == ask(database, "SELECT sum(num_chunks) FROM papers")
    assert ask(database, "SELECT DISTINCT passed FROM test_results WHERE kind = 'table cells'") == [(1,)]


def test_a_wrong_value_is_major_and_makes_the_product_unreliable(command: Command, make_pdf: MakePdf, tmp_path: Path) -> None:
    make_pdf("corpus/drugs/paper.pdf")
    write_truth(tmp_path / "corpus" / "drugs", effect="9.99")
    done = command("stress", "--corpus", "corpus", "-o", "out", *FAST)
    assert done.code == 2
    assert done.out.splitlines()[-1].startswith("VERDICT: unreliable – ")
    failed = ask(
        tmp_path / "out" / "debug.db", "SELECT severity, detail FROM test_results WHERE kind = 'table cells' AND passed = 0"
    )
    assert [severity for severity, _ in failed] == ["MAJOR"]
    assert "9.99" in str(failed[0][1])
    assert "0.81" in str(failed[0][1])


def test_bad_files_cost_themselves(command: Command, make_pdf: MakePdf, tmp_path: Path) -> None:
    make_pdf("corpus/good.pdf")
    make_pdf("corpus/locked.pdf", password="secret")
    (tmp_path / "corpus" / "torn.pdf").write_bytes(b"no PDF at all")
    (tmp_path / "corpus" / "copy.pdf").write_bytes((tmp_path / "corpus" / "good.pdf").read_bytes())
    done = command("stress", "--corpus", "corpus", "-o", "out", *FAST)
    assert "Traceback" not in done.out + done.err
    database = tmp_path / "out" / "debug.db"
    assert ask(database, "SELECT key, status FROM stress_papers ORDER BY key") == [
        ("copy", "read"),
        ("good", "duplicate"),
        ("locked", "unreadable"),
        ("torn", "unreadable"),
    ]
    sql = "SELECT paper, severity FROM test_results WHERE kind IN ('unreadable', 'crash') AND passed = 0 ORDER BY paper"
    assert ask(database, sql) == [("locked", "MINOR"), ("torn", "MINOR")]
    assert "good was left out: it is the same file as copy" in done.err


def test_a_folder_of_bad_files_alone_tests_nothing(command: Command, make_pdf: MakePdf, tmp_path: Path) -> None:
    make_pdf("corpus/locked.pdf", password="secret")
    (tmp_path / "corpus" / "torn.pdf").write_bytes(b"no PDF at all")
    done = command("stress", "--corpus", "corpus", "-o", "out", "--quiet", *FAST)
    assert (done.code, done.out, len(done.err_lines)) == (4, "", 1)
    assert "out: no paper of the test can be read: locked (the file is encrypted), torn (not a PDF" in done.err


def test_the_summary_is_the_same_whatever_the_number_of_processes(command: Command, make_pdf: MakePdf, tmp_path: Path) -> None:
    for name in ("a", "b", "c"):
        make_pdf(f"corpus/{name}.pdf", captions=(f"Table 1. Effects of {name}.",))
    for jobs in ("1", "2"):
        command("stress", "--corpus", "corpus", "-o", f"out{jobs}", "--jobs", jobs, *FAST)
    one, two = ((tmp_path / f"out{jobs}" / "stress_summary.json").read_bytes() for jobs in ("1", "2"))
    assert one == two
    assert b"Alpha" not in one
    assert str(tmp_path).encode() not in one


def test_what_was_read_before_a_kill_is_not_read_again(make_pdf: MakePdf, command: Command, tmp_path: Path) -> None:
    for i in range(6):
        make_pdf(f"corpus/{i}.pdf", captions=[f"Table {n}. Of paper {i}." for n in range(1, 4)])
    call = ("stress", "--corpus", "corpus", "-o", "out", *FAST)
    process = subprocess.Popen(
        [sys.executable, "-m", "variorum.apps.cli.main", *call],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": PACKAGE_PARENT},
        start_new_session=True,
    )
    deadline = time.monotonic() + 120
    while not (tmp_path / "out" / "papers" / "1" / "document.json").exists():
        assert process.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.01)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait(timeout=30)
    database = tmp_path / "out" / "debug.db"
    before = ask(database, "SELECT key FROM stress_papers WHERE status = 'read'")
    assert 0 < len(before) < 6

    refused = command("stress", "diff", database, database)
    assert (refused.code, refused.out) == (4, "")
    assert "its last stress test did not come to its end" in refused.err

    resumed = command(*call)
    assert resumed.out.splitlines()[-1].startswith("VERDICT: ")
    by_run = ask(database, "SELECT key FROM stress_papers WHERE run_id = 1 ORDER BY key")
    assert by_run == before
    assert ask(database, "SELECT count(*) FROM stress_papers") == [(6,)]
    command("stress", "--corpus", "corpus", "-o", "fresh", *FAST)
    resumed_summary, fresh = (json.loads((tmp_path / f / "stress_summary.json").read_text("utf-8")) for f in ("out", "fresh"))
    assert resumed_summary | {"software": ""} == fresh | {"software": ""}  # the digest of a code that may be edited meanwhile


def test_a_folder_of_another_test_is_not_emptied_unasked(command: Command, make_pdf: MakePdf, tmp_path: Path) -> None:
    for name in ("a", "b"):
        make_pdf(f"corpus/{name}.pdf", captions=(f"Table 1. Effects of {name}.",))
    command("stress", "--corpus", "corpus", "-o", "out", *FAST)
    refused = command("stress", "--corpus", "corpus", "--item", "a", "-o", "out", *FAST)
    assert (refused.code, refused.out) == (2, "")
    assert refused.err == (
        "variorum: out: holds papers that are not asked for: b. To try: another folder with -o, or --prune to take them out\n"
    )
    command("stress", "--corpus", "corpus", "--item", "a", "-o", "out", "--prune", *FAST)
    assert ask(tmp_path / "out" / "debug.db", "SELECT short_name FROM papers") == [("a",)]
    assert not (tmp_path / "out" / "papers" / "b").exists()


def test_json_is_the_summary_and_the_files(command: Command, make_pdf: MakePdf, tmp_path: Path) -> None:
    make_pdf("corpus/a.pdf")
    done = command("stress", "--corpus", "corpus", "-o", "out", "--json", *FAST)
    told = json.loads(done.out)
    kept = json.loads((tmp_path / "out" / "stress_summary.json").read_text(encoding="utf-8"))
    assert {key: value for key, value in told.items() if key != "files"} == kept
    assert all((tmp_path / path).is_file() for path in told["files"])


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        ((), 2, "says nothing of the papers. To try: one of --corpus DIR, --zotero DIR, --folder DIR"),
        (("--corpus", "corpus"), 2, "says nothing of the output"),
        (("--corpus", "corpus", "--folder", "corpus", "-o", "out"), 2, "--corpus and --folder are several places"),
        (("--corpus", "corpus", "-o", "out", "--papers", "0"), 2, "--papers: must be at least 1, not 0"),
        (("--corpus", "corpus", "-o", "out", "--jobs", "0"), 2, "--jobs: must be at least 1, not 0"),
        (("--corpus", "corpus", "-o", "out", "--item", "zzz"), 2, "no paper is called 'zzz'"),
        (("--corpus", "corpus", "-o", "out", "--truth", "nowhere"), 3, "nowhere: no such truth file or folder"),
        (("--corpus", "corpus", "-o", "out", "--truth", "bad.json"), 4, "bad.json"),
        (("--corpus", "corpus", "-o", "out", "--config", "quick"), 7, "no configuration of the name 'quick'"),
        (("--corpus", "corpus", "-o", "taken.txt"), 8, "taken.txt"),
        (("--corpus", "nowhere", "-o", "out"), 3, "nowhere: no such folder"),
        (("--zotero", "corpus", "-o", "out"), 3, "corpus"),
        (("--corpus", "corpus", "--base-dir", "x", "-o", "out"), 2, "only a Zotero library has linked files"),
    ],
)
def test_a_call_that_makes_no_sense_is_one_line_and_no_verdict(
    arguments: tuple[str, ...], code: int, words: str, command: Command, make_pdf: MakePdf, tmp_path: Path
) -> None:
    make_pdf("corpus/a.pdf")
    (tmp_path / "bad.json").write_text("{", encoding="utf-8")
    (tmp_path / "taken.txt").write_text("mine", encoding="utf-8")
    done = command("stress", *arguments)
    lines = [line for line in done.err_lines if "warning" not in line]
    assert (done.code, done.out, len(lines)) == (code, "", 1)
    assert words in lines[0]
    assert (tmp_path / "taken.txt").read_text(encoding="utf-8") == "mine"


def test_what_is_read_anew_is_said_with_its_reason(command: Command, make_pdf: MakePdf, tmp_path: Path) -> None:
    make_pdf("corpus/drugs/paper.pdf")
    make_pdf("corpus/plain/paper.pdf", captions=("Table 1. The same again.", ""))
    call = ("stress", "--corpus", "corpus", "-o", "out", "--no-vectors", "--no-variants")
    assert "anew" not in command(*call, "--config", "minimal").err
    assert "anew" not in command(*call, "--config", "minimal").err
    write_truth(tmp_path / "corpus" / "drugs")
    assert "1 paper read anew: the truth has changed" in command(*call, "--config", "minimal").err
    assert "2 papers read anew: the configuration has changed" in command(*call, "--config", "fast").err
    (tmp_path / "out" / "papers" / "plain" / "document.json").write_text("{")
    assert "1 paper read anew: what was kept is damaged" in command(*call, "--config", "fast").err


def test_a_folder_that_another_test_writes_is_refused(command: Command, make_pdf: MakePdf, tmp_path: Path) -> None:
    make_pdf("corpus/plain.pdf")
    (tmp_path / "out").mkdir()
    other = sqlite3.connect(tmp_path / "out" / "debug.db.lock", isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    done = command("stress", "--corpus", "corpus", "-o", "out", *FAST)
    other.close()
    assert (done.code, done.out) == (8, "")
    assert "out: another stress test is writing into this folder" in done.err
    assert not (tmp_path / "out" / "debug.db").exists()


def test_the_truth_of_another_paper_is_told_as_such(command: Command, make_pdf: MakePdf, tmp_path: Path) -> None:
    make_pdf("corpus/drugs/paper.pdf")
    write_truth(tmp_path / "corpus" / "drugs")
    truth = tmp_path / "corpus" / "drugs" / "truth.json"
    assert "another paper" not in command("stress", "--corpus", "corpus", "-o", "out", *FAST).err
    data = json.loads(truth.read_text(encoding="utf-8"))
    for i, cell in enumerate(data["tables"][0]["cells"]):
        cell["text"] = f"pond {i}"
    truth.write_text(json.dumps(data), encoding="utf-8")
    done = command("stress", "--corpus", "corpus", "-o", "out", *FAST)
    assert "warning: drugs: no table of truth.json was read in it: is it the truth of another paper?" in done.err


def test_a_database_that_cannot_be_used_is_left_and_the_way_out_is_told(
    command: Command, make_pdf: MakePdf, tmp_path: Path
) -> None:
    make_pdf("corpus/plain.pdf")
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "debug.db").write_bytes(b"no database" * 100)
    done = command("stress", "--corpus", "corpus", "-o", "out", *FAST)
    assert (done.code, "remove the file, and all papers are read anew" in done.err) == (8, True)
    assert (tmp_path / "out" / "debug.db").read_bytes() == b"no database" * 100
