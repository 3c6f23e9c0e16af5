"""What the stress test judges, and what it says of it: subjects, assertions, the verdict.

A kind of assertion is a function from a subject to assertions, pure but for what it asks the index. It says of each place that
it looked at whether it is right, so that passes can be counted, and it must be able to fail.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from variorum.document import Document
from variorum.evaluation.calibration_truth import PaperTruth
from variorum.search import Searcher

LIBRARY = ""
"""The paper of an assertion that is about all papers together."""


class Severity(StrEnum):
    """How grave a failure is. MAJOR: a researcher may be misled or cannot find what is there; MINOR: annoying."""

    MAJOR = "MAJOR"
    MINOR = "MINOR"


@dataclass(frozen=True, slots=True, kw_only=True)
class Assertion:
    """One thing that must hold, and whether it does.

    `kind` is the name of the kind. `name` tells the place apart from the others of the kind in the paper and stays the same
    from run to run (``table 2``, ``caption of figure 3``), so that two runs can be compared. `paper` is the key of the paper,
    or `LIBRARY`. `detail` says in one line what was expected, what was found and where. `page` counts from 1; `component` is an
    id in the document.
    """

    kind: str
    name: str
    paper: str
    passed: bool
    severity: Severity
    detail: str
    page: int | None = None
    component: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperSubject:
    """One paper as it was read, and what is known of it. `truth` is None where nothing is known."""

    key: str
    short_name: str
    document: Document
    truth: PaperTruth | None


@dataclass(frozen=True, slots=True, kw_only=True)
class LibrarySubject:
    """All papers that were read, and the index that holds them."""

    papers: Sequence[PaperSubject]
    searcher: Searcher


PaperCheck = Callable[[PaperSubject], Iterator[Assertion]]
LibraryCheck = Callable[[LibrarySubject], Iterator[Assertion]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """A kind of assertion: its name, its severity, one sentence on what it asserts, and the function that looks.

    `scope` says whether `check` takes a `PaperSubject` or a `LibrarySubject`.
    """

    name: str
    severity: Severity
    asserts: str
    scope: Literal["paper", "library"]
    check: PaperCheck | LibraryCheck


class Verdict(StrEnum):
    """What a run says of the whole."""

    RELIABLE = "reliable"
    ROUGH_EDGES = "rough edges"
    UNRELIABLE = "unreliable"

    @property
    def exit_code(self) -> int:
        """Return the exit code of `variorum stress`: 0, 1 or 2."""
        return list(Verdict).index(self)


def verdict(assertions: Sequence[Assertion]) -> Verdict:
    """Return what the failures among assertions amount to: any MAJOR is unreliable, MINOR alone are rough edges."""
    failed = {assertion.severity for assertion in assertions if not assertion.passed}
    if Severity.MAJOR in failed:
        return Verdict.UNRELIABLE
    return Verdict.ROUGH_EDGES if failed else Verdict.RELIABLE
