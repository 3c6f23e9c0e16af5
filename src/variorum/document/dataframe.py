"""A table as a pandas DataFrame."""

from __future__ import annotations

from typing import TYPE_CHECKING

from variorum.document.characters import encodable
from variorum.document.model import Table

if TYPE_CHECKING:
    import pandas as pd


def table_to_dataframe(table: Table) -> pd.DataFrame:
    """Return the data rows as a DataFrame of strings of shape (n_rows - header_rows, n_cols); empty cells are ``""``.

    Columns: a RangeIndex without header rows, an Index for one, a MultiIndex for several, with texts that span columns or
    header rows in every position they cover. Names may repeat. In the data, a text that spans rows (a row label) stands in each
    of them; one that spans columns stands in the first alone, lest a section title become a value of every column.
    """
    import pandas as pd

    header = [[encodable(text) for text in row] for row in table.filled_matrix()[: table.header_rows]]
    columns: pd.Index | pd.RangeIndex
    if not header:
        columns = pd.RangeIndex(table.n_cols)
    elif len(header) == 1:
        columns = pd.Index(header[0], dtype=str)
    else:
        columns = pd.MultiIndex.from_arrays(header)
    return pd.DataFrame(_data(table), columns=columns, dtype=str)


def _data(table: Table) -> list[list[str]]:
    rows = [[""] * table.n_cols for _ in range(table.n_rows)]
    for cell in table.cells:
        for r in range(cell.row, cell.row + cell.rowspan):
            rows[r][cell.col] = encodable(cell.text)
    return rows[table.header_rows :]
