"""The shape of what the report of a fusion shows: decisions with their readings, and the figures about the whole."""

from __future__ import annotations

from typing import TypedDict

from variorum.fusion.model import ComponentType, SourceKind

SIGLA: dict[SourceKind, str] = {"latex": "L", "ar5iv": "A", "docling": "D", "pdf": "P"}
"""The letter that stands for a source, as a critical edition has for its witnesses."""
SOURCE_NAMES: dict[SourceKind, str] = {"latex": "LaTeX", "ar5iv": "HTML", "docling": "Docling", "pdf": "PDF"}
TYPES: tuple[ComponentType, ...] = (
    "heading",
    "paragraph",
    "equation_display",
    "equation_inline",
    "table",
    "figure",
    "citation",
    "bibliography",
)
TYPE_NAMES: dict[ComponentType, tuple[str, str]] = {
    "heading": ("heading", "headings"),
    "paragraph": ("paragraph", "paragraphs"),
    "equation_display": ("display equation", "display equations"),
    "equation_inline": ("inline equation", "inline equations"),
    "table": ("table", "tables"),
    "figure": ("figure", "figures"),
    "citation": ("citation", "citations"),
    "bibliography": ("reference", "references"),
}
FLAGS: dict[str, tuple[str, str]] = {
    "contested": ("contested", "the readings differ"),
    "lowered": ("lowered", "a signal lowered the score of a reading"),
    "turned": ("turned by signals", "without signals another reading would have won"),
    "borrowed": ("borrowed", "an attribute came from another source than the text"),
    "sole": ("sole", "only one source has it"),
}
"""What a decision can be filtered by: the name of each and what it means."""


class CellView(TypedDict):
    """One cell of a reading that is a table; `differs` where the winner, or for the winner any other, says something else."""

    row: int
    col: int
    rowspan: int
    colspan: int
    text: str
    is_header: bool
    differs: bool


class TableView(TypedDict):
    """A reading that is a table: its shape, caption and cells."""

    n_rows: int
    n_cols: int
    caption: str
    cells: list[CellView]


class ReadingView(TypedDict):
    """One reading: who, its weight (None for ``—``), signals as (name, factor, reason), score, its text and what differs.

    `marks` are (start, end, sigla) of the text: of the winner, words that the sources with these sigla have not; of another,
    words that the winner has not (no sigla). `gaps` are (place, words) that the winner has and this reading has not. `is_same`
    says that the text is that of the winner to the word, and `text` is then empty.
    """

    siglum: str
    weight: float | None
    signals: list[tuple[str, float, str]]
    score: float | None
    components: list[str]
    text: str
    is_same: bool
    marks: list[tuple[int, int, str]]
    gaps: list[tuple[int, str]]
    table: TableView | None


class DecisionView(TypedDict):
    """One decision: what about, who won, the readings from the highest score to the lowest, why, and what was borrowed as
    (attribute, siglum, value).

    `inside` are the numbers of the decisions on what stands in this text. `span` is (start, end) of an inline item in the text
    of its component.
    """

    position: str
    type: ComponentType
    winner: str
    flags: list[str]
    readings: list[ReadingView]
    reason: str
    borrowed: list[tuple[str, str, str]]
    inside: list[int]
    components: list[str]
    span: tuple[int, int] | None


class SourceView(TypedDict):
    """One source: its siglum, kind, file, SHA-256, number of components, software."""

    siglum: str
    kind: str
    name: str
    sha256: str
    n_components: int
    software: str


class LeftOverView(TypedDict):
    """What a source has and no position: its siglum, id and kind there, text, and why."""

    siglum: str
    component: str
    kind: str
    text: str
    reason: str
