"""A document in the order in which it is read: its text components with the tables and figures where they belong.

Shared by the exporters that write a whole paper, so that no two of them disagree about the order.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from variorum.document.model import Document, Table, TextComponent
from variorum.document.paper_model import Figure

FlowItem = TextComponent | Table | Figure
LISTED: Final = ("list_item", "bibliography_entry")
"""Kinds of components of which one after the other makes a list."""

_NOT_BODY = ("furniture", "citation")
_ENDS_NOTES = ("heading", "bibliography_entry")
_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_ORDINAL = re.compile(r"[0-9]{1,9}[.)]")


def reading_flow(document: Document) -> Iterator[FlowItem]:
    """Return text components, tables and figures in reading order; each float stands once, with its caption.

    A float stands where a component of kind ``table`` or ``figure`` names it as `target`, else after the last text of its page;
    never between two items of one list, but behind it. Footnotes stand together at the end of the text below a heading, so that
    they cut no text in two. Left out: furniture, citations (their marks stand in the paragraphs already), and captions of
    floats that carry them.
    """
    return _lists_whole(_notes_behind(_in_place(document)))


def page_of(item: Table | Figure) -> int:
    """Return the 1-based page of a float, or of its caption; 0 where the source has no pages."""
    if item.provenance.page_num is not None:
        return item.provenance.page_num
    return (item.caption.page_num or 0) if item.caption is not None else 0


def float_name(item: Table | Figure) -> str:
    """Return what a float is called: its printed label and number, ``Figure 3``, else its kind and page."""
    kind = "Table" if isinstance(item, Table) else "Figure"
    if not item.number:
        return f"{kind} on page {page_of(item)}" if page_of(item) else kind
    return f"{(item.caption.label if item.caption is not None else '') or kind} {item.number}"


def equation_text(component: TextComponent) -> str:
    """Return the text of a display equation with its number in brackets behind it, once."""
    number = f"({component.number})" if component.number else ""
    text = component.text.rstrip()
    return text if not number or text.endswith(number) else f"{text} {number}"


def note_mark(component: TextComponent) -> str:
    """Return what stands in front of a footnote: its number as the text prints it, raised.

    Empty where its own text begins with it, for a note without one, and for what is no footnote.
    """
    number = (component.number or "").strip()
    if component.kind != "footnote" or not number:
        return ""
    raised = number.translate(_RAISED)
    return "" if component.text.lstrip().startswith((number, raised)) else raised


def list_mark(component: TextComponent) -> str:
    """Return what stands in front of an item of a list or an entry of the references: empty for a bullet or nothing, else the
    number or letter as printed (``2.``, ``(a)``, ``[12]``)."""
    mark = (component.number or "").strip()
    return mark if any(map(str.isalnum, mark)) else ""


def is_ordinal(mark: str) -> bool:
    """Return whether a mark is a number as a list counts them: ``2.`` or ``2)``."""
    return _ORDINAL.fullmatch(mark) is not None


def _in_place(document: Document) -> Iterator[FlowItem]:
    floats: list[Table | Figure] = [*document.tables, *document.figures]
    by_id = {item.id: item for item in floats}
    placed = {c.target for c in document.components if c.kind in ("table", "figure")}
    floating = sorted((item for item in floats if item.id not in placed), key=_position)
    captioned = {item.id for item in floats if item.caption is not None}
    written: set[str] = set()
    for component in document.components:
        if component.kind in _NOT_BODY:
            continue
        page_num = component.provenance.page_num
        while floating and page_num is not None and page_of(floating[0]) < page_num:
            yield floating.pop(0)
        if component.kind in ("table", "figure"):
            if component.target in by_id and component.target not in written:
                written.add(component.target)
                yield by_id[component.target]
        elif not (component.kind == "caption" and component.target in captioned):
            yield component
    yield from floating


def _position(item: Table | Figure) -> tuple[int, float]:
    return page_of(item), item.provenance.bbox.y0 if item.provenance.bbox is not None else 0.0


def _notes_behind(items: Iterable[FlowItem]) -> Iterator[FlowItem]:
    """Yield the items with the footnotes behind the rest of the text up to the next heading."""
    notes: list[FlowItem] = []
    for item in items:
        if isinstance(item, TextComponent) and item.kind == "footnote":
            notes.append(item)
            continue
        if isinstance(item, TextComponent) and item.kind in _ENDS_NOTES:
            yield from notes
            notes = []
        yield item
    yield from notes


def _lists_whole(items: Iterable[FlowItem]) -> Iterator[FlowItem]:
    """Yield the items with floats that stand between two items of one list behind the list."""
    held: list[FlowItem] = []
    listed = ""
    for item in items:
        kind = item.kind if isinstance(item, TextComponent) else ""
        if listed and not kind:
            held.append(item)
            continue
        if kind != listed:
            yield from held
            held = []
        listed = kind if kind in LISTED else ""
        yield item
    yield from held
