"""Formulas in running text: where each stands, and its TeX in the form in which LaTeXML keeps it.

What a text prints is settled only when all numbers are known, so a formula is kept between private signs until then, as
citations are. Its number stands in private signs too: a text is asked in many places whether it has letters or digits.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from variorum.sources.latex_tokens import VERBATIM
from variorum.sources.latex_tree import Item, Node

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
    at = 0
    command = ""  # the last one, as long as only its arguments follow
    while at < len(items):
        item = items[at]
        at += 1
        if isinstance(item, Node):
            inside = _node(item, keeps_spaces=keeps_spaces or command in _WORDED)
        elif item == "'" and not keeps_spaces:
            end = at
            while end < len(items) and items[end] == "'":
                end += 1
            inside = "^{" + "\\prime" * (end - at + 1) + "}"
            at = end
        elif item in ("^", "_") and not keeps_spaces:
            while at < len(items) and items[at] == " ":
                at += 1
            inside = item
            if at < len(items) and not _is_group(items[at]):
                inside += "{" + _joined(items[at : at + 1], keeps_spaces=False) + "}"
                at += 1
        elif item[0] == VERBATIM:
            inside = item.split(VERBATIM)[-1]
        elif item.isspace():
            inside = item if keeps_spaces else ""
        else:
            inside = item
        if isinstance(item, str) and not item.isspace():
            command = item
        if out and inside[:1].isalpha() and out[-1][:1] == "\\" and out[-1][-1:].isalpha():
            out.append(" ")
        if inside:
            out.append(inside)
    return "".join(out)


def _is_group(item: Item) -> bool:
    return isinstance(item, Node) and item.kind == "group"


def _node(node: Node, *, keeps_spaces: bool) -> str:
    if node.kind == "group":
        return "{" + _joined(node.children, keeps_spaces=keeps_spaces) + "}"
    inside = _joined(node.children, keeps_spaces=False)
    return f"\\begin{{{node.name}}}{inside}\\end{{{node.name}}}" if node.kind == "env" else f"${inside}$"
