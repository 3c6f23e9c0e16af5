"""The kinds of assertion that are about the reading itself: whether it came to an end, and what broke on the way."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from variorum.stress.model import Assertion, Kind, PaperSubject, Severity

CRASH: Final = "crash"
UNREADABLE: Final = "unreadable"
READING: Final = "reading"
"""The name of the assertion that a paper was read."""

_SHOWN: Final = 3
"""Faults that a detail names; how many there are, it says."""


def _crashes(paper: PaperSubject) -> Iterator[Assertion]:
    """Yield that the paper was read, and whether a part of it was lost on the way."""
    yield Assertion(
        kind=CRASH, name=READING, paper=paper.key, passed=True, severity=Severity.MAJOR, detail="the paper was read to its end"
    )
    faults = [notice for notice in paper.document.notices if notice.severity == "error"]
    told = [f"page {n.page_num}: {n.what}" if n.page_num is not None else n.what for n in faults]
    yield Assertion(
        kind=CRASH,
        name="parts of the reading",
        paper=paper.key,
        passed=not faults,
        severity=Severity.MAJOR,
        detail=_listed(told, "no page and no step was lost"),
        page=faults[0].page_num if faults else None,
    )


def _is_readable(paper: PaperSubject) -> Iterator[Assertion]:
    """Yield that the file of the paper could be read."""
    pages = paper.document.page_count
    yield Assertion(
        kind=UNREADABLE,
        name=READING,
        paper=paper.key,
        passed=True,
        severity=Severity.MINOR,
        detail=f"the file could be read: {pages} page{'s' if pages != 1 else ''}",
    )


def _failed_methods(paper: PaperSubject) -> Iterator[Assertion]:
    """Yield whether a method failed on a table of the paper, or gave no answer in time."""
    told = [
        f"{outcome.method} on {table.id}: {outcome.detail.splitlines()[-1] if outcome.detail else 'no reason'}"
        for table in paper.document.tables
        if table.apparatus is not None
        for outcome in table.apparatus.outcomes
        if outcome.status == "failed"
    ]
    told += [f"no answer in time: {what}" for what in paper.document.incomplete]
    yield Assertion(
        kind="failed methods",
        name="methods",
        paper=paper.key,
        passed=not told,
        severity=Severity.MINOR,
        detail=_listed(told, "every method that was asked gave a vote or a reason"),
    )


def _listed(faults: list[str], sound: str) -> str:
    if not faults:
        return sound
    rest = f"; and {len(faults) - _SHOWN} more" if len(faults) > _SHOWN else ""
    return f"{len(faults)} lost: {'; '.join(' '.join(fault.split()) for fault in faults[:_SHOWN])}{rest}"


FAULT_KINDS: Final[tuple[Kind, ...]] = (
    Kind(
        name=CRASH,
        severity=Severity.MAJOR,
        asserts="The paper was read to its end, no page or step was lost, and every kind of assertion could look at it.",
        scope="paper",
        check=_crashes,
    ),
    Kind(
        name=UNREADABLE,
        severity=Severity.MINOR,
        asserts="The file of the paper is a PDF that is not damaged and not encrypted.",
        scope="paper",
        check=_is_readable,
    ),
    Kind(
        name="failed methods",
        severity=Severity.MINOR,
        asserts="No method failed on a table: none lost its vote by an exception, a crash or a time limit.",
        scope="paper",
        check=_failed_methods,
    ),
)
"""Judged of every paper that was read; of one that was not, `crash` or `unreadable` fails under the name `READING`."""
