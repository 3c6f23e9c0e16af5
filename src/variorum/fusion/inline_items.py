"""Citations and inline equations: what stands inside texts that were found to be the same, in order.

A small chain for each place and each kind of item. Citations are compared by the entries that they lead to, as the
references were aligned, and by what is printed where they lead nowhere; equations by TeX and signs. So a mark that one source
lacks does not shift those behind it. Between two that are known, as many on both sides are paired in order, unless they have
nothing in common.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from variorum.fusion.corridor import corridor
from variorum.fusion.likeness import key_likeness
from variorum.fusion.model import Reading, Source, SourceKind
from variorum.fusion.pieces import Key, fold, formula_key

ItemType = Literal["citation", "equation_inline"]
Entries = Mapping[tuple[SourceKind, str], str]
"""The position of each entry of the references."""


@dataclass(frozen=True, slots=True)
class Item:
    """One mark in a text of a source: the text's id, its index in the document's list, entries it leads to, its key."""

    source: SourceKind
    type: ItemType
    component: str
    index: int
    entries: frozenset[str]
    key: Key

    def reading(self) -> Reading:
        """Return the mark as a reading."""
        return Reading(source=self.source, components=(self.component,), item=self.index)


def items_by_component(source: Source, type_: ItemType, entries: Entries) -> dict[str, list[Item]]:
    """Return the marks of a type in each text of a source, in order; `entries` names the aligned entries of the references."""
    document = source.document
    found: dict[str, list[tuple[int, Item]]] = {}
    if type_ == "citation":
        for index, mark in enumerate(document.citations):
            targets = frozenset(entries[source.kind, t] for t in mark.targets if (source.kind, t) in entries)
            printed = fold(mark.text).replace(" ", "")
            item = Item(source.kind, type_, mark.component, index, targets, Key(printed, printed))
            found.setdefault(mark.component, []).append((mark.start, item))
    else:
        for index, formula in enumerate(document.inline_equations):
            key = formula_key(formula.text, formula.tex)
            item = Item(source.kind, type_, formula.component, index, frozenset(), key)
            found.setdefault(formula.component, []).append((formula.start, item))
    return {name: [item for _, item in sorted(marks, key=lambda m: (m[0], m[1].index))] for name, marks in found.items()}


def item_likeness(first: Item, second: Item) -> float:
    """Return how alike two marks are, in [0, 1]: by the entries, the share of common ones; else by what is printed."""
    if first.entries and second.entries:
        return len(first.entries & second.entries) / len(first.entries | second.entries)
    return key_likeness(first.key, second.key)[0]


Group = tuple[Item, ...]


def align_items(rows: Sequence[Sequence[Item]]) -> list[Group]:
    """Return the items of several sources, each row in order, in groups of those that are the same; one item a source.

    Groups are in order; what a source has alone follows what it has before it.
    """
    groups: list[Group] = []
    for row in rows:
        pairs = pair_in_order(groups, row)
        groups = _woven(groups, row, sorted([*pairs, *_by_count(groups, row, pairs)]))
    return groups


def _by_count(groups: Sequence[Group], row: Sequence[Item], pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return further pairs: of gaps between known ones that hold as many items on both sides."""
    found = []
    i = j = 0
    for to_i, to_j in (*pairs, (len(groups), len(row))):
        more = list(zip(range(i, to_i), range(j, to_j), strict=False))
        if to_i - i == to_j - j and not any(_contradict(own, row[b]) for a, b in more for own in groups[a]):
            found += more
        i, j = to_i + 1, to_j + 1
    return found


def _contradict(one: Item, other: Item) -> bool:
    """Return whether two marks can be compared, and have nothing in common; citations can where both lead somewhere."""
    can_be_compared = bool(one.entries and other.entries) if one.type == "citation" else bool(one.key.full and other.key.full)
    return can_be_compared and item_likeness(one, other) == 0


def _woven(groups: Sequence[Group], row: Sequence[Item], pairs: Sequence[tuple[int, int]]) -> list[Group]:
    woven: list[Group] = []
    i = j = 0
    for to_i, to_j in pairs:
        woven += [(item,) for item in row[j:to_j]]
        woven += groups[i:to_i]
        woven.append((*groups[to_i], row[to_j]))
        i, j = to_i + 1, to_j + 1
    return [*woven, *((item,) for item in row[j:]), *groups[i:]]


def pair_in_order(groups: Sequence[Group], row: Sequence[Item]) -> list[tuple[int, int]]:
    """Return pairs of indices, rising in both, with the greatest sum of what their likeness is above one half."""
    if not groups or not row:
        return []

    def worth(i: int, j: int) -> float:
        return 2 * max(item_likeness(own, row[j]) for own in groups[i]) - 1

    ranges = corridor([_features(*g) for g in groups], [_features(item) for item in row], lambda i, j: worth(i, j) > 0)
    best = [[0.0] * (high - low + 1) for low, high in ranges]
    paired = [[False] * len(line) for line in best]
    for i in range(1, len(ranges)):
        low, high = ranges[i]
        before, end = ranges[i - 1]
        for j in range(low, high + 1):
            up = best[i - 1][min(j, end) - before] if j >= before else 0.0
            beside = best[i][j - 1 - low] if j > low else 0.0
            total = max(up, beside)
            gain = worth(i - 1, j - 1) if j and before <= j - 1 <= end else 0.0
            if gain > 0 and best[i - 1][j - 1 - before] + gain > total:
                total = best[i - 1][j - 1 - before] + gain
                paired[i][j - low] = True
            best[i][j - low] = total
    return _walk_back(best, paired, ranges)


def _walk_back(
    best: Sequence[Sequence[float]], paired: Sequence[Sequence[bool]], ranges: Sequence[tuple[int, int]]
) -> list[tuple[int, int]]:
    i, j = len(best) - 1, ranges[-1][1]
    pairs = []
    while i and j:
        low = ranges[i][0]
        if paired[i][j - low]:
            i, j = i - 1, j - 1
            pairs.append((i, j))
        elif j > low and best[i][j - 1 - low] == best[i][j - low]:
            j -= 1
        else:
            i -= 1
            j = min(j, ranges[i][1])
    return pairs[::-1]


def _features(*items: Item) -> frozenset[str]:
    return frozenset(name for item in items for name in (*sorted(item.entries), item.key.full, item.key.tex) if name)
