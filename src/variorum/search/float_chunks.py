"""Tables and figures as entries of their own: caption, headers, cells row by row, notes, and the words around what names them.

A large table becomes several chunks; each begins with its caption and its headers again, so that a row found alone can be read.
A caption whose table or figure was not found is an entry too: what it describes is on that page.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from variorum.document import Caption, Document, Figure, SectionLabel, Table, TextComponent
from variorum.document.citing import contexts_naming, passages_citing
from variorum.document.flow import float_name, page_of
from variorum.search.model import Chunk, ChunkKind, Span
from variorum.search.tokens import MeasuredText, Tokenizer, shortened

_HEAD_SHARE: Final = 4
"""A quarter of a later chunk at most repeats the caption, another the headers."""
_BETWEEN_CELLS: Final = " | "
_NUMBERED: Final = re.compile(
    r"(?P<label>fig(?:ure)?|tab(?:le)?)s?\.?\s+(?P<number>(?:[A-Z]{1,2}[.-]?)?\d+(?:[.-]\d+)*[a-z]?|[IVXL]+)\b", re.IGNORECASE
)


def float_chunks(document: Document, title: str, tokenizer: Tokenizer, size: int, context: int) -> Iterator[Chunk]:
    """Yield the chunks of all tables, then those of all figures, in their order, with at most `size` tokens of text each.

    `context` are the tokens that the paper's title before it may have.
    """
    sections = _sections_of_floats(document)
    above = shortened(title, context, tokenizer)
    items: tuple[Table | Figure, ...] = (*document.tables, *document.figures)
    for item in items:
        entry = _entry(document, item)
        label, heading = sections.get(item.id, ("unknown", ""))
        page_num = page_of(item) or None
        for text in _pieces(entry, tokenizer, size):
            yield Chunk(
                kind=entry.kind,
                text=text,
                context=above,
                citing=entry.citing,
                section=label,
                heading=heading,
                page_num=page_num,
                page_end=max(item.page_nums(), default=page_num) if isinstance(item, Table) else page_num,
                page_label=_label_of(document, page_num),
                bbox=item.provenance.bbox,
                spans=_caption_span(document, item, text),
                target=item.id,
            )
    for caption in lone_captions(document):
        yield from _lone_chunks(document, caption, above, tokenizer, size)


@dataclass(frozen=True, slots=True)
class LoneCaption:
    """A caption whose table or figure was not found: its component, what it is a caption of, and the printed number."""

    component: TextComponent
    kind: Literal["table", "figure"]
    number: str


def lone_captions(document: Document) -> tuple[LoneCaption, ...]:
    """Return the captions that no table or figure of the document has, where they say what they are captions of."""
    floats: tuple[Table | Figure, ...] = (*document.tables, *document.figures)
    carried = {item.id for item in floats if item.caption is not None}
    found = []
    for component in document.components:
        match = _NUMBERED.match(component.text) if component.kind == "caption" else None
        if match is not None and component.target not in carried:
            kind: Literal["table", "figure"] = "table" if match["label"].casefold().startswith("tab") else "figure"
            found.append(LoneCaption(component, kind, match["number"].rstrip(".")))
    return tuple(found)


def passages_naming(document: Document, caption: LoneCaption) -> tuple[TextComponent, ...]:
    """Return the passages that name what a lone caption describes, in reading order."""
    named = passages_citing(document, f"{caption.kind} {caption.number}")
    return tuple(component for component in named if component.id != caption.component.id)


def _lone_chunks(document: Document, caption: LoneCaption, above: str, tokenizer: Tokenizer, size: int) -> Iterator[Chunk]:
    component = caption.component
    citing = "\n".join(passage.text for passage in passages_naming(document, caption))
    start = 0
    for text, _ in _fitting([component.text], tokenizer, size):
        yield Chunk(
            kind=caption.kind,
            text=text,
            context=above,
            citing=shortened(citing, size, tokenizer),
            page_num=component.provenance.page_num,
            page_end=component.provenance.page_num,
            page_label=_label_of(document, component.provenance.page_num),
            bbox=component.provenance.bbox,
            spans=(Span(component=component.id, start=start, end=start + len(text), at=0),),
            target=component.id,
        )
        start += len(text)


def _label_of(document: Document, page_num: int | None) -> str | None:
    return next((page.label for page in document.pages if page.page_num == page_num), None)


@dataclass(frozen=True, slots=True)
class _Entry:
    """What is said of a table or figure: the head, what columns are called, the lines under it, and the words that name it."""

    kind: ChunkKind
    head: str
    headers: str
    lines: tuple[str, ...]
    citing: str


def _entry(document: Document, item: Table | Figure) -> _Entry:
    head = item.caption.text if item.caption is not None else float_name(item)
    citing = "\n".join(dict.fromkeys(contexts_naming(document, item.id)))
    if isinstance(item, Figure):
        panels = " ".join(f"({panel.label})" for panel in item.panels if panel.label)
        return _Entry("figure", head, "", tuple(filter(None, (panels, *item.text.splitlines()))), citing)
    rows = [_BETWEEN_CELLS.join(filter(None, map(_one_line, row))) for row in item.matrix()]
    captions = [part.caption.text for part in item.parts if part.caption is not None and part.caption != item.caption]
    lines = tuple(filter(None, (*rows, *captions, *item.footnotes)))
    return _Entry("table", head, _BETWEEN_CELLS.join(filter(None, map(_one_line, item.headers()))), lines, citing)


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _pieces(entry: _Entry, tokenizer: Tokenizer, size: int) -> Iterator[str]:
    """Yield the text of the chunks: as many lines as fit, under the head."""
    again = [shortened(part, size // _HEAD_SHARE, tokenizer) for part in (entry.head, entry.headers) if part]
    room = max(1, size - sum(len(tokenizer.token_ends(part)) for part in again))
    lines: list[str] = []
    used = 0
    is_first = True
    head_room = size if len(tokenizer.token_ends(entry.head)) <= size else room
    for line, tokens in (*_fitting([entry.head], tokenizer, head_room), *_fitting(entry.lines, tokenizer, room)):
        if lines and used + tokens > (size if is_first else room):
            yield "\n".join(lines if is_first else [*again, *lines])
            lines, used, is_first = [], 0, False
        lines.append(line)
        used += tokens
    if lines:
        yield "\n".join(lines if is_first else [*again, *lines])


def _fitting(lines: Iterable[str], tokenizer: Tokenizer, room: int) -> Iterator[tuple[str, int]]:
    """Yield the lines with their tokens; one that is longer than there is room in parts that are not."""
    for line in lines:
        measured = MeasuredText.of(line, tokenizer)
        start = 0
        while start < len(line):
            end = measured.reach(start, room)
            yield line[start:end], measured.tokens(start, end)
            start = end


def _caption_span(document: Document, item: Table | Figure, text: str) -> tuple[Span, ...]:
    """Return how much of the caption's component stands at the beginning of the chunk."""
    caption: Caption | None = item.caption
    if caption is None:
        return ()
    component = next((c for c in document.components if c.kind == "caption" and c.target == item.id), None)
    if component is None or component.text != caption.text:
        return ()
    shared = _shared_beginning(component.text, text)
    return (Span(component=component.id, start=0, end=shared, at=0),) if shared else ()


def _shared_beginning(one: str, other: str) -> int:
    return next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def _sections_of_floats(document: Document) -> dict[str, tuple[SectionLabel, str]]:
    """Return for the id of each table and figure the label and heading of the section in which it is read."""
    texts = {c.id: c.text for c in document.components}
    ids: Sequence[str] = list(texts)
    place = {name: i for i, name in enumerate(ids)}
    found: dict[str, tuple[SectionLabel, str]] = {}
    for section in document.sections:
        for component in document.components[place[section.first] : place[section.last] + 1]:
            if component.target is not None and component.kind in ("table", "figure", "caption"):
                found.setdefault(component.target, (section.label, texts[section.heading] if section.heading else ""))
    return found
