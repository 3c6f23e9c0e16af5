"""The numbers that the pages print, where a source made from the TeX counts otherwise: of headings, tables and figures."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

from variorum.document import Figure, Table, TextComponent
from variorum.fusion.lenders import PLACED, Lenders, lent, paired
from variorum.fusion.model import Borrowed
from variorum.fusion.ordering import FROM_TEX
from variorum.fusion.pieces import fold

Float = TypeVar("Float", Table, Figure)


def with_printed_heading(
    component: TextComponent, index: int, count: int, lenders: Lenders
) -> tuple[TextComponent, Borrowed | None]:
    """Return a heading with the number that the pages print before the same words, where a source made from the TeX counts
    otherwise (``C`` for ``II-C``)."""
    own = component.number
    if component.kind != "heading" or not own or lenders.winner not in FROM_TEX or not component.text.startswith(own):
        return component, None
    title = component.text[len(own) :]
    for reading in lenders.from_sources(PLACED):
        for other in paired(lenders.texts(reading), index, count):
            printed = other.number or ""
            if other.kind == "heading" and printed and _letters(other.text.removeprefix(printed)) == _letters(title):
                found = replace(component, number=printed, text=printed + title)
                return (component, None) if printed == own else (found, lent("number", reading, printed))
    return component, None


def _letters(text: str) -> str:
    """Return the letters and digits of a text, folded."""
    return "".join(filter(str.isalnum, fold(text)))


def with_printed_number(
    item: Float, index: int, count: int, lenders: Lenders, borrowed: list[Borrowed]
) -> tuple[Float, list[Borrowed]]:
    """Return a float with the number that the pages print, where a source made from the TeX counts otherwise (``9`` for
    ``A.9``)."""
    if lenders.winner not in FROM_TEX:
        return item, borrowed
    for reading in lenders.from_sources(PLACED):
        for other in paired(lenders.floats(reading), index, count):
            if other.number is not None and other.number != item.number:
                caption = None if item.caption is None else replace(item.caption, number=other.number)
                kept: list[Borrowed] = [b for b in borrowed if b.attribute != "number"]
                return replace(item, number=other.number, caption=caption), [*kept, lent("number", reading, other.number)]
            if other.number is not None:
                return item, borrowed
    return item, borrowed
