"""Parts a head from the data that it swallowed.

Two cases. A row of the head holds lines of several rows ("Name" above "12" in one cell), since no rule parts the head
from the data and a library took both for one row: it is parted before the first line that brings numbers to columns of
numbers. Or the head was counted too deep, and its last rows are data: they leave the head. Evidence: the table's own
rows (lines of writing, see ``variorum.tables.rows``) and the columns, whose numbers below the label look like those of
the rows below. A line of whole numbers alone (years, sizes of groups) does not end a head that a rule closes. A head
whose texts cannot be parted by lines without loss is left.
"""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise

from variorum.document import Cell
from variorum.geometry import Box
from variorum.page.lines import join_words
from variorum.page.model import Word
from variorum.tables.grid_edits import split_row
from variorum.tables.grid_rows import cells_of, group_of_line, letters, lines_in, numeric_columns, reaches_in
from variorum.tables.model import CellGrid, TableContext
from variorum.tables.rows import full_rule_positions, is_number_like
from variorum.tables.text import join_lines

_DIGITS = re.compile(r"\d+")


class HeaderDataSplit:
    """Parts heads from data."""

    name = "header_data_split"

    def process(self, grid: CellGrid, ctx: TableContext) -> tuple[CellGrid, str]:
        """Return the grid with swallowed data as rows of their own below the head, and what was done."""
        said: list[str] = []
        for row in range(max(grid.header_rows, 1) - 1, -1, -1):
            parted = _parted(grid, ctx, row)
            if parted is not None:
                count = parted.n_rows - grid.n_rows
                said.append(f"{count} row{'s' if count > 1 else ''} of data parted from the head")
                grid = parted
        count = _true_head(grid, ctx)
        if count < grid.header_rows:
            lost = grid.header_rows - count
            said.append(f"{lost} row{'s' if lost > 1 else ''} of data taken out of the head")
            grid = _with_head(grid, count)
        return grid, "; ".join(said)


def _with_head(grid: CellGrid, count: int) -> CellGrid:
    return replace(grid, cells=tuple(replace(c, is_header=c.row < count) for c in grid.cells), header_rows=count)


# ---- a row that holds head and data -----------------------------------------------------------------------------------


def _parted(grid: CellGrid, ctx: TableContext, row: int) -> CellGrid | None:
    """Return the grid with the row parted into its head and its rows of data, or None when it holds no data."""
    cells = cells_of(grid, row)
    if reaches_in(grid, row) or any(c.rowspan > 1 or c.bbox is None for c in cells):
        return None
    group = group_of_line(ctx)
    rows: dict[int, list[int]] = {}
    for line in sorted({i for c in cells for i in lines_in(c.bbox, ctx)}):
        rows.setdefault(group[line], []).append(line)
    bundles = [lines for _, lines in sorted(rows.items())]
    texts = [{c.col: _text(c, lines, ctx) for c in cells} for lines in bundles]
    numeric = _numbers_below(grid, row, texts)
    data = next((k for k in range(1, len(bundles)) if _is_data(texts[k], numeric) and not _is_data(texts[0], numeric)), None)
    if data is None:
        return None
    parts = [[i for lines in bundles[:data] for i in lines], *bundles[data:]]
    new = {c.col: tuple(_part(c, lines, ctx) for lines in parts) for c in cells}
    if any(letters("".join(p.text for p in new[c.col] if p is not None)) != letters(c.text) for c in cells):
        return None
    bands = [(ctx.text_rows[lines[0]].band, ctx.text_rows[lines[-1]].band) for lines in parts]
    edges = tuple((upper.end + lower.start) / 2 for (_, upper), (lower, _) in pairwise(bands))
    if not all(a < b for a, b in zip((grid.row_edges[row], *edges), (*edges, grid.row_edges[row + 1]), strict=True)):
        return None
    return _with_head(split_row(grid, row, new, edges), row + 1)


def _numbers_below(grid: CellGrid, row: int, texts: list[dict[int, str]]) -> set[int]:
    """Return the columns of numbers, from the rows below and the lines of the row itself but its first."""
    votes = dict.fromkeys(numeric_columns(grid, row + 1), 1)
    told = {c.col for c in grid.cells if c.row > row and c.colspan == 1 and c.text}
    for line in texts[1:]:
        for column, text in line.items():
            if column not in told and text:
                votes[column] = votes.get(column, 0) + (1 if is_number_like(text) else -1)
    return {c for c, balance in votes.items() if balance > 0}


def _is_data(texts: dict[int, str], numeric: set[int]) -> bool:
    """Return whether the texts bring numbers to more columns of numbers than they bring words to."""
    held = [is_number_like(texts[c]) for c in numeric if texts.get(c)]
    return 2 * sum(held) > len(held)


def _words(cell: Cell, line: int, ctx: TableContext) -> list[Word]:
    return [w for w in ctx.text_rows[line].words if cell.bbox is not None and cell.bbox.contains_centre_of(w.box)]


def _text(cell: Cell, lines: list[int], ctx: TableContext) -> str:
    parts = [join_words(_words(cell, i, ctx), ctx.word_space_em) for i in lines]
    return join_lines([p for p in parts if p], ctx.vocabulary)


def _part(cell: Cell, lines: list[int], ctx: TableContext) -> Cell | None:
    """Return what the cell holds on these lines as a cell, or None."""
    words = [w for i in lines for w in _words(cell, i, ctx)]
    if not words:
        return None
    return replace(cell, text=_text(cell, lines, ctx), bbox=Box.around(w.box for w in words))


# ---- a head counted too deep --------------------------------------------------------------------------------------------


def _true_head(grid: CellGrid, ctx: TableContext) -> int:
    """Return how many of the head's rows stand above the first that looks like the data below; at least 1."""
    count = grid.header_rows
    if count <= 1:
        return count
    forms = _forms(grid, count)
    first = [k for k in range(1, count) if all(_like_data(grid, r, forms, ctx) for r in range(k, count))]
    return min(first, default=count)


def _forms(grid: CellGrid, first: int) -> dict[int, set[str]]:
    """Return for each column of numbers the forms of its numbers below the head (``12.5`` and ``3.1`` are of one form)."""
    numeric = numeric_columns(grid, first)
    out: dict[int, set[str]] = {c: set() for c in numeric}
    for cell in grid.cells:
        if cell.row >= first and cell.col in numeric and cell.colspan == 1 and is_number_like(cell.text):
            out[cell.col].add(_form(cell.text))
    return out


def _form(text: str) -> str:
    return _DIGITS.sub("0", text)


def _like_data(grid: CellGrid, row: int, forms: dict[int, set[str]], ctx: TableContext) -> bool:
    """Return whether a row of the head has a label, and numbers of the column's own form in most columns of numbers, below
    words."""
    cells = {c.col: c for c in cells_of(grid, row) if c.colspan == 1 and c.rowspan == 1}
    labels = [c for c in cells.values() if c.col not in forms and not is_number_like(c.text)]
    alike = [c for c, known in forms.items() if c in cells and _form(cells[c].text) in known]
    if not labels or 2 * len(alike) <= len(forms):
        return False
    above = {c.col: c for r in range(row) for c in cells_of(grid, r) if c.colspan == 1}
    if not all(c in above for c in alike):
        return False
    whole = all(cells[c].text.isdigit() for c in alike)
    return not (whole and _closed(grid, ctx))


def _closed(grid: CellGrid, ctx: TableContext) -> bool:
    """Return whether a rule across most of the table runs right below the head."""
    upper = [c.bbox.y1 for c in grid.cells if c.row + c.rowspan == grid.header_rows and c.bbox is not None]
    lower = [c.bbox.y0 for c in grid.cells if c.row == grid.header_rows and c.bbox is not None]
    return bool(upper and lower) and any(min(upper) <= y <= max(lower) for y in full_rule_positions(ctx))
