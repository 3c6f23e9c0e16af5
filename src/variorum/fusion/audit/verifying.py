"""Whether a log is as it was written: one pass over its lines, whatever its length, that says what is wrong and where.

Found without any anchor: a changed, lost, doubled, moved or inserted record or byte, a record of another log, a run that is cut
off. Not found without one: that whole runs were cut off the end, or that somebody wrote the whole log anew from some record on.
The head beside the log shows the first; a hash that is kept elsewhere (`expect_head`) shows both.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, Final

from variorum.errors import AuditError, UsageError
from variorum.fusion.audit.chain import NO_RECORD, BrokenLineError, Record, lines_of, own_hash, record_of, sha256_of
from variorum.fusion.audit.files import Head, head_path, read_head, reading
from variorum.thresholds import HASH_DIGITS

CLOSED: Final = ("end", "repair")
"""Kinds of records behind which a run may begin, and a log may end."""

_WHOLE: Final = 2 * hashlib.sha256().digest_size
"""Hexadecimal digits of a hash."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """Something that is wrong: the line of the log from 1 (0: the whole log), the `seq` that its record claims, and what."""

    line: int
    seq: int | None
    what: str

    def __str__(self) -> str:
        place = f"line {self.line}" if self.line else "log"
        return f"{place}: {self.what}" if self.seq is None else f"{place}, seq {self.seq}: {self.what}"


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditReport:
    """What was found in a log: records, closed runs, tenant, head; what anchors its end; its faults in order.

    Each kind of fault is in `faults` where it was met first, and `n_faults` counts all. `torn_bytes` is how much stands behind
    the last closed run, `whole` the head of the log up to there; both are only to be used where nothing else is wrong.
    """

    log: str
    records: int
    runs: int
    tenant: str
    head: str
    anchor: str
    faults: tuple[Fault, ...]
    n_faults: int
    torn_bytes: int
    whole: Head
    is_only_torn: bool

    @property
    def is_sound(self) -> bool:
        """Return whether nothing is wrong."""
        return not self.faults


def verify(log: str | Path, expect_head: str | None = None) -> AuditReport:
    """Return what a pass over the log finds. `expect_head` is a hash that the log had as its head, now or at some time before,
    or its first digits, at least as many as the command shows.

    Raises InputNotFoundError when there is no such log, AuditError when the file of its head cannot be understood, UsageError
    for what is no hash.
    """
    path = Path(log)
    if expect_head is not None:
        expect_head = _checked(expect_head)
    with reading(path) as file:
        return examine(file, path, expect_head, read_head(path))


def _checked(expect_head: str) -> str:
    """Return the hash, or its beginning, as records have it; raises UsageError for what is neither."""
    digits = expect_head.strip().lower()
    if not HASH_DIGITS <= len(digits) <= _WHOLE or set(digits) - set("0123456789abcdef"):
        hint = f"the {_WHOLE} hexadecimal digits that audit verify prints, or at least the first {HASH_DIGITS}"
        raise UsageError(f"{expect_head!r} is no hash", where="--expect-head", hint=hint)
    return digits


def examine(file: BinaryIO, log: Path, expect_head: str | None, kept: Head | None) -> AuditReport:
    """Return what `verify` returns, of a log that is open at its beginning, against the head that is kept beside it."""
    walk = _Walk(wanted=expect_head, kept=kept)
    for line in lines_of(file):
        walk.take(line)
    walk.finish(log)
    return AuditReport(
        log=str(log),
        records=walk.lines,
        runs=walk.whole.runs,
        tenant=walk.tenant or "",
        head=walk.prev,
        anchor=walk.anchor(log),
        faults=tuple(walk.first.values()),
        n_faults=walk.count,
        torn_bytes=walk.offset - walk.whole_offset,
        whole=walk.whole,
        is_only_torn=bool(walk.first) and set(walk.first) <= {"torn", "behind"},
    )


@dataclass(slots=True)
class _Walk:
    """The state of a pass: what the next record must be, what was met, the faults by their kind."""

    wanted: str | None
    kept: Head | None
    lines: int = 0
    offset: int = 0
    prev: str = NO_RECORD
    seq: int = 0
    run: int = 0
    decisions: int = 0
    last_kind: str = CLOSED[0]
    tenant: str | None = None
    whole: Head = field(default_factory=lambda: Head(records=0, runs=0, hash=NO_RECORD))
    whole_offset: int = 0
    wanted_at: int | None = None
    kept_hash: str | None = None
    first: dict[str, Fault] = field(default_factory=dict)
    count: int = 0

    def fault(self, kind: str, what: str, seq: int | None = None, *, line: int | None = None) -> None:
        self.count += 1
        self.first.setdefault(kind, Fault(line=self.lines if line is None else line, seq=seq, what=what))

    def take(self, line: bytes) -> None:
        """Return None once the line is examined and the state is that behind it."""
        self.lines += 1
        self.offset += len(line)
        try:
            record = record_of(line)
        except BrokenLineError as error:
            self.fault("line" if line.endswith(b"\n") else "torn", str(error))
            self.seq += 1
            return
        self._check_chain(record)
        for what in self._misplaced(record):
            self.fault(f"order of {record['kind']}", what, record["seq"])
        self._move_on(record)

    def _check_chain(self, record: Record) -> None:
        seq = record["seq"]
        if own_hash(record) != record["hash"]:
            self.fault("hash", "does not have the hash of what it says: it was changed", seq)
        if seq != self.seq + 1:
            what = f"stands where record {self.seq + 1} belongs: records were taken out, put in or moved"
            self.fault("seq", what, seq)
        if record["prev"] != self.prev:
            what = "does not follow the record before it: that one was changed, or records were taken out, put in or moved"
            self.fault("prev", what, seq)

    def _misplaced(self, record: Record) -> Iterator[str]:
        """Return what is wrong with a record where it stands."""
        kind, run = record["kind"], record["run"]
        between = self.last_kind in CLOSED
        if kind == "run":
            if not between:
                yield f"a run begins, and run {self.run} before it has no end"
            if run != self.run + 1:
                yield f"run {run} follows run {self.run}"
            yield from self._wrong_tenant(record)
        elif kind in ("decision", "end"):
            if between:
                yield f"belongs to run {run}, which has no beginning here"
            elif run != self.run:
                yield f"belongs to run {run} and stands in run {self.run}"
            if kind == "end" and record.get("decisions") != self.decisions:
                yield f"run {run} ends with {record.get('decisions')} decisions, and {self.decisions} are here"
        elif kind == "repair":
            if not between:
                yield f"a repair stands inside run {self.run}"
        else:
            yield f"is of an unknown kind {kind!r}"

    def _wrong_tenant(self, record: Record) -> Iterator[str]:
        tenant = record.get("tenant")
        if not isinstance(tenant, dict):
            yield "names no tenant"
            return
        name, text, digest = (tenant.get(key) for key in ("name", "text", "sha256"))
        if not isinstance(name, str) or not isinstance(text, str):
            yield "names no tenant"
            return
        if sha256_of(text) != digest:
            yield f"the text of the tenant {name!r} does not have the hash that is recorded with it"
        if self.tenant is not None and name != self.tenant:
            yield f"is a run of the tenant {name!r} in a log of {self.tenant!r}"
        self.tenant = self.tenant or name

    def _move_on(self, record: Record) -> None:
        kind = record["kind"]
        self.prev, self.seq, self.last_kind = record["hash"], record["seq"], kind
        self.run = record["run"]
        self.decisions = 0 if kind == "run" else self.decisions + (kind == "decision")
        if self.wanted is not None and record["hash"].startswith(self.wanted):
            self.wanted_at = record["seq"]
        if self.kept is not None and record["seq"] == self.kept.records:
            self.kept_hash = record["hash"]
        if kind in CLOSED:
            self.whole = Head(records=record["seq"], runs=record["run"], hash=record["hash"])
            self.whole_offset = self.offset

    def finish(self, log: Path) -> None:
        """Return None once what can only be told at the end is told."""
        if not self.lines:
            self.fault("empty", "holds no record", line=0)
        elif self.last_kind not in CLOSED:
            self.fault("torn", f"run {self.run} has no end: it was cut, or its writing interrupted")
        if self.wanted is not None and self.wanted_at is None:
            self.fault("anchor", f"no record has the hash {self.wanted} that is expected of its head", line=0)
        if self.kept is not None:
            self._check_kept(self.kept, head_path(log).name)

    def _check_kept(self, kept: Head, name: str) -> None:
        if self.kept_hash is None and (kept.records or kept.hash != NO_RECORD):
            what = f"{name} vouches for {kept.records} records, and the last of them is not here: the end was cut off"
            self.fault("anchor", what, line=0)
        elif self.kept_hash not in (None, kept.hash):
            what = f"record {kept.records} does not have the hash that {name} vouches for: the log was written anew"
            self.fault("anchor", what, line=0)
        elif self.whole.records > kept.records:
            what = f"{name} vouches for {kept.records} records, and {self.whole.records} of closed runs are here"
            self.fault("behind", f"{what}: the rest was added without it", line=0)

    def anchor(self, log: Path) -> str:
        """Return in a sentence what shows that nothing is missing at the end."""
        if self.wanted is not None and self.wanted_at is not None:
            after = self.seq - self.wanted_at
            if not after:
                return f"the last record, {self.seq}, has the expected hash"
            return f"record {self.wanted_at} has the expected hash; nothing vouches for the {after} after it" + (
                f" but {head_path(log).name}" if self.kept else ""
            )
        if self.kept is not None:
            return f"{head_path(log).name} vouches for {self.kept.records} records"
        return (
            f"nothing vouches for the end: without {head_path(log).name} or --expect-head, whole runs that were cut off are not"
            " seen"
        )


def require_sound(log: str | Path, expect_head: str | None = None) -> AuditReport:
    """Return the report of a log in which nothing is wrong; raises AuditError with the first fault of another."""
    report = verify(log, expect_head)
    if report.faults:
        raise AuditError(str(report.faults[0]), where=report.log, hint=f"variorum audit verify {report.log}")
    return report
