"""Weighted votes: a divider stands when the weight for it exceeds the weight of those whose silence denies it.

The median rule counts heads, and accepts or drops a divider by how often *other* dividers were seen. Here each place is
judged by itself. The ranges of all points are laid over each other; a place where their summed weight is highest
locally is a candidate, and every method whose range covers it stands for it, with its scaled confidence. A wide range
may stand for two candidates: two columns between which one method sees no third. Against it stand methods that claim to
see the whole axis (``complete`` in their hypothesis) and put no divider there, with the mean confidence of their own
dividers. A drawn rule that was admitted is accepted without count, as in the founding rule. (Abstaining voters and
weights: Ratner et al. 2017, Snorkel, doi:10.14778/3157794.3157797.)
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from variorum.document.apparatus import Axis
from variorum.geometry import Interval
from variorum.tables.combination import CONSENSUS, RULED_LINES, _compute_spatial_precision, _scale_point
from variorum.tables.model import (
    AcceptanceReason,
    AxisTrace,
    BoundaryHypothesis,
    BoundaryPoint,
    ClusterRecord,
    CombinationTrace,
    TableContext,
)
from variorum.tables.rows import read_rows
from variorum.voting import Ballot, cluster_points


def combine_by_weight(
    hypotheses: Sequence[BoundaryHypothesis],
    ctx: TableContext,
    *,
    confidence_multipliers: Mapping[str, float] | None = None,
) -> tuple[BoundaryHypothesis, CombinationTrace]:
    """Return the dividers for which more weight speaks than against, and the trace of the vote.

    Units, refused points and multipliers are those of `combine_hypotheses`. The result does not depend on the order of
    the hypotheses.
    """
    precision = _compute_spatial_precision(ctx)
    content = {
        "column": [w.box.x_interval for w in ctx.words],
        "row": [ctx.text_rows[i].band for i in read_rows(ctx).anchored],
    }
    cols, col_trace = _vote(hypotheses, "column", precision, confidence_multipliers, content["column"])
    rows, row_trace = _vote(hypotheses, "row", precision, confidence_multipliers, content["row"])
    methods = sorted({h.method for h in hypotheses})
    consensus = BoundaryHypothesis(cols, rows, method=CONSENSUS, metadata={"source_methods": tuple(methods)})
    return consensus, CombinationTrace(col_trace, row_trace, precision, methods)


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A place of locally greatest weight, and the ballots whose reach covers it."""

    place: Interval
    ballots: tuple[Ballot, ...]


def _vote(
    hypotheses: Sequence[BoundaryHypothesis],
    axis: Axis,
    precision: float,
    multipliers: Mapping[str, float] | None,
    content: Sequence[Interval],
) -> tuple[tuple[BoundaryPoint, ...], AxisTrace]:
    unscaled = [p for h in hypotheses for p in (h.col_boundaries if axis == "column" else h.row_boundaries)]
    pooled = cluster_points([_scale_point(p, multipliers) for p in unscaled], precision, unscaled)
    denials = {
        h.method: _denial(h, axis, multipliers)
        for h in hypotheses
        if axis in _axes(h) and (h.col_boundaries or h.row_boundaries)
    }
    records = tuple(_judged(c, denials) for c in _one_per_white(_candidates(pooled.ballots), content))
    boundaries = tuple(
        BoundaryPoint(r.min_pos, r.max_pos, r.confidence, CONSENSUS, anchor=r.position) for r in records if r.accepted
    )
    needed = sum(denials[name] for name in sorted(denials)) / 2
    trace = AxisTrace(
        input_points=pooled.input_points,
        input_provenances=tuple(p.provenance for p in pooled.input_points),
        expansions=pooled.expansions,
        clusters=records,
        acceptance_threshold=needed,
        median_method_count=float(median(r.distinct_methods for r in records)) if records else 0.0,
        accepted_positions=tuple(r.position for r in records if r.accepted),
        refused=pooled.refused,
    )
    return boundaries, trace


def _axes(hypothesis: BoundaryHypothesis) -> Sequence[object]:
    axes = hypothesis.metadata.get("complete", ())
    return axes if isinstance(axes, tuple | list) else (axes,)


def _denial(hypothesis: BoundaryHypothesis, axis: Axis, multipliers: Mapping[str, float] | None) -> float:
    """Return the weight of the method's silence: the mean scaled confidence of its dividers on the axis (of all, if it
    has none there)."""
    points = (hypothesis.col_boundaries if axis == "column" else hypothesis.row_boundaries) or (
        *hypothesis.col_boundaries,
        *hypothesis.row_boundaries,
    )
    scaled = [_scale_point(p, multipliers).confidence for p in points]
    return sum(scaled) / len(scaled)


def _candidates(ballots: Sequence[Ballot]) -> list[_Candidate]:
    """Return the places of locally greatest summed confidence (each method counted once), from left to right."""
    edges = sorted({e for b in ballots for e in (b.reach.start, b.reach.end)})
    # every edge is a place of its own (ranges may touch in a point), and so is every stretch between two
    places = [Interval(e, e) for e in edges] + [Interval(a, b) for a, b in itertools.pairwise(edges)]
    places.sort()
    near = _ballots_near(places, ballots)
    heights = [_height(place, around) for place, around in zip(places, near, strict=True)]
    found: list[_Candidate] = []
    i = 0
    while i < len(places):
        j = i
        while j + 1 < len(places) and heights[j + 1] == heights[i]:
            j += 1
        left = heights[i - 1] if i else 0.0
        right = heights[j + 1] if j + 1 < len(places) else 0.0
        if heights[i] > left and heights[i] > right:
            place = Interval(places[i].start, places[j].end)
            whole = tuple(b for b in near[i] if b.reach.start <= place.start and place.end <= b.reach.end)
            found.append(_Candidate(place, whole or tuple(b for b in ballots if b.reach.intersection(place) is not None)))
        i = j + 1
    return found


def _ballots_near(places: Sequence[Interval], ballots: Sequence[Ballot]) -> list[list[Ballot]]:
    """Return for each place, in order, the ballots that begin before its start and end no earlier: those that may cover it.

    Both come sorted by their start; so each ballot is looked at only as long as it lasts.
    """
    waiting = list(reversed(ballots))
    open_now: list[Ballot] = []
    out: list[list[Ballot]] = []
    for place in places:
        while waiting and waiting[-1].reach.start <= place.start:
            open_now.append(waiting.pop())
        open_now = [b for b in open_now if b.reach.end >= place.start]
        out.append(open_now)
    return out


def _one_per_white(found: Sequence[_Candidate], content: Sequence[Interval]) -> list[_Candidate]:
    """Return the candidates, neighbours with nothing of the table between them made one: they are the same divider, seen apart.

    The place is that of the candidate with most weight; all ballots stand for it.
    """
    out: list[_Candidate] = []
    for candidate in found:
        last = out[-1] if out else None
        if last is None or any(last.place.middle <= c.start and c.end <= candidate.place.middle for c in content):
            out.append(candidate)
            continue
        ballots = tuple(dict.fromkeys((*last.ballots, *candidate.ballots)))
        heavier = max((last, candidate), key=lambda c: _height(c.place, c.ballots))
        out[-1] = _Candidate(heavier.place, ballots)
    return out


def _height(place: Interval, ballots: Sequence[Ballot]) -> float:
    best: dict[str, float] = {}
    for b in ballots:
        if b.reach.start <= place.start and place.end <= b.reach.end:
            name = b.point.provenance
            best[name] = max(best.get(name, 0.0), b.point.confidence)
    return sum(best[name] for name in sorted(best))


def _judged(candidate: _Candidate, denials: Mapping[str, float]) -> ClusterRecord:
    points = tuple(b.point for b in candidate.ballots)
    names = sorted({p.provenance for p in points})
    support = {name: max(p.confidence for p in points if p.provenance == name) for name in names}
    against = sum(denials[name] for name in sorted(denials) if name not in support)
    reason: AcceptanceReason
    if sum(support.values()) > against:
        reason = "above_threshold"
    else:
        reason = "ruled_line_override" if RULED_LINES in names else "rejected"
    span = _shared_white(points, candidate.place)
    weights = [p.confidence for p in points]
    mean = sum(p.position * w for p, w in zip(points, weights, strict=True)) / sum(weights)
    return ClusterRecord(
        points=points,
        min_pos=span.start,
        max_pos=span.end,
        position=min(max(mean, span.start), span.end),
        confidence=sum(p.confidence for p in points) / len(points),
        distinct_methods=len(names),
        method_names=names,
        accepted=reason != "rejected",
        acceptance_reason=reason,
        unscaled_points=tuple(b.unscaled for b in candidate.ballots),
        opposition=against,
    )


def _shared_white(points: Sequence[BoundaryPoint], place: Interval) -> Interval:
    """Return the white that the ranges at the place share; points without width say where, but not how wide."""
    wide = [p for p in points if p.min_pos < p.max_pos and p.min_pos <= place.end and place.start <= p.max_pos]
    low, high = max((p.min_pos for p in wide), default=place.start), min((p.max_pos for p in wide), default=place.end)
    return Interval(low, high) if low <= high else place
