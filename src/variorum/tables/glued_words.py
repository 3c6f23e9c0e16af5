"""Words that run through a column divider: cut between their characters where the gap says that they are two.

A word is cut only where white lies between two of its characters at the divider: a gap that exceeds every other gap between the
word's characters. Else the word is whole (a spanning cell).
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import replace

from variorum.geometry import Box
from variorum.page.model import Word


def cut_glued(word: Word, positions: Sequence[float]) -> list[Word]:
    """Return the word, or its parts from left to right where dividers (points) part characters that were glued together."""
    parts = [word]
    for position in positions:
        parts = [part for w in parts for part in _cut(w, position)]
    return parts


def _cut(word: Word, position: float) -> tuple[Word, ...]:
    if not word.box.x0 < position < word.box.x1 or not word.chars:
        return (word,)
    chars = sorted(word.chars, key=lambda c: (c.box.x0, c.box.x1))
    gaps = [(b.box.x0 - a.box.x1, i + 1) for i, (a, b) in enumerate(itertools.pairwise(chars))]
    here = next((g for g in gaps if chars[g[1] - 1].box.x1 <= position <= chars[g[1]].box.x0), None)
    if here is None or here[0] <= 0 or any(g[0] >= here[0] for g in gaps if g is not here):
        return (word,)
    return tuple(
        replace(
            word,
            text="".join(c.text for c in part),
            box=Box(part[0].box.x0, word.box.y0, max(c.box.x1 for c in part), word.box.y1),
            chars=tuple(part),
        )
        for part in (chars[: here[1]], chars[here[1] :])
    )
