"""Weights from a debug database: how often each structure method's reading was the best one.

The founding documents' rule. Every table with a known truth gives one win to the structure method whose grid, over all cell
methods, is nearest to the truth; methods that tie share it equally. A method's rate is its wins by the tables it took part in,
its multiplier the rate by the best rate, and no less than `WEIGHT_FLOOR`. The consensus is no structure method and takes no
part. An axis on which a method is silent was completed with the consensus, so ties are common and shared wins small.

Nearest is meant by ``score_pct``, which counts what was left out and what was invented; the accuracy of the comparable cells
alone would let a reading of one right cell win. Weights for judging a paper must not come from it: `weights_without`.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from variorum.errors import UsageError
from variorum.tables.weights import MethodRecord, Weights
from variorum.thresholds import WEIGHT_FLOOR

_DIGITS: Final = 4


@dataclass(frozen=True, slots=True)
class TableScores:
    """The best score of each structure method on one table of a paper, in [0, 100]."""

    paper: str
    table: str
    scores: Mapping[str, float]


def read_scores(connection: sqlite3.Connection) -> tuple[TableScores, ...]:
    """Return the scores of all tables that were compared with a truth, in order of paper and table."""
    found: dict[tuple[str, str], dict[str, float]] = {}
    rows = connection.execute(
        "SELECT item_key, table_id, structure_method, MAX(score_pct) FROM method_results WHERE quality_kind = 'truth'"
        " GROUP BY item_key, table_id, structure_method ORDER BY item_key, table_id, structure_method"
    )
    for paper, table, method, score in rows:
        found.setdefault((paper, table), {})[method] = score
    return tuple(TableScores(paper, table, scores) for (paper, table), scores in found.items())


def count_wins(tables: Iterable[TableScores]) -> dict[str, MethodRecord]:
    """Return wins, participation and rate of each method that took part, by name; a table that nobody read right in any part
    gives no win."""
    wins: dict[str, Fraction] = {}
    participation: dict[str, int] = {}
    for table in tables:
        best = max(table.scores.values(), default=0.0)
        winners = [method for method, score in table.scores.items() if score == best > 0]
        for method in table.scores:
            participation[method] = participation.get(method, 0) + 1
            wins.setdefault(method, Fraction(0))
        for method in winners:
            wins[method] += Fraction(1, len(winners))
    return {
        method: MethodRecord(wins=float(wins[method]), participation=count, rate=float(wins[method] / count))
        for method, count in sorted(participation.items())
    }


def multipliers(records: Mapping[str, MethodRecord]) -> dict[str, float]:
    """Return each method's rate by the best rate, at least `WEIGHT_FLOOR` and at most 1; empty when nobody won."""
    best = max((r.rate for r in records.values()), default=0.0)
    if not best:
        return {}
    return {method: max(WEIGHT_FLOOR, round(r.rate / best, _DIGITS)) for method, r in sorted(records.items())}


def weights_without(connection: sqlite3.Connection, paper: str) -> dict[str, float]:
    """Return the multipliers measured on all papers of the database but the one with this key."""
    return multipliers(count_wins(t for t in read_scores(connection) if t.paper != paper))


def tune(connection: sqlite3.Connection, where: str = "debug database") -> Weights:
    """Return the weights that the tables with known truth give, with counts, versions, and the weights without each paper.

    Raises UsageError that names the file (`where`) when no table was compared with a truth.
    """
    tables = read_scores(connection)
    if not tables:
        raise UsageError(
            "no table in it was compared with a truth",
            where=where,
            hint="variorum extract PDF --debug-db FILE --truth TRUTH",
        )
    papers = sorted({t.paper for t in tables})
    records = count_wins(tables)
    return Weights(
        confidence_multipliers=multipliers(records),
        records=records,
        versions=_versions(connection, papers),
        corpus_sha256=_corpus_digest(connection, papers),
        config=_configs(connection),
        paper_count=len(papers),
        table_count=len(tables),
        out_of_fold={paper: multipliers(count_wins(t for t in tables if t.paper != paper)) for paper in papers},
    )


def _versions(connection: sqlite3.Connection, papers: Iterable[str]) -> dict[str, str]:
    """Return the versions that read the papers; where several did, all of them."""
    found: dict[str, set[str]] = {}
    for paper in papers:
        (text,) = connection.execute(
            "SELECT versions_json FROM run_metadata JOIN papers USING (run_id) WHERE item_key = ?", (paper,)
        ).fetchone()
        for name, version in json.loads(text).items():
            found.setdefault(name, set()).add(version)
    return {name: ", ".join(sorted(seen)) for name, seen in sorted(found.items())}


def _corpus_digest(connection: sqlite3.Connection, papers: Iterable[str]) -> str:
    """Return the SHA-256 of the papers' own SHA-256, in order: the same papers give the same digest."""
    known = dict(connection.execute("SELECT item_key, sha256 FROM papers"))
    return hashlib.sha256("\n".join(sorted(known[paper] for paper in papers)).encode()).hexdigest()


def _configs(connection: sqlite3.Connection) -> str:
    rows = connection.execute("SELECT DISTINCT pipeline_config_json FROM pipeline_runs")
    return ", ".join(sorted({str(json.loads(text).get("name", "")) for (text,) in rows}))
