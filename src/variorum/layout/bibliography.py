"""The list of references: which lines of a paper it takes, and its entries.

A list begins under a heading that says so (References, Bibliography, Literature …) and ends at the next heading that is none
of its own, or where the type changes or the labels stop. Where no heading says so, lines at the end of the paper whose labels
count up from 1 and of which most entries have a year are a list all the same.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from variorum.layout.author_names import begins_with_name
from variorum.layout.entry_rows import EntryRow, by_columns, rows_of
from variorum.layout.entry_starts import YEAR, EntryStarts, find_starts
from variorum.layout.entry_text import join_rows
from variorum.layout.model import BodyStyle, LineId, PrintLine, is_size
from variorum.thresholds import LINES_APART

_NAMES: Final = (
    r"(?:cited\s+)?references(?:\s+and\s+(?:further\s+)?(?:notes?|reading))?|references\s+cited|list\s+of\s+references|"
    r"(?:selected\s+|annotated\s+)?bibliography|(?:cited\s+)?literature(?:\s+cited)?|works\s+cited|citations|sources|"
    r"bibliographie|références|literatur(?:verzeichnis|angaben)?|referencias|bibliografía|bibliografia|riferimenti|referências"
)
_HEADING: Final = re.compile(
    rf"\s*(?:(?:\d+|[IVX]+|[A-Z])(?:\.\d+)*[.:)]?\s+)?(?:(?:supplementary|supplemental|additional|primary)\s+)?(?:{_NAMES})\W*$",
    re.IGNORECASE,
)


_FIRST_LABEL: Final = re.compile(r"(?:\[1\]|\(1\)|1\.|¹)\s*\S")


@dataclass(frozen=True, slots=True)
class HeadingAt:
    """A heading of the paper: its text, and the position in the sequence of lines before which it stands."""

    before: int
    text: str


@dataclass(frozen=True, slots=True)
class FoundEntry:
    """One entry: its lines in order, its label as printed (``[3]``, ``3.``; None without one), and its whole text, mended at
    the ends of lines, without the label."""

    lines: tuple[LineId, ...]
    label: str | None
    text: str


@dataclass(frozen=True, slots=True)
class BibliographyReading:
    """The list of references: all its lines, its entries in order, and what showed where they begin.

    `evidence` is that of `variorum.layout.entry_starts.EntryStarts`; every line of the list is in exactly one entry.
    """

    lines: tuple[LineId, ...]
    entries: tuple[FoundEntry, ...]
    evidence: str


def is_bibliography_heading(text: str) -> bool:
    """Return whether a heading announces a list of references; numbers before it and signs behind it do not count."""
    return _HEADING.match(text) is not None


def find_bibliography(
    lines: Sequence[PrintLine], headings: Sequence[HeadingAt], style: BodyStyle
) -> BibliographyReading | None:
    """Return the list of references among lines in reading order, None where the paper has none.

    `lines` are those that are nothing else yet (no furniture, table, figure, heading, footnote). Several lists (of the paper
    and of its supplement) are read one after the other.
    """
    regions = _regions(lines, headings)
    parts = [p for first, end in regions if (p := _read(lines[first:end], style)) is not None]
    if not parts:
        found = _unannounced(lines, headings, style)
        parts = [found] if found is not None else []
    if not parts:
        return None
    return BibliographyReading(
        tuple(i for p in parts for i in p.lines), tuple(e for p in parts for e in p.entries), parts[0].evidence
    )


def _regions(lines: Sequence[PrintLine], headings: Sequence[HeadingAt]) -> list[tuple[int, int]]:
    """Return the stretches of lines (first, end) under headings that announce a list."""
    ordered = sorted(headings, key=lambda h: h.before)
    out: list[tuple[int, int]] = []
    for k, heading in enumerate(ordered):
        if not is_bibliography_heading(heading.text):
            continue
        end = ordered[k + 1].before if k + 1 < len(ordered) else len(lines)
        if end > heading.before:
            out.append((heading.before, end))
    return out


def _read(lines: Sequence[PrintLine], style: BodyStyle) -> BibliographyReading | None:
    rows = _of_one_type(rows_of(lines))
    if not rows:
        return None
    starts = find_starts(rows)
    if starts.evidence == "numbered":  # labels that do not count on show that columns were read across
        other = rows_of(by_columns([line for row in rows for line in row.lines]))
        again = find_starts(other)
        if len(again.rows) > len(starts.rows) and again.evidence == "numbered":
            rows, starts = other, again
    rows = rows[: _end(rows, starts, style)]
    bounds = [*starts.rows, len(rows)]
    entries = tuple(_entry(rows[a:b], label) for a, b, label in zip(bounds, bounds[1:], starts.labels, strict=False) if a < b)
    return BibliographyReading(tuple(i for r in rows for i in r.ids), entries, starts.evidence)


def _of_one_type(rows: Sequence[EntryRow]) -> list[EntryRow]:
    """Return the rows without those that stray into the list (notes of tables, footers): in smaller type, and atop a column, at
    an edge of their own, or below another such row."""
    if not rows:
        return []
    size = _main_size(rows)
    out: list[EntryRow] = []
    edges = [r.x0 for r in rows if is_size(r.size, size)]
    stray: EntryRow | None = None
    for i, row in enumerate(rows):
        is_first = i == 0 or rows[i - 1].stack != row.stack
        is_edge = any(2 * abs(row.x0 - x) < size for x in edges)
        below = stray is not None and stray.stack == row.stack and stray is rows[i - 1]
        if row.size < size and not is_size(row.size, size) and (is_first or below or not is_edge):
            stray = row
        else:
            out.append(row)
    return out


def _main_size(rows: Sequence[EntryRow]) -> float:
    return Counter(round(2 * r.size) for r in rows).most_common(1)[0][0] / 2


def _entry(rows: Sequence[EntryRow], label: str | None) -> FoundEntry:
    text = join_rows([r.text for r in rows])
    if label is not None and text.startswith(label):
        text = text[len(label) :].lstrip()
    return FoundEntry(tuple(i for r in rows for i in r.ids), label, text)


def _end(rows: Sequence[EntryRow], starts: EntryStarts, style: BodyStyle) -> int:
    """Return how many rows belong to the list: what follows its last entry in other type, behind wide white, or at an edge at
    which no line of an entry goes on, does not."""
    size = _main_size(rows)
    last, first = starts.rows[-1], set(starts.rows)
    edges = [rows[i].x0 for i in range(last) if i not in first]
    for i in range(last + 1, len(rows)):
        row, above = rows[i], rows[i - 1]
        step = row.baseline - above.baseline
        if not is_size(row.size, size) or (row.stack == above.stack and step > LINES_APART * max(style.leading, size)):
            return i
        if not any(2 * abs(row.x0 - x) < size for x in edges) and (edges or row.stack != above.stack):
            return i
    return len(rows)


def _unannounced(lines: Sequence[PrintLine], headings: Sequence[HeadingAt], style: BodyStyle) -> BibliographyReading | None:
    """Return the last stretch of lines that reads like a list of references though no heading says so; None without one.

    Its labels count up from 1, or its entries hang or stand apart and begin with names; most have a year.
    """
    bounds = sorted({0} | {h.before for h in headings} | {len(lines)})
    for start, end in reversed(list(itertools.pairwise(bounds))):
        rows = rows_of(lines[start:end])
        for k in _likely_firsts(rows):
            skipped = sum(len(r.lines) for r in rows[:k])
            reading = _read(lines[start + skipped : end], style)
            if reading is not None and _is_convincing(reading):
                return reading
    return None


def _likely_firsts(rows: Sequence[EntryRow]) -> list[int]:
    """Return the rows that may begin a list: with a name or the first label, and a year before the next such row, as most of
    those that follow have one."""
    firsts = [
        i for i, r in enumerate(rows) if _FIRST_LABEL.match(r.text) or (r.text[:1].isupper() and begins_with_name(r.text))
    ]
    dated = [any(YEAR.search(r.text) for r in rows[a:b]) for a, b in itertools.pairwise([*firsts, len(rows)])]
    return [
        k
        for i, k in enumerate(firsts)
        if dated[i] and (2 * sum(dated[i:]) > len(dated) - i or _FIRST_LABEL.match(rows[k].text))
    ]


def _is_convincing(reading: BibliographyReading) -> bool:
    texts = [e.text for e in reading.entries]
    if len(texts) <= 2 or reading.evidence == "words" or YEAR.search(texts[0]) is None:
        return False
    dated = sum(YEAR.search(t) is not None for t in texts)
    named = sum(begins_with_name(t) for t in texts)
    return 2 * dated > len(texts) and (reading.evidence == "numbered" or 2 * named > len(texts))
