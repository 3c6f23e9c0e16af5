"""Cleans the text of cells; the PDF's own text stays beside it as the cell's raw text.

Always: ligature signs become letters, control characters and soft hyphens go, white space is folded. With evidence from
the cell's column: the Unicode minus before a digit becomes the ASCII sign that numbers are read with; in a column of
numbers a dash that opens a number does too, and a sign parted from its number joins it. A number written without its
leading zero (``.05``) is left as the paper has it: many styles write so, and some mix. It gets the zero back only where
it is proven that the reading lost it: all other numbers below one in its column have it, and so has the word that the
page prints in its place.
"""

from __future__ import annotations

import re
import unicodedata

from variorum.document import Cell
from variorum.tables.grid_edits import map_texts
from variorum.tables.model import CellGrid, TableContext

LIGATURES = {
    "\ufb00": "ff",
    "\ufb01": "fi",
    "\ufb02": "fl",
    "\ufb03": "ffi",
    "\ufb04": "ffl",
    "\ufb05": "st",
    "\ufb06": "st",
}
_TABLE = str.maketrans(LIGATURES)
_MINUS = re.compile(r"\u2212(?=\.?\d)")
_PARTED_SIGN = re.compile(r"(^|[(\[,;] ?)([-+\u2212\u2013]) (?=\.?\d)")
_DASH_AS_SIGN = re.compile(r"(^|[(\[] ?)\u2013(?=\.?\d)")
_BARE = re.compile(r"^([-+]?)(\.\d+\D{0,2})$")
_WITH_ZERO = re.compile(r"^[-+]?0\.\d+\D{0,2}$")
_NUMBER = re.compile(r"^[-+\u2212\u2013]? ?[.\d][\d.,]*\D{0,2}$")


class CellCleaning:
    """Cleans texts."""

    name = "cell_cleaning"

    def process(self, grid: CellGrid, ctx: TableContext) -> tuple[CellGrid, str]:
        """Return the grid with clean texts, and how many cells changed."""
        numeric = _numeric_columns(grid)
        cleaned, _ = map_texts(grid, lambda cell: _clean(cell, numeric))
        lost = _without_zero(cleaned, ctx)
        cleaned, _ = map_texts(cleaned, lambda cell: _with_zero(cell.text) if cell in lost else cell.text)
        count = sum(a.text != b.text for a, b in zip(grid.cells, cleaned.cells, strict=True))
        return cleaned, f"{count} cell{'s' if count > 1 else ''} cleaned" if count else ""


def _without_zero(grid: CellGrid, ctx: TableContext) -> list[Cell]:
    """Return the cells that lost a leading zero which their column's numbers and the page's own word have."""
    body = [c for c in grid.cells if c.row >= grid.header_rows and c.colspan == 1]
    out: list[Cell] = []
    for cell in body:
        if not _BARE.match(cell.text) or cell.bbox is None:
            continue
        others = [c.text for c in body if c.col == cell.col and c is not cell]
        if any(_BARE.match(t) for t in others) or sum(bool(_WITH_ZERO.match(t)) for t in others) <= 1:
            continue
        beside = [c.text for c in grid.cells if c.row == cell.row and c.col + c.colspan == cell.col]
        printed = {_MINUS.sub("-", w.text) for w in ctx.words if w.box.intersection(cell.bbox) is not None}
        if _with_zero(cell.text) in printed and not any(t.endswith("0") for t in beside):
            out.append(cell)
    return out


def _with_zero(text: str) -> str:
    return _BARE.sub(r"\g<1>0\2", text)


def _numeric_columns(grid: CellGrid) -> set[int]:
    """Return the columns in which numbers outnumber other texts below the header."""
    votes: dict[int, int] = {}
    for cell in grid.cells:
        if cell.row >= grid.header_rows and cell.colspan == 1:
            votes[cell.col] = votes.get(cell.col, 0) + (1 if _NUMBER.match(cell.text) else -1)
    return {c for c, balance in votes.items() if balance > 0}


def _clean(cell: Cell, numeric: set[int]) -> str:
    text = cell.text.translate(_TABLE)
    text = "".join(c for c in text if c in "\t\n" or unicodedata.category(c) not in ("Cc", "Cf"))
    text = " ".join(text.split())
    if cell.col in numeric:
        text = _DASH_AS_SIGN.sub(r"\1-", _PARTED_SIGN.sub(r"\1\2", text))
    return _MINUS.sub("-", text)
