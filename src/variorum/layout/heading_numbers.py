"""The numbers of headings: how they are printed, and the sequence that they make.

``1``, ``1.1``, ``1.2``, ``2`` follow each other; so do ``A``, ``A.1``, ``B`` and ``I``, ``II``. Letters below Roman numbers
and numbers in brackets begin anew below each heading of a higher kind.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from variorum.layout.roman import roman_value

NumberKind = Literal["arabic", "roman", "letter", "supplement", "arabic)", "letter)"]

_WORD: Final = r"(?P<word>(?i:appendix|appendices|annex|section|chapter|§)\s*)?"
_END: Final = r"(?P<close>[.:]?)(?=\s|$)"
_NO_FLOAT: Final = r"(?!\s+(?i:fig|table|tab|file|video|movie|audio|data|text|appendix)\w*\b)"
_PATTERNS: Final[tuple[tuple[NumberKind, re.Pattern[str]], ...]] = (
    ("arabic", re.compile(_WORD + r"(?P<number>\d{1,2}(?:\.(?:\d{1,2}|[A-Z]))*)" + _END)),
    ("roman", re.compile(_WORD + r"(?P<number>(?=[IVX])X{0,3}(?:IX|IV|V?I{0,3}))" + _END)),
    ("letter", re.compile(_WORD + r"(?P<number>(?!S\d)[A-Z](?:[.-]?\d{1,2}(?:\.\d{1,2})*)?)" + _END)),
    ("supplement", re.compile(_WORD + r"(?P<number>S\d{1,2}(?:\.\d{1,2})*)" + _END + _NO_FLOAT)),
    ("arabic)", re.compile(r"(?P<word>\()?(?P<number>\d{1,2})(?P<close>\))(?=\s|$)")),
    ("letter)", re.compile(r"(?P<word>\()?(?P<number>[A-Za-z])(?P<close>\))(?=\s|$)")),
)
_BRACKETS: Final = ("arabic)", "letter)")


@dataclass(frozen=True, slots=True)
class HeadingNumber:
    """A number as a heading may begin with it: its kind, as printed, its parts from the highest level down, and where the
    heading's words begin.

    `parts` count from 1 (``A`` is 1, ``IV`` is 4). `word` says that ``Appendix`` or the like stands before it, `is_closed` that
    a full stop or colon ends it.
    """

    kind: NumberKind
    printed: str
    parts: tuple[int, ...]
    end: int
    word: bool = False
    is_closed: bool = False


def numbers_at_start(text: str) -> tuple[HeadingNumber, ...]:
    """Return every way to read the beginning of a line as the number of a heading: ``I.`` is a Roman one and a letter."""
    found = []
    for kind, pattern in _PATTERNS:
        m = pattern.match(text)
        if m is None:
            continue
        end = m.end() + len(text[m.end() :]) - len(text[m.end() :].lstrip())
        found.append(HeadingNumber(kind, m["number"], _parts(kind, m["number"]), end, bool(m["word"]), bool(m["close"])))
    return tuple(found)


def _parts(kind: NumberKind, printed: str) -> tuple[int, ...]:
    if kind == "roman":
        value = roman_value(printed)
        return () if value is None else (value,)
    if kind == "supplement":
        printed = printed[1:]
    return tuple(_count(p) for p in re.findall(r"\d+|[A-Za-z]", printed))


def _count(part: str) -> int:
    return int(part) if part.isdecimal() else ord(part.upper()) - ord("A") + 1


@dataclass(frozen=True, slots=True)
class Numbered:
    """A place in the reading order where a number stands: its readings, and the weight of what else speaks for a heading."""

    place: int
    readings: tuple[HeadingNumber, ...]
    weight: float


@dataclass(frozen=True, slots=True)
class NumberSequence:
    """The numbers of the headings: for each place its reading and its level from 1.

    `length` is how many stand in the sequence.
    """

    readings: dict[int, HeadingNumber]
    levels: dict[int, int]

    @property
    def length(self) -> int:
        """Return how many places the sequence has."""
        return len(self.readings)


def find_sequence(numbered: Sequence[Numbered]) -> NumberSequence:
    """Return the heaviest sequence of numbers through the places, which are in reading order.

    Main numbers (Arabic, Roman, letters of an appendix) make one chain; numbers in brackets and letters below Roman numbers are
    added between its members, where they count from their first on.
    """
    main = _heaviest([(n, r) for n in numbered for r in n.readings if r.kind not in _BRACKETS])
    readings = {n.place: r for n, r in main}
    roman = any(r.kind == "roman" for r in readings.values())
    levels = {place: len(r.parts) for place, r in readings.items()}
    if roman:
        rest = [n for n in numbered if n.place not in readings]
        bounds = [p for p, r in readings.items() if r.kind == "roman"]
        for place, reading in _between(rest, bounds, "letter"):
            readings[place], levels[place] = reading, 2
    deepest = max(levels.values(), default=0)
    for kind in _BRACKETS:
        rest = [n for n in numbered if n.place not in readings]
        found = _between(rest, list(readings), kind)
        for place, reading in found:
            readings[place], levels[place] = reading, deepest + 1
        deepest += bool(found)
    return NumberSequence(dict(sorted(readings.items())), dict(sorted(levels.items())))


def _heaviest(options: Sequence[tuple[Numbered, HeadingNumber]]) -> list[tuple[Numbered, HeadingNumber]]:
    """Return the chain of greatest weight in which each number follows from the one before it."""
    best: list[float] = []
    before: list[int] = []
    for k, (item, reading) in enumerate(options):
        total, last = item.weight * _opening(reading), -1
        for j in range(k):
            other, earlier = options[j]
            if other.place < item.place and (step := _step(earlier, reading)) and best[j] + step * item.weight > total:
                total, last = best[j] + step * item.weight, j
        best.append(total)
        before.append(last)
    chain: list[tuple[Numbered, HeadingNumber]] = []
    k = max(range(len(best)), key=lambda i: (best[i], -i), default=-1)
    if k >= 0 and best[k] <= 0:
        return []
    while k >= 0:
        chain.append(options[k])
        k = before[k]
    return chain[::-1]


def _opening(reading: HeadingNumber) -> float:
    """Return how well a number opens a sequence: 1 for a first one, a half for another."""
    return 1.0 if all(part <= 1 for part in reading.parts) else 1 / 2


def _step(earlier: HeadingNumber, later: HeadingNumber) -> float:
    """Return how well a number follows another: 1 as the next one, a half with one left out between, 0 not at all."""
    a, b = earlier.parts, later.parts
    if earlier.kind != later.kind:  # the appendix begins
        opens = later.kind in ("letter", "supplement", "roman") and b == (1,) * len(b)
        return float(opens and (later.word or earlier.kind == "arabic"))
    shared = 0
    while shared < min(len(a), len(b)) and a[shared] == b[shared]:
        shared += 1
    if shared == len(b):
        return 0.0
    if shared == len(a):  # one level deeper, or more
        return 1.0 if b[shared:] == (1,) or b[shared:] == (0,) else _gap(b[shared], 1) / (len(b) - shared)
    return _gap(b[shared], a[shared] + 1) / (len(b) - shared)


def _gap(found: int, expected: int) -> float:
    return 1.0 if found == expected else 1 / 2 if found == expected + 1 else 0.0


def _between(rest: Sequence[Numbered], bounds: Sequence[int], kind: str) -> list[tuple[int, HeadingNumber]]:
    """Return the places of a lower kind that count 1, 2, 3 … between two places of a higher one; a lone 1 does not count."""
    found: list[tuple[int, HeadingNumber]] = []
    run: list[tuple[int, HeadingNumber]] = []
    marks = sorted(bounds)
    for item in rest:
        own = [r for r in item.readings if r.kind == kind]
        if not own or item.weight <= 0:
            continue
        reading = own[0]
        new = bool(run) and any(run[-1][0] < m < item.place for m in marks)
        if new or not run:
            found += run if len(run) > 1 else []
            run = [(item.place, reading)] if reading.parts == (1,) else []
        elif reading.parts == (run[-1][1].parts[0] + 1,):
            run.append((item.place, reading))
    return found + (run if len(run) > 1 else [])
