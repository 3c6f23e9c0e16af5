"""CSV says exactly what the table says."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from document_samples import spanned_table, table_of, tables
from hypothesis import assume, given, settings

from variorum.document import Table
from variorum.errors import OutputError


def parsed(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text, newline="")))


@settings(deadline=None)
@given(tables())
def test_csv_reader_gets_the_matrix_back(table: Table) -> None:
    assume(table.n_cols > 0)
    assert parsed(table.to_csv()) == table.matrix()


def test_spanning_text_stands_once() -> None:
    assert spanned_table().to_csv() == "Group,Outcome,\n,b,se\nA,1,2\n,3,4\nPanel B,,\n"


@pytest.mark.parametrize("text", ["=1+1", "+5", "-0.3", "@home", "'quoted"])
def test_text_that_looks_like_a_formula_is_not_altered(text: str) -> None:
    assert table_of([[text]]).to_csv() == text + "\n"


def test_quotes_commas_and_line_ends_are_quoted() -> None:
    assert table_of([['say "a"', "1,5", "a\nb", "a\rb"]]).to_csv() == '"say ""a""","1,5","a\nb","a\rb"\n'


def test_row_of_one_empty_cell_is_still_a_row() -> None:
    assert parsed(table_of([["a"], [""]]).to_csv()) == [["a"], [""]]


def test_table_without_rows_is_an_empty_file() -> None:
    assert table_of([]).to_csv() == ""


def test_file_holds_what_is_returned_in_utf8(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    text = table_of([["β", "a\nb", "\ud835"]]).to_csv(path)
    assert path.read_bytes() == text.encode("utf-8")
    assert list(tmp_path.iterdir()) == [path]


def test_folder_that_is_not_there_is_an_output_error(tmp_path: Path) -> None:
    with pytest.raises(OutputError) as caught:
        table_of([["a"]]).to_csv(tmp_path / "none" / "t.csv")
    assert caught.value.where == str(tmp_path / "none" / "t.csv")


def test_failed_write_leaves_no_part_behind(tmp_path: Path) -> None:
    (tmp_path / "t.csv").mkdir()
    with pytest.raises(OutputError):
        table_of([["a"]]).to_csv(tmp_path / "t.csv")
    assert [p.name for p in tmp_path.iterdir()] == ["t.csv"]
