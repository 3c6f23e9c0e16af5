"""The operator's guide: every query in it runs on a stress test's database, and those that find faults find them."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from debug_samples import evidence
from stress_samples import make_stress

GUIDES = ("operate-the-engine.md", "read-the-stress-report.md")
FOLDER = Path(__file__).resolve().parents[2] / "docs" / "how-to"
QUERIES = [
    q for name in GUIDES for q in re.findall(r"```sql\n(.*?)```", (FOLDER / name).read_text(encoding="utf-8"), re.DOTALL)
]


@pytest.fixture(scope="module")
def db(tmp_path_factory: pytest.TempPathFactory) -> Iterator[sqlite3.Connection]:
    connection = sqlite3.connect(make_stress(tmp_path_factory.mktemp("guide")))
    yield connection
    connection.close()


def answer(db: sqlite3.Connection, words: str) -> list[tuple[object, ...]]:
    (query,) = (q for q in QUERIES if words in q)
    return db.execute(query.replace("<TABLE_ID>", f"{evidence().document.key}_table_2")).fetchall()


@pytest.mark.parametrize("query", QUERIES)
def test_every_query_runs(db: sqlite3.Connection, query: str) -> None:
    db.execute(query).fetchall()


def test_differences_of_a_table_count_from_one(db: sqlite3.Connection) -> None:
    assert answer(db, "data_row") == [(2, 3, "999", "118")]


def test_elections_are_told_metric_by_metric(db: sqlite3.Connection) -> None:
    rows = answer(db, "AS metric")
    table = evidence().document.tables[1]
    assert table.apparatus is not None
    assert len(rows) == sum(len(c.metrics) for c in table.apparatus.candidates) > 0


def test_failures_are_counted_by_kind(db: sqlite3.Connection) -> None:
    assert sorted(answer(db, "AS failures")) == [("crash", 1, 1), ("sections", 1, 1), ("table values", 1, 1)]


def test_nothing_was_lost_here_by_election_or_vote(db: sqlite3.Connection) -> None:
    assert answer(db, "best_candidate") == []
    assert answer(db, "MAX(accepted) <> MAX(is_true)") == []
