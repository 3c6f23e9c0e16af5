"""Cleans the text of cells; the PDF's own text stays beside it as the cell's raw text.

Always: ligature signs become letters, control characters and soft hyphens go, white space is folded. With evidence from
the cell's column: the Unicode minus before a digit becomes the ASCII sign that numbers are read with, a sign parted
from its number joins it where the column is numeric. A number written without its leading zero (``.05``) is left as the
paper has it: many styles write it so.
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
_PARTED_SIGN = re.compile(r"^([-+\u2212\u2013]) (?=\.?\d)")
_NUMBER = re.compile(r"^[-+\u2212\u2013]? ?[.\d][\d.,]*\D{0,2}$")


class CellCleaning:
    """Cleans texts."""

    name = "cell_cleaning"

    def process(self, grid: CellGrid, ctx: TableContext) -> tuple[CellGrid, str]:
        """Return the grid with clean texts, and how many cells changed."""
        numeric = _numeric_columns(grid)
        cleaned, count = map_texts(grid, lambda cell: _clean(cell, numeric))
        return cleaned, f"{count} cell{'s' if count > 1 else ''} cleaned" if count else ""


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
        text = _PARTED_SIGN.sub(r"\1", text)
    return _MINUS.sub("-", text)
