"""Locks between processes: an exclusive transaction on a small SQLite file of its own.

SQLite asks the system for it in a way that works on every platform, and it ends with the process, however that ends.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path

from variorum.errors import OutputError


def exclusive_lock(place: Path, *, where: Path, busy: str, busy_hint: str, place_hint: str) -> sqlite3.Connection:
    """Return the lock at a place, held until it is closed.

    Raises OutputError: with `busy`, `where` and `busy_hint` when it is held already, with `place_hint` when the place cannot be
    written.
    """
    lock: sqlite3.Connection | None = None
    try:
        lock = sqlite3.connect(place, timeout=0, isolation_level=None, check_same_thread=False)
        lock.execute("PRAGMA journal_mode = MEMORY")
        lock.execute("BEGIN EXCLUSIVE")
    except sqlite3.OperationalError as error:
        if lock is not None:
            lock.close()
        if "locked" in str(error):
            raise OutputError(busy, where=str(where), hint=busy_hint) from None
        raise OutputError(f"cannot be written ({error})", where=str(place), hint=place_hint) from error
    except sqlite3.DatabaseError as error:
        if lock is not None:
            lock.close()
        raise OutputError(f"no lock can be had ({error})", where=str(place), hint="remove this file") from error
    return lock
