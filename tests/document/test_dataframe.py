"""A table as a DataFrame: header rows are columns, data are strings, row labels stand in every row they span."""

from __future__ import annotations

import pandas as pd
from document_samples import spanned_table, table_of, tables
from hypothesis import given, settings

from variorum.document import Table


@settings(deadline=None, max_examples=50)
@given(tables())
def test_shape_is_that_of_the_data(table: Table) -> None:
    assert table.to_dataframe().shape == (table.n_rows - table.header_rows, table.n_cols)


def test_several_header_rows_are_a_multiindex_filled_across_spans() -> None:
    frame = spanned_table().to_dataframe()
    assert list(frame.columns) == [("Group", "Group"), ("Outcome", "b"), ("Outcome", "se")]


def test_row_label_stands_in_every_row_it_spans_and_a_section_title_once() -> None:
    frame = spanned_table().to_dataframe()
    assert frame.to_numpy().tolist() == [["A", "1", "2"], ["A", "3", "4"], ["Panel B", "", ""]]


def test_one_header_row_is_an_index_and_names_may_repeat() -> None:
    frame = table_of([["x", "b", "b"], ["1", "2", "3"]], header_rows=1).to_dataframe()
    assert list(frame.columns) == ["x", "b", "b"]
    assert not isinstance(frame.columns, pd.MultiIndex)


def test_without_header_rows_columns_are_numbered() -> None:
    frame = table_of([["1", "2"]]).to_dataframe()
    assert isinstance(frame.columns, pd.RangeIndex)


def test_values_are_strings_as_read() -> None:
    frame = table_of([["n"], ["007"], [""], ["NA"]], header_rows=1).to_dataframe()
    assert frame["n"].tolist() == ["007", "", "NA"]
