"""What tests of the library share: the state of a folder, and another process that holds a database."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

HOLD = """
import sqlite3, sys
db = sqlite3.connect(sys.argv[1], isolation_level=None)
for statement in sys.argv[2:]:
    db.execute(statement)
print("ready", flush=True)
sys.stdin.readline()
"""


def state_of(folder: Path) -> dict[str, tuple[int, int, str]]:
    """Return size, time of change and content of every file below the folder, and the time of every folder."""
    return {
        path.relative_to(folder).as_posix(): (
            path.lstat().st_size,
            path.lstat().st_mtime_ns,
            hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else "",
        )
        for path in [folder, *sorted(folder.rglob("*"))]
    }


@contextmanager
def held_by_another(database: Path, *statements: str) -> Iterator[subprocess.Popen[str]]:
    """Yield the process that has run the statements and keeps the database open, until the block is left."""
    command = [sys.executable, "-c", HOLD, str(database), *statements]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        try:
            yield process
        finally:
            process.kill()
