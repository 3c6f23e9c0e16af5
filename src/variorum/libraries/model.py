"""What a library holds: items with their metadata, attachments, notes and annotations; what was left out, and why.

All data is frozen. An item is known by its library and its key together: an item key alone is not unique. Nothing here opens a
file; `zotero.py` and `folder.py` make this data. Page labels are what is printed on a page, never a position in the file.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

LibraryKind = Literal["user", "group", "folder"]
LinkMode = Literal["imported_file", "imported_url", "linked_file", "linked_url", "embedded_image", "unknown"]
KeyOrigin = Literal["zotero", "better-bibtex", "extra"]
"""Where a citation key stands: Zotero's own field, the database of Better BibTeX, or a line of the field Extra."""

AnnotationKind = Literal["highlight", "note", "image", "ink", "underline", "text", "unknown"]
ProblemKind = Literal[
    "linked-url",
    "no-path",
    "no-base-directory",
    "other-system",
    "unsafe-path",
    "missing",
    "ambiguous",
    "not-a-file",
    "unreadable",
]
"""Why an attachment has no file: it is a web link; the library names no path; its base directory is not known; its path is one
of another operating system; its path leads out of its folder; there is no such file; several files could be it; what stands
there is no regular file; it may not be read."""


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class LibraryRef:
    """One library: `id` is ``user``, ``groups/NUMBER`` (the number Zotero's servers know) or ``folder``; a name for people."""

    id: str
    name: str
    kind: LibraryKind


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class ItemRef:
    """What an item is known by: the id of its library and its key. As text ``user/ABCD2345``."""

    in_library: str
    key: str

    def __str__(self) -> str:
        return f"{self.in_library}/{self.key}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Creator:
    """A person or body with its role (``author``, ``editor``, ...); a body, or a name in one field, has no `first`."""

    role: str
    last: str
    first: str = ""

    @property
    def name(self) -> str:
        """The name as a person writes it: first name, last name."""
        return f"{self.first} {self.last}".strip()


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemDate:
    """A date: the text as the user typed it, and year, month (1-12) and day (1-31), each None where it is not said."""

    raw: str
    year: int | None = None
    month: int | None = None
    day: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CitationKey:
    """A citation key and where it comes from."""

    key: str
    origin: KeyOrigin


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Collection:
    """A collection: its key and its path, the names from the outermost collection to itself."""

    path: tuple[str, ...]
    key: str

    def __str__(self) -> str:
        return " / ".join(self.path)


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """A note: its key, title, text without markup (paragraphs on lines of their own), tags, and whether it is in the trash."""

    key: str
    title: str
    text: str
    tags: tuple[str, ...] = ()
    in_trash: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Annotation:
    """A mark that a reader made in an attachment.

    `page_label` is the printed label of the page, empty where the reader's program gave none; `page_index` counts from 0, None
    where it is not known. `text` is what was marked, `comment` what the reader wrote.
    """

    key: str
    kind: AnnotationKind
    text: str = ""
    comment: str = ""
    color: str = ""
    author: str = ""
    page_label: str = ""
    page_index: int | None = None
    tags: tuple[str, ...] = ()
    in_trash: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """Why an attachment has no file, as a kind for programs and a sentence for people."""

    kind: ProblemKind
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Attachment:
    """A file or link of an item.

    Exactly one of `path` (absolute, an existing regular file when the library was read) and `problem` is given. `stored_path`
    is what the library says, in its own form. `is_renamed` says that the file has another name than the library says, and was
    taken because it is the only one of its kind in the folder that is this attachment's own. `in_trash` is true also where the
    item is in the trash.
    """

    key: str
    title: str
    link_mode: LinkMode
    content_type: str
    stored_path: str
    url: str = ""
    path: Path | None = None
    problem: Problem | None = None
    is_renamed: bool = False
    tags: tuple[str, ...] = ()
    note: str = ""
    in_trash: bool = False
    annotations: tuple[Annotation, ...] = ()

    @property
    def is_pdf(self) -> bool:
        """Whether it is a PDF, by its type, or by its name where the type is not said."""
        if self.content_type:
            return self.content_type.partition(";")[0].strip().lower() in ("application/pdf", "application/x-pdf")
        named = self.path.name if self.path is not None else self.stored_path
        return named.lower().endswith(".pdf")


@dataclass(frozen=True, slots=True, kw_only=True)
class LibraryItem:
    """An item of a library with all that belongs to it.

    `item_type` is Zotero's name of the type; an attachment or note without a parent is an item of the type ``attachment`` or
    ``note``. `fields` are all fields by name, in order of their names, the ones that have attributes of their own too. `title`
    may hold the few tags that Zotero knows for italics and the like; `plain_title` does not. `retraction` is the reason where
    it is known, and a plain ``retracted`` where not; None for an item that stands. Times are as the library has them, in UTC.
    """

    in_library: LibraryRef
    key: str
    item_type: str
    title: str
    plain_title: str
    creators: tuple[Creator, ...] = ()
    date: ItemDate | None = None
    doi: str = ""
    url: str = ""
    publication: str = ""
    language: str = ""
    abstract: str = ""
    extra: str = ""
    citation_key: CitationKey | None = None
    tags: tuple[str, ...] = ()
    collections: tuple[Collection, ...] = ()
    fields: tuple[tuple[str, str], ...] = ()
    date_added: str = ""
    date_modified: str = ""
    in_trash: bool = False
    retraction: str | None = None
    in_my_publications: bool = False
    attachments: tuple[Attachment, ...] = ()
    notes: tuple[Note, ...] = ()

    @property
    def name(self) -> str:
        """What a person knows it by: the title, and of a file in a folder the path, relative to the folder."""
        return self.attachments[0].stored_path if self.in_library.kind == "folder" and self.attachments else self.plain_title

    @property
    def ref(self) -> ItemRef:
        """What the item is known by."""
        return ItemRef(in_library=self.in_library.id, key=self.key)

    @property
    def authors(self) -> tuple[Creator, ...]:
        """The creators whose role is that of an author; all of them where none has it."""
        return tuple(c for c in self.creators if c.role == "author") or self.creators

    @property
    def year(self) -> int | None:
        """The year, None where it is not known."""
        return self.date.year if self.date is not None else None

    @property
    def pdfs(self) -> tuple[Attachment, ...]:
        """The PDFs that are not in the trash, those without a file too, in the order of the library."""
        return tuple(a for a in self.attachments if a.is_pdf and not a.in_trash)


@dataclass(frozen=True, slots=True, kw_only=True)
class SkippedItem:
    """A row of the library that is not among the items, and why; `key` is the path of a file in a folder, relative to it."""

    in_library: str
    key: str
    item_type: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LibrarySource:
    """Where a library was read: the folder or file, what it is, and facts such as the version of the schema, by name."""

    path: Path
    what: str
    facts: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Library:
    """All that was found in one place, items in order of library and key.

    `found` counts the rows that are items of their own: it is the number of items and skipped rows together. What belongs to an
    item (attachments, notes, annotations) is counted with it; what should belong to one and does not is among the skipped.
    Items in the trash are among the items, with `in_trash`.
    """

    libraries: tuple[LibraryRef, ...]
    items: tuple[LibraryItem, ...]
    skipped: tuple[SkippedItem, ...]
    sources: tuple[LibrarySource, ...]
    found: int
    notices: tuple[str, ...] = ()

    def __iter__(self) -> Iterator[LibraryItem]:
        return iter(self.items)

    def __len__(self) -> int:
        return len(self.items)

    @property
    def active(self) -> tuple[LibraryItem, ...]:
        """The items that are not in the trash."""
        return tuple(item for item in self.items if not item.in_trash)

    def with_key(self, key: str) -> tuple[LibraryItem, ...]:
        """Return the items with this key (``ABCD2345``) or reference (``user/ABCD2345``): none, one, or one a library."""
        return tuple(item for item in self.items if key in (item.key, str(item.ref)))
