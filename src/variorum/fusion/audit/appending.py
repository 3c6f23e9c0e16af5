"""One more run at the end of a log: only behind a closed run, only of the same tenant, only where the head agrees."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from variorum.errors import AuditError, TenantMismatchError
from variorum.fusion.audit.chain import NO_RECORD, BrokenLineError, Record, line_of, lines_of, own_hash, record_of, sealed
from variorum.fusion.audit.files import Head, append, appending, buffered, head_path, last_line, read_head, write_head
from variorum.fusion.audit.records import run_bodies
from variorum.fusion.audit.verifying import CLOSED
from variorum.fusion.model import Fusion, Source

if TYPE_CHECKING:
    from variorum.fusion.tenants import Tenant


def append_run(
    path: str | Path,
    fusion: Fusion,
    tenant: Tenant,
    sources: Sequence[Source],
    stamp: str | None = None,
    *,
    paths: Mapping[str, str | Path] | None = None,
) -> Head:
    """Return the new head of the log, once the run of this fusion stands at its end.

    The log is made if it is not there. `stamp` is a text of the caller's (a time, the name of a batch), kept in the opening
    record; no clock is asked. `paths` say where the inputs lie, by source: those below the folder that holds the folder of the
    log are kept, relative to the log, so that the run can be made again without being told.

    Raises TenantMismatchError when the log is that of another tenant, AuditError when its last run has no end or its head does
    not agree (nothing is written then), OutputError when it cannot be written.
    """
    with appended_behind(path, fusion, tenant, sources, stamp, paths=paths) as new:
        return new


@contextmanager
def appended_behind(
    path: str | Path,
    fusion: Fusion,
    tenant: Tenant,
    sources: Sequence[Source],
    stamp: str | None = None,
    *,
    paths: Mapping[str, str | Path] | None = None,
) -> Iterator[Head]:
    """Yield the new head of the log, and append the run once the body of the ``with`` is through: its files are whole then.

    A body that raises, or is interrupted, leaves the log as it was: it never tells of results that are not there. The log is
    held meanwhile, so that what was found before (the tenant, the end) still holds behind. Takes and raises what `append_run`
    does, before the body where the log refuses the run.
    """
    log = Path(path)
    with appending(log) as file:
        head = _end_of(file, log, fusion.tenant)
        bodies = run_bodies(head.runs + 1, fusion, tenant, sources, stamp=stamp, paths=paths_kept(log, paths or {}))
        lines, new = chained(bodies, head)
        yield new
        append(file, lines, log)
        write_head(log, new)


def chained(bodies: Iterator[Record], head: Head) -> tuple[bytes, Head]:
    """Return the lines of records that follow a head, and the head behind them."""
    lines = []
    for body in bodies:
        record = sealed(body, head.records + 1, head.hash)
        head = Head(records=record["seq"], runs=record["run"], hash=record["hash"])
        lines.append(line_of(record))
    return b"".join(lines), head


def paths_kept(log: Path, paths: Mapping[str, str | Path]) -> dict[str, str]:
    """Return by source the path of its input relative to the folder of the log, where it lies below the folder above that.

    A path further away would say more of the machine than of the run, and would not hold on another.
    """
    folder = log.absolute().parent
    around = Path(os.path.normpath(folder)).parent
    found = {}
    for kind, path in paths.items():
        place = Path(os.path.normpath(Path(path).absolute()))
        if around != around.parent and place.is_relative_to(around):
            found[kind] = Path(os.path.relpath(place, folder)).as_posix()
    return found


def _end_of(file: io.FileIO, log: Path, tenant: str) -> Head:
    """Return the head of a log to which a run of the tenant may be appended; raises as `append_run` does."""
    kept = read_head(log)
    if not file.seek(0, os.SEEK_END):
        if kept is not None:
            raise _refused(log, f"is empty, and {head_path(log).name} vouches for {kept.records} records")
        return Head(records=0, runs=0, hash=NO_RECORD)
    last, first = _record(last_line(file), log, "last"), _first(file, log)
    name = first["tenant"].get("name") if isinstance(first.get("tenant"), dict) else None
    if name != tenant:
        what = f"is the log of the tenant {name!r}, and the run is one of {tenant!r}"
        raise TenantMismatchError(what, where=str(log), hint="--audit-log with a file of its own for each tenant")
    if last["kind"] not in CLOSED:
        raise _refused(log, f"its run {last['run']} has no end")
    head = Head(records=last["seq"], runs=last["run"], hash=last["hash"])
    if kept is None:
        raise _refused(log, f"has no {head_path(log).name} beside it, so that nothing says whether its end is missing")
    if kept != head:
        raise _refused(log, f"ends with record {head.records}, and {head_path(log).name} vouches for {kept.records}")
    return head


def _first(file: io.FileIO, log: Path) -> Record:
    file.seek(0)
    with buffered(file) as lines:
        return _record(next(lines_of(lines), b""), log, "first")


def _record(line: bytes, log: Path, which: str) -> Record:
    try:
        record = record_of(line)
    except BrokenLineError as error:
        raise _refused(log, f"its {which} line {error}") from None
    if own_hash(record) != record["hash"]:
        raise _refused(log, f"its {which} record does not have the hash of what it says")
    return record


def _refused(log: Path, what: str) -> AuditError:
    return AuditError(f"{what}: nothing was appended", where=str(log), hint=f"variorum audit verify {log}")
