"""Weights are wins by participation: one win a table, ties shared, floor a tenth, a paper never in its own weight."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from debug_samples import evidence, fill, truths

from variorum.errors import UsageError
from variorum.evaluation.debug_db import open_debug_db
from variorum.evaluation.tuning import TableScores, count_wins, multipliers, read_scores, tune, weights_without
from variorum.tables.weights import MethodRecord, parse_weights
from variorum.thresholds import WEIGHT_FLOOR


def table(name: str, paper: str = "p", **scores: float) -> TableScores:
    return TableScores(paper, name, scores)


class TestWins:
    def test_best_method_of_a_table_wins_it(self) -> None:
        records = count_wins([table("1", a=90.0, b=80.0), table("2", a=70.0, b=60.0)])
        assert records == {
            "a": MethodRecord(wins=2.0, participation=2, rate=1.0),
            "b": MethodRecord(wins=0.0, participation=2, rate=0.0),
        }

    def test_tie_is_shared_equally(self) -> None:
        records = count_wins([table("1", a=90.0, b=90.0, c=10.0)])
        assert [records[m].wins for m in "abc"] == [0.5, 0.5, 0.0]

    def test_a_win_more_or_less_does_not_depend_on_the_order_of_tables(self) -> None:
        tables = [table(str(n), **dict.fromkeys("abcdefg"[: 1 + n % 7], 50.0)) for n in range(30)]
        assert count_wins(tables) == count_wins(reversed(tables))

    def test_rate_is_by_participation_not_by_tables(self) -> None:
        records = count_wins([table("1", a=90.0, b=80.0), table("2", a=80.0)])
        assert (records["b"].participation, records["a"].rate) == (1, 1.0)

    def test_table_that_nobody_read_gives_no_win(self) -> None:
        assert count_wins([table("1", a=0.0, b=0.0)])["a"].wins == 0.0


class TestMultipliers:
    def test_best_has_one_others_in_proportion_and_the_floor_holds(self) -> None:
        records = {
            m: MethodRecord(wins=0.0, participation=1, rate=r) for m, r in {"a": 0.8, "b": 0.2, "c": 0.0, "d": 0.01}.items()
        }
        assert multipliers(records) == {"a": 1.0, "b": 0.25, "c": WEIGHT_FLOOR, "d": WEIGHT_FLOOR}

    def test_without_wins_there_are_none(self) -> None:
        assert multipliers(count_wins([table("1", a=0.0)])) == {}


@pytest.fixture
def db(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    connection = fill(tmp_path / "a.db", evidence(), truths())
    yield connection
    connection.close()


def add_paper(db: sqlite3.Connection, key: str, scores: dict[str, float]) -> None:
    """Copy the row of the sample paper under another key, with one table of these scores."""
    own = evidence().document.key
    columns = [row[1] for row in db.execute("PRAGMA table_info(papers)") if row[1] != "item_key"]
    names = ", ".join(columns)
    db.execute(f"INSERT INTO papers (item_key, {names}) SELECT ?, {names} FROM papers WHERE item_key = ?", (key, own))
    for method, score in scores.items():
        db.execute(
            "INSERT INTO method_results (run_id, item_key, table_id, method_name, structure_method, cell_method, status,"
            " detail, quality_kind, score_pct, is_chosen) VALUES (1, ?, ?, ?, ?, 'rawdict', 'voted', '', 'truth', ?, 0)",
            (key, f"{key}_table_1", f"{method}+rawdict", method, score),
        )


class TestTune:
    def test_only_tables_with_truth_count(self, db: sqlite3.Connection) -> None:
        key = evidence().document.key
        assert [t.table for t in read_scores(db)] == [f"{key}_table_1", f"{key}_table_2"]

    def test_consensus_takes_no_part(self, db: sqlite3.Connection) -> None:
        assert "consensus" not in tune(db).records
        assert tune(db).records.keys() == {"pymupdf_lines", "gap_span_hotspot", "baseline_rows"}

    def test_paper_never_sets_the_weight_it_is_judged_with(self, db: sqlite3.Connection) -> None:
        key = evidence().document.key
        add_paper(db, "other", {"ruled_lines": 100.0, "pymupdf_text": 20.0})
        weights = tune(db)
        assert weights.out_of_fold[key] == {"ruled_lines": 1.0, "pymupdf_text": WEIGHT_FLOOR} == weights_without(db, key)
        assert weights.out_of_fold["other"].keys() == {"pymupdf_lines", "gap_span_hotspot", "baseline_rows"}
        assert weights_without(db, "unknown") == weights.confidence_multipliers

    def test_file_says_what_it_was_measured_on(self, db: sqlite3.Connection) -> None:
        weights = tune(db)
        assert (weights.config, weights.paper_count, weights.table_count) == ("fast", 1, 2)
        assert {"variorum", "pymupdf", "python"} <= weights.versions.keys()
        assert len(weights.corpus_sha256) == 64
        assert parse_weights(weights.to_json(), "x") == weights

    def test_tuning_twice_gives_the_same_bytes(self, db: sqlite3.Connection) -> None:
        assert tune(db).to_json() == tune(db).to_json()

    def test_database_without_truth_is_refused(self, tmp_path: Path) -> None:
        connection = fill(tmp_path / "b.db", evidence())
        with pytest.raises(UsageError, match=r"b\.db: no table .* --truth"):
            tune(connection, "b.db")
        connection.close()

    def test_empty_database_is_refused(self, tmp_path: Path) -> None:
        connection = open_debug_db(tmp_path / "c.db")
        with pytest.raises(UsageError):
            tune(connection)
        connection.close()
