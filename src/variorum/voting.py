"""Pool the boundary points of one axis and cluster them: the part of a vote that comes before any counting.

A boundary is a range, so two points mean the same divider when their ranges share a place. Points that were given too narrowly
to meet (a stroke of half a point, a single number) are first expanded to the spatial precision of the table. All positions are
PDF points. Nothing here depends on the order in which the points come.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from variorum.geometry import Interval


@dataclass(frozen=True, slots=True)
class BoundaryPoint:
    """One divider as one method sees it: anywhere in `min_pos..max_pos`, with a confidence in (0, 1] and the method's name.

    `anchor` is the place inside the range that is meant, where the middle is not: a consensus leans towards its confident
    voters.
    """

    min_pos: float
    max_pos: float
    confidence: float
    provenance: str
    anchor: float | None = None

    @property
    def position(self) -> float:
        """Return the anchor, or without one the middle of the range, in points."""
        return (self.min_pos + self.max_pos) / 2 if self.anchor is None else self.anchor


@dataclass(frozen=True, slots=True)
class PointExpansion:
    """How a point (its confidence already scaled) was widened before the merge.

    Unchanged when at least `spatial_precision` wide.
    """

    original: BoundaryPoint
    expanded_min: float
    expanded_max: float

    @property
    def was_expanded(self) -> bool:
        """Return whether the range grew."""
        return (self.expanded_min, self.expanded_max) != (self.original.min_pos, self.original.max_pos)


@dataclass(frozen=True, slots=True)
class RefusedPoint:
    """A point that never reached the vote: outside the table, on its edge, through a word, or not a number.

    `reason` says which.
    """

    point: BoundaryPoint
    reason: str


@dataclass(frozen=True, slots=True)
class Ballot:
    """One usable point.

    `point` with its scaled confidence, `unscaled` as its method gave it, `reach` the range it is merged by.
    """

    point: BoundaryPoint
    unscaled: BoundaryPoint
    reach: Interval


@dataclass(frozen=True, slots=True)
class Cluster:
    """Ballots whose reaches overlap or touch, from left to right (or top to bottom); never empty."""

    ballots: tuple[Ballot, ...]

    @property
    def points(self) -> tuple[BoundaryPoint, ...]:
        """Return the points with their scaled confidences."""
        return tuple(b.point for b in self.ballots)

    @property
    def method_names(self) -> list[str]:
        """Return the distinct methods, sorted by name."""
        return sorted({b.point.provenance for b in self.ballots})

    @property
    def span(self) -> Interval:
        """Return the hull of the points as they were given, without the expansion."""
        return Interval(min(p.min_pos for p in self.points), max(p.max_pos for p in self.points))

    @property
    def confidence(self) -> float:
        """Return the mean of the scaled confidences; it may exceed 1."""
        values = [p.confidence for p in self.points]
        return min(max(sum(values) / len(values), min(values)), max(values))

    @property
    def position(self) -> float:
        """Return the confidence-weighted mean of the points' positions, inside `span`.

        The plain mean when no point has any weight.
        """
        weights = [p.confidence for p in self.points]
        total = sum(weights)
        shares = [w / total for w in weights] if 0 < total < math.inf else [1 / len(weights)] * len(weights)
        mean = sum(p.position * share for p, share in zip(self.points, shares, strict=True))
        span = self.span
        return min(max(mean, span.start), span.end)


@dataclass(frozen=True, slots=True)
class ClusteredAxis:
    """All points of one axis: in clusters from left to right (or top to bottom), or refused with a reason."""

    clusters: tuple[Cluster, ...]
    refused: tuple[RefusedPoint, ...]

    @property
    def ballots(self) -> tuple[Ballot, ...]:
        """Return the usable points in order of position."""
        return tuple(b for cluster in self.clusters for b in cluster.ballots)

    @property
    def input_points(self) -> tuple[BoundaryPoint, ...]:
        """Return all points as their methods gave them: the usable ones by position, then the refused ones."""
        return tuple(b.unscaled for b in self.ballots) + tuple(r.point for r in self.refused)

    @property
    def expansions(self) -> tuple[PointExpansion, ...]:
        """Return how each usable point was widened."""
        return tuple(PointExpansion(b.point, b.reach.start, b.reach.end) for b in self.ballots)


def cluster_points(
    points: Sequence[BoundaryPoint], spatial_precision: float, unscaled: Sequence[BoundaryPoint] | None = None
) -> ClusteredAxis:
    """Return the points of one axis in clusters, those that cannot be placed set aside with the reason.

    `unscaled` are the same points, in the same order, before their confidences were scaled; by default the points themselves.
    Ranges that only touch are one cluster. `spatial_precision` is in points; 0 expands nothing.
    """
    ballots, refused = [], []
    for point, before in zip(points, points if unscaled is None else unscaled, strict=True):
        if reason := why_unusable(point):
            refused.append(RefusedPoint(before, reason))
        else:
            ballots.append(Ballot(point, before, _reach(point, spatial_precision)))
    refused.sort(key=lambda r: (r.point.provenance, r.reason, repr(r.point)))
    return ClusteredAxis(tuple(_merge(ballots)), tuple(refused))


def why_unusable(point: BoundaryPoint) -> str:
    """Return why the point cannot take part in a vote, or an empty string."""
    if not all(map(math.isfinite, (point.min_pos, point.max_pos, point.position))):
        return f"the range {point.min_pos}..{point.max_pos} is not finite"
    if point.max_pos < point.min_pos:
        return f"the range {point.min_pos}..{point.max_pos} ends before it starts"
    if not (math.isfinite(point.confidence) and point.confidence >= 0):
        return f"the confidence {point.confidence} is not a finite number from 0 up"
    return ""


def _reach(point: BoundaryPoint, spatial_precision: float) -> Interval:
    """Return the point's range, expanded around its middle to a span of `spatial_precision` when it is narrower."""
    given = Interval(point.min_pos, point.max_pos)
    half = spatial_precision / 2
    return given.hull(Interval(given.middle - half, given.middle + half)) if given.length < spatial_precision else given


def _merge(ballots: Iterable[Ballot]) -> list[Cluster]:
    """Return the ballots in clusters of overlapping or touching reaches."""
    groups: list[list[Ballot]] = []
    end = -math.inf
    for ballot in sorted(ballots, key=_order):
        if groups and ballot.reach.start <= end:
            groups[-1].append(ballot)
            end = max(end, ballot.reach.end)
        else:
            groups.append([ballot])
            end = ballot.reach.end
    return [Cluster(tuple(group)) for group in groups]


def _order(ballot: Ballot) -> tuple[object, ...]:
    point = ballot.point
    return (
        *_key(ballot.reach),
        point.provenance,
        point.position,
        point.confidence,
        point.min_pos,
        point.max_pos,
        ballot.unscaled.confidence,
    )


def _key(interval: Interval) -> tuple[float, float]:
    return (interval.start, interval.end)
