"""Whether text can be read: signs that stand for no sign, ligatures, numbers of glyphs, words run together."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import Final

from variorum.stress.kinds.saying import Judge, listed, quoted
from variorum.stress.model import Assertion, Kind, PaperSubject, Severity
from variorum.tables.post.cell_cleaning import LIGATURES

LONGEST_MEAN: Final = 25
"""Letters that the words of a text may have on average: the founding measure of garbled text. No prose has so many."""
_GLYPH: Final = re.compile(r"\(cid:\d+\)")
_NOT_WORDS: Final = re.compile(r"\S*(?://|\bdoi:|@|[\\_{}=<>/])\S*")
"""Addresses, code and formulas, which have no words to be measured."""
_PROSE: Final = ("paragraph", "list_item", "heading", "caption", "footnote", "title", "bibliography_entry")


def faults_of(text: str) -> Iterator[str]:
    """Yield what of a text cannot be read, in words; nothing for a text that can."""
    if "\ufffd" in text:
        yield "a sign that stands for an unknown one (U+FFFD)"
    if found := [c for c in text if unicodedata.category(c) in ("Co", "Cn")]:
        yield f"a sign without meaning (U+{ord(found[0]):04X})"
    if found := [c for c in text if unicodedata.category(c) == "Cc" and not c.isspace()]:
        yield f"a control sign (U+{ord(found[0]):04X})"
    if found := [c for c in text if c in LIGATURES]:
        yield f"a ligature ({found[0]})"
    if _GLYPH.search(text):
        yield "the number of a glyph"
    words = [word for word in _NOT_WORDS.sub(" ", text).split() if any(map(str.isalpha, word))]
    if words and sum(map(len, words)) > LONGEST_MEAN * len(words):
        yield "words run together"


def readable_text(subject: PaperSubject) -> Iterator[Assertion]:
    """Yield for each page whether the prose on it can be read."""
    judge = Judge(TEXT, Severity.MINOR, subject.key)
    pages: dict[int, list[str]] = {}
    for component in subject.document.components:
        if component.kind in _PROSE:
            faults = pages.setdefault(component.provenance.page_num or 0, [])
            faults += [f"{fault} in {component.id} {quoted(component.text)}" for fault in faults_of(component.text)]
    for page, faults in sorted(pages.items()):
        yield judge.says(f"page {page}", not faults, listed(faults) if faults else "can be read", page=page)


TEXT: Final = "readable text"

KINDS: Final = (
    Kind(
        name=TEXT,
        severity=Severity.MINOR,
        asserts="The prose of each page can be read: no sign that stands for none, no ligature, no words run together.",
        scope="paper",
        check=readable_text,
    ),
)
