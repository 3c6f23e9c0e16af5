"""Writing files that are whole or absent, into folders made as needed."""

from __future__ import annotations

import os
from pathlib import Path

from variorum.document.writing import write_whole
from variorum.errors import OutputError

_HINT = "another folder with -o"
HINT_FILE = "another name or folder for the file"


def atomic_write(path: Path, data: bytes, *, hint: str = _HINT) -> None:
    """Return None once the file holds exactly the data.

    Whatever happens on the way (an exception, an interruption), the file is as it was before, and nothing else is left in its
    folder. Missing folders are made. Raises OutputError, with the hint, when the file cannot be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(f"cannot be made ({error.strerror or error})", where=str(path.parent), hint=hint) from error
    write_whole(path, data, hint=hint)


def refuse_unwritable(folder: Path) -> None:
    """Return None when files can be written into the folder, or into one made there; raises OutputError otherwise.

    Nothing is made or changed. It is asked before a long reading begins; writing itself reports its own faults.
    """
    existing = folder.absolute()
    while not os.path.lexists(existing) and existing != existing.parent:
        existing = existing.parent
    if not existing.is_dir():
        what = (
            "is a file, not a folder" if existing == folder.absolute() else f"cannot be made, since {existing} is not a folder"
        )
        raise OutputError(what, where=str(folder), hint=_HINT)
    if not os.access(existing, os.W_OK | os.X_OK):
        raise OutputError("cannot be written (no permission)", where=str(folder), hint=_HINT)


def refuse_to_replace(output: Path, source: Path) -> None:
    """Raise OutputError when the output is the file that is read: writing it would lose what was measured."""
    if output.exists() and source.exists() and output.samefile(source):
        raise OutputError("is the file that is read", where=str(output), hint="another name for the output")
