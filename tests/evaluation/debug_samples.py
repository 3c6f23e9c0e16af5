"""A small paper with three tables and its truth, read once, for the tests of the debug database."""

from __future__ import annotations

import sqlite3
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from variorum.evaluation.debug_db import begin_run, finish_run, open_debug_db, write_paper
from variorum.evaluation.truth_table import TruthTable
from variorum.extraction import PaperEvidence, extract_evidence

DOSES = (("Drug", "Dose", "Effect"), ("Alpha", "10", "0.31"), ("Beta", "20", "0.45"), ("Gamma", "30", "0.62"))
LEVELS = (("Group", "p", "n"), ("Treated", ".05", "120"), ("Control", ".41", "118"), ("Waiting", ".27", "97"))
SPARSE = (("Item", "First", "Second", "Third"), ("one", "", "", ""), ("two", "", "", ""), ("three", "", "", ""))


def make_paper(path: Path) -> Path:
    """Return the path of a PDF of four pages: three ruled tables with captions, and a caption without a table."""
    import pymupdf

    pdf = pymupdf.open()
    for number, rows in enumerate((DOSES, LEVELS, SPARSE, None), start=1):
        page = pdf.new_page(width=595, height=842)
        page.insert_text((72, 80), "The text of the page, which is not a table.", fontsize=10)
        page.insert_text((72, 146), f"Table {number}. What was measured.", fontsize=10)
        if rows is not None:
            _draw(page, rows)
    pdf.save(path)
    pdf.close()
    return path


def _draw(page: object, rows: tuple[tuple[str, ...], ...]) -> None:
    left, top, width, height = 72, 160, 100, 18
    right, bottom = left + width * len(rows[0]), top + height * len(rows)
    for r, row in enumerate(rows):
        for c, text in enumerate(row):
            if text:
                page.insert_text((left + 6 + c * width, top + 13 + r * height), text, fontsize=10)  # type: ignore[attr-defined]
    for r in range(len(rows) + 1):
        page.draw_line((left, top + r * height), (right, top + r * height), width=0.6)  # type: ignore[attr-defined]
    for c in range(len(rows[0]) + 1):
        page.draw_line((left + c * width, top), (left + c * width, bottom), width=0.6)  # type: ignore[attr-defined]


def truths() -> tuple[TruthTable, ...]:
    """Return what is true: Table 1 as printed, Table 2 with another figure than is printed, and a table that is not there."""
    wrong = (("Treated", ".05", "120"), ("Control", ".41", "999"), ("Waiting", ".27", "97"))
    return (
        TruthTable(table_id="t1", header_rows=DOSES[:1], rows=DOSES[1:], page=1),
        TruthTable(table_id="t2", header_rows=LEVELS[:1], rows=wrong, page=2),
        TruthTable(table_id="t9", header_rows=(("A", "B"),), rows=(("x", "y"),), page=4),
    )


@cache
def evidence() -> PaperEvidence:
    """Return the paper as read, once in a test run."""
    with TemporaryDirectory() as folder:
        return extract_evidence(make_paper(Path(folder) / "drugs.pdf"), config="fast")


def fill(path: Path, paper: PaperEvidence, true: tuple[TruthTable, ...] = ()) -> sqlite3.Connection:
    """Return a debug database that holds the paper."""
    connection = open_debug_db(path)
    run = begin_run(connection, "test")
    write_paper(connection, paper, run_id=run, truths=true)
    finish_run(connection, run)
    return connection
