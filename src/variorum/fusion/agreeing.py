"""How well each pair of sources was aligned: how many components of a type each has, how many stand at a common position."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import get_args

from variorum.fusion.model import Agreement, ComponentType, Position, Source, SourceKind
from variorum.fusion.pieces import TYPE_OF_KIND

_Counts = Counter[tuple[SourceKind, SourceKind | None, ComponentType]]


def agreements(sources: Sequence[Source], positions: Sequence[Position]) -> tuple[Agreement, ...]:
    """Return the agreement of each pair of sources, in their order, for each type that one of the two has.

    The type of a component is that of its own kind, whatever the position's.
    """
    types = {s.kind: _types(s) for s in sources}
    counts: _Counts = Counter()
    for position in positions:
        for reading in position.readings:
            others = [r.source for r in position.readings if r.source != reading.source]
            for name in reading.components:
                type_ = position.type if reading.item is not None else types[reading.source][name]
                counts.update((reading.source, other, type_) for other in (None, *others))
    return tuple(
        Agreement(
            first=one.kind,
            second=other.kind,
            type=type_,
            of_first=counts[one.kind, None, type_],
            of_second=counts[other.kind, None, type_],
            shared_of_first=counts[one.kind, other.kind, type_],
            shared_of_second=counts[other.kind, one.kind, type_],
        )
        for one, other in combinations(sources, 2)
        for type_ in get_args(ComponentType)
        if counts[one.kind, None, type_] or counts[other.kind, None, type_]
    )


def _types(source: Source) -> Mapping[str, ComponentType]:
    own: dict[str, ComponentType] = {c.id: TYPE_OF_KIND.get(c.kind, "paragraph") for c in source.document.components}
    own |= {t.id: "table" for t in source.document.tables}
    return own | {f.id: "figure" for f in source.document.figures}
