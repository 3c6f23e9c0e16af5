"""Aligning: which components of several sources stand at the same place of the paper.

Sources are worked through in the order of `SOURCES`, each against the positions that those before it have made: text in order
by the chain, twice, so that a part that was moved is found as well; then whatever is left, of every part, out of order.
References, tables and figures have alignments of their own, and what stands inside texts follows the texts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Final

from variorum.document import Document
from variorum.errors import UsageError
from variorum.fusion.agreeing import agreements
from variorum.fusion.floats import Contents, common_words, contents_of, float_pieces, pair_floats
from variorum.fusion.flow_chain import Link, chain
from variorum.fusion.gaps import link_gaps
from variorum.fusion.inline_items import Item, ItemType, align_items, item_likeness, items_by_component
from variorum.fusion.leftovers import pair_leftovers
from variorum.fusion.likeness import Chance, Spot, key_likeness, likeness, unite
from variorum.fusion.model import SOURCES, Alignment, LeftOver, Position, Reading, Source, SourceKind
from variorum.fusion.pieces import Piece, pieces_of
from variorum.fusion.weaving import reading_order, weave

Pieces = Mapping[SourceKind, Sequence[Piece]]
Orders = Mapping[SourceKind, Sequence[str]]
_INLINE: Final[tuple[ItemType, ...]] = ("citation", "equation_inline")
_GROUPS: Final = ("front", "flow", "footnote", "bibliography")
"""What is aligned by chains of its own; bylines by none."""
_OF_ANOTHER: Final = "caption of a table or figure that only another source has"
_IN_LEFT_OVER: Final = "stands in a text that is left over"


def align(sources: Sequence[Source]) -> Alignment:
    """Return the positions of the paper and what each source has there, what is left over, and how well sources agree.

    The order in which sources are given does not matter. Raises UsageError where a kind of source is given twice.
    """
    ordered = in_order(sources)
    orders = {s.kind: reading_order(s.document) for s in ordered}
    pieces = {s.kind: pieces_of(s) for s in ordered}
    chance = Chance(pieces.values())
    floats = _align_floats(ordered, orders, chance)
    texts = _align_texts(ordered, orders, _without_captions_of_others(ordered, pieces, floats, chance), chance)
    spots = weave([*_authors_as_one(texts, orders), *floats], orders)
    positions = _positions(ordered, spots, contents_of(ordered))
    return Alignment(positions=positions, left_overs=_not_placed(ordered, positions), agreements=agreements(ordered, positions))


def in_order(sources: Sequence[Source]) -> list[Source]:
    """Return the sources in the order of `SOURCES`; raises UsageError where a kind of source is given twice."""
    given: dict[SourceKind, Source] = {}
    for source in sources:
        if source.kind in given:
            what = f"two sources of the kind {source.kind}: {given[source.kind].name} and {source.name}"
            raise UsageError(what, where="sources", hint="one source of each kind")
        given[source.kind] = source
    return [given[kind] for kind in SOURCES if kind in given]


# ---- tables and figures -----------------------------------------------------------------------------------------------


def _align_floats(sources: Sequence[Source], orders: Orders, chance: Chance) -> list[Spot]:
    pieces = [float_pieces(s) for s in sources]
    contents = contents_of(sources)
    spots: list[Spot] = []
    for own in pieces:
        left = weave(spots, orders)
        right = weave([Spot((p,)) for p in own], orders)
        spots = _linked(left, right, [Link((i,), (j,)) for i, j in pair_floats(left, right, chance, contents)])
    return spots


def _without_captions_of_others(
    sources: Sequence[Source], pieces: Pieces, floats: Sequence[Spot], chance: Chance
) -> dict[SourceKind, list[Piece]]:
    """Return the pieces of each source without captions of floats that only other sources have: nothing is lost by them."""
    kept: dict[SourceKind, list[Piece]] = {}
    for source in sources:
        kept[source.kind] = []
        missing = [s for s in floats if s.of(source.kind) is None]
        for piece in pieces[source.kind]:
            spot = next((s for s in missing if piece.kind == "caption" and _is_caption_of(piece, s, chance)), None)
            if spot is None:
                kept[source.kind].append(piece)
            else:
                missing.remove(spot)
    return kept


def _is_caption_of(piece: Piece, spot: Spot, chance: Chance) -> bool:
    found, size = likeness(Spot((piece,)), spot)
    return found > chance.anywhere("paragraph", "paragraph", size)


# ---- texts ------------------------------------------------------------------------------------------------------------


def _align_texts(sources: Sequence[Source], orders: Orders, pieces: Pieces, chance: Chance) -> list[Spot]:
    """Return the places of all texts: title, flow, footnotes, references, bylines."""
    spots: list[Spot] = []
    for source in sources:
        left = weave(spots, orders)
        right = [Spot((p,)) for p in pieces[source.kind]]
        links: list[Link] = []
        for group in _GROUPS:
            links += _in_order(left, right, group, chance)
            links += _once_more(left, right, links, group, chance)
        links += _rest(left, right, links, chance)
        spots = _linked(left, right, links)
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


def _linked(left: Sequence[Spot], right: Sequence[Spot], links: Sequence[Link]) -> list[Spot]:
    """Return all places after linking: what was linked is one place, what was not stays as it is."""
    done_left, done_right = _done(links)
    return [
        *(s for i, s in enumerate(left) if i not in done_left),
        *(unite([*(left[i] for i in link.left), *(right[j] for j in link.right)], SOURCES) for link in links),
        *(s for j, s in enumerate(right) if j not in done_right),
    ]


def _authors_as_one(spots: Sequence[Spot], orders: Orders) -> list[Spot]:
    """Return the places with all bylines as one of them: sources part the names and addresses of authors in ways that have
    nothing in common."""
    woven = weave(spots, orders)
    bylines = [s for s in woven if all(p.kind == "byline" for p in s.pieces)]
    rest = [s for s in woven if any(p.kind != "byline" for p in s.pieces)]
    place = {(source, name): n for source, order in orders.items() for n, name in enumerate(order)}
    pieces = sorted((p for s in bylines for p in s.pieces), key=lambda p: place[p.source, p.components[0]])
    return [*rest, unite([Spot((p,)) for p in pieces], SOURCES)] if bylines else rest


# ---- positions --------------------------------------------------------------------------------------------------------


def _positions(sources: Sequence[Source], spots: Sequence[Spot], contents: Contents) -> tuple[Position, ...]:
    named = [(f"p{n}", spot) for n, spot in enumerate(spots, start=1)]
    entries = {
        (piece.source, name): id_
        for id_, spot in named
        if spot.part == "bibliography"
        for piece in spot.pieces
        for name in piece.components
    }
    marks = {(s.kind, t): items_by_component(s, t, entries) for s in sources for t in _INLINE}
    captions = {s.kind: _captions(s.document) for s in sources}
    positions: list[Position] = []
    for id_, spot in named:
        positions.append(_position(id_, spot, contents))
        for type_ in _INLINE:
            rows = [_items(piece, marks[piece.source, type_], captions[piece.source]) for piece in spot.pieces]
            positions += _inline(id_, type_, align_items(rows))
    return tuple(positions)


def _position(id_: str, spot: Spot, contents: Contents) -> Position:
    pairs = list(combinations(spot.pieces, 2))
    return Position(
        id=id_,
        part=spot.part,
        type=spot.type,
        readings=tuple(Reading(source=p.source, components=p.components) for p in spot.pieces),
        similarity=min((_alike(one, other, contents) for one, other in pairs), default=1.0),
    )


def _alike(one: Piece, other: Piece, contents: Contents) -> float:
    if one.part == "float" and not (one.key.full and other.key.full):
        return common_words(Spot((one,)), Spot((other,)), contents)
    return key_likeness(one.key, other.key)[0]


def _items(piece: Piece, marks: Mapping[str, Sequence[Item]], captions: Mapping[str, Sequence[str]]) -> list[Item]:
    """Return the marks in the texts of a place, for a float those of its captions."""
    names = piece.components
    texts = [text for name in names for text in captions.get(name, ())] if piece.part == "float" else names
    return [item for name in texts for item in marks.get(name, ())]


def _captions(document: Document) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for component in document.components:
        if component.kind == "caption" and component.target is not None:
            found.setdefault(component.target, []).append(component.id)
    return found


def _inline(parent: str, type_: ItemType, groups: Sequence[tuple[Item, ...]]) -> list[Position]:
    letter = "c" if type_ == "citation" else "m"
    return [
        Position(
            id=f"{parent}.{letter}{n}",
            part="inline",
            type=type_,
            readings=tuple(item.reading() for item in group),
            parent=parent,
            similarity=min((item_likeness(one, other) for one, other in combinations(group, 2)), default=1.0),
        )
        for n, group in enumerate(groups, start=1)
    ]


# ---- what is left over ------------------------------------------------------------------------------------------------


def _not_placed(sources: Sequence[Source], positions: Sequence[Position]) -> tuple[LeftOver, ...]:
    """Return as left over the furniture, captions of floats of others, and the marks in all of these."""
    placed = {(r.source, name) for p in positions for r in p.readings for name in r.components}
    items = {(r.source, p.type, r.item) for p in positions for r in p.readings if r.item is not None}
    found: list[LeftOver] = []
    for source in sources:
        document = source.document
        for component in document.components:
            if (source.kind, component.id) in placed or (source.kind, component.target) in placed:
                continue
            reason = component.note or component.kind if component.kind == "furniture" else _OF_ANOTHER
            found.append(_left_over(source, component.id, component.kind, component.text, reason))
        for index, mark in enumerate(document.citations):
            if (source.kind, "citation", index) not in items:
                found.append(_left_over(source, mark.component, "citation", mark.text, _IN_LEFT_OVER))
        for index, formula in enumerate(document.inline_equations):
            if (source.kind, "equation_inline", index) not in items:
                found.append(_left_over(source, formula.component, "equation_inline", formula.text, _IN_LEFT_OVER))
    return tuple(found)


def _left_over(source: Source, component: str, kind: str, text: str, reason: str) -> LeftOver:
    return LeftOver(source=source.kind, component=component, kind=kind, text=text, reason=reason)
