"""Large indexes for bench.scale: texts of abstracts recombined, their vectors moved by noise, all drawn by a fixed seed."""

from __future__ import annotations

import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, Final

from bench._search_index import plain_document
from variorum.document import SectionLabel
from variorum.libraries.model import Creator, ItemDate, LibraryItem, LibraryRef
from variorum.search.contents import Prepared, add_vectors, packed, put_document
from variorum.search.holdings import put_item, put_paper
from variorum.search.manifest import Manifest
from variorum.search.model import Chunk
from variorum.search.store import open_index, open_writer
from variorum.search.words import TOKENIZER, search_form

CHUNKS_A_PAPER: Final = 50
FIRST_YEAR: Final = 1995
YEARS: Final = 30
EVERY_TAG: Final = 10
EVERY_AUTHOR: Final = 200
_SEED: Final = 20261201
_NOISE: Final = 0.5  # its length beside a vector of length 1: the cosine with what it was is then about 0.9
_LIBRARY: Final = LibraryRef(id="user", name="My Library", kind="user")
_SECTIONS: Final[tuple[SectionLabel, ...]] = ("introduction", "methods", "results", "discussion", "conclusion")
_PAPERS_AT_ONCE: Final = 50


class Source:
    """The chunks that are recombined: their sentences and vectors."""

    def __init__(self, path: Path) -> None:
        import numpy as np

        with open_index(path) as index:
            self.manifest = index.manifest()
            rows = index.connection.execute(
                "SELECT c.text FROM chunks c JOIN documents d ON d.id = c.document_id ORDER BY d.kind, d.sha256, c.seq"
            )
            self.sentences = [text.split(". ") for (text,) in rows]
            data = index.connection.execute(
                "SELECT v.data FROM vectors v JOIN documents d ON d.id = v.document_id ORDER BY d.kind, d.sha256"
            )
            vectors = np.frombuffer(b"".join(blob for (blob,) in data), dtype="<f4")
            self.vectors = vectors.reshape(len(self.sentences), -1)

    def drawn(self, count: int) -> Iterator[tuple[list[str], Any]]:
        """Yield papers of `CHUNKS_A_PAPER` texts and their vectors, `count` texts in all."""
        import numpy as np

        draw = np.random.default_rng(_SEED)
        width = self.vectors.shape[1]
        for _ in range(count // CHUNKS_A_PAPER):
            main, beside = draw.integers(0, len(self.sentences), (2, CHUNKS_A_PAPER))
            noise = draw.normal(scale=_NOISE / width**0.5, size=(CHUNKS_A_PAPER, width)).astype(np.float32)
            vectors = self.vectors[main] + noise
            yield (
                [self._recombined(draw, int(a), int(b)) for a, b in zip(main, beside, strict=True)],
                vectors / np.linalg.norm(vectors, axis=1, keepdims=True),
            )

    def _recombined(self, draw: Any, main: int, beside: int) -> str:
        """Return the sentences of a text, one of them exchanged for one of another text."""
        own, other = list(self.sentences[main]), self.sentences[beside]
        own[int(draw.integers(len(own)))] = other[int(draw.integers(len(other)))]
        return ". ".join(own)


def make_large(path: Path, source: Source, count: int) -> None:
    """Return None once there is an index of so many chunks at the path, every paper with an item, a year, tags, an author."""
    made = source.manifest
    manifest = Manifest(
        reading=made.reading,
        tokenizer=made.tokenizer,
        max_tokens=made.max_tokens,
        model=made.model,
        dimension=made.dimension,
    )
    papers = enumerate(source.drawn(count))
    with open_writer(path, manifest) as index:
        while batch := [paper for _, paper in zip(range(_PAPERS_AT_ONCE), papers, strict=False)]:
            with index.transaction() as connection:
                for i, (texts, vectors) in batch:
                    _put(connection, i, texts, vectors)
            print(f"\r{(batch[-1][0] + 1) * CHUNKS_A_PAPER}/{count} chunks", end="", file=sys.stderr)
    print(file=sys.stderr)


def _put(connection: sqlite3.Connection, number: int, texts: list[str], vectors: Any) -> None:
    key, title = f"P{number:05}", f"Paper {number}"
    item = LibraryItem(
        in_library=_LIBRARY,
        key=key,
        item_type="journalArticle",
        title=title,
        plain_title=title,
        creators=(Creator(role="author", last=f"Author{number % EVERY_AUTHOR}", first="Ada"),),
        date=ItemDate(raw=str(FIRST_YEAR + number % YEARS), year=FIRST_YEAR + number % YEARS),
        tags=(f"tag{number % EVERY_TAG}",),
    )
    document = plain_document(key, title, "\n".join(texts))
    chunks = tuple(
        Chunk(
            kind="passage",
            section=_SECTIONS[i * len(_SECTIONS) // len(texts)],
            text=text,
            context=title,
        )
        for i, text in enumerate(texts)
    )
    prepared = Prepared(title=title, page_count=0, data=packed(document), sections=(), floats=(), chunks=chunks)
    item_id, _ = put_item(connection, "bench", item)
    document_id = put_document(connection, document.sha256, prepared)
    put_paper(connection, item_id, key, "", (0, 0), document.sha256, "indexed", "", document_id)
    add_vectors(connection, document_id, vectors)


def plain_table_bytes(index: Path, place: Path) -> int:
    """Return the size of a file with nothing but a plain FTS5 table of an index's texts, with the texts in it."""
    with closing(sqlite3.connect(place)) as made, open_index(index) as opened:
        made.execute(f'CREATE VIRTUAL TABLE plain USING fts5(text, tokenize="{TOKENIZER}")')
        rows = opened.connection.execute("SELECT id, text FROM chunks ORDER BY id")
        made.executemany("INSERT INTO plain (rowid, text) VALUES (?, ?)", ((i, search_form(text)) for i, text in rows))
        made.commit()
    return place.stat().st_size
