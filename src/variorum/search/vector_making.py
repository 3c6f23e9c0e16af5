"""Vectors for the chunks that have none yet: document by document, each in a transaction of its own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from variorum.search.contents import add_vectors, vector_text
from variorum.search.embeddings import Embedder
from variorum.search.manifest import refuse_other_model
from variorum.search.store import IndexFile

_PENDING = (
    "FROM documents d WHERE d.is_chunked = 1 AND d.id NOT IN (SELECT document_id FROM vectors)"
    " AND EXISTS (SELECT 1 FROM chunks c WHERE c.document_id = d.id)"
)


def pending_vectors(index: IndexFile) -> int:
    """Return how many chunks have no vector yet."""
    (count,) = index.connection.execute(f"SELECT count(*) FROM chunks WHERE document_id IN (SELECT d.id {_PENDING})").fetchone()
    return int(count)


def make_vectors(index: IndexFile, embedder: Embedder, done: Callable[[int], None] | None = None) -> int:
    """Return how many vectors were made; `done` is told the number so far after each document.

    What was made before an interruption is there, and is not made again. The first ones decide the model of the index; raises
    UsageError when it has vectors of another.
    """
    identity = embedder.identity
    manifest = index.manifest()
    refuse_other_model(manifest, identity.id, identity.dimension, str(index.path))
    if manifest.model is None:
        with index.transaction():
            index.write_manifest(replace(manifest, model=identity.id, dimension=identity.dimension))
    made = 0
    for (document_id,) in index.connection.execute(f"SELECT d.id {_PENDING} ORDER BY d.kind, d.sha256").fetchall():
        rows = index.connection.execute("SELECT text, context FROM chunks WHERE document_id = ? ORDER BY seq", (document_id,))
        vectors = embedder.embed([vector_text(text, context) for text, context in rows])
        with index.transaction() as connection:
            add_vectors(connection, document_id, vectors)
        made += len(vectors)
        if done is not None:
            done(made)
    return made
