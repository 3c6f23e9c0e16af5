"""How alike two places of a paper are, and from where on that is more than chance: judged by this very paper.

Components of one source are different from each other, so that how alike they are shows what chance gives, for each type and
length. Two components of different sources are held to be the same when they are nearer to identity than to chance: above the
mean of the two.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import isqrt
from statistics import median

from variorum.fusion._rapidfuzz import ratio
from variorum.fusion.model import ComponentType, Part, SourceKind
from variorum.fusion.pieces import Key, Piece, join


@dataclass(frozen=True, slots=True)
class Spot:
    """A place of the paper while it is being aligned: what each source says there, a (joined) piece a source in their order."""

    pieces: tuple[Piece, ...]

    @property
    def part(self) -> Part:
        """Return the part of the paper: that of the first source."""
        return self.pieces[0].part

    @property
    def type(self) -> ComponentType:
        """Return the type: that of the first source."""
        return self.pieces[0].type

    def of(self, source: SourceKind) -> Piece | None:
        """Return what a source says here; None when it says nothing."""
        return next((p for p in self.pieces if p.source == source), None)


def unite(spots: Sequence[Spot], order: Sequence[SourceKind]) -> Spot:
    """Return several spots as one: what each source says at all of them, in the order in which it says it."""
    if len(spots) == 1:
        return spots[0]
    own = [[p for s in spots for p in s.pieces if p.source == source] for source in order]
    return Spot(tuple(join(sorted(pieces, key=lambda p: p.place)) for pieces in own if pieces))


def key_likeness(first: Key, second: Key, least: float = 0.0) -> tuple[float, int]:
    """Return how alike two keys are, in [0, 1], 0 where that is below `least`, and the number of characters compared.

    Mathematics counts only where not both texts know which of their characters it is.
    """
    both = first.is_marked and second.is_marked
    one, other = (first.bare, second.bare) if both else (first.full, second.full)
    found = ratio()(one, other, least) if one and other else 0.0
    size = len(one) + len(other)
    if first.tex and second.tex and found < 1:
        by_tex = ratio()(first.tex, second.tex, least)
        if by_tex > found:
            return by_tex, len(first.tex) + len(second.tex)
    return found, size


def likeness(first: Spot, second: Spot, least: float = 0.0) -> tuple[float, int]:
    """Return how alike two spots are by their two most similar readings, and the number of characters compared.

    What says that two readings are the same whatever their words (a DOI, author and year) halves the distance to identity.
    """
    best, size = 0.0, 0
    for one in first.pieces:
        for other in second.pieces:
            is_named_alike = not one.identities.isdisjoint(other.identities)
            found, length = key_likeness(one.key, other.key, 0.0 if is_named_alike else max(least, best))
            if is_named_alike:
                found = (1 + found) / 2
            if found > best or not size:
                best, size = found, length
            if best == 1:
                return best, size
    return best, size


Accept = Callable[[ComponentType, ComponentType, int], float]
"""From which likeness on texts of two types, of a length together, are held to be the same."""


class Chance:
    """How alike different texts of this paper are, by type and length."""

    def __init__(self, sources: Iterable[Sequence[Piece]]) -> None:
        """Measure each piece against those of its own source and type that are nearest to it in length."""
        rivals: dict[str, list[tuple[int, float]]] = {}
        for pieces in sources:
            by_type: dict[str, list[Key]] = {}
            for piece in pieces:
                if piece.key.full:
                    by_type.setdefault(piece.type, []).append(piece.key)
            for name, keys in by_type.items():
                rivals.setdefault(name, []).extend(_rivals(keys))
        self._curves: Mapping[str, tuple[list[int], list[float]]] = {k: _smooth(sorted(v)) for k, v in rivals.items()}

    def of(self, type_: str, size: int) -> float:
        """Return how alike two different texts of a type may be, in [0, 1]; `size` is the length of both together."""
        lengths, values = self._curves.get(type_, ([], []))
        if not lengths:
            return 0.0
        return values[min(bisect_left(lengths, size), len(values) - 1)]

    def anywhere(self, first: ComponentType, second: ComponentType, size: int) -> float:
        """Return from which likeness on two texts are held to be the same: half-way between chance and identity.

        For texts of two types, of which one source must be wrong, it is half-way again.
        """
        least = (1 + max(self.of(first, size), self.of(second, size))) / 2
        return least if first == second else (1 + least) / 2

    def nearby(self, first: ComponentType, second: ComponentType, size: int) -> float:
        """Return the same for texts between the same known neighbours, which speaks for them: half-way between chance and what
        is accepted anywhere."""
        least = self.anywhere(first, second, size)
        return (self.of(first, size) + least) / 2 if first == second else least


def _rivals(keys: Sequence[Key]) -> list[tuple[int, float]]:
    """Return for each key twice its length, and how alike the most similar different key is, of those nearest in length.

    The halves of a text that has no other beside it are compared with each other.
    """
    texts = sorted({k.full for k in keys}, key=lambda t: (len(t), t))
    reach = isqrt(len(texts))
    measure = ratio()
    best = [0.0] * len(texts)
    for i, text in enumerate(texts):
        for j in range(i + 1, min(i + 1 + reach, len(texts))):
            found = measure(text, texts[j], min(best[i], best[j]))
            best[i], best[j] = max(best[i], found), max(best[j], found)
    if len(texts) == 1:
        half = len(texts[0]) // 2
        best = [measure(texts[0][:half], texts[0][half:], 0.0)]
    return [(2 * len(text), value) for text, value in zip(texts, best, strict=True)]


def _smooth(found: Sequence[tuple[int, float]]) -> tuple[list[int], list[float]]:
    reach = isqrt(len(found))
    values = [median(v for _, v in found[max(0, i - reach) : i + reach + 1]) for i in range(len(found))]
    return [size for size, _ in found], values
