"""From aligned places to positions with ids, and what is at none of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Final

from variorum.document import Document, TextComponent
from variorum.fusion.contents import Contents, common_words
from variorum.fusion.inline_items import Item, ItemType, align_items, item_likeness, items_by_component
from variorum.fusion.likeness import Spot, key_likeness
from variorum.fusion.model import LeftOver, Position, Reading, Source
from variorum.fusion.pieces import Piece
from variorum.fusion.repeating import Reasons
from variorum.fusion.table_texts import Named

_INLINE: Final[tuple[ItemType, ...]] = ("citation", "equation_inline")
_LETTER: Final[Mapping[ItemType, str]] = {"citation": "c", "equation_inline": "m"}
_OF_ANOTHER: Final = "caption of a table or figure that only another source has"
_IN_TABLE: Final = "stands in a table that only another source has as one"
_REPEATED: Final = "repeats the caption of a table or figure"
_IN_LEFT_OVER: Final = "stands in a text that is left over"


def positions_of(sources: Sequence[Source], spots: Sequence[Spot], contents: Contents) -> tuple[Position, ...]:
    """Return the positions of places in the order of the paper, `p1` and so on, each followed by those of what stands in it."""
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
    if one.kind == other.kind == "byline" or (one.part == "float" and not (one.key.full and other.key.full)):
        return common_words(one, other, contents)
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
    return [
        Position(
            id=f"{parent}.{_LETTER[type_]}{n}",
            part="inline",
            type=type_,
            readings=tuple(item.reading() for item in group),
            parent=parent,
            similarity=min((item_likeness(one, other) for one, other in combinations(group, 2)), default=1.0),
        )
        for n, group in enumerate(groups, start=1)
    ]


def left_overs_of(
    sources: Sequence[Source], positions: Sequence[Position], in_tables: Named, again: Reasons
) -> tuple[LeftOver, ...]:
    """Return as left over the furniture, captions of floats of others, texts that are the cells of a table of another source
    (`in_tables`) or say what stands elsewhere (`again`), and the marks in all of these."""
    placed = {(r.source, name) for p in positions for r in p.readings for name in r.components}
    items = {(r.source, p.type, r.item) for p in positions for r in p.readings if r.item is not None}
    found: list[LeftOver] = []
    for source in sources:
        document = source.document
        for component in document.components:
            if (source.kind, component.id) in placed or (source.kind, component.target) in placed:
                continue
            name = (source.kind, component.id)
            reason = _IN_TABLE if name in in_tables else again.get(name) or _reason(component)
            found.append(_left_over(source, component.id, component.kind, component.text, reason))
        for index, mark in enumerate(document.citations):
            if (source.kind, "citation", index) not in items:
                found.append(_left_over(source, mark.component, "citation", mark.text, _IN_LEFT_OVER))
        for index, formula in enumerate(document.inline_equations):
            if (source.kind, "equation_inline", index) not in items:
                found.append(_left_over(source, formula.component, "equation_inline", formula.text, _IN_LEFT_OVER))
    return tuple(found)


def _reason(component: TextComponent) -> str:
    if component.kind == "furniture":
        return component.note or "furniture"
    return _OF_ANOTHER if component.kind == "caption" else _REPEATED


def _left_over(source: Source, component: str, kind: str, text: str, reason: str) -> LeftOver:
    return LeftOver(source=source.kind, component=component, kind=kind, text=text, reason=reason)
