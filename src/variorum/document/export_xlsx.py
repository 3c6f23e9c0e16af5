"""XLSX workbooks, a sheet a table: the grid with its spans merged, every cell marked as text, header cells bold.

The same tables give the same bytes (with the same openpyxl): the clock is kept out of the properties and of the archive.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from datetime import datetime
from io import BytesIO
from typing import TYPE_CHECKING
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from variorum.document.characters import xml_legal
from variorum.document.flow import page_of
from variorum.document.model import Cell, Table
from variorum.document.writing import write_whole

if TYPE_CHECKING:
    from openpyxl.worksheet.worksheet import Worksheet

MAX_CELL_CHARS = 32_767  # Excel's limits
MAX_SHEET_NAME_CHARS = 31

_EPOCH = datetime(2000, 1, 1)
_NOT_IN_SHEET_NAME = re.compile(r"[\[\]:*?/\\]")
_RESERVED_SHEET_NAMES = ("", "history")


def tables_to_xlsx(tables: Sequence[Table], path: str | os.PathLike[str] | None = None) -> bytes:
    """Return a workbook with one sheet a table, in order; with a path, also write it there.

    Characters that XLSX forbids become U+FFFD; text past Excel's limit of 32,767 characters a cell is cut, and ends in ``…``.
    Captions and footnotes are not in the sheets. Without tables one sheet says so. Raises OutputError when the file cannot be
    written.
    """
    data = _workbook(tables)
    if path is not None:
        write_whole(path, data)
    return data


def _workbook(tables: Sequence[Table]) -> bytes:
    from openpyxl import Workbook
    from openpyxl.writer.excel import ExcelWriter

    book = Workbook()
    book.properties.creator = "variorum"
    book.properties.created = book.properties.modified = _EPOCH
    book.remove(book.worksheets[0])
    for table, name in zip(tables, sheet_names(tables), strict=True):
        _fill(book.create_sheet(name), table)
    if not tables:
        book.create_sheet("No tables")
    raw = BytesIO()
    with ZipFile(raw, "w") as archive:
        ExcelWriter(book, archive).write_data()  # not book.save(), which puts the time of day into the properties
    return _without_dates(raw)


def sheet_names(tables: Sequence[Table]) -> list[str]:
    """Return one legal name a table, all different: ``Table 2``, else ``Page 7``, then ``Table 2 (2)``."""
    names: list[str] = []
    taken: set[str] = set()
    for table in tables:
        wanted = f"Table {table.number}" if table.number else f"Page {page_of(table)}" if page_of(table) else table.id
        base = _NOT_IN_SHEET_NAME.sub("-", " ".join(xml_legal(wanted).split())).strip("' ")
        if base.casefold() in _RESERVED_SHEET_NAMES:
            base = f"Table {base}".strip()
        name, count = base[:MAX_SHEET_NAME_CHARS].strip("' "), 1
        while name.casefold() in taken:
            count += 1
            suffix = f" ({count})"
            name = base[: MAX_SHEET_NAME_CHARS - len(suffix)] + suffix
        taken.add(name.casefold())
        names.append(name)
    return names


def _fill(sheet: Worksheet, table: Table) -> None:
    from openpyxl.styles import Alignment, Font

    bold = Font(bold=True)
    wrapped = Alignment(wrap_text=True, vertical="top")
    for cell in table.cells:
        text = _cell_text(cell)
        if text:
            target = sheet.cell(cell.row + 1, cell.col + 1)
            target.value = text
            target.data_type = "s"  # or "=1+1" would be a formula and "#N/A" an error
            if "\n" in text:
                target.alignment = wrapped
            if cell.row < table.header_rows or cell.is_header:
                target.font = bold
    for cell in table.cells:
        if cell.rowspan > 1 or cell.colspan > 1:
            first, last = (cell.row + 1, cell.col + 1), (cell.row + cell.rowspan, cell.col + cell.colspan)
            sheet.merge_cells(start_row=first[0], start_column=first[1], end_row=last[0], end_column=last[1])
    if 0 < table.header_rows < table.n_rows:
        sheet.freeze_panes = f"A{table.header_rows + 1}"


def _cell_text(cell: Cell) -> str:
    text = xml_legal(cell.text)
    return text if len(text) <= MAX_CELL_CHARS else text[: MAX_CELL_CHARS - 1] + "…"


def _without_dates(raw: BytesIO) -> bytes:
    """Return the archive with the same files in the same order, none with a date or a mark of the machine."""
    clean = BytesIO()
    with ZipFile(raw) as source, ZipFile(clean, "w", ZIP_DEFLATED) as target:
        for name in source.namelist():
            entry = ZipInfo(name)
            entry.create_system = 3
            entry.external_attr = 0o644 << 16
            entry.compress_type = ZIP_DEFLATED
            target.writestr(entry, source.read(name))
    return clean.getvalue()
