"""The open index of a server, in the one thread that may use it.

SQLite and the vectors in memory belong to a thread, and a model takes a second to load. So the index is opened once, at the
first question, and all questions go through one thread, one after the other. It is opened anew when the file is another one, or
was made again by other rules or another model.
"""

from __future__ import annotations

import asyncio
import hashlib
import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

from variorum.errors import DamagedInputError, InputNotFoundError
from variorum.search.opening import open_searcher
from variorum.search.retrieval import Searcher
from variorum.search.store import IndexFile

if TYPE_CHECKING:
    from variorum.apps.mcp.settings import Settings

R = TypeVar("R")

_STATE: Final = (
    "SELECT key, value FROM manifest ORDER BY key",
    "SELECT source, in_library, library_name, key, item_type, title, year, publication, citation_key, record,"
    " record_id FROM items"
    " ORDER BY id",
    "SELECT item_id, attachment, document_id FROM papers ORDER BY id",
    "SELECT kind, sha256, is_chunked FROM documents ORDER BY id",
    "SELECT document_id, count FROM vectors ORDER BY document_id",
)


class IndexDoor:
    """The way of all tools to the index."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="index")
        self._open = ExitStack()
        self._opened: tuple[object, Searcher] | None = None

    @property
    def index(self) -> Path:
        """The file of the index."""
        return self._settings.index

    async def ask(self, question: Callable[[Searcher], R]) -> R:
        """Return what `question` makes of the open index; raises what it and `open_searcher` raise, and DamagedInputError."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, partial(self._asked, question))

    def close(self) -> None:
        """Return None once the file is let go."""
        self._thread.submit(self._let_go).result()
        self._thread.shutdown()

    def _asked(self, question: Callable[[Searcher], R]) -> R:
        try:
            return question(self._searcher())
        except sqlite3.DatabaseError as error:
            self._let_go()
            raise DamagedInputError(
                f"the index cannot be read ({error})", where=str(self._settings.index), hint="variorum index --verify"
            ) from error

    def _searcher(self) -> Searcher:
        if self._opened is not None:
            identity, searcher = self._opened
            if identity == self._identity(searcher.index):
                return searcher
        self._let_go()
        settings = self._settings
        if not settings.index.exists():
            raise InputNotFoundError("there is no index yet", where=str(settings.index), hint="index_library makes it")
        searcher = self._open.enter_context(
            open_searcher(settings.index, model=settings.model, ranking=settings.ranking, vectors=settings.vectors)
        )
        self._opened = (self._identity(searcher.index), searcher)
        return searcher

    def _identity(self, index: IndexFile) -> object:
        """Return what changes when the file is another one or was made anew; None where there is no file."""
        return _file(self._settings.index), index.manifest()

    def _let_go(self) -> None:
        self._opened = None
        self._open.close()


def state_of(index: IndexFile) -> str:
    """Return a short text that is the same while an index answers the same: a digest of its items, papers and vectors."""
    digest = hashlib.sha256()
    for query in _STATE:
        for row in index.connection.execute(query):
            digest.update(repr(row).encode("utf-8", "backslashreplace"))
    return digest.hexdigest()


def _file(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino
