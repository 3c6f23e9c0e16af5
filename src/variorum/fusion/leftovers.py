"""The second round: places that the chain left, wherever they stand: pairs in which each is the other's only best.

A source may have a float's text, a note or an appendix elsewhere than another. Out of order only what cannot be taken for
something else is paired: a text that its own source has twice (``Proof``) is not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import isqrt

from variorum.fusion.likeness import Chance, Spot, likeness

Pair = tuple[int, int]


def pair_leftovers(left: Sequence[Spot], right: Sequence[Spot], chance: Chance) -> list[Pair]:
    """Return pairs of indices of places that are the same, in order of the left ones; bylines are not paired one by one."""
    scores: dict[Pair, float] = {}
    for i, j in _candidates(left, right):
        if left[i].pieces[0].kind == right[j].pieces[0].kind == "byline":
            continue
        size = len(left[i].pieces[0].key.full) + len(right[j].pieces[0].key.full)
        least = chance.anywhere(left[i].type, right[j].type, size)
        found, _ = likeness(left[i], right[j], least)
        if found > least or (found == 1 and least == 1):
            scores[i, j] = found
    return only_best(scores)


def only_best(scores: dict[Pair, float]) -> list[Pair]:
    """Return the pairs whose score is above all others of the left and of the right member, in order."""
    of_left: dict[int, list[float]] = {}
    of_right: dict[int, list[float]] = {}
    for (i, j), score in scores.items():
        of_left.setdefault(i, []).append(score)
        of_right.setdefault(j, []).append(score)

    def alone(values: list[float], score: float) -> bool:
        return score == max(values) and values.count(score) == 1

    return sorted((i, j) for (i, j), score in scores.items() if alone(of_left[i], score) and alone(of_right[j], score))


def _candidates(left: Sequence[Spot], right: Sequence[Spot]) -> list[Pair]:
    """Return pairs that share a feature that is rare in both sequences."""
    by_left, by_right = _places(left), _places(right)
    shared: Counter[Pair] = Counter()
    for feature in sorted(by_left.keys() & by_right.keys()):
        shared.update((i, j) for i in by_left[feature] for j in by_right[feature])
    return sorted(shared)


def _places(sequence: Sequence[Spot]) -> dict[str, list[int]]:
    places: dict[str, list[int]] = {}
    for i, spot in enumerate(sequence):
        for feature in sorted(frozenset().union(*(p.features for p in spot.pieces))):
            places.setdefault(feature, []).append(i)
    often = isqrt(len(sequence)) + 1
    return {f: found for f, found in places.items() if len(found) <= often}
