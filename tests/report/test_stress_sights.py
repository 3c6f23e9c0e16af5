"""Dividers of tables that are printed sideways, or go on over pages, are drawn where the table stands."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from debug_samples import DOSES, fill
from stress_samples import make_stress

from variorum.evaluation.debug_db import open_debug_db, reading_debug_db
from variorum.evaluation.truth_table import TruthTable
from variorum.extraction import extract_evidence
from variorum.geometry import Box
from variorum.report.stress_data import Compared
from variorum.report.stress_reading import read_stress
from variorum.report.stress_sights import Mark, Sight, see_tables

LEFT, BOTTOM, PITCH, WIDTH, INSET = 200, 600, 18, 100, 6  # of the table that is drawn sideways, reading from bottom to top


def sideways_paper(path: Path) -> Path:
    """Return the path of a PDF of one page whose table reads from bottom to top."""
    import pymupdf

    with pymupdf.open() as pdf:
        page = pdf.new_page(width=595, height=842)
        page.insert_text((LEFT - 12, BOTTOM), "Table 1. What was measured.", fontsize=10, rotate=90)
        columns, rows = len(DOSES[0]), len(DOSES)
        for r, row in enumerate(DOSES):
            for c, words in enumerate(row):
                at = (LEFT + 13 + r * PITCH, BOTTOM - INSET - c * WIDTH)
                page.insert_text(at, words, fontsize=10, rotate=90)
        for r in range(rows + 1):
            x = LEFT + r * PITCH
            page.draw_line((x, BOTTOM), (x, BOTTOM - columns * WIDTH), width=0.6)
        for c in range(columns + 1):
            y = BOTTOM - c * WIDTH
            page.draw_line((LEFT, y), (LEFT + rows * PITCH, y), width=0.6)
        pdf.save(path)
    return path


def sights_of(path: Path) -> tuple[Sight, ...]:
    with reading_debug_db(path) as connection:
        return see_tables(connection, read_stress(connection)).sights


def marks(sight: Sight, kind: str) -> list[Mark]:
    return [m for m in sight.marks if m.kind == kind]


def test_a_sideways_table_has_its_dividers_across_its_own_rows_and_columns(tmp_path: Path) -> None:
    path = make_stress(tmp_path)
    paper = extract_evidence(sideways_paper(tmp_path / "sideways.pdf"), config="fast")
    wrong = (*DOSES[1:-1], ("Gamma", "30", "0.99"))
    fill(path, paper, (TruthTable(table_id="s1", header_rows=DOSES[:1], rows=wrong, page=1),)).close()
    (sight,) = (s for s in sights_of(path) if s.item_key == paper.document.key)
    (region,) = marks(sight, "region")
    assert region.box.iou(Box(LEFT, BOTTOM - 3 * WIDTH, LEFT + 4 * PITCH, BOTTOM)) > 0.8
    across = sorted(m.box.y0 for m in marks(sight, "accepted") if m.box.height == 0)
    along = sorted(m.box.x0 for m in marks(sight, "accepted") if m.box.width == 0)
    for n in (1, 2):  # between the end of a text, which is shorter than half a column, and the beginning of the next
        assert any(BOTTOM - n * WIDTH - INSET <= at <= BOTTOM - n * WIDTH + WIDTH / 2 for at in across)
    for n in (1, 2, 3):
        assert any(abs(LEFT + n * PITCH - at) < PITCH / 2 for at in along)
    (cell,) = marks(sight, "differs")
    assert cell.box.contains_point(LEFT + 3.5 * PITCH, BOTTOM - 2.5 * WIDTH)


@pytest.fixture
def in_parts(tmp_path: Path) -> Path:
    """Return a database in which the second table goes on where the third one stands."""
    path = make_stress(tmp_path)
    connection = open_debug_db(path)
    first, second = (
        connection.execute(
            "SELECT table_id, item_key, page_num, bbox FROM extracted_tables WHERE page_num = ?", (page,)
        ).fetchone()
        for page in (2, 3)
    )
    for index, (part, item, page, bbox) in enumerate((first, second)):
        connection.execute(
            "INSERT INTO table_parts"
            " (part_id, item_key, table_id, part_index, page_num, bbox, first_row, num_rows, dropped_json)"
            " VALUES (?, ?, ?, ?, ?, ?, 0, 4, '[]')",
            (part, item, first[0], index, page, bbox),
        )
    connection.close()
    return path


def test_each_part_of_a_table_is_shown_on_its_page(in_parts: Path) -> None:
    parts = [s for s in sights_of(in_parts) if s.table_id.endswith("table_2")]
    assert [s.page for s in parts] == [2, 3]
    assert all(marks(s, "accepted") for s in parts)
    assert not any(marks(s, "differs") for s in parts)  # which rows of the whole stand in which part is not compared


def changed(path: Path, change: Callable[[dict[str, Any]], None]) -> Sight:
    """Return the sight of the second table once the change was made to its stored grids."""
    connection = sqlite3.connect(path)
    for table in ("method_results", "consensus_results"):
        rows = f"SELECT rowid, cell_grid_json FROM {table} WHERE cell_grid_json NOT NULL AND table_id LIKE '%table_2'"
        for rowid, text in connection.execute(rows).fetchall():
            grid = json.loads(text)
            change(grid)
            connection.execute(f"UPDATE {table} SET cell_grid_json = ? WHERE rowid = ?", (json.dumps(grid), rowid))
    connection.commit()
    connection.close()
    return next(s for s in sights_of(path) if s.table_id.endswith("table_2"))


def test_a_cell_is_marked_only_where_the_grid_has_the_text_that_was_compared(tmp_path: Path) -> None:
    def reword(grid: dict[str, Any]) -> None:
        grid["cells"] = [[*cell[:-1], cell[-1].replace("118", "another")] for cell in grid["cells"]]

    sight = changed(make_stress(tmp_path), reword)
    assert not marks(sight, "differs")
    assert marks(sight, "accepted")


def test_blank_rows_that_took_no_part_in_the_comparison_are_counted_on_the_page(tmp_path: Path) -> None:
    path = make_stress(tmp_path)
    connection = sqlite3.connect(path)
    connection.execute("UPDATE ground_truth_diffs SET truth_json = json_set(truth_json, '$.is_verbatim', json('false'))")
    connection.commit()
    connection.close()

    def insert_blank_row(grid: dict[str, Any]) -> None:
        grid["n_rows"] += 1
        grid["row_edges"] = [*grid["row_edges"], 300.0]
        grid["cells"] = [[row + (row > 0), *rest] for row, *rest in grid["cells"]] + [[1, 0, 1, 1, ""]]

    (before,) = marks(next(s for s in sights_of(path) if s.table_id.endswith("table_2")), "differs")
    (after,) = marks(changed(path, insert_blank_row), "differs")
    assert before.box.y1 == after.box.y0


def test_tables_without_a_difference_are_not_shown(tmp_path: Path) -> None:
    path = make_stress(tmp_path)
    with reading_debug_db(path) as connection:
        compared: tuple[Compared, ...] = read_stress(connection).compared
    assert [t.is_perfect for t in compared] == [False, False, True]
    assert {s.table_id for s in sights_of(path)} == {t.table_id for t in compared[:2]}
