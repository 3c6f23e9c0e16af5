"""The order of the paper: that of the first source, and what others have beside it after what they have before it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from variorum.document import Document
from variorum.fusion.likeness import Spot
from variorum.fusion.model import SourceKind


def reading_order(document: Document) -> list[str]:
    """Return the ids of a document's components as they are read, floats by their own ids where they stand in the text.

    Furniture and the captions of floats are left out; floats that stand nowhere come last.
    """
    order = []
    for component in document.components:
        if component.kind in ("table", "figure"):
            order.append(component.target or component.id)
        elif component.kind != "furniture" and not (component.kind == "caption" and component.target is not None):
            order.append(component.id)
    floats = [*(t.id for t in document.tables), *(f.id for f in document.figures)]
    return list(dict.fromkeys([*order, *floats]))


def weave(spots: Sequence[Spot], orders: Mapping[SourceKind, Sequence[str]]) -> list[Spot]:
    """Return the places in the order of the paper; `orders` has the reading order of each source, the leading one first.

    What a source has alone follows what that source has before it. Floats and footnotes that stand elsewhere in another source
    do not take along the text behind them.
    """
    place = {(p.source, name): i for i, spot in enumerate(spots) for p in spot.pieces for name in p.components}
    after: dict[int, int] = {}
    done: set[int] = set()
    for source, order in orders.items():
        cursor = -1
        own: set[int] = set()
        for name in order:
            index = place.get((source, name))
            if index is None or index in own:  # a place stands where its first component does
                continue
            own.add(index)
            if index not in done:
                after[index], after[cursor] = after.get(cursor, -1), index
                done.add(index)
                cursor = index
            elif spots[index].part not in ("float", "footnote"):
                cursor = index
    woven = []
    at = after.get(-1, -1)
    while at != -1:
        woven.append(spots[at])
        at = after.get(at, -1)
    return woven
