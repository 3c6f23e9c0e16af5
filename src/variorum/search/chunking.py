"""A document cut into chunks for search: running text along sections and sentences, tables and figures by themselves.

A chunk of running text never crosses into another section, begins and ends with a sentence (unless one alone is longer than a
chunk may be), and repeats the end of the chunk before it, so that what a sentence refers to is found with it. Together the
chunks hold every word of the document but its running heads and feet. How long a chunk may be is counted in tokens of the
model that makes the vectors, since what is longer would be cut off there without a word.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from variorum.document import Document, Figure, SectionLabel, Table, TextComponent
from variorum.search.float_chunks import float_chunks, lone_captions
from variorum.search.model import Chunk, Span
from variorum.search.places import chunk_place
from variorum.search.sentences import sentence_spans
from variorum.search.tokens import MeasuredText, Tokenizer, shortened

CHUNKER: Final = "sections-1"
"""The name and version of these rules; an index made by others is refused."""
MAX_TOKENS: Final = 256
"""What the default model reads of a text; the rest it drops."""
OVERLAP_SHARE: Final = 8
"""An eighth of a chunk at most repeats the one before."""
CONTEXT_SHARE: Final = 8
"""An eighth of a chunk at most is the title and heading before it."""
SPECIAL_TOKENS: Final = 2
"""The marks of begin and end that a model of the BERT family puts around a text."""

_NOT_TEXT = ("furniture", "table", "figure", "citation")
_NOT_REPEATED = ("heading", "bibliography_entry")


@dataclass(frozen=True, slots=True)
class ChunkSizes:
    """How many tokens a chunk may have: in all, of its own text, of the context before it, and of overlap."""

    whole: int = MAX_TOKENS

    @property
    def context(self) -> int:
        """Tokens of title and heading at most."""
        return self.whole // CONTEXT_SHARE

    @property
    def text(self) -> int:
        """Tokens of the text itself at most."""
        return max(1, self.whole - SPECIAL_TOKENS - self.context)

    @property
    def overlap(self) -> int:
        """Tokens at most that repeat the end of the chunk before."""
        return self.text // OVERLAP_SHARE


def chunk_document(document: Document, tokenizer: Tokenizer, sizes: ChunkSizes | None = None) -> tuple[Chunk, ...]:
    """Return the chunks of a document: running text in reading order, then tables, then figures.

    Each chunk's `text` has at most ``sizes.text`` tokens and its `context` at most ``sizes.context``, both counted by the
    tokenizer. A document without text has none.
    """
    sizes = sizes or ChunkSizes()
    title = document.identity.title or next((c.text for c in document.components if c.kind == "title"), "")
    cutter = _Cutter(document, title, tokenizer, sizes)
    passages = [chunk for stretch in _stretches(document) for chunk in cutter.chunks(stretch)]
    return (*passages, *float_chunks(document, title, tokenizer, sizes.text, sizes.context))


@dataclass(frozen=True, slots=True)
class _Stretch:
    """Components that may share a chunk, the label of their section, and the heading that they stand under."""

    label: SectionLabel
    heading: str
    components: tuple[TextComponent, ...]


def _stretches(document: Document) -> Iterator[_Stretch]:
    """Yield the text by sections; a heading with nothing under it before the next stands with what follows."""
    held: list[TextComponent] = []
    for label, heading, components in _sections(document):
        own = [*held, *components]
        if all(c.kind == "heading" for c in own):
            held = own
            continue
        held = []
        yield _Stretch(label, heading, tuple(own))
    if held:
        yield _Stretch("unknown", "", tuple(held))


def _sections(document: Document) -> Iterator[tuple[SectionLabel, str, list[TextComponent]]]:
    """Yield for each section its label, its heading's text and its components that are text, in reading order."""
    floats: tuple[Table | Figure, ...] = (*document.tables, *document.figures)
    carried = {item.id for item in floats if item.caption is not None}
    apart = {c.id for c in document.components if c.kind == "caption" and c.target in carried}
    apart |= {lone.component.id for lone in lone_captions(document)}
    texts = [c for c in document.components if c.kind not in _NOT_TEXT and c.text.strip() and c.id not in apart]
    place = {c.id: i for i, c in enumerate(document.components)}
    by_id = {c.id: c for c in document.components}
    rest = texts
    for section in document.sections:
        last = place[section.last]
        inside = [c for c in rest if place[c.id] <= last]
        rest = rest[len(inside) :]
        if inside:
            yield section.label, by_id[section.heading].text if section.heading else "", inside
    if rest:
        yield "unknown", "", rest


@dataclass(slots=True)
class _Piece:
    """A stretch of a component's text that goes into a chunk whole, and its tokens."""

    component: TextComponent
    start: int
    end: int
    tokens: int
    is_repeated: bool = False

    @property
    def text(self) -> str:
        return self.component.text[self.start : self.end]


@dataclass(slots=True)
class _Cutter:
    document: Document
    title: str
    tokenizer: Tokenizer
    sizes: ChunkSizes
    _labels: dict[int, str | None] = field(init=False)

    def __post_init__(self) -> None:
        self._labels = {page.page_num: page.label for page in self.document.pages}

    def chunks(self, stretch: _Stretch) -> Iterator[Chunk]:
        """Yield the chunks of a stretch."""
        pieces = [piece for component in stretch.components for piece in self._pieces(component)]
        for group in self._packed(pieces):
            yield self._chunk(stretch, group)

    def _pieces(self, component: TextComponent) -> Iterator[_Piece]:
        """Yield the sentences of a component, or an entry of the references whole; what is too long for a chunk in parts."""
        measured = MeasuredText.of(component.text, self.tokenizer)
        is_entry = component.kind == "bibliography_entry"
        for start, end in [(0, len(component.text))] if is_entry else sentence_spans(component.text):
            while start < end:
                part = min(end, measured.reach(start, self.sizes.text))
                yield _Piece(component, start, part, measured.tokens(start, part))
                start = part

    def _packed(self, pieces: Iterable[_Piece]) -> Iterator[list[_Piece]]:
        """Yield the pieces in groups of at most the allowed tokens; each group begins with the end of the one before."""
        group: list[_Piece] = []
        room = self.sizes.text
        for piece in pieces:
            if group and piece.tokens > room:
                yield group
                group = self._repeated(group, piece)
                room = self.sizes.text - sum(p.tokens for p in group)
            group.append(piece)
            room -= piece.tokens
        if group:
            yield group

    def _repeated(self, group: Sequence[_Piece], following: _Piece) -> list[_Piece]:
        """Return the last sentences of a group that may stand again before what follows."""
        room = min(self.sizes.overlap, self.sizes.text - following.tokens)
        again: list[_Piece] = []
        for piece in reversed(group):
            room -= piece.tokens
            if room < 0 or piece.is_repeated or piece.component.kind in _NOT_REPEATED:
                break
            again.append(_Piece(piece.component, piece.start, piece.end, piece.tokens, is_repeated=True))
        return [] if len(again) == len(group) else again[::-1]

    def _chunk(self, stretch: _Stretch, group: Sequence[_Piece]) -> Chunk:
        text, spans = _joined(group)
        parts = {p.component.kind for p in group}
        above = [] if "title" in parts or not self.title else [self.title]
        above += [] if "heading" in parts or not stretch.heading else [stretch.heading]
        place = chunk_place(spans, {p.component.id: p.component for p in group})
        return Chunk(
            kind="passage",
            text=text,
            context=shortened("\n".join(above), self.sizes.context, self.tokenizer),
            section=stretch.label,
            heading=stretch.heading,
            page_num=place.page_num,
            page_end=place.page_end,
            page_label=self._labels.get(place.page_num or 0),
            bbox=place.bbox,
            spans=spans,
        )


def _joined(group: Sequence[_Piece]) -> tuple[str, tuple[Span, ...]]:
    """Return the text of the pieces, components on lines of their own, and where each stretch of a component stands in it."""
    text = ""
    spans: list[Span] = []
    for piece in group:
        last = spans[-1] if spans else None
        if last is not None and last.component == piece.component.id and last.end == piece.start:
            spans[-1] = Span(component=last.component, start=last.start, end=piece.end, at=last.at)
        else:
            text += "\n" if text and not text.endswith("\n") else ""
            spans.append(Span(component=piece.component.id, start=piece.start, end=piece.end, at=len(text)))
        text += piece.text
    return text, tuple(spans)
