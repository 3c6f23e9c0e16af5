"""What a winner's text is in the fused document, where the sources do not agree on its kind: what its position is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from variorum.document import TextComponent
from variorum.fusion.lenders import Lenders
from variorum.fusion.model import Position

_HEADS: Final = ("title", "heading")


def of_kind(component: TextComponent, position: Position, count: int, lenders: Lenders) -> TextComponent:
    """Return the winner's component, one of `count`, as the kind of its position.

    A heading at the place of a paragraph is a paragraph: the others have its words within their text. A sole text at the place
    of a heading or of the title is one, with the level and number of the first of the sources that has it as such. Nothing else
    is changed.
    """
    if position.type == "paragraph" and component.kind == "heading":
        return replace(component, kind="paragraph", level=None, number=None)
    if position.type == "heading" and count == 1 and component.kind not in _HEADS:
        head = next(iter(_heads(position, lenders)), None)
        if head is not None:
            number = head.number if head.number and component.text.startswith(head.number) else None
            return replace(component, kind=head.kind, level=head.level, number=number)
    return component


def _heads(position: Position, lenders: Lenders) -> Sequence[TextComponent]:
    """Return what the sources have as title or heading at a position, in their order."""
    return [c for reading in position.readings for c in lenders.texts(reading) if c.kind in _HEADS]
