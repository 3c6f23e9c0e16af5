"""MathML as a line of readable Unicode, as formulas of PDFs are read: ``x²``, ``H₂O``, ``(a + b)/c``, ``√x``."""

from __future__ import annotations

import re
import unicodedata
from typing import Any, Final

from variorum.layout.scripts import lowered, raised
from variorum.sources.math_letters import read_letters

_ACCENTS: Final = {"^": "\u0302", "~": "\u0303", "¯": "\u0304", "˙": "\u0307", "¨": "\u0308", "→": "\u20d7", "ˇ": "\u030c"}
_INVISIBLE: Final = re.compile("[\u2061-\u2064\u200b]")
_OPENERS: Final = "([{⟨⌊⌈|‖"
_STYLING: Final = re.compile(r"\\displaystyle\b\s*|%\n")
_SIMPLE: Final = re.compile(r"[\w.]*")


def math_text(math: Any) -> str:
    """Return a ``math`` element as text; its TeX where it holds no signs."""
    text = " ".join(_INVISIBLE.sub("", _of(math)).split())
    return text or " ".join((math.get("alttext") or "").split())


def tex_of(math: Any) -> str | None:
    """Return the TeX that LaTeXML keeps of a ``math`` element; None where it keeps none."""
    return _STYLING.sub("", math.get("alttext") or "").strip() or None


def _of(element: Any) -> str:
    tag = _tag(element)
    children = [child for child in element if isinstance(child.tag, str) and not _tag(child).startswith("annotation")]
    if not children:
        return "" if len(element) else _leaf(tag, element)
    if tag == "semantics":
        return _of(children[0])
    parts = [_of(child) for child in children]
    if tag in ("msub", "munder"):
        return parts[0] + _script(parts[1:], lowered)
    if tag in ("msup", "mover"):
        accent = _ACCENTS.get(parts[-1].strip()) if tag == "mover" else None
        if accent and len(parts[0]) == 1:
            return unicodedata.normalize("NFC", parts[0] + accent)
        return parts[0] + _script(parts[1:], raised)
    if tag in ("msubsup", "munderover"):
        return parts[0] + _script(parts[1:2], lowered) + _script(parts[2:], raised)
    if tag == "mfrac":
        return "/".join(_grouped(p) for p in parts)
    if tag == "msqrt":
        return "√" + _grouped("".join(parts))
    if tag == "mroot":
        return _script(parts[1:], raised) + "√" + _grouped(parts[0])
    if tag in ("mtr", "mlabeledtr"):
        return " ".join(filter(None, (p.strip() for p in parts))) + "; "
    if tag == "mtable":
        return "".join(parts).removesuffix("; ")
    return _row(children, parts)


def _row(children: list[Any], parts: list[str]) -> str:
    """Return signs in a row, with spaces around the operators between two of them."""
    out = ""
    for child, part in zip(children, parts, strict=True):
        is_operator = _tag(child) == "mo" and len(part) == 1 and unicodedata.category(part) == "Sm" and part not in "∣|/"
        if is_operator and out.strip() and out.rstrip()[-1] not in _OPENERS + "=,":
            out = f"{out.rstrip()} {part} "
        elif part == "," and _tag(child) == "mo":
            out = out.rstrip() + ", "
        else:
            out += part
    return out


def _leaf(tag: str, element: Any) -> str:
    if tag == "mspace":
        return " "
    text = read_letters(element.text or "", element.get("mathvariant"))
    return text if tag == "mtext" else text.strip("\n\t ")


def _script(parts: list[str], setting: Any) -> str:
    text = "".join(parts).strip()
    return str(setting(_INVISIBLE.sub("", text))) if _INVISIBLE.sub("", text) else ""


def _grouped(text: str) -> str:
    bare = text.strip()
    return bare if _SIMPLE.fullmatch(bare) else f"({bare})"


def _tag(element: Any) -> str:
    return str(element.tag).rpartition("}")[-1]
