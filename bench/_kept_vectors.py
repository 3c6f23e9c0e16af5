"""Vectors that are made once: kept by their texts in a file, which outlives every index of the same texts.

A change of the chunks or of the tables makes bench.search build its indexes anew. Most of their texts stay as they were.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from variorum.search.embeddings import ModelIdentity, OnnxEmbedder

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class KeptVectors:
    """An embedder that makes a vector only where the file has none of the same text by the same model."""

    def __init__(self, embedder: OnnxEmbedder, path: Path) -> None:
        self.tokenizer = embedder.tokenizer
        self._embedder = embedder
        self._kept = sqlite3.connect(path)
        self._kept.execute("CREATE TABLE IF NOT EXISTS vectors (name BLOB PRIMARY KEY, data BLOB NOT NULL) WITHOUT ROWID")

    @property
    def identity(self) -> ModelIdentity:
        """What model it is."""
        return self._embedder.identity

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return what the embedder would; what is made is kept."""
        import numpy as np

        out = np.zeros((len(texts), self.identity.dimension), dtype=np.float32)
        names = [hashlib.sha256(f"{self.identity.id}\n{text}".encode()).digest() for text in texts]
        found = [self._kept.execute("SELECT data FROM vectors WHERE name = ?", (name,)).fetchone() for name in names]
        new = [i for i, row in enumerate(found) if row is None]
        for i, row in enumerate(found):
            if row is not None:
                out[i] = np.frombuffer(row[0], dtype="<f4")
        if new:
            out[new] = self._embedder.embed([texts[i] for i in new])
            rows = [(names[i], out[i].astype("<f4").tobytes()) for i in new]
            with self._kept:
                self._kept.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?)", rows)
        return out
