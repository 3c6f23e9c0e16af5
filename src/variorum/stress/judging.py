"""Judging a corpus that was read: every kind of assertion on every paper and the library; one that breaks costs itself."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from variorum.stress.faults import CRASH, READING, UNREADABLE
from variorum.stress.keeping import PaperRow
from variorum.stress.model import LIBRARY, Assertion, Kind, LibrarySubject, PaperSubject, Severity


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """All assertions: those of papers in the order of the papers and of the kinds, then those of the library; and the
    tracebacks of what broke, by the places of their assertions."""

    assertions: tuple[Assertion, ...]
    tracebacks: dict[int, str]


def judge(
    papers: Sequence[PaperSubject],
    unread: Iterable[PaperRow],
    library: LibrarySubject,
    kinds: Sequence[Kind],
    progress: Callable[[int, int, str], None] | None = None,
) -> Judgement:
    """Return what the kinds say of the papers and the library, and that the unread papers could not be read."""
    subjects = {paper.key: paper for paper in papers}
    failed = {row.key: row for row in unread}
    assertions: list[Assertion] = []
    tracebacks: dict[int, str] = {}

    def add(found: Iterable[tuple[Assertion, str]]) -> None:
        for assertion, trace in found:
            if trace:
                tracebacks[len(assertions)] = trace
            assertions.append(assertion)

    keys = sorted({*subjects, *failed})
    for done, key in enumerate(keys):
        if progress is not None:
            progress(done, len(keys) + 1, key)
        if key in subjects:
            add(_looked(subjects[key], key, [kind for kind in kinds if kind.scope == "paper"]))
        else:
            add(_unread(failed[key]))
    if progress is not None:
        progress(len(keys), len(keys) + 1, "the library")
    add(_looked(library, LIBRARY, [kind for kind in kinds if kind.scope == "library"]))
    if progress is not None:
        progress(len(keys) + 1, len(keys) + 1, "")
    return Judgement(assertions=tuple(assertions), tracebacks=tracebacks)


def _looked(subject: PaperSubject | LibrarySubject, key: str, kinds: Sequence[Kind]) -> Iterator[tuple[Assertion, str]]:
    """Yield what each kind says, and the traceback of one that breaks; what it said before that counts."""
    for kind in kinds:
        try:
            for assertion in kind.check(subject):  # type: ignore[arg-type]  # its scope says which it takes
                yield assertion, ""
        except Exception as error:  # the test of a release must end whatever one kind does
            detail = f"the kind {kind.name!r} broke: {type(error).__name__}: {' '.join(str(error).split())}"
            yield (
                Assertion(
                    kind=CRASH,
                    name=f"the kind {kind.name}",
                    paper=key,
                    passed=False,
                    severity=Severity.MAJOR,
                    detail=detail,
                ),
                "".join(traceback.format_exception(error)),
            )


def _unread(row: PaperRow) -> Iterator[tuple[Assertion, str]]:
    is_crash = row.status == CRASH
    yield (
        Assertion(
            kind=CRASH if is_crash else UNREADABLE,
            name=READING,
            paper=row.key,
            passed=False,
            severity=Severity.MAJOR if is_crash else Severity.MINOR,
            detail=f"the paper was not read: {row.reason}",
        ),
        row.traceback or "",
    )
