"""Which printed numbers are left out of a series."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

_NUMBER: Final = re.compile(r"(?P<before>(?:.*\D)?)(?P<count>\d+)[a-z]?")
_ROMAN: Final = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100}
_ROMAN_NUMBER: Final = re.compile(r"(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})")


def left_out(numbers: Sequence[str], *, from_first: bool = False, may_stray: bool = False) -> list[str]:
    """Return the numbers that stand between others of their series, or before its first, and are not there themselves.

    A series are numbers that begin alike (``A.1``, ``A.2``; ``3``, ``4``; ``I``, ``II``). It counts from 1, or goes on where
    another one ends. `from_first`: what stands before the first number of a series is not looked at. `may_stray`: a number that
    more are left out before than there are in all is none of the series, such as a year in brackets beside a formula.
    """
    series: dict[str, set[int]] = {}
    plain = [number.strip("()[] .:").replace("-", ".") for number in numbers]
    is_roman = all(_ROMAN_NUMBER.fullmatch(number) for number in plain if number.isalpha())
    for number in plain:
        before, count = _parted(number, is_roman=is_roman)
        if count is not None:
            series.setdefault(before, set()).add(count)
    ends = {before: max(counts) for before, counts in series.items()}
    found = []
    for before, counts in sorted(series.items()):
        goes_on = {end for other, end in ends.items() if other != before}
        last = 0
        for count in sorted(counts):
            gap = range(last + 1, count)
            if may_stray and len(gap) > len(counts):
                continue
            if last or not (from_first or count - 1 in goes_on):
                found += [f"{before}{missing}" for missing in gap]
            last = count
    return found


def _parted(number: str, *, is_roman: bool) -> tuple[str, int | None]:
    """Return what stands before the count of a number, and the count; None where it has none."""
    match = _NUMBER.fullmatch(number)
    if match is not None:
        return match["before"], int(match["count"])
    if number.isalpha() and is_roman:
        values = [_ROMAN[sign] for sign in number]
        return "", sum(-v if any(w > v for w in values[i + 1 : i + 2]) else v for i, v in enumerate(values))
    return number, None
