"""The chain: what two sequences of places have in common, in order, one to one, one to several and several to one.

A dynamic programme after Needleman and Wunsch (1970, doi:10.1016/0022-2836(70)90057-4) over the corridor between anchors. Two
places that are paired gain ``(likeness - least) × length``, `least` being what is accepted for their types and length; what is
left out costs nothing. So the longest texts lead, and a text is read together with its neighbour exactly where that explains
more of what the other source has there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from variorum.fusion.corridor import corridor
from variorum.fusion.likeness import Accept, Spot, key_likeness, likeness, unite
from variorum.fusion.model import SOURCES, ComponentType
from variorum.fusion.pieces import Key, join_keys

_JOINED: Final[dict[ComponentType, frozenset[ComponentType]]] = {
    "heading": frozenset({"heading"}),
    "paragraph": frozenset({"paragraph", "equation_display"}),
    "equation_display": frozenset({"equation_display"}),
    "bibliography": frozenset({"bibliography"}),
}
"""What may be read as one with a text of a type: a paragraph may go on after a formula that another source has apart."""


@dataclass(frozen=True, slots=True)
class Link:
    """Places of the left and the right sequence that are the same: one of one, one or several neighbours of the other."""

    left: tuple[int, ...]
    right: tuple[int, ...]


def chain(left: Sequence[Spot], right: Sequence[Spot], accepted: Accept) -> list[Link]:
    """Return the links between two sequences, in order; `accepted` says what is alike enough."""

    def is_same(i: int, j: int) -> bool:
        return _gain(left[i], right[j], accepted) > 0

    ranges = corridor([_features(s) for s in left], [_features(s) for s in right], is_same)
    best = [[0.0] * (high - low + 1) for low, high in ranges]
    back: list[list[Link | None]] = [[None] * len(row) for row in best]
    for i, (low, high) in enumerate(ranges):
        for j in range(low, high + 1):
            _carry(best, back, ranges, i, j)
            for link, gain in _links(left, right, i, j, accepted):
                to_i, to_j = i + len(link.left), j + len(link.right)
                if to_i < len(ranges) and ranges[to_i][0] <= to_j <= ranges[to_i][1]:
                    _offer(best, back, ranges, (to_i, to_j), best[i][j - low] + gain, link)
    return _walk_back(best, back, ranges)


def _features(spot: Spot) -> frozenset[str]:
    return frozenset().union(*(p.features for p in spot.pieces))


def _carry(best: list[list[float]], back: list[list[Link | None]], ranges: Sequence[tuple[int, int]], i: int, j: int) -> None:
    """Let a boundary have at least what the boundaries before it have: a place was left out."""
    low, _ = ranges[i]
    if j > low:
        _offer(best, back, ranges, (i, j), best[i][j - 1 - low], Link((), (j - 1,)))
    if i and ranges[i - 1][0] <= j <= ranges[i - 1][1]:
        _offer(best, back, ranges, (i, j), best[i - 1][j - ranges[i - 1][0]], Link((i - 1,), ()))


def _offer(
    best: list[list[float]],
    back: list[list[Link | None]],
    ranges: Sequence[tuple[int, int]],
    at: tuple[int, int],
    total: float,
    link: Link,
) -> None:
    i, j = at[0], at[1] - ranges[at[0]][0]
    if total > best[i][j] or (back[i][j] is None and total == best[i][j]):
        best[i][j] = total
        back[i][j] = link


def _walk_back(
    best: Sequence[Sequence[float]], back: Sequence[Sequence[Link | None]], ranges: Sequence[tuple[int, int]]
) -> list[Link]:
    i, j = len(best) - 1, ranges[-1][1]
    links = []
    while link := back[i][j - ranges[i][0]]:
        if link.left and link.right:
            links.append(link)
        i, j = i - len(link.left), j - len(link.right)
    return links[::-1]


def _links(left: Sequence[Spot], right: Sequence[Spot], i: int, j: int, accepted: Accept) -> list[tuple[Link, float]]:
    """Return the links that begin at a boundary, with what they gain."""
    if i >= len(left) or j >= len(right):
        return []
    found = []
    gain = _gain(left[i], right[j], accepted)
    if gain > 0:
        found.append((Link((i,), (j,)), gain))
    for more, total in _runs(left[i], right, j, accepted):
        found.append((Link((i,), tuple(range(j, j + more))), total))
    for more, total in _runs(right[j], left, i, accepted):
        found.append((Link(tuple(range(i, i + more)), (j,)), total))
    return found


def _gain(first: Spot, second: Spot, accepted: Accept) -> float:
    """Return what it gains to hold two places for the same; negative where they are not."""
    size = _size(first, second)
    least = accepted(first.type, second.type, size)
    found, compared = likeness(first, second, least)
    return (found - least) * compared if found > least else -1.0


def _size(first: Spot, second: Spot) -> int:
    return len(first.pieces[0].key.full) + len(second.pieces[0].key.full)


def _runs(whole: Spot, others: Sequence[Spot], start: int, accepted: Accept) -> list[tuple[int, float]]:
    """Return how many neighbours from `start` on, at least two, are together the same as one place, and what that gains.

    Looked for only where the first of them begins as the place does.
    """
    if whole.type not in _JOINED or not _begins(whole, others[start], accepted):
        return []
    found = []
    longest = max(len(p.key.full) for p in whole.pieces)
    for stop in range(start + 2, len(others) + 1):
        run = others[start:stop]
        if run[-1].type not in _JOINED[whole.type]:
            break
        parts = sum(len(s.pieces[0].key.full) for s in run)
        least = accepted(whole.type, whole.type, longest + parts)
        if 2 * longest < least * (longest + parts):
            break
        if run[-1].type != whole.type:
            continue
        gain = _run_gain(whole, run, least)
        if gain > 0:
            found.append((len(run), gain))
    return found


def _begins(whole: Spot, first: Spot, accepted: Accept) -> bool:
    """Return whether a place begins with what the other one is, and goes on."""
    if first.type != whole.type:
        return False
    for one in whole.pieces:
        for other in first.pieces:
            size = len(other.key.full)
            if 0 < size < len(one.key.full):
                begun = Key(one.key.bare[: len(other.key.bare)], one.key.full[:size], "", one.key.is_marked)
                least = accepted(whole.type, whole.type, 2 * size)
                if key_likeness(begun, Key(other.key.bare, other.key.full, "", other.key.is_marked), least)[0] > 0:
                    return True
    return False


def _run_gain(whole: Spot, run: Sequence[Spot], least: float) -> float:
    best = -1.0
    is_formula = whole.type == "equation_display"
    for source in dict.fromkeys(p.source for s in run for p in s.pieces):
        own = [p.key for s in run if (p := s.of(source))]
        for piece in whole.pieces:
            found, compared = key_likeness(piece.key, join_keys(own, is_formula=is_formula), least)
            best = max(best, (found - least) * compared if found > least else -1.0)
    return best


def linked(left: Sequence[Spot], right: Sequence[Spot], links: Sequence[Link]) -> list[Spot]:
    """Return all places after linking: what was linked is one place, what was not stays as it is."""
    done_left, done_right = {i for link in links for i in link.left}, {j for link in links for j in link.right}
    return [
        *(s for i, s in enumerate(left) if i not in done_left),
        *(unite([*(left[i] for i in link.left), *(right[j] for j in link.right)], SOURCES) for link in links),
        *(s for j, s in enumerate(right) if j not in done_right),
    ]
