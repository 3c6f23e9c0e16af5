"""The debug database: everything that was extracted, said and compared, in one SQLite file that can be asked with SQL.

A paper is written in one transaction, whole or not at all; written again, it replaces what was there. The schema is in
`_debug_schema`, what to ask in ``docs/debug-database.md``. It is the only place where times are kept.
"""

from __future__ import annotations

import os
import platform
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from types import MappingProxyType
from typing import Final

from variorum._version import __version__
from variorum.errors import DamagedInputError, InputNotFoundError, OutputError, SchemaError
from variorum.evaluation import _debug_schema as schema
from variorum.evaluation._debug_rows import paper_rows
from variorum.evaluation.pairing import truths_read
from variorum.evaluation.stored import to_text
from variorum.evaluation.truth_table import TruthTable
from variorum.extraction import PaperEvidence

VOTING_LIBRARIES: Final = ("pymupdf", "camelot-py", "pdfplumber", "pdfminer.six", "onnxruntime")
"""The packages whose versions can change a vote."""

_BUSY_SECONDS: Final = 30.0
_HINT: Final = "another file, or a new one"
_ANEW: Final = "read the papers again into a new file: variorum extract PDF --debug-db FILE --truth FILE"


# ---- opening --------------------------------------------------------------------------------------------------------


def open_debug_db(path: str | os.PathLike[str]) -> sqlite3.Connection:
    """Return a connection to the debug database in the file, which is made when it is missing or empty, with its folder.

    Raises OutputError when the file is something else, of another schema version, or cannot be written; it is left as it was.
    """
    place = Path(path)
    try:
        if place.is_dir():
            raise OutputError("is a folder, not a debug database", where=str(place), hint=_HINT)
        place.parent.mkdir(parents=True, exist_ok=True)
        is_new = not place.exists() or place.stat().st_size == 0
        connection = sqlite3.connect(place, timeout=_BUSY_SECONDS, isolation_level=None)
    except (OSError, sqlite3.Error) as error:
        raise OutputError(f"cannot be opened ({error})", where=str(place), hint=_HINT) from error
    try:
        connection.execute("PRAGMA foreign_keys = ON")
        if is_new:
            with _transaction(connection):
                for statement in schema.STATEMENTS:
                    connection.execute(statement)
                connection.execute(f"PRAGMA application_id = {schema.APPLICATION_ID}")
                connection.execute(f"PRAGMA user_version = {schema.SCHEMA_VERSION}")
        elif fault := _fault(connection):
            raise OutputError(fault, where=str(place), hint=_HINT)
    except sqlite3.Error as error:
        connection.close()
        raise OutputError(f"cannot be used as a debug database ({error})", where=str(place), hint=_HINT) from error
    except OutputError:
        connection.close()
        raise
    return connection


def read_debug_db(path: str | os.PathLike[str]) -> sqlite3.Connection:
    """Return a connection to an existing debug database that can only read.

    Raises InputNotFoundError when there is no such file or it may not be read, DamagedInputError when it is empty, damaged or
    something else, SchemaError when it is of another schema version.
    """
    place = Path(path)
    hint = "a file written by: variorum extract PDF --debug-db FILE --truth FILE"
    if place.is_dir():
        raise InputNotFoundError("is a folder, not a debug database", where=str(place), hint=hint)
    if not place.exists():
        raise InputNotFoundError("no such debug database", where=str(place), hint=hint)
    try:
        with place.open("rb") as file:
            is_empty = not file.read(1)
    except OSError as error:
        what = f"cannot be read ({error.strerror or error})"
        raise InputNotFoundError(what, where=str(place), hint="check the permissions") from error
    if is_empty:
        raise DamagedInputError("is an empty file: nothing was written into it", where=str(place), hint=hint)
    try:
        connection = sqlite3.connect(f"{place.absolute().as_uri()}?mode=ro", uri=True, isolation_level=None)
        fault = _fault(connection)
        found = connection.execute("PRAGMA user_version").fetchone()[0]
    except sqlite3.Error as error:
        raise DamagedInputError(f"is not a debug database ({error})", where=str(place), hint=hint) from error
    if fault:
        connection.close()
        is_other_version = found != schema.SCHEMA_VERSION and "schema" in fault
        kind = SchemaError if is_other_version else DamagedInputError
        raise kind(fault, where=str(place), hint=hint if "something else" in fault else _ANEW)
    return connection


@contextmanager
def reading_debug_db(path: str | os.PathLike[str]) -> Iterator[sqlite3.Connection]:
    """Yield the connection of `read_debug_db`, and close it; its errors are raised.

    What SQLite refuses inside the block, such as a query of a column that is not there, is a DamagedInputError, too.
    """
    connection = read_debug_db(path)
    try:
        yield connection
    except sqlite3.Error as error:
        what = f"cannot be asked ({error}): it is damaged, or was made by another version of variorum"
        raise DamagedInputError(what, where=str(path), hint=_ANEW) from error
    finally:
        connection.close()


def _fault(connection: sqlite3.Connection) -> str:
    """Return what keeps the file from being a debug database of this schema, or an empty text."""
    application = connection.execute("PRAGMA application_id").fetchone()[0]
    if application != schema.APPLICATION_ID:
        return "is a SQLite file of something else, not a debug database of variorum"
    found = connection.execute("PRAGMA user_version").fetchone()[0]
    if found != schema.SCHEMA_VERSION:
        return f"has schema version {found}; this variorum reads and writes {schema.SCHEMA_VERSION}"
    there = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
    missing = [name for name in (*schema.TABLES, schema.VIEW) if name not in there]
    if missing:
        return f"lacks {', '.join(missing)}: it is damaged, or was made by another version of variorum"
    return ""


@contextmanager
def _transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """Make all that the block writes one transaction: an error or an interruption leaves the file as it was."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


# ---- runs -----------------------------------------------------------------------------------------------------------


def begin_run(connection: sqlite3.Connection, command: str) -> int:
    """Return the id of a new run, which `write_paper` counts its papers to; `command` says what was called.

    Raises OutputError when the database cannot be written.
    """
    with _refusals_told(connection):
        cursor = connection.execute(
            "INSERT INTO run_metadata (started_at, command, software, versions_json, platform) VALUES (?, ?, ?, ?, ?)",
            (_now(), command, f"variorum {__version__}", to_text(versions()), platform.platform()),
        )
    return int(cursor.lastrowid or 0)


def finish_run(connection: sqlite3.Connection, run_id: int) -> None:
    """Return None once the end of the run is noted; raises OutputError when the database cannot be written."""
    with _refusals_told(connection):
        connection.execute("UPDATE run_metadata SET finished_at = ? WHERE run_id = ?", (_now(), run_id))


def versions() -> dict[str, str]:
    """Return the versions of Python, variorum and the libraries that vote; those that are not installed are left out."""
    found = {"python": platform.python_version(), "variorum": __version__}
    for name in VOTING_LIBRARIES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


# ---- papers ---------------------------------------------------------------------------------------------------------


def write_paper(
    connection: sqlite3.Connection,
    evidence: PaperEvidence,
    *,
    run_id: int,
    truths: Sequence[TruthTable] = (),
    short_name: str = "",
    pictures: Mapping[str, str] = MappingProxyType({}),
) -> int:
    """Return how many tables of the truth were compared (missed ones too), once the paper is in the database.

    `truths` are the true tables of this paper only; those on pages that were not read are left out. `short_name` is what
    people call it (default: the file's name without ending); `pictures` are the files of its figures by their ids. All is
    written in one transaction; an earlier reading of the paper is replaced. Raises OutputError when the database cannot be
    written.
    """
    rows = rows_of_paper(evidence, run_id=run_id, truths=truths, short_name=short_name, pictures=pictures)
    with writing(connection):
        put_paper_rows(connection, rows, run_id=run_id)
    return rows.truth_count


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperRows:
    """All rows of one paper, ready to be written and to be sent from another process, and what they add to the run's counts."""

    item_key: str
    rows: tuple[tuple[str, Mapping[str, object]], ...]
    table_count: int
    truth_count: int
    method_cpu_seconds: float


def rows_of_paper(
    evidence: PaperEvidence,
    *,
    run_id: int,
    truths: Sequence[TruthTable] = (),
    short_name: str = "",
    pictures: Mapping[str, str] = MappingProxyType({}),
) -> PaperRows:
    """Return what `write_paper` writes of a paper; arguments as there."""
    truths = truths_read(truths, evidence.document)
    return PaperRows(
        item_key=evidence.document.key,
        rows=tuple(paper_rows(evidence, truths, run_id, short_name, pictures)),
        table_count=len(evidence.tables),
        truth_count=len(truths),
        method_cpu_seconds=sum(sum(t.result.cpu_seconds.values()) for t in evidence.tables),
    )


def put_paper_rows(connection: sqlite3.Connection, paper: PaperRows, *, run_id: int) -> None:
    """Return None once a paper has these rows in place of those it had, as part of the transaction that is open."""
    connection.execute("DELETE FROM papers WHERE item_key = ?", (paper.item_key,))
    insert_rows(connection, paper.rows)
    connection.execute(
        "UPDATE run_metadata SET paper_count = paper_count + 1, table_count = table_count + ?,"
        " truth_count = truth_count + ?, method_cpu_seconds = method_cpu_seconds + ? WHERE run_id = ?",
        (paper.table_count, paper.truth_count, paper.method_cpu_seconds, run_id),
    )


def insert_rows(connection: sqlite3.Connection, rows: Iterable[tuple[str, Mapping[str, object]]]) -> None:
    """Return None once the rows are in their tables, as part of the transaction that is open."""
    for table, row in rows:
        _insert(connection, table, row)


@contextmanager
def writing(connection: sqlite3.Connection) -> Iterator[None]:
    """Make what the block writes one transaction; raises OutputError when SQLite refuses it."""
    with _refusals_told(connection), _transaction(connection):
        yield


@contextmanager
def _refusals_told(connection: sqlite3.Connection) -> Iterator[None]:
    """Make what SQLite refuses inside the block an OutputError."""
    try:
        yield
    except sqlite3.Error as error:
        raise OutputError(f"cannot be written ({error})", where=_place(connection), hint=_HINT) from error


def _place(connection: sqlite3.Connection) -> str:
    return str(connection.execute("PRAGMA database_list").fetchone()[2]) or "the debug database"


def _insert(connection: sqlite3.Connection, table: str, row: Mapping[str, object]) -> None:
    names, marks = ", ".join(row), ", ".join("?" * len(row))
    connection.execute(f"INSERT INTO {table} ({names}) VALUES ({marks})", tuple(map(_storable, row.values())))


def _storable(value: object) -> object:
    """Return the value as SQLite takes it: half a surrogate, which no UTF-8 can hold, becomes a question mark."""
    return value.encode("utf-8", errors="replace").decode("utf-8") if isinstance(value, str) else value
