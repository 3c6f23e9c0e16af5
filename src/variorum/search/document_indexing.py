"""An index of papers that were read already: documents at hand, each with what a library would say of it; no PDF is opened."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from variorum.document import Document
from variorum.libraries.model import LibraryItem
from variorum.search.chunking import MAX_TOKENS
from variorum.search.contents import prepare, put_document
from variorum.search.embeddings import OnnxEmbedder
from variorum.search.holdings import PaperState, put_item, put_paper
from variorum.search.indexing import reading_name
from variorum.search.kept_vectors import KeptVectors
from variorum.search.manifest import Manifest
from variorum.search.model import Chunk
from variorum.search.model_files import ModelFiles
from variorum.search.paper_reading import tokenizer_of
from variorum.search.store import IndexFile, open_writer
from variorum.search.vector_making import make_vectors, pending_vectors
from variorum.tables.config import PipelineConfig

_SOURCE: Final = "documents"


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexedPaper:
    """A paper for the index: what is said of it, its document, and the path of its PDF, which is only named."""

    item: LibraryItem
    document: Document
    path: Path


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentIndex:
    """What an index was made of: the chunks of each paper, in the order of the papers; how many vectors were made, and the
    model that made them (None for none)."""

    chunks: tuple[tuple[Chunk, ...], ...]
    vectors: int
    model: str | None


def index_documents(
    path: Path,
    papers: Sequence[IndexedPaper],
    *,
    config: str | PipelineConfig = "default",
    model: ModelFiles | None = None,
    threads: int = 1,
    kept: Path | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> DocumentIndex:
    """Return what is in the index at the path, once it holds the papers; what was there before is added to.

    `config` is how the documents were read. Without a `model` there are no vectors, and searches go by words. A file in
    `kept` has the vectors of texts of the last call, so that none is made twice. `progress` is told (vectors made, vectors in
    all). Raises what `open_writer`, `make_vectors` and `KeptVectors` raise.
    """
    tokenizer = tokenizer_of(None if model is None else model.folder)
    manifest = Manifest(reading=reading_name(config), tokenizer=tokenizer.name, max_tokens=MAX_TOKENS)
    with open_writer(path, manifest) as index:
        chunks = []
        for paper in papers:
            prepared = prepare(paper.document, tokenizer)
            chunks.append(prepared.chunks)
            with index.transaction() as connection:
                item_id, _ = put_item(connection, _SOURCE, paper.item)
                sha256 = paper.document.sha256
                document_id = put_document(connection, sha256, prepared)
                state: PaperState = "indexed" if prepared.chunks else "skipped"
                reason = "" if prepared.chunks else "it has no text"
                put_paper(connection, item_id, paper.item.key, paper.path, (0, 0), sha256, state, reason, document_id)
        vectors = _vectors(index, model, threads, kept, progress)
        return DocumentIndex(chunks=tuple(chunks), vectors=vectors, model=index.manifest().model)


def _vectors(
    index: IndexFile,
    model: ModelFiles | None,
    threads: int,
    kept: Path | None,
    progress: Callable[[int, int], None] | None,
) -> int:
    total = pending_vectors(index)
    if model is None or not total:
        return 0
    tell = None if progress is None else lambda done: progress(done, total)
    embedder = OnnxEmbedder(model, threads=threads)
    if kept is None:
        return make_vectors(index, embedder, tell)
    with KeptVectors(embedder, kept) as known:
        made = make_vectors(index, known, tell)
        known.forget_others()
    return made
