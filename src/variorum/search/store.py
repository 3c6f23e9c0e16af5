"""The index file: one SQLite file, opened for reading or by its one writer.

The file is in WAL mode: searches read while it is written, and see whole papers only, since each is one transaction. A process
that is killed leaves what it had committed; what it was about to write is not there. A second writer is refused at once, by a
lock that the system takes back when its holder ends, however it ends.
"""

from __future__ import annotations

import os
import sqlite3
import uuid
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Final
from urllib.parse import quote

from variorum.errors import DamagedInputError, InputNotFoundError, OutputError, VariorumError
from variorum.search.locks import exclusive_lock
from variorum.search.manifest import ANEW_HINT, Manifest, refuse_other_rules
from variorum.search.schema import SCHEMA, TABLES

_WAIT_S: Final = 30.0  # for another process' short transaction
_NEW_SUFFIX: Final = ".new"
_LOCK_SUFFIX: Final = ".lock"
_PRIMARY_CODE: Final = 0xFF  # of SQLite's codes: the low byte, whatever the details above it
_OF_THE_PLACE: Final = frozenset(
    (
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_LOCKED,
        sqlite3.SQLITE_PERM,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_NOMEM,
    )
)
_MADE_HINT: Final = "variorum index --zotero DIR, or --folder DIR"

ID_KEY: Final = "id"
"""The row of the table ``manifest`` that names the file, and is no part of what it was made by."""

DAMAGE_HINT: Final = "variorum index --verify, which says what is damaged; --rebuild, or remove the file and make it anew"


class IndexFile:
    """An open index. Use it in a ``with`` block, in the thread that opened it.

    `connection` is the door for the modules of this room that read and write its tables.
    """

    def __init__(self, path: Path, connection: sqlite3.Connection, lock: sqlite3.Connection | None = None) -> None:
        self.path = path
        self.connection = connection
        self._lock = lock

    def __enter__(self) -> IndexFile:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        """Raises what `index_fault` makes of what SQLite said of the file within the block."""
        self.close()
        if isinstance(error, sqlite3.DatabaseError):
            raise index_fault(error, self.path) from error

    def close(self) -> None:
        """Return None; the file, and the writer's lock, are let go."""
        self.connection.close()
        if self._lock is not None:
            self._lock.close()

    @property
    def is_writer(self) -> bool:
        """Whether this one may write."""
        return self._lock is not None

    def manifest(self) -> Manifest:
        """Return what the index was made by; raises DamagedInputError when it does not say so."""
        rows = dict(self.connection.execute("SELECT key, value FROM manifest"))
        return Manifest.from_rows(rows, str(self.path))

    def write_manifest(self, manifest: Manifest) -> None:
        """Return None once the manifest is that one, as part of the transaction that is open, or alone."""
        self.connection.execute("DELETE FROM manifest WHERE key != ?", (ID_KEY,))
        self.connection.executemany("INSERT INTO manifest VALUES (?, ?)", manifest.to_rows())

    def id(self) -> str | None:
        """Return what tells this index from every other, whatever it holds: 32 hexadecimal digits, drawn when it was made.

        None for an index that an earlier release made and that was not written since.
        """
        row = self.connection.execute("SELECT value FROM manifest WHERE key = ?", (ID_KEY,)).fetchone()
        return None if row is None else str(row[0])

    def data_version(self) -> int:
        """Return a number that changes when another connection has written."""
        (version,) = self.connection.execute("PRAGMA data_version").fetchone()
        return int(version)

    @contextmanager
    def snapshot(self) -> Iterator[sqlite3.Connection]:
        """Read the file inside the block as it is now, whatever another process writes meanwhile."""
        if self.connection.in_transaction:
            yield self.connection
            return
        self.connection.execute("BEGIN")
        try:
            yield self.connection
        finally:
            self.connection.execute("COMMIT")

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Yield the connection in a transaction: all that is written inside is there afterwards, or, on an error, nothing.

        Raises OutputError when it cannot be written, as on a full disk.
        """
        try:
            self.connection.execute("BEGIN IMMEDIATE")
            yield self.connection
            self.connection.execute("COMMIT")
        except BaseException as error:
            with suppress(sqlite3.Error):
                self.connection.execute("ROLLBACK")
            if isinstance(error, sqlite3.DatabaseError):
                raise index_fault(error, self.path) from error
            raise


def index_fault(error: sqlite3.DatabaseError, path: Path) -> VariorumError:
    """Return the error of the family for what SQLite says of an index: OutputError where disk, rights or another process are
    in the way, else DamagedInputError."""
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & _PRIMARY_CODE
    if code in _OF_THE_PLACE:
        hint = "space and rights there, and no other process that holds it"
        return OutputError(f"the index cannot be read or written ({error})", where=str(path), hint=hint)
    return DamagedInputError(f"the index is damaged ({error})", where=str(path), hint=DAMAGE_HINT)


def open_index(path: Path, *, any_rules: bool = False) -> IndexFile:
    """Return the index for reading; with `any_rules` also one that another release made.

    Where neither file nor folder may be written, it is read as a file that nobody writes; see `_reader`. Raises
    InputNotFoundError when there is none or it may not be read, DamagedInputError when it is no index or damaged, and
    OtherRulesError when it was made by rules that this release does not have.
    """
    if not path.is_file():
        raise InputNotFoundError("there is no index here", where=str(path), hint=_MADE_HINT)
    with _faults_named(path):
        connection = _reader(path)
        try:
            index = IndexFile(path, connection)
            manifest = _checked(index)
            if not any_rules:
                refuse_other_rules(manifest, str(path))
        except BaseException:
            connection.close()
            raise
        return index


def open_writer(path: Path, manifest: Manifest) -> IndexFile:
    """Return the index for writing, made with this manifest where there is none; an existing one keeps its own.

    The versions of its rules are not compared here: who rebuilds it needs it open. Raises OutputError when another process
    writes it or the place cannot be written, OtherRulesError when its tables are of another version, DamagedInputError when the
    file is no index.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(
            f"no folder can be made here ({error.strerror})", where=str(path.parent), hint="--index FILE"
        ) from error
    lock = _writers_lock(path)
    try:
        with _faults_named(path):
            if not path.exists():
                _make(path, manifest)
            connection = _connected(path, "rwc")
            try:
                index = IndexFile(path, connection, lock)
                if not _tables(connection):
                    _create(index, manifest)
                if _checked(index).schema != SCHEMA:
                    refuse_other_rules(index.manifest(), str(path))
                if index.id() is None:
                    _give_id(index)
            except BaseException:
                connection.close()
                raise
            return index
    except BaseException:
        lock.close()
        raise


def _reader(path: Path) -> sqlite3.Connection:
    """Return a connection that reads.

    Beside a file in WAL mode SQLite makes two others, for readers too. Where it may not, and there is no log with what is not
    in the file yet, the file is whole by itself and is read as one that does not change. Raises InputNotFoundError when there
    is such a log.
    https://sqlite.org/wal.html#read_only_databases
    """
    connection = _connected(path, "ro")
    try:
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except sqlite3.OperationalError as error:
        connection.close()
        if (error.sqlite_errorcode & _PRIMARY_CODE) not in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN):
            raise
        if not os.access(path, os.R_OK):
            what = "the index may not be read by this user"
            raise InputNotFoundError(what, where=str(path), hint="its permissions") from error
        if _has_log(path):
            what = "the index was left in the middle of a run, and cannot be completed, since its folder may not be written"
            hint = "a search or variorum index --verify by a user who may write there"
            raise InputNotFoundError(what, where=str(path), hint=hint) from error
        return _connected(path, "ro&immutable=1")
    except BaseException:
        connection.close()
        raise
    return connection


def _has_log(path: Path) -> bool:
    """Return whether there may be rows that are in the log and not in the file yet."""
    try:
        return path.with_name(path.name + "-wal").stat().st_size > 0
    except FileNotFoundError:
        return False


def _connected(path: Path, mode: str) -> sqlite3.Connection:
    connection = sqlite3.connect(
        f"file:{quote(str(path.absolute()))}?mode={mode}", uri=True, timeout=_WAIT_S, isolation_level=None
    )
    connection.execute("PRAGMA foreign_keys = ON")
    if not mode.startswith("ro"):
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
    return connection


def _make(path: Path, manifest: Manifest) -> None:
    """Make the index beside its place and put it there whole: whenever the process dies, there is an index or no file."""
    new = path.with_name(path.name + _NEW_SUFFIX)
    for left in (new.with_name(new.name + suffix) for suffix in ("", "-wal", "-shm", "-journal")):
        left.unlink(missing_ok=True)
    connection = _connected(new, "rwc")
    try:
        index = IndexFile(new, connection)
        _create(index, manifest)
        _give_id(index)
    finally:
        connection.close()
    os.replace(new, path)


def _create(index: IndexFile, manifest: Manifest) -> None:
    with index.transaction() as connection:
        for statement in TABLES:
            connection.execute(statement)
        index.write_manifest(manifest)


def _give_id(index: IndexFile) -> None:
    with index.transaction() as connection:
        connection.execute("INSERT INTO manifest VALUES (?, ?)", (ID_KEY, uuid.uuid4().hex))


def _tables(connection: sqlite3.Connection) -> set[str]:
    return {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}


def _checked(index: IndexFile) -> Manifest:
    """Return the manifest; raises DamagedInputError when the file is another program's."""
    if not {"manifest", "chunks", "papers"} <= _tables(index.connection):
        raise DamagedInputError("this is no index of variorum", where=str(index.path), hint=ANEW_HINT)
    return index.manifest()


@contextmanager
def _faults_named(path: Path) -> Iterator[None]:
    """Turn what SQLite says of a file into errors of the family."""
    try:
        yield
    except sqlite3.OperationalError as error:
        if getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CANTOPEN) & _PRIMARY_CODE not in _OF_THE_PLACE:
            raise index_fault(error, path) from error
        raise OutputError(f"the index cannot be opened ({error})", where=str(path), hint="--index FILE") from error
    except sqlite3.DatabaseError as error:
        raise DamagedInputError(f"this is no index, or a damaged one ({error})", where=str(path), hint=ANEW_HINT) from error


def _writers_lock(path: Path) -> sqlite3.Connection:
    """Return the lock of the one writer, on a file beside the index; raises OutputError when another process holds it."""
    return exclusive_lock(
        path.with_name(path.name + _LOCK_SUFFIX),
        where=path,
        busy="another process is writing this index",
        busy_hint="wait until it is done; searches work meanwhile",
        place_hint="--index FILE",
    )


def index_size(path: Path) -> int:
    """Return the bytes of the index with what SQLite keeps beside it."""
    beside = [path.with_name(path.name + suffix) for suffix in ("", "-wal", "-shm")]
    return sum(file.stat().st_size for file in beside if file.is_file())


def quick_check(path: Path) -> str:
    """Return what SQLite says of the file's structure: ``ok``, or its first fault."""
    with closing(_connected(path, "ro")) as connection:
        (answer,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
        return str(answer)
