"""Where variorum keeps what it makes for a user: the index and, if they are put there, models."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Final

DATA_VARIABLE: Final = "VARIORUM_DATA"
INDEX_NAME: Final = "index.sqlite"


def data_folder() -> Path:
    """Return the folder of this user's data: ``VARIORUM_DATA``, else the place that the system has for such things.

    On Linux ``$XDG_DATA_HOME/variorum`` (``~/.local/share/variorum``), on macOS ``~/Library/Application Support/variorum``, on
    Windows ``%LOCALAPPDATA%\\variorum``. It need not exist.
    """
    if named := os.environ.get(DATA_VARIABLE):
        return Path(named).expanduser()
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "variorum"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "variorum"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "variorum"


def default_index() -> Path:
    """Return the file of the index that is used where none is named."""
    return data_folder() / INDEX_NAME
