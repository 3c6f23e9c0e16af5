"""Sections, abstract and headings: whether they were found, with their levels, and nothing else taken for a heading."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Final, TypedDict

from variorum.document import Document, TextComponent
from variorum.evaluation.calibration_measures import SAME, in_order, letters, likeness, same_levels
from variorum.evaluation.calibration_truth import TrueHeading
from variorum.stress.kinds.saying import Judge, quoted
from variorum.stress.model import Assertion, Kind, PaperSubject, Severity

_NOT_COUNTED: Final = ("abstract", "references")
"""Labels of sections whose headings a truth does not list: it has their text apart."""
_ABSTRACT: Final = re.compile(r"abstract\b", re.IGNORECASE)
_NUMBERED: Final = re.compile(r"^(?:appendix\s+)?(?:[A-Z]|[IVX]+|\d+)?(?:\.\d+)*[.:]?\s+(?=\S)", re.IGNORECASE)
_BRACKETED: Final = re.compile(r"\([^()]*\)")


def sections_found(subject: PaperSubject) -> Iterator[Assertion]:
    """Yield whether sections with headings were found, in papers of which nothing says that they have none."""
    truth = subject.truth
    if truth is not None and not truth.headings and truth.has_all_tables:
        return  # a truth of tables alone, or of a paper without headings
    heads = [section for section in subject.document.sections if section.heading is not None]
    named = sorted({section.label for section in heads if section.label != "unknown"})
    detail = f"{len(heads)} sections with a heading, among them {', '.join(named) or 'none that is known by its name'}"
    yield Judge(SECTIONS, Severity.MINOR, subject.key).says("sections", bool(heads), detail)


def abstract_found(subject: PaperSubject) -> Iterator[Assertion]:
    """Yield whether the abstract was found: with the words of the truth, else wherever a text calls itself one."""
    judge = Judge(ABSTRACT, Severity.MINOR, subject.key)
    document = subject.document
    inside = _abstract(document)
    wanted = letters(subject.truth.abstract) if subject.truth is not None else ""
    if wanted:
        read = letters(" ".join(c.text for c in inside if c.kind != "heading"))
        score = likeness(wanted, read.removeprefix("abstract"))
        detail = f"{score:.0%} of its letters were read" if inside else "no section of the text is an abstract"
        yield judge.says("abstract", score >= SAME, detail, page=inside[0].provenance.page_num if inside else None)
    elif (own := next((c for c in document.components if _says_abstract(c)), None)) is not None:
        is_it = own.id in {c.id for c in inside}
        detail = f"{quoted(own.text)} is {'the' if is_it else 'not taken for the'} abstract"
        yield judge.says("abstract", is_it, detail, page=own.provenance.page_num, component=own.id)


def _abstract(document: Document) -> list[TextComponent]:
    """Return the components of the abstract, but floats and what stands at the edge of the page."""
    place = {c.id: i for i, c in enumerate(document.components)}
    spans = [(place[s.first], place[s.last]) for s in document.sections if s.label == "abstract"]
    kept = ("heading", "paragraph", "list_item")
    return [c for first, last in spans for c in document.components[first : last + 1] if c.kind in kept]


def _says_abstract(component: TextComponent) -> bool:
    return component.kind in ("heading", "paragraph") and _ABSTRACT.match(component.text) is not None


# ---- headings -------------------------------------------------------------------------------------------------------


def headings_found(subject: PaperSubject) -> Iterator[Assertion]:
    """Yield for each heading of the truth whether it was read as a heading, in its order."""
    judge = Judge(HEADING, Severity.MINOR, subject.key)
    pairs = _pairs(subject)
    for i, heading in enumerate(_true(subject)):
        own, score = pairs.get(i, (None, 0.0))
        said = f"read as {quoted(own.text)}" if own is not None else "was not read as a heading"
        yield judge.says(quoted(heading.text), score >= SAME, said, **_place(own))


def heading_levels(subject: PaperSubject) -> Iterator[Assertion]:
    """Yield for each heading of the truth that was read whether its level is the one that most of its level have."""
    judge = Judge(LEVEL, Severity.MINOR, subject.key)
    true, pairs = _true(subject), _pairs(subject)
    levels = same_levels([(true[i].level, own.level or 1) for i, (own, _) in pairs.items()])
    for i, (own, _) in sorted(pairs.items()):
        wanted, read = levels.get(true[i].level), own.level or 1
        detail = f"level {true[i].level} of the truth is level {wanted or 'none'} of the reading, found {read}"
        yield judge.says(quoted(true[i].text), wanted == read, detail, **_place(own))


def headings_invented(subject: PaperSubject) -> Iterator[Assertion]:
    """Yield for each heading that was read whether the truth has it, where it has any.

    A heading with a printed number that no other has shows by it that it is one, and one of a level below all that the truth
    lists is not judged.
    """
    judge = Judge(INVENTED, Severity.MINOR, subject.key)
    true, pairs = _true(subject), _pairs(subject)
    if not pairs:
        return
    known = {own.id for own, _ in pairs.values()}
    deepest = max(own.level or 1 for own, _ in pairs.values())
    apart = {s.heading for s in subject.document.sections if s.label in _NOT_COUNTED}
    texts = {key for heading in true for key in _keys(heading.text)}
    numbers = Counter(own.number for own in _read(subject.document))
    for own in _read(subject.document):
        if own.id in apart or (own.level or 1) > deepest:
            continue
        is_numbered = bool(own.number) and numbers[own.number] == 1
        is_known = own.id in known or is_numbered or not texts.isdisjoint(_keys(own.text))
        detail = "is a heading of the paper" if is_known else "is no heading of the truth"
        yield judge.says(quoted(own.text), is_known, detail, **_place(own))


def _true(subject: PaperSubject) -> tuple[TrueHeading, ...]:
    return subject.truth.headings if subject.truth is not None else ()


def _read(document: Document) -> list[TextComponent]:
    return [c for c in document.components if c.kind == "heading"]


def _pairs(subject: PaperSubject) -> dict[int, tuple[TextComponent, float]]:
    """Return for headings of the truth the one that was read for it, and how alike they are, in order."""
    read = _read(subject.document)
    keys = [_keys(c.text) | _keys(c.text.removeprefix(c.number or "")) for c in read]
    true = [_keys(h.text) for h in _true(subject)]
    found = in_order(len(true), len(read), lambda i, j: max(likeness(one, other) for one in true[i] for other in keys[j]))
    return {i: (read[j], score) for i, (j, score) in found.items()}


def _keys(text: str) -> set[str]:
    """Return the letters of a heading: whole, without what looks like a number, and without brackets and their content too, in
    which a citation may stand that the print could not resolve."""
    bare = _NUMBERED.sub("", text)
    return {letters(text), letters(bare), letters(_BRACKETED.sub("", bare))}


class _Place(TypedDict, total=False):
    page: int | None
    component: str


def _place(component: TextComponent | None) -> _Place:
    return {} if component is None else {"page": component.provenance.page_num, "component": component.id}


SECTIONS: Final = "sections found"
ABSTRACT: Final = "abstract found"
HEADING: Final = "heading found"
LEVEL: Final = "heading level"
INVENTED: Final = "heading invented"

KINDS: Final = tuple(
    Kind(name=name, severity=Severity.MINOR, asserts=asserts, scope="paper", check=check)
    for name, asserts, check in (
        (SECTIONS, "The paper has sections with headings.", sections_found),
        (ABSTRACT, "The abstract was found, whole.", abstract_found),
        (HEADING, "Each heading of the truth was read as one.", headings_found),
        (LEVEL, "Each heading has the level that the truth gives it.", heading_levels),
        (INVENTED, "Nothing was taken for a heading that the truth does not have.", headings_invented),
    )
)
