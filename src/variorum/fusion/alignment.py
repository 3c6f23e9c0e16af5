"""Aligning: which components of several sources stand at the same place of the paper.

Sources are worked through in the order of `SOURCES`, whatever order they are given in, each against the places that those
before it have made. Tables and figures are aligned first (`floats`), then texts (`texts`); what stands inside a text
(`inline_items`) follows the text. `docs/explanation/how-sources-are-aligned.md` tells it for readers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from variorum.errors import UsageError
from variorum.fusion.agreeing import agreements
from variorum.fusion.authors import authors_as_one
from variorum.fusion.captions import without_captions
from variorum.fusion.contents import Contents, contents_of
from variorum.fusion.floats import float_pieces, pair_floats
from variorum.fusion.flow_chain import Link, linked
from variorum.fusion.likeness import Chance, Spot
from variorum.fusion.model import SOURCES, Alignment, Source, SourceKind
from variorum.fusion.pieces import pieces_of
from variorum.fusion.positions import left_overs_of, positions_of
from variorum.fusion.repeating import repeated, without_repeated
from variorum.fusion.table_texts import table_texts, without
from variorum.fusion.texts import align_texts
from variorum.fusion.weaving import reading_order, weave

Orders = Mapping[SourceKind, Sequence[str]]


def align(sources: Sequence[Source]) -> Alignment:
    """Return the positions of the paper and what each source has there, what is left over, and how well sources agree.

    The order in which sources are given does not matter. Raises UsageError where a kind of source is given twice.
    """
    ordered = in_order(sources)
    orders = {s.kind: reading_order(s.document) for s in ordered}
    pieces = {s.kind: pieces_of(s) for s in ordered}
    chance, contents = Chance(pieces.values()), contents_of(ordered)
    floats = _align_floats(ordered, orders, chance, contents)
    again = repeated(ordered, pieces, chance)
    texts = align_texts(without_captions(without_repeated(pieces, again), floats, chance), orders, chance)
    in_tables = table_texts(ordered, texts, floats, contents)
    spots = weave([*authors_as_one(without(texts, in_tables), contents), *floats], orders)
    positions = positions_of(ordered, spots, contents)
    return Alignment(
        positions=positions,
        left_overs=left_overs_of(ordered, positions, in_tables, again),
        agreements=agreements(ordered, positions),
    )


def in_order(sources: Sequence[Source]) -> list[Source]:
    """Return the sources in the order of `SOURCES`; raises UsageError where a kind of source is given twice."""
    given: dict[SourceKind, Source] = {}
    for source in sources:
        if source.kind in given:
            what = f"two sources of the kind {source.kind}: {given[source.kind].name} and {source.name}"
            raise UsageError(what, where="sources", hint="one source of each kind")
        given[source.kind] = source
    return [given[kind] for kind in SOURCES if kind in given]


def _align_floats(sources: Sequence[Source], orders: Orders, chance: Chance, contents: Contents) -> list[Spot]:
    pieces = [float_pieces(s) for s in sources]
    spots: list[Spot] = []
    for own in pieces:
        left = weave(spots, orders)
        right = weave([Spot((p,)) for p in own], orders)
        spots = linked(left, right, [Link((i,), (j,)) for i, j in pair_floats(left, right, chance, contents)])
    return spots
