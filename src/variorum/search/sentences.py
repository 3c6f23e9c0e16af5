"""Where sentences end, by punctuation and what follows it; abbreviations of scientific prose do not end one."""

from __future__ import annotations

import re
from typing import Final

_END: Final = re.compile(r"[.!?…]+[\"'”’»)\]}]*\s+|[。！？｡]+[」』”’）]*\s*|[؟۔।॥]\s+|\n+")
_ABBREVIATIONS: Final = (
    "al approx art cf ch chap col cols def dr e.g ed eds eq eqs et etc ex fig figs i.e ibid inc lem lemma mr mrs ms no nos op p"
    " par pp prof prop ref refs resp sec sect secs st suppl tab thm viz vol vols vs w.r.t"
)
_ABBREVIATED: Final = frozenset(_ABBREVIATIONS.split())
_LAST_WORD: Final = re.compile(r"[\w.]+$")


def sentence_spans(text: str) -> list[tuple[int, int]]:
    """Return the sentences as (start, end) in characters: they follow each other without a gap and cover the text.

    White space belongs to the sentence before it. A full stop ends no sentence behind an abbreviation or a single letter, nor
    before a small letter.
    """
    spans: list[tuple[int, int]] = []
    start = 0
    for match in _END.finditer(text):
        if match.end() < len(text) and match[0].startswith(".") and not _ends_sentence(text, match):
            continue
        spans.append((start, match.end()))
        start = match.end()
    if start < len(text):
        spans.append((start, len(text)))
    return spans


def _ends_sentence(text: str, match: re.Match[str]) -> bool:
    following = text[match.end()]
    if following.islower():
        return False
    before = _LAST_WORD.search(text, 0, match.start())
    if before is None:
        return True
    word = before[0].lower()
    return word not in _ABBREVIATED and not (len(word) == 1 and word.isalpha())
