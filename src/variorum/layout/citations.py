"""Marks in the text that cite the list of references, and the entries that they cite.

Three styles: numbers in brackets (``[3, 5–7]``), raised numbers (``model.¹²˒¹³``), names and years (``Lee et al., 2020a``).
Which one a paper uses is seen from its list (labels that are numbers, labels in brackets, none) and from which marks resolve.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from variorum.document.paper_model import BibliographyEntry, Citation
from variorum.layout.author_year import AuthorYear

Texts = Sequence[tuple[str, str]]
_NUMBERS: Final = r"\d{1,3}(?:\s?[,;–—\-−]\s?\d{1,3})*"
_SQUARE: Final = re.compile(rf"\[((?:see\s|e\.g\.,?\s|cf\.\s)?{_NUMBERS})(?:\s?,\s?[^\W\d][^\[\]]*)?\]")
_ROUND: Final = re.compile(rf"\(({_NUMBERS})\)")
_RAISED: Final = re.compile(r"[⁰¹²³⁴⁵⁶⁷⁸⁹](?:[⁰¹²³⁴⁵⁶⁷⁸⁹]|[,;˒⁻–](?=[⁰¹²³⁴⁵⁶⁷⁸⁹]))*")
_FIGURES: Final = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻˒", "0123456789-,")
_KEYS: Final = re.compile(r"\[([^\[\]]+)\]")
_QUESTIONS: Final = re.compile(r"\[\?(?:\s?,\s?\?)*\]|\(\?\?+(?:\s?[,;]\s?\?+)*\)")
_ITEM: Final = re.compile(r"(\d{1,3})(?:\s?[–—\-−]\s?(\d{1,3}))?")


def find_citations(texts: Texts, entries: Sequence[BibliographyEntry]) -> tuple[Citation, ...]:
    """Return the marks in texts, given as (component id, text), in order of text.

    A mark between brackets is one citation with all its entries; the parts of ``Smith (2019), Lee (2020)`` are one each. Marks
    that name no entry of the list have no targets: ``[?]`` of a paper whose references were not resolved, and names with a
    year where the paper cites by these.
    """
    numbers = {e.label: e.id for e in entries if e.label and e.label.isdecimal()}
    keys = {e.label: e.id for e in entries if e.label and not e.label.isdecimal()}
    unresolved = list(_unresolved(texts))
    readings: list[list[Citation]] = []
    if 2 * len(numbers) > len(entries):
        readings = [list(_numeric(texts, _SQUARE, numbers))]
        others_too = () if unresolved else (list(_numeric(texts, _ROUND, numbers)), list(_raised(texts, numbers)))
        for others in others_too:
            if 2 * _cited(others) > len(numbers):  # counts, exponents and marks of affiliations reach only the first entries
                readings.append(others)
    elif 2 * len(keys) > len(entries):
        readings = [list(_keyed(texts, keys))]
    best = max(readings, key=_cited, default=[])
    named = list(AuthorYear(entries).citations(texts))
    if not readings or _cited(named) > _cited(best):
        best = named
    return tuple(_in_order(texts, [*best, *unresolved]))


def _in_order(texts: Texts, citations: Sequence[Citation]) -> list[Citation]:
    order = {component: i for i, (component, _) in enumerate(texts)}
    return sorted(citations, key=lambda c: (order[c.component], c.start, c.end))


def _unresolved(texts: Texts) -> Iterator[Citation]:
    """Yield the question marks that LaTeX sets in place of a citation that it could not resolve."""
    for component, text in texts:
        for match in _QUESTIONS.finditer(text):
            yield Citation(component=component, start=match.start(), end=match.end(), text=match[0], style="numeric")


def _cited(citations: Sequence[Citation]) -> int:
    """Return how many entries are cited at all: the style that reaches most of the list is the paper's."""
    return len({t for c in citations for t in c.targets})


def _numeric(texts: Texts, pattern: re.Pattern[str], numbers: Mapping[str, str]) -> Iterator[Citation]:
    for component, text in texts:
        for match in pattern.finditer(text):
            targets = _targets(match[1], numbers)
            if targets is not None:
                yield Citation(
                    component=component, start=match.start(), end=match.end(), text=match[0], style="numeric", targets=targets
                )


def _targets(numbers: str, known: Mapping[str, str]) -> tuple[str, ...] | None:
    """Return the entries of numbers and ranges; None where one of them is no number of the list: then it is no citation."""
    wanted: list[str] = []
    for item in _ITEM.finditer(numbers):
        first, last = int(item[1]), int(item[2] or item[1])
        if str(first) not in known or str(last) not in known or last < first:
            return None
        wanted.extend(str(n) for n in range(first, last + 1) if str(n) in known)
    return tuple(dict.fromkeys(known[n] for n in wanted)) if wanted else None


def _raised(texts: Texts, numbers: Mapping[str, str]) -> Iterator[Citation]:
    for component, text in texts:
        for match in _RAISED.finditer(text):
            if _is_exponent(text, match.start(), match.end()):
                continue
            targets = _targets(match[0].translate(_FIGURES), numbers)
            if targets is not None:
                yield Citation(
                    component=component,
                    start=match.start(),
                    end=match.end(),
                    text=match[0],
                    style="superscript",
                    targets=targets,
                )


def _is_exponent(text: str, start: int, end: int) -> bool:
    """Return whether raised figures belong to what stands before them: a number, a unit or a symbol of one or two letters."""
    before = re.search(r"\S*$", text[:start])
    stem = before[0] if before else ""
    if not stem or stem[-1] in '.,;:)]”’"':
        return False
    if text[end : end + 1].isalnum():
        return True
    letters = re.search(r"[^\W\d_]+$", stem)
    return letters is None or len(letters[0]) <= 2


def _keyed(texts: Texts, keys: Mapping[str, str]) -> Iterator[Citation]:
    for component, text in texts:
        for match in _KEYS.finditer(text):
            parts = [p.strip() for p in re.split(r"[,;]\s", match[1])]
            whole = keys.get(match[1].strip())
            targets = (whole,) if whole else tuple(dict.fromkeys(keys[p] for p in parts if p in keys))
            if targets:
                yield Citation(
                    component=component,
                    start=match.start(),
                    end=match.end(),
                    text=match[0],
                    style="author-year",
                    targets=targets,
                )
