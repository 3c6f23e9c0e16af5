"""The cells of tables: ``tabular`` and its kin, ``array``, ``longtable``, ``deluxetable``.

Rows end at ``\\\\``, cells at ``&``, but not inside braces. A cell over columns (``\\multicolumn``) or rows (``\\multirow``)
stands once with its extent. Rows above the first rule between rows are headers. A nested tabular is the text of its cell.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from variorum.document.model import Cell
from variorum.errors import DamagedInputError
from variorum.layout.whole_numbers import whole_number
from variorum.sources.latex_text import TextSetter, is_length, take
from variorum.sources.latex_tree import Item, Node, Reader, plain
from variorum.thresholds import MAX_SOURCE_POSITIONS

TABULARS: Final = frozenset(
    [
        "tabular",
        "tabular*",
        "tabularx",
        "tabulary",
        "longtable",
        "longtable*",
        "supertabular",
        "xltabular",
        "tblr",
        "deluxetable",
        "deluxetable*",
        "longrotatetable",
        "array",
        "longtabu",
        "tabu",
        "NiceTabular",
    ]
)
DELUXE: Final = ("deluxetable", "deluxetable*")
_ARGUMENTS: Final = {
    "tabular*": "mo",
    "tabularx": "mo",
    "tabulary": "mo",
    "xltabular": "omo",
    "longtable": "o",
    "longtable*": "o",
    "tabu": "",
}
_ROW_ENDS: Final = ("\\\\", "\\tabularnewline", "\\cr", "\\tablebreak")
_RULES: Final = ("\\hline", "\\midrule", "\\toprule", "\\bottomrule", "\\Xhline", "\\hhline", "\\firsthline", "\\lasthline")
_PART_RULES: Final = ("\\cline", "\\cmidrule")
_RULE_ARGUMENTS: Final = {
    "\\cline": "m",
    "\\cmidrule": "o(m",
    "\\Xhline": "m",
    "\\hhline": "m",
    "\\midrule": "o",
    "\\toprule": "o",
    "\\bottomrule": "o",
}


@dataclass(slots=True)
class _RawCell:
    items: list[Item]
    colspan: int = 1


@dataclass(slots=True)
class _Row:
    cells: list[_RawCell] = field(default_factory=list)
    rule_above: bool = False
    is_header: bool = False


@dataclass(frozen=True, slots=True)
class Grid:
    """The cells of one tabular: size, cells in row-major order, number of header rows, and notes below it."""

    n_rows: int
    n_cols: int
    cells: tuple[Cell, ...]
    header_rows: int
    notes: tuple[str, ...] = ()


def read_tabular(node: Node, setter: TextSetter, where: str) -> Grid | None:
    """Return the grid of a tabular environment, None when it holds no text.

    Raises DamagedInputError when its spans ask for more cells than the limit.
    """
    reader = Reader(node.children)
    take(reader, _ARGUMENTS.get(node.name, ""), setter)
    reader.optional()
    columns = _columns(reader.group() or [])
    if node.name in DELUXE:
        rows, notes = _deluxe_rows(list(reader), setter)
    else:
        rows, notes = _rows(list(reader)), []
    grid = _grid(rows, columns, setter, where)
    if grid is None:
        return None
    return Grid(grid.n_rows, grid.n_cols, grid.cells, grid.header_rows, tuple(notes))


def columns_of(spec: Sequence[Item]) -> int:
    """Return the number of columns of a column specification (``l|*{3}{c}@{}p{2cm}``)."""
    return len(_columns(spec))


def _columns(spec: Sequence[Item]) -> list[tuple[list[Item], list[Item]]]:
    """Return for each column what its specification puts before and behind each of its cells."""
    out: list[tuple[list[Item], list[Item]]] = []
    before: list[Item] = []
    reader = Reader(spec)
    for item in reader:
        if isinstance(item, Node):
            continue
        if item == "*":
            count = re.search(r"\d+", plain(reader.argument()))
            inner = _columns(reader.argument())
            times = whole_number(count[0]) if count else 0
            if times is None or times * len(inner) > MAX_SOURCE_POSITIONS:
                times = 0
            out += inner * times
        elif item == ">":
            before = reader.argument()
        elif item == "<":
            behind = reader.argument()
            if out:
                out[-1] = (out[-1][0], behind)
        elif item in "@!":
            inside = reader.argument()
            between = [i for i in inside if not (isinstance(i, str) and (i[0] == "\\" or i.isspace()))]
            if (
                between
                and out
                and not any(isinstance(i, str) and i in ("\\extracolsep", "\\hspace", "\\hskip") for i in inside)
            ):
                out[-1] = (out[-1][0], [*out[-1][1], *inside])
        elif item in "lcrXLCRJSDYZdN" or (item.isalpha() and len(item) == 1 and item not in "pmbwWs"):
            out.append((before, []))
            before = []
            if item in "SDd" or isinstance(reader.peek(), Node):
                reader.optional()
                reader.group()
                if item == "D":
                    reader.group(), reader.group()
        elif item in "pmbwW":
            reader.group()
            if item in "wW":
                reader.group()
            out.append((before, []))
            before = []
    return out


def _rows(items: Sequence[Item]) -> list[_Row]:
    """Return the rows, those that a long table repeats on each page once."""
    parts: dict[str, list[_Row]] = {}
    rows: list[_Row] = []
    row = _Row(cells=[_RawCell([])])
    is_rule = False

    def end_row() -> None:
        nonlocal row, is_rule
        if any(not _is_blank(c.items) for c in row.cells) or len(row.cells) > 1:
            row.rule_above = is_rule
            is_rule = False
            rows.append(row)
        row = _Row(cells=[_RawCell([])])

    reader = Reader(items)
    for item in reader:
        if isinstance(item, Node):
            row.cells[-1].items.append(item)
        elif item == "&":
            row.cells.append(_RawCell([]))
        elif item in _ROW_ENDS:
            reader.star()
            if is_length(reader):
                reader.optional()
            end_row()
        elif item in _RULES or item in _PART_RULES:
            take(reader, _RULE_ARGUMENTS.get(item, ""), TextSetter())
            if item not in _PART_RULES and all(_is_blank(c.items) for c in row.cells):
                is_rule = is_rule or bool(rows)
        elif item in ("\\endhead", "\\endfirsthead", "\\endfoot", "\\endlastfoot"):
            end_row()
            parts[item] = rows
            rows, is_rule = [], False
        elif item == "\\multicolumn" and _is_blank(row.cells[-1].items):
            count = re.search(r"\d+", plain(reader.argument()))
            reader.argument()
            row.cells[-1] = _RawCell(list(reader.argument()), max(1, int(count[0][:_DIGITS])) if count else 1)
        elif item in ("\\caption", "\\label", "\\tablecaption", "\\captionof"):
            reader.star()
            reader.optional()
            if item == "\\captionof":
                reader.argument()
            reader.argument()
        elif item in ("\\noalign", "\\morecmidrules", "\\rowcolor"):
            take(reader, {"\\noalign": "m", "\\rowcolor": "omoo"}.get(item, ""), TextSetter())
        else:
            row.cells[-1].items.append(item)
    end_row()
    head = parts.get("\\endfirsthead", parts.get("\\endhead", []))
    for each in head:
        each.is_header = True
    if rows and head:
        rows[0].rule_above = True
    return [*head, *rows, *parts.get("\\endlastfoot", [])]


_DIGITS: Final = len(str(MAX_SOURCE_POSITIONS))


def _deluxe_rows(items: Sequence[Item], setter: TextSetter) -> tuple[list[_Row], list[str]]:
    """Return rows and notes of a ``deluxetable``: the head stands in ``\\tablehead``, the rows behind ``\\startdata``."""
    reader = Reader(items)
    head: list[_Row] = []
    notes: list[str] = []
    body: list[Item] = []
    is_body = False
    for item in reader:
        if item == "\\tablehead":
            head = _rows(reader.argument())
        elif item == "\\startdata":
            is_body = True
        elif item == "\\enddata":
            is_body = False
        elif item in ("\\tablecomments", "\\tablerefs"):
            notes.append(setter.text(reader.argument()))
        elif item == "\\tablenotetext":
            mark, text = setter.flat_text(reader.argument()), setter.text(reader.argument())
            notes.append(f"{mark} {text}")
        elif is_body:
            body.append(item)
    for row in head:
        row.is_header = True
    return [*head, *_rows(body)], notes


def _is_blank(items: Sequence[Item]) -> bool:
    return all(isinstance(i, str) and (i in (" ", "\\par", "~") or i in _UNSEEN) for i in items)


_UNSEEN: Final = ("\\centering", "\\small", "\\footnotesize", "\\scriptsize", "\\tiny", "\\bfseries", "\\itshape", "\\noindent")


def _grid(
    rows: Sequence[_Row], columns: Sequence[tuple[list[Item], list[Item]]], setter: TextSetter, where: str
) -> Grid | None:
    width = max((sum(c.colspan for c in row.cells) for row in rows), default=0)
    n_cols = max(width, len(columns) if width else 0)
    if n_cols * len(rows) > MAX_SOURCE_POSITIONS:
        raise DamagedInputError(
            f"a table asks for {n_cols:,} columns in {len(rows):,} rows (limit: {MAX_SOURCE_POSITIONS:,} cells)",
            where=where,
            hint="look for a \\multicolumn or a column specification with a wrong number",
        )
    cells: list[Cell] = []
    held: set[tuple[int, int]] = set()
    header_rows = _header_rows(rows)
    blank = _blank_positions(rows)
    for r, row in enumerate(rows):
        col = 0
        for raw in row.cells:
            rowspan, text = _cell_text(raw, columns[col] if col < len(columns) else ([], []), setter)
            top = max(0, r + rowspan + 1) if rowspan < 0 else r
            rows_down = r - top + 1 if rowspan < 0 else _room(blank, r, col, min(rowspan, len(rows) - r))
            if text and (r, col) not in held:
                place = [(y, x) for y in range(top, top + rows_down) for x in range(col, col + raw.colspan)]
                if any(p in held for p in place):
                    place = [(r, x) for x in range(col, col + raw.colspan)]
                    top, rows_down = r, 1
                if not any(p in held for p in place):
                    held.update(place)
                    cells.append(
                        Cell(
                            row=top,
                            col=col,
                            text=text,
                            rowspan=rows_down,
                            colspan=raw.colspan,
                            is_header=top < header_rows,
                        )
                    )
            elif text:
                cells = _added(cells, r, col, text)
            col += raw.colspan
    if not cells:
        return None
    used = 1 + max(c.col + c.colspan - 1 for c in cells)
    cells.sort(key=lambda c: (c.row, c.col))
    return Grid(len(rows), max(n_cols, used), tuple(cells), min(header_rows, len(rows)))


def _blank_positions(rows: Sequence[_Row]) -> set[tuple[int, int]]:
    """Return the positions whose cells hold nothing, or that their row does not reach."""
    width = max((sum(c.colspan for c in row.cells) for row in rows), default=0)
    out: set[tuple[int, int]] = set()
    for r, row in enumerate(rows):
        col = 0
        for raw in row.cells:
            if _is_blank(raw.items):
                out.update((r, x) for x in range(col, col + raw.colspan))
            col += raw.colspan
        out.update((r, x) for x in range(col, width))
    return out


def _room(blank: set[tuple[int, int]], row: int, col: int, wanted: int) -> int:
    """Return how many rows a cell can cover: it ends where a cell below it has text of its own."""
    count = 1
    while count < wanted and (row + count, col) in blank:
        count += 1
    return count


def _added(cells: list[Cell], row: int, col: int, text: str) -> list[Cell]:
    """Return the cells with a text that stands in a position of a span added to the span's."""
    from dataclasses import replace

    def covers(c: Cell) -> bool:
        return c.row <= row < c.row + c.rowspan and c.col <= col < c.col + c.colspan

    return [replace(c, text=f"{c.text} {text}") if covers(c) else c for c in cells]


def _cell_text(raw: _RawCell, column: tuple[list[Item], list[Item]], setter: TextSetter) -> tuple[int, str]:
    """Return how many rows a cell covers (negative: upwards) and its text."""
    rowspan = 1
    items = list(raw.items)
    multirow = _find_multirow(items)
    if multirow is not None:
        inside, at, rowspan = multirow
        items = [*items[:at], *inside]
    if raw.colspan == 1 and not _is_blank(items):
        before, behind = column
        if _opens_math(before):
            items = [Node("math", "$", items)]
        elif behind:
            items = [*items, *behind]
    return rowspan, setter.flat_text(items)


def _opens_math(before: Sequence[Item]) -> bool:
    return any(isinstance(i, Node) and i.kind == "math" for i in before)


def _find_multirow(items: Sequence[Item]) -> tuple[list[Item], int, int] | None:
    """Return the content of a ``\\multirow`` with what stands behind it, where it stands, and its number of rows."""
    reader = Reader(items)
    for item in reader:
        if isinstance(item, Node) and item.kind == "group" and all(_is_blank([i]) for i in items if i is not item):
            inner = _find_multirow(item.children)
            return None if inner is None else (inner[0], 0, inner[2])
        if item in ("\\multirow", "\\multirowcell", "\\multirowthead"):
            at = reader.at - 1
            reader.optional()
            count = re.search(r"-?\d+", plain(reader.argument()))
            reader.optional()
            if item == "\\multirow":
                reader.argument()
                reader.optional()
            content = [Node("group", "", list(reader.argument()))]
            span = int(count[0][:_DIGITS]) if count else 1
            return [*content, *reader], at, span or 1
    return None


def _header_rows(rows: Sequence[_Row]) -> int:
    marked = sum(1 for row in rows if row.is_header)
    if marked:
        return marked
    ruled = [i for i, row in enumerate(rows) if row.rule_above and i]
    return ruled[0] if ruled else 0
