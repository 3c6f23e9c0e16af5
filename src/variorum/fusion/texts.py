"""Which texts are the same: title, the flow of the text, footnotes, references, source after source.

Each source is aligned against the places that those before it have made: in order by the chain, then in its gaps, then once
more by a chain of what is left, so that a part that was moved is found as well; at last whatever is left of every part, out of
order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from variorum.fusion.absorbing import absorb
from variorum.fusion.flow_chain import Link, chain, linked
from variorum.fusion.gaps import link_gaps
from variorum.fusion.leftovers import pair_leftovers
from variorum.fusion.likeness import Chance, Spot
from variorum.fusion.model import SourceKind
from variorum.fusion.pieces import Piece
from variorum.fusion.weaving import weave

_GROUPS: Final = ("front", "flow", "footnote", "bibliography")
"""What is aligned by chains of its own; bylines by none."""


def align_texts(
    pieces: Mapping[SourceKind, Sequence[Piece]], orders: Mapping[SourceKind, Sequence[str]], chance: Chance
) -> list[Spot]:
    """Return the places of all texts, bylines one by one; `pieces` and `orders` have those of each source, in its order."""
    spots: list[Spot] = []
    for source in pieces:
        left = weave(spots, orders)
        right = [Spot((p,)) for p in pieces[source]]
        links: list[Link] = []
        for group in _GROUPS:
            links += _in_order(left, right, group, chance)
            links += _once_more(left, right, links, group, chance)
        links += _rest(left, right, links, chance)
        spots = linked(left, right, links)
    return spots


def _group(spot: Spot) -> str:
    piece = spot.pieces[0]
    return "byline" if piece.kind == "byline" else piece.part


def _in_order(left: Sequence[Spot], right: Sequence[Spot], group: str, chance: Chance) -> list[Link]:
    """Return what a chain links among the places of a group, and what is linked in the gaps of it."""
    own = [i for i, s in enumerate(left) if _group(s) == group]
    others = [j for j, s in enumerate(right) if _group(s) == group]
    ours, theirs = [left[i] for i in own], [right[j] for j in others]
    links = chain(ours, theirs, chance.anywhere)
    links += link_gaps(ours, theirs, links, chance.nearby)
    links = absorb(ours, theirs, links)
    return [_renumbered(link, own, others) for link in links]


def _once_more(left: Sequence[Spot], right: Sequence[Spot], known: Sequence[Link], group: str, chance: Chance) -> list[Link]:
    """Return what one more chain links among the places of a group that are not linked yet: a part that was moved."""
    done_left, done_right = _done(known)
    own = [i for i, s in enumerate(left) if i not in done_left and _group(s) == group]
    others = [j for j, s in enumerate(right) if j not in done_right and _group(s) == group]
    links = chain([left[i] for i in own], [right[j] for j in others], chance.anywhere)
    return [_renumbered(link, own, others) for link in links]


def _renumbered(link: Link, own: Sequence[int], others: Sequence[int]) -> Link:
    return Link(tuple(own[i] for i in link.left), tuple(others[j] for j in link.right))


def _rest(left: Sequence[Spot], right: Sequence[Spot], known: Sequence[Link], chance: Chance) -> list[Link]:
    """Return what can be linked out of order among all places, of every part, that are not linked yet."""
    done_left, done_right = _done(known)
    own = [i for i in range(len(left)) if i not in done_left]
    others = [j for j in range(len(right)) if j not in done_right]
    pairs = pair_leftovers([left[i] for i in own], [right[j] for j in others], chance)
    return [Link((own[i],), (others[j],)) for i, j in pairs]


def _done(links: Sequence[Link]) -> tuple[set[int], set[int]]:
    return {i for link in links for i in link.left}, {j for link in links for j in link.right}
