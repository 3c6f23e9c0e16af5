"""XLSX: text as text, spans as merged cells, and the same bytes for the same table."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from document_samples import caption, document_of, provenance, spanned_table, table_of, tables
from hypothesis import given, settings

from variorum.document import Table
from variorum.document.export_xlsx import MAX_CELL_CHARS, MAX_SHEET_NAME_CHARS, sheet_names


def opened(data: bytes) -> Any:
    return openpyxl.load_workbook(io.BytesIO(data))


@settings(deadline=None, max_examples=25)
@given(tables())
def test_every_table_can_be_written_and_opened(table: Table) -> None:
    assert len(opened(table.to_xlsx()).worksheets) == 1


def test_text_is_where_the_table_has_it() -> None:
    sheet = opened(spanned_table().to_xlsx()).worksheets[0]
    rows = [[cell or "" for cell in row] for row in sheet.iter_rows(values_only=True)]
    assert rows == spanned_table().matrix()


def test_spans_are_merged_and_headers_bold() -> None:
    sheet = opened(spanned_table().to_xlsx()).worksheets[0]
    assert {str(merged) for merged in sheet.merged_cells.ranges} == {"A1:A2", "B1:C1", "A3:A4", "A5:C5"}
    assert sheet["B2"].font.bold
    assert not sheet["B3"].font.bold
    assert sheet.freeze_panes == "A3"


def test_merged_cells_keep_no_second_text() -> None:
    sheet = opened(spanned_table().to_xlsx()).worksheets[0]
    assert sheet["C1"].value is None


@pytest.mark.parametrize("text", ["=1+1", "#N/A", "0.30", "007", "2020-01-01", "TRUE", "+5", "-3", "@a"])
def test_text_is_never_a_formula_a_number_or_an_error(text: str) -> None:
    cell = opened(table_of([[text]]).to_xlsx()).worksheets[0]["A1"]
    assert (cell.data_type, cell.value) == ("s", text)


@pytest.mark.parametrize("text", ["a\x00b", "a\x0bb", "a\x1fb", "a\ud835b", "a\uffffb"])
def test_character_that_xlsx_forbids_is_shown_as_replaced(text: str) -> None:
    assert opened(table_of([[text]]).to_xlsx()).worksheets[0]["A1"].value == "a\ufffdb"


def test_text_beyond_the_limit_of_a_cell_is_cut_visibly() -> None:
    value = opened(table_of([["x" * (MAX_CELL_CHARS + 1)]]).to_xlsx()).worksheets[0]["A1"].value
    assert value == "x" * (MAX_CELL_CHARS - 1) + "…"


def test_same_table_gives_the_same_bytes_whatever_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    first = spanned_table().to_xlsx()
    later = 4_000_000_000.0
    monkeypatch.setattr("time.time", lambda: later)
    assert spanned_table().to_xlsx() == first


def test_no_file_in_the_archive_bears_a_date() -> None:
    with zipfile.ZipFile(io.BytesIO(spanned_table().to_xlsx())) as archive:
        assert {entry.date_time for entry in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        core = archive.read("docProps/core.xml").decode()
    assert core.count("2000-01-01T00:00:00Z") == 2


def test_document_gives_a_sheet_a_table_in_order() -> None:
    document = document_of(spanned_table(number="2"), spanned_table(number="A.1"))
    assert opened(document.to_xlsx()).sheetnames == ["Table 2", "Table A.1"]


def test_document_without_tables_says_so() -> None:
    assert opened(document_of().to_xlsx()).sheetnames == ["No tables"]


def test_sheet_names_are_legal_and_differ() -> None:
    numbers = ["1", "1", "a/b", "[x]:*?", "y" * 40, "y" * 40, "ſ", "S", "'", "\x00"]
    names = sheet_names([table_of([], number=n) for n in numbers])
    assert len({name.casefold() for name in names}) == len(numbers)
    assert all(0 < len(name) <= MAX_SHEET_NAME_CHARS and not set(name) & set("[]:*?/\\") for name in names)
    assert names[:2] == ["Table 1", "Table 1 (2)"]


def test_table_without_a_number_is_called_by_its_page() -> None:
    assert sheet_names([table_of([]), table_of([], id="history", provenance=provenance(None))]) == ["Page 7", "Table history"]


def test_file_holds_what_is_returned(tmp_path: Path) -> None:
    data = spanned_table(caption=caption()).to_xlsx(tmp_path / "t.xlsx")
    assert (tmp_path / "t.xlsx").read_bytes() == data
