"""Equations, references and citations against the truth."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from variorum.document import Document
from variorum.evaluation.calibration_measures import Outcome, letters, outcomes
from variorum.evaluation.calibration_truth import PaperTruth, TrueEntry
from variorum.fusion.model import ComponentType
from variorum.stress.kinds.saying import Judge, quoted
from variorum.stress.model import Assertion, Kind, PaperSubject, Severity


def equation_numbers(subject: PaperSubject) -> Iterator[Assertion]:
    """Yield for each numbered equation of the truth whether one of that number was read."""
    judge = Judge(EQUATION, Severity.MINOR, subject.key)
    for outcome in _outcomes(subject, "equation_display"):
        detail = "was read" if outcome.is_read else "no display equation has this number"
        yield judge.says(f"equation {outcome.name}", outcome.is_read, detail)


def references_found(subject: PaperSubject) -> Iterator[Assertion]:
    """Yield for each entry of the true list of references whether it is an entry of the reading, with the same text.

    An entry whose title, year and DOI the truth has apart is told by them: print sets them in an order of its own.
    """
    judge = Judge(REFERENCE, Severity.MINOR, subject.key)
    texts = {entry.id: entry.text for entry in subject.truth.entries} if subject.truth is not None else {}
    for outcome in _outcomes(subject, "bibliography"):
        text = quoted(texts.get(outcome.name, ""))
        detail = text if outcome.right else f"{text} {'was read otherwise' if outcome.is_read else 'is no entry of the reading'}"
        yield judge.says(f"entry {outcome.name}", bool(outcome.right), detail)


def citations_resolved(subject: PaperSubject) -> Iterator[Assertion]:
    """Yield for each entry that the true text cites, mark by mark, whether the reading cites it there.

    Entries that are not in the list as read are left out: that is the fault of the list.
    """
    judge = Judge(CITATION, Severity.MINOR, subject.key)
    for outcome in _outcomes(subject, "citation"):
        detail = "leads to its entry" if outcome.right else f"was read and leads elsewhere or nowhere" if outcome.is_read else "was not read"
        yield judge.says(f"citation of {outcome.name}", bool(outcome.right), detail)


def _outcomes(subject: PaperSubject, kind: ComponentType) -> tuple[Outcome, ...]:
    if subject.truth is None:
        return ()
    return outcomes(_with_printed_entries(subject.truth, subject.document), subject.document).get(kind, ())


def _with_printed_entries(truth: PaperTruth, document: Document) -> PaperTruth:
    """Return the truth in which each entry that is known by its parts has the text of the entry of the reading that has them."""
    read = {letters(c.text): c.text for c in document.components if c.kind == "bibliography_entry"}

    def printed(entry: TrueEntry) -> TrueEntry:
        if not entry.title:
            return entry
        return next((replace(entry, text=text) for key, text in read.items() if _is_entry(entry, key)), entry)

    return replace(truth, entries=tuple(map(printed, truth.entries)))


def _is_entry(entry: TrueEntry, printed: str) -> bool:
    """Return whether the letters of an entry as printed have the true entry's title, and its year or DOI."""
    proofs = [letters(part) for part in (entry.year, entry.doi) if part]
    return letters(entry.title) in printed and (not proofs or any(proof in printed for proof in proofs))


EQUATION: Final = "equation number"
REFERENCE: Final = "reference"
CITATION: Final = "citation"

KINDS: Final = tuple(
    Kind(name=name, severity=Severity.MINOR, asserts=asserts, scope="paper", check=check)
    for name, asserts, check in (
        (EQUATION, "Each numbered equation of the truth was read under its number.", equation_numbers),
        (REFERENCE, "Each entry of the true list of references was read, with its text.", references_found),
        (CITATION, "Each citation of the true text was read and leads to its entry.", citations_resolved),
    )
)
