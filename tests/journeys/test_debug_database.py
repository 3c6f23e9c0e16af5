"""From papers to a debug database, to the worth of each voter, to weights: by the command, as a person calls it."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest
from journey_words import ROWS, Command, MakePdf

from variorum.evaluation.debug_db import open_debug_db
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

    assert told.out.endswith("\nthe page with plots: v.html\n")
    tuned = command("tune", "d.db")
    assert (tuned.code, tuned.err) == (0, "")
    assert "2 tables of 2 papers; written to pipeline_weights.json" in tuned.out
    weights = parse_weights((tmp_path / "pipeline_weights.json").read_text(encoding="utf-8"), "w")
    assert (weights.table_count, len(weights.out_of_fold)) == (2, 2)


def test_weights_of_tune_arrive_in_the_next_reading(command: Command, make_pdf: MakePdf, tmp_path: Path) -> None:
    make_pdf()
    truth_file(tmp_path / "t.json")
    assert command("extract", "paper.pdf", "--debug-db", "new/d.db", "--truth", "t.json", *FAST).code == 0
    tuned = command("tune", "new/d.db", "-o", "w.json")
    assert "1 table of 1 paper; written to w.json, for: variorum extract PDF --weights w.json" in tuned.out
    weights = json.loads((tmp_path / "w.json").read_text(encoding="utf-8"))
    weights["confidence_multipliers"] = {"gap_span_hotspot": 0.5, "baseline_rows": 0.25}
    (tmp_path / "w.json").write_text(json.dumps(weights), encoding="utf-8")
    assert command("extract", "paper.pdf", "-o", "out", "--weights", "w.json", *FAST).code == 0
    document = json.loads((tmp_path / "out" / "document.json").read_text(encoding="utf-8"))
    assert document["config"]["confidence_multipliers"] == weights["confidence_multipliers"]
    explained = command("explain", "paper.pdf", "-t", "1", "--weights", "w.json", "--config", "fast")
    assert explained.out == command("explain", "out/document.json", "-t", "1").out
    assert "(scaled " in explained.out


def test_page_that_was_not_read_holds_no_missed_table(command: Command, make_pdf: MakePdf, tmp_path: Path) -> None:
    make_pdf(captions=("Table 1. First.", "Table 2. Second."))
    first = {"table_id": "t1", "page": 1, "headers": list(ROWS[0]), "rows": [list(r) for r in ROWS[1:]]}
    (tmp_path / "t.json").write_text(json.dumps([first, {**first, "table_id": "t2", "page": 2}]), encoding="utf-8")
    call = ("extract", "paper.pdf", "--truth", "t.json", "--debug-db", "d.db", *FAST)
    assert command(*call, "--pages", "1").err == ""
    assert command("votes", "d.db").out.startswith("1 table of 1 paper, 1 compared with a truth\n")
    assert ask(tmp_path / "d.db", "SELECT truth_id, is_missed FROM ground_truth_diffs") == [("t1", 0)]
    assert ask(tmp_path / "d.db", "SELECT truth_count FROM run_metadata") == [(1,)]
    (tmp_path / "t.json").write_text(json.dumps(first), encoding="utf-8")
    assert command(*call, "--pages", "2").err_lines == [
        "variorum: warning: paper.pdf: no table of t.json is on the pages that were read: nothing was compared"
    ]


def test_truth_that_is_of_another_paper_is_said(command: Command, make_pdf: MakePdf, tmp_path: Path) -> None:
    make_pdf()
    truth_file(tmp_path / "other.json", rows=(("City", "Size", "Effect"), ("Rome", "2.8", "none"), ("Milan", "1.4", "some")))
    done = command("extract", "paper.pdf", "--debug-db", "d.db", "--truth", "other.json", *FAST)
    assert done.code == 0
    assert done.err_lines == [
        "variorum: warning: paper.pdf: no table of other.json was found in it; is this the truth of this paper?"
    ]


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
        (("extract", "paper.pdf", "--debug-db", "d.db", "--truth", "none.txt", *FAST), 3, "none.txt"),
        (("extract", "paper.pdf", "--debug-db", "d.db", "--truth", "[].json", *FAST), 4, "[].json: holds no true table"),
        (("extract", "paper.pdf", "--debug-db", "d.db", "--truth", "{}.json", *FAST), 4, "{}.json: is no table"),
        (("extract", "paper.pdf", "--debug-db", "cut.db", *FAST), 8, "cut.db: lacks divider_votes: it is damaged"),
        (("votes", "cut.db"), 4, "cut.db: lacks divider_votes: it is damaged"),
        (("tune", "cut.db"), 4, "cut.db: lacks divider_votes: it is damaged"),
        (("votes", "."), 3, ".: is a folder, not a debug database"),
        (("votes", "empty.db"), 4, "empty.db: is an empty file"),
        (("votes", "new.db"), 2, "new.db: holds no paper yet"),
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
    (tmp_path / "[].json").write_text("[]")
    (tmp_path / "{}.json").write_text("{}")
    (tmp_path / "empty.db").touch()
    for name in ("new.db", "cut.db"):
        open_debug_db(tmp_path / name).close()
    ask(tmp_path / "cut.db", "DROP TABLE divider_votes")
    done = command(*arguments)
    assert (done.code, done.out, len(done.err_lines)) == (code, "", 1)
    assert what in done.err
    assert ". To try: " in done.err
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
    assert done.err_lines == ["variorum: warning: paper.pdf: no table of truth is of this paper"]


def test_file_that_cannot_be_written_is_not_called_a_folder(command: Command, make_pdf: MakePdf, tmp_path: Path) -> None:
    make_pdf()
    truth_file(tmp_path / "t.json")
    command("extract", "paper.pdf", "--debug-db", "d.db", "--truth", "t.json", *FAST)
    for call in (("tune", "d.db", "-o", "t.json/w"), ("votes", "d.db", "--html", "t.json/w")):
        done = command(*call)
        assert (done.code, len(done.err_lines)) == (8, 1)
        assert "To try: another name or folder for the file" in done.err
