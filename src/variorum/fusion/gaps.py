"""What stands between the same known neighbours in two sources: there less likeness is enough, and at last the count.

Where a chain has left places on both sides of a gap, they are compared once more by what is accepted nearby. Formulas and
references, which may be unreadable in one source, are then paired in order where a gap holds as many of them on both sides.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from variorum.fusion.flow_chain import Link, chain
from variorum.fusion.likeness import Accept, Spot

_COUNTED: Final = ("equation_display", "bibliography")


def link_gaps(left: Sequence[Spot], right: Sequence[Spot], links: Sequence[Link], nearby: Accept) -> list[Link]:
    """Return further links, in order, between two sequences that have the links given, which rise in both."""
    found: list[Link] = []
    for own, others in _gaps(len(left), len(right), links):
        more = [
            Link(tuple(own[i] for i in link.left), tuple(others[j] for j in link.right))
            for link in chain([left[i] for i in own], [right[j] for j in others], nearby)
        ]
        found += more
        for rest, other_rest in _gaps_within(own, others, more):
            found += _by_count(left, right, rest, other_rest)
    return sorted(found, key=lambda link: link.left)


def _gaps(n: int, m: int, links: Sequence[Link]) -> Iterator[tuple[range, range]]:
    """Yield the indices of both sequences between two links that follow each other, where both have some."""
    i = j = 0
    for link in (*links, Link((n,), (m,))):
        if i < link.left[0] and j < link.right[0]:
            yield range(i, link.left[0]), range(j, link.right[0])
        i, j = link.left[-1] + 1, link.right[-1] + 1


def _gaps_within(own: range, others: range, links: Sequence[Link]) -> Iterator[tuple[range, range]]:
    i, j = own.start, others.start
    inner = [Link(tuple(x - i for x in link.left), tuple(y - j for y in link.right)) for link in links]
    for rest, other_rest in _gaps(len(own), len(others), inner):
        yield range(rest.start + i, rest.stop + i), range(other_rest.start + j, other_rest.stop + j)


def _by_count(left: Sequence[Spot], right: Sequence[Spot], own: range, others: range) -> list[Link]:
    found = []
    for type_ in _COUNTED:
        ours = [i for i in own if left[i].type == type_]
        theirs = [j for j in others if right[j].type == type_]
        pairs = list(zip(ours, theirs, strict=False))
        if len(ours) == len(theirs) and not any(_contradict(left[i], right[j]) for i, j in pairs):
            found += [Link((i,), (j,)) for i, j in pairs]
    return found


def _contradict(one: Spot, other: Spot) -> bool:
    """Return whether two places are numbered, and not alike."""
    ours = {p.number for p in one.pieces if p.number.isdecimal()}
    theirs = {p.number for p in other.pieces if p.number.isdecimal()}
    return bool(ours and theirs) and ours.isdisjoint(theirs)
