"""Files that are whole or not there: written under a temporary name, then renamed."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from uuid import uuid4

from variorum.errors import OutputError


def write_whole(path: str | os.PathLike[str], data: bytes, *, hint: str = "another name or folder") -> None:
    """Return when the file holds exactly the data; an interrupted call leaves what was there before.

    Raises OutputError, with the hint, when the file cannot be written.
    """
    target = Path(path)
    temporary = target.with_name(f".{uuid4().hex}.part")
    try:
        try:
            with temporary.open("xb") as stream:
                stream.write(data)
            os.replace(temporary, target)
        except BaseException:
            with suppress(OSError):
                temporary.unlink()
            raise
    except OSError as error:
        reason = error.strerror or str(error)
        raise OutputError(f"cannot be written ({reason})", where=str(target), hint=hint) from error
