"""A file while it is fetched: what has come so far, and what is needed to ask for the rest.

``NAME.part`` holds the bytes, ``NAME.part.json`` from where they are, how many there will be and by which mark the host tells
this version of the file from another. Both are gone when the file is whole; after an interruption they are what the next call
goes on with. One process at a time works on a file.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Final

from variorum.errors import OutputError

_HINT: Final = "another folder with -o"
_BLOCK: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class Origin:
    """Where the bytes come from: address, mark of the version (a strong ETag or the date of the last change; '' without), and
    the size of the whole file, None when the host does not say."""

    url: str
    mark: str
    total: int | None


class PartialFile:
    """The bytes of a file that have come so far; made by `opened`."""

    def __init__(self, target: Path, stream: BinaryIO) -> None:
        self.target = target
        self.path = _part_of(target)
        self.size = stream.seek(0, os.SEEK_END)
        self._stream = stream

    def origin(self) -> Origin | None:
        """Return where the bytes come from; None when that is not known, and they are worth nothing."""
        try:
            found: Any = json.loads(_note_of(self.target).read_text(encoding="utf-8"))
            url, mark, total = found["url"], found["mark"], found["total"]
        except (OSError, ValueError, KeyError, TypeError):
            return None
        is_known = isinstance(url, str) and isinstance(mark, str) and (total is None or isinstance(total, int))
        return Origin(url, mark, total) if is_known else None

    def restart(self, origin: Origin | None = None) -> None:
        """Return None once no bytes are there; those to come are of `origin`."""
        with _as_output_error(self.path):
            self._stream.seek(0)
            self._stream.truncate()
            self.size = 0
            note = _note_of(self.target)
            if origin is None:
                note.unlink(missing_ok=True)
            else:
                data = {"url": origin.url, "mark": origin.mark, "total": origin.total}
                note.write_text(json.dumps(data), encoding="utf-8")

    def add(self, data: bytes) -> None:
        """Return None once the bytes are behind those that were there."""
        with _as_output_error(self.path):
            self._stream.write(data)
            self.size += len(data)

    def flush(self) -> None:
        """Return None once all bytes are in the file."""
        with _as_output_error(self.path):
            self._stream.flush()

    def finish(self) -> str:
        """Return the SHA-256 of the file once it stands whole under its name, in place of one that was there."""
        self.flush()
        with _as_output_error(self.target):
            digest = sha256_of(self.path)
            os.replace(self.path, self.target)
            _note_of(self.target).unlink(missing_ok=True)
        return digest

    def discard(self) -> None:
        """Return None once nothing is left of the bytes."""
        self.restart()
        with _as_output_error(self.path):
            self.path.unlink(missing_ok=True)


@contextlib.contextmanager
def opened(target: Path) -> Iterator[PartialFile]:
    """Yield the partial file of a target, whose folder is made; nothing else writes it meanwhile.

    Raises OutputError when it cannot be written, or another process fetches it.
    """
    path = _part_of(target)
    with _as_output_error(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        stream = os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT, 0o666), "r+b")
    with stream:
        if not _locked(stream) or not _is_still_there(stream, path):
            hint = "wait until it is done"
            raise OutputError("another process fetches this file", where=str(target), hint=hint)
        partial = PartialFile(target, stream)
        try:
            yield partial
        finally:
            partial.flush()
            if partial.size == 0 and _is_still_there(stream, path):
                path.unlink(missing_ok=True)
                _note_of(target).unlink(missing_ok=True)


def sha256_of(path: Path) -> str:
    """Return the SHA-256 of a file, in hexadecimal digits."""
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        while block := file.read(_BLOCK):
            digest.update(block)
    return digest.hexdigest()


def _locked(stream: BinaryIO) -> bool:
    """Return whether the file is ours alone; on systems without such locks it is taken to be."""
    try:
        import fcntl
    except ImportError:
        return True
    try:
        fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _is_still_there(stream: BinaryIO, path: Path) -> bool:
    """Return whether the open file is the one of that name: another process may have finished it just before the lock."""
    try:
        return os.path.samestat(os.fstat(stream.fileno()), os.stat(path))
    except OSError:
        return False


def _part_of(target: Path) -> Path:
    return target.with_name(f"{target.name}.part")


def _note_of(target: Path) -> Path:
    return target.with_name(f"{target.name}.part.json")


@contextlib.contextmanager
def _as_output_error(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise OutputError(f"cannot be written ({error.strerror or error})", where=str(path), hint=_HINT) from error
