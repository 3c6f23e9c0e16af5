"""The part of a text that shows best why it was found."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final

from variorum.search.words import query_words, search_form

_WORD: Final = re.compile(r"\S+")
_STEM: Final = 5
"""Letters that a word of the text must share with one of the question: enough for its endings to differ."""


def excerpt(text: str, question: str, width: int) -> str:
    """Return at most about `width` characters of a text on one line, with as many words of the question as can be; dots show
    where it is cut."""
    line = " ".join(text.split())
    if len(line) <= width:
        return line
    stems = {word[:_STEM] for word in query_words(question)}
    words = [(match.start(), match.end(), _fits(match[0], stems)) for match in _WORD.finditer(line)]
    best, most = 0, -1
    for i, (start, _, is_hit) in enumerate(words):
        if i and not is_hit:
            continue
        inside = [word for word in words[i:] if word[1] - start <= width]
        count = sum(hit for _, _, hit in inside)
        if count > most:
            best, most = i, count
    first = max(0, best - 2)  # a word or two before, so that the beginning can be read
    start = words[first][0]
    end = max((end for _, end, _ in words[first:] if end - start <= width), default=start + width)
    return f"{'… ' if start else ''}{line[start:end]}{' …' if end < len(line) else ''}"


def _fits(word: str, stems: Collection[str]) -> bool:
    form = "".join(sign for sign in search_form(word) if sign.isalnum())
    return form[:_STEM] in stems
