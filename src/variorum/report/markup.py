"""Words and figures as HTML: everything that comes from a document passes through `text` or `script_json`."""

from __future__ import annotations

import json
from collections.abc import Iterable
from html import escape

from variorum.document.characters import xml_legal

_UNSAFE_IN_SCRIPT = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"}


def text(words: object) -> str:
    """Return the words for element content or a quoted attribute: mark-up escaped, forbidden characters replaced."""
    return escape(xml_legal(str(words)))


def breakable(words: str) -> str:
    """Return the words as `text`, with a place to break the line after each underscore and colon."""
    return text(words).replace("_", "_<wbr>").replace(":", ":<wbr>")


def script_json(data: object) -> str:
    """Return the data as JSON that may stand in a ``<script>`` element: no character in it can end the element."""
    written = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    for unsafe, escaped in _UNSAFE_IN_SCRIPT.items():
        written = written.replace(unsafe, escaped)
    return written.encode("utf-8", errors="replace").decode("utf-8")


def share(value: float) -> str:
    """Return a confidence or share with two digits and no zero before the point: ``.92``, ``1.00``."""
    written = f"{value:.2f}"
    return written[1:] if written.startswith("0.") else written


def figure(value: float) -> str:
    """Return a number without needless digits, four after the point at most."""
    return f"{round(value, 4) + 0.0:g}"


def siglum(index: int) -> str:
    """Return the letter that stands for a method: A to Z, then AA, AB …"""
    letters = ""
    index += 1
    while index:
        index, rest = divmod(index - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters


def lines(parts: Iterable[str]) -> str:
    """Return the parts that are not empty, a line each."""
    return "\n".join(p for p in parts if p)
