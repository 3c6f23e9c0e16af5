"""From papers to a debug database, to the worth of each voter, to weights: by the command, as a person calls it."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest
from journey_words import ROWS, Command, MakePdf

from variorum.tables.weights import parse_weights

FAST = ("--config", "fast", "--format", "json")


def truth_file(path: Path, *, paper: str = "", rows: tuple[tuple[str, ...], ...] = ROWS) -> Path:
    """Return a file that holds one true table."""
    table = {"table_id": "t1", "headers": list(rows[0]), "rows": [list(r) for r in rows[1:]], "page": 1}
    path.write_text(json.dumps(table | ({"paper": paper} if paper else {})), encoding="utf-8")
    return path


def ask(path: Path, sql: str) -> list[tuple[object, ...]]:
    connection = sqlite3.connect(path)
    try:
        return connection.execute(sql).fetchall()
    finally:
        connection.close()


def test_from_papers_to_weights(command: Command, make_pdf: MakePdf, tmp_path: Path) -> None:
    make_pdf("first.pdf")
    make_pdf("second.pdf", captions=("Table 1. The same again.", ""))
    truth = tmp_path / "truth"
    truth.mkdir()
    truth_file(truth / "a.json", paper="first")
    truth_file(truth / "b.json", paper="second")
    call = ("extract", "first.pdf", "second.pdf", "--debug-db", "d.db", "--truth", "truth", "--jobs", "2", *FAST)
    done = command(*call)
    assert (done.code, done.err) == (0, "")
    assert ask(tmp_path / "d.db", "SELECT short_name, num_pages, tables_found FROM papers ORDER BY 1") == [
        ("first", 1, 1),
        ("second", 2, 1),
    ]
    assert ask(tmp_path / "d.db", "SELECT is_perfect, is_missed FROM ground_truth_diffs") == [(1, 0), (1, 0)]

    told = command("votes", "d.db", "--html", "v.html")
    assert (told.code, told.err) == (0, "")
    assert told.out.startswith("2 tables of 2 papers, 2 compared with a truth\n")
    assert "gap_span_hotspot" in told.out
    assert (tmp_path / "v.html").read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    data = json.loads(command("votes", "d.db", "--json").out)
    assert (data["tables"], data["oracle"]["ratio"]) == (2, 1.0)

    tuned = command("tune", "d.db")
    assert (tuned.code, tuned.err) == (0, "")
    weights = parse_weights((tmp_path / "pipeline_weights.json").read_text(encoding="utf-8"), "w")
    assert (weights.table_count, len(weights.out_of_fold)) == (2, 2)


def test_documents_do_not_depend_on_the_database(command: Command, make_pdf: MakePdf, tmp_path: Path) -> None:
    make_pdf()
    truth_file(tmp_path / "t.json")
    command("extract", "paper.pdf", "-o", "plain", *FAST)
    command("extract", "paper.pdf", "-o", "debug", "--debug-db", "d.db", "--truth", "t.json", *FAST)
    plain, debug = ((tmp_path / name / "document.json").read_bytes() for name in ("plain", "debug"))
    assert plain == debug


def test_content_does_not_depend_on_the_number_of_processes(command: Command, make_pdf: MakePdf, tmp_path: Path) -> None:
    make_pdf(captions=("Table 1. One.", "Table 2. Two.", "Table 3. Three."))
    for jobs in ("1", "3"):
        assert command("extract", "paper.pdf", "--jobs", jobs, "--debug-db", f"{jobs}.db", *FAST).code == 0
    columns = "table_id, method_name, boundary_hypotheses_json, cell_grid_json, quality_score, rank_sum, is_chosen"
    for sql in (
        f"SELECT {columns} FROM method_results",
        f"SELECT {columns} FROM consensus_results",
        "SELECT * FROM divider_votes",
        "SELECT * FROM pipeline_runs",
        "SELECT * FROM papers",
    ):
        assert ask(tmp_path / "1.db", sql) == ask(tmp_path / "3.db", sql)


def test_truth_without_database_is_refused(command: Command, make_pdf: MakePdf, tmp_path: Path) -> None:
    make_pdf()
    truth_file(tmp_path / "t.json")
    done = command("extract", "paper.pdf", "--truth", "t.json", *FAST)
    assert done.code == 2
    assert done.err_lines == ["variorum: --truth: needs a debug database to write the comparison into. To try: --debug-db FILE"]


@pytest.mark.parametrize(
    ("arguments", "code", "what"),
    [
        (("extract", "paper.pdf", "--debug-db", "notes.txt", *FAST), 8, "notes.txt: cannot be used as a debug database"),
        (("extract", "paper.pdf", "--debug-db", ".", *FAST), 8, "is a folder"),
        (("extract", "paper.pdf", "--debug-db", "d.db", "--truth", "none.json", *FAST), 3, "none.json"),
        (("extract", "paper.pdf", "--debug-db", "d.db", "--truth", "notes.txt", *FAST), 4, "notes.txt"),
        (("votes", "none.db"), 3, "none.db: no such debug database"),
        (("votes", "notes.txt"), 4, "notes.txt: is not a debug database"),
        (("tune", "none.db"), 3, "none.db: no such debug database"),
    ],
)
def test_fault_is_one_line_and_nothing_is_read(
    command: Command, make_pdf: MakePdf, tmp_path: Path, arguments: tuple[str, ...], code: int, what: str
) -> None:
    make_pdf()
    (tmp_path / "notes.txt").write_text("These are notes. " * 100)
    done = command(*arguments)
    assert (done.code, done.out, len(done.err_lines)) == (code, "", 1)
    assert what in done.err
    assert not (tmp_path / "paper.variorum").exists()
    assert (tmp_path / "notes.txt").read_text().startswith("These are notes.")


def test_weights_need_a_truth(command: Command, make_pdf: MakePdf, tmp_path: Path) -> None:
    make_pdf()
    command("extract", "paper.pdf", "--debug-db", "d.db", *FAST)
    done = command("tune", "d.db")
    assert done.code == 2
    assert "no table in it was compared with a truth. To try: variorum extract PDF --debug-db FILE --truth TRUTH" in done.err
    assert not (tmp_path / "pipeline_weights.json").exists()
    assert command("votes", "d.db").out.startswith("1 table of 1 paper, none compared with a truth\n")


def test_paper_that_the_truth_does_not_know_is_said(command: Command, make_pdf: MakePdf, tmp_path: Path) -> None:
    make_pdf()
    truth = tmp_path / "truth"
    truth.mkdir()
    truth_file(truth / "a.json", paper="another")
    truth_file(truth / "b.json", paper="a third")
    done = command("extract", "paper.pdf", "--debug-db", "d.db", "--truth", "truth", *FAST)
    assert done.code == 0
    assert done.err_lines == ["variorum: warning: paper.pdf: the truth has no table of this paper"]
