"""Where the file of an attachment is: from what the library says of it to an existing file, or to why there is none.

Zotero names a file in one of these ways: ``storage:NAME`` in the folder of the attachment's key, for files it keeps itself;
``attachments:PATH`` below the base directory of linked files, which only the profile knows; an absolute path; and, from older
versions and other programs, a ``file://`` address. A linked URL has no file.

A file in storage that was renamed outside Zotero is found again when it is the only PDF in its folder: that folder belongs to
this attachment alone. A name is also found where it is the same but for the form of its accents (Unicode NFC or NFD), which
changes when a library moves from one system to another.
"""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path, PureWindowsPath
from typing import Final
from urllib.parse import unquote, urlsplit

from variorum.libraries.model import LinkMode, Problem, ProblemKind

LINK_MODES: Final[tuple[LinkMode, ...]] = ("imported_file", "imported_url", "linked_file", "linked_url", "embedded_image")
"""By Zotero's numbers, from 0."""

_STORED: Final = ("imported_file", "imported_url", "embedded_image")
_STORAGE: Final = "storage:"
_ATTACHMENTS: Final = "attachments:"
_FILE_URL: Final = "file:"
_KEY: Final = re.compile(r"[A-Za-z0-9]+")
_WINDOWS: Final = re.compile(r"[A-Za-z]:[\\/]|\\\\")
_TO_DOWNLOAD: Final = (1, 4)
"""Zotero's sync states "to download" and "download in any case"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FilePlaces:
    """Where files are looked for: the ``storage`` folder, and the base directory of linked files as the profile writes it.

    `is_windows` says whether paths with drives and backslashes are those of this system.
    """

    storage: Path
    base_dir: str | None = None
    is_windows: bool = os.name == "nt"


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundFile:
    """An existing file, absolute, and whether it has another name than the library says; or why there is none."""

    path: Path | None = None
    problem: Problem | None = None
    is_renamed: bool = False


def find_file(
    key: str, link_mode: LinkMode, stored_path: str, *, is_pdf: bool, sync_state: int, places: FilePlaces
) -> FoundFile:
    """Return the file of an attachment, or why there is none. Reads folders, opens no file, never raises for what it finds."""
    if link_mode == "linked_url":
        return _none("linked-url", "it is a link to a web page, not a file")
    if not stored_path:
        return _none("no-path", "the library names no file for it")
    if "\0" in stored_path:
        return _none("unsafe-path", "its path holds a character that no path can have")
    if stored_path.startswith(_STORAGE):
        return _stored(key, stored_path.removeprefix(_STORAGE), is_pdf=is_pdf, sync_state=sync_state, places=places)
    if stored_path.startswith(_ATTACHMENTS):
        return _below_base(stored_path.removeprefix(_ATTACHMENTS), places)
    if link_mode in _STORED and not _is_absolute(stored_path) and not stored_path.startswith(_FILE_URL):
        return _stored(key, stored_path, is_pdf=is_pdf, sync_state=sync_state, places=places)
    if stored_path.startswith(_FILE_URL):
        return _absolute(_path_of_url(stored_path), places)
    return _absolute(stored_path, places)


def _none(kind: ProblemKind, reason: str) -> FoundFile:
    return FoundFile(problem=Problem(kind=kind, reason=reason))


def _is_absolute(path: str) -> bool:
    return path.startswith("/") or _WINDOWS.match(path) is not None


def _stored(key: str, name: str, *, is_pdf: bool, sync_state: int, places: FilePlaces) -> FoundFile:
    if not name:
        return _none("no-path", "the library names no file for it")
    if not _KEY.fullmatch(key) or _leads_out(name, places):
        return _none("unsafe-path", f"its path {name!r} leads out of its folder in storage")
    folder = places.storage / key
    found = _regular_file(folder / name)
    if found.problem is None or found.problem.kind != "missing":
        return found
    if is_pdf and (renamed := _renamed(folder, name)) is not None:
        return renamed
    if sync_state in _TO_DOWNLOAD:
        return _none("missing", "the file is on Zotero's server and was not downloaded to this computer")
    return found


def _leads_out(path: str, places: FilePlaces) -> bool:
    """Return whether a relative path, with separators of any system, may lead out of the folder it is below."""
    has_drive = places.is_windows and PureWindowsPath(path).drive != ""
    return ".." in re.split(r"[\\/]", path) or path.startswith(("/", "\\")) or has_drive


def _renamed(folder: Path, name: str) -> FoundFile | None:
    """Return the only PDF in the folder of a PDF that is not there by its name; None where there is none at all."""
    pdfs = [path for path in _files_in(folder) if path.suffix.lower() == ".pdf"]
    if len(pdfs) == 1:
        found = _regular_file(pdfs[0])
        return found if found.path is None else FoundFile(path=found.path, is_renamed=True)
    if pdfs:
        names = ", ".join(path.name for path in pdfs)
        return _none("ambiguous", f"there is no {name!r} in its folder, and any of these could be it: {names}")
    return None


def _files_in(folder: Path) -> list[Path]:
    """Return the files of a folder that are not hidden, by name; none where it may not be read or is not there."""
    try:
        return sorted(path for path in folder.iterdir() if not path.name.startswith(".") and path.is_file())
    except OSError:
        return []


def _below_base(relative: str, places: FilePlaces) -> FoundFile:
    if places.base_dir is None:
        reason = f"it is linked relative to a base directory, which no Zotero profile here sets: {relative!r}"
        return _none("no-base-directory", reason)
    if _leads_out(relative, places):
        return _none("unsafe-path", f"its path {relative!r} leads out of the base directory")
    if _is_foreign(places.base_dir, places):
        return _other_system(places.base_dir)
    return _regular_file(Path(places.base_dir) / relative.replace("\\", "/"))


def _absolute(path: str, places: FilePlaces) -> FoundFile:
    if not _is_absolute(path):
        return _none("missing", f"its path {path!r} is not absolute, and says not what it is relative to")
    if _is_foreign(path, places):
        return _other_system(path)
    return _regular_file(Path(path))


def _is_foreign(path: str, places: FilePlaces) -> bool:
    """Return whether the path is one of another operating system."""
    is_theirs = _WINDOWS.match(path) is not None
    return is_theirs != places.is_windows if _is_absolute(path) else False


def _other_system(path: str) -> FoundFile:
    return _none("other-system", f"its path is one of another operating system: '{path}'")


def _path_of_url(url: str) -> str:
    """Return the path that a ``file:`` address means; with a drive, that of Windows, with a host, that of its share."""
    try:
        parts = urlsplit(url)
    except ValueError:  # a malformed host
        return unquote(url.removeprefix(_FILE_URL))
    path = unquote(parts.path)
    if parts.netloc and parts.netloc.lower() != "localhost":
        return str(PureWindowsPath(f"//{parts.netloc}{path}"))
    if _WINDOWS.match(path.removeprefix("/")):
        return str(PureWindowsPath(path.removeprefix("/")))
    return path


def _regular_file(path: Path) -> FoundFile:
    """Return the file at a path, or at the same path with its accents in another form; or what is there instead."""
    for candidate in _forms(path):
        try:
            if candidate.is_file():
                if not os.access(candidate, os.R_OK):
                    return _none("unreadable", f"the file may not be read: {candidate}")
                return FoundFile(path=candidate.absolute())
            if candidate.exists():
                return _none("not-a-file", f"is a folder or device, not a file: {candidate}")
        except (OSError, ValueError) as error:
            return _none("unreadable", f"cannot be looked at ({getattr(error, 'strerror', None) or error}): {candidate}")
    return _none("missing", f"no such file: {path}")


def _forms(path: Path) -> list[Path]:
    """Return the path, and its other Unicode forms; the name alone changes last, so that the nearest is found first."""
    forms: list[Callable[[str], str]] = [lambda t: unicodedata.normalize("NFC", t), lambda t: unicodedata.normalize("NFD", t)]
    names = [path.with_name(form(path.name)) for form in forms] if path.name else []
    wholes = [Path(form(str(path))) for form in forms]
    return list(dict.fromkeys([path, *names, *wholes]))
