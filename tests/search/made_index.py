"""Documents, items and indexes for tests, without PDFs and without the weights of a model."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from variorum.document import (
    Caption,
    Cell,
    Document,
    Figure,
    Mention,
    PageInfo,
    PaperIdentity,
    Provenance,
    Section,
    Table,
    TextComponent,
)
from variorum.geometry import Box
from variorum.libraries.model import CitationKey, Collection, Creator, ItemDate, LibraryItem, LibraryRef
from variorum.search.contents import prepare, put_document
from variorum.search.embeddings import ModelIdentity
from variorum.search.holdings import put_item, put_paper
from variorum.search.indexing import record_document
from variorum.search.manifest import Manifest
from variorum.search.retrieval import Searcher
from variorum.search.store import open_index, open_writer
from variorum.search.tokens import EstimatedTokens
from variorum.search.vector_making import make_vectors
from variorum.search.words import query_words

USER = LibraryRef(id="user", name="My Library", kind="user")
GROUP = LibraryRef(id="groups/4711", name="Table readers", kind="group")
PAGE = PageInfo(page_num=1, width=600, height=800, label="1161")
_BOX = Box(50, 60, 550, 100)


class HashedWords:
    """A model without weights: each word of a text adds to one of 64 numbers."""

    identity = ModelIdentity(id="hashed-words@1", dimension=64, max_tokens=256)

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return a vector of length 1 a text."""
        out = np.zeros((len(texts), self.identity.dimension), dtype=np.float32)
        for row, text in zip(out, texts, strict=True):
            for word in query_words(text) or [text]:
                row[int(hashlib.sha256(word.encode()).hexdigest(), 16) % len(row)] += 1
        vectors: NDArray[np.float32] = out / np.linalg.norm(out, axis=1, keepdims=True)
        return vectors


def place(page_num: int = 1) -> Provenance:
    return Provenance(source="pdf", method="test", page_num=page_num, bbox=_BOX)


def text(name: str, words: str, kind: Any = "paragraph", **more: Any) -> TextComponent:
    return TextComponent(id=name, kind=kind, text=words, provenance=place(), **more)


def document(*components: TextComponent, title: str = "", sections: Sequence[Section] = (), **more: Any) -> Document:
    """Return a document of one page, which prints the number 1161, with a SHA-256 of what it holds."""
    digest = hashlib.sha256(repr((components, title, sorted(more))).encode()).hexdigest()
    return Document(
        key=digest[:8],
        source_name="paper.pdf",
        sha256=digest,
        page_count=1,
        pages=(PAGE,),
        components=components,
        identity=PaperIdentity(title=title),
        sections=tuple(sections),
        **more,
    )


def paper(title: str, *paragraphs: str, **more: Any) -> Document:
    """Return a document with a title and paragraphs."""
    parts = [text(f"par-{i}", words) for i, words in enumerate(paragraphs, start=1)]
    return document(text("title-1", title, "title"), *parts, title=title, **more)


def table(name: str, rows: Sequence[Sequence[str]], caption: str, number: str = "1") -> Table:
    cells = tuple(Cell(row=r, col=c, text=t, is_header=r == 0) for r, row in enumerate(rows) for c, t in enumerate(row))
    return Table(
        id=name,
        n_rows=len(rows),
        n_cols=len(rows[0]),
        cells=cells,
        provenance=place(),
        number=number,
        caption=Caption(text=caption, label="Table", number=number, page_num=1, bbox=_BOX),
        header_rows=1,
    )


def figure(name: str, caption: str, number: str = "1", words: str = "") -> Figure:
    own = Caption(text=caption, label="Figure", number=number, page_num=1, bbox=_BOX)
    return Figure(id=name, provenance=place(), kind="vector", number=number, caption=own, text=words)


def with_floats() -> Document:
    """Return a paper with a table and a figure, each named in the text."""
    components = (
        text("title-1", "Ponds in winter", "title"),
        text("sec-1", "1 Results", "heading", level=1),
        text("par-1", "Most ponds froze in January. Table 1 lists how thick the ice was."),
        text("at-tab", "", "table", target="tab-1"),
        text("cap-tab", "Table 1: Ice by pond.", "caption", target="tab-1"),
        text("par-2", "The thaw came late, as Figure 2 shows."),
        text("cap-fig", "Figure 2: Days until the thaw.", "caption", target="fig-2"),
    )
    rows = [["Pond", "Thickness"], ["Mill pond", "31 mm"], ["Goose pond", "27 mm"]]
    mentions = (
        Mention(component="par-1", start=29, end=36, text="Table 1", kind="table", number="1", target="tab-1"),
        Mention(component="par-2", start=23, end=31, text="Figure 2", kind="figure", number="2", target="fig-2"),
    )
    return document(
        *components,
        title="Ponds in winter",
        sections=[
            Section(label="preamble", confidence=1, reason="first", first="title-1", last="title-1"),
            Section(label="results", confidence=1, reason="name", first="sec-1", last="cap-fig", heading="sec-1"),
        ],
        tables=(table("tab-1", rows, "Table 1: Ice by pond."),),
        figures=(figure("fig-2", "Figure 2: Days until the thaw.", "2", "days ponds"),),
        mentions=mentions,
    )


def item(key: str, title: str = "", library: LibraryRef = USER, **more: Any) -> LibraryItem:
    """Return an item; `authors` are last names, `year` and `collections` (paths) are plain values."""
    authors: Sequence[str] = more.pop("authors", ())
    year: int | None = more.pop("year", None)
    paths: Sequence[tuple[str, ...]] = more.pop("collections", ())
    citation_key: str | None = more.pop("citation_key", None)
    return LibraryItem(
        in_library=library,
        key=key,
        item_type=more.pop("item_type", "journalArticle"),
        title=title,
        plain_title=title,
        creators=tuple(Creator(role="author", last=last, first="Ada") for last in authors),
        date=None if year is None else ItemDate(raw=str(year), year=year),
        collections=tuple(Collection(path=path, key="C" + "".join(path)) for path in paths),
        citation_key=None if citation_key is None else CitationKey(key=citation_key, origin="zotero"),
        **more,
    )


class Shelf:
    """An index to be filled with documents and asked."""

    def __init__(self, path: Path, embedder: HashedWords) -> None:
        self.path = path
        self.embedder = embedder
        self.manifest = Manifest(reading="test", tokenizer=EstimatedTokens.name, max_tokens=256)

    def put(self, pairs: Sequence[tuple[LibraryItem, Document]], *, records: bool = False) -> None:
        """Return None once the documents are in the index, each held by its item; with what the library says, if asked."""
        with open_writer(self.path, self.manifest) as index, index.transaction() as connection:
            for owner, content in pairs:
                item_id, _ = put_item(connection, "test", owner)
                document_id = put_document(connection, content.sha256, prepare(content, EstimatedTokens()))
                put_paper(
                    connection, item_id, f"PDF{owner.key}", "", (0, 0), content.sha256, "indexed", document_id=document_id
                )
                record = record_document(owner)
                if records and record is not None:
                    prepared = prepare(record, EstimatedTokens(), "record")
                    record_id = put_document(connection, record.sha256, prepared, "record")
                    connection.execute("UPDATE items SET record_id = ? WHERE id = ?", (record_id, item_id))

    def embed(self) -> int:
        """Return how many vectors were made."""
        with open_writer(self.path, self.manifest) as index:
            return make_vectors(index, self.embedder)

    @contextmanager
    def searcher(self, *, vectors: bool = False, **more: Any) -> Iterator[Searcher]:
        """Yield the searches of the index, by words alone unless vectors are asked for."""
        with open_index(self.path) as index:
            yield Searcher(index, self.embedder if vectors else None, **more)
