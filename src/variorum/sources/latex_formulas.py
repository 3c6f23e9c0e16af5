"""Formulas in running text: where each stands, and its TeX in the form in which LaTeXML keeps it.

What a text prints is settled only when all numbers are known, so a formula is kept between private signs until then, as
citations are. Its number stands in private signs too: a text is asked in many places whether it has letters or digits.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from variorum.sources.latex_tokens import VERBATIM
from variorum.sources.latex_tree import Item, Node, Reader, plain

_DIGITS: Final = "\ue010\ue011\ue012\ue013\ue014\ue015\ue016\ue017\ue018\ue019"
_AS_DIGITS: Final = str.maketrans(_DIGITS, "0123456789")
_AS_SIGNS: Final = str.maketrans("0123456789", _DIGITS)
FORMULA_OPEN: Final = "\ue002"
FORMULA_CLOSE: Final = "\ue004"
OPENING: Final = FORMULA_OPEN + f"[{_DIGITS}]+" + "\ue003"
"""The pattern of what begins a formula."""
_SIGNS: Final = re.compile(f"{OPENING}|{FORMULA_CLOSE}")
_WORDED: Final = frozenset(
    ("\\text", "\\mbox", "\\hbox", "\\textrm", "\\textit", "\\textbf", "\\textsf", "\\texttt", "\\textnormal", "\\textsc")
)

_SAME: Final = {
    "\\ensuremath": "",
    "\\le": "\\leq",
    "\\ge": "\\geq",
    "\\ne": "\\neq",
    "\\gets": "\\leftarrow",
    "\\lbrace": "\\{",
    "\\rbrace": "\\}",
    "\\vert": "|",
    "~": "~{}",
}
"""What is written in another way that means the same."""


def enclosed(text: str, place: int) -> str:
    """Return the text of a formula between the signs that mark it as the one at a `place` in a list, counted from 0."""
    return f"{FORMULA_OPEN}{str(place).translate(_AS_SIGNS)}\ue003{text}{FORMULA_CLOSE}"


def place_of(opening: str) -> int:
    """Return the place of the formula that begins here; what is given must match `OPENING`."""
    return int(opening[1:-1].translate(_AS_DIGITS))


def without_formula_signs(text: str) -> str:
    """Return the text without the signs that mark formulas; these themselves stay."""
    return _SIGNS.sub("", text) if FORMULA_OPEN in text else text


def tex_of(items: Sequence[Item]) -> str:
    """Return a formula's TeX, macros expanded: scripts in braces, primes as scripts, spaces only where they part words.

    So LaTeXML writes it in the ``alttext`` of its HTML.
    """
    return _joined(items, keeps_spaces=False).strip()


def _joined(items: Sequence[Item], *, keeps_spaces: bool) -> str:
    out: list[str] = []
    command = ""  # the last one, as long as only its arguments follow
    reader = Reader(items)
    for item in reader:
        if isinstance(item, Node):
            written = _node(item, command, keeps_spaces=keeps_spaces)
        elif keeps_spaces and item[0] != "\\":
            written = item.split(VERBATIM)[-1]
        elif item in ("'", "^", "_"):
            inside = _primes(reader) if item == "'" else _joined(reader.script(), keeps_spaces=False)
            written = ("" if out else "{}") + ("_" if item == "_" else "^") + "{" + inside + "}"
        else:
            written = "" if item.isspace() else _SAME.get(item, item.split(VERBATIM)[-1])
        if isinstance(item, str) and not item.isspace():
            command = item
        is_word = bool(out) and out[-1][:1] == "\\" and out[-1][-1:].isalpha()
        out += [" "] if is_word and written[:1].isalpha() else []
        out += [written] if written else []
    return "".join(out)


def _primes(reader: Reader) -> str:
    """Return the primes from the one that was taken."""
    written = "\\prime"
    while reader.peek() == "'":
        reader.at += 1
        written += "\\prime"
    return written


def _node(node: Node, command: str, *, keeps_spaces: bool) -> str:
    """Return a node as it is written; `command` is what it is an argument of."""
    if node.kind == "group":
        if command in ("\\ref", "\\eqref", "\\label"):
            return "{" + plain(node.children) + "}"
        inside = _joined(node.children, keeps_spaces=keeps_spaces or command in _WORDED)
        return inside if command == "\\ensuremath" else "{" + inside + "}"
    inside = _joined(node.children, keeps_spaces=False)
    return f"\\begin{{{node.name}}}{inside}\\end{{{node.name}}}" if node.kind == "env" else f"${inside}$"
