"""Roman numbers, written and read."""

from __future__ import annotations

from itertools import count, takewhile
from typing import Final

_PATTERNS: Final = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix")
_DECADES: Final = "ivxlcdm"
_PLACES: Final = "ivx"


def roman(value: int) -> str:
    """Return a count as a Roman number in small letters; what would need another sign than ``m`` stays in figures."""
    figures = str(value)
    if value <= 0 or 2 * len(figures) > len(_DECADES) + 1:
        return figures
    out = []
    for place, figure in enumerate(reversed(figures)):
        if figure == "0":
            continue
        signs = _DECADES[2 * place :]
        pattern = _PATTERNS[int(figure) - 1]
        if len(signs) < len(_PLACES) and set(pattern) - {"i"}:
            return str(value)
        out.append("".join(signs[_PLACES.index(c)] for c in pattern))
    return "".join(reversed(out))


_VALUES: Final = {text: n + 1 for n, text in enumerate(takewhile(lambda text: text[0] != "l", map(roman, count(1))))}


def roman_value(text: str) -> int | None:
    """Return the count that a Roman number below fifty stands for, in small letters or capitals; None for other texts.

    What counts pages, sections and tables ends far below: longer ones are words (``mix``, ``civil``).
    """
    return _VALUES.get(text.casefold())
