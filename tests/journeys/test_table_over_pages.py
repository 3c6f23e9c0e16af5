"""A table that goes on over pages is one table in everything that the command writes, and each part keeps its votes."""

from __future__ import annotations

import csv
import io
import json
import re
import sqlite3
from pathlib import Path

import pytest
from journey_words import Command

HEAD = ("Drug", "Dose", "Effect")
BODY = tuple(
    (name, f"{12 + 3 * i}.5", f"0.{31 + 7 * i}") for i, name in enumerate(("Alpha", "Beta", "Gamma", "Delta", "Eta", "Zeta"))
)
ROWS = (HEAD, *BODY)
LEFT, WIDTH, HEIGHT = 72, 110, 18


def make_paper(
    path: Path, first: str = "Table 1. Effects of the drugs.", later: str = "Table 1 (continued)", note: str = ""
) -> None:
    """Write a PDF of two pages: four rows of the table at the end of the first, the head again and two rows on the second."""
    import pymupdf

    pdf = pymupdf.open()
    page = pdf.new_page(width=595, height=842)
    page.insert_text((LEFT, 80), "The text of the page, which is not a table.", fontsize=10)
    draw(page, 680, first, (HEAD, *BODY[:4]))
    if note:
        page.insert_text((LEFT, 800), note, fontsize=10)
    page = pdf.new_page(width=595, height=842)
    draw(page, 90, later, (HEAD, *BODY[4:]))
    page.insert_text((LEFT, 400), "More text, which is not a table.", fontsize=10)
    pdf.save(path)
    pdf.close()


def draw(page: object, top: int, caption: str, rows: tuple[tuple[str, ...], ...]) -> None:
    if caption:
        page.insert_text((LEFT, top - 14), caption, fontsize=10)  # type: ignore[attr-defined]
    bottom, right = top + HEIGHT * len(rows), LEFT + WIDTH * len(HEAD)
    for r, row in enumerate(rows):
        for c, text in enumerate(row):
            page.insert_text((LEFT + 6 + c * WIDTH, top + 13 + r * HEIGHT), text, fontsize=10)  # type: ignore[attr-defined]
    for r in range(len(rows) + 1):
        page.draw_line((LEFT, top + r * HEIGHT), (right, top + r * HEIGHT), width=0.6)  # type: ignore[attr-defined]
    for c in range(len(HEAD) + 1):
        page.draw_line((LEFT + c * WIDTH, top), (LEFT + c * WIDTH, bottom), width=0.6)  # type: ignore[attr-defined]


def test_every_output_has_one_table(command: Command, tmp_path: Path) -> None:
    make_paper(tmp_path / "paper.pdf")
    formats = "md,json,html,csv,xlsx,referee,report"
    run = command("extract", "paper.pdf", "-o", "out", "--format", formats, "--config", "fast")
    assert (run.code, run.err) == (0, "")
    assert "paper.pdf: 1 table on 2 pages" in run.out
    out = tmp_path / "out"
    text = (out / "tables" / "table-1.csv").read_text(encoding="utf-8")
    assert [tuple(row) for row in csv.reader(io.StringIO(text))] == list(ROWS)
    (table,) = json.loads((out / "document.json").read_text(encoding="utf-8"))["tables"]
    assert [(p["page_num"], p["first_row"], p["n_rows"]) for p in table["parts"]] == [(1, 0, 5), (2, 5, 2)]
    assert [p["apparatus"]["winner"] for p in table["parts"]] == [p["method"] for p in table["parts"]]
    assert table["parts"][1]["dropped"] == [{"row": 0, "reason": "repeated_head", "text": "Drug Dose Effect"}]
    (scored,) = json.loads((out / "referee.json").read_text(encoding="utf-8"))["tables"]
    assert (scored["page"], scored["rows"], scored["caption"]) == (1, [list(r) for r in ROWS], "Table 1. Effects of the drugs.")
    assert scored["bbox"][1] > 600
    assert (out / "document.md").read_text(encoding="utf-8").count("| Drug | Dose | Effect |") == 1
    report = (out / "report.html").read_text(encoding="utf-8")
    assert re.findall(r'<article id="(\w+)"', report) == ["t1", "t1p2"]
    assert report.count("<image ") == 2


def test_each_part_is_explained(command: Command, tmp_path: Path) -> None:
    make_paper(tmp_path / "paper.pdf")
    run = command("explain", "paper.pdf", "--table", "1", "--config", "fast")
    assert run.code == 0
    assert run.out.startswith("table 1 on pages 1, 2: 7 rows × 3 columns in 2 parts; agreement ")
    assert "\npart 1 on page 1: rows 1 to 5 of the table, read by " in run.out
    assert "\npart 2 on page 2: rows 6 to 7 of the table, read by " in run.out


@pytest.mark.parametrize(
    ("first", "later", "note"),
    [
        ("Table 1. Effects of the drugs.", "", ""),
        ("Table 1. Effects of the drugs.", "", "Table 1 continued"),
        ("Table 1. Effects of the drugs.", "Table 1. Effects of the drugs.", ""),
        ("Table 1. Effects of the drugs.", "Table 1 – continued from previous page", "Continued on next page"),
        ("Tabelle 1. Wirkung der Mittel.", "Tabelle 1 (Fortsetzung)", ""),
    ],
)
def test_parts_are_known_however_they_are_marked(command: Command, tmp_path: Path, first: str, later: str, note: str) -> None:
    make_paper(tmp_path / "paper.pdf", first, later, note)
    assert command("extract", "paper.pdf", "-o", "out", "--format", "csv", "--config", "fast").code == 0
    (file,) = (tmp_path / "out" / "tables").iterdir()
    assert [tuple(row) for row in csv.reader(io.StringIO(file.read_text(encoding="utf-8")))] == list(ROWS)


def test_other_table_of_the_same_columns_stays_another_table(command: Command, tmp_path: Path) -> None:
    make_paper(tmp_path / "paper.pdf", later="Table 2. Effects of other drugs.")
    assert command("extract", "paper.pdf", "-o", "out", "--format", "csv", "--config", "fast").code == 0
    assert sorted(f.name for f in (tmp_path / "out" / "tables").iterdir()) == ["table-1.csv", "table-2.csv"]


def test_database_has_one_table_and_the_readings_of_both_parts(command: Command, tmp_path: Path) -> None:
    make_paper(tmp_path / "paper.pdf")
    truth = {"table_id": "t1", "headers": list(HEAD), "rows": [list(r) for r in BODY], "page": 1}
    (tmp_path / "t.json").write_text(json.dumps(truth), encoding="utf-8")
    call = (
        "extract",
        "paper.pdf",
        "-o",
        "out",
        "--format",
        "json",
        "--config",
        "fast",
        "--debug-db",
        "d.db",
        "--truth",
        "t.json",
    )
    assert command(*call).code == 0
    connection = sqlite3.connect(tmp_path / "d.db")
    try:
        ((table, rows),) = connection.execute("SELECT table_id, num_rows FROM extracted_tables").fetchall()
        assert rows == 7
        parts = connection.execute(
            "SELECT part_id, table_id, page_num, first_row, num_rows FROM table_parts ORDER BY 1"
        ).fetchall()
        assert parts == [(table, table, 1, 0, 5), (f"{table}_p2", table, 2, 5, 2)]
        assert connection.execute("SELECT table_id, is_perfect FROM ground_truth_diffs").fetchall() == [(table, 1)]
        for name in ("method_results", "consensus_results", "pipeline_runs", "divider_votes", "reference_dividers"):
            found = connection.execute(f"SELECT DISTINCT table_id FROM {name} ORDER BY 1").fetchall()
            assert found == [(table,), (f"{table}_p2",)], name
        scores = connection.execute("SELECT DISTINCT table_id, final_score_pct FROM pipeline_runs ORDER BY 1").fetchall()
        assert scores == [(table, 100), (f"{table}_p2", 100)]
    finally:
        connection.close()
    told = json.loads(command("votes", "d.db", "--json").out)
    assert (told["oracle"]["tables"], told["oracle"]["ratio"]) == (1, 1.0)
