"""The edges of a region in a turned view, as they lie on the page as displayed: other names, other axes, other positions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from variorum.document.apparatus import Axis, Divider, EdgeName, RegionEdge
from variorum.page.turning import DOWNWARDS, UPWARDS
from variorum.regions.edge_moves import EDGES, axis_of
from variorum.thresholds import COORDINATE_DIGITS

_NAMES: Final[Mapping[int, Mapping[EdgeName, EdgeName]]] = {
    UPWARDS: {"top": "left", "bottom": "right", "left": "bottom", "right": "top"},
    DOWNWARDS: {"top": "right", "bottom": "left", "left": "top", "right": "bottom"},
}


def displayed_edges(edges: Sequence[RegionEdge], angle: int, width: float, height: float) -> tuple[RegionEdge, ...]:
    """Return the edges of a region of the view that is upright at `angle`, as they lie on the page, whose size is in points."""
    if angle not in _NAMES:
        return tuple(edges)
    turned = [_turned(e, _NAMES[angle][e.id], angle, width, height) for e in edges]
    return tuple(sorted(turned, key=lambda e: EDGES.index(e.id)))


def _turned(edge: RegionEdge, name: EdgeName, angle: int, width: float, height: float) -> RegionEdge:
    def at(position: float) -> float:
        if angle == UPWARDS:
            return round(position if axis_of(edge.id) == "row" else height - position, COORDINATE_DIGITS)
        return round(width - position if axis_of(edge.id) == "row" else position, COORDINATE_DIGITS)

    return replace(
        edge,
        id=name,
        axis=axis_of(name),
        position=at(edge.position),
        places=tuple(_turned_place(p, p.id.replace(edge.id, name, 1), axis_of(name), at) for p in edge.places),
        moves=tuple(replace(m, position=at(m.position)) for m in edge.moves),
    )


def _turned_place(place: Divider, name: str, axis: Axis, at: Callable[[float], float]) -> Divider:
    start, end = sorted((at(place.start), at(place.end)))
    votes = []
    for vote in place.votes:
        low, high = sorted((at(vote.start), at(vote.end)))
        votes.append(replace(vote, start=low, end=high))
    return replace(place, id=name, axis=axis, start=start, end=end, position=at(place.position), votes=tuple(votes))
