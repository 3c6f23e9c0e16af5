"""What is written about documents: their JSON, sections, tables and figures, chunks with their words, vectors; and its removal.

Every function works inside the caller's transaction. Of the words of a chunk FTS5 keeps an index only, not the text; to take
them out it is told the same words again, which `search_form` makes of the same chunk.
"""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, Literal

from variorum.document import Document, Figure, Table
from variorum.document.citing import passages_citing
from variorum.document.flow import page_of
from variorum.errors import SchemaError
from variorum.geometry import Box
from variorum.search.chunking import chunk_document
from variorum.search.float_chunks import lone_captions, passages_naming
from variorum.search.model import Chunk, Span
from variorum.search.tokens import Tokenizer
from variorum.search.words import search_form

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

CHUNK_COLUMNS: Final = "kind, section, heading, text, context, citing, page_num, page_end, page_label, bbox, spans, target"
"""The columns that `chunk_of` reads, in their order."""
DocumentKind = Literal["paper", "record"]
"""What was read from a file, or what a library says of an item."""

_LEVEL: Final = 6  # of zlib: its default, named so that the bytes do not depend on it


def packed(document: Document) -> bytes:
    """Return the document's JSON as it is kept; raises SchemaError when it contradicts itself."""
    return zlib.compress(document.to_json().encode(), _LEVEL)


def unpacked(data: bytes) -> Document:
    """Return the document that was packed."""
    return Document.from_json(zlib.decompress(data).decode())


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """What is written of a document, made where it was read: title, pages, its JSON packed, rows, chunks.

    `sections` are rows (label, heading, first, last), `floats` rows of tables and figures (kind, target, number, caption, page,
    rows, columns, ids of the components that name it as JSON).
    """

    title: str
    page_count: int
    data: bytes
    sections: tuple[tuple[str, str, str, str], ...]
    floats: tuple[tuple[object, ...], ...]
    chunks: tuple[Chunk, ...]


def prepare(document: Document, tokenizer: Tokenizer, kind: DocumentKind = "paper") -> Prepared:
    """Return what is written of a document; raises SchemaError when it contradicts itself.

    Chunks of a record lead nowhere: its components stand in no file.
    """
    texts = {c.id: c.text for c in document.components}
    chunks = chunk_document(document, tokenizer)
    return Prepared(
        title=document.identity.title or document.source_name,
        page_count=document.page_count,
        data=packed(document),
        sections=tuple((s.label, texts[s.heading] if s.heading else "", s.first, s.last) for s in document.sections),
        floats=tuple(_floats(document)),
        chunks=chunks if kind == "paper" else tuple(replace(chunk, kind="record", spans=()) for chunk in chunks),
    )


def put_document(connection: sqlite3.Connection, sha256: str, prepared: Prepared, kind: DocumentKind = "paper") -> int:
    """Return the id of the document of this content, with what was prepared in place of what it had."""
    document_id = document_of(connection, sha256, kind)
    values = (prepared.title, prepared.page_count, prepared.data)
    if document_id is None:
        cursor = connection.execute(
            "INSERT INTO documents (title, page_count, json, kind, sha256, is_chunked) VALUES (?, ?, ?, ?, ?, 0)",
            (*values, kind, sha256),
        )
        document_id = int(cursor.lastrowid or 0)
    else:
        connection.execute("UPDATE documents SET title = ?, page_count = ?, json = ? WHERE id = ?", (*values, document_id))
        remove_chunks(connection, document_id)
    put_parts(connection, document_id, prepared)
    return document_id


def put_parts(connection: sqlite3.Connection, document_id: int, prepared: Prepared) -> None:
    """Return None once a document that has no chunks has the sections, tables, figures and chunks that were prepared."""
    connection.execute("DELETE FROM sections WHERE document_id = ?", (document_id,))
    connection.execute("DELETE FROM floats WHERE document_id = ?", (document_id,))
    connection.executemany(
        "INSERT INTO sections VALUES (?, ?, ?, ?, ?, ?)",
        [(document_id, seq, *row) for seq, row in enumerate(prepared.sections)],
    )
    connection.executemany(
        "INSERT INTO floats VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", [(document_id, *row) for row in prepared.floats]
    )
    add_chunks(connection, document_id, prepared.chunks)


def document_of(connection: sqlite3.Connection, sha256: str, kind: DocumentKind = "paper") -> int | None:
    """Return the id of the document of this content, None when there is none."""
    row = connection.execute("SELECT id FROM documents WHERE kind = ? AND sha256 = ?", (kind, sha256)).fetchone()
    return None if row is None else int(row[0])


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


def remove_damaged(connection: sqlite3.Connection) -> int:
    """Return how many documents were removed, chunks and all, because what was kept of them cannot be read any more.

    Their papers are forgotten with them, so that the next look at the library finds them new.
    """
    damaged = []
    for document_id, data in connection.execute("SELECT id, json FROM documents"):
        try:
            unpacked(data)
        except (zlib.error, ValueError, TypeError, SchemaError):
            damaged.append(document_id)
    for document_id in damaged:
        remove_chunks(connection, document_id)
        connection.execute("DELETE FROM papers WHERE document_id = ?", (document_id,))
        connection.execute("UPDATE items SET record_id = NULL WHERE record_id = ?", (document_id,))
        connection.execute("DELETE FROM documents WHERE id = ?", (document_id,))
    return len(damaged)


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
    box = None if chunk.bbox is None else json.dumps([float(value) for value in chunk.bbox.as_tuple()])
    spans = json.dumps([(s.component, s.start, s.end, s.at) for s in chunk.spans], ensure_ascii=False)
    texts = (chunk.kind, chunk.section, chunk.heading, chunk.text, chunk.context, chunk.citing)
    return (*texts, chunk.page_num, chunk.page_end, chunk.page_label, box, spans, chunk.target)


def _floats(document: Document) -> Iterator[tuple[object, ...]]:
    items: tuple[Table | Figure, ...] = (*document.tables, *document.figures)
    for item in items:
        own = {c.id for c in document.components if c.kind == "caption" and c.target == item.id}
        cited_in = [c.id for c in passages_citing(document, item.id) if c.id not in own]
        yield (
            "table" if isinstance(item, Table) else "figure",
            item.id,
            item.number,
            item.caption.text if item.caption is not None else "",
            page_of(item) or None,
            item.n_rows if isinstance(item, Table) else None,
            item.n_cols if isinstance(item, Table) else None,
            json.dumps(cited_in, ensure_ascii=False),
        )
    for lone in lone_captions(document):
        caption = lone.component
        cited_in = [c.id for c in passages_naming(document, lone)]
        name = (lone.kind, caption.id, lone.number, caption.text)
        yield (*name, caption.provenance.page_num, None, None, json.dumps(cited_in, ensure_ascii=False))
