"""What is written about items and their PDFs: metadata as the library has it, filters, and the state of each PDF.

Every function works inside the caller's transaction. Items are known by source, library and key: several libraries may share an
index.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from variorum.libraries.model import LibraryItem
from variorum.search.words import search_form

PaperState = Literal["indexed", "skipped", "failed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredPaper:
    """A PDF of an item as it was last seen."""

    id: int
    item_id: int
    attachment: str
    path: str
    size: int
    mtime_ns: int
    sha256: str
    state: PaperState
    reason: str
    document_id: int | None


_PAPER: Final = "id, item_id, attachment, path, size, mtime_ns, sha256, state, reason, document_id"


def put_item(connection: sqlite3.Connection, source: str, item: LibraryItem) -> tuple[int, bool]:
    """Return the id of an item, and whether anything of it was written: an item that is known as it is costs no write."""
    record = json.dumps(item_record(item), ensure_ascii=False, sort_keys=True)
    citation_key = item.citation_key.key if item.citation_key is not None else None
    values = (item.in_library.name, item.item_type, item.plain_title, item.year, item.publication, citation_key, record)
    name = (source, item.in_library.id, item.key)
    known = connection.execute(
        "SELECT id, library_name, item_type, title, year, publication, citation_key, record FROM items"
        " WHERE source = ? AND in_library = ? AND key = ?",
        name,
    ).fetchone()
    if known is not None and tuple(known[1:]) == values:
        return int(known[0]), False
    if known is None:
        cursor = connection.execute(
            "INSERT INTO items (library_name, item_type, title, year, publication, citation_key, record,"
            " source, in_library, key)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (*values, *name),
        )
        item_id = int(cursor.lastrowid or 0)
    else:
        item_id = int(known[0])
        connection.execute(
            "UPDATE items SET library_name = ?, item_type = ?, title = ?, year = ?, publication = ?, citation_key = ?,"
            " record = ? WHERE id = ?",
            (*values, item_id),
        )
    connection.execute("DELETE FROM facets WHERE item_id = ?", (item_id,))
    rows = [(kind, folded(value), item_id, value) for kind, value in _facets(item)]
    connection.executemany("INSERT OR IGNORE INTO facets (kind, folded, item_id, value) VALUES (?, ?, ?, ?)", rows)
    return item_id, True


def item_record(item: LibraryItem) -> dict[str, object]:
    """Return what is shown of an item beside its columns, as JSON values."""
    return {
        "creators": [[c.role, c.last, c.first] for c in item.creators],
        "date": item.date.raw if item.date is not None else "",
        "doi": item.doi,
        "url": item.url,
        "tags": list(item.tags),
        "collections": [list(c.path) for c in item.collections],
        "language": item.language,
        "retraction": item.retraction,
    }


def record_text(item: LibraryItem) -> str:
    """Return what a library says of an item, to be searched: title, creators, publication, year, abstract, tags, notes and what
    its reader marked."""
    marked = [f"{a.text} {a.comment}".strip() for att in item.attachments for a in att.annotations if not a.in_trash]
    notes = [note.text for note in item.notes if not note.in_trash]
    parts = [
        item.plain_title,
        ", ".join(creator.name for creator in item.creators),
        " ".join(filter(None, (item.publication, str(item.year or "")))),
        item.abstract,
        ", ".join(item.tags),
        *notes,
        *marked,
    ]
    return "\n".join(part for part in (part.strip() for part in parts) if part)


def folded(text: str) -> str:
    """Return the form in which values of filters are compared: search form, single spaces."""
    return " ".join(search_form(text).split())


def _facets(item: LibraryItem) -> Iterator[tuple[str, str]]:
    """Yield what an item is filtered by: a kind and a value."""
    for creator in item.creators:
        yield "author", creator.name
        yield "author", creator.last
    for tag in item.tags:
        yield "tag", tag
    for collection in item.collections:
        for depth in range(1, len(collection.path) + 1):  # what stands in a collection stands in those around it
            yield "collection", " / ".join(collection.path[:depth])
            yield "collection", collection.path[depth - 1]
        yield "collection", collection.key
    yield "library", item.in_library.name
    yield "library", item.in_library.id
    yield "type", item.item_type


def remove_items(connection: sqlite3.Connection, source: str, kept: set[tuple[str, str]]) -> int:
    """Return how many items of a source were removed: those whose library and key are not among the kept ones."""
    rows = connection.execute("SELECT id, in_library, key FROM items WHERE source = ?", (source,)).fetchall()
    gone = [(item_id,) for item_id, library, key in rows if (library, key) not in kept]
    connection.executemany("DELETE FROM items WHERE id = ?", gone)
    return len(gone)


def papers_of(connection: sqlite3.Connection, item_id: int) -> dict[str, StoredPaper]:
    """Return the PDFs of an item as they were last seen, by the key of the attachment."""
    rows = connection.execute(f"SELECT {_PAPER} FROM papers WHERE item_id = ?", (item_id,))
    return {row[2]: _stored(row) for row in rows}


def put_paper(
    connection: sqlite3.Connection,
    item_id: int,
    attachment: str,
    path: Path | str,
    stat: tuple[int, int],
    sha256: str,
    state: PaperState,
    reason: str = "",
    document_id: int | None = None,
) -> None:
    """Return None once it is written how a PDF was seen; `stat` is its size and time of change in nanoseconds."""
    connection.execute("DELETE FROM papers WHERE item_id = ? AND attachment = ?", (item_id, attachment))
    connection.execute(
        "INSERT INTO papers (item_id, attachment, path, size, mtime_ns, sha256, state, reason, document_id)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (item_id, attachment, str(path), *stat, sha256, state, reason, document_id),
    )


def remove_papers(connection: sqlite3.Connection, item_id: int, kept: set[str]) -> int:
    """Return how many PDFs of an item were removed: those whose attachment is not among the kept ones."""
    gone = [paper for key, paper in papers_of(connection, item_id).items() if key not in kept]
    connection.executemany("DELETE FROM papers WHERE id = ?", [(paper.id,) for paper in gone])
    return len(gone)


def _stored(row: tuple[object, ...]) -> StoredPaper:
    names = _PAPER.split(", ")
    return StoredPaper(**dict(zip(names, row, strict=True)))  # type: ignore[arg-type]
