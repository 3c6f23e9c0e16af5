"""What is written about documents: their JSON, sections, tables and figures, chunks with their words, vectors; and its removal.

Every function works inside the caller's transaction. Of the words of a chunk FTS5 keeps an index only, not the text; to take
them out it is told the same words again, which `search_form` makes of the same chunk.
"""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final

from variorum.document import Document, Figure, Table
from variorum.document.citing import passages_citing
from variorum.document.flow import page_of
from variorum.geometry import Box
from variorum.search.model import Chunk, Span
from variorum.search.words import search_form

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

CHUNK_COLUMNS: Final = "kind, section, heading, text, context, citing, page_num, page_end, page_label, bbox, spans, target"
"""The columns that `chunk_of` reads, in their order."""
_LEVEL: Final = 6  # of zlib: its default, named so that the bytes do not depend on it


def packed(document: Document) -> bytes:
    """Return the document's JSON as it is kept; raises SchemaError when it contradicts itself."""
    return zlib.compress(document.to_json().encode(), _LEVEL)


def unpacked(data: bytes) -> Document:
    """Return the document that was packed."""
    return Document.from_json(zlib.decompress(data).decode())


def add_paper(connection: sqlite3.Connection, sha256: str, document: Document, data: bytes) -> int:
    """Return the id of a new document without chunks yet; `data` is the document, packed."""
    title = document.identity.title or document.source_name
    cursor = connection.execute(
        "INSERT INTO documents (kind, sha256, title, page_count, json, is_chunked) VALUES ('paper', ?, ?, ?, ?, 0)",
        (sha256, title, document.page_count, data),
    )
    document_id = int(cursor.lastrowid or 0)
    texts = {c.id: c.text for c in document.components}
    connection.executemany(
        "INSERT INTO sections VALUES (?, ?, ?, ?, ?, ?)",
        [
            (document_id, seq, s.label, texts[s.heading] if s.heading else "", s.first, s.last)
            for seq, s in enumerate(document.sections)
        ],
    )
    connection.executemany("INSERT INTO floats VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", _floats(document_id, document))
    return document_id


def add_record(connection: sqlite3.Connection, sha256: str, title: str, text: str) -> int:
    """Return the id of the document that holds what a library says of an item; made, with its one chunk, when it is new."""
    known = connection.execute("SELECT id FROM documents WHERE kind = 'record' AND sha256 = ?", (sha256,)).fetchone()
    if known is not None:
        return int(known[0])
    cursor = connection.execute(
        "INSERT INTO documents (kind, sha256, title, page_count, json, is_chunked) VALUES ('record', ?, ?, 0, NULL, 0)",
        (sha256, title),
    )
    document_id = int(cursor.lastrowid or 0)
    add_chunks(connection, document_id, [Chunk(kind="record", text=text)])
    return document_id


def add_chunks(connection: sqlite3.Connection, document_id: int, chunks: Sequence[Chunk]) -> None:
    """Return None once the document has these chunks, with their words; it must have none before."""
    for seq, chunk in enumerate(chunks):
        cursor = connection.execute(
            f"INSERT INTO chunks (document_id, seq, {CHUNK_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (document_id, seq, *_chunk_row(chunk)),
        )
        connection.execute(
            "INSERT INTO words (rowid, text, context, citing) VALUES (?, ?, ?, ?)",
            (cursor.lastrowid, *map(search_form, (chunk.text, chunk.context, chunk.citing))),
        )
    connection.execute("UPDATE documents SET is_chunked = 1 WHERE id = ?", (document_id,))


def add_vectors(connection: sqlite3.Connection, document_id: int, vectors: NDArray[np.float32]) -> None:
    """Return None once the document has these vectors, shape (chunks, dimension), in the order of its chunks."""
    data = vectors.astype("<f4").tobytes()
    connection.execute("INSERT OR REPLACE INTO vectors VALUES (?, ?, ?)", (document_id, len(vectors), data))


def remove_chunks(connection: sqlite3.Connection, document_id: int) -> None:
    """Return None once the document has no chunks, words and vectors."""
    rows = connection.execute("SELECT id, text, context, citing FROM chunks WHERE document_id = ?", (document_id,)).fetchall()
    for chunk_id, *texts in rows:
        connection.execute(
            "INSERT INTO words (words, rowid, text, context, citing) VALUES ('delete', ?, ?, ?, ?)",
            (chunk_id, *map(search_form, texts)),
        )
    connection.execute("DELETE FROM vectors WHERE document_id = ?", (document_id,))
    connection.execute("DELETE FROM chunks WHERE document_id = ?", (document_id,))
    connection.execute("UPDATE documents SET is_chunked = 0 WHERE id = ?", (document_id,))


def remove_all_chunks(connection: sqlite3.Connection) -> None:
    """Return None once no document has chunks, whatever rules made their words."""
    connection.execute("INSERT INTO words (words) VALUES ('delete-all')")
    connection.execute("DELETE FROM vectors")
    connection.execute("DELETE FROM chunks")
    connection.execute("UPDATE documents SET is_chunked = 0")


def sweep(connection: sqlite3.Connection) -> int:
    """Return how many documents were removed, because no paper and no item holds them any more."""
    orphans = connection.execute(
        "SELECT id FROM documents WHERE id NOT IN (SELECT document_id FROM papers WHERE document_id IS NOT NULL)"
        " AND id NOT IN (SELECT record_id FROM items WHERE record_id IS NOT NULL)"
    ).fetchall()
    for (document_id,) in orphans:
        remove_chunks(connection, document_id)
        connection.execute("DELETE FROM documents WHERE id = ?", (document_id,))
    return len(orphans)


def vector_text(text: str, context: str) -> str:
    """Return what the vector of a chunk is made of: its context, then its text."""
    return f"{context}\n{text}" if context else text


def chunk_of(row: Sequence[Any]) -> Chunk:
    """Return the chunk that a row of `CHUNK_COLUMNS` holds."""
    kind, section, heading, text, context, citing, page_num, page_end, page_label, bbox, spans, target = row
    return Chunk(
        kind=kind,
        section=section,
        heading=heading,
        text=text,
        context=context,
        citing=citing,
        page_num=page_num,
        page_end=page_end,
        page_label=page_label,
        bbox=None if bbox is None else Box(*json.loads(bbox)),
        spans=tuple(Span(component=c, start=s, end=e, at=a) for c, s, e, a in json.loads(spans)),
        target=target,
    )


def _chunk_row(chunk: Chunk) -> tuple[object, ...]:
    """Return the values of `CHUNK_COLUMNS`."""
    box = None if chunk.bbox is None else json.dumps(chunk.bbox.as_tuple())
    spans = json.dumps([(s.component, s.start, s.end, s.at) for s in chunk.spans], ensure_ascii=False)
    texts = (chunk.kind, chunk.section, chunk.heading, chunk.text, chunk.context, chunk.citing)
    return (*texts, chunk.page_num, chunk.page_end, chunk.page_label, box, spans, chunk.target)


def _floats(document_id: int, document: Document) -> Iterable[tuple[object, ...]]:
    items: tuple[Table | Figure, ...] = (*document.tables, *document.figures)
    for item in items:
        own = {c.id for c in document.components if c.kind == "caption" and c.target == item.id}
        cited_in = [c.id for c in passages_citing(document, item.id) if c.id not in own]
        yield (
            document_id,
            "table" if isinstance(item, Table) else "figure",
            item.id,
            item.number,
            item.caption.text if item.caption is not None else "",
            page_of(item) or None,
            item.n_rows if isinstance(item, Table) else None,
            item.n_cols if isinstance(item, Table) else None,
            json.dumps(cited_in, ensure_ascii=False),
        )
