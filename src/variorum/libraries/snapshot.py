"""A copy of a SQLite database that another program has open, as it stood at one moment; the original is only read.

Zotero keeps its database locked while it runs. In WAL mode the newest rows are in a second file, and opening the original
read-only either fails or does not see them. So the files are copied: the database, its ``-wal`` and its ``-journal``, never the
``-shm``. They are compared byte for byte with the originals after the last of them was copied: if none changed, they belong
together. Only the copy is opened, and there SQLite does what it does after a crash: it takes in the ``-wal``, or rolls an
unfinished transaction back.

A journal may name a file that belongs to a transaction over several databases: while that file is there, the transaction is
unfinished. SQLite would look for it when the copy is opened, beside the original and at a later moment. So it is looked for
here, before the files are compared, and the name taken out of the copy.

Source: the SQLite documentation, "Write-Ahead Logging", "Atomic Commit", and section 3 of "Database File Format".
"""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from variorum.errors import DamagedInputError, InputNotFoundError, OutputError

_ATTEMPTS: Final = 12
_FIRST_PAUSE_S: Final = 0.1
_LONGEST_PAUSE_S: Final = 1.0
"""The first is waited before the second attempt, then the double each time up to the longest: 8 seconds in all. Zotero writes
often while it imports or syncs, but rests between."""

_PRIMARY_CODE: Final = 0xFF
_CODES_OF_PLACE: Final = (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY)
"""Faults of the place of the copy, not of the database; the low byte of a code is its kind."""

_COMPANIONS: Final = ("", "-wal", "-journal")
_BLOCK_BYTES: Final = 1 << 20
_HEADER: Final = b"SQLite format 3\x00"
_JOURNAL_MAGIC: Final = bytes.fromhex("d9d505f920a163d7")
_WORD_BYTES: Final = 4
_SIGN_BIT: Final = 0x80
_WAL_VERSION: Final = 2
_WRITE_VERSION_AT: Final = 18
"""Where the header says how the database is written: 2 for WAL (Database File Format, 1.3.3)."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """An open copy: the connection to it, and the journal mode of the original (``wal`` or ``rollback``).

    `beside` are the endings of the files that were copied with it, such as ``-wal``.
    """

    connection: sqlite3.Connection
    journal_mode: str
    beside: tuple[str, ...]


class _Changed(Exception):  # noqa: N818 (a reason to try again, never seen outside)
    """A file changed while the files were copied."""


@contextmanager
def snapshot(path: Path, *, pause: Callable[[float], None] = time.sleep) -> Iterator[Snapshot]:
    """Yield a copy of the database as it stood at one moment, with all that was committed; it is gone when the block is left.

    `pause` waits for some seconds before another attempt. Raises InputNotFoundError when there is no such file or it may not be
    read, OutputError when the temporary folder cannot hold the copy, and DamagedInputError when it is no SQLite database,
    stays damaged, or is written to so much that no moment without a change was found.
    """
    with _temporary_folder() as folder:
        found = _consistent_copy(path, folder, pause)
        with closing(found.connection):
            yield found


@contextmanager
def _temporary_folder() -> Iterator[Path]:
    """Yield a new folder that only this user can read; raises OutputError when there can be none."""
    try:
        folder = tempfile.TemporaryDirectory(prefix="variorum-", ignore_cleanup_errors=True)
    except OSError as error:
        raise _no_room("no temporary folder can be made", str(error.filename or "TMPDIR"), error.strerror) from error
    with folder as name:
        yield Path(name)


def _no_room(what: str, where: str, why: object) -> OutputError:
    return OutputError(f"{what} ({why})", where=where, hint="TMPDIR=FOLDER names a folder with more room")


def _consistent_copy(path: Path, folder: Path, pause: Callable[[float], None]) -> Snapshot:
    faults: list[str] = []
    hint = ""
    for attempt in range(_ATTEMPTS):
        if attempt:
            pause(min(_LONGEST_PAUSE_S, _FIRST_PAUSE_S * 2 ** (attempt - 1)))
        place = folder / str(attempt)
        try:
            beside = _copy_all(path, place)
            return Snapshot(_checked(place / path.name), _journal_mode(place / path.name), beside)
        except _Changed as error:
            faults.append(f"it is written to all the time ({error})")
            hint = "again when Zotero is done importing or syncing, or with Zotero closed"
        except sqlite3.DatabaseError as error:
            if getattr(error, "sqlite_errorcode", 0) & _PRIMARY_CODE in _CODES_OF_PLACE:
                raise _no_room(f"a copy of {path.name} cannot be opened", str(folder), error) from error
            faults.append(f"the database is damaged ({error})")
            hint = "restore a backup, such as zotero.sqlite.bak, with Zotero closed"
            if faults.count(faults[-1]) > 1:  # a second look at a second copy finds the same
                break
        shutil.rmtree(place, ignore_errors=True)
    raise DamagedInputError(faults[-1], where=str(path), hint=hint)


def _copy_all(path: Path, place: Path) -> tuple[str, ...]:
    """Return the endings of the companions copied; raises _Changed unless all copies are of the same moment."""
    _refuse_other_files(path)
    try:
        place.mkdir()
        copied = [ending for ending in _COMPANIONS if _copy_file(_beside(path, ending), _beside(place / path.name, ending))]
    except OSError as error:
        if error.filename is not None and Path(error.filename).parent == path.parent:
            raise _unreadable(path, error) from error
        raise _no_room(f"a copy of {path.name} cannot be written", str(place.parent), error.strerror) from error
    journal = _beside(place / path.name, "-journal")
    settled = _settled_journal(journal)  # asked before the files are compared, so that it holds for the moment they are of
    for ending in _COMPANIONS:
        original, copy = _beside(path, ending), _beside(place / path.name, ending)
        if not _is_same(original, copy if ending in copied else None):
            raise _Changed(f"{original.name} changed")
    if settled is not None:
        journal.write_bytes(settled)
    return tuple(ending for ending in copied if ending)


def _refuse_other_files(path: Path) -> None:
    try:
        with open(path, "rb") as file:
            head = file.read(len(_HEADER))
    except OSError as error:
        raise _unreadable(path, error) from error
    if head != _HEADER:
        what = "the file is empty" if not head else "not a SQLite database"
        raise DamagedInputError(what, where=str(path), hint="another copy of the file, such as zotero.sqlite.bak")


def _unreadable(path: Path, error: OSError) -> InputNotFoundError:
    if isinstance(error, FileNotFoundError):
        return InputNotFoundError("no such file", where=str(path), hint="check the path")
    return InputNotFoundError(f"cannot be read ({error.strerror})", where=str(path), hint="check path and permissions")


def _beside(path: Path, ending: str) -> Path:
    return path.with_name(path.name + ending)


def _copy_file(original: Path, copy: Path) -> bool:
    """Return whether there was such a file to copy."""
    try:
        source = open(original, "rb")  # noqa: SIM115 (closed below)
    except FileNotFoundError:
        return False
    with source, open(copy, "wb") as target:
        shutil.copyfileobj(source, target, _BLOCK_BYTES)
    return True


def _is_same(original: Path, copy: Path | None) -> bool:
    """Return whether the original still is what was copied; `copy` is None where there was none."""
    try:
        file = open(original, "rb")  # noqa: SIM115 (closed below)
    except FileNotFoundError:
        return copy is None
    with file:
        if copy is None:
            return False
        with open(copy, "rb") as other:
            while block := file.read(_BLOCK_BYTES):
                if other.read(_BLOCK_BYTES) != block:
                    return False
            return not other.read(1)


def _settled_journal(journal: Path) -> bytes | None:
    """Return what a copied journal must hold to stand for itself; None where it does so already, or there is none.

    It does not where it names a file shared by the databases of one transaction. The name stands at its end: a page number, the
    name, its length, the sum of its bytes, 8 bytes of magic.
    """
    if not journal.is_file():
        return None
    data = journal.read_bytes()
    tail = len(_JOURNAL_MAGIC) + 2 * _WORD_BYTES
    if len(data) < tail or data[-len(_JOURNAL_MAGIC) :] != _JOURNAL_MAGIC:
        return None
    length = int.from_bytes(data[-tail : -tail + _WORD_BYTES], "big")
    total = int.from_bytes(data[-tail + _WORD_BYTES : -len(_JOURNAL_MAGIC)], "big")
    name = data[-tail - length : -tail] if 0 < length < len(data) - tail else b""
    sums = (sum(name), sum(byte - 2 * (byte & _SIGN_BIT) for byte in name))  # a char of C has a sign on some machines
    if not name or total not in [s % 2**32 for s in sums]:
        return None
    is_unfinished = Path(name.decode("utf-8", "surrogateescape")).exists()
    return data[: -tail - length - _WORD_BYTES] if is_unfinished else b""


def _journal_mode(copy: Path) -> str:
    with open(copy, "rb") as file:
        file.seek(_WRITE_VERSION_AT)
        return "wal" if file.read(1) == bytes([_WAL_VERSION]) else "rollback"


def _checked(copy: Path) -> sqlite3.Connection:
    """Return the connection to a sound copy; raises sqlite3.DatabaseError when it is damaged."""
    connection = sqlite3.connect(copy)
    try:
        connection.row_factory = sqlite3.Row
        connection.text_factory = lambda data: data.decode("utf-8", "replace")
        found = [str(row[0]) for row in connection.execute("PRAGMA quick_check(1)")]
        if found != ["ok"]:
            raise sqlite3.DatabaseError(found[0].replace("\n", " ") if found else "no answer to quick_check")
        connection.execute("PRAGMA query_only = 1")
    except UnicodeDecodeError as error:  # of a message of SQLite that quotes what is damaged
        connection.close()
        raise sqlite3.DatabaseError("its own description is garbled") from error
    except BaseException:
        connection.close()
        raise
    return connection
