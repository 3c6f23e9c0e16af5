"""What stands behind the ids that a search finds: chunks, the items that hold them, documents; read in batches."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from variorum.document import Document
from variorum.errors import UsageError
from variorum.search.contents import CHUNK_COLUMNS, chunk_of, unpacked
from variorum.search.filters import Condition
from variorum.search.found import FoundItem, Hit
from variorum.search.links import FOLDER, open_pdf_link, select_link
from variorum.search.model import Chunk, ChunkKind
from variorum.search.ranking import Reasons

REFERENCE_DIGITS: Final = 12
_AT_ONCE: Final = 500
_KIND, _SECTION, _TARGET = (CHUNK_COLUMNS.split(", ").index(name) for name in ("kind", "section", "target"))
_HINT: Final = "a reference as a search gives it, such as 53aa51172d14:12"


@dataclass(frozen=True, slots=True, kw_only=True)
class Holding:
    """An item that holds a document: its row's id, and the attachment's key ('' where the document is the item's record)."""

    item_id: int
    attachment: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredChunk:
    """A chunk with its ids in the index, its document's kind and SHA-256, and what it is ranked by.

    Of the hundreds that a search weighs it shows a few: the rest of the chunk is made out of its `row` when it is asked for.
    """

    id: int
    document_id: int
    seq: int
    document_kind: str
    sha256: str
    kind: ChunkKind
    section: str
    target: str | None
    row: tuple[Any, ...]

    @property
    def chunk(self) -> Chunk:
        """The chunk itself, made anew at each call."""
        return chunk_of(self.row)


def chunks_by_id(connection: sqlite3.Connection, ids: Collection[int]) -> dict[int, StoredChunk]:
    """Return the chunks with these ids."""
    return {chunk.id: chunk for part in _batches(ids) for chunk in _chunks(connection, f"c.id IN ({_marks(part)})", part)}


def chunk_by_reference(connection: sqlite3.Connection, reference: str) -> StoredChunk:
    """Return the chunk that a reference names; raises UsageError when there is none."""
    document, _, seq = reference.partition(":")
    if not seq.isdecimal():
        raise UsageError(f"{reference!r} is no reference of a passage", hint=_HINT)
    values = (document_by_reference(connection, document), int(seq))
    found = list(_chunks(connection, "c.document_id = ? AND c.seq = ?", values))
    if not found:
        raise UsageError(f"{reference!r} names no passage of this index", hint=_HINT)
    return found[0]


def chunks_around(connection: sqlite3.Connection, chunk: StoredChunk, before: int, after: int) -> list[StoredChunk]:
    """Return the chunks of the same kind from so many before to so many after one, itself among them, in reading order."""
    where = "c.document_id = ? AND c.kind = ? AND c.seq BETWEEN ? AND ?"
    values = (chunk.document_id, chunk.kind, chunk.seq - before, chunk.seq + after)
    return list(_chunks(connection, where, values))


def document_by_reference(connection: sqlite3.Connection, reference: str) -> int:
    """Return the id of the document whose SHA-256 begins so; raises UsageError when none or several do."""
    if not reference or not all(sign in "0123456789abcdef" for sign in reference):
        raise UsageError(f"{reference!r} is no reference of a document", hint=_HINT)
    rows = connection.execute("SELECT id FROM documents WHERE sha256 GLOB ? LIMIT 2", (f"{reference}*",)).fetchall()
    if len(rows) != 1:
        what = "no document" if not rows else "several documents"
        raise UsageError(f"{reference!r} names {what} of this index", hint=_HINT)
    return int(rows[0][0])


def read_document(connection: sqlite3.Connection, document_id: int) -> Document:
    """Return a document as it was read; raises UsageError for one that is only a library's record."""
    kind, data = connection.execute("SELECT kind, json FROM documents WHERE id = ?", (document_id,)).fetchone()
    if kind != "paper":
        raise UsageError("this is what the library says of an item, and no paper", hint="a reference of a passage of a paper")
    return unpacked(data)


def holdings(connection: sqlite3.Connection, items: Condition) -> dict[int, list[Holding]]:
    """Return for each document the items that hold it and fulfil a condition (on ``i``), in order of library and key."""
    rows = connection.execute(
        "SELECT p.document_id, i.id, p.attachment, i.in_library, i.key FROM papers p JOIN items i ON i.id = p.item_id"
        f" WHERE p.document_id IS NOT NULL AND {items.sql}"
        f" UNION ALL SELECT i.record_id, i.id, '', i.in_library, i.key FROM items i WHERE i.record_id IS NOT"
        f" NULL AND {items.sql}"
        " ORDER BY 4, 5, 3, 2",
        items.values * 2,
    )
    found: dict[int, list[Holding]] = {}
    for document_id, item_id, attachment, _, _ in rows:
        found.setdefault(document_id, []).append(Holding(item_id=item_id, attachment=attachment))
    return found


def items_by_id(connection: sqlite3.Connection, ids: Collection[int]) -> dict[int, FoundItem]:
    """Return the items with these ids."""
    return {item_id: item for part in _batches(ids) for item_id, item in _items(connection, part)}


def numbers_of(connection: sqlite3.Connection, chunks: Iterable[StoredChunk]) -> dict[tuple[int, str], str]:
    """Return the printed numbers of the tables and figures among chunks, by document and target."""
    found = {}
    for chunk in chunks:
        name = (chunk.document_id, chunk.target or "")
        if chunk.target is not None and name not in found:
            row = connection.execute("SELECT number FROM floats WHERE document_id = ? AND target = ?", name).fetchone()
            found[name] = row[0] if row is not None else None
    return {name: number for name, number in found.items() if number is not None}


def as_hit(stored: StoredChunk, item: FoundItem, attachment: str, number: str | None, reasons: Reasons | None) -> Hit:
    """Return a chunk as what was found."""
    chunk, reference = stored.chunk, stored.sha256[:REFERENCE_DIGITS]
    return Hit(
        chunk=f"{reference}:{stored.seq}",
        document=reference if stored.document_kind == "paper" else None,
        kind=chunk.kind,
        text=chunk.text.rstrip(),
        section=chunk.section,
        heading=chunk.heading,
        page_num=chunk.page_num,
        page_end=chunk.page_end,
        page_label=chunk.page_label,
        bbox=chunk.bbox,
        spans=chunk.spans,
        target=chunk.target,
        number=number,
        link=open_pdf_link(item.in_library, attachment, chunk.page_num) if attachment else item.link,
        score=reasons.score if reasons is not None else 0.0,
        reasons=reasons,
    )


def _chunks(connection: sqlite3.Connection, where: str, values: Iterable[object]) -> Iterable[StoredChunk]:
    rows = connection.execute(
        f"SELECT c.id, c.document_id, c.seq, d.kind, d.sha256, {_prefixed(CHUNK_COLUMNS)} FROM chunks c"
        f" JOIN documents d ON d.id = c.document_id WHERE {where} ORDER BY c.document_id, c.seq",
        tuple(values),
    )
    for chunk_id, document_id, seq, document_kind, sha256, *row in rows:
        yield StoredChunk(
            id=chunk_id,
            document_id=document_id,
            seq=seq,
            document_kind=document_kind,
            sha256=sha256,
            kind=row[_KIND],
            section=row[_SECTION],
            target=row[_TARGET],
            row=tuple(row),
        )


def _prefixed(columns: str) -> str:
    return ", ".join(f"c.{column}" for column in columns.split(", "))


def _items(connection: sqlite3.Connection, ids: Collection[int]) -> Iterable[tuple[int, FoundItem]]:
    rows = connection.execute(
        "SELECT id, in_library, key, item_type, title, year, publication, citation_key, record, source,"
        " (SELECT min(path) FROM papers WHERE item_id = items.id) FROM items"
        f" WHERE id IN ({_marks(ids)})",
        tuple(ids),
    )
    for item_id, library, key, item_type, title, year, publication, citation_key, text, source, path in rows:
        record: Mapping[str, Any] = json.loads(text)
        creators = [(role, f"{first} {last}".strip()) for role, last, first in record["creators"]]
        authors = tuple(name for role, name in creators if role == "author") or tuple(name for _, name in creators)
        yield (
            item_id,
            FoundItem(
                reference=f"{library}/{key}",
                in_library=library,
                key=key,
                item_type=item_type,
                title=title,
                creators=authors,
                year=year,
                publication=publication,
                doi=record["doi"],
                citation_key=citation_key,
                retraction=record["retraction"],
                link=select_link(library, key),
                path=_relative(path, source) if library == FOLDER else None,
            ),
        )


def _relative(path: str | None, folder: str) -> str | None:
    if path is None or not Path(path).is_relative_to(folder):
        return None
    return os.fsencode(Path(path).relative_to(folder).as_posix()).decode("utf-8", "replace")


def _batches(ids: Collection[int]) -> Iterable[list[int]]:
    ordered = list(ids)
    return (ordered[start : start + _AT_ONCE] for start in range(0, len(ordered), _AT_ONCE))


def _marks(values: Collection[object]) -> str:
    return ", ".join("?" * len(values))
