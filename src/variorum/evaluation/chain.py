"""From single methods to the choice: what the best single method, the consensus and the chosen grid come to on each table.

All is asked of a debug database, of the tables that were compared with a truth. Scores are in [0, 100] (`ComparisonResult`
says what they count), cells are data cells.
"""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True, kw_only=True)
class Winner:
    """A grid that was chosen, ``structure:cell``, on how many tables, and the mean accuracy and score there where known."""

    name: str
    tables: int
    accuracy: float | None
    score: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TableDelta:
    """One table with known truth: scores in [0, 100] of the choice, the consensus and the best single method (by name)."""

    paper: str
    table: str
    choice: float
    consensus: float
    best_single: float
    best_single_name: str

    @property
    def delta(self) -> float:
        """Return the choice minus the best single method, in points of the score."""
        return self.choice - self.best_single

    @property
    def consensus_delta(self) -> float:
        """Return the consensus minus the best single method, in points of the score."""
        return self.consensus - self.best_single


@dataclass(frozen=True, slots=True, kw_only=True)
class Oracle:
    """Data cells read right over all tables that were found and compared, and perfect tables.

    By the choice, the consensus, the single grid with the best sum, and the best candidate of each table. `ratio` is
    choice / best candidate, None without cells.
    """

    tables: int
    cells: int
    choice: int
    consensus: int
    best_single: int
    best_single_name: str
    best_candidate: int
    perfect_choice: int
    perfect_consensus: int
    perfect_best_single: int
    perfect_best_candidate: int
    ratio: float | None


def winners(connection: sqlite3.Connection) -> tuple[Winner, ...]:
    """Return the grids that were chosen, the most frequent first."""
    rows = connection.execute(
        "SELECT winning_method, COUNT(*), AVG(final_score), AVG(final_score_pct) FROM pipeline_runs"
        " GROUP BY winning_method ORDER BY COUNT(*) DESC, winning_method"
    )
    return tuple(Winner(name=name, tables=n, accuracy=accuracy, score=score) for name, n, accuracy, score in rows)


def deltas(connection: sqlite3.Connection) -> tuple[TableDelta, ...]:
    """Return the tables with known truth, those where the choice falls furthest behind first."""
    rows = connection.execute(
        """
        SELECT g.item_key, g.table_id, g.score_pct,
            COALESCE((SELECT MAX(c.score_pct) FROM consensus_results c WHERE c.table_id = g.table_id), 0),
            COALESCE((SELECT MAX(m.score_pct) FROM method_results m WHERE m.table_id = g.table_id), 0),
            COALESCE((SELECT m.method_name FROM method_results m WHERE m.table_id = g.table_id AND m.score_pct IS NOT NULL
                ORDER BY m.score_pct DESC, m.method_name LIMIT 1), '')
        FROM ground_truth_diffs g WHERE NOT g.is_missed
        """
    )
    found = [
        TableDelta(paper=p, table=t, choice=choice, consensus=consensus, best_single=best, best_single_name=name)
        for p, t, choice, consensus, best, name in rows
    ]
    return tuple(sorted(found, key=lambda d: (d.delta, d.paper, d.table)))


# A table in parts counts once, with the readings of its first part: each of them was compared in the whole table. Where the
# truth does not know its header rows, a candidate may be held against more or fewer data cells than the choice: what counts is
# how many it has wrong.
_COMPARED: Final = """
    SELECT c.table_id, c.method_name, g.cells_total - (c.cells_total - c.cells_right) AS cells_right, c.is_perfect
    FROM {} c JOIN ground_truth_diffs g USING (table_id) WHERE c.quality_kind = 'truth'"""


def oracle(connection: sqlite3.Connection) -> Oracle | None:
    """Return the sums over all tables that were compared with a truth; None without one."""
    tables, cells, choice, perfect = connection.execute(
        "SELECT COUNT(*), SUM(cells_total), SUM(cells_right), SUM(is_perfect) FROM ground_truth_diffs WHERE NOT is_missed"
    ).fetchone()
    if not tables:
        return None
    best, consensus = (
        connection.execute(
            f"SELECT MAX(cells_right), MAX(is_perfect) FROM ({_COMPARED.format(source)}) GROUP BY table_id"
        ).fetchall()
        for source in ("candidates", "consensus_results")
    )
    single = connection.execute(
        f"SELECT method_name, SUM(cells_right), SUM(is_perfect) FROM ({_COMPARED.format('method_results')})"
        " GROUP BY method_name ORDER BY SUM(cells_right) DESC, SUM(is_perfect) DESC, method_name LIMIT 1"
    ).fetchone() or ("", 0, 0)
    candidate = sum(right for right, _ in best)
    return Oracle(
        tables=tables,
        cells=cells,
        choice=choice,
        consensus=sum(right for right, _ in consensus),
        best_single=single[1],
        best_single_name=single[0],
        best_candidate=candidate,
        perfect_choice=perfect,
        perfect_consensus=sum(p for _, p in consensus),
        perfect_best_single=single[2],
        perfect_best_candidate=sum(p for _, p in best),
        ratio=choice / candidate if candidate else None,
    )
