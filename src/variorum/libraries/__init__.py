"""A Zotero library, or a folder of PDFs, as it stands: read-only, never a lock, never a miss.

`read_zotero` and `read_folder` give a `Library`; `select` says which of its items are meant, `check` whether their PDFs can be
read.
"""

from variorum.libraries.checking import CheckReport, Duplicates, FileCheck, check
from variorum.libraries.folder import read_folder
from variorum.libraries.model import (
    Annotation,
    Attachment,
    CitationKey,
    Collection,
    Creator,
    ItemDate,
    ItemRef,
    Library,
    LibraryItem,
    LibraryRef,
    LibrarySource,
    Note,
    Problem,
    SkippedItem,
)
from variorum.libraries.selecting import Selection, one_key, select
from variorum.libraries.zotero import read_zotero

__all__ = [
    "Annotation",
    "Attachment",
    "CheckReport",
    "CitationKey",
    "Collection",
    "Creator",
    "Duplicates",
    "FileCheck",
    "ItemDate",
    "ItemRef",
    "Library",
    "LibraryItem",
    "LibraryRef",
    "LibrarySource",
    "Note",
    "Problem",
    "Selection",
    "SkippedItem",
    "check",
    "one_key",
    "read_folder",
    "read_zotero",
    "select",
]
