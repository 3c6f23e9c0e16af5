"""Typed components of a paper, with provenance: what a reading of a document is made of.

All data is frozen. Pages are 1-based (`page_num`); boxes are PDF points of the page as displayed, origin top-left.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from variorum.document.apparatus import TableApparatus
from variorum.geometry import Box

ComponentKind = Literal[
    "title", "heading", "paragraph", "list_item", "equation", "figure", "table", "caption", "citation", "bibliography_entry", "furniture"
]
SCHEMA_VERSION = "1.0"


@dataclass(frozen=True, slots=True, kw_only=True)
class Provenance:
    """Where a component stands and who read it: source (``pdf``, ``ar5iv`` …), method, 1-based page, box, confidence in [0, 1] or None."""

    source: str
    method: str
    page_num: int | None = None
    bbox: Box | None = None
    confidence: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TextComponent:
    """A component that is text: title, heading (with its level from 1), paragraph, equation (with its number), caption …"""

    id: str
    kind: ComponentKind
    text: str
    provenance: Provenance
    level: int | None = None
    number: str | None = None
    target: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One cell of a grid: `row` and `col` from 0, its extent, its text, and the text as the PDF has it when a repair changed it.

    A spanning cell stands once, at its top-left position. `bbox` is where its text stands, None when it holds none.
    """

    row: int
    col: int
    text: str
    rowspan: int = 1
    colspan: int = 1
    is_header: bool = False
    raw_text: str | None = None
    bbox: Box | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Caption:
    """A caption: whole text, the printed label (``Table``) and number (``3``, ``A.1``, ``IV``) where they could be read, and its place."""

    text: str
    label: str
    number: str | None
    page_num: int
    bbox: Box


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A table as read: the cells of an `n_rows` × `n_cols` grid, caption, place, and the apparatus of the reading.

    Cells are in row-major order of their top-left position and do not overlap; positions covered by none are empty. The first
    `header_rows` rows are headers. `angle` is the direction of the text on the page in degrees (0, 90, 180, 270 counter-clockwise).
    """

    id: str
    n_rows: int
    n_cols: int
    cells: tuple[Cell, ...]
    provenance: Provenance
    number: str | None = None
    caption: Caption | None = None
    header_rows: int = 0
    footnotes: tuple[str, ...] = ()
    column_edges: tuple[float, ...] = ()
    row_edges: tuple[float, ...] = ()
    angle: int = 0
    apparatus: TableApparatus | None = None

    def matrix(self) -> list[list[str]]:
        """Return all rows as lists of text, header rows first; a spanning cell's text stands once, at its top-left position."""
        rows = [[""] * self.n_cols for _ in range(self.n_rows)]
        for cell in self.cells:
            rows[cell.row][cell.col] = cell.text
        return rows

    def filled_matrix(self) -> list[list[str]]:
        """Return all rows as lists of text where a spanning cell's text stands in every position it covers."""
        rows = [[""] * self.n_cols for _ in range(self.n_rows)]
        for cell in self.cells:
            for r in range(cell.row, cell.row + cell.rowspan):
                for c in range(cell.col, cell.col + cell.colspan):
                    rows[r][c] = cell.text
        return rows

    def headers(self) -> list[str]:
        """Return one header text per column: the header rows from top to bottom joined by a space, repeats dropped."""
        filled = self.filled_matrix()[: self.header_rows]
        return [" ".join(dict.fromkeys(row[c] for row in filled if row[c])) for c in range(self.n_cols)]

    def data_rows(self) -> list[list[str]]:
        """Return the rows below the headers, as in `matrix`."""
        return self.matrix()[self.header_rows :]


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """Something a reader must know: `severity` is ``info``, ``warning`` (something may be missing) or ``error`` (something was lost)."""

    severity: Literal["info", "warning", "error"]
    what: str
    page_num: int | None = None
    component: str | None = None
    traceback: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageInfo:
    """One page that was read: 1-based number, printed label where the PDF has one, width and height in points as displayed."""

    page_num: int
    width: float
    height: float
    label: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """One reading of one paper: its key, source file name and SHA-256, pages, components, tables and notices.

    `components` hold text in reading order; `tables` are ordered by page and position.
    """

    key: str
    source_name: str
    sha256: str
    page_count: int
    pages: tuple[PageInfo, ...]
    tables: tuple[Table, ...] = ()
    components: tuple[TextComponent, ...] = ()
    notices: tuple[Notice, ...] = ()
    config: dict[str, object] = field(default_factory=dict)
    software: str = ""

    def iter_captions(self) -> Iterator[Caption]:
        """Return the captions of the tables, in order."""
        return (t.caption for t in self.tables if t.caption is not None)
