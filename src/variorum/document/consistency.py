"""What must hold between the values of a document beyond their types: grids without overlap, numbers in range.

The same claims are checked when a document is written and when it is read, so what is written can be read.
"""

from __future__ import annotations

from variorum.document._claims import check_at_least, check_in_order, check_in_unit, check_provenance
from variorum.document.apparatus import Divider, TableApparatus
from variorum.document.model import Document, Table
from variorum.document.paper_consistency import check_paper
from variorum.errors import SchemaError

_ANGLES = (0, 90, 180, 270)


def check_document(document: Document) -> None:
    """Return nothing; raises SchemaError with the path to the first value that contradicts another."""
    check_at_least(0, document.page_count, "page_count")
    for i, page in enumerate(document.pages):
        check_at_least(1, page.page_num, f"pages[{i}].page_num")
        check_at_least(0, page.width, f"pages[{i}].width")
        check_at_least(0, page.height, f"pages[{i}].height")
    _check_ids(document)
    for i, table in enumerate(document.tables):
        _check_table(table, f"tables[{i}]")
    check_paper(document)
    for i, notice in enumerate(document.notices):
        if notice.page_num is not None:
            check_at_least(1, notice.page_num, f"notices[{i}].page_num")


def _check_ids(document: Document) -> None:
    """Check that no two tables, later parts of tables, figures and components have one id."""
    named = [(table.id, f"tables[{i}].id") for i, table in enumerate(document.tables)]
    for i, table in enumerate(document.tables):
        named += [(part.id, f"tables[{i}].parts[{j}].id") for j, part in enumerate(table.parts) if j]
    named += [(figure.id, f"figures[{i}].id") for i, figure in enumerate(document.figures)]
    named += [(component.id, f"components[{i}].id") for i, component in enumerate(document.components)]
    ids: set[str] = set()
    for name, where in named:
        if name in ids:
            raise SchemaError(f"the id {name!r} stands twice", where=where, hint="give each its own id")
        ids.add(name)


def _check_table(table: Table, path: str) -> None:
    check_at_least(0, table.n_rows, f"{path}.n_rows")
    check_at_least(0, table.n_cols, f"{path}.n_cols")
    check_at_least(0, table.header_rows, f"{path}.header_rows")
    if table.header_rows > table.n_rows:
        raise SchemaError(f"{table.header_rows} header rows in a table of {table.n_rows} rows", where=f"{path}.header_rows")
    if table.angle not in _ANGLES:
        raise SchemaError(f"an angle of {table.angle} degrees", where=f"{path}.angle", hint="one of 0, 90, 180, 270")
    if table.caption is not None and table.caption.page_num is not None:
        check_at_least(1, table.caption.page_num, f"{path}.caption.page_num")
    check_provenance(table.provenance, f"{path}.provenance")
    _check_cells(table, path)
    if table.apparatus is not None:
        _check_apparatus(table.apparatus, f"{path}.apparatus")
    if table.parts:
        _check_parts(table, f"{path}.parts")


def _check_parts(table: Table, path: str) -> None:
    """Check that the parts share out the rows of the table, none of them cut, and that the first one names the table."""
    if len(table.parts) == 1:
        raise SchemaError("a table of one part", where=path, hint="no parts for a table in one place")
    if table.parts[0].id != table.id:
        raise SchemaError(
            f"the first part is {table.parts[0].id!r}", where=f"{path}[0].id", hint=f"the table's id {table.id!r}"
        )
    row = 0
    for i, part in enumerate(table.parts):
        where = f"{path}[{i}]"
        check_at_least(1, part.page_num, f"{where}.page_num")
        check_at_least(0, part.n_rows, f"{where}.n_rows")
        if part.first_row != row:
            raise SchemaError(f"the part begins at row {part.first_row}", where=f"{where}.first_row", hint=f"row {row}")
        row += part.n_rows
        own = part.n_rows + len(part.dropped)
        rows = [d.row for d in part.dropped]
        if sorted(set(rows)) != rows or any(not 0 <= r < own for r in rows):
            raise SchemaError(
                f"dropped rows {rows} of {own}", where=f"{where}.dropped", hint="each row of the part once, in order"
            )
        if part.caption is not None and part.caption.page_num is not None:
            check_at_least(1, part.caption.page_num, f"{where}.caption.page_num")
        if part.apparatus is not None:
            _check_apparatus(part.apparatus, f"{where}.apparatus")
    if row != table.n_rows:
        raise SchemaError(f"the parts have {row} rows, the table {table.n_rows}", where=path, hint="share out all rows")
    for i, cell in enumerate(table.cells):
        if table.part_at(cell.row) is not table.part_at(cell.row + cell.rowspan - 1):
            raise SchemaError(
                "the cell reaches over two parts",
                where=f"{path.removesuffix('.parts')}.cells[{i}].rowspan",
                hint="end it with its part",
            )


def _check_cells(table: Table, path: str) -> None:
    """Walk the cells in row-major order with, for each column, the first row that is still free."""
    free_from: dict[int, int] = {}
    covered_by: dict[int, int] = {}
    previous = (-1, -1)
    for i, cell in enumerate(table.cells):
        where = f"{path}.cells[{i}]"
        check_at_least(0, cell.row, f"{where}.row")
        check_at_least(0, cell.col, f"{where}.col")
        check_at_least(1, cell.rowspan, f"{where}.rowspan")
        check_at_least(1, cell.colspan, f"{where}.colspan")
        for last, size, start, span in (
            (cell.row + cell.rowspan, table.n_rows, "row", "rowspan"),
            (cell.col + cell.colspan, table.n_cols, "col", "colspan"),
        ):
            if last > size:
                at_fault = start if getattr(cell, start) >= size else span
                raise SchemaError(
                    f"the cell reaches to {start} {last - 1}, outside a grid of {size}", where=f"{where}.{at_fault}"
                )
        if (cell.row, cell.col) < previous:
            raise SchemaError("the cell stands after a later one", where=where, hint="order cells by row, then by column")
        previous = (cell.row, cell.col)
        for col in range(cell.col, cell.col + cell.colspan):
            if free_from.get(col, 0) > cell.row:
                raise SchemaError(
                    f"the cell overlaps cells[{covered_by[col]}] at row {cell.row}, column {col}",
                    where=where,
                    hint="let every position of the grid belong to one cell",
                )
            free_from[col], covered_by[col] = cell.row + cell.rowspan, i


def _check_apparatus(apparatus: TableApparatus, path: str) -> None:
    check_in_unit(apparatus.agreement, f"{path}.agreement")
    _check_dividers(apparatus.dividers, f"{path}.dividers")
    seen: set[str] = set()
    for i, edge in enumerate(apparatus.region_edges):
        if edge.id in seen:
            raise SchemaError(f"the edge {edge.id!r} stands twice", where=f"{path}.region_edges[{i}].id")
        seen.add(edge.id)
        _check_dividers(edge.places, f"{path}.region_edges[{i}].places")


def _check_dividers(dividers: tuple[Divider, ...], path: str) -> None:
    for i, divider in enumerate(dividers):
        check_in_order(divider.start, divider.end, f"{path}[{i}]")
        for j, vote in enumerate(divider.votes):
            check_in_order(vote.start, vote.end, f"{path}[{i}].votes[{j}]")
