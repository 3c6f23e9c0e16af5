"""The election of regions: one box a table, and a vote on each of its four edges.

Proposals of one family share one voice. Of proposals that overlap, the one that the families agree with most (sum of IoU) is
taken; of two that agree as much, the larger, unless a family has several boxes inside it that together hold most of its
words: then it is several tables.

Its edges are boundaries like any other. Every proposer that sees the same table (IoU above one half) puts a point where its
own box ends, with the share of the families that agree with that box as its confidence; the points are clustered as those of
dividers are (`variorum.voting`). From the outside in, the first place is accepted up to which half of the weight sees the
table reach: the middle one of three voices, the outer one of two, since a region that is too large loses nothing.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from variorum.document.apparatus import Axis, Divider, EdgeName, RegionEdge, Vote
from variorum.geometry import Box
from variorum.page.model import PageEvidence
from variorum.regions.edge_moves import EDGES, axis_of, fitted, moved, position_of
from variorum.regions.model import TableRegion
from variorum.regions.registry import family_of, only_seconds
from variorum.voting import Ballot, BoundaryPoint, Cluster, cluster_points

_OUTWARDS: Final[Mapping[EdgeName, int]] = {"top": -1, "bottom": 1, "left": -1, "right": 1}


@dataclass(frozen=True, slots=True)
class _Proposal:
    proposer: str
    family: str
    box: Box


class Election:
    """The proposals for one page, in families, and how far they agree."""

    def __init__(self, pool: Mapping[str, Sequence[Box]], page: PageEvidence) -> None:
        self._page = page
        self._families: dict[str, list[_Proposal]] = {}
        for name, boxes in sorted(pool.items()):
            family = family_of(name)
            self._families.setdefault(family, []).extend(_Proposal(name, family, box) for box in boxes)
        self._leading = {f: [p for p in ps if not only_seconds(p.proposer)] for f, ps in self._families.items()}

    def regions(self) -> list[TableRegion]:
        """Return one region per table: the proposal with most agreement, then those that do not overlap it, and so on."""
        every = [p for proposals in self._leading.values() for p in proposals]
        ranked = sorted(
            every, key=lambda p: (-_agreement(p.box, self._leading), self._is_several(p), -p.box.area, p.family, p.box)
        )
        chosen: list[TableRegion] = []
        for best in ranked:
            box = best.box
            if any(2 * max(box.share_inside(r.box), r.box.share_inside(box)) > 1 for r in chosen):
                continue
            region = fitted(self.voted(box, self._friends(box)), self._page)
            apart = [b for b in (*(p.box for p in self._families[best.family]), *(r.box for r in chosen)) if not _meet(b, box)]
            if any(_meet(b, region.box) for b in apart):
                alone = moved(region, box, f"back to where {best.proposer} sees it: else the region runs into its neighbour")
                region = fitted(alone, self._page)
            chosen.append(region)
        return chosen

    def voted(self, box: Box, friends: Sequence[_Proposal]) -> TableRegion:
        """Return the region whose edges the friends vote on."""
        edges = tuple(self._edge(name, friends) for name in EDGES)
        top, bottom, left, right = (e.position for e in edges)
        names = tuple(sorted({f.proposer for f in friends}))
        return TableRegion(Box(left, top, right, bottom), None, names, edges)

    def alone(self, box: Box, proposer: str) -> TableRegion:
        """Return the region that one proposer sees and nobody else."""
        return self.voted(box, [_Proposal(proposer, family_of(proposer), box)])

    def _is_several(self, proposal: _Proposal) -> bool:
        return any(
            _fills([p.box for p in proposals], proposal.box, self._page)
            for family, proposals in self._leading.items()
            if family != proposal.family
        )

    def _friends(self, box: Box) -> list[_Proposal]:
        """Return the proposals of the same table: of each proposer the one nearest to the box, if most of the two is common."""
        near: dict[str, _Proposal] = {}
        for proposals in self._families.values():
            for p in sorted(proposals, key=lambda p: (p.box.iou(box), p.box)):
                if 2 * p.box.iou(box) > 1:
                    near[p.proposer] = p
        return [near[name] for name in sorted(near)]

    # ---- one edge ------------------------------------------------------------------------------------------------------

    def _edge(self, name: EdgeName, friends: Sequence[_Proposal]) -> RegionEdge:
        leading = [position_of(name, f.box) * _OUTWARDS[name] for f in friends if not only_seconds(f.proposer)]
        voices: dict[str, list[_Proposal]] = {}
        for f in friends:
            voices.setdefault(f.family, []).append(f)
        points, unscaled, refused = [], [], []
        for f in friends:
            position = position_of(name, f.box)
            agreement = _agreement(f.box, voices) / max(len(voices), len(self._families))
            point = BoundaryPoint(position, position, agreement, f.proposer)
            if only_seconds(f.proposer) and leading and position * _OUTWARDS[name] > max(leading):
                refused.append(point)
                continue
            unscaled.append(point)
            points.append(replace(point, confidence=agreement / len(voices[f.family])))
        clusters = cluster_points(points, self._line_height, unscaled).clusters
        outside_in = sorted(clusters, key=lambda c: -_OUTWARDS[name] * c.span.middle)
        decisive = _decisive([b for c in outside_in for b in _from_outside(c, name)])
        total = sum(b.point.confidence for c in outside_in for b in c.ballots)
        places: list[Divider] = []
        reached = False
        for cluster in outside_in:
            accepted = decisive in cluster.ballots
            reached = reached or accepted
            number = sum(not p.accepted for p in places) + 1
            places.append(
                _place(
                    name if accepted else f"{name}x{number}",
                    axis_of(name),
                    cluster,
                    decisive.point.position if accepted else cluster.position,
                    accepted=accepted,
                    threshold=total / 2,
                    note="" if accepted else _WHY_INSIDE if reached else _WHY_OUTSIDE,
                )
            )
        for point in refused:
            places.append(_refused(f"{name}x{sum(not p.accepted for p in places) + 1}", axis_of(name), point))
        return RegionEdge(id=name, axis=axis_of(name), position=decisive.point.position, places=tuple(places))

    @property
    def _line_height(self) -> float:
        """Return the height of the usual word, in points: edges nearer to each other than a line is high are one place."""
        heights = sorted(w.box.height for w in self._page.words)
        return heights[len(heights) // 2] if heights else 0.0


_WHY_OUTSIDE: Final = "less than half of the weight sees the table reach so far"
_WHY_INSIDE: Final = "half of the weight sees the table reach farther"


def _from_outside(cluster: Cluster, edge: EdgeName) -> list[Ballot]:
    return sorted(cluster.ballots, key=lambda b: (-_OUTWARDS[edge] * b.point.position, b.point.provenance))


def _decisive(outside_in: Sequence[Ballot]) -> Ballot:
    """Return the first ballot from the outside with which half of the weight is reached."""
    total = sum(b.point.confidence for b in outside_in)
    reached = 0.0
    for ballot in outside_in:
        reached += ballot.point.confidence
        if 2 * reached >= total or math.isclose(2 * reached, total):
            return ballot
    return outside_in[-1]


def _place(
    place_id: str, axis: Axis, cluster: Cluster, position: float, *, accepted: bool, threshold: float, note: str
) -> Divider:
    return Divider(
        id=place_id,
        axis=axis,
        start=cluster.span.start,
        end=cluster.span.end,
        position=position,
        accepted=accepted,
        reason="above_threshold" if accepted else "rejected",
        confidence=cluster.confidence,
        method_count=len(cluster.method_names),
        threshold=threshold,
        votes=tuple(
            Vote(
                method=b.point.provenance,
                start=b.point.min_pos,
                end=b.point.max_pos,
                confidence=b.unscaled.confidence,
                scaled_confidence=b.point.confidence,
            )
            for b in sorted(cluster.ballots, key=lambda b: (b.point.provenance, b.point.position))
        ),
        note=note,
    )


def _agreement(box: Box, families: Mapping[str, Sequence[_Proposal]]) -> float:
    """Return how far the families agree with the box: the sum of the best IoU of each."""
    return sum(max((box.iou(p.box) for p in proposals), default=0.0) for proposals in families.values())


def _refused(place_id: str, axis: Axis, point: BoundaryPoint) -> Divider:
    """Return a place that never reached the vote, with the one who saw it."""
    vote = Vote(
        method=point.provenance, start=point.min_pos, end=point.max_pos, confidence=point.confidence, scaled_confidence=0.0
    )
    return Divider(
        id=place_id,
        axis=axis,
        start=point.min_pos,
        end=point.max_pos,
        position=point.position,
        accepted=False,
        reason="refused",
        confidence=point.confidence,
        method_count=1,
        threshold=0.0,
        votes=(vote,),
        note="it reads words only, and those who see more do not see the table reach so far",
    )


# ---- boxes ----------------------------------------------------------------------------------------------------------


def _meet(a: Box, b: Box) -> bool:
    shared = a.intersection(b)
    return shared is not None and shared.area > 0


def _fills(boxes: Sequence[Box], whole: Box, page: PageEvidence) -> bool:
    """Return whether two or more of the boxes lie in the whole and together hold more than half of its words."""
    inside: list[Box] = []
    for box in sorted(boxes):
        part = 2 * box.share_inside(whole) > 1 and 2 * whole.share_inside(box) < 1
        if part and not any(_meet(box, other) for other in inside):
            inside.append(box)
    words = [w for w in page.words if whole.contains_centre_of(w.box)]
    held = [w for w in words if any(b.contains_centre_of(w.box) for b in inside)]
    return len(inside) > 1 and 2 * len(held) > len(words)
