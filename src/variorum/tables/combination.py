"""The vote: every divider that any method saw is put to all methods, one divider at a time.

The boundary points of all hypotheses are pooled, for columns and rows apart. No hypothesis wins as a whole, and how many
columns a method counts is of no interest: a divider that many methods find independently is believed, one that a single method
reports is not, unless that is the usual measure of agreement in this table. Per axis:

1. *Scale.* A point's confidence is multiplied by the multiplier of its method (`_scale_point`).
2. *Expand.* A range narrower than the spatial precision is expanded to that span around its middle. The precision is the
table's own: the
   thickness of its rules, else its usual word gap, else its usual word height, else 0 (`_compute_spatial_precision`).
3. *Merge.* Points whose ranges overlap or touch form a cluster.
4. *Accept.* A cluster is accepted when at least as many distinct methods stand for it as for the median cluster of the axis;
and always
   when one of them is ``ruled_lines``: a line on the paper is a fact and no estimate (`accept_by_median`).
5. *Place.* The accepted boundary spans its cluster's points, lies at their confidence-weighted mean, and has the mean of their
scaled
   confidences, so that many points of one method count no more than one.

A single hypothesis is passed through as it is: nobody is there to contradict it. Multipliers move positions and confidences,
never the acceptance. The result does not depend on the order of the hypotheses.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from statistics import median
from typing import Literal, overload

from variorum.document.apparatus import Axis
from variorum.errors import ConfigError
from variorum.tables.model import (
    AcceptanceReason,
    AxisTrace,
    BoundaryHypothesis,
    BoundaryPoint,
    ClusterRecord,
    CombinationTrace,
    TableContext,
)
from variorum.voting import Cluster, ClusteredAxis, cluster_points

CONSENSUS = "consensus"
RULED_LINES = "ruled_lines"

# A judge sees the clusters of one axis and the methods that speak on it; it returns the reason for each cluster, and the number
# of methods that a cluster needed.
Judge = Callable[[Sequence[Cluster], frozenset[str]], tuple[list[AcceptanceReason], float]]


@overload
def combine_hypotheses(
    hypotheses: Sequence[BoundaryHypothesis],
    ctx: TableContext,
    *,
    confidence_multipliers: Mapping[str, float] | None = None,
    trace: Literal[False] = False,
) -> BoundaryHypothesis: ...


@overload
def combine_hypotheses(
    hypotheses: Sequence[BoundaryHypothesis],
    ctx: TableContext,
    *,
    confidence_multipliers: Mapping[str, float] | None = None,
    trace: Literal[True],
) -> tuple[BoundaryHypothesis, CombinationTrace]: ...


def combine_hypotheses(
    hypotheses: Sequence[BoundaryHypothesis],
    ctx: TableContext,
    *,
    confidence_multipliers: Mapping[str, float] | None = None,
    trace: bool = False,
) -> BoundaryHypothesis | tuple[BoundaryHypothesis, CombinationTrace]:
    """Return the consensus of the hypotheses, with `trace=True` the pair (consensus, trace of the vote).

    `confidence_multipliers` maps method names to factors from 0 up; methods without one have 1. Positions are PDF points.
    Points that are not finite, or end before they start, do not take part and are listed as refused in the trace. Raises
    ConfigError for a multiplier that is negative or not finite.
    """
    consensus, record = hold_vote(hypotheses, ctx, accept_by_median, confidence_multipliers)
    return (consensus, record) if trace else consensus


def accept_by_median(clusters: Sequence[Cluster], speakers: frozenset[str]) -> tuple[list[AcceptanceReason], float]:
    """Return a reason per cluster and the threshold.

    A reason per cluster and the median number of methods of all clusters, which is what a cluster needs (0.0 without
    clusters).
    """
    threshold = float(median(len(c.method_names) for c in clusters)) if clusters else 0.0

    def verdict(methods: list[str]) -> AcceptanceReason:
        if len(methods) >= threshold:
            return "above_threshold"
        return "ruled_line_override" if RULED_LINES in methods else "rejected"

    return [verdict(c.method_names) for c in clusters], threshold


def hold_vote(
    hypotheses: Sequence[BoundaryHypothesis],
    ctx: TableContext,
    judge: Judge,
    confidence_multipliers: Mapping[str, float] | None,
) -> tuple[BoundaryHypothesis, CombinationTrace]:
    """Return the consensus under the judge's rule, and the trace of the vote; the frame that all strategies share."""
    _check_multipliers(confidence_multipliers)
    spatial_precision = _compute_spatial_precision(ctx)
    if len(hypotheses) == 1:
        return _pass_through(hypotheses[0], spatial_precision)

    def vote_on(axis: Axis) -> tuple[tuple[BoundaryPoint, ...], AxisTrace]:
        unscaled = [point for h in hypotheses for point in (h.col_boundaries if axis == "column" else h.row_boundaries)]
        scaled = [_scale_point(point, confidence_multipliers) for point in unscaled]
        silent_denials = frozenset(h.method for h in hypotheses if axis in _speaks_for(h))
        return _combine_axis(scaled, spatial_precision, unscaled=unscaled, judge=judge, deniers=silent_denials)

    cols, col_trace = vote_on("column")
    rows, row_trace = vote_on("row")
    methods = sorted({h.method for h in hypotheses})
    consensus = BoundaryHypothesis(cols, rows, method=CONSENSUS, metadata={"source_methods": tuple(methods)})
    return consensus, CombinationTrace(col_trace, row_trace, spatial_precision, methods)


def _combine_axis(
    points: Sequence[BoundaryPoint],
    spatial_precision: float,
    *,
    unscaled: Sequence[BoundaryPoint] | None = None,
    judge: Judge = accept_by_median,
    deniers: frozenset[str] = frozenset(),
) -> tuple[tuple[BoundaryPoint, ...], AxisTrace]:
    """Return the accepted boundaries of one axis in order, and how they came about.

    `points` have scaled confidences, `unscaled` are the same points before; `deniers` are methods that say that the axis has no
    divider.
    """
    axis = cluster_points(points, spatial_precision, unscaled)
    speakers = frozenset(b.point.provenance for b in axis.ballots) | deniers
    reasons, threshold = judge(axis.clusters, speakers)
    records = tuple(_record(cluster, reason) for cluster, reason in zip(axis.clusters, reasons, strict=True))
    boundaries = tuple(
        BoundaryPoint(r.min_pos, r.max_pos, r.confidence, CONSENSUS, anchor=r.position) for r in records if r.accepted
    )
    return boundaries, _axis_trace(axis, records, threshold)


def _scale_point(point: BoundaryPoint, multipliers: Mapping[str, float] | None) -> BoundaryPoint:
    """Return the point with its confidence times its method's multiplier; the point itself where that is 1 or not given."""
    multiplier = 1.0 if multipliers is None else multipliers.get(point.provenance, 1.0)
    return point if multiplier == 1.0 else replace(point, confidence=point.confidence * multiplier)


def _compute_spatial_precision(ctx: TableContext) -> float:
    """Return how near two boundaries must be to be one, in points: rule thickness, else word gap, else word height, else 0."""
    measures = (ctx.rule_thickness, ctx.median_word_gap, ctx.median_word_height)
    return next((m for m in measures if m is not None), 0.0)


def _pass_through(hypothesis: BoundaryHypothesis, spatial_precision: float) -> tuple[BoundaryHypothesis, CombinationTrace]:
    """Return the only hypothesis as it is (without points that are no places, if it has any) and its trace."""
    trace = _make_passthrough_trace(hypothesis, spatial_precision)
    refused = [r.point for t in (trace.col_trace, trace.row_trace) for r in t.refused]
    if refused:
        hypothesis = replace(
            hypothesis,
            col_boundaries=tuple(p for p in hypothesis.col_boundaries if p not in refused),
            row_boundaries=tuple(p for p in hypothesis.row_boundaries if p not in refused),
        )
    return hypothesis, trace


def _make_passthrough_trace(hypothesis: BoundaryHypothesis, spatial_precision: float) -> CombinationTrace:
    """Return the trace of a vote with one voter: each point a cluster of its own, unscaled, unexpanded and accepted."""

    def trace_of(points: tuple[BoundaryPoint, ...]) -> AxisTrace:
        axis = cluster_points(points, 0.0)
        alone = replace(axis, clusters=tuple(Cluster((ballot,)) for ballot in axis.ballots))
        records = tuple(_record(cluster, "above_threshold") for cluster in alone.clusters)
        return _axis_trace(alone, records, 1.0 if records else 0.0)

    return CombinationTrace(
        trace_of(hypothesis.col_boundaries), trace_of(hypothesis.row_boundaries), spatial_precision, [hypothesis.method]
    )


def _record(cluster: Cluster, reason: AcceptanceReason) -> ClusterRecord:
    names, span = cluster.method_names, cluster.span
    return ClusterRecord(
        points=cluster.points,
        min_pos=span.start,
        max_pos=span.end,
        position=cluster.position,
        confidence=cluster.confidence,
        distinct_methods=len(names),
        method_names=names,
        accepted=reason != "rejected",
        acceptance_reason=reason,
        unscaled_points=tuple(b.unscaled for b in cluster.ballots),
    )


def _axis_trace(axis: ClusteredAxis, records: tuple[ClusterRecord, ...], threshold: float) -> AxisTrace:
    points = axis.input_points
    return AxisTrace(
        input_points=points,
        input_provenances=tuple(p.provenance for p in points),
        expansions=axis.expansions,
        clusters=records,
        acceptance_threshold=threshold,
        median_method_count=float(median(r.distinct_methods for r in records)) if records else 0.0,
        accepted_positions=tuple(r.position for r in records if r.accepted),
        refused=axis.refused,
    )


def _speaks_for(hypothesis: BoundaryHypothesis) -> Sequence[object]:
    """Return the axes on which an empty hypothesis means "no divider", from its metadata."""
    axes = hypothesis.metadata.get("speaks_for", ())
    return axes if isinstance(axes, tuple | list) else (axes,)


def _check_multipliers(multipliers: Mapping[str, float] | None) -> None:
    for method, factor in (multipliers or {}).items():
        if not (math.isfinite(factor) and factor >= 0):
            raise ConfigError(
                f"a multiplier of {factor} makes no vote", where=f"confidence_multipliers.{method}", hint="a number from 0 up"
            )
