"""A Zotero library, read from its folder while Zotero may be running: never a lock, never a write, never a miss.

The database is read from a copy (`snapshot.py`) that is gone afterwards. All libraries in it are read: the user's own and every
group. Feeds are left out, with that reason. Items in the trash are read and marked: by themselves, or by what they belong to.
"""

from __future__ import annotations

import json
import sqlite3
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from variorum.errors import DamagedInputError, InputNotFoundError
from variorum.libraries.attachments import LINK_MODES, FilePlaces, find_file
from variorum.libraries.citation_keys import KeysById, citation_key, read_better_bibtex
from variorum.libraries.dates import parse_date
from variorum.libraries.identifiers import doi_in_extra, plain_doi
from variorum.libraries.model import (
    Annotation,
    AnnotationKind,
    Attachment,
    Library,
    LibraryItem,
    LibraryRef,
    LibrarySource,
    LinkMode,
    Note,
    SkippedItem,
)
from variorum.libraries.plain_text import plain_note, plain_title
from variorum.libraries.profiles import DATABASE, base_directory
from variorum.libraries.snapshot import snapshot
from variorum.libraries.zotero_rows import NEWEST_KNOWN, ItemRow, ZoteroRows, read_rows

_ANNOTATION_KINDS: Final[tuple[AnnotationKind, ...]] = ("unknown", "highlight", "note", "image", "ink", "underline", "text")
"""By Zotero's numbers, which begin at 1."""

_OTHER_PLACES: Final = ("journalAbbreviation", "conferenceName", "repository")
"""Where a work appeared, when no journal, proceedings or book is named."""

_HINT_FOLDER: Final = "the folder that Zotero shows under Settings, Advanced, Files and Folders: it holds zotero.sqlite"


def read_zotero(
    folder: str | Path, *, base_dir: str | None = None, home: Path | None = None, pause: Callable[[float], None] = time.sleep
) -> Library:
    """Return the library in a Zotero data directory (or the one around a ``zotero.sqlite``), with files looked up.

    `base_dir` is the base directory of linked files; without it the user's Zotero profile is asked, below `home` (default: the
    user's). `pause` waits for some seconds when the database changes under the reading. Raises InputNotFoundError when there
    is no Zotero library, SchemaError when it is older than Zotero 5 or not one of Zotero, and what `snapshot` raises.
    """
    data_dir = _data_dir(Path(folder))
    base = base_dir or base_directory(data_dir, home or Path.home())
    database = data_dir / DATABASE
    with snapshot(database, pause=pause) as copy:
        try:
            rows = read_rows(copy.connection, str(database))
        except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
            hint = "restore a backup, such as zotero.sqlite.bak, with Zotero closed"
            raise DamagedInputError(f"the database is damaged ({error})", where=str(database), hint=hint) from error
        journal_mode = copy.journal_mode
    keys, complaint = read_better_bibtex(data_dir)
    notices = [complaint] if complaint else []
    if rows.schema > NEWEST_KNOWN:
        notices.append(f"its schema ({rows.schema}) is newer than those known here (up to {NEWEST_KNOWN})")
    places = FilePlaces(storage=data_dir / "storage", base_dir=base)
    builder = _Builder(rows, keys, places)
    items, skipped = builder.build()
    facts = (("schema", str(rows.schema)), ("journal", journal_mode), ("base directory", base or "not set"))
    return Library(
        libraries=tuple(sorted(rows.libraries.values(), key=_users_first)),
        items=items,
        skipped=skipped,
        sources=(LibrarySource(path=data_dir, what="zotero", facts=facts),),
        found=len(rows.items) - builder.belonging,
        notices=tuple(notices),
    )


def _data_dir(folder: Path) -> Path:
    """Return the absolute data directory; raises InputNotFoundError when it holds no database."""
    where = str(folder)
    if folder.name == DATABASE and folder.is_file():
        folder = folder.parent
    try:
        is_there, is_file, has_database = folder.exists(), folder.is_file(), (folder / DATABASE).is_file()
        hint = f"--zotero {folder.parent}" if (folder.parent / DATABASE).is_file() else _HINT_FOLDER
    except (OSError, ValueError) as error:
        what = f"cannot be read ({getattr(error, 'strerror', None) or error})"
        raise InputNotFoundError(what, where=where, hint="check path and permissions") from error
    if not is_there:
        raise InputNotFoundError("no such folder", where=where, hint=hint)
    if is_file:
        raise InputNotFoundError("is a file, not a Zotero data directory", where=where, hint=hint)
    if not has_database:
        raise InputNotFoundError(f"no Zotero library: it holds no {DATABASE}", where=where, hint=hint)
    return folder.absolute()


class _Builder:
    """Makes items of the rows."""

    def __init__(self, rows: ZoteroRows, keys: KeysById, places: FilePlaces) -> None:
        self._rows = rows
        self._keys = keys
        self._places = places
        self._by_id = {row.item_id: row for row in rows.items}
        self._children: dict[int, list[ItemRow]] = defaultdict(list)
        for row in rows.items:
            parent = rows.parents.get(row.item_id)
            if parent is not None:
                self._children[parent].append(row)
        for children in self._children.values():
            children.sort(key=lambda row: (row.added, row.key))
        self.belonging = 0

    def build(self) -> tuple[tuple[LibraryItem, ...], tuple[SkippedItem, ...]]:
        """Return the items and what was left out, each by library and key: every row is one, belongs to one, or is left out.

        `belonging` counts those that belong to one.
        """
        items: list[LibraryItem] = []
        skipped: list[SkippedItem] = []
        reached: set[int] = set()
        for row in self._rows.items:
            if row.item_id in self._rows.parents:
                continue
            below = self._below(row)
            reached |= below
            self.belonging += len(below) - 1
            if row.in_library in self._rows.libraries:
                items.append(self._item(row))
            else:
                skipped.append(
                    self._skipped(row, self._rows.left_out.get(row.in_library, "its library is not in the database"))
                )
        for row in self._rows.items:
            if row.item_id not in reached:
                skipped.append(self._skipped(row, "what it belongs to is not in the database"))
        items.sort(key=lambda item: (_users_first(item.in_library), item.key))
        return tuple(items), tuple(sorted(skipped, key=lambda s: (s.in_library, s.key)))

    def _below(self, row: ItemRow) -> set[int]:
        """Return the numbers of a row and of all that belongs to it."""
        found: set[int] = set()
        waiting = [row]
        while waiting:
            at = waiting.pop()
            if at.item_id not in found:
                found.add(at.item_id)
                waiting += self._children.get(at.item_id, [])
        return found

    def _skipped(self, row: ItemRow, reason: str) -> SkippedItem:
        library = self._rows.libraries.get(row.in_library)
        name = library.id if library is not None else f"libraries/{row.in_library}"
        return SkippedItem(in_library=name, key=row.key, item_type=row.item_type, reason=reason)

    def _item(self, row: ItemRow) -> LibraryItem:
        number, rows = row.item_id, self._rows
        fields, base = rows.fields.get(number, {}), rows.base_fields.get(number, {})
        extra = base.get("extra", "")
        in_trash = number in rows.deleted
        attachments, notes = self._belongings(row, in_trash)
        title = base.get("title", "") or self._other_title(row, attachments, notes)
        known = self._keys.get((row.in_library, row.key), "")
        return LibraryItem(
            in_library=rows.libraries[row.in_library],
            key=row.key,
            item_type=row.item_type,
            title=title,
            plain_title=plain_title(title),
            creators=rows.creators.get(number, ()),
            date=parse_date(base.get("date", "")),
            doi=plain_doi(base.get("DOI", "")) or doi_in_extra(extra),
            url=base.get("url", ""),
            publication=base.get("publicationTitle", "") or next((fields[n] for n in _OTHER_PLACES if fields.get(n)), ""),
            language=base.get("language", ""),
            abstract=base.get("abstractNote", ""),
            extra=extra,
            citation_key=citation_key(base.get("citationKey", ""), known, extra),
            tags=rows.tags.get(number, ()),
            collections=rows.collections.get(number, ()),
            fields=tuple(sorted(fields.items())),
            date_added=row.added,
            date_modified=row.modified,
            in_trash=in_trash,
            retraction=rows.retractions.get(number),
            in_my_publications=number in rows.publications,
            attachments=attachments,
            notes=notes,
        )

    def _other_title(self, row: ItemRow, attachments: tuple[Attachment, ...], notes: tuple[Note, ...]) -> str:
        """Return what stands for the title of a note or attachment that is an item of its own."""
        if row.item_type == "note" and notes:
            return notes[0].title
        return attachments[0].title if row.item_type == "attachment" and attachments else ""

    def _belongings(self, row: ItemRow, in_trash: bool) -> tuple[tuple[Attachment, ...], tuple[Note, ...]]:
        """Return the attachments and notes of an item: of an attachment or note without a parent, itself first."""
        attachments: list[Attachment] = []
        notes: list[Note] = []
        waiting = [(row, in_trash)]
        while waiting:
            at, is_deleted = waiting.pop(0)
            if at.item_id in self._rows.attachments:
                attachments.append(self._attachment(at, is_deleted))
            elif at.item_id in self._rows.notes:
                notes.append(self._note(at, is_deleted))
            waiting += [(c, is_deleted or c.item_id in self._rows.deleted) for c in self._children.get(at.item_id, ())]
        return tuple(attachments), tuple(notes)

    def _note(self, row: ItemRow, in_trash: bool) -> Note:
        data = self._rows.notes[row.item_id]
        text = plain_note(str(data["note"] or ""))
        title = str(data["title"] or "") or text.partition("\n")[0]
        return Note(key=row.key, title=title, text=text, tags=self._rows.tags.get(row.item_id, ()), in_trash=in_trash)

    def _attachment(self, row: ItemRow, in_trash: bool) -> Attachment:
        data, fields = self._rows.attachments[row.item_id], self._rows.base_fields.get(row.item_id, {})
        stored, content_type = str(data["path"] or ""), str(data["contentType"] or "")
        mode = _link_mode(data["linkMode"])
        bare = stored.replace("\\", "/").rpartition("/")[2].removeprefix("storage:").removeprefix("attachments:")
        plain = Attachment(
            key=row.key, title=fields.get("title", "") or bare, link_mode=mode, content_type=content_type, stored_path=stored
        )
        is_pdf, sync_state = plain.is_pdf, data["syncState"]
        state = sync_state if isinstance(sync_state, int) else 0
        found = find_file(row.key, mode, stored, is_pdf=is_pdf, sync_state=state, places=self._places)
        children = self._children.get(row.item_id, ())
        marks = [c for c in children if c.item_id in self._rows.annotations]
        note = self._rows.notes.get(row.item_id)
        return Attachment(
            key=plain.key,
            title=plain.title,
            link_mode=mode,
            content_type=content_type,
            stored_path=stored,
            url=fields.get("url", ""),
            path=found.path,
            problem=found.problem,
            is_renamed=found.is_renamed,
            tags=self._rows.tags.get(row.item_id, ()),
            note=plain_note(str(note["note"] or "")) if note is not None else "",
            in_trash=in_trash,
            annotations=self._annotations(marks, in_trash),
        )

    def _annotations(self, rows: Iterable[ItemRow], in_trash: bool) -> tuple[Annotation, ...]:
        """Return the annotations in the order of their places."""
        placed = sorted(rows, key=lambda row: (str(self._rows.annotations[row.item_id]["sortIndex"] or ""), row.key))
        return tuple(self._annotation(row, in_trash or row.item_id in self._rows.deleted) for row in placed)

    def _annotation(self, row: ItemRow, in_trash: bool) -> Annotation:
        data = self._rows.annotations[row.item_id]
        number = data["type"]
        is_known = isinstance(number, int) and 0 < number < len(_ANNOTATION_KINDS)
        return Annotation(
            key=row.key,
            kind=_ANNOTATION_KINDS[number] if is_known else "unknown",
            text=str(data["text"] or ""),
            comment=str(data["comment"] or ""),
            color=str(data["color"] or ""),
            author=str(data["authorName"] or ""),
            page_label=str(data["pageLabel"] or ""),
            page_index=_page_index(data),
            tags=self._rows.tags.get(row.item_id, ()),
            in_trash=in_trash,
        )


def _users_first(library: LibraryRef) -> tuple[bool, int, str]:
    """Return what sorts the user's own library before the groups, and these by their numbers."""
    number = library.id.rpartition("/")[2]
    return library.kind != "user", int(number) if number.isdecimal() else 0, library.id


def _link_mode(number: object) -> LinkMode:
    return LINK_MODES[number] if isinstance(number, int) and 0 <= number < len(LINK_MODES) else "unknown"


def _page_index(data: Mapping[str, Any]) -> int | None:
    """Return the page of an annotation, from 0, by the JSON of its position; None where that does not say it."""
    try:
        index = json.loads(str(data["position"])).get("pageIndex")
    except (ValueError, AttributeError):
        return None
    return index if isinstance(index, int) and index >= 0 else None
