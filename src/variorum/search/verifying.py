"""Whether an index is whole, and what it holds: checks that find damage, a canonical dump, and counts."""

from __future__ import annotations

import hashlib
import json
import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from variorum.errors import DamagedInputError
from variorum.search.lookup import items_by_id
from variorum.search.manifest import Manifest
from variorum.search.schema import TABLES
from variorum.search.store import ID_KEY, IndexFile, index_size, open_index, open_writer

_FLOAT_BYTES: Final = 4
_FAR_FROM_ONE: Final = 1e-3
"""A vector of length 1 is nearer to it than that, whatever the rounding."""


def verify(path: Path) -> tuple[str, ...]:
    """Return the faults of an index, a sentence each; none when it is whole.

    Checked are the file's structure, that every table is there as this release makes it, that no row points to nothing, that
    every chunk has its words and every document as many vectors as chunks, all of length 1, or none yet, and that every kept
    document can be unpacked. Raises what `open_index` does, and OutputError while another process writes the index, or when it
    may not be written.
    """
    with open_index(path) as index:
        manifest = index.manifest()
        if faults := _structure_faults(index.connection):
            return tuple(faults)
        faults = [f"a row of {row[0]} points to nothing" for row in index.connection.execute("PRAGMA foreign_key_check")]
        faults += [*_word_faults(index.connection), *_vector_faults(index.connection, manifest)]
        faults += _document_faults(index.connection)
    with open_writer(path, manifest) as index:
        faults += _search_index_faults(index)
    return tuple(faults)


def _structure_faults(connection: sqlite3.Connection) -> list[str]:
    """Return what is wrong with the file and its tables; with that, nothing else can be asked of it."""
    try:
        answers = [str(answer) for (answer,) in connection.execute("PRAGMA integrity_check(3)")]
        has = _statements(connection)
    except sqlite3.DatabaseError as error:
        answers, has = [str(error)], {}
    if answers != ["ok"]:
        return [f"the file is damaged: {answer}" for answer in answers]
    with closing(sqlite3.connect(":memory:")) as made:
        for statement in TABLES:
            made.execute(statement)
        wanted = _statements(made)
    faults = [f"the {kind} {name} is missing" for kind, name in wanted if (kind, name) not in has]
    ours = {" ".join(statement.split()) for statement in TABLES}  # others are made by SQLite, and differ by its version
    others = [key for key, made_by in wanted.items() if made_by in ours and has.get(key, made_by) != made_by]
    return faults + [f"the {kind} {name} is another one" for kind, name in others]


def _statements(connection: sqlite3.Connection) -> dict[tuple[str, str], str]:
    """Return what each table and index was made by, by kind and name."""
    rows = connection.execute("SELECT type, name, sql FROM sqlite_master ORDER BY type DESC, name")
    return {(kind, name): " ".join((sql or "").split()) for kind, name, sql in rows}


def _word_faults(connection: sqlite3.Connection) -> Iterator[str]:
    chunks = {i for (i,) in connection.execute("SELECT id FROM chunks")}
    words = {i for (i,) in connection.execute("SELECT rowid FROM words")}
    if chunks - words:
        yield f"{len(chunks - words)} chunks have no words"
    if words - chunks:
        yield f"the words of {len(words - chunks)} chunks that are gone are still there"


def _search_index_faults(index: IndexFile) -> Iterator[str]:
    """Yield what FTS5 says of its own structure: a check that counts as writing, and changes nothing."""
    try:
        with index.transaction() as connection:
            connection.execute("INSERT INTO words (words) VALUES ('integrity-check')")
    except DamagedInputError as error:
        yield f"the words: {error.what}"


def _vector_faults(connection: sqlite3.Connection, manifest: Manifest) -> Iterator[str]:
    import numpy as np

    rows = connection.execute(
        "SELECT d.sha256, v.count, v.data, (SELECT count(*) FROM chunks c WHERE c.document_id = d.id) FROM vectors v"
        " JOIN documents d ON d.id = v.document_id ORDER BY d.kind, d.sha256"
    )
    for sha256, count, data, chunks in rows:
        name = sha256[:12]
        if manifest.dimension is None:
            yield f"{name} has vectors, and the manifest names no model"
        elif count != chunks:
            yield f"{name} has {chunks} chunks and {count} vectors"
        elif len(data) != count * manifest.dimension * _FLOAT_BYTES:
            yield f"the vectors of {name} have another length than the manifest says"
        else:
            lengths = np.linalg.norm(np.frombuffer(data, dtype="<f4").reshape(count, -1), axis=1)
            if not np.all(np.abs(lengths - 1) < _FAR_FROM_ONE):
                yield f"vectors of {name} are not of length 1"


def _document_faults(connection: sqlite3.Connection) -> Iterator[str]:
    for sha256, data in connection.execute("SELECT sha256, json FROM documents ORDER BY kind, sha256"):
        try:
            found = json.loads(zlib.decompress(data))
        except (zlib.error, ValueError) as error:
            yield f"the document {sha256[:12]} cannot be unpacked: {error}"
            continue
        if found.get("sha256") != sha256:
            yield f"what is kept as the document {sha256[:12]} is another one"


def dump(index: IndexFile) -> Iterator[str]:
    """Yield what an index holds, a line of JSON a row, by names instead of ids: the same for the same papers, in whatever order
    they were read and however often that was interrupted. Places and times of files, and the id of the index, are left out."""
    for table, query in _DUMPED.items():
        for row in index.connection.execute(query):
            yield json.dumps([table, *map(_plain, row)], ensure_ascii=False)


def _plain(value: object) -> object:
    return hashlib.sha256(value).hexdigest() if isinstance(value, bytes) else value


_DUMPED: Final = {
    "manifest": f"SELECT key, value FROM manifest WHERE key != '{ID_KEY}' ORDER BY key",
    "items": (
        "SELECT i.in_library, library_name, i.key, i.item_type, i.title, i.year, i.publication, i.citation_key, i.record,"
        " d.sha256 FROM items i LEFT JOIN documents d ON d.id = i.record_id ORDER BY i.in_library, i.key"
    ),
    "facets": (
        "SELECT i.in_library, i.key, f.kind, f.folded, f.value FROM facets f JOIN items i ON i.id = f.item_id"
        " ORDER BY i.in_library, i.key, f.kind, f.folded"
    ),
    "papers": (
        "SELECT i.in_library, i.key, p.attachment, p.size, p.sha256, p.state, p.reason, d.sha256 FROM papers p"
        " JOIN items i ON i.id = p.item_id LEFT JOIN documents d ON d.id = p.document_id"
        " ORDER BY i.in_library, i.key, p.attachment"
    ),
    "documents": "SELECT kind, sha256, title, page_count, json, is_chunked FROM documents ORDER BY kind, sha256",
    "sections": (
        "SELECT d.sha256, s.seq, s.label, s.heading, s.first, s.last FROM sections s JOIN documents d ON d.id = s.document_id"
        " ORDER BY d.sha256, s.seq"
    ),
    "floats": (
        "SELECT d.sha256, f.kind, f.target, f.number, f.caption, f.page_num, f.n_rows, f.n_cols, f.cited_in FROM floats f"
        " JOIN documents d ON d.id = f.document_id ORDER BY d.sha256, f.target"
    ),
    "chunks": (
        "SELECT d.kind, d.sha256, c.seq, c.kind, c.section, c.heading, c.text, c.context, c.citing, c.page_num, c.page_end,"
        " c.page_label, c.bbox, c.spans, c.target FROM chunks c JOIN documents d ON d.id = c.document_id"
        " ORDER BY d.kind, d.sha256, c.seq"
    ),
    "vectors": (
        "SELECT d.kind, d.sha256, v.count, v.data FROM vectors v JOIN documents d ON d.id = v.document_id"
        " ORDER BY d.kind, d.sha256"
    ),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexStats:
    """What an index holds: PDFs by state, why some are not in it, chunks by kind, each with its count; sizes in bytes.

    `not_in_it` are the PDFs that are not: the reference of the item, its title (of a file in a folder its path), the reason.
    """

    manifest: Manifest
    size_bytes: int
    items: int
    libraries: tuple[tuple[str, int], ...]
    papers: tuple[tuple[str, int], ...]
    reasons: tuple[tuple[str, int], ...]
    not_in_it: tuple[tuple[str, str, str], ...]
    documents: int
    pages: int
    tables: int
    figures: int
    chunks: tuple[tuple[str, int], ...]
    vectors: int


def stats(index: IndexFile) -> IndexStats:
    """Return what an index holds."""

    def one(query: str) -> int:
        return int(index.connection.execute(query).fetchone()[0] or 0)

    def by_name(query: str) -> tuple[tuple[str, int], ...]:
        return tuple((str(name), int(count)) for name, count in index.connection.execute(query))

    return IndexStats(
        manifest=index.manifest(),
        size_bytes=index_size(index.path),
        items=one("SELECT count(*) FROM items"),
        libraries=by_name("SELECT library_name, count(*) FROM items GROUP BY source, in_library ORDER BY source, in_library"),
        papers=by_name("SELECT state, count(*) FROM papers GROUP BY state ORDER BY state"),
        reasons=by_name(
            "SELECT reason, count(*) FROM papers WHERE reason != '' GROUP BY reason ORDER BY count(*) DESC, reason"
        ),
        not_in_it=_not_in_it(index.connection),
        documents=one("SELECT count(*) FROM documents WHERE kind = 'paper'"),
        pages=one("SELECT sum(page_count) FROM documents"),
        tables=one("SELECT count(*) FROM floats WHERE kind = 'table'"),
        figures=one("SELECT count(*) FROM floats WHERE kind = 'figure'"),
        chunks=by_name("SELECT kind, count(*) FROM chunks GROUP BY kind ORDER BY kind"),
        vectors=one("SELECT sum(count) FROM vectors"),
    )


def _not_in_it(connection: sqlite3.Connection) -> tuple[tuple[str, str, str], ...]:
    rows = connection.execute(
        "SELECT p.item_id, p.reason FROM papers p JOIN items i ON i.id = p.item_id WHERE p.state != 'indexed'"
        " ORDER BY i.in_library, i.key, i.source, p.attachment"
    ).fetchall()
    items = items_by_id(connection, [item_id for item_id, _ in rows])
    return tuple(
        (items[item_id].reference, items[item_id].path or items[item_id].title, str(reason)) for item_id, reason in rows
    )
