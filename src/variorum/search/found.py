"""What a search gives back: papers with their hits, each with all that is needed to cite it and to open it.

All data is frozen. `as_data` makes JSON of any of it. References of documents and chunks are made of the SHA-256 of the PDF, so
that they mean the same in every index of the same papers: ``53aa51172d14:12`` is the chunk 12 of a document.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass
from typing import Any, Literal

from variorum.document import ComponentKind, SectionLabel
from variorum.geometry import Box
from variorum.search.model import ChunkKind, Span
from variorum.search.ranking import Reasons

Mode = Literal["hybrid", "words", "vectors"]


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundItem:
    """An item of a library that holds what was found. `reference` is library and key; `link` shows it in Zotero.

    `path` is that of a file in a folder of PDFs, relative to the folder; None for an item of Zotero.
    """

    reference: str
    in_library: str
    key: str
    item_type: str
    title: str
    creators: tuple[str, ...]
    year: int | None
    publication: str
    doi: str
    citation_key: str | None
    retraction: str | None
    link: str | None
    path: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A chunk that was found, or that stands beside one.

    `chunk` and `document` are references; `page_num` counts the pages of the file from 1 and is what `link` opens, `page_label`
    is what the page prints and what a citation needs. `spans` lead to the components of the document. `target` is the id of a
    table or figure, `number` its printed number. `document` is None for what a library says of an item.
    """

    chunk: str
    document: str | None
    kind: ChunkKind
    text: str
    section: SectionLabel
    heading: str
    page_num: int | None
    page_end: int | None
    page_label: str | None
    bbox: Box | None
    spans: tuple[Span, ...]
    target: str | None
    number: str | None
    link: str | None
    score: float
    reasons: Reasons | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CitingPassage:
    """A component of a document that names something: its id, kind and text, its page (from 1, and as printed), and a link."""

    component: str
    kind: ComponentKind
    text: str
    page_num: int | None
    page_label: str | None
    link: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundPaper:
    """A paper with its hits, best first. `items` are the items that hold it and pass the filters, one a copy.

    `title` is that of the first item; of a file in a folder, whose item is called by its name, that which the paper prints.
    """

    title: str
    items: tuple[FoundItem, ...]
    score: float
    hits: tuple[Hit, ...]

    @property
    def item(self) -> FoundItem:
        """The first of the items."""
        return self.items[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """The answer to a search.

    `papers` stand best first; `mode` says by what they were found. `more` says that there were others beyond the limit.
    `notices` say what a reader must know: that there are no vectors, that a filter's value does not exist.
    """

    question: str
    mode: Mode
    papers: tuple[FoundPaper, ...]
    more: bool
    notices: tuple[str, ...] = ()

    @property
    def hits(self) -> tuple[Hit, ...]:
        """All hits, best first, whatever their paper."""
        return tuple(sorted((hit for paper in self.papers for hit in paper.hits), key=lambda hit: -hit.score))


def as_data(value: Any) -> Any:
    """Return a value of this module as JSON values: objects by field, boxes as four numbers, with scores to 6 digits."""
    if isinstance(value, Box):
        return list(value.as_tuple())
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: as_data(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Mapping):
        return {key: as_data(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [as_data(each) for each in value]
    return round(value, 6) if isinstance(value, float) else value
