"""Texts that are a part of another: what one source has apart and the other within a longer text, though these are alike.

A place is told to be a part of another when most of its pairs of neighbouring words stand there too; texts that have nothing to
do with each other share few. So a piece of a paragraph that was torn off is read with it, and what a chain took along between
two pieces of a paragraph without having a word in common with it is let go.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from variorum.fusion.flow_chain import Link
from variorum.fusion.likeness import Spot
from variorum.fusion.model import ComponentType, SourceKind
from variorum.fusion.pieces import Piece

_TOO_FEW: Final = 2
_ABSORBED: Final[dict[ComponentType, tuple[ComponentType, ...]]] = {
    "paragraph": ("paragraph", "heading"),
    "bibliography": ("bibliography",),
}
"""What may be a part of a text of a type."""


def absorb(left: Sequence[Spot], right: Sequence[Spot], links: Sequence[Link]) -> list[Link]:
    """Return the links of two sequences, in order, after parts were read with what they are a part of.

    Both sequences are in order, and so are the links given. A heading of the right sequence is part of the text behind it when
    the left sequence has it within this text, and of the text before it when that ends with it in the left sequence; one of the
    left sequence, which leads, stays a heading.
    """
    trimmed = [_trimmed(link, left, right) for link in sorted(links, key=lambda x: x.left)]
    grown = _grown(trimmed, left, right)
    whole = sorted(grown + _inside_gaps(grown, left, right), key=lambda x: x.left)
    return sorted(_grown(whole, left, right), key=lambda x: x.left)


def _trimmed(link: Link, left: Sequence[Spot], right: Sequence[Spot]) -> Link:
    """Return a link without those inner places of a run that share nothing with the other side."""

    def kept(run: tuple[int, ...], own: Sequence[Spot], whole: Sequence[Piece]) -> tuple[int, ...]:
        inner = [i for i in run[1:-1] if own[i].type == "equation_display" or _has_words_of(own[i], whole)]
        return (run[0], *inner, run[-1]) if len(run) > 1 else run

    ours = [p for i in link.left for p in left[i].pieces]
    theirs = [p for j in link.right for p in right[j].pieces]
    return Link(kept(link.left, left, theirs), kept(link.right, right, ours))


def _grown(links: Sequence[Link], left: Sequence[Spot], right: Sequence[Spot]) -> list[Link]:
    """Return the links with the unlinked places before and behind them that are a part of their other side."""
    done_left = {i for link in links for i in link.left}
    done_right = {j for link in links for j in link.right}
    lefts, rights = [link.left[0] for link in links], [link.right[0] for link in links]
    grown = list(links)

    def home(k: int, others: Sequence[Spot], theirs: Sequence[int], own: Sequence[Spot], ours: Sequence[int]) -> _Home:
        texts = tuple(p for x in theirs for p in others[x].pieces)
        return _Home(k, others[theirs[0]].type, texts, tuple(p for y in ours for p in own[y].pieces))

    missing = [j for j in range(len(right)) if j not in done_right]
    for j in [*(j for j in missing if right[j].type != "heading"), *(j for j in missing[::-1] if right[j].type == "heading")]:
        beside = [k for k in _beside(rights, j) if right[j].type != "heading" or _adjoins(j, grown[k], left, right)]
        at = _home(right[j], [home(k, left, grown[k].left, right, grown[k].right) for k in beside])
        if at is not None:
            grown[at] = Link(grown[at].left, tuple(sorted({*grown[at].right, j})))
    for i, spot in enumerate(left):
        if i not in done_left and spot.type != "heading":
            at = _home(spot, [home(k, right, grown[k].right, left, grown[k].left) for k in _beside(lefts, i)])
            if at is not None:
                grown[at] = Link(tuple(sorted({*grown[at].left, i})), grown[at].right)
    return grown


def _beside(starts: Sequence[int], index: int) -> list[int]:
    """Return which links begin last before a place and first behind it; `starts` are the first places of all, in order."""
    behind = bisect_right(starts, index)
    return [k for k in (behind - 1, behind) if 0 <= k < len(starts)]


def _adjoins(heading: int, link: Link, left: Sequence[Spot], right: Sequence[Spot]) -> bool:
    """Return whether the text of a link follows a heading, or comes before it and ends with its words in the left sequence."""
    if heading + 1 in link.right:
        return True
    words = right[heading].pieces[0].key.full
    last = left[link.left[-1]].pieces
    return heading - 1 in link.right and bool(words) and any(p.key.full.endswith(words) for p in last)


@dataclass(frozen=True, slots=True)
class _Home:
    """A link beside a place: its index, the type and texts of its other side, and the texts of the place's own side."""

    link: int
    type: ComponentType
    theirs: tuple[Piece, ...]
    ours: tuple[Piece, ...]


def _home(spot: Spot, homes: Iterable[_Home]) -> int | None:
    """Return the link whose other side has most of a place's words, while its own side does not have them."""
    best, found = 0.0, None
    for home in homes:
        share = _lacking(spot, home) if spot.type in _ABSORBED.get(home.type, ()) else 0.0
        if share > best:
            best, found = share, home.link
    return found


def _lacking(spot: Spot, home: _Home) -> float:
    """Return which share of a place's words the other side has and its own lacks; 0 where that is not most of them.

    The words of a heading must stand there as a whole, and more often than on its own side.
    """
    if spot.type == "heading":
        return 1.0 if _times(spot, home.theirs) > _times(spot, home.ours) else 0.0
    share = _shared(spot, home.theirs)
    return share if 2 * share > 1 and 2 * _shared(spot, home.ours) <= 1 else 0.0


def _times(spot: Spot, texts: Iterable[Piece]) -> int:
    """Return how often the words of a place stand in the texts of a source, as a whole; of several sources, the most."""
    words = spot.pieces[0].key.full
    found: Counter[SourceKind] = Counter()
    for text in texts:
        found[text.source] += text.key.full.count(words) if words else 0
    return max(found.values(), default=0)


def _inside_gaps(links: Sequence[Link], left: Sequence[Spot], right: Sequence[Spot]) -> list[Link]:
    """Return links between paragraphs of one gap of which one is a part of the other: each with the first it belongs to."""
    found = []
    i = j = 0
    for link in (*links, Link((len(left),), (len(right),))):
        own = [x for x in range(i, link.left[0]) if left[x].type == "paragraph"]
        others = [y for y in range(j, link.right[0]) if right[y].type == "paragraph"]
        i, j = link.left[-1] + 1, link.right[-1] + 1
        for x in list(own):
            if parts := tuple(y for y in others if 2 * _shared(right[y], left[x].pieces) > 1):
                found.append(Link((x,), parts))
                own.remove(x)
                others = [y for y in others if y not in parts]
        for y in others:
            if parts := tuple(x for x in own if 2 * _shared(left[x], right[y].pieces) > 1):
                found.append(Link(parts, (y,)))
                own = [x for x in own if x not in parts]
    return found


def _pairs(spot: Spot) -> frozenset[str]:
    return frozenset(f for p in spot.pieces for f in p.features if " " in f) - frozenset(
        name for p in spot.pieces for name in p.identities
    )


def _has_words_of(spot: Spot, whole: Sequence[Piece]) -> bool:
    """Return whether a place has a pair of words in common with other texts; of a few words, all of them."""
    if len(_pairs(spot)) >= _TOO_FEW:
        return _shared(spot, whole) > 0
    return any(p.key.full in o.key.full for p in spot.pieces for o in whole)


def _shared(spot: Spot, others: Sequence[Piece]) -> float:
    """Return which share of a place's pairs of words the other texts have, in [0, 1]; 0 where it has too few to tell."""
    pairs = _pairs(spot)
    if len(pairs) < _TOO_FEW:
        return 0.0
    return len(pairs & frozenset(f for o in others for f in o.features)) / len(pairs)
