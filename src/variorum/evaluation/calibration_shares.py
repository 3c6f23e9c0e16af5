"""How sure a share is: intervals for items that come in papers, and what becomes of a share without one of the papers.

Items of one paper are not independent: a class file that misleads a reader misleads it everywhere. So whole papers are drawn in
the bootstrap. Where all items are right, every draw is, and the bootstrap says that nothing is unsure; Wilson's interval over
the items says otherwise. The interval given is the one that spans both.

Wilson, J. Am. Stat. Assoc. 22 (1927), doi:10.1080/01621459.1927.10502953; Davison and Hinkley, Bootstrap Methods (1997), on
resampling of clusters.
"""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

CONFIDENCE: Final = 0.95
"""How often an interval holds the share that it is about: the usual choice."""
NORMAL_DEVIATE: Final = 1.959964
"""Standard deviations of a normal distribution on both sides of its mean that hold this confidence."""
DRAWS: Final = 2000
"""Draws of the bootstrap: from 1000 on the ends of a 95 % interval move by less than the second digit."""


class Tally(NamedTuple):
    """The items of one type in one paper: how many were read, and how many of these are right (a sum of shares)."""

    read: int
    right: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """A share with what stands behind it: items and papers, interval, and what it is when one paper is left out.

    `low` and `high` bound the interval; `without` maps each paper to the share of the others, None where there are none;
    `held_out_error` is the mean distance between that and the share of the paper itself.
    """

    items: int
    papers: int
    value: float
    low: float
    high: float
    without: Mapping[str, float | None]
    held_out_error: float | None

    @property
    def width(self) -> float:
        """Return how wide the interval is."""
        return self.high - self.low


def share_of(tallies: Mapping[str, Tally], seed: str) -> Share | None:
    """Return the share of right items among the read ones of all papers; None where none was read.

    The bootstrap's dice are seeded with the text, so that the same figures come out everywhere.
    """
    counted = {name: tally for name, tally in sorted(tallies.items()) if tally.read}
    items, right = sum(t.read for t in counted.values()), math.fsum(t.right for t in counted.values())
    if not items:
        return None
    value = right / items
    ends = (*wilson(right, items), *_bootstrap(list(counted.values()), seed), value)
    without = {name: _rest(items, right, tally) for name, tally in counted.items()}
    errors = [abs(rest - t.right / t.read) for name, t in counted.items() if (rest := without[name]) is not None]
    return Share(
        items=items,
        papers=len(counted),
        value=value,
        low=min(ends),
        high=max(ends),
        without=without,
        held_out_error=math.fsum(errors) / len(errors) if errors else None,
    )


def wilson(right: float, items: int) -> tuple[float, float]:
    """Return the ends of Wilson's interval for so many right items of all."""
    share, z = right / items, NORMAL_DEVIATE
    middle = share + z * z / (2 * items)
    half = z * math.sqrt(share * (1 - share) / items + z * z / (4 * items * items))
    whole = 1 + z * z / items
    return max(0.0, (middle - half) / whole), min(1.0, (middle + half) / whole)


def _bootstrap(tallies: Sequence[Tally], seed: str) -> tuple[float, float]:
    """Return the ends of the middle part of the shares of papers drawn with replacement."""
    dice = random.Random(seed)
    shares = []
    for _ in range(DRAWS):
        drawn = dice.choices(tallies, k=len(tallies))
        shares.append(math.fsum(t.right for t in drawn) / sum(t.read for t in drawn))
    shares.sort()
    cut = round((1 - CONFIDENCE) / 2 * DRAWS)
    return shares[cut], shares[-1 - cut]


def _rest(items: int, right: float, tally: Tally) -> float | None:
    return (right - tally.right) / (items - tally.read) if items > tally.read else None
