"""The runs of a log: their opening records, decisions and closing records, read one line at a time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from variorum.errors import AuditError, UsageError
from variorum.fusion.audit.chain import BrokenLineError, Record, lines_of, record_of
from variorum.fusion.audit.files import reading


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One closed run of a log: its number from 1, its opening and its closing record."""

    number: int
    opening: Record
    closing: Record

    @property
    def tenant_text(self) -> str:
        """Return the canonical text of the tenant's configuration."""
        text: str = self.opening["tenant"]["text"]
        return text

    @property
    def inputs(self) -> tuple[Record, ...]:
        """Return what is recorded of each input, in the order of the sources."""
        return tuple(self.opening["inputs"])


def records(log: str | Path) -> Iterator[Record]:
    """Return all records of a log in order; raises AuditError at a line that is none, InputNotFoundError without a log."""
    with reading(Path(log)) as file:
        for number, line in enumerate(lines_of(file), start=1):
            try:
                yield record_of(line)
            except BrokenLineError as error:
                hint = f"variorum audit verify {log}"
                raise AuditError(f"line {number}: {error}", where=str(log), hint=hint) from None


def runs_of(log: str | Path) -> tuple[Run, ...]:
    """Return all closed runs of a log, in order."""
    found = []
    opening: Record | None = None
    for record in records(log):
        if record["kind"] == "run":
            opening = record
        elif record["kind"] == "end" and opening is not None:
            found.append(Run(number=record["run"], opening=opening, closing=record))
    return tuple(found)


def find_run(log: str | Path, number: int) -> Run:
    """Return the closed run of this number; raises UsageError that says which there are."""
    runs = runs_of(log)
    for run in runs:
        if run.number == number:
            return run
    hint = f"--run 1 to {len(runs)}" if runs else "a log with a closed run"
    raise UsageError(f"has no run {number}", where=str(log), hint=hint)


def decisions_of(log: str | Path, run: int) -> Iterator[Record]:
    """Return the decisions of a run, in order."""
    return (r for r in records(log) if r["kind"] == "decision" and r["run"] == run)
