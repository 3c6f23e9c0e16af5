"""Typed components of a paper, with provenance: what a reading of a document is made of.

All data is frozen. Pages are 1-based (`page_num`); boxes are PDF points of the page as displayed, origin top-left.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from variorum.document.apparatus import TableApparatus
from variorum.document.paper_model import (
    BibliographyEntry,
    Citation,
    Completeness,
    Figure,
    HeadingDecision,
    InlineEquation,
    Mention,
    PaperIdentity,
    Section,
)
from variorum.document.placing import Caption, Place, Provenance
from variorum.geometry import Box

if TYPE_CHECKING:
    import pandas as pd
    from docling_core.types.doc.document import DoclingDocument

ComponentKind = Literal[
    "title",
    "heading",
    "paragraph",
    "list_item",
    "equation",
    "figure",
    "table",
    "caption",
    "citation",
    "bibliography_entry",
    "furniture",
    "byline",
    "footnote",
    "code",
]
SCHEMA_VERSION = "1.4"


@dataclass(frozen=True, slots=True, kw_only=True)
class TextComponent:
    """A component that is text: title, heading (with its level from 1), paragraph, equation (with its number), caption …

    A component of kind ``table`` or ``figure`` marks where the float that its `target` names stands in the flow of the text.
    The box of the provenance is that of the first piece; text that goes on in the next column or on the next page has all
    its `places` in reading order (empty for text in one place). `note` says what cannot be seen from the text: of
    furniture, the evidence that it is none of the body. `tex` is the TeX of an equation, without its number, where the source
    has it; its `text` is what a person reads.
    """

    id: str
    kind: ComponentKind
    text: str
    provenance: Provenance
    level: int | None = None
    number: str | None = None
    target: str | None = None
    places: tuple[Place, ...] = ()
    note: str = ""
    tex: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One cell of a grid: `row` and `col` from 0, its extent, its text, and the text of the PDF where a repair changed it.

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
class DroppedRow:
    """A row that was read in a part of a table and is no row of the whole: where it stood in the part's own grid (from 0), its
    text, and why: it repeats the head (``repeated_head``), or says that the table goes on (``note``)."""

    row: int
    reason: Literal["repeated_head", "note"]
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TablePart:
    """One part of a table that goes on in the next column or on the next page, as it was read there.

    The rows of the whole table from `first_row` on, `n_rows` of them, stand on page `page_num` (from 1) in the box `bbox`
    (points of the page as displayed). `column_edges`, `row_edges` and `apparatus` are those of the part's own grid, which has
    the `dropped` rows as well. `method` is the ``structure:cell`` that read it.
    """

    id: str
    page_num: int
    bbox: Box | None
    first_row: int
    n_rows: int
    method: str
    dropped: tuple[DroppedRow, ...] = ()
    caption: Caption | None = None
    column_edges: tuple[float, ...] = ()
    row_edges: tuple[float, ...] = ()
    apparatus: TableApparatus | None = None

    def own_rows(self) -> list[int]:
        """Return for each row of the whole that stands here its index in the part's own grid, from top to bottom."""
        gone = {d.row for d in self.dropped}
        return [r for r in range(self.n_rows + len(gone)) if r not in gone]


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A table as read: the cells of an `n_rows` × `n_cols` grid, caption, place, and the apparatus of the reading.

    Cells are in row-major order of their top-left position and do not overlap; positions covered by none are empty. The first
    `header_rows` rows are headers. `angle` is the direction of the text on the page in degrees (0, 90, 180, 270
    counter-clockwise).

    A table that goes on over columns or pages has all its rows, and its `parts` in reading order. Its id, caption, page and box
    are those of the first part; edges and apparatus stand in the parts, each its own, and are empty here. A table in one place
    has no parts.

    `artifact` says that the table is none of the paper's data: ``contents_list``, ``article_info``, ``figure_data``; it is None
    for a table proper.
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
    parts: tuple[TablePart, ...] = ()
    artifact: str | None = None

    def part_at(self, row: int) -> TablePart | None:
        """Return the part in which a row of the table stands; None for a table in one place.

        A cell never reaches over two parts: that of its row says on which page its box is.
        """
        return next((p for p in self.parts if p.first_row <= row < p.first_row + p.n_rows), None)

    def apparatuses(self) -> tuple[TableApparatus, ...]:
        """Return what was said of the table, an apparatus a part in their order; none where it was taken without a vote."""
        every = [p.apparatus for p in self.parts] if self.parts else [self.apparatus]
        return tuple(a for a in every if a is not None)

    def page_nums(self) -> tuple[int, ...]:
        """Return the pages, from 1, on which the table stands, in order; none where its source has no pages."""
        own = () if self.provenance.page_num is None else (self.provenance.page_num,)
        return tuple(dict.fromkeys(p.page_num for p in self.parts)) or own

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

    def to_markdown(self) -> str:
        """Return caption, table and footnotes as Markdown; `variorum.document.export_markdown` says what becomes of spans."""
        from variorum.document.export_markdown import table_to_markdown

        return table_to_markdown(self)

    def to_html(self, *, standalone: bool = False) -> str:
        """Return the table as a ``<table>`` element with spans, header scopes, caption and footnotes; standalone, as a page."""
        from variorum.document.export_html import table_to_html, table_to_page

        return table_to_page(self) if standalone else table_to_html(self)

    def to_csv(self, path: str | os.PathLike[str] | None = None) -> str:
        """Return all rows as CSV, header rows first; with a path, also write them there in UTF-8.

        Raises OutputError when the file cannot be written.
        """
        from variorum.document.export_csv import table_to_csv

        return table_to_csv(self, path)

    def to_xlsx(self, path: str | os.PathLike[str] | None = None) -> bytes:
        """Return a workbook of one sheet; with a path, also write it there. The same table gives the same bytes.

        Raises OutputError when the file cannot be written.
        """
        from variorum.document.export_xlsx import tables_to_xlsx

        return tables_to_xlsx([self], path)

    def to_dataframe(self) -> pd.DataFrame:
        """Return the data rows as a DataFrame of strings, shape (n_rows - header_rows, n_cols).

        The header rows are its columns. Columns are a RangeIndex without header rows, a MultiIndex for several.
        """
        from variorum.document.dataframe import table_to_dataframe

        return table_to_dataframe(self)

    def explain(self, divider: str | None = None) -> str:
        """Return in sentences who voted for every divider (or the one named, ``c3``) and why this grid won, part by part.

        Raises UsageError that lists the ids when there is no such divider.
        """
        from variorum.document.explain import explain_table

        return explain_table(self, divider)


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """Something a reader must know.

    `severity` is ``info``, ``warning`` (something may be missing) or ``error`` (something was lost).
    """

    severity: Literal["info", "warning", "error"]
    what: str
    page_num: int | None = None
    component: str | None = None
    traceback: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageInfo:
    """One page that was read: 1-based number, width and height in points as displayed, and its label.

    The label is the number that the page prints (``xii``, ``1162``), else the one that the PDF gives it, else None.
    """

    page_num: int
    width: float
    height: float
    label: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """One reading of one paper: its key, source file name and SHA-256, pages, components, tables and notices.

    `components` hold text in reading order; `tables` and `figures` are ordered by page and position, and each has its own id.
    `incomplete` says what was left out because it gave no answer in time: with another load of the machine the document
    might differ.
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
    incomplete: tuple[str, ...] = ()
    figures: tuple[Figure, ...] = ()
    identity: PaperIdentity = field(default_factory=PaperIdentity)
    sections: tuple[Section, ...] = ()
    headings: tuple[HeadingDecision, ...] = ()
    bibliography: tuple[BibliographyEntry, ...] = ()
    citations: tuple[Citation, ...] = ()
    inline_equations: tuple[InlineEquation, ...] = ()
    mentions: tuple[Mention, ...] = ()
    completeness: Completeness | None = None

    def iter_captions(self) -> Iterator[Caption]:
        """Return the captions of the tables, in order; one that several tables share stands once."""
        return iter(dict.fromkeys(t.caption for t in self.tables if t.caption is not None))

    def find_table(self, wanted: str | int) -> Table:
        """Return the table with this printed number (``2``, ``A.1``, ``Table IV``) or at this position from 1 (``#3``).

        Raises UsageError that lists the choices when none or several tables fit.
        """
        from variorum.document.selecting import find_table

        return find_table(self, wanted)

    def passages_citing(self, target: str) -> tuple[TextComponent, ...]:
        """Return the components whose text names the target, in reading order: an id, or a name (``Table 3``, ``Figure A.1``).

        Raises UsageError when the target is neither.
        """
        from variorum.document.citing import passages_citing

        return passages_citing(self, target)

    def to_json(self) -> str:
        """Return the document as canonical JSON text, which `from_json` reads; numbers have at most 4 digits after the point.

        Raises SchemaError when the document contradicts itself or holds a number that is not finite.
        """
        from variorum.document.json_io import to_json

        return to_json(self)

    @classmethod
    def from_json(cls, text: str) -> Document:
        """Return the document that the JSON text describes; raises SchemaError with the path to a fault."""
        from variorum.document.json_io import from_json

        return from_json(text)

    def to_markdown(self, pictures: Mapping[str, str] | None = None) -> str:
        """Return the paper as Markdown in reading order, tables and figures where they belong, footnotes below their section.

        `pictures` are links to the pictures of figures, by the figures' ids.
        """
        from variorum.document.export_markdown import document_to_markdown

        return document_to_markdown(self, pictures)

    def to_html(self, pictures: Mapping[str, str] | None = None) -> str:
        """Return the paper as one HTML page in reading order, in which citations and mentions are links.

        `pictures` are links to the pictures of figures, by the figures' ids; without them the page needs no other file.
        """
        from variorum.document.export_html import document_to_html

        return document_to_html(self, pictures)

    def to_docling(self) -> DoclingDocument:
        """Return the paper as a DoclingDocument of ``docling-core``, for the chunkers and serializers made for such documents.

        Raises UsageError when the package is not installed (``pip install 'variorum[docling]'``).
        """
        from variorum.document.export_docling import document_to_docling

        return document_to_docling(self)

    def to_xlsx(self, path: str | os.PathLike[str] | None = None) -> bytes:
        """Return a workbook with a sheet a table; with a path, also write it there. The same document gives the same bytes.

        Raises OutputError when the file cannot be written.
        """
        from variorum.document.export_xlsx import tables_to_xlsx

        return tables_to_xlsx(self.tables, path)

    def to_referee(self) -> dict[str, object]:
        """Return tables and text in the form that outside scorers read: ``{"tables": [...], "document": {...}}``."""
        from variorum.document.referee import to_referee

        return to_referee(self)
