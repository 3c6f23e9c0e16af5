"""What to do with a log whose last run was interrupted: the rest of it is moved aside, and the log says so itself.

Nothing else is repaired. An altered log stays as it is.
"""

from __future__ import annotations

import hashlib
import io
import os
from dataclasses import dataclass
from pathlib import Path

from variorum.document.writing import write_whole
from variorum.errors import AuditError, InputNotFoundError, OutputError
from variorum.fusion.audit.appending import chained
from variorum.fusion.audit.files import Head, append, appending, buffered, read_head, write_head
from variorum.fusion.audit.verifying import AuditReport, examine


@dataclass(frozen=True, slots=True, kw_only=True)
class Repair:
    """What a repair did: the file that the rest was moved to (empty where there was none), its bytes, how many records the head
    had not vouched for, and the new head."""

    moved_to: str
    moved_bytes: int
    unvouched: int
    head: Head


def repair(path: str | Path) -> Repair:
    """Return what was done to a log whose last run is incomplete, or whose head was not renewed.

    What stands behind the last closed run is moved to ``LOG.torn-N``, N the number of records before it. A record of kind
    ``repair`` is appended that holds its hash and size, and how many records the head had not vouched for. Raises AuditError
    when nothing is wrong, or something else is; InputNotFoundError when there is no log; OutputError when a file cannot be
    written or is already there.
    """
    log = Path(path)
    if not log.is_file():
        raise InputNotFoundError("no such audit log", where=str(log), hint="the audit.jsonl that variorum fuse wrote")
    with appending(log) as file:
        file.seek(0)
        kept = read_head(log)
        with buffered(file) as lines_read:
            report = examine(lines_read, log, None, kept)
        _refuse(report, log, has_head=kept is not None)
        unvouched = report.whole.records - (kept.records if kept else 0)
        rest = _rest(file, report.torn_bytes)
        aside = log.with_name(f"{log.name}.torn-{report.whole.records}")
        if rest:
            _move_aside(file, rest, aside)
        body = {
            "kind": "repair",
            "run": report.whole.runs,
            "moved_to": aside.name if rest else "",
            "moved_bytes": len(rest),
            "moved_sha256": hashlib.sha256(rest).hexdigest() if rest else "",
            "unvouched_records": unvouched,
        }
        lines, head = chained(iter([body]), report.whole)
        append(file, lines, log)
        write_head(log, head)
    return Repair(moved_to=str(aside) if rest else "", moved_bytes=len(rest), unvouched=unvouched, head=head)


def _refuse(report: AuditReport, log: Path, *, has_head: bool) -> None:
    """Raise AuditError unless all that is wrong is what an interruption does."""
    if report.is_sound and has_head:
        raise AuditError("nothing is wrong with it", where=str(log), hint="variorum fuse appends to it as it is")
    if not report.is_sound and not report.is_only_torn:
        other = next(f for f in report.faults if "torn" not in f.what)
        raise AuditError(f"was altered, not interrupted ({other}): it stays as it is", where=str(log), hint="a new log")
    if not report.whole.records:
        raise AuditError("holds no closed run", where=str(log), hint="remove it: a run begins a new one")


def _rest(file: io.FileIO, size: int) -> bytes:
    """Return what stands behind the last closed run."""
    if not size:
        return b""
    file.seek(-size, os.SEEK_END)
    return file.readall() or b""


def _move_aside(file: io.FileIO, rest: bytes, aside: Path) -> None:
    if aside.exists():
        raise OutputError("is there already", where=str(aside), hint="move it away")
    write_whole(aside, rest)
    end = file.seek(0, os.SEEK_END)
    os.ftruncate(file.fileno(), end - len(rest))
