"""Which table of a reading is which of the truth, and which the truth passed over."""

from __future__ import annotations

from dataclasses import dataclass

from variorum.document import Table
from variorum.evaluation.ground_truth import TruthTable, pair_tables
from variorum.stress.kinds.saying import called
from variorum.stress.model import PaperSubject


@dataclass(frozen=True, slots=True, kw_only=True)
class TablePair:
    """A true table, its reading (None: not found), what the place is called, and whether the truth is sure of it."""

    name: str
    truth: TruthTable
    read: Table | None
    is_verified: bool

    @property
    def page(self) -> int:
        """The page, from 1; 0 where neither side knows it."""
        return (self.read.provenance.page_num if self.read is not None else None) or self.truth.page


def table_pairs(subject: PaperSubject) -> list[TablePair]:
    """Return the tables of the truth, in order, each with the one that was read for it."""
    if subject.truth is None:
        return []
    tables, unverified = subject.truth.tables, subject.truth.unverified
    read = pair_tables(tables, subject.document.tables)
    return [
        TablePair(
            name=called("table", table.table_id, subject.document.key),
            truth=table,
            read=subject.document.tables[read[i]] if i in read else None,
            is_verified=table.table_id not in unverified,
        )
        for i, table in enumerate(tables)
    ]


def tables_proper(subject: PaperSubject) -> list[Table]:
    """Return the tables that were read and that are to be judged: none that is no data, and none that the truth passed over."""
    known = {pair.read.id for pair in table_pairs(subject) if pair.read is not None}
    proper = [table for table in subject.document.tables if table.artifact is None]
    return [table for table in proper if table.id in known or not is_passed_over(table, subject)]


def is_passed_over(table: Table, subject: PaperSubject) -> bool:
    """Return whether a table may be one that the truth passed over: told by number, else by page, else by its columns."""
    number = (table.number or "").upper()
    for item in subject.truth.passed_over if subject.truth is not None else ():
        if item.number and number:
            is_it = item.number == number
        elif item.page:
            is_it = item.page in table.page_nums()
        else:
            is_it = item.n_cols in (0, table.n_cols)
        if is_it:
            return True
    return False
