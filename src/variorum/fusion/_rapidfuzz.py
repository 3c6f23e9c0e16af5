"""The one door to rapidfuzz within the fusion: how alike two strings are, and where two sequences differ."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import cache
from typing import cast


@cache
def ratio() -> Callable[[str, str, float], float]:
    """Return the function that says how alike two strings are.

    ``ratio()(first, second, least)`` is twice the length of their longest common subsequence over the sum of their lengths, in
    [0, 1] (the normalised Indel similarity); 0 where it is below `least`, which is much quicker found out.
    """
    from rapidfuzz.distance import Indel

    measure = Indel.normalized_similarity

    def similarity(first: str, second: str, least: float) -> float:
        found: float = measure(first, second, score_cutoff=least)
        return found

    return similarity


def differences(first: Sequence[Hashable], second: Sequence[Hashable]) -> list[tuple[int, int, int, int]]:
    """Return where two sequences differ, by a longest common subsequence: (start, end) in the first and in the second.

    Between two of these stretches there is at least one item that both have; one side of a stretch may be empty.
    """
    from rapidfuzz.distance import Indel

    numbers: dict[Hashable, int] = {}
    one, other = ([numbers.setdefault(item, len(numbers)) for item in items] for items in (first, second))
    found: list[tuple[int, int, int, int]] = []
    codes = cast("list[tuple[str, int, int, int, int]]", list(Indel.opcodes(one, other)))
    for tag, i0, i1, j0, j1 in codes:
        if tag == "equal":
            continue
        if found and found[-1][1] == i0 and found[-1][3] == j0:
            i0, j0 = found[-1][0], found.pop()[2]
        found.append((i0, i1, j0, j1))
    return found
