"""What the voters are worth: coverage, overlap and conflict of each, its accuracy, and what the vote would be without it.

The measures are those of snorkel's ``LFAnalysis`` (Ratner et al. 2017, doi:10.14778/3157794.3157797), per axis, with dividers
for data points. All is computed from a debug database; the votes of the leave-one-out part are held again from the words,
rules and boundaries that are stored in it. Shares are in [0, 1]; a share of nothing is None.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

from variorum.document.apparatus import Axis
from variorum.errors import UsageError
from variorum.evaluation._debug_rows import cells_right
from variorum.evaluation.chain import Oracle, TableDelta, Winner, deltas, oracle, winners
from variorum.evaluation.ground_truth import ComparisonResult, TruthTable, compare_extraction
from variorum.evaluation.reference_dividers import AXES
from variorum.evaluation.stored import context_from_json, grid_to_json, hypothesis_from_json
from variorum.evaluation.tuning import count_wins, read_scores
from variorum.tables.combination import CONSENSUS
from variorum.tables.config import COMBINATION_STRATEGIES, PipelineConfig
from variorum.tables.model import BoundaryHypothesis, CellGrid, CombinationTrace, TableContext
from variorum.tables.pipeline import Pipeline
from variorum.tables.weights import MethodRecord


@dataclass(frozen=True, slots=True, kw_only=True)
class VoterOnAxis:
    """One structure method on one axis.

    `tables` it spoke on, `coverage` their share; `dividers` it stood for, `refused` points of it before the vote. Of its
    dividers `overlap` is the share that another method shares, `rejected` the share that the vote rejected, `conflict` the
    share that was rejected or that a method which claims to see the whole axis denies by its silence. `accuracy` is the share
    of its dividers that are true, `recall` the share of true dividers it stands for, over the `known` dividers only.
    """

    method: str
    axis: Axis
    tables: int
    coverage: float
    dividers: int
    refused: int
    overlap: float | None
    conflict: float | None
    rejected: float | None
    known: int
    accuracy: float | None
    recall: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcomes:
    """How often a structure method voted, abstained, was not asked and failed, and its mean processor time per table, in
    ms."""

    method: str
    voted: int
    abstained: int
    not_asked: int
    failed: int
    mean_ms: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Ablation:
    """The consensus without one method.

    `changed` of the `tables` on which it voted have other dividers without it: `lost` and `gained` ones in all; a divider that
    only moves within its channel is the same. Where the truth is known: data cells read right by the consensus, perfect
    tables, and tables better and worse, without the method as against with it (`cells` below 0: the method helps).
    """

    method: str
    tables: int
    changed: int
    lost: int
    gained: int
    cells: int
    perfect: int
    better: int
    worse: int


@dataclass(frozen=True, slots=True, kw_only=True)
class OtherVote:
    """The consensus of the same methods under another rule: a combination strategy, or all methods with equal weights.

    Of the `tables`, `changed` have other dividers than the consensus of the run. Where the truth is known: data cells read
    right by the consensus, perfect tables, and tables better and worse than with that of the run.
    """

    name: str
    tables: int
    changed: int
    cells: int
    perfect: int
    better: int
    worse: int


@dataclass(frozen=True, slots=True, kw_only=True)
class VoteAnalysis:
    """All that `variorum votes` says. `reference` says what accuracy is measured by: ``truth``, or the ``chosen`` grids."""

    papers: int
    tables: int
    compared: int
    missed: int
    reference: Literal["truth", "chosen"]
    voters: tuple[VoterOnAxis, ...]
    outcomes: tuple[Outcomes, ...]
    ablations: tuple[Ablation, ...]
    other_votes: tuple[OtherVote, ...]
    winners: tuple[Winner, ...]
    wins: dict[str, MethodRecord]
    deltas: tuple[TableDelta, ...]
    oracle: Oracle | None

    def to_dict(self) -> dict[str, Any]:
        """Return all of it as plain JSON data, the deltas of each table with their differences."""
        plain = asdict(self)
        plain["deltas"] = [asdict(d) | {"delta": d.delta, "consensus_delta": d.consensus_delta} for d in self.deltas]
        return plain


def analyse(connection: sqlite3.Connection, where: str = "debug database") -> VoteAnalysis:
    """Return the analysis of all votes in a debug database; raises UsageError that names the file when it holds no table."""
    (tables,) = connection.execute("SELECT COUNT(*) FROM pipeline_runs").fetchone()
    (papers,) = connection.execute("SELECT COUNT(*) FROM papers").fetchone()
    if not papers:
        raise UsageError("holds no paper yet", where=where, hint=f"variorum extract PDF --debug-db {where}")
    if not tables:
        what = "holds no table: none was found in its paper" if papers == 1 else f"holds no table of its {papers} papers"
        raise UsageError(what, where=where, hint="papers that have tables, or all of their pages")
    (compared,) = connection.execute("SELECT COUNT(*) FROM ground_truth_diffs WHERE NOT is_missed").fetchone()
    (missed,) = connection.execute("SELECT COUNT(*) FROM ground_truth_diffs WHERE is_missed").fetchone()
    reference: Literal["truth", "chosen"] = "truth" if compared else "chosen"
    methods = _methods(connection)
    ablations, other_votes = _votes_held_again(connection, methods)
    return VoteAnalysis(
        papers=papers,
        tables=tables,
        compared=compared,
        missed=missed,
        reference=reference,
        voters=tuple(_voter(connection, m, axis, tables, reference) for axis in AXES for m in methods),
        outcomes=tuple(_outcomes(connection, m) for m in methods),
        ablations=ablations,
        other_votes=other_votes,
        winners=winners(connection),
        wins=count_wins(read_scores(connection)),
        deltas=deltas(connection),
        oracle=oracle(connection),
    )


def _methods(connection: sqlite3.Connection) -> tuple[str, ...]:
    """Return the structure methods of the configurations, in their order; several configurations one after the other."""
    rows = connection.execute("SELECT DISTINCT pipeline_config_json FROM pipeline_runs ORDER BY pipeline_config_json")
    named = [name for (text,) in rows for name in json.loads(text)["structure_methods"]]
    return tuple(dict.fromkeys(named))


# ---- coverage, overlap, conflict --------------------------------------------------------------------------------------


def _voter(
    connection: sqlite3.Connection, method: str, axis: Axis, tables: int, reference: Literal["truth", "chosen"]
) -> VoterOnAxis:
    own = connection.execute(
        """
        SELECT
            MAX(v.accepted),
            EXISTS (SELECT 1 FROM divider_votes o WHERE o.table_id = v.table_id AND o.axis = v.axis
                AND o.divider_id = v.divider_id AND o.stance = 'for' AND o.method <> v.method),
            EXISTS (SELECT 1 FROM divider_votes o WHERE o.table_id = v.table_id AND o.axis = v.axis
                AND o.divider_id = v.divider_id AND o.stance = 'denies'),
            MAX(CASE WHEN v.reference = ? THEN v.is_true END)
        FROM divider_votes v WHERE v.method = ? AND v.axis = ? AND v.stance = 'for' AND v.reason <> 'refused'
        GROUP BY v.table_id, v.divider_id
        """,
        (reference, method, axis),
    ).fetchall()
    (spoke,) = connection.execute(
        "SELECT COUNT(DISTINCT table_id) FROM divider_votes WHERE method = ? AND axis = ? AND reason <> 'refused'",
        (method, axis),
    ).fetchone()
    (refused,) = connection.execute(
        "SELECT COUNT(*) FROM divider_votes WHERE method = ? AND axis = ? AND reason = 'refused'", (method, axis)
    ).fetchone()
    true = [is_true for *_, is_true in own if is_true is not None]
    return VoterOnAxis(
        method=method,
        axis=axis,
        tables=spoke,
        coverage=spoke / tables,
        dividers=len(own),
        refused=refused,
        overlap=_share([shared for _, shared, _, _ in own]),
        conflict=_share([not accepted or denied for accepted, _, denied, _ in own]),
        rejected=_share([not accepted for accepted, *_ in own]),
        known=len(true),
        accuracy=_share(true),
        recall=_recall(connection, method, axis, reference),
    )


def _recall(connection: sqlite3.Connection, method: str, axis: Axis, reference: str) -> float | None:
    """Return the share of the true dividers for which the method stands, over the tables on which it speaks."""
    hits = connection.execute(
        """
        SELECT EXISTS (SELECT 1 FROM divider_votes v WHERE v.table_id = r.table_id AND v.axis = r.axis AND v.method = ?
            AND v.stance = 'for' AND v.reason <> 'refused'
            AND (v.vote_start + v.vote_end) / 2 BETWEEN r.channel_start AND r.channel_end)
        FROM reference_dividers r WHERE r.axis = ? AND r.reference = ? AND EXISTS (SELECT 1 FROM divider_votes s
            WHERE s.table_id = r.table_id AND s.axis = r.axis AND s.method = ? AND s.reason <> 'refused')
        """,
        (method, axis, reference, method),
    )
    return _share([hit for (hit,) in hits])


def _share(flags: Sequence[object]) -> float | None:
    return sum(map(bool, flags)) / len(flags) if flags else None


def _outcomes(connection: sqlite3.Connection, method: str) -> Outcomes:
    counts: dict[str, int] = dict(
        connection.execute(
            "SELECT status, COUNT(DISTINCT table_id) FROM method_results WHERE structure_method = ? GROUP BY status", (method,)
        )
    )
    (mean,) = connection.execute(
        "SELECT AVG(execution_time_ms) FROM method_results WHERE structure_method = ? AND status IN ('voted', 'abstained')",
        (method,),
    ).fetchone()
    return Outcomes(
        method=method,
        voted=counts.get("voted", 0),
        abstained=counts.get("abstained", 0),
        not_asked=counts.get("not_asked", 0),
        failed=counts.get("failed", 0),
        mean_ms=mean,
    )


# ---- leave one out ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _StoredTable:
    """One table as the database has it: what the vote worked on, and the truth where one was compared."""

    context: TableContext
    config: str
    hypotheses: tuple[BoundaryHypothesis, ...]
    truth: TruthTable | None


@dataclass(frozen=True, slots=True)
class _Reading:
    """What one vote comes to: its trace, data cells right, whether all is, and the score."""

    trace: CombinationTrace
    right: int
    is_perfect: bool
    score: float


def _stored_tables(connection: sqlite3.Connection) -> Iterator[_StoredTable]:
    rows = connection.execute(
        "SELECT p.table_id, p.context_json, p.pipeline_config_json, g.truth_json FROM pipeline_runs p"
        " LEFT JOIN ground_truth_diffs g ON g.table_id = p.table_id AND p.table_id NOT IN (SELECT part_id FROM table_parts)"
        " ORDER BY p.item_key, p.table_id"
    )
    for table, context, config, truth in rows.fetchall():
        said = connection.execute(
            "SELECT DISTINCT structure_method, boundary_hypotheses_json FROM method_results"
            " WHERE table_id = ? AND boundary_hypotheses_json IS NOT NULL",
            (table,),
        )
        by_method = {method: hypothesis_from_json(text) for method, text in said}
        order = json.loads(config)["structure_methods"]
        yield _StoredTable(
            context_from_json(context),
            config,
            tuple(by_method[m] for m in order if m in by_method),
            None if truth is None else TruthTable.from_dict(json.loads(truth)),
        )


_EQUAL = "equal weights"


def _votes_held_again(
    connection: sqlite3.Connection, methods: Sequence[str]
) -> tuple[tuple[Ablation, ...], tuple[OtherVote, ...]]:
    """Return what the consensus is without each method, and what it is under each other rule."""
    left_out = {
        m: dict.fromkeys(("tables", "changed", "lost", "gained", "cells", "perfect", "better", "worse"), 0) for m in methods
    }
    rules = {r: dict.fromkeys(("tables", "changed", "cells", "perfect", "better", "worse"), 0) for r in _rules()}
    pipelines: dict[str, dict[str, Pipeline]] = {}
    for stored in _stored_tables(connection):
        if stored.config not in pipelines:
            pipelines[stored.config] = _pipelines(PipelineConfig.from_dict(json.loads(stored.config)))
        own, others = pipelines[stored.config][""], pipelines[stored.config]
        voting = _Vote(own, stored)
        whole = voting.held_by(stored.hypotheses)
        for voter in stored.hypotheses:
            rest = voting.held_by([h for h in stored.hypotheses if h is not voter])
            lost, gained = _count_difference(left_out[voter.method], rest, whole)
            left_out[voter.method]["lost"] += lost
            left_out[voter.method]["gained"] += gained
            left_out[voter.method]["cells"] += rest.right - whole.right
            left_out[voter.method]["perfect"] += rest.is_perfect - whole.is_perfect
        for rule, count in rules.items():
            reading = voting.held_by(stored.hypotheses, others[rule])
            _count_difference(count, reading, whole)
            count["cells"] += reading.right
            count["perfect"] += reading.is_perfect
    return (
        tuple(Ablation(method=m, **count) for m, count in left_out.items()),
        tuple(OtherVote(name=r, **count) for r, count in rules.items()),
    )


def _rules() -> tuple[str, ...]:
    return (*COMBINATION_STRATEGIES, *(f"{name}, {_EQUAL}" for name in COMBINATION_STRATEGIES))


def _pipelines(config: PipelineConfig) -> dict[str, Pipeline]:
    """Return the pipeline of the configuration under an empty name, and one for each rule."""
    equal = replace(config, confidence_multipliers={}, final_multipliers=config.structure_methods)
    out = {"": Pipeline(config)}
    for name in COMBINATION_STRATEGIES:
        out[name] = Pipeline(replace(config, combination_strategy=name))
        out[f"{name}, {_EQUAL}"] = Pipeline(replace(equal, combination_strategy=name))
    return out


def _count_difference(count: dict[str, int], reading: _Reading, whole: _Reading) -> tuple[int, int]:
    """Count a table with another vote; return how many dividers are lost and gained by it."""
    pairs = [(_accepted(whole.trace, axis), _accepted(reading.trace, axis)) for axis in AXES]
    lost = sum(not _meets(span, after) for before, after in pairs for span in before)
    gained = sum(not _meets(span, before) for before, after in pairs for span in after)
    count["tables"] += 1
    count["changed"] += bool(lost or gained)
    count["better"] += reading.score > whole.score
    count["worse"] += reading.score < whole.score
    return lost, gained


class _Vote:
    """The votes of one table, held with and without methods; equal grids are compared with the truth once."""

    def __init__(self, pipeline: Pipeline, stored: _StoredTable) -> None:
        self._pipeline, self._stored = pipeline, stored
        self._by_dividers: dict[object, tuple[int, bool, float]] = {}
        self._by_grid: dict[str, ComparisonResult] = {}

    def held_by(self, hypotheses: Sequence[BoundaryHypothesis], rule: Pipeline | None = None) -> _Reading:
        """Return what the consensus of these methods comes to; of its grids, one a cell method, the best by score counts.

        `rule` is a pipeline that differs in its vote only; None is the run's own.
        """
        consensus, trace = (rule or self._pipeline).consensus_of(self._stored.context, hypotheses)
        if self._stored.truth is None:
            return _Reading(trace, 0, False, 0.0)
        key = tuple(tuple(p.position for p in points) for points in (consensus.col_boundaries, consensus.row_boundaries))
        if key not in self._by_dividers:
            self._by_dividers[key] = self._judged(self._stored.truth, replace(consensus, method=CONSENSUS))
        return _Reading(trace, *self._by_dividers[key])

    def _judged(self, truth: TruthTable, consensus: BoundaryHypothesis) -> tuple[int, bool, float]:
        results = [self._compared(truth, grid) for grid in self._pipeline.grids_of(self._stored.context, consensus)]
        if not results:
            return 0, False, 0.0
        best = max(results, key=lambda r: r.score_pct)
        return cells_right(truth, best)[0], best.is_perfect, best.score_pct

    def _compared(self, truth: TruthTable, grid: CellGrid) -> ComparisonResult:
        key = grid_to_json(grid)
        if key not in self._by_grid:
            self._by_grid[key] = compare_extraction(truth, grid)
        return self._by_grid[key]


def _accepted(trace: CombinationTrace, axis: Axis) -> list[tuple[float, float]]:
    clusters = (trace.col_trace if axis == "column" else trace.row_trace).clusters
    return [(c.min_pos, c.max_pos) for c in clusters if c.accepted]


def _meets(span: tuple[float, float], others: Sequence[tuple[float, float]]) -> bool:
    return any(span[0] <= high and low <= span[1] for low, high in others)
