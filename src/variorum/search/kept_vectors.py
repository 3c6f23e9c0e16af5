"""Vectors that are made once: kept by their texts in a file, which outlives every index of the same texts.

Where chunks, tables or the code that reads papers change, an index is built anew. Most of its texts stay as they were.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Final

from variorum.errors import OutputError
from variorum.search.embeddings import ModelIdentity, OnnxEmbedder

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_TABLE: Final = "CREATE TABLE IF NOT EXISTS vectors (name BLOB PRIMARY KEY, data BLOB NOT NULL) WITHOUT ROWID"
_HINT: Final = "space and rights there; the file can be removed, it holds nothing that cannot be made again"


class KeptVectors:
    """An embedder that makes a vector only where the file has none of the same text by the same model.

    A file that is damaged, or something else, is made anew: nothing in it is lost for good.
    """

    def __init__(self, embedder: OnnxEmbedder, path: Path) -> None:
        """Raises OutputError when the file cannot be opened or made."""
        self.tokenizer = embedder.tokenizer
        self._embedder = embedder
        self._path = path
        self._asked: set[bytes] = set()
        with self._refusals_told():
            self._kept = _opened(path)

    def __enter__(self) -> KeptVectors:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._kept.close()

    @property
    def identity(self) -> ModelIdentity:
        """What model it is."""
        return self._embedder.identity

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return what the embedder would; what is made is kept. Raises OutputError when it cannot be."""
        import numpy as np

        out = np.zeros((len(texts), self.identity.dimension), dtype=np.float32)
        names = [hashlib.sha256(f"{self.identity.id}\n{text}".encode()).digest() for text in texts]
        self._asked.update(names)
        new = []
        for i, name in enumerate(names):
            data = self._data(name)
            if len(data) == out[i].nbytes:
                out[i] = np.frombuffer(data, dtype="<f4")
            else:
                new.append(i)
        if new:
            out[new] = self._embedder.embed([texts[i] for i in new])
            rows = [(names[i], out[i].astype("<f4").tobytes()) for i in new]
            with self._refusals_told(), self._kept:
                self._kept.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?)", rows)
        return out

    def forget_others(self) -> None:
        """Return None once the file holds the vectors of texts that were asked for here, and no others."""
        with self._refusals_told(), self._kept:
            known = [name for (name,) in self._kept.execute("SELECT name FROM vectors")]
            others = ((name,) for name in known if name not in self._asked)
            self._kept.executemany("DELETE FROM vectors WHERE name = ?", others)

    def _data(self, name: bytes) -> bytes:
        with self._refusals_told():
            row = self._kept.execute("SELECT data FROM vectors WHERE name = ?", (name,)).fetchone()
        return row[0] if row is not None and isinstance(row[0], bytes) else b""

    @contextmanager
    def _refusals_told(self) -> Iterator[None]:
        try:
            yield
        except (OSError, sqlite3.Error) as error:
            raise OutputError(f"vectors cannot be kept here ({error})", where=str(self._path), hint=_HINT) from error


def _opened(path: Path) -> sqlite3.Connection:
    """Return the connection to a file with the table, made anew where it is damaged or something else."""
    connection = sqlite3.connect(path)
    try:
        (state,) = connection.execute("PRAGMA quick_check(1)").fetchone()
        if state != "ok":
            raise sqlite3.DatabaseError(state)
        connection.execute(_TABLE)
        connection.execute("SELECT name, data FROM vectors LIMIT 1")
    except sqlite3.DatabaseError as error:
        connection.close()
        if isinstance(error, sqlite3.OperationalError) and not str(error).startswith("no such column"):
            raise  # of the place: rights, space
        for suffix in ("", "-journal"):
            with suppress(FileNotFoundError):
                path.with_name(path.name + suffix).unlink()
        connection = sqlite3.connect(path)
        connection.execute(_TABLE)
    return connection
