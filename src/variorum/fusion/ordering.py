"""In which order the sources have the text, and where the order of one is contradicted by two independent others.

LaTeX and ar5iv are made from the same TeX, Docling and the PDF engine read the same PDF: that two of one kind agree is no
second witness. Where one of each kind agree on an order, a third source that has it otherwise is contradicted.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Final

from variorum.fusion.model import SOURCES, Alignment, Position, Source, SourceKind

FROM_TEX: Final[tuple[SourceKind, ...]] = ("latex", "ar5iv")
FROM_PDF: Final[tuple[SourceKind, ...]] = ("docling", "pdf")


def independent_pairs(others: Sequence[SourceKind]) -> list[tuple[SourceKind, SourceKind]]:
    """Return the pairs of sources that do not go back to the same file: one made from the TeX, one from the PDF."""
    return [(a, b) for a, b in product(FROM_TEX, FROM_PDF) if a in others and b in others]


@dataclass(frozen=True, slots=True, kw_only=True)
class Orders:
    """For each source the positions of the text at which its order is contradicted, and how many were judged."""

    displaced: Mapping[SourceKind, frozenset[str]]
    judged: Mapping[SourceKind, int]

    def share_in_order(self, source: SourceKind) -> float:
        """Return the share in [0, 1] of the judged positions that the source has in the order of the others."""
        judged = self.judged.get(source, 0)
        return 1 - len(self.displaced.get(source, ())) / judged if judged else 1.0


def compare_orders(sources: Sequence[Source], alignment: Alignment) -> Orders:
    """Return where the order of each source is contradicted by two independent others that agree with each other."""
    sequences = {source.kind: _sequence(source, alignment) for source in sources}
    displaced: dict[SourceKind, frozenset[str]] = {}
    judged: dict[SourceKind, int] = {}
    for kind, own in sequences.items():
        for first, second in independent_pairs([other for other in sequences if other != kind]):
            agreed = _common(sequences[first], sequences[second])
            shared = [name for name in agreed if name in set(own)]
            kept = set(_common(own, shared))
            found = frozenset(name for name in shared if name not in kept)
            if kind not in judged or len(found) * judged[kind] > len(displaced[kind]) * len(shared):
                displaced[kind], judged[kind] = found, len(shared)
    return Orders(displaced=displaced, judged=judged)


def in_order_of(sources: Sequence[Source], alignment: Alignment, orders: Orders) -> tuple[Position, ...]:
    """Return the positions in the order of the source whose order is contradicted least, of several the first by `SOURCES`.

    What that source does not have stands where the next one, by the same rule, has it. What stands in no text stays behind
    what comes before it in the alignment, and so do inline positions. Without a contradiction this is the order of the
    alignment.
    """
    if not any(orders.displaced.values()):
        return alignment.positions
    ranked = sorted(sources, key=lambda s: (1 - orders.share_in_order(s.kind), SOURCES.index(s.kind)))
    places = {name: i for i, name in enumerate(_woven([_sequence(source, alignment) for source in ranked]))}
    groups: list[list[Position]] = []
    for position in alignment.positions:
        if position.part == "inline" and groups:
            groups[-1].append(position)
        else:
            groups.append([position])
    chains: dict[int, list[list[Position]]] = {}
    last = -1
    for group in groups:
        last = places.get(group[0].id, last)
        chains.setdefault(last, []).append(group)
    return tuple(position for i in sorted(chains) for group in chains[i] for position in group)


def _woven(sequences: Sequence[Sequence[str]]) -> list[str]:
    """Return the names of all sequences in one: in the order of the first, and what it lacks behind the name that stands before
    it in the next sequence that has it; in front where none does."""
    base = list(sequences[0]) if sequences else []
    front: list[str] = []
    behind: dict[str, list[str]] = {}
    known = set(base)
    for sequence in sequences[1:]:
        place = front
        for name in sequence:
            if name not in known:
                place.append(name)
                known.add(name)
            place = behind.setdefault(name, [])
    woven: list[str] = []
    open_ones = [*front, *base][::-1]
    while open_ones:
        name = open_ones.pop()
        woven.append(name)
        open_ones += behind.get(name, [])[::-1]
    return woven


def _sequence(source: Source, alignment: Alignment) -> list[str]:
    """Return the positions of the text in the order in which a source has them."""
    place = {component.id: i for i, component in enumerate(source.document.components)}
    found: list[tuple[int, str]] = []
    for position in alignment.positions:
        if position.part != "flow":
            continue
        for reading in position.readings:
            if reading.source == source.kind and reading.components[0] in place:
                found.append((place[reading.components[0]], position.id))
    return [name for _, name in sorted(found)]


def _common(first: Sequence[str], second: Sequence[str]) -> list[str]:
    """Return a longest sequence of names that stand in both in the same order; no name stands twice in one of them."""
    place = {name: i for i, name in enumerate(second)}
    shared = [name for name in first if name in place]
    tails: list[int] = []  # the last place of the best sequence of each length
    holders: list[int] = []
    before: list[int] = []
    for i, name in enumerate(shared):
        length = bisect_left(tails, place[name])
        before.append(holders[length - 1] if length else -1)
        if length == len(tails):
            tails.append(place[name])
            holders.append(i)
        else:
            tails[length], holders[length] = place[name], i
    found: list[str] = []
    i = holders[-1] if holders else -1
    while i >= 0:
        found.append(shared[i])
        i = before[i]
    return found[::-1]
