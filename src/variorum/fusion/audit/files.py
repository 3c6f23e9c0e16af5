"""The log as a file: locked while it is used, appended to in one piece, and its head kept beside it.

``LOG.head`` holds number and hash of the last record. The chain alone cannot tell that records were cut off its end, for what
is left is a whole chain; the head can. It is written after the log, so that a crash leaves it behind the log, never before it.
"""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Final

from variorum.document.writing import write_whole
from variorum.errors import AuditError, InputNotFoundError, OutputError
from variorum.fusion.audit.chain import canonical

HEAD_ENDING: Final = ".head"
_HINT: Final = "another file for the log"


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """The end of a log: how many records it has, how many runs, and the hash of the last record."""

    records: int
    runs: int
    hash: str


def head_path(log: Path) -> Path:
    """Return where the head of a log is kept."""
    return log.with_name(log.name + HEAD_ENDING)


def read_head(log: Path) -> Head | None:
    """Return the head that is kept beside the log, None without one; raises AuditError when the file holds something else."""
    path = head_path(log)
    try:
        data = json.loads(path.read_bytes())
        head = Head(records=data["records"], runs=data["runs"], hash=data["hash"])
    except FileNotFoundError:
        return None
    except OSError as error:
        raise AuditError(
            f"cannot be read ({error.strerror or error})", where=str(path), hint="check its permissions"
        ) from error
    except (ValueError, KeyError, TypeError, RecursionError):
        head = None
    if head is None or [type(head.records), type(head.runs), type(head.hash)] != [int, int, str]:
        raise AuditError("is no head of an audit log", where=str(path), hint="variorum audit verify LOG --expect-head HASH")
    return head


def write_head(log: Path, head: Head) -> None:
    """Return when the head is kept beside the log, whole; raises OutputError when it cannot be."""
    plain = {"records": head.records, "runs": head.runs, "hash": head.hash}
    write_whole(head_path(log), (canonical(plain) + "\n").encode("ascii"), hint=_HINT)


@contextmanager
def reading(log: Path) -> Iterator[BinaryIO]:
    """Yield the log from its beginning, while nobody appends to it.

    Raises InputNotFoundError when it is missing or may not be read.
    """
    try:
        file = open(log, "rb")  # noqa: SIM115  (closed by the with below; only opening it may fail so)
    except (OSError, ValueError) as error:
        what = "no such audit log" if isinstance(error, FileNotFoundError) else f"cannot be read ({_reason(error)})"
        raise InputNotFoundError(what, where=str(log), hint="the audit.jsonl that variorum fuse wrote") from error
    with file, _locked(file, shared=True):
        yield file


@contextmanager
def appending(log: Path) -> Iterator[io.FileIO]:
    """Yield the log to read it and to append to it, made if it is not there, while nobody else uses it; raises OutputError."""
    try:
        log.parent.mkdir(parents=True, exist_ok=True)
        file = io.FileIO(log, "a+")
    except (OSError, ValueError) as error:
        raise OutputError(f"cannot be written ({_reason(error)})", where=str(log), hint=_HINT) from error
    with file, _locked(file, shared=False):
        yield file


@contextmanager
def buffered(file: io.FileIO) -> Iterator[BinaryIO]:
    """Yield the open log for reading line by line; it stays open."""
    reader = io.BufferedReader(file)
    try:
        yield reader
    finally:
        reader.detach()


def append(file: io.FileIO, data: bytes, log: Path) -> None:
    """Return once all of the data stands at the end of the log and on the disk.

    Raises OutputError when it cannot be written; the log is then as it was.
    """
    before = file.seek(0, os.SEEK_END)
    try:
        left = memoryview(data)
        while left:
            left = left[file.write(left) :]
        os.fsync(file.fileno())
    except BaseException as error:
        with suppress(OSError):  # what could not be taken back is found as a torn end
            os.ftruncate(file.fileno(), before)
        if isinstance(error, OSError):
            raise OutputError(f"cannot be written ({_reason(error)})", where=str(log), hint=_HINT) from error
        raise


def last_line(file: io.FileIO) -> bytes:
    """Return the last line of a log, with its end where it has one; read from behind, however long the log is."""
    at = file.seek(0, os.SEEK_END)
    tail = b""
    while at and b"\n" not in tail[:-1]:
        size = min(at, io.DEFAULT_BUFFER_SIZE)
        at = file.seek(at - size)
        tail = _exactly(file, size) + tail
    return tail[tail[:-1].rfind(b"\n") + 1 :]


def _exactly(file: io.FileIO, size: int) -> bytes:
    """Return the next bytes of the file, as many as are there up to the size."""
    found = b""
    while len(found) < size and (more := file.read(size - len(found))):
        found += more
    return found


@contextmanager
def _locked(file: Any, *, shared: bool) -> Iterator[None]:
    """Yield while the file is locked: by one that appends, or by any number that read; raises OutputError."""
    if sys.platform == "win32":
        import msvcrt

        place = file.tell()
        file.seek(0)
        msvcrt.locking(file.fileno(), msvcrt.LK_LOCK, 1)
        file.seek(place)
        try:
            yield
        finally:
            file.seek(0)
            msvcrt.locking(file.fileno(), msvcrt.LK_UNLCK, 1)
    else:
        import fcntl

        try:
            fcntl.flock(file.fileno(), fcntl.LOCK_SH if shared else fcntl.LOCK_EX)
        except OSError as error:
            what = f"cannot be locked ({_reason(error)})"
            raise OutputError(what, where=str(file.name), hint="a file system that can lock files") from error
        try:
            yield
        finally:
            fcntl.flock(file.fileno(), fcntl.LOCK_UN)


def _reason(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error)
