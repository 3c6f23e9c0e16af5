"""A plain folder of PDFs as a library: each content is an item, its key comes from the content, its title from the file name.

So a file that is moved or renamed stays the same item, and a second copy of a file is not a second item: it is left out, with
the first one named. Folders inside the folder are its collections. Nothing but the bytes and names of the files is read.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from variorum.document.keys import file_sha256
from variorum.errors import InputNotFoundError
from variorum.libraries.model import Attachment, Collection, Library, LibraryItem, LibraryRef, LibrarySource, SkippedItem
from variorum.libraries.profiles import DATABASE

_ID: Final = "folder"
_KEY_LENGTH: Final = 16
"""Hex digits of a SHA-256: 64 bits, so that two of a million files have the same key with a chance of one in 10^7."""


def read_folder(folder: str | Path) -> Library:
    """Return the library of all files ending in ``.pdf`` in the folder and below it, by key.

    Hidden files, hidden folders and result folders of variorum are passed over. Raises InputNotFoundError when the folder is
    not there, may not be read, holds no PDF, or is the folder of a Zotero library.
    """
    place = Path(folder)
    _refuse(place)
    items: dict[str, LibraryItem] = {}
    skipped: list[SkippedItem] = []
    found = 0
    library = LibraryRef(id=_ID, name=_readable(place.absolute().name), kind="folder")
    for path, unreadable in _pdfs_below(place):
        found += 1
        relative = path.relative_to(place)
        key, reason = ("", unreadable) if unreadable else _key_of(path)
        if key in items:
            reason = f"it has the same content as {items[key].attachments[0].stored_path}"
        if reason:
            name = _readable(relative.as_posix())
            skipped.append(SkippedItem(in_library=_ID, key=name, item_type="attachment", reason=reason))
        else:
            items[key] = _item(library, key, path, relative)
    if not found:
        raise InputNotFoundError("no PDF in this folder", where=str(place), hint="a folder with files ending in .pdf")
    return Library(
        libraries=(library,),
        items=tuple(items[key] for key in sorted(items)),
        skipped=tuple(skipped),
        sources=(LibrarySource(path=place.absolute(), what="folder"),),
        found=found,
    )


def _refuse(place: Path) -> None:
    where = str(place)
    try:
        if not place.is_dir():
            what = "is a file, not a folder" if place.exists() else "no such folder"
            raise InputNotFoundError(what, where=where, hint="a folder with files ending in .pdf")
        if (place / DATABASE).is_file():
            raise InputNotFoundError("is the folder of a Zotero library", where=where, hint=f"--zotero {place}")
        os.listdir(place)
    except (OSError, ValueError) as error:
        what = f"cannot be read ({getattr(error, 'strerror', None) or error})"
        raise InputNotFoundError(what, where=where, hint="check path and permissions") from error


def _pdfs_below(place: Path) -> Iterator[tuple[Path, str]]:
    """Yield each PDF, and each folder that may not be read with the reason, in order of the names."""
    unreadable: list[OSError] = []
    for at, folders, files in os.walk(place, onerror=unreadable.append):
        while unreadable:
            error = unreadable.pop()
            yield Path(error.filename), f"the folder cannot be read ({error.strerror})"
        folders[:] = sorted(name for name in folders if not name.startswith(".") and not name.endswith(".variorum"))
        for name in sorted(files):
            if name.lower().endswith(".pdf") and not name.startswith("."):
                yield Path(at) / name, ""
    for error in unreadable:
        yield Path(error.filename), f"the folder cannot be read ({error.strerror})"


def _key_of(path: Path) -> tuple[str, str]:
    """Return the key of a file, and why it has none: one of them is empty."""
    try:
        if not path.is_file():
            return "", "it is no regular file" if path.exists() else "the link leads to no file"
        if path.stat().st_size == 0:
            return "", "the file is empty"
        return file_sha256(path)[:_KEY_LENGTH], ""
    except OSError as error:
        return "", f"the file cannot be read ({error.strerror})"


def _item(library: LibraryRef, key: str, path: Path, relative: Path) -> LibraryItem:
    title = " ".join(_readable(path.stem).replace("_", " ").split()) or _readable(path.name)
    folders = tuple(map(_readable, relative.parent.parts))
    attachment = Attachment(
        key=key,
        title=_readable(path.name),
        link_mode="linked_file",
        content_type="application/pdf",
        stored_path=_readable(relative.as_posix()),
        path=path.absolute(),
    )
    return LibraryItem(
        in_library=library,
        key=key,
        item_type="attachment",
        title=title,
        plain_title=title,
        collections=(Collection(path=folders, key="/".join(folders)),) if folders else (),
        attachments=(attachment,),
    )


def _readable(name: str) -> str:
    """Return the name as text that can be stored: bytes of a file's name that are no UTF-8 become a mark."""
    return os.fsencode(name).decode("utf-8", "replace")
