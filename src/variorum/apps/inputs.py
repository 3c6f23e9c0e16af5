"""From the paths of a call to the PDFs to read."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from variorum.document.keys import file_sha256
from variorum.errors import InputNotFoundError, VariorumError


@dataclass(frozen=True, slots=True, kw_only=True)
class Input:
    """One PDF to read, and the SHA-256 of its bytes."""

    path: Path
    sha256: str


def find_inputs(paths: Iterable[Path]) -> tuple[list[Input], list[VariorumError]]:
    """Return the PDFs that the paths name, each once, and an error for each path that names none.

    A folder stands for all files ending in ``.pdf`` in it and below it, in order of their names; hidden folders and result
    folders of variorum are passed over. A file is taken whatever its ending.
    """
    found: list[Input] = []
    errors: list[VariorumError] = []
    seen: set[str] = set()
    for path in paths:
        files, faults = _files(path)
        errors.extend(faults)
        for file in files:
            identity = os.path.realpath(file)
            if identity in seen:
                continue
            seen.add(identity)
            try:
                found.append(_input(file))
            except InputNotFoundError as error:
                errors.append(error)
    return found, errors


def _files(path: Path) -> tuple[list[Path], list[VariorumError]]:
    """Return the file itself, or the PDFs below a folder; an error for each unreadable folder, and when there is none."""
    if not os.path.isdir(path):
        return [path], []
    errors: list[VariorumError] = []

    def note(error: OSError) -> None:
        what = f"cannot be read ({error.strerror})"
        errors.append(InputNotFoundError(what, where=str(error.filename), hint="check the permissions"))

    pdfs = []
    for place, folders, files in os.walk(path, onerror=note):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and not name.endswith(".variorum"))
        pdfs += [Path(place) / name for name in sorted(files) if name.lower().endswith(".pdf") and not name.startswith(".")]
    if not pdfs and not errors:
        errors.append(InputNotFoundError("no PDF in this folder", where=str(path), hint="a folder with files ending in .pdf"))
    return pdfs, errors


def _input(path: Path) -> Input:
    """Return the input with its SHA-256; raises InputNotFoundError when the file is missing or may not be read."""
    where = str(path)
    try:
        if path.exists() and not path.is_file():
            raise InputNotFoundError("is not a regular file", where=where, hint="save it to a file first")
        return Input(path=path, sha256=file_sha256(path))
    except FileNotFoundError as error:
        raise InputNotFoundError("no such file", where=where, hint="check the path") from error
    except OSError as error:
        raise InputNotFoundError(
            f"cannot be read ({error.strerror})", where=where, hint="check path and permissions"
        ) from error
