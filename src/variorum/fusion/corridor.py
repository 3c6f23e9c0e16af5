"""Where in another sequence each place can be looked for: a corridor between anchors, so that nothing else need be compared.

An anchor is a pair of places that share most of what is found at only one place of each sequence (pairs of words, whole keys),
and that a comparison finds the same. The heaviest rising chain of anchors is kept; between two of them everything may be
compared with everything. After the "patience diff" of Bram Cohen, with weights.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from itertools import pairwise

Anchor = tuple[int, int]
Test = Callable[[int, int], bool]
"""Whether the place of the left sequence with the first index is the same as that of the right one with the second."""


def corridor(left: Sequence[Collection[str]], right: Sequence[Collection[str]], is_same: Test) -> list[tuple[int, int]]:
    """Return for each boundary of the left sequence, from 0 to its length, the first and last boundary of the right one that
    may face it.

    Both rise from boundary to boundary; the first is (0, …), the last (…, length of right). Given are the features of each
    place.
    """
    n, m = len(left), len(right)
    ranges = [(m, 0)] * (n + 1)
    corners = [(-1, -1), *anchors(left, right, is_same), (n, m)]
    for (top, start), (bottom, end) in pairwise(corners):
        low, high = max(start, 0), min(end + 1, m)
        for i in range(max(top, 0), min(bottom + 1, n) + 1):
            ranges[i] = (min(ranges[i][0], low), max(ranges[i][1], high))
    return ranges


def anchors(left: Sequence[Collection[str]], right: Sequence[Collection[str]], is_same: Test) -> list[Anchor]:
    """Return pairs of indices that belong together, rising in both: most of the features that are the only ones of their kind
    in both sequences, of one or the other place, are shared, and the places are the same."""
    once_left, once_right = _only_places(left), _only_places(right)
    shared = Counter((once_left[f], once_right[f]) for f in once_left.keys() & once_right.keys())
    of_left: Counter[int] = Counter()
    of_right: Counter[int] = Counter()
    for (i, j), count in shared.items():
        of_left[i] += count
        of_right[j] += count
    firm = [(i, j, count) for (i, j), count in shared.items() if 2 * count > min(of_left[i], of_right[j])]
    return _heaviest_rising(sorted((i, j, count) for i, j, count in firm if is_same(i, j)), len(right))


def _only_places(sequence: Sequence[Collection[str]]) -> dict[str, int]:
    places: dict[str, int] = {}
    repeated = set()
    for i, features in enumerate(sequence):
        for feature in features:
            if feature in places:
                repeated.add(feature)
            places[feature] = i
    return {f: i for f, i in places.items() if f not in repeated}


def _heaviest_rising(pairs: Sequence[tuple[int, int, int]], width: int) -> list[Anchor]:
    """Return the chain, rising in both indices, of the greatest sum of weights; of several the first in order."""
    tree: list[tuple[int, int]] = [(0, -1)] * (width + 1)  # a Fenwick tree of the best (sum, its last pair) up to a column
    came_from = []
    sums = []
    waiting: list[tuple[int, tuple[int, int]]] = []
    row = -1
    for index, (i, j, weight) in enumerate(pairs):
        if i != row:
            for column, entry in waiting:
                _raise(tree, column, entry)
            waiting, row = [], i
        total, last = _best_before(tree, j)
        came_from.append(last)
        sums.append(total + weight)
        waiting.append((j, (total + weight, index)))
    at = max(range(len(pairs)), key=lambda k: (sums[k], -k), default=-1)
    chain = []
    while at >= 0:
        chain.append((pairs[at][0], pairs[at][1]))
        at = came_from[at]
    return chain[::-1]


def _best_before(tree: Sequence[tuple[int, int]], column: int) -> tuple[int, int]:
    best = (0, -1)
    while column > 0:
        best = max(best, tree[column], key=lambda e: e[0])
        column -= column & -column
    return best


def _raise(tree: list[tuple[int, int]], column: int, entry: tuple[int, int]) -> None:
    column += 1
    while column < len(tree):
        if entry[0] > tree[column][0]:
            tree[column] = entry
        column += column & -column
