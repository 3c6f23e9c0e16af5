"""Writing a Zotero library: one call a library, collection, item, attachment, note or annotation, with keys made from names.

The same calls make the same database, byte for byte as far as SQLite allows: times are fixed and keys come from the names that
the caller gives, so that a test can ask for "the renamed file" without a constant of its own.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import sqlite3
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Literal

from tools.zotero_schema import CREATOR_TYPES, ITEM_TYPES, NEW_SCHEMA, field_names, statements

KEY_SIGNS = "23456789ABCDEFGHIJKLMNPQRSTUVWXYZ"
KEY_LENGTH = 8
LINK_MODES = {"imported_file": 0, "imported_url": 1, "linked_file": 2, "linked_url": 3, "embedded_image": 4}
ANNOTATIONS = {"highlight": 1, "note": 2, "image": 3, "ink": 4, "underline": 5, "text": 6}
MOMENT = "2026-01-{day:02} {hour:02}:00:00"

JournalMode = Literal["wal", "rollback"]


def key_of(name: str) -> str:
    """Return the key of eight signs that belongs to a name."""
    number = int.from_bytes(hashlib.sha256(name.encode()).digest(), "big")
    signs = []
    for _ in range(KEY_LENGTH):
        number, at = divmod(number, len(KEY_SIGNS))
        signs.append(KEY_SIGNS[at])
    return "".join(signs)


class ZoteroWriter:
    """An open library in a folder of its own; leave the block to close it.

    With ``wal`` the database is in WAL mode and nothing is written back by itself: what comes after `settle` stands in the
    ``-wal`` only, and stays there when the block is left (`close_leaving_wal`).
    """

    def __init__(self, folder: Path, *, schema: int = NEW_SCHEMA, journal: JournalMode = "wal") -> None:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "storage").mkdir(exist_ok=True)
        self.folder = folder
        self.schema = schema
        self.journal = journal
        self._fields = field_names(schema)
        self._count = 0
        self.ids: dict[tuple[int, str], int] = {}
        self._db = sqlite3.connect(folder / "zotero.sqlite")
        if journal == "wal":
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.execute("PRAGMA wal_autocheckpoint = 0")
        for statement in statements(schema):
            self._db.execute(statement)
        self.new_library(1, "user")

    def __enter__(self) -> ZoteroWriter:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None) -> None:
        self._db.commit()
        if kind is None and self.journal == "wal":
            self._close_leaving_wal()
        else:
            self._db.close()

    def settle(self) -> None:
        """Write all so far into the main file, so that only what follows is in the ``-wal``."""
        self._db.commit()
        if self.journal == "wal":
            self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def _close_leaving_wal(self) -> None:
        """Close as a killed Zotero would: SQLite writes the ``-wal`` back when it closes, so the files are set aside before."""
        names = ("zotero.sqlite", "zotero.sqlite-wal")
        aside = self.folder / "aside"
        aside.mkdir()
        for name in names:
            shutil.copyfile(self.folder / name, aside / name)
        self._db.close()
        for name in names:
            (aside / name).replace(self.folder / name)
        aside.rmdir()

    def _insert(self, table: str, **values: object) -> int:
        names = ", ".join(values)
        marks = ", ".join("?" for _ in values)
        return self._db.execute(f"INSERT INTO {table} ({names}) VALUES ({marks})", tuple(values.values())).lastrowid or 0

    def sql(self, statement: str, *values: object) -> None:
        """Do something that no call here does, as a damaged or foreign library has it."""
        self._db.execute(statement, values)

    def new_library(self, number: int, kind: str) -> None:
        """Add a library by number and kind (``user``, ``group``, ``feed``)."""
        self._insert("libraries", libraryID=number, type=kind, editable=1, filesEditable=1)

    def group(self, number: int, group: int, name: str) -> None:
        """Add a group with its library."""
        self.new_library(number, "group")
        self._insert("groups", groupID=group, libraryID=number, name=name, description="", version=1)

    def feed(self, number: int, name: str) -> None:
        """Add a feed with its library."""
        self.new_library(number, "feed")
        self._insert("feeds", libraryID=number, name=name, url=f"https://feeds.example.org/{number}")

    def collection(self, name: str, *, parent: int | None = None, library: int = 1, deleted: bool = False) -> int:
        """Add a collection and return its number."""
        key = key_of(f"collection {library} {parent} {name}")
        number = self._insert("collections", collectionName=name, parentCollectionID=parent, libraryID=library, key=key)
        if deleted:
            self._insert("deletedCollections", collectionID=number)
        return number

    def _row(self, name: str, kind: str, library: int, tags: Iterable[str], deleted: bool) -> int:
        self._count += 1
        day, hour = divmod(self._count, 24)
        moment = MOMENT.format(day=day % 28 + 1, hour=hour)
        key = key_of(name)
        number = self._insert(
            "items",
            itemTypeID=ITEM_TYPES.index(kind) + 1,
            libraryID=library,
            key=key,
            dateAdded=moment,
            dateModified=moment,
            clientDateModified=moment,
        )
        self.ids[library, key] = number
        for tag in tags:
            self._db.execute("INSERT OR IGNORE INTO tags (name) VALUES (?)", (tag,))
            self._db.execute("INSERT INTO itemTags SELECT ?, tagID, 0 FROM tags WHERE name = ?", (number, tag))
        if deleted:
            self._insert("deletedItems", itemID=number)
        return number

    def _set_fields(self, item: int, fields: Mapping[str, object]) -> None:
        for name, value in fields.items():
            self._db.execute("INSERT OR IGNORE INTO itemDataValues (value) VALUES (?)", (value,))
            row = self._db.execute("SELECT valueID FROM itemDataValues WHERE value IS ?", (value,)).fetchone()
            self._insert("itemData", itemID=item, fieldID=self._fields.index(name) + 1, valueID=row[0])

    def item(
        self,
        name: str,
        kind: str = "journalArticle",
        *,
        library: int = 1,
        fields: Mapping[str, object] | None = None,
        creators: Iterable[tuple[str, str, str]] = (),
        collections: Iterable[int] = (),
        tags: Iterable[str] = (),
        deleted: bool = False,
        published: bool = False,
        retraction: Mapping[str, object] | None = None,
    ) -> int:
        """Add an item and return its number; creators are (role, first name, last name), without a first name a body."""
        number = self._row(name, kind, library, tags, deleted)
        self._set_fields(number, fields or {})
        for order, (role, first, last) in enumerate(creators):
            mode = 0 if first else 1
            self._db.execute(
                "INSERT OR IGNORE INTO creators (firstName, lastName, fieldMode) VALUES (?, ?, ?)", (first, last, mode)
            )
            chosen = "SELECT ?, creatorID, ?, ? FROM creators WHERE firstName = ? AND lastName = ? AND fieldMode = ?"
            role_id = CREATOR_TYPES.index(role) + 1
            self._db.execute(f"INSERT INTO itemCreators {chosen}", (number, role_id, order, first, last, mode))
        for collection in collections:
            self._insert("collectionItems", collectionID=collection, itemID=number)
        if published:
            self._insert("publicationsItems", itemID=number)
        if retraction is not None:
            self._insert("retractedItems", itemID=number, data=json.dumps(retraction))
        return number

    def attachment(
        self,
        name: str,
        parent: int | None,
        *,
        path: str | None,
        mode: str = "imported_file",
        content_type: str = "application/pdf",
        file: bytes | None = None,
        file_name: str | None = None,
        title: str = "Full Text PDF",
        library: int = 1,
        sync_state: int = 2,
        collections: Iterable[int] = (),
        tags: Iterable[str] = (),
        deleted: bool = False,
        url: str = "",
    ) -> int:
        """Add an attachment and return its number.

        `file` are the bytes that stand in its storage folder, under `file_name`, else under the name in ``storage:NAME``.
        """
        number = self._row(name, "attachment", library, tags, deleted)
        self._set_fields(number, {"title": title, **({"url": url} if url else {})})
        self._insert(
            "itemAttachments",
            itemID=number,
            parentItemID=parent,
            linkMode=LINK_MODES[mode],
            contentType=content_type,
            path=path,
            syncState=sync_state,
        )
        for collection in collections:
            self._insert("collectionItems", collectionID=collection, itemID=number)
        if file is not None:
            place = self.folder / "storage" / key_of(name)
            place.mkdir(exist_ok=True)
            (place / (file_name or (path or "").removeprefix("storage:"))).write_bytes(file)
        return number

    def note(
        self, name: str, parent: int | None, html: str, *, title: str = "", library: int = 1, tags: Iterable[str] = ()
    ) -> int:
        """Add a note and return its number."""
        number = self._row(name, "note", library, tags, deleted=False)
        self._insert("itemNotes", itemID=number, parentItemID=parent, note=html, title=title)
        return number

    def annotation(
        self,
        name: str,
        attachment: int,
        kind: str = "highlight",
        *,
        text: str | None = None,
        comment: str | None = None,
        page_label: str = "",
        page_index: int = 0,
        library: int = 1,
        tags: Iterable[str] = (),
        deleted: bool = False,
    ) -> int:
        """Add an annotation and return its number."""
        number = self._row(name, "annotation", library, tags, deleted)
        self._insert(
            "itemAnnotations",
            itemID=number,
            parentItemID=attachment,
            type=ANNOTATIONS[kind],
            authorName="",
            text=text,
            comment=comment,
            color="#ffd400",
            pageLabel=page_label,
            sortIndex=f"{page_index:05}|{self._count:06}|00000",
            position=json.dumps({"pageIndex": page_index, "rects": [[70, 700, 200, 712]]}),
            isExternal=0,
        )
        return number
