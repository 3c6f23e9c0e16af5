"""The grid of a truth as text: a line a row, cells between bars; ``<``: the cell to the left goes on, ``^``: the cell above.

    | Group     | Outcome | <  |
    | ^         | n       | %  |
    =============================
    | Control   | 12      | 40 |

The line of ``=`` parts the header rows from the data rows. A table that is too wide has each cell on a line of its own,
indented but for the first.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from variorum.errors import SchemaError
from variorum.evaluation.truth_table import Rows, Span, TruthTable
from variorum.evaluation.truth_text_signs import BLANKS, EscapeError, broken, escaped, split_at_bars, unescaped, width

LEFT: Final = "<"
ABOVE: Final = "^"
BAR: Final = "|"
HEAD_LINE: Final = "="
INDENT: Final = "  "

_WIDEST: Final = 200
"""Columns of an editor that a row may take; a wider table is written a cell a line."""

_TEXT_WIDTH: Final = 100
"""Columns after which a long text goes on in the next line."""


class GridRow(NamedTuple):
    """A row as it was written: its cells without blanks around them, escapes in place, each with the number of its line."""

    cells: tuple[str, ...]
    lines: tuple[int, ...]


class GridFault(NamedTuple):
    """What is wrong with a grid, the number of the line, and what to try."""

    line: int
    what: str
    hint: str


# ---- writing --------------------------------------------------------------------------------------------------------


def grid_lines(table: TruthTable) -> list[str]:
    """Return the lines of the table's grid; raises SchemaError for a grid that no one could print (see `marked_cells`)."""
    rows = marked_cells(table)
    widths = [max(width(row[c]) for row in rows) for c in range(table.n_cols)]
    bars = f"{BAR} " + f" {BAR} ".join(" " * w for w in widths) + f" {BAR}"
    is_wide = len(bars) > _WIDEST
    lines = [line for row in rows for line in (_spread(row) if is_wide else [_aligned(row, widths)])]
    heads = sum(len(_spread(row)) if is_wide else 1 for row in rows[: len(table.header_rows)])
    return [*lines[:heads], HEAD_LINE * (_TEXT_WIDTH if is_wide else len(bars)), *lines[heads:]]


def marked_cells(table: TruthTable) -> list[list[str]]:
    """Return the rows, header rows first, as texts for a file: escaped, with ``<`` and ``^`` where a span covers a position.

    Raises SchemaError where text stands under a span, and for rows without columns.
    """
    if table.n_rows and not table.n_cols:
        raise SchemaError("has rows without columns", where=table.table_id or "table", hint="at least one cell a row")
    rows = [[_as_cell(text) for text in row] for row in table.all_rows]
    for at, span in enumerate(table.spans):
        for r in range(span.row, span.row + span.rowspan):
            for c in range(span.col, span.col + span.colspan):
                if (r, c) == (span.row, span.col):
                    continue
                if rows[r][c]:
                    where = f"{table.table_id or 'table'}.spans[{at}]"
                    raise SchemaError(f"covers the text {rows[r][c]!r}", where=where, hint='"" under a span')
                rows[r][c] = ABOVE if c == span.col else LEFT
    return rows


def _as_cell(text: str) -> str:
    return f"\\{text}" if text in (LEFT, ABOVE) else escaped(text)


def _aligned(row: Sequence[str], widths: Sequence[int]) -> str:
    padded = (text + " " * (room - width(text)) for text, room in zip(row, widths, strict=True))
    return f"{BAR} " + f" {BAR} ".join(padded) + f" {BAR}"


def _spread(row: Sequence[str]) -> list[str]:
    """Return a row with each cell on lines of its own."""
    lines = []
    for at, text in enumerate(row):
        first, *rest = broken(text, _TEXT_WIDTH)
        lines.append(f"{INDENT if at else ''}{BAR} {first}".rstrip(BLANKS))
        lines += [f"{INDENT}{INDENT}{more}" for more in rest]
    lines[-1] += f" {BAR}"
    return lines


# ---- reading --------------------------------------------------------------------------------------------------------


def row_of(text: str, line_at: Callable[[int], int]) -> GridRow:
    """Return the cells of a row that begins with a bar; the closing bar may be left out. `line_at` gives the number of the
    line on which a place in the text stands."""
    parts = split_at_bars(text)[1:]
    if len(parts) > 1 and not parts[-1][1].strip(BLANKS):
        parts.pop()
    return GridRow(tuple(part.strip(BLANKS) for _, part in parts), tuple(line_at(at) for at, _ in parts))


def rows_and_spans(rows: Sequence[GridRow]) -> tuple[Rows, tuple[Span, ...], list[GridFault]]:
    """Return the texts of the rows, the spans in row-major order, and all that is wrong; with a fault the rest is empty."""
    faults = _uneven(rows)
    if faults:
        return (), (), faults
    owners, faults = _owners(rows)
    texts: list[tuple[str, ...]] = []
    for row in rows:
        found = []
        for c, cell in enumerate(row.cells):
            try:
                found.append("" if cell in (LEFT, ABOVE) else unescaped(cell))
            except EscapeError as fault:
                faults.append(GridFault(row.lines[c], f"column {c + 1}: {fault}", fault.hint))
        texts.append(tuple(found))
    spans, holes = _spans(rows, owners) if not faults else ([], [])
    faults = sorted([*faults, *holes])
    return ((), (), faults) if faults else (tuple(texts), tuple(spans), [])


def _uneven(rows: Sequence[GridRow]) -> list[GridFault]:
    """Return a fault for each row that has another number of cells than most rows (of equals, than the first of them)."""
    counts = [len(row.cells) for row in rows]
    usual = max(dict.fromkeys(counts), key=counts.count, default=0)
    hint = f"{usual} cells, each between two |; a | in a cell is \\|"
    return [
        GridFault(row.lines[0], f"has {count} cells, most rows have {usual}", hint)
        for row, count in zip(rows, counts, strict=True)
        if count != usual
    ]


Place = tuple[int, int]


def _owners(rows: Sequence[GridRow]) -> tuple[dict[Place, Place], list[GridFault]]:
    """Return for each position the first position of its cell, and a fault for each mark that goes on from nothing."""
    owners: dict[Place, Place] = {}
    faults = []
    for r, row in enumerate(rows):
        for c, cell in enumerate(row.cells):
            owners[r, c] = (r, c)
            if cell == LEFT:
                if c == 0:
                    faults.append(
                        GridFault(row.lines[c], "< in the first column: nothing stands to its left", "\\< for the sign")
                    )
                else:
                    owners[r, c] = owners[r, c - 1]
            elif cell == ABOVE:
                if r == 0:
                    faults.append(GridFault(row.lines[c], "^ in the first row: nothing stands above it", "\\^ for the sign"))
                else:
                    owners[r, c] = owners[r - 1, c]
    return owners, faults


def _spans(rows: Sequence[GridRow], owners: dict[Place, Place]) -> tuple[list[Span], list[GridFault]]:
    """Return the spans, and a fault for each cell whose positions are no rectangle."""
    members: dict[Place, list[Place]] = {}
    for place, owner in owners.items():
        members.setdefault(owner, []).append(place)
    spans, faults = [], []
    for (row, col), places in sorted(members.items()):
        last_row, last_col = max(r for r, _ in places), max(c for _, c in places)
        box = [(r, c) for r in range(row, last_row + 1) for c in range(col, last_col + 1)]
        strangers = [place for place in box if owners[place] != (row, col)]
        if strangers:
            r, c = strangers[0]
            begins = f"the cell {rows[row].cells[col]!r} of line {rows[row].lines[col]}"
            what = f"column {c + 1}: {rows[r].cells[c]!r} stands in a hole of {begins}, which goes on around it"
            faults.append(GridFault(rows[r].lines[c], what, "< or ^ at every position that a cell covers: a rectangle"))
        elif len(places) > 1:
            spans.append(Span(row, col, last_row - row + 1, last_col - col + 1))
    return spans, faults
