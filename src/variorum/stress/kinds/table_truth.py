"""True tables against their readings: found, shape, values, headers, spans, notes, caption; and tables that are none.

Where the truth says of itself that a table is not verified, a deviation is reported as MINOR, with these words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from variorum.evaluation.calibration_measures import SAME, letters, likeness
from variorum.evaluation.ground_truth import TruthTable
from variorum.stress.kinds.captions_read import bare_caption
from variorum.stress.kinds.saying import Judge, called, listed, quoted
from variorum.stress.kinds.table_pairs import TablePair, table_pairs, tables_proper
from variorum.stress.kinds.table_values import HeldTables, lost_parts, wrong_spans, wrong_values
from variorum.stress.model import Assertion, Kind, PaperSubject, Severity

UNVERIFIED: Final = "the truth is not verified here"


def _says(judge: Judge, pair: TablePair, passed: bool, detail: str) -> Assertion:
    """Return the assertion about a true table: MINOR and said so where the truth is not sure."""
    weak = not pair.is_verified
    number = f"Table {pair.truth.number}: " if pair.truth.number else ""
    return judge.says(
        pair.name,
        passed,
        number + detail + (f"; {UNVERIFIED}" if weak and not passed else ""),
        page=pair.page,
        component=pair.read.id if pair.read is not None else None,
        severity=Severity.MINOR if weak else None,
    )


# ---- tables as wholes -----------------------------------------------------------------------------------------------


def tables_found(subject: PaperSubject) -> Iterator[Assertion]:
    """Yield for each true table whether a table was read that is it."""
    judge = Judge(FOUND, Severity.MAJOR, subject.key)
    for pair in table_pairs(subject):
        shape = f"{pair.truth.n_rows} × {pair.truth.n_cols}"
        detail = f"read as {pair.read.id}" if pair.read is not None else f"no table was read that is this one ({shape})"
        yield _says(judge, pair, pair.read is not None, detail)


def tables_invented(subject: PaperSubject) -> Iterator[Assertion]:
    """Yield for each table that was read whether it is one of the paper's, where the truth has all of them.

    A table that the truth passed over is not judged: it is told by its number, else by its page or shape.
    """
    truth = subject.truth
    if truth is None or not truth.has_all_tables:
        return
    judge = Judge(INVENTED, Severity.MAJOR, subject.key)
    known = {pair.read.id for pair in table_pairs(subject) if pair.read is not None}
    for table in tables_proper(subject):
        is_known = table.id in known
        detail = "is one of the paper's" if is_known else f"{table.n_rows} × {table.n_cols}, is no table of the truth"
        yield judge.says(
            called("table", table.id, subject.document.key),
            is_known,
            detail,
            page=table.provenance.page_num,
            component=table.id,
        )


# ---- what stands in them --------------------------------------------------------------------------------------------


def _over_held(
    subject: PaperSubject, kind: str, severity: Severity, look: Callable[[TablePair, HeldTables], tuple[bool, str] | None]
) -> Iterator[Assertion]:
    """Yield what `look` says (whether it is right, and a detail) of each true table that was found; None says nothing."""
    judge = Judge(kind, severity, subject.key)
    for pair in table_pairs(subject):
        if pair.read is not None:
            held = HeldTables.of(pair.truth, TruthTable.from_reading(pair.read))
            if (seen := look(pair, held)) is not None:
                yield _says(judge, pair, *seen)


def table_shapes(subject: PaperSubject) -> Iterator[Assertion]:
    """Yield for each true table whether its reading has its rows and columns.

    In how many lines the same heads stand is no difference here: where the truth knows it, that is a kind of its own.
    """

    def look(_: TablePair, held: HeldTables) -> tuple[bool, str]:
        truth, reading = held.truth, held.reading
        if held.has_same_shape:
            return True, f"{truth.n_rows} × {truth.n_cols}"
        if held.differs_in_heads_alone:
            return True, f"{truth.n_rows} × {truth.n_cols}, of which {len(reading.header_rows)} header rows hold the same heads"
        detail = f"expected {truth.n_rows} rows × {truth.n_cols} columns, found {reading.n_rows} × {reading.n_cols}"
        return False, "; ".join([detail, *lost_parts(held.compared())])

    return _over_held(subject, SHAPE, Severity.MAJOR, look)


def table_cells(subject: PaperSubject) -> Iterator[Assertion]:
    """Yield for each true table whether every value of it was read as it is."""

    def look(_: TablePair, held: HeldTables) -> tuple[bool, str]:
        wrong = wrong_values(held)
        count = sum(bool(cell.text.strip()) for cell in held.truth.cells())
        said = [f"row {w.row}, column {w.col}: expected {quoted(w.expected)}, found {quoted(w.found)}" for w in wrong]
        return not wrong, listed(said) if wrong else f"{count} values"

    return _over_held(subject, CELLS, Severity.MAJOR, look)


def table_headers(subject: PaperSubject) -> Iterator[Assertion]:
    """Yield for each table whose truth knows its header rows whether as many were read."""

    def look(pair: TablePair, held: HeldTables) -> tuple[bool, str] | None:
        if not pair.truth.has_headers:
            return None
        true, read = len(held.truth.header_rows), len(held.reading.header_rows)
        return true == read, f"expected {true} header rows, found {read}"

    return _over_held(subject, HEADERS, Severity.MINOR, look)


def table_spans(subject: PaperSubject) -> Iterator[Assertion]:
    """Yield for each true table that has cells over several rows or columns, or was read with some, whether they are right."""

    def look(_: TablePair, held: HeldTables) -> tuple[bool, str] | None:
        if not held.truth.spans and not held.reading.spans:
            return None
        wrong = wrong_spans(held)
        return not wrong, listed(wrong) if wrong else f"{len(held.truth.spans)} spans"

    return _over_held(subject, SPANS, Severity.MINOR, look)


def table_notes(subject: PaperSubject) -> Iterator[Assertion]:
    """Yield for each table whose truth knows its notes whether they were read."""

    def look(pair: TablePair, held: HeldTables) -> tuple[bool, str] | None:
        if pair.truth.footnotes is None:
            return None
        true, read = (" ".join(table.footnotes or ()) for table in (held.truth, held.reading))
        return held.clean(true) == held.clean(read), f"expected {quoted(true)}, found {quoted(read)}"

    return _over_held(subject, NOTES, Severity.MINOR, look)


def table_captions(subject: PaperSubject) -> Iterator[Assertion]:
    """Yield for each true table that has a caption whether its reading has the same."""

    def look(pair: TablePair, _: HeldTables) -> tuple[bool, str] | None:
        if not letters(pair.truth.caption) or pair.read is None:
            return None
        own = bare_caption(pair.read.caption)
        is_same = likeness(letters(pair.truth.caption), letters(own)) >= SAME
        return is_same, quoted(own) if is_same else f"expected {quoted(pair.truth.caption)}, found {quoted(own)}"

    return _over_held(subject, CAPTION, Severity.MAJOR, look)


FOUND: Final = "table found"
INVENTED: Final = "table invented"
SHAPE: Final = "table shape"
CELLS: Final = "table cells"
HEADERS: Final = "table headers"
SPANS: Final = "table spans"
NOTES: Final = "table notes"
CAPTION: Final = "table caption"

KINDS: Final = tuple(
    Kind(name=name, severity=severity, asserts=asserts, scope="paper", check=check)
    for name, severity, asserts, check in (
        (FOUND, Severity.MAJOR, "Each table of the truth was read.", tables_found),
        (
            INVENTED,
            Severity.MAJOR,
            "Each table that was read is one of the truth's, where it has all of them.",
            tables_invented,
        ),
        (SHAPE, Severity.MAJOR, "Each table of the truth was read with its rows and columns.", table_shapes),
        (CELLS, Severity.MAJOR, "Each value of a true table was read as it is, in its place.", table_cells),
        (HEADERS, Severity.MINOR, "As many header rows were read as the truth has, where it knows them.", table_headers),
        (
            SPANS,
            Severity.MINOR,
            "Each cell over several rows or columns was read with its extent, and none is made up.",
            table_spans,
        ),
        (NOTES, Severity.MINOR, "The notes below a table were read, where the truth knows them.", table_notes),
        (CAPTION, Severity.MAJOR, "Each table has the caption that the truth gives it.", table_captions),
    )
)
