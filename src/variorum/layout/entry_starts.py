"""Where the entries of a list of references begin.

Evidence, the strongest first: labels that count up (``[1]``, ``1.``, raised figures), labels in brackets, hanging indents,
first-line indents, white between entries; and without any of these the words: an entry ends where a sentence or an address
ends, and the next begins with a name. Of the geometric readings the one is taken that agrees best with the words.
"""

from __future__ import annotations

import itertools
import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from variorum.layout.author_names import begins_with_name
from variorum.layout.entry_rows import EntryRow

_NUMBERED: Final = (
    re.compile(r"\[(\d{1,3})\]\s*(?=\S|$)"),
    re.compile(r"(\d{1,3})\.(?:\s+|(?=[^\W\d_])|$)"),
    re.compile(r"\((\d{1,3})\)\s*(?=\S|$)"),
    re.compile(r"(\d{1,3})\)\s*(?=\S|$)"),
    re.compile(r"(\d{1,3})\s+(?=[^\W_])"),
)
_SUPERSCRIPT: Final = re.compile(r"([⁰¹²³⁴⁵⁶⁷⁸⁹]{1,3})\s*")
_FIGURES: Final = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_KEY: Final = re.compile(r"\[((?=[^\]]*[^\W\d_])[^\[\]]+)\]\s*(?=\S|$)")
YEAR: Final = re.compile(
    r"(?<![\d.\-–/])(?:1[6-9]|20)\d\d[a-z]?(?![\d\-/])|\bn\.\s?d\.|\b(?:in press|forthcoming|to appear)\b", re.I
)
_ENDED: Final = re.compile(r"(?:[.!?)\]”\"’'»;/]|\d[a-z]?|[LRSDA]?\d+)$|\S*(?:://|www\.|10\.\d{4,}/)\S*$")
_OPEN: Final = re.compile(r"(?:[,&:(\-–]|\b(?:and|in|of|the|for|on|with|to|a|an|by|pages|pp|vol|doi|eds?|et|al)\.?)$", re.I)


@dataclass(frozen=True, slots=True)
class EntryStarts:
    """Which rows begin an entry (ascending), the label of each (None without), and what showed it: ``numbered``, ``labelled``,
    ``hanging``, ``indented``, ``apart`` or ``words``."""

    rows: tuple[int, ...]
    labels: tuple[str | None, ...]
    evidence: str


def find_starts(rows: Sequence[EntryRow]) -> EntryStarts:
    """Return where the entries begin among the rows of a list of references; the first row always begins one."""
    labelled = _numbered(rows) or _keyed(rows)
    if labelled is not None:
        return labelled
    by_words = set(_by_words(rows))
    inner = [i for i in range(1, len(rows)) if rows[i].stack == rows[i - 1].stack]  # atop a column only the words say
    best, agreed = ("words", by_words), 0
    for name, starts in (
        ("hanging", _hanging(rows, by_words)),
        ("indented", _indented(rows)),
        ("apart", _apart(rows, by_words)),
    ):
        agreement = 0 if starts is None else sum((i in starts) == (i in by_words) for i in inner)
        if starts is not None and agreement > agreed:
            best, agreed = (name, starts), agreement
    name, starts = best
    chosen = tuple(sorted(starts | {0}))
    return EntryStarts(chosen, (None,) * len(chosen), name)


# ---- labels ------------------------------------------------------------------------------------------------------------


def _numbered(rows: Sequence[EntryRow]) -> EntryStarts | None:
    """Return the rows whose labels count up from the first row on, or None."""
    best: list[tuple[int, int, str]] = []
    for pattern in (*_NUMBERED, _SUPERSCRIPT):
        found = []
        for i, row in enumerate(rows):
            match = pattern.match(row.text)
            if match:
                found.append((i, int(match[1].translate(_FIGURES)), match[0].strip()))
        chain = _counting(found, rows)
        if chain and chain[0][0] == 0 and len(chain) > len(best):
            best = chain
    if len(best) < 2 and not (best and best[0][1] == 1):
        return None
    return EntryStarts(tuple(i for i, _, _ in best), tuple(label for _, _, label in best), "numbered")


def _counting(found: Sequence[tuple[int, int, str]], rows: Sequence[EntryRow]) -> list[tuple[int, int, str]]:
    """Return the longest run of labels that goes up, by one or (a label was lost) by two; of equal runs the outermost."""
    length = [1] * len(found)
    shift = [-rows[i].x0 for i, _, _ in found]
    after: list[int | None] = [None] * len(found)
    for k in range(len(found) - 1, -1, -1):
        for j in range(k + 1, len(found)):
            if 1 <= found[j][1] - found[k][1] <= 2:
                step = (length[j] + 1, found[k][1] - found[j][1], shift[j])
                last = after[k]
                if last is None or step > (length[last] + 1, found[k][1] - found[last][1], shift[last]):
                    after[k], length[k] = j, length[j] + 1
    first = [k for k in range(len(found)) if found[k][0] == 0]
    if not first:
        return []
    at: int | None = first[0]
    chain = []
    while at is not None:
        chain.append(found[at])
        at = after[at]
    return chain


def _keyed(rows: Sequence[EntryRow]) -> EntryStarts | None:
    """Return the rows that begin with a key in brackets (``[Knu84]``), when the first does and most of those at its edge."""
    found = [(i, m[0].strip()) for i, row in enumerate(rows) if (m := _KEY.match(row.text))]
    if len(found) < 2 or found[0][0] != 0:
        return None
    return EntryStarts(tuple(i for i, _ in found), tuple(label for _, label in found), "labelled")


# ---- geometry ----------------------------------------------------------------------------------------------------------


def _stacks(rows: Sequence[EntryRow]) -> list[list[int]]:
    return [list(members) for _, members in itertools.groupby(range(len(rows)), key=lambda i: rows[i].stack)]


def _is_near(a: float, b: float, size: float) -> bool:
    """Return whether two edges are the same to the eye: indents are an em or more."""
    return 2 * abs(a - b) < size


def _offsets(rows: Sequence[EntryRow]) -> list[bool | None] | None:
    """Return for each row whether it is indented (None: its stack does not show), or None where no stack has two edges."""
    out: list[bool | None] = [None] * len(rows)
    edges: list[tuple[float, float]] = []
    plain: list[list[int]] = []
    every = sorted(r.x0 for r in rows)
    for stack in _stacks(rows):
        left = _left_edge([rows[i] for i in stack], every)
        inner = [rows[i].x0 for i in stack if rows[i].x0 > left and not _is_near(rows[i].x0, left, rows[i].size)]
        if not inner:
            plain.append(stack)
            continue
        edges.append((left, sorted(inner)[len(inner) // 2]))
        for i in stack:
            out[i] = rows[i].x0 in inner
    if not edges:
        return None
    for stack in plain:
        left, size = min(rows[i].x0 for i in stack), rows[stack[0]].size
        is_outer = any(_is_near(left, a, size) for a, _ in edges)
        is_inner = any(_is_near(left, b, size) for _, b in edges)
        if is_outer != is_inner:
            for i in stack:
                out[i] = is_inner
    return out


def _left_edge(stack: Sequence[EntryRow], every: Sequence[float]) -> float:
    """Return the leftmost edge of a stack at which more than one row of the list begins; a stray line makes no edge.

    `every` are the starts of all rows of the list, in order.
    """
    shared = [r.x0 for r in stack if bisect_left(every, r.x0 + r.size / 2) - bisect_right(every, r.x0 - r.size / 2) > 1]
    return min(shared or [r.x0 for r in stack])


def _hanging(rows: Sequence[EntryRow], by_words: set[int]) -> set[int] | None:
    """Return the rows that stand out to the left, where others are indented."""
    offsets = _offsets(rows)
    if offsets is None:
        return None
    return {i for i, inside in enumerate(offsets) if (i in by_words if inside is None else not inside)}


def _indented(rows: Sequence[EntryRow]) -> set[int] | None:
    """Return the rows that are indented, where others begin at the left edge."""
    offsets = _offsets(rows)
    return None if offsets is None else {i for i, inside in enumerate(offsets) if inside}


def _apart(rows: Sequence[EntryRow], by_words: set[int]) -> set[int] | None:
    """Return the rows with more white above them than lines of one entry have between them; None where all steps are alike."""
    steps = {i: rows[i].baseline - rows[i - 1].baseline for i in range(1, len(rows)) if rows[i].stack == rows[i - 1].stack}
    if not steps:
        return None
    usual = _narrow_step(list(steps.values()))
    wide = {i for i, step in steps.items() if step - usual > (rows[i].size - min(rows[i].size, usual) / 2) / 2}
    if not wide or len(wide) == len(steps):
        return None
    return wide | {i for i in range(len(rows)) if i not in steps and i in by_words}


def _narrow_step(steps: Sequence[float]) -> float:
    """Return the smallest step that occurs more than once, to a tenth of a point; else the smallest."""
    counts = Counter(round(step, 1) for step in steps)
    return min((s for s, n in counts.items() if n > 1), default=min(steps))


# ---- words -------------------------------------------------------------------------------------------------------------


def _by_words(rows: Sequence[EntryRow]) -> list[int]:
    """Return the rows that begin an entry by what they and the row above say."""
    starts: list[int] = []
    right = {stack[0]: max(rows[i].x1 for i in stack) for stack in _stacks(rows)}
    edge = 0.0
    has_year = False
    for i, row in enumerate(rows):
        edge = right.get(i, edge)
        if i == 0 or _begins(rows[i - 1], row, is_short=rows[i - 1].x1 < edge - row.size, has_year=has_year):
            starts.append(i)
            has_year = False
        has_year = has_year or YEAR.search(row.text) is not None
    return starts


def _begins(above: EntryRow, row: EntryRow, *, is_short: bool, has_year: bool) -> bool:
    if not has_year or _OPEN.search(above.text) or not _ENDED.search(above.text):
        return False
    first = row.text[:1]
    if not (first.isupper() or begins_with_name(row.text)):
        return False
    return begins_with_name(row.text) or is_short
