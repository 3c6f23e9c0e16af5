"""From the best single method to the choice: sums that can be compared, whatever the way in which header rows were counted."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from debug_samples import evidence, fill, truths

from variorum.evaluation.chain import deltas, oracle, winners


@pytest.fixture
def db(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    connection = fill(tmp_path / "debug.db", evidence(), truths())
    yield connection
    connection.close()


def test_sums_are_those_of_the_tables_that_were_found(db: sqlite3.Connection) -> None:
    found = oracle(db)
    assert found is not None
    assert (found.tables, found.cells, found.choice, found.perfect_choice) == (2, 18, 17, 1)
    assert (found.consensus, found.best_single, found.best_candidate) == (17, 17, 17)


def test_a_candidate_that_counts_its_header_as_data_has_no_more_cells_than_there_are(db: sqlite3.Connection) -> None:
    second = f"{evidence().document.key}_table_2"
    for table in ("method_results", "consensus_results"):
        db.execute(f"UPDATE {table} SET cells_right = 12, cells_total = 12 WHERE table_id = ?", (second,))
    found = oracle(db)
    assert found is not None
    assert (found.choice, found.best_candidate, found.consensus, found.cells) == (17, 18, 18, 18)
    assert found.ratio == 17 / 18


def test_without_a_truth_only_the_chosen_grids_are_counted(tmp_path: Path) -> None:
    connection = fill(tmp_path / "plain.db", evidence())
    assert oracle(connection) is None
    assert deltas(connection) == ()
    assert [(w.name, w.tables, w.score) for w in winners(connection)] == [("consensus:rawdict", 3, None)]
    connection.close()


def test_a_table_on_which_the_choice_is_behind_comes_first(db: sqlite3.Connection) -> None:
    first = f"{evidence().document.key}_table_1"
    db.execute("UPDATE ground_truth_diffs SET score_pct = 90 WHERE table_id = ?", (first,))
    chain = deltas(db)
    assert chain[0].table == first
    assert (chain[0].choice, chain[0].best_single, chain[0].delta) == (90.0, 100.0, -10.0)
