"""The vote on the headings of a paper in sentences: who stood for each, who against, and what was decided."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from variorum.document.model import Document
from variorum.document.paper_model import HeadingDecision, HeadingVote
from variorum.document.voices import counted
from variorum.errors import UsageError

_TEXT_CHARS = 60
_CHOICES = 8
_LABEL_WIDTH = 12
_SECTION = re.compile(r"(?:(?:sub)*section|sect?\.?|chapter|appendix|§)\s*(?=[\w.]+$)", re.IGNORECASE)

Numbered = tuple[int, HeadingDecision]
"""A decision with its position among those of the document, from 1."""


def explain_heading(document: Document, wanted: str) -> str:
    """Return the vote on one candidate for a heading in sentences, ending with a newline.

    `wanted` is its printed number (``3.2``), its words (with or without the number, case ignored, or a part of them that no
    other has), its id, or its position in the list (``#4``). Raises UsageError when none or several fit, with the choices.
    """
    position, decision = find_heading(document, wanted)
    votes = sorted(decision.votes, key=lambda v: (-v.confidence, v.voter))
    lines = [f"{_name(decision)} (#{position}): {heading_verdict(decision)}"]
    if decision.component is not None:
        lines += [f"  it is {decision.component} of the document{_section(document, decision.component)}"]
    lines += _each("for:", (v for v in votes if v.is_heading))
    lines += _each("against:", (v for v in votes if not v.is_heading))
    return "\n".join(lines) + "\n"


def list_headings(document: Document) -> str:
    """Return a line a candidate for a heading, accepted or not, in the order of the paper, ending with a newline."""
    every = _every(document)
    accepted = sum(d.accepted for _, d in every)
    if not every:
        return "headings: none, nothing on the pages that were read was put to the vote\n"
    rows = [(f"#{i}", _state(d), f"page {d.page_num}", _short(d.text), d.reason) for i, d in every]
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]) - 1)]
    head = f"headings: {counted(len(every), 'candidate')}, {accepted} accepted, {len(every) - accepted} rejected"
    lines = [
        "  ".join([*(text.ljust(width) for text, width in zip(row[:-1], widths, strict=True)), row[-1]]).rstrip()
        for row in rows
    ]
    return "\n".join([head, *lines]) + "\n"


def heading_verdict(decision: HeadingDecision) -> str:
    """Return what became of a candidate and why: ``accepted at level 2, 4 of 5 voters stand for it, …``."""
    level = f" at level {decision.level}" if decision.level is not None else ""
    return f"accepted{level}: {decision.reason}" if decision.accepted else f"rejected: {decision.reason}"


def find_heading(document: Document, wanted: str) -> Numbered:
    """Return the decision that is meant, with its position from 1; `explain_heading` says how it may be called.

    Where a number or words fit accepted headings and rejected candidates, the accepted ones are meant. Raises UsageError when
    none or several fit, with the choices.
    """
    every, where = _every(document), document.source_name or document.key
    if not every:
        what = f"no heading {wanted!r}: nothing was put to the vote"
        raise UsageError(what, where=where, hint="other pages, or the PDF instead of a document of an earlier version")
    found = _found(document, every, wanted.strip())
    if len(found) > 1:
        raise UsageError(f"{len(found)} headings fit {wanted!r}", where=where, hint=_choices(found))
    if not found:
        hint = f"--headings lists them; the first are {_choices([c for c in every if c[1].accepted] or every)}"
        raise UsageError(f"no heading {wanted!r}", where=where, hint=hint)
    return found[0]


def _every(document: Document) -> list[Numbered]:
    return list(enumerate(document.headings, start=1))


def _found(document: Document, every: Sequence[Numbered], asked: str) -> list[Numbered]:
    """Return the decisions that fit, by the first of these that has any: position, id, number, all words, some words."""
    position = re.fullmatch(r"#\s*0*([0-9]{1,9})", asked)
    if position:
        return [(i, d) for i, d in every if i == int(position[1])]
    numbers = {c.id: c.number for c in document.components if c.kind == "heading" and c.number}
    number, words = _number(_SECTION.sub("", asked)), _words(asked)
    named = [(i, d) for i, d in every if asked and asked == d.component]
    numbered = [(i, d) for i, d in every if number and number == _number(numbers.get(d.component or "", ""))]
    same = [(i, d) for i, d in every if words and words in (_words(d.text), _title(d, numbers))]
    partly = [(i, d) for i, d in every if words and words in _words(d.text)]
    fits = named or numbered or same or partly
    return [(i, d) for i, d in fits if d.accepted] or fits


def _number(text: str) -> str:
    return re.sub(r"\s+", "", text).strip(".:()").casefold()


def _words(text: str) -> str:
    return " ".join(text.split()).casefold()


def _title(decision: HeadingDecision, numbers: dict[str, str]) -> str:
    """Return the words of a heading behind its number; a candidate that was rejected has none that is known."""
    number = numbers.get(decision.component or "", "")
    return _words(decision.text[len(number) :].lstrip(" .:)")) if decision.text.startswith(number) else _words(decision.text)


# ---- words ----------------------------------------------------------------------------------------------------------


def _name(decision: HeadingDecision) -> str:
    return f"heading {' '.join(decision.text.split())!r} on page {decision.page_num}"


def _state(decision: HeadingDecision) -> str:
    if not decision.accepted:
        return "rejected"
    return "accepted" if decision.level is None else f"level {decision.level}"


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _TEXT_CHARS else line[: _TEXT_CHARS - 1].rstrip() + "…"


def _choices(found: Sequence[Numbered]) -> str:
    shown = ", ".join(f"'#{i}' (page {d.page_num}: {_short(d.text)})" for i, d in found[:_CHOICES])
    return shown if len(found) <= _CHOICES else f"{shown} and {len(found) - _CHOICES} more"


def _section(document: Document, heading: str) -> str:
    section = next((s for s in document.sections if s.heading == heading), None)
    return (
        ""
        if section is None
        else f"; its section is labelled {section.label} ({_fraction(section.confidence)}: {section.reason})"
    )


def _each(label: str, votes: Iterable[HeadingVote]) -> list[str]:
    """Return a line a vote, the label in front of the first; the reasons stand under each other."""
    told = [(v.voter, _fraction(v.confidence), "" if v.level is None else f"level {v.level}", v.reason) for v in votes]
    if not told:
        return []
    widths = [max(len(row[i]) for row in told) for i in range(len(told[0]) - 1)]
    lines = []
    for i, row in enumerate(told):
        cells = [text.ljust(width) for text, width in zip(row[:-1], widths, strict=True) if width]
        front = f"  {label}" if i == 0 else ""
        lines.append(front.ljust(_LABEL_WIDTH) + "  ".join([*cells, row[-1]]).rstrip())
    return lines


def _fraction(value: float) -> str:
    """Return two digits after the point, without a zero before it: ``.92``, ``1.00``."""
    text = f"{value:.2f}"
    return text[1:] if text.startswith("0.") else text
