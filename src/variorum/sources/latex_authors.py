"""The names of authors in ``\\author``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from variorum.sources.latex_text import CITES
from variorum.sources.latex_tree import Item, Node, Reader

_AUTHOR_BREAK: Final = ("\\and", "\\And", "\\AND", "\\AuthorAnd")


def split_authors(items: Sequence[Item]) -> list[list[Item]]:
    parts: list[list[Item]] = [[]]
    for item in items:
        if isinstance(item, str) and item in _AUTHOR_BREAK:
            parts.append([])
        else:
            parts[-1].append(item)
    return [p for p in parts if p]


def first_line(items: Sequence[Item]) -> list[Item]:
    """Return the names of an author: what stands before the first line end, without notes and marks."""
    out: list[Item] = []
    skipped = (
        "\\thanks",
        "\\footnote",
        "\\inst",
        "\\orcidID",
        "\\corref",
        "\\fnref",
        "\\textsuperscript",
        "\\orcidlink",
        "\\IEEEauthorrefmark",
    )
    reader = Reader(items)
    for item in reader:
        if item in ("\\\\", "\\par", "\\affiliation", "\\institution", "\\IEEEauthorblockA"):
            if any(not (isinstance(i, str) and i.isspace()) for i in out):
                break
        elif isinstance(item, str) and item in skipped:
            reader.optional()
            reader.argument()
        elif not (isinstance(item, Node) and item.kind == "math") and item not in CITES:
            out.append(item)
    return out


def names_of(text: str) -> list[str]:
    parts = re.split(r"\s*(?:,|;|\band\b|&)\s*", text)
    names = [re.sub(r"[\d⁰¹²³⁴-⁹∗*†‡§¶]+$", "", p).strip() for p in parts]
    return [n for n in names if any(c.isalpha() for c in n)]
