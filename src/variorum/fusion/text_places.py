"""Where something that stands in one text stands in another: between the words that both have around it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from variorum.fusion._rapidfuzz import differences
from variorum.fusion.signals.differences import is_phrase, word_key

_WORD: Final = re.compile(r"\S+")


def _words(text: str) -> list[re.Match[str]]:
    return list(_WORD.finditer(text))


def around(text: str, start: int, end: int) -> tuple[int, int]:
    """Return where the last word before the characters ends and the first behind them begins."""
    words = _words(text)
    before = max((m.end() for m in words if m.end() <= start), default=0)
    return before, min((m.start() for m in words if m.start() >= end), default=len(text))


def place_between(theirs: str, start: int, end: int, own: str) -> tuple[int, int] | None:
    """Return the characters of the own text that stand between the words around `start` and `end` of the other; None where
    these words are not the same, or do not follow each other."""
    their_words, own_words = _words(theirs), _words(own)
    before = max((i for i, m in enumerate(their_words) if m.end() <= start), default=-1)
    behind = min((i for i, m in enumerate(their_words) if m.start() >= end), default=len(their_words))
    matched = _matched([word_key(m[0]) or m[0] for m in their_words], [word_key(m[0]) or m[0] for m in own_words])
    matched |= {-1: -1, len(their_words): len(own_words)}
    if before not in matched or behind not in matched or matched[before] >= matched[behind]:
        return None
    first, last = matched[before], matched[behind]
    return (own_words[first].end() if first >= 0 else 0), (own_words[last].start() if last < len(own_words) else len(own))


def without_spaces(text: str, stretch: tuple[int, int]) -> tuple[int, int]:
    """Return a stretch without the spaces at its ends; one that is all spaces is empty, behind the first of them."""
    start, end = stretch
    inner = text[start:end]
    bare = inner.strip()
    if not bare:
        return (start + 1, start + 1) if inner else stretch
    start += inner.index(bare)
    return start, start + len(bare)


def _matched(theirs: Sequence[str], own: Sequence[str]) -> dict[int, int]:
    """Return for each word of the other text that stands in the own one too, in order, where."""
    found: dict[int, int] = {}
    i = j = 0
    for i0, i1, j0, j1 in [*differences(theirs, own), (len(theirs), len(theirs), len(own), len(own))]:
        found.update(zip(range(i, i0), range(j, j0), strict=True))
        i, j = i1, j1
    return found


def stripped(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the characters without the spaces and closing points around them."""
    while start < end and text[start].isspace():
        start += 1
    while start < end and (text[end - 1].isspace() or text[end - 1] in ".,;:"):
        end -= 1
    return start, end


def says_more(stretch: str, new: str) -> bool:
    """Return whether a stretch holds running words, which what is set in its place has not."""
    keys = [word_key(word) for word in stretch.split()]
    known = {word_key(word) for word in new.split()}
    return is_phrase([key for key in keys if key not in known])
