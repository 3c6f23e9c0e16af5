"""What stands in a float: captions, tabulars, pictures, labels and notes; apart where it has several captions of its own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from variorum.sources.latex_tables import TABULARS
from variorum.sources.latex_text import TextSetter, take
from variorum.sources.latex_tree import Item, Node, Reader, plain
from variorum.sources.latex_words import EQUATION_ROWS, GRAPHICS, ONE_EQUATION

_Event: TypeAlias = tuple[str, list[Item] | Node | str]
LABEL: Final = ("\\label",)
_SILENT: Final = TextSetter()
_RUNNING: Final = ("flushleft", "flushright", "center", "quote", "quotation", "justify")
"""Environments without arguments that hold running text: in a float without anything else in them, a note."""
_OF_FLOATS: Final = frozenset(
    {"\\caption", "\\captionof", "\\subfloat", "\\subfigure", "\\subcaptionbox", "\\subtable"}
    | {"\\label", "\\footnotetext", "\\tablefootnote", *GRAPHICS}
)


@dataclass(slots=True)
class FloatPart:
    """One captioned part of a float: captions with the kind that they name, tabulars, files, notes, labels, equations."""

    captions: list[tuple[str, list[Item]]] = field(default_factory=list)
    grids: list[Node] = field(default_factory=list)
    files: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)
    equations: list[Node] = field(default_factory=list)
    parts: list[tuple[list[Item], list[str]]] = field(default_factory=list)
    """The captions of the parts of a float, each with the labels of its part."""


def float_parts(node: Node, setter: TextSetter) -> list[FloatPart]:
    """Return what a float holds, apart where it has several captions of its own."""
    events = list(_events(node.children))
    captions = sum(1 for name, _ in events if name.startswith("caption"))
    if captions < 2:
        return [_part(events, setter)]
    kinds = [name for name, _ in events if name.startswith("caption") or name in ("grid", "file")]
    parts: list[list[_Event]] = [[]]
    if kinds[0].startswith("caption"):
        for event in events:
            if event[0].startswith("caption") and any(n.startswith("caption") for n, _ in parts[-1]):
                parts.append([])
            parts[-1].append(event)
    else:
        for event in events:
            has_caption = any(n.startswith("caption") for n, _ in parts[-1])
            if has_caption and event[0] in ("grid", "file", "caption") and event[0] != "label":
                parts.append([])
            parts[-1].append(event)
    return [_part(part, setter) for part in parts]


def _events(items: Sequence[Item]) -> Iterator[_Event]:
    """Yield captions, labels, tabulars, pictures and notes of a float in order."""
    reader = Reader(items)
    for item in reader:
        if isinstance(item, Node):
            if item.kind == "env" and item.name in TABULARS and item.name != "array":
                yield from _captions_inside(item)
                yield "grid", item
            elif item.kind == "display" and any(isinstance(i, Node) and i.name == "array" for i in item.children):
                for inner in item.children:
                    if isinstance(inner, Node) and inner.name == "array":
                        yield "grid", inner
            elif item.kind == "env" and item.name in (*ONE_EQUATION, *EQUATION_ROWS):
                yield "equation", item
            elif item.kind == "env" and item.name == "tablenotes":
                for note in _items_of(item):
                    yield "note", note
            elif item.kind == "env" and item.name in _RUNNING and _is_text(item.children):
                yield "note", item.children
            elif item.kind == "env" and item.name in ("subfigure", "subtable"):
                for event in _events(item.children):
                    if event[0].startswith("caption"):
                        yield "part", event[1]
                    elif event[0] == "label":
                        yield "part label", event[1]
                    else:
                        yield event
            elif item.kind in ("env", "group"):
                yield from _events(item.children)
        elif item == "\\caption":
            reader.star()
            reader.optional()
            yield "caption", list(reader.argument())
        elif item == "\\captionof":
            kind = plain(reader.argument())
            reader.optional()
            yield f"caption {kind}", list(reader.argument())
        elif item in ("\\subfloat", "\\subfigure", "\\subcaptionbox", "\\subtable"):
            if item == "\\subcaptionbox":
                yield "part", list(reader.argument())
            first, second = reader.optional(), reader.optional()
            caption = second if second is not None else first
            if caption:
                yield "part", list(caption)
            for event in _events(reader.argument()):
                yield ("part label", event[1]) if event[0] == "label" else event
        elif item == "\\label":
            yield "label", plain(reader.argument()).strip()
        elif item in GRAPHICS:
            reader.star()
            reader.optional(), reader.optional()
            yield "file", plain(reader.argument()).strip()
            if item == "\\plottwo":
                yield "file", plain(reader.argument()).strip()
        elif item in ("\\footnotetext", "\\tablefootnote"):
            reader.optional()
            yield "note", list(reader.argument())
        elif item in ("\\resizebox", "\\scalebox", "\\rotatebox", "\\adjustbox", "\\parbox", "\\raisebox"):
            spec = {
                "\\resizebox": "*mm",
                "\\scalebox": "mo",
                "\\rotatebox": "om",
                "\\adjustbox": "m",
                "\\parbox": "ooom",
                "\\raisebox": "moo",
            }
            take(reader, spec[item], _SILENT)


def _is_text(items: Sequence[Item]) -> bool:
    """Return whether items hold running text alone: no tabular, picture, caption, label or equation, however deep."""
    return all(
        (item.kind in ("group", "math") and _is_text(item.children)) if isinstance(item, Node) else item not in _OF_FLOATS
        for item in items
    )


def _part(events: Sequence[_Event], setter: TextSetter) -> FloatPart:
    unit = FloatPart()
    for name, value in events:
        if isinstance(value, Node):
            (unit.equations if name == "equation" else unit.grids).append(value)
        elif isinstance(value, str):
            if name == "part label" and unit.parts:
                unit.parts[-1][1].append(value)
            (unit.files if name == "file" else unit.labels).append(value)
        elif name == "part":
            unit.parts.append((value, []))
        elif name == "note":
            unit.notes.append(setter.text(value))
        else:
            unit.captions.append((name.removeprefix("caption").strip(), value))
    return unit


def _captions_inside(node: Node) -> Iterator[_Event]:
    """Yield caption and labels that stand inside a tabular (``longtable``, ``deluxetable``)."""
    reader = Reader(node.children)
    for item in reader:
        if item in ("\\caption", "\\tablecaption"):
            reader.star()
            reader.optional()
            inside = list(reader.argument())
            yield "caption table", inside
        elif item == "\\label":
            yield "label", plain(reader.argument()).strip()


def _items_of(node: Node) -> Iterator[list[Item]]:
    part: list[Item] | None = None
    reader = Reader(node.children)
    for item in reader:
        if item == "\\item":
            if part:
                yield part
            mark = reader.optional()
            part = [*(mark or []), " "]
        elif part is not None:
            part.append(item)
    if part:
        yield part


def labels_in(items: Sequence[Item]) -> list[str]:
    out: list[str] = []
    reader = Reader(items)
    for item in reader:
        if item == "\\label":
            out.append(plain(reader.argument()).strip())
        elif isinstance(item, Node):
            out += labels_in(item.children)
    return out


def without(items: Sequence[Item], commands: Sequence[str]) -> list[Item]:
    """Return the items without some commands and their argument."""
    out: list[Item] = []
    reader = Reader(items)
    for item in reader:
        if isinstance(item, str) and item in commands:
            reader.optional()
            reader.argument()
        elif isinstance(item, Node) and item.kind == "group":
            out.append(Node("group", "", without(item.children, commands)))
        else:
            out.append(item)
    return out
