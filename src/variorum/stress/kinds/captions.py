"""Captions and the tables and figures that belong to them: found, matched, counted, numbered without a gap."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import Final

from variorum.document import Figure, Table
from variorum.evaluation.calibration_measures import MEANT, SAME, letters, likeness
from variorum.stress.kinds.captions_read import FloatKind, ReadCaption, read_captions
from variorum.stress.kinds.numbering import left_out
from variorum.stress.kinds.page_pictures import NO_PICTURE, draws_nothing
from variorum.stress.kinds.saying import Judge, called, listed, quoted
from variorum.stress.kinds.table_pairs import tables_proper
from variorum.stress.model import Assertion, Kind, PaperSubject, Severity

_EMPTY_SENTENCE: Final = re.compile(r"[.;]\s+[.;]")

# ---- against the truth ----------------------------------------------------------------------------------------------


def captions_found(subject: PaperSubject) -> Iterator[Assertion]:
    """Yield for each caption of the truth whether the reading has it, of a table or figure or alone."""
    truth = subject.truth
    if truth is None:
        return
    judge = Judge(CAPTION_FOUND, Severity.MAJOR, subject.key)
    captions = read_captions(subject.document)
    wanted: tuple[tuple[FloatKind, str, str], ...] = (
        *(("table", each.number, each.caption) for each in truth.table_captions),
        *(("figure", each.number, each.caption) for each in truth.figures),
    )
    for kind, number, text in wanted:
        if letters(text):
            best, score = _nearest(captions, kind, number, text)
            name = f"{kind} {number}" if number else f"{kind} {quoted(text)}"
            detail = f"expected {quoted(text)}, found {quoted(best.text) if best is not None else 'none'}"
            is_same = score >= SAME or (best is not None and _is_begun(text, best.text))
            yield judge.says(name, is_same, detail, page=best.page if best is not None else None)


def _is_begun(true: str, read: str) -> bool:
    """Return whether a caption begins with a true one that lost words itself: an empty sentence stands in it."""
    return _EMPTY_SENTENCE.search(true) is not None and letters(read).startswith(letters(true))


def figures_found(subject: PaperSubject) -> Iterator[Assertion]:
    """Yield for each figure of the truth whether a figure was read that has its number or its caption."""
    judge = Judge(FIGURE_FOUND, Severity.MAJOR, subject.key)
    captions = [c for c in read_captions(subject.document) if c.kind == "figure" and c.target is not None]
    for figure in subject.truth.figures if subject.truth is not None else ():
        best, score = _nearest(captions, "figure", figure.number, figure.caption)
        is_it = best is not None and (score >= SAME or (figure.number != "" and best.number == figure.number))
        name = f"figure {figure.number}" if figure.number else f"figure {quoted(figure.caption)}"
        if is_it and best is not None:
            yield judge.says(name, True, f"read as {best.target}", page=best.page, component=best.target)
            continue
        lone, _ = _nearest(read_captions(subject.document), "figure", figure.number, figure.caption)
        page = lone.page if lone is not None else None
        yield _missing(judge, subject, name, f"no figure was read under {quoted(figure.caption)}", page)


def _missing(
    judge: Judge, subject: PaperSubject, name: str, detail: str, page: int | None, component: str | None = None
) -> Assertion:
    """Return that a figure is not there: MINOR, with these words, where the page has nothing that could be one."""
    if draws_nothing(subject, page):
        return judge.says(name, False, f"{detail}; {NO_PICTURE}", page=page, component=component, severity=Severity.MINOR)
    return judge.says(name, False, detail, page=page, component=component)


def _nearest(captions: Iterable[ReadCaption], kind: FloatKind, number: str, text: str) -> tuple[ReadCaption | None, float]:
    """Return the caption of that kind whose text is most like the true one, and how alike; of equal ones that of the number."""
    key = letters(text)
    scored = [(likeness(key, letters(c.text)), c) for c in captions if c.kind == kind]
    score, best = max(scored, key=lambda each: (each[0] >= SAME, each[1].number == number, each[0]), default=(0.0, None))
    return (best, score) if best is not None and (score or best.number == number) else (None, 0.0)


# ---- by the paper itself --------------------------------------------------------------------------------------------


def orphan_captions(subject: PaperSubject) -> Iterator[Assertion]:
    """Yield for each caption of a table or figure whether its table or figure was read."""
    judge = Judge(ORPHAN, Severity.MAJOR, subject.key)
    for caption in read_captions(subject.document):
        detail = f"no {caption.kind} was read for {quoted(caption.text)}"
        if caption.target is not None:
            yield judge.says(caption.name, True, f"belongs to {caption.target}", page=caption.page, component=caption.target)
        elif caption.kind == "figure":
            yield _missing(judge, subject, caption.name, detail, caption.page, component=caption.component)
        else:
            yield judge.says(caption.name, False, detail, page=caption.page, component=caption.component)


def uncaptioned(subject: PaperSubject) -> Iterator[Assertion]:
    """Yield for each table and figure whether it has a caption, where others of its kind in the paper have one.

    A table of which the truth says that it has none is left out.
    """
    judge = Judge(UNCAPTIONED, Severity.MINOR, subject.key)
    document = subject.document
    tables = [table for table in document.tables if table.artifact is None]
    has_plain = subject.truth is not None and any(not table.caption for table in subject.truth.tables)
    groups: tuple[tuple[FloatKind, Sequence[Table | Figure]], ...] = (
        ("table", () if has_plain else tables),
        ("figure", document.figures),
    )
    for kind, items in groups:
        if any(item.caption is not None for item in items):
            for item in items:
                detail = "has a caption" if item.caption is not None else "has none, as others of the paper have"
                page = item.provenance.page_num
                yield judge.says(
                    called(kind, item.id, document.key), item.caption is not None, detail, page=page, component=item.id
                )


def table_counts(subject: PaperSubject) -> Iterator[Assertion]:
    """Yield whether as many tables were read as the truth has, else as captions of tables name numbers.

    Tables that the truth passed over are not counted.
    """
    judge = Judge(TABLE_COUNT, Severity.MAJOR, subject.key)
    read, truth = tables_proper(subject), subject.truth
    if truth is not None and truth.has_all_tables:
        yield judge.says("tables", len(read) == len(truth.tables), f"expected {len(truth.tables)}, found {len(read)}")
    else:
        yield from _by_captions(judge, subject, "table", [table.number for table in read])


def figure_counts(subject: PaperSubject) -> Iterator[Assertion]:
    """Yield whether as many figures were read as the truth has, those that it does not have counted apart.

    Else whether all were read that captions name. A figure that the truth does not have and that has a printed number of its
    own is one that the truth left out.
    """
    judge = Judge(FIGURE_COUNT, Severity.MAJOR, subject.key)
    numbers = [figure.number for figure in subject.document.figures]
    if subject.truth is None or not subject.truth.figures:
        yield from _by_captions(judge, subject, "figure", numbers)
        return
    found = list(figures_found(subject))
    lost = [assertion for assertion in found if not assertion.passed]
    twice = sorted(_read_twice(read_captions(subject.document)))
    said = [f"not read: {listed(a.name for a in lost)}"] * bool(lost) + [f"read twice: {', '.join(twice)}"] * bool(twice)
    grave = bool(twice) or any(a.severity is Severity.MAJOR for a in lost)
    yield judge.says(
        "figures",
        not lost and not twice,
        "; ".join([f"expected {len(found)}, found {len(found) - len(lost)}", *said]),
        severity=Severity.MAJOR if grave else Severity.MINOR,
    )


def _read_twice(captions: Sequence[ReadCaption]) -> set[str]:
    """Return the numbers of figures that have nearly the same caption twice; a number that is printed twice is the print's."""
    own = [(c.number, letters(c.text)) for c in captions if c.kind == "figure" and c.target is not None and c.number]
    pairs = combinations(own, 2)
    return {number for (number, text), (other, again) in pairs if number == other and likeness(text, again) >= MEANT}


def _by_captions(judge: Judge, subject: PaperSubject, kind: FloatKind, numbers: Sequence[str | None]) -> Iterator[Assertion]:
    named = {caption.number for caption in read_captions(subject.document) if caption.kind == kind and caption.number}
    read = {number.strip(" .:").upper() for number in numbers if number}
    if named or read:
        lost = sorted(named - read)
        detail = f"captions name {len(named)}, {len(read)} were read" + (f"; not read: {', '.join(lost)}" if lost else "")
        yield judge.says(f"{kind}s", not lost, detail)


def numbering_gaps(subject: PaperSubject) -> Iterator[Assertion]:
    """Yield for each series of numbers (tables, figures: MAJOR; equations, sections: MINOR) whether none is left out.

    In a document without a list of references, a series may begin anywhere: it may be a part of a longer one.
    """
    judge = Judge(NUMBERING, Severity.MAJOR, subject.key)
    captions, components = read_captions(subject.document), subject.document.components
    is_whole = any(section.label == "references" for section in subject.document.sections)
    series: tuple[tuple[str, list[str], Severity], ...] = (
        ("tables", [c.number for c in captions if c.kind == "table"], Severity.MAJOR),
        ("figures", [c.number for c in captions if c.kind == "figure"], Severity.MAJOR),
        ("equations", [c.number or "" for c in components if c.kind == "equation"], Severity.MINOR),
        ("sections", [c.number or "" for c in components if c.kind == "heading"], Severity.MINOR),
    )
    for name, numbers, severity in series:
        printed = list(filter(None, numbers))
        if printed:
            gaps = left_out(printed, from_first=not is_whole, may_stray=severity is Severity.MINOR)
            detail = f"not there: {listed(gaps)}" if gaps else f"{len(set(printed))} numbers without a gap"
            yield judge.says(name, not gaps, detail, severity=severity)


CAPTION_FOUND: Final = "caption found"
FIGURE_FOUND: Final = "figure found"
ORPHAN: Final = "orphan caption"
UNCAPTIONED: Final = "caption missing"
TABLE_COUNT: Final = "table count"
FIGURE_COUNT: Final = "figure count"
NUMBERING: Final = "numbering gap"

KINDS: Final = tuple(
    Kind(name=name, severity=severity, asserts=asserts, scope="paper", check=check)
    for name, severity, asserts, check in (
        (CAPTION_FOUND, Severity.MAJOR, "Each caption of the truth was read, word for word.", captions_found),
        (FIGURE_FOUND, Severity.MAJOR, "Each figure of the truth was read.", figures_found),
        (ORPHAN, Severity.MAJOR, "Each caption that was read has its table or figure.", orphan_captions),
        (UNCAPTIONED, Severity.MINOR, "Each table and figure has a caption, where others of the paper have one.", uncaptioned),
        (TABLE_COUNT, Severity.MAJOR, "As many tables were read as the paper has.", table_counts),
        (FIGURE_COUNT, Severity.MAJOR, "As many figures were read as the paper has, and none twice.", figure_counts),
        (
            NUMBERING,
            Severity.MAJOR,
            "No number is left out of a series: of tables and figures (MAJOR), of equations and sections (MINOR).",
            numbering_gaps,
        ),
    )
)
