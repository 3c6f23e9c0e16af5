"""Signs of the text form of a truth: what is escaped, how wide a text is on the screen, where a long one may be broken.

A backslash begins an escape: ``\\\\`` is a backslash, ``\\|``, ``\\<`` and ``\\^`` are those signs, ``\\/`` is a line break
inside a cell, ``\\{A0}`` is the character of that hexadecimal code. No escape begins with a letter, so that TeX in a cell is a
fault that is reported and never a text that is read otherwise.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

BLANKS: Final = " \t"
"""What counts as white space around a value or a cell; every other white space is part of it."""

_PLAIN: Final = {"\\": "\\", "|": "|", "<": "<", "^": "^", "/": "\n"}
_ESCAPE: Final = re.compile(r"\\(?:([\\|<^/])|\{([0-9A-Fa-f]{1,6})\})")
_INVISIBLE: Final = ("Cc", "Cf", "Co", "Cs", "Zl", "Zp")
_LAST_CODE: Final = 0x10FFFF


class EscapeError(ValueError):
    """A backslash that begins no escape; `at` is its place in the text, `hint` what to write."""

    def __init__(self, what: str, at: int, hint: str) -> None:
        super().__init__(what)
        self.at, self.hint = at, hint


def escaped(text: str) -> str:
    """Return the text as it stands in a line: one line, without invisible signs, unchanged by cutting blanks off its ends."""
    out = []
    for at, sign in enumerate(text):
        is_end = at in (0, len(text) - 1)
        if sign in "\\|":
            out.append(f"\\{sign}")
        elif sign == "\n":
            out.append("\\/")
        elif unicodedata.category(sign) in _INVISIBLE or (sign.isspace() and is_end):
            out.append(f"\\{{{ord(sign):X}}}")
        else:
            out.append(sign)
    return "".join(out)


def unescaped(text: str) -> str:
    """Return the text that was meant; raises EscapeError at the first backslash that begins no escape."""
    out, at = [], 0
    while (found := text.find("\\", at)) >= 0:
        out.append(text[at:found])
        escape = _ESCAPE.match(text, found)
        if escape is None:
            raise EscapeError(f"{text[found : found + 2]!r} is no escape", found, "\\\\ for a backslash")
        sign, code = escape.groups()
        if sign is None and int(code, 16) > _LAST_CODE:
            raise EscapeError(f"{escape[0]} is no character", found, "\\{A0}: the hexadecimal code of a character")
        out.append(_PLAIN[sign] if sign is not None else chr(int(code, 16)))
        at = escape.end()
    return "".join((*out, text[at:]))


def split_at_bars(text: str) -> list[tuple[int, str]]:
    """Return the parts between the ``|`` that no backslash escapes, each with the place where it begins; escapes stay."""
    parts, start, at = [], 0, 0
    while at < len(text):
        if text[at] == "\\":
            at += 2
            continue
        if text[at] == "|":
            parts.append((start, text[start:at]))
            start = at + 1
        at += 1
    return [*parts, (start, text[start:])]


def width(text: str) -> int:
    """Return how many columns of a terminal or editor the text takes: two for wide signs, none for combining ones."""
    return sum(0 if unicodedata.combining(sign) else 2 if unicodedata.east_asian_width(sign) in "WF" else 1 for sign in text)


def broken(text: str, room: int) -> list[str]:
    """Return the text in lines of at most `room` columns where its words allow it; joined by one space they are the text.

    It is broken only at single spaces between two signs that are no blanks.
    """
    lines = [""]
    for word in re.split(r"(?<=[^ \t]) (?=[^ \t])", text):
        if lines[-1] and width(lines[-1]) + 1 + width(word) > room:
            lines.append(word)
        else:
            lines[-1] = f"{lines[-1]} {word}" if lines[-1] else word
    return lines
