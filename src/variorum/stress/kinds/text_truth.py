"""Equations, references and citations against the truth."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from variorum.document import Document
from variorum.evaluation.calibration_measures import Outcome, letters, outcomes, paired_entries
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
        detail = (
            text if outcome.right else f"{text} {'was read otherwise' if outcome.is_read else 'is no entry of the reading'}"
        )
        yield judge.says(f"entry {quoted(outcome.name)}", bool(outcome.right), detail)


def citations_resolved(subject: PaperSubject) -> Iterator[Assertion]:
    """Yield for each entry that the true text cites whether the reading cites it as often, outside of tables.

    Their order is not compared: the print sorts the numbers in a mark, and sets floats elsewhere. Entries that are not in the
    list as read are left out, that is the fault of the list; and so are those that are missed where the print itself leaves
    marks open (``[?]``).
    """
    if subject.truth is None:
        return
    judge = Judge(CITATION, Severity.MINOR, subject.key)
    truth, document = _with_printed_entries(subject.truth, subject.document), subject.document
    pairs = paired_entries(truth, document)
    ids = {entry.id: pairs[i][0] for i, entry in enumerate(truth.entries) if i in pairs}
    wanted = Counter(ref for refs in truth.citations for ref in refs) - Counter(truth.cited_in_tables)
    read = Counter(target for citation in document.citations for target in citation.targets)
    has_open_marks = any(not letters(citation.text) for citation in document.citations)
    for ref, count in wanted.items():
        if ref in ids and (read[ids[ref]] >= count or not has_open_marks):
            found = read[ids[ref]]
            yield judge.says(
                f"entry {quoted(ref)}", found >= count, f"cited {count} times, {found} times as read", component=ids[ref]
            )


def _outcomes(subject: PaperSubject, kind: ComponentType) -> tuple[Outcome, ...]:
    if subject.truth is None:
        return ()
    return outcomes(_with_printed_entries(subject.truth, subject.document), subject.document).get(kind, ())


def _with_printed_entries(truth: PaperTruth, document: Document) -> PaperTruth:
    """Return the truth in which each entry that is known by its parts has the text of the entry that was read for it."""
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
        (CITATION, "Each entry is cited as often as in the true text.", citations_resolved),
    )
)
