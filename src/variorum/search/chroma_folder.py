"""Chroma in a folder of its own, for one process at a time: looked at before it is opened, sealed when it is closed.

    index.sqlite.chroma/variorum.json       says that variorum made this folder, which of those in it is in use, and its seal
    index.sqlite.chroma/lock                held while a process has it open: Chroma knows no other process in its folder
    index.sqlite.chroma/vectors-1/          Chroma's own files
    index.sqlite.chroma/vectors-1.damaged/  set aside; nothing reads it any more

The seal is the size and SHA-256 of every file, taken when Chroma had let them go. Chroma opens a truncated file without a word
and answers from what is left of it, or dies; so files that differ from their seal are not given to it. Without a seal, as after
a kill, everything is read in another process first.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any, Final

from variorum.errors import OutputError, UsageError
from variorum.execution import WorkerLost, run
from variorum.search.chroma_door import ChromaFault, chroma, one_line, quiet_settings, told_apart
from variorum.search.locks import exclusive_lock

MARK: Final = "variorum.json"
_MADE_BY: Final = "vectors of an index of variorum"
_LOCK: Final = "lock"
_NEW_MARK: Final = f"{MARK}.new"
_BEFORE: Final = {_LOCK, _NEW_MARK}
"""What may lie in the folder before the mark does."""
_NAME: Final = "vectors"
_DAMAGED: Final = ".damaged"
_PROBE_S: Final = 600.0
_PROBED_AT_ONCE: Final = 5000
_PLACE_HINT: Final = "--chroma-path FOLDER, where you may write; or --vectors exact"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Mark:
    """What ``variorum.json`` says: the folder in use, and size and SHA-256 of its files, None while it is open."""

    folder: str
    seal: Mapping[str, tuple[int, str]] | None


class ChromaFolder:
    """The folder, open and locked until `close`. Not to be shared between threads."""

    server: None = None

    def __init__(self, path: Path) -> None:
        """Raises DependencyError without the package, UsageError for a folder that holds something else, OutputError when
        another process has it open or it cannot be written."""
        chroma()
        self.path = path
        self.where = str(path)
        self._client: Any = None
        self._said: list[str] = []
        _refuse_others(path)
        _make(path)
        self._lock = exclusive_lock(
            path / _LOCK,
            where=path,
            busy="another process has these vectors in Chroma open",
            busy_hint="--vectors exact; or for several processes a server of Chroma, with --chroma-host",
            place_hint=_PLACE_HINT,
        )
        try:
            self._folder = self._looked_at()
        except BaseException:
            self._lock.close()
            raise

    def client(self) -> Any:
        """Return Chroma's client, opened at the first call; raises ChromaFault when Chroma cannot open the files."""
        if self._client is None:
            _write_mark(self.path, _Mark(folder=self._folder.name, seal=None))
            with told_apart(None):
                self._client = _client(self._folder)
        return self._client

    def set_aside(self, name: str) -> str:
        """Return the folder that holds what was in use, now that nothing reads it any more; a new one is in use."""
        self._let_go()
        aside = self._folder.with_name(self._folder.name + _DAMAGED)
        with _faults_of_the_place(self.path):
            if self._folder.exists():
                self._folder.rename(aside)
        self._folder = self._free()
        return str(aside)

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Hold the place against others that write it; here nobody else has it open."""
        yield

    def said(self) -> tuple[str, ...]:
        """Return what happened to the place since it was asked last, a sentence each."""
        said, self._said = tuple(self._said), []
        return said

    def close(self) -> None:
        """Return None once Chroma has let the files go, they are sealed, and the lock is free."""
        was_open = self._client is not None
        try:
            self._let_go()
            if was_open:
                _write_mark(self.path, _Mark(folder=self._folder.name, seal=_seal(self._folder)))
        finally:
            self._lock.close()

    def _let_go(self) -> None:
        client, self._client = self._client, None
        if client is not None:
            with suppress(ChromaFault), told_apart(None):
                client.close()

    def _looked_at(self) -> Path:
        """Return the folder to use: the one that the mark names where it is whole, else a new one, the other set aside."""
        mark = _read_mark(self.path)
        if mark is None or not (self.path / mark.folder).is_dir():
            return self._free()
        self._folder = self.path / mark.folder
        fault = _probe_fault(self._folder) if mark.seal is None else _seal_fault(self._folder, mark.seal)
        if fault:
            aside = self.set_aside("")
            self._said.append(f"the vectors in Chroma were damaged ({fault}); set aside as {aside}, to be made anew")
        return self._folder

    def _free(self) -> Path:
        """Return a folder whose name was not in use before."""
        taken = {entry.name.removesuffix(_DAMAGED) for entry in self.path.iterdir()}
        return self.path / next(name for name in (f"{_NAME}-{i}" for i in count(1)) if name not in taken)


def _refuse_others(path: Path) -> None:
    """Return None for a folder that is not there, empty, or made here; raises UsageError for any other."""
    if path.exists() and not path.is_dir():
        raise UsageError("is a file", where=str(path), hint="--chroma-path with a folder, or a name that is free")
    if path.is_dir() and _read_mark(path) is None and not {entry.name for entry in path.iterdir()} <= _BEFORE:
        what = "this folder holds something that variorum did not put there"
        raise UsageError(what, where=str(path), hint="--chroma-path with an empty folder, or a name that is free")


def _make(path: Path) -> None:
    with _faults_of_the_place(path):
        path.mkdir(parents=True, exist_ok=True)


def _read_mark(path: Path) -> _Mark | None:
    """Return what the mark says; None when there is none, or it is not one of ours."""
    try:
        data = json.loads((path / MARK).read_text(encoding="utf-8"))
        if data["made_by"] != _MADE_BY:
            return None
        name, seal = str(data["folder"]), data["seal"]
        if not name.startswith(f"{_NAME}-") or not name.removeprefix(f"{_NAME}-").isdecimal():
            return None
        files = None if seal is None else {str(file): (int(size), str(digest)) for file, (size, digest) in seal.items()}
        return _Mark(folder=name, seal=files)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


def _write_mark(path: Path, mark: _Mark) -> None:
    """Return None once the mark is that one, written beside and put in its place, so that a kill leaves one of the two."""
    text = json.dumps({"made_by": _MADE_BY, "folder": mark.folder, "seal": mark.seal}, indent=1)
    new = path / _NEW_MARK
    with _faults_of_the_place(path):
        new.write_text(text + "\n", encoding="utf-8")
        new.replace(path / MARK)


def _seal(folder: Path) -> dict[str, tuple[int, str]]:
    """Return size and SHA-256 of every file in a folder."""
    files = sorted(file for file in folder.rglob("*") if file.is_file())
    return {file.relative_to(folder).as_posix(): (file.stat().st_size, _sha256(file)) for file in files}


def _sha256(file: Path) -> str:
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


def _seal_fault(folder: Path, seal: Mapping[str, tuple[int, str]]) -> str:
    """Return which file is not as it was sealed, '' when all are."""
    found = _seal(folder)
    for name in sorted({*found, *seal}):
        if name not in found:
            return f"{name} is missing"
        if name not in seal:
            return f"{name} was not there before"
        if found[name] != tuple(seal[name]):
            return f"{name} has changed"
    return ""


def _probe_fault(folder: Path) -> str:
    """Return what is wrong with Chroma's files, '' for nothing; found out in another process, which may die of them."""
    (answer,) = run(probe, [folder], isolated=True, limit_s=_PROBE_S)
    return f"reading them ended so: {answer}" if isinstance(answer, WorkerLost) else answer


def probe(folder: Path) -> str:
    """Return what Chroma says while all vectors in a folder are read and each collection is asked: '' or its first fault."""
    try:
        with told_apart(None):
            client = _client(folder)
            for collection in client.list_collections():
                _read_through(collection)
            client.close()
    except ChromaFault as fault:
        return one_line(fault)
    return ""


def _read_through(collection: Any) -> None:
    for start in range(0, collection.count(), _PROBED_AT_ONCE):
        found = collection.get(include=["embeddings", "metadatas"], limit=_PROBED_AT_ONCE, offset=start)
        collection.query(query_embeddings=[found["embeddings"][0]], n_results=1, include=["distances"])


def _client(folder: Path) -> Any:
    return chroma().PersistentClient(path=str(folder), settings=quiet_settings())


@contextmanager
def _faults_of_the_place(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise OutputError(f"cannot be written ({error.strerror or error})", where=str(path), hint=_PLACE_HINT) from error
