"""TeX as tokens: control sequences, characters, and verbatim text in one piece.

A token is a string: ``\\name``, one character, a space, ``\\par`` for a blank line; `VERBATIM` + name + `VERBATIM` + text for
verbatim environments and ``\\verb``. Comments are gone. `BEGIN` + name and `END` + name stand for ``\\begin{name}`` and
``\\end{name}`` behind the expansion of macros.
"""

from __future__ import annotations

import re
from typing import Final

VERBATIM: Final = "\x01"
BEGIN: Final = "\x02"
END: Final = "\x03"
LEAVE_FILE: Final = "\x04"
THE: Final = "\x05"
ADDRESS: Final = f"{VERBATIM}url{VERBATIM}"
"""How the token of an address begins."""

_VERBATIM_ENVIRONMENTS: Final = (
    "verbatim",
    "verbatim*",
    "Verbatim",
    "lstlisting",
    "minted",
    "comment",
    "filecontents",
    "filecontents*",
    "CCSXML",
)
_SILENT: Final = ("comment", "filecontents", "filecontents*", "CCSXML")
_RAW_ARGUMENT: Final = ("\\url", "\\path", "\\href", "\\nolinkurl")
_WORD: Final = re.compile(r"\\(?:[A-Za-z]+)")
_WORD_AT: Final = re.compile(r"\\(?:[A-Za-z@]+)")
_AFTER_WORD: Final = re.compile(r"[ \t]*(?:\n(?![ \t]*\n)[ \t]*)?")
_SPACE: Final = re.compile(r"[ \t\n]+")
_COMMENT: Final = re.compile(r"%[^\n]*(?:\n[ \t]*)?")
_BEGIN: Final = re.compile(r"\\begin\s*\{([^{}\s]*)\}")
_RAW: Final = re.compile(r"\{((?:[^{}]|\{[^{}]{0,2000}\}){0,4000})\}")  # an address has an end
_NO_BREAK: Final = "\u00a0"


def tokenize(text: str, *, at_is_letter: bool = False) -> list[str]:
    """Return the tokens of a TeX file in order."""
    out: list[str] = []
    i, end = 0, len(text)
    word = _WORD_AT if at_is_letter else _WORD
    while i < end:
        c = text[i]
        if c == "\\":
            match = word.match(text, i)
            if match is None:
                out.append(text[i : i + 2] if i + 1 < end and text[i + 1] != "\n" else "\\ ")
                i += 2
                continue
            name = match[0]
            if name == "\\begin" and (begin := _BEGIN.match(text, i)) and begin[1] in _VERBATIM_ENVIRONMENTS:
                i = _verbatim(text, begin, out)
                continue
            i = match.end()
            if name in ("\\verb", "\\lstinline") and i < end:
                i = _verb(text, i, out)
                continue
            if name == "\\makeatletter":
                word = _WORD_AT
            elif name == "\\makeatother" and not at_is_letter:
                word = _WORD
            out.append(name)
            behind = _AFTER_WORD.match(text, i)
            i = behind.end() if behind else i
            if name in _RAW_ARGUMENT:
                i = _raw_argument(text, i, out)
        elif c == "%":
            comment = _COMMENT.match(text, i)
            stop = comment.end() if comment else i + 1
            if stop < end and text[stop] == "\n" and text[stop - 1 : stop].isspace():
                out.append("\\par")
            i = stop
        elif c in " \t\n":
            space = _SPACE.match(text, i)
            stop = space.end() if space else i + 1
            out.append("\\par" if text.count("\n", i, stop) > 1 else " ")
            i = stop
        elif c == _NO_BREAK:
            out.append("~")
            i += 1
        else:
            out.append(c)
            i += 1
    return out


def _verbatim(text: str, begin: re.Match[str], out: list[str]) -> int:
    name = begin[1]
    close = f"\\end{{{name}}}"
    stop = text.find(close, begin.end())
    body = text[begin.end() : stop if stop >= 0 else len(text)]
    if name not in _SILENT:
        if name in ("lstlisting", "Verbatim", "minted"):
            body = re.sub(r"^\s*\[[^\]]*\]", "", body)
        if name == "minted":
            body = re.sub(r"^\s*\{[^{}]*\}", "", body)
        body = body.strip("\n")
        out.append(f"{VERBATIM}{name}{VERBATIM}{body}")
    return stop + len(close) if stop >= 0 else len(text)


def _verb(text: str, i: int, out: list[str]) -> int:
    if text[i] == "*":
        i += 1
    if i < len(text) and text[i] == "[":
        i = text.find("]", i) + 1 or len(text)
    if i >= len(text):
        return i
    sign = "}" if text[i] == "{" else text[i]
    line = text.find("\n", i)
    stop = text.find(sign, i + 1, line if line >= 0 else len(text))
    if stop < 0:
        return i
    out.append(f"{VERBATIM}verb{VERBATIM}{text[i + 1 : stop]}")
    return stop + 1


def _raw_argument(text: str, i: int, out: list[str]) -> int:
    """Read a braced address as it stands: in it ``%``, ``#``, ``_`` and ``~`` are plain characters."""
    match = _RAW.match(text, i)
    if match is None:
        return i
    body = re.sub(r"%[ \t]*\n\s*|\s+", "", match[1])
    out += ["{", ADDRESS + re.sub(r"\\([%#&_~{}])", r"\1", body), "}"]
    return match.end()
