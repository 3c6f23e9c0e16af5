"""Footnotes: what stands in small type at the foot of a column, under a short rule or behind a raised mark.

The foot of a column is the run of lines to its end that are smaller than running text. It is a note when a rule of no more than
half the column's width (or of all of it) stands right above, or when it opens with a mark: a raised number or sign. Every line
that opens with a mark begins a note, and so does one that stands apart.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from variorum.geometry import Interval
from variorum.layout.model import BodyStyle, PagePrint, PrintLine, is_size
from variorum.layout.paragraphs import FlowLine
from variorum.thresholds import LINES_APART

_MARK: Final = re.compile(r"[*∗†‡§¶‖#✉⋆]|\(\*\)")
_NUMBER: Final = re.compile(r"\d{1,3}(?=\s*\D)")


@dataclass(frozen=True, slots=True)
class FoundNote:
    """One footnote: its lines, in order, its printed mark ('' without one), and the evidence."""

    lines: tuple[PrintLine, ...]
    mark: str
    evidence: str


def find_footnotes(page: PagePrint, columns: Sequence[Sequence[FlowLine]], style: BodyStyle) -> tuple[FoundNote, ...]:
    """Return the footnotes of a page; `columns` are its lines of running text by column, each in the order of reading."""
    found: list[FoundNote] = []
    for column in columns:
        foot = _foot(column, style)
        for start in range(len(foot)):
            lines = [item.line for item in foot[start:]]
            if evidence := _evidence(page, lines[0], foot[start].column):
                found += _split(lines, evidence)
                break
    return tuple(found)


def _foot(column: Sequence[FlowLine], style: BodyStyle) -> list[FlowLine]:
    foot: list[FlowLine] = []
    for item in reversed(column):
        if item.line.size >= style.size or is_size(item.line.size, style.size):
            break
        foot.append(item)
    return foot[::-1]


def _evidence(page: PagePrint, line: PrintLine, column: Interval) -> str:
    rules = [
        rule
        for rule in page.rules
        if rule.orientation == "horizontal"
        and 0 <= line.baseline - rule.position <= LINES_APART * line.size
        and abs(rule.start - column.start) < line.size
        and 2 * rule.length < page.width
    ]
    if rules:
        return "small type at the foot of a column, under a rule"
    return "small type at the foot of a column, behind a mark" if _mark(line) else ""


def _mark(line: PrintLine) -> str:
    """Return the mark with which a note opens: a raised number or letter, or a sign; empty without one."""
    first = line.runs[0]
    if first.script == "sup" and len(first.text) < len(line.plain):
        return first.text
    match = _MARK.match(line.plain)
    return match[0] if match else ""


def _split(lines: Sequence[PrintLine], evidence: str) -> list[FoundNote]:
    groups: list[list[PrintLine]] = []
    for line in lines:
        if groups and not _mark(line) and not _is_apart(groups[-1][-1], line):
            groups[-1].append(line)
        else:
            groups.append([line])
    return [FoundNote(tuple(group), _mark(group[0]), evidence) for group in groups]


def _is_apart(above: PrintLine, line: PrintLine) -> bool:
    """Return whether a line is no part of the note above it: a conference or licence at the foot of the page, behind white or
    in type of another size."""
    return line.baseline - above.baseline > LINES_APART * line.size or not is_size(above.size, line.size)
