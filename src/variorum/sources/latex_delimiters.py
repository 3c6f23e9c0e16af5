r"""Commands for what stands between two signs, as the package mathtools declares them: ``\DeclarePairedDelimiter{\abs}{|}{|}``.

The command takes a star or a size, which change the signs' height only, and its arguments (mathtools' manual, 3.6).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

KINDS: Final = "so"
"""What a command of these takes in front of its arguments: a star, a size."""
DECLARING: Final = ("\\DeclarePairedDelimiter", "\\DeclarePairedDelimiterX", "\\DeclarePairedDelimiterXPP")
_SIZES: Final = ("\\delimsize", "\\nonscript")


def is_counted(command: str) -> bool:
    """Return whether the declaring command says how many arguments the declared one has, and what stands between the signs."""
    return command != DECLARING[0]


def has_surroundings(command: str) -> bool:
    """Return whether the declaring command also says what stands before the first sign and behind the second."""
    return command == DECLARING[-1]


def delimited_body(declared: Sequence[str]) -> tuple[str, ...]:
    """Return the body of a declared command: what it prints, without sizes and with its arguments counted behind `KINDS`."""
    moved: list[str] = []
    for before, token in zip(("", *declared), declared, strict=False):
        is_number = before == "#" and token.isdecimal() and token.isascii()
        moved += [] if token in _SIZES else [str(int(token) + len(KINDS)) if is_number else token]
    return tuple(moved)
