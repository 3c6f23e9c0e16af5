"""CSV as RFC 4180 has it, but with newline line ends; nothing in a cell is altered.

A text that begins with ``=``, ``+``, ``-`` or ``@`` stays what it is: a table's ``-0.3`` is data. Who opens a file of unknown
origin in a spreadsheet should take the XLSX, where every cell is marked as text.
"""

from __future__ import annotations

import os

from variorum.document.characters import encodable
from variorum.document.model import Table
from variorum.document.writing import write_whole

_NEEDS_QUOTES = frozenset(',"\r\n')


def table_to_csv(table: Table, path: str | os.PathLike[str] | None = None) -> str:
    r"""Return the rows as CSV, header rows first, lines ending in ``\n``; with a path, also write them there in UTF-8.

    A spanning text stands once, at its top-left position. Raises OutputError when the file cannot be written.
    """
    text = "".join(_line(row) for row in table.matrix())
    if path is not None:
        write_whole(path, text.encode("utf-8"))
    return text


def _line(row: list[str]) -> str:
    if row == [""]:
        return '""\n'  # a bare newline would be read as a row without cells
    return ",".join(_field(encodable(text)) for text in row) + "\n"


def _field(text: str) -> str:
    return '"' + text.replace('"', '""') + '"' if _NEEDS_QUOTES.intersection(text) else text
