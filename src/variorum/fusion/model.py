"""What a fusion of several sources consists of: positions, candidates with their scores, decisions, what was borrowed.

All data is frozen. A *position* is a place in the paper about which one or more sources say something; its *readings* are what
they say. Components are named by the ids that they have in the document of their source; ids of the fused document are named
as such. After ADR-002, confidence-weighted fusion.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from variorum.document import Document, Table

SourceKind = Literal["latex", "ar5iv", "docling", "pdf"]
SOURCES: Final[tuple[SourceKind, ...]] = ("latex", "ar5iv", "docling", "pdf")
"""All sources, in the order that decides ties and in which they are always worked through."""

ComponentType = Literal[
    "heading",
    "paragraph",
    "equation_display",
    "equation_inline",
    "table",
    "figure",
    "citation",
    "bibliography",
]
"""The rows of the confidence matrix. A title is a heading; bylines, items of lists, footnotes and code are paragraphs."""

Part = Literal["front", "flow", "float", "inline", "footnote", "bibliography"]
"""Which alignment a position comes from: title and authors, the text in order, tables and figures, what stands inside a text
(citations, inline equations), footnotes, references."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """One source of a fusion: its kind, the name and SHA-256 of what was given, and the document that was read from it."""

    kind: SourceKind
    name: str
    sha256: str
    document: Document


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What one source has at a position: its components, one or (where another source has them as one) several, in order.

    An inline item has no id of its own: `components` is then the one text it stands in, and `item` its index, from 0, in the
    document's `citations` or `inline_equations`.
    """

    source: SourceKind
    components: tuple[str, ...]
    item: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Position:
    """A place of the paper and what the sources say there; `readings` has at most one a source, in the order of `SOURCES`.

    `parent` is the id of the position in whose text an inline item stands. `similarity` in [0, 1] is that of the two least
    similar readings; 1 where there is only one.
    """

    id: str
    part: Part
    type: ComponentType
    readings: tuple[Reading, ...]
    parent: str | None = None
    similarity: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOver:
    """A component of a source that is no reading of the text at any position: which, its text, and why (it is furniture …).

    What only one source has is none of these: it has a position of its own, with that source's reading alone.
    """

    source: SourceKind
    component: str
    kind: str
    text: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """How well two sources were aligned: components of each, and how many of them share a position, for one type."""

    first: SourceKind
    second: SourceKind
    type: ComponentType
    of_first: int
    of_second: int
    shared_of_first: int
    shared_of_second: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Alignment:
    """All positions in the order of the paper, what was left over, and how well each pair of sources agrees.

    Inline positions follow that of the text they stand in. Every component of every source is in exactly one reading or is
    one left-over; a test holds that.
    """

    positions: tuple[Position, ...]
    left_overs: tuple[LeftOver, ...]
    agreements: tuple[Agreement, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Signal:
    """One sign of quality of a reading: its name, the factor in [0, 1] by which it lowers the confidence, and why."""

    name: str
    factor: float
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """One reading in the contest for a position.

    `weight` is what the tenant configures for source and type, None where it is ``—`` (the source never beats another there).
    `score` is the weight times the factors of all `signals`; None where the weight is. `text` is what it says, the TeX for an
    equation that has no text; `table` the table, without its own apparatus, where the position is one.
    """

    source: SourceKind
    components: tuple[str, ...]
    weight: float | None
    score: float | None
    text: str
    signals: tuple[Signal, ...] = ()
    table: Table | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Borrowed:
    """An attribute that the winner lacked and took from another reading of the same position: which, from whom, its value as
    text.

    `attribute`: ``place`` (page and box), ``number``, ``level``, ``tex``, ``text`` (of a formula or figure that has none),
    ``caption``, ``caption_place``, ``headers`` (the number of head rows), ``notes`` (of a table), ``panels``, ``key``,
    ``targets``; of a reference ``authors``, ``year``, ``title`` and ``identifier`` (DOI, arXiv number, URL); ``inline`` (an
    inline reading set into the text).
    """

    attribute: str
    source: SourceKind
    components: tuple[str, ...]
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What was decided at a position: the winner, all candidates from the highest score to the lowest, what was borrowed, why.

    `components` are the ids in the fused document (tables and figures by their own ids, inline items by the text they stand
    in). `is_sole` marks what only one source has. `reason` is one sentence. `item` is the index, from 0, of an inline item in
    the `citations` or `inline_equations` of the fused document; None where the fused text has no mark for it.
    """

    position: str
    part: Part
    type: ComponentType
    components: tuple[str, ...]
    winner: SourceKind
    candidates: tuple[Candidate, ...]
    reason: str
    borrowed: tuple[Borrowed, ...] = ()
    is_sole: bool = False
    item: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceRecord:
    """One source as the record of a fusion names it: kind, name and SHA-256 of the input, components, what read it."""

    kind: SourceKind
    name: str
    sha256: str
    n_components: int
    software: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Fusion:
    """The fused document with its apparatus: every decision in the order of the paper, what was left over, by which rules.

    `tenant` is the name of the configuration, `tenant_sha256` that of its canonical text, `matrix_version` the version that it
    states. Canonical JSON of it is what ``fusion.json`` holds, without the document.
    """

    document: Document
    decisions: tuple[Decision, ...]
    left_overs: tuple[LeftOver, ...]
    agreements: tuple[Agreement, ...]
    sources: tuple[SourceRecord, ...]
    tenant: str
    tenant_sha256: str
    matrix_version: str
    software: str
