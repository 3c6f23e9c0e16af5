"""A table as a person verified it, in the form that comparisons read: header rows, data rows, spans, footnotes, place.

Readings of a table (`variorum.document.Table`, a candidate grid of the engine) are turned into the same form, so that a
comparison knows one kind of table only.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, Protocol

from variorum.document.model import Table
from variorum.errors import SchemaError
from variorum.geometry import Box
from variorum.suggestions import nearest_name_hint

Rows = tuple[tuple[str, ...], ...]


class Span(NamedTuple):
    """A cell larger than one position: its first row and column from 0 (the first header row is row 0), and its extent."""

    row: int
    col: int
    rowspan: int
    colspan: int


class GridCell(NamedTuple):
    """One cell of a grid: place from 0, extent, text."""

    row: int
    col: int
    rowspan: int
    colspan: int
    text: str


class CellLike(Protocol):
    """What a cell of any reading has."""

    @property
    def row(self) -> int: ...
    @property
    def col(self) -> int: ...
    @property
    def rowspan(self) -> int: ...
    @property
    def colspan(self) -> int: ...
    @property
    def text(self) -> str: ...


class GridLike(Protocol):
    """What any reading of a table has: a document's table and a candidate grid of the engine alike."""

    @property
    def n_rows(self) -> int: ...
    @property
    def n_cols(self) -> int: ...
    @property
    def cells(self) -> Sequence[CellLike]: ...
    @property
    def header_rows(self) -> int: ...
    @property
    def footnotes(self) -> tuple[str, ...]: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class TruthTable:
    """A table that is known: its header rows and data rows as they are printed, spanning cells, footnotes, caption, place.

    All rows have the same length. A spanning cell's text stands once, at its first position; `spans` count rows from the
    first header row. `footnotes` None: nothing is known of them. `page` counts from 1, 0 is unknown; `bbox` is in PDF points
    of the page as displayed, origin top-left. `paper` is the key or name of the paper, `number` the printed number (``3``,
    ``A.1``), empty where the table has none or it is not known.

    `has_headers` False: which rows are headers is not known, only guessed. `is_verbatim` False: the text comes from another
    source than the page (LaTeX, a competition's XML), so that white space, quotes, look-alike signs and wholly blank rows and
    columns decide nothing. Raises SchemaError with the path to what does not fit.
    """

    table_id: str
    rows: Rows
    header_rows: Rows = ()
    spans: tuple[Span, ...] = ()
    caption: str = ""
    footnotes: tuple[str, ...] | None = None
    page: int = 0
    bbox: Box | None = None
    paper: str = ""
    number: str = ""
    has_headers: bool = True
    is_verbatim: bool = True

    def __post_init__(self) -> None:
        where = self.table_id or "table"
        for at, cells in enumerate(self.all_rows):
            if len(cells) != self.n_cols:
                path = f"header_rows[{at}]" if at < len(self.header_rows) else f"rows[{at - len(self.header_rows)}]"
                what = f"has {len(cells)} cells, the first row {self.n_cols}"
                raise SchemaError(what, where=f"{where}.{path}", hint='"" for each blank or covered cell')
        taken: set[tuple[int, int]] = set()
        for at, (row, col, rowspan, colspan) in enumerate(self.spans):
            path = f"{where}.spans[{at}]"
            if min(row, col) < 0 or min(rowspan, colspan) < 1:
                raise SchemaError("a span is [row from 0, column from 0, rows from 1, columns from 1]", where=path)
            if row + rowspan > self.n_rows or col + colspan > self.n_cols:
                raise SchemaError(f"ends outside the grid of {self.n_rows} × {self.n_cols}", where=path)
            covered = {(r, c) for r in range(row, row + rowspan) for c in range(col, col + colspan)}
            if covered & taken:
                raise SchemaError("overlaps a span before it", where=path)
            taken |= covered

    @property
    def all_rows(self) -> Rows:
        """Return the header rows and the data rows."""
        return (*self.header_rows, *self.rows)

    @property
    def n_rows(self) -> int:
        """Return the number of rows, header rows included."""
        return len(self.header_rows) + len(self.rows)

    @property
    def n_cols(self) -> int:
        """Return the number of columns."""
        return len(self.all_rows[0]) if self.all_rows else 0

    @property
    def headers(self) -> tuple[str, ...]:
        """Return one text per column: the header rows from top to bottom joined by a space, spanning ones in each column."""
        filled = [list(row) for row in self.header_rows]
        for row, col, rowspan, colspan in self.spans:
            for r in range(row, min(row + rowspan, len(filled))):
                for c in range(col, col + colspan):
                    filled[r][c] = self.all_rows[row][col]
        return tuple(" ".join(dict.fromkeys(row[c] for row in filled if row[c])) for c in range(self.n_cols))

    def cells(self) -> tuple[GridCell, ...]:
        """Return every cell, blank ones too, in row-major order; a spanning cell once, and no cell where it covers one."""
        sizes = {(s.row, s.col): (s.rowspan, s.colspan) for s in self.spans}
        covered = {(r, c) for s in self.spans for r in range(s.row, s.row + s.rowspan) for c in range(s.col, s.col + s.colspan)}
        return tuple(
            GridCell(r, c, *sizes.get((r, c), (1, 1)), text)
            for r, row in enumerate(self.all_rows)
            for c, text in enumerate(row)
            if (r, c) in sizes or (r, c) not in covered
        )

    def with_header_count(self, count: int) -> TruthTable:
        """Return the same table where the first `count` rows (as many as there are) are the header rows."""
        rows = self.all_rows
        return replace(self, header_rows=rows[:count], rows=rows[count:])

    def without_blanks(self) -> TruthTable:
        """Return the table without the rows and columns in which no text stands, that of spanning cells included."""
        texts = [c for c in self.cells() if c.text.strip()]
        rows = sorted({r for c in texts for r in range(c.row, c.row + c.rowspan)})
        cols = sorted({k for c in texts for k in range(c.col, c.col + c.colspan)})
        row_at, col_at = {r: i for i, r in enumerate(rows)}, {k: i for i, k in enumerate(cols)}
        spans = [Span(row_at[c.row], col_at[c.col], c.rowspan, c.colspan) for c in texts if c.rowspan > 1 or c.colspan > 1]
        kept = tuple(tuple(self.all_rows[r][k] for k in cols) for r in rows)
        heads = sum(r < len(self.header_rows) for r in rows)
        return replace(self, header_rows=kept[:heads], rows=kept[heads:], spans=tuple(spans))

    def to_dict(self) -> dict[str, Any]:
        """Return the table as plain JSON data, which `from_dict` reads."""
        plain: dict[str, Any] = {
            "table_id": self.table_id,
            "paper": self.paper,
            "number": self.number,
            "caption": self.caption,
            "page": self.page,
            "bbox": None if self.bbox is None else list(self.bbox.as_tuple()),
            "header_rows": [list(row) for row in self.header_rows],
            "rows": [list(row) for row in self.rows],
            "spans": [list(span) for span in self.spans],
            "footnotes": None if self.footnotes is None else list(self.footnotes),
            "has_headers": self.has_headers,
            "is_verbatim": self.is_verbatim,
        }
        return plain

    @classmethod
    def from_dict(cls, data: object, where: str = "") -> TruthTable:
        """Return the table that the JSON data describes; raises SchemaError with `where` and the path to a fault.

        ``table_id`` and ``rows`` must be there. ``headers`` (one text per column) may stand for ``header_rows``.
        """
        return _from_dict(data, where)

    @classmethod
    def from_cells(
        cls, table_id: str, n_rows: int, n_cols: int, cells: Iterable[CellLike], header_rows: int = 0, **fields: Any
    ) -> TruthTable:
        """Return a table of the cells, each text at the first position of its cell; `fields` are those of the class."""
        rows = [[""] * n_cols for _ in range(n_rows)]
        spans = []
        for cell in cells:
            rows[cell.row][cell.col] = cell.text
            if cell.rowspan > 1 or cell.colspan > 1:
                spans.append(Span(cell.row, cell.col, cell.rowspan, cell.colspan))
        kept = tuple(map(tuple, rows))
        return cls(table_id=table_id, header_rows=kept[:header_rows], rows=kept[header_rows:], spans=tuple(spans), **fields)

    @classmethod
    def from_reading(cls, reading: GridLike, table_id: str = "") -> TruthTable:
        """Return what was read in the same form: of a `Table` with its id, caption and place, of a bare grid without."""
        fields: dict[str, Any] = {"footnotes": tuple(reading.footnotes)}
        if isinstance(reading, Table):
            table_id = table_id or reading.id
            fields["number"] = reading.number or ""
            fields["caption"] = reading.caption.text if reading.caption else ""
            fields["page"] = reading.provenance.page_num or 0
            fields["bbox"] = reading.provenance.bbox
        return cls.from_cells(table_id, reading.n_rows, reading.n_cols, reading.cells, reading.header_rows, **fields)


# ---- reading JSON data ------------------------------------------------------------------------------------------------

_KEYS = (
    "table_id",
    "paper",
    "number",
    "caption",
    "page",
    "bbox",
    "headers",
    "header_rows",
    "rows",
    "spans",
    "footnotes",
    "has_headers",
    "is_verbatim",
)


def _from_dict(data: object, where: str) -> TruthTable:
    if not isinstance(data, Mapping):
        raise SchemaError(f"a table must be an object, not {_kind(data)}", where=where or "table")
    for key in data:
        if key not in _KEYS:
            raise SchemaError(f"unknown key {key!r}", where=_at(where, str(key)), hint=nearest_name_hint(str(key), _KEYS))
    for key in ("table_id", "rows"):
        if key not in data:
            raise SchemaError(f"the key {key!r} is missing", where=_at(where, key))
    if "headers" in data and "header_rows" in data:
        raise SchemaError("stands beside header_rows", where=_at(where, "headers"), hint="one of the two")
    headers = _texts(data["headers"], _at(where, "headers")) if data.get("headers") else ()
    footnotes = data.get("footnotes")
    settings: dict[str, Any] = {
        "table_id": _value(data, "table_id", str, where, ""),
        "paper": _value(data, "paper", str, where, ""),
        "number": _value(data, "number", str, where, ""),
        "caption": _value(data, "caption", str, where, ""),
        "page": _value(data, "page", int, where, 0),
        "bbox": _box(data.get("bbox"), _at(where, "bbox")),
        "header_rows": (headers,) if headers else _rows(data.get("header_rows", []), _at(where, "header_rows")),
        "rows": _rows(data["rows"], _at(where, "rows")),
        "spans": _spans(data.get("spans", []), _at(where, "spans")),
        "footnotes": None if footnotes is None else _footnotes(footnotes, _at(where, "footnotes")),
        "has_headers": _value(data, "has_headers", bool, where, True),
        "is_verbatim": _value(data, "is_verbatim", bool, where, True),
    }
    try:
        return TruthTable(**settings)
    except SchemaError as error:
        path = error.where.removeprefix(f"{settings['table_id'] or 'table'}.")
        raise SchemaError(error.what, where=_at(where, path), hint=error.hint) from None


def _at(where: str, key: str) -> str:
    return f"{where}.{key}" if where else key


def _kind(value: object) -> str:
    names = {str: "text", bool: "true or false", int: "a whole number", float: "a number", list: "a list", dict: "an object"}
    return "null" if value is None else names.get(type(value), type(value).__name__)


def _value(data: Mapping[str, object], key: str, kind: type, where: str, instead: Any) -> Any:
    value = data.get(key, instead)
    if type(value) is not kind:
        raise SchemaError(f"must be {_kind(kind())}, not {_kind(value)}", where=_at(where, key))
    return value


def _list(value: object, where: str) -> list[object]:
    if not isinstance(value, list):
        raise SchemaError(f"must be a list, not {_kind(value)}", where=where)
    return value


def _texts(value: object, where: str) -> tuple[str, ...]:
    out = []
    for i, item in enumerate(_list(value, where)):
        if item is not None and not isinstance(item, str):
            raise SchemaError(f"a cell must be text or null, not {_kind(item)}", where=f"{where}[{i}]")
        out.append(item or "")
    return tuple(out)


def _rows(value: object, where: str) -> Rows:
    return tuple(_texts(row, f"{where}[{i}]") for i, row in enumerate(_list(value, where)))


def _spans(value: object, where: str) -> tuple[Span, ...]:
    spans = []
    for i, item in enumerate(_list(value, where)):
        numbers = _list(item, f"{where}[{i}]")
        if len(numbers) != len(Span._fields) or any(type(n) is not int for n in numbers):
            raise SchemaError("must be [row, col, rowspan, colspan], whole numbers", where=f"{where}[{i}]")
        spans.append(Span(*numbers))  # type: ignore[arg-type]
    return tuple(spans)


def _footnotes(value: object, where: str) -> tuple[str, ...]:
    """Return the notes: a list of texts, or one text."""
    return ((value,) if value else ()) if isinstance(value, str) else _texts(value, where)


def _box(value: object, where: str) -> Box | None:
    if value is None:
        return None
    numbers = _list(value, where)
    if any(type(n) not in (int, float) for n in numbers):
        raise SchemaError("must be four numbers: [x0, y0, x1, y1]", where=where)
    try:
        return Box.of(float(n) for n in numbers)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        raise SchemaError("must be four numbers: [x0, y0, x1, y1]", where=where) from None
