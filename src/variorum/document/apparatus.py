"""The apparatus of a table: who said what about every divider, and why this grid won.

Plain, frozen, serialisable data. The tables room fills it, `explain.py` puts it into sentences, the report draws it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Axis = Literal["column", "row"]
EdgeName = Literal["top", "bottom", "left", "right"]
OutcomeStatus = Literal["voted", "abstained", "not_asked", "failed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Vote:
    """One method's boundary inside a cluster: a white channel `start..end` in points and the confidence it was given."""

    method: str
    start: float
    end: float
    confidence: float
    scaled_confidence: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Divider:
    """One cluster of votes on one axis, accepted or not.

    `id` is ``c1``, ``c2`` … for accepted column dividers from left to right, ``r1`` … for rows from top to bottom, ``cx1`` /
    ``rx1`` … for those rejected or refused. `reason` is ``above_threshold``, ``ruled_line_override``, ``rejected`` or
    ``refused`` (before the vote, `note` says why). `method_count` distinct methods stood for it, `threshold` were needed
    (median of all clusters of the axis).
    """

    id: str
    axis: Axis
    start: float
    end: float
    position: float
    accepted: bool
    reason: str
    confidence: float
    method_count: int
    threshold: float
    votes: tuple[Vote, ...]
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class EdgeMove:
    """One step by which an edge left the place that the vote gave it: where it then lay (points), and why."""

    position: float
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RegionEdge:
    """One edge of a table's region, voted on by the proposers of regions; positions are points of the page as displayed.

    `id` is ``top``, ``bottom``, ``left`` or ``right``; `axis` is ``row`` for top and bottom (positions are y), ``column`` for
    left and right (x). `position` is where the edge lies in the end. `places` are the clusters of the proposers' edges from the
    outside in, then those refused; their ids are the edge's own for the accepted one, ``topx1`` … for the others. A vote's
    `scaled_confidence` is its weight, and `threshold` half of all weights. Without places the region was given by the user.
    `moves` lead from the accepted place to `position`.
    """

    id: EdgeName
    axis: Axis
    position: float
    places: tuple[Divider, ...] = ()
    moves: tuple[EdgeMove, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class MethodOutcome:
    """What became of one structure or cell method on this table.

    `detail` is the reason or the error; `traceback` stands only when it failed.
    """

    method: str
    status: OutcomeStatus
    detail: str = ""
    traceback: str = ""
    column_count: int = 0
    row_count: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricValue:
    """One metric of one candidate grid: its value and its rank among the candidates (1 is best, ties share the best rank)."""

    metric: str
    value: float
    rank: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """One grid that stood for election, named ``structure:cell``; the lowest `rank_sum` wins, ties fall to the consensus."""

    name: str
    n_rows: int
    n_cols: int
    metrics: tuple[MetricValue, ...]
    rank_sum: float
    chosen: bool
    position: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Repair:
    """One post-processor that changed the grid, and what it changed, in words."""

    name: str
    detail: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TableApparatus:
    """Everything that was said about one table.

    `agreement` in [0, 1]: mean over the accepted dividers of (methods for it) / (methods that spoke on that axis); 0 without
    dividers. `methods` is the set of structure methods of the configuration, in the order in which methods are asked.
    """

    methods: tuple[str, ...]
    cell_methods: tuple[str, ...]
    combination_strategy: str
    selection_strategy: str
    spatial_precision: float
    agreement: float
    winner: str
    dividers: tuple[Divider, ...] = ()
    outcomes: tuple[MethodOutcome, ...] = ()
    candidates: tuple[Candidate, ...] = ()
    repairs: tuple[Repair, ...] = ()
    region_votes: tuple[str, ...] = ()
    region_edges: tuple[RegionEdge, ...] = ()
    incomplete: str = ""

    def divider(self, divider_id: str) -> Divider | None:
        """Return the divider with this id, or None."""
        return next((d for d in self.dividers if d.id == divider_id), None)

    def edge(self, edge_id: str) -> RegionEdge | None:
        """Return the edge of the region with this id (``top``), or None."""
        return next((e for e in self.region_edges if e.id == edge_id), None)
