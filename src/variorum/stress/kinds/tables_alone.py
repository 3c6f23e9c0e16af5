"""Tables by themselves, without truth or beside it: dimensions, fill, and whether their cells can be read."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from variorum.document import Cell, Table
from variorum.evaluation.truth_table import TruthTable
from variorum.geometry import Box
from variorum.stress.kinds.readable import faults_of
from variorum.stress.kinds.saying import Judge, called, listed, quoted
from variorum.stress.kinds.table_pairs import table_pairs
from variorum.stress.kinds.table_values import HeldTables
from variorum.stress.model import Assertion, Kind, PaperSubject, Severity

LEAST_FILL: Final = 0.7
"""Share of places with text below which a table is looked at closely: the founding rules say that then something is wrong with
the reading, unless the page shows that it is not."""
FILL_MARGIN: Final = 0.05
"""By so much a fill may differ from the truth's: a value more or less is the business of the kind that compares values."""


def dimensions(subject: PaperSubject) -> Iterator[Assertion]:
    """Yield for each table whether it has two rows and two columns at least, or is as small in the truth."""
    judge = Judge(DIMENSIONS, Severity.MAJOR, subject.key)
    true = _truths(subject)
    for table in _proper(subject):
        truth = true.get(table.id)
        is_small = min(table.n_rows, table.n_cols) < 2
        is_right = not is_small or (truth is not None and min(truth.n_rows, truth.n_cols) < 2)
        detail = f"{table.n_rows} rows × {table.n_cols} columns" + (", which is no table" if not is_right else "")
        yield _says(judge, subject, table, is_right, detail)


def fill(subject: PaperSubject) -> Iterator[Assertion]:
    """Yield for each table whether it is filled as the truth is; without truth, whether what is blank is blank on the page.

    A table without truth that is sparse fails where text of a cell reaches into a place that was read as blank, or where a
    column is never filled in the same row as the one beside it: then one column was read as two.
    """
    judge = Judge(FILL, Severity.MAJOR, subject.key)
    true = _truths(subject)
    for table in _proper(subject):
        own, truth = _filled(TruthTable.from_reading(table)), true.get(table.id)
        if truth is not None:
            wanted = _filled(truth)
            is_same = abs(own - wanted) <= FILL_MARGIN
            is_same = is_same or HeldTables.of(truth, TruthTable.from_reading(table)).differs_in_heads_alone
            yield _says(judge, subject, table, is_same, f"{own:.0%} is filled, {wanted:.0%} of the truth")
        elif own >= LEAST_FILL:
            yield _says(judge, subject, table, True, f"{own:.0%} is filled")
        else:
            wrong = [*_not_blank(table), *_one_column_as_two(table)]
            detail = listed(wrong) if wrong else "what is blank is blank on the page"
            yield _says(judge, subject, table, not wrong, f"{own:.0%} is filled; {detail}")


def readable_cells(subject: PaperSubject) -> Iterator[Assertion]:
    """Yield for each table whether all its cells can be read: no sign that stands for none, no broken words."""
    judge = Judge(CELLS, Severity.MAJOR, subject.key)
    for table in _proper(subject):
        wrong = [(cell, fault) for cell in table.cells for fault in faults_of(cell.text)]
        said = [f"row {c.row + 1}, column {c.col + 1}: {fault} in {quoted(c.text)}" for c, fault in wrong]
        yield _says(judge, subject, table, not wrong, listed(said) if said else f"{len(table.cells)} cells")


def _proper(subject: PaperSubject) -> list[Table]:
    return [table for table in subject.document.tables if table.artifact is None]


def _truths(subject: PaperSubject) -> dict[str, TruthTable]:
    """Return the verified true tables by the ids of their readings."""
    return {p.read.id: p.truth for p in table_pairs(subject) if p.read is not None and p.is_verified}


def _says(judge: Judge, subject: PaperSubject, table: Table, passed: bool, detail: str) -> Assertion:
    name = called("table", table.id, subject.document.key)
    return judge.says(name, passed, detail, page=table.provenance.page_num, component=table.id)


def _filled(table: TruthTable) -> float:
    """Return the share of the places that have text, all places of a spanning cell with it; 1 for no places."""
    bare = table.without_blanks()
    texts = [cell for cell in bare.cells() if cell.text.strip()]
    places = bare.n_rows * bare.n_cols
    return sum(cell.rowspan * cell.colspan for cell in texts) / places if places else 1.0


def _not_blank(table: Table) -> Iterator[str]:
    """Yield the blank places of a table in one place into which the text of a cell reaches by its middle."""
    if len(table.column_edges) != table.n_cols + 1 or len(table.row_edges) != table.n_rows + 1:
        return
    covered = {(r, c) for cell in table.cells if cell.text.strip() for r, c in _places(cell)}
    boxes = [(cell, cell.bbox) for cell in table.cells if cell.text.strip() and cell.bbox is not None]
    columns, rows = list(pairwise(table.column_edges)), list(pairwise(table.row_edges))
    for r, (top, bottom) in enumerate(rows):
        for c, (left, right) in enumerate(columns):
            if (r, c) not in covered:
                for cell, box in boxes:
                    if _holds_middle(left, top, right, bottom, box):
                        yield f"{quoted(cell.text)} stands in row {r + 1}, column {c + 1}, which was read as blank"


def _places(cell: Cell) -> Iterator[tuple[int, int]]:
    for r in range(cell.row, cell.row + cell.rowspan):
        for c in range(cell.col, cell.col + cell.colspan):
            yield r, c


def _holds_middle(left: float, top: float, right: float, bottom: float, box: Box) -> bool:
    return left < (box.x0 + box.x1) / 2 < right and top < (box.y0 + box.y1) / 2 < bottom


def _one_column_as_two(table: Table) -> Iterator[str]:
    """Yield the neighbouring columns that share no row with text in both, though both have some below the headers."""
    rows = table.filled_matrix()[table.header_rows :]
    for c in range(table.n_cols - 1):
        one, other = ({r for r, row in enumerate(rows) if row[k].strip()} for k in (c, c + 1))
        if one and other and one.isdisjoint(other):
            yield f"columns {c + 1} and {c + 2} are never filled in the same row"


DIMENSIONS: Final = "dimensions"
FILL: Final = "fill"
CELLS: Final = "readable cells"

KINDS: Final = tuple(
    Kind(name=name, severity=Severity.MAJOR, asserts=asserts, scope="paper", check=check)
    for name, asserts, check in (
        (DIMENSIONS, "Each table has two rows and two columns at least, or is as small in the truth.", dimensions),
        (FILL, "Each table is filled as the truth is; without truth, what is blank is blank on the page.", fill),
        (CELLS, "All cells can be read: no sign that stands for none, no words run together.", readable_cells),
    )
)
