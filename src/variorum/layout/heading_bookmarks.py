"""Bookmarks for headings: which bookmark belongs to which candidate, and what its level means for the heading.

An outline may begin with the title, and then all its levels are one deeper than those of the headings. And an outline knows no
gaps: LaTeX's hyperref fixes a bookmark that lies two levels below the one above it ("Difference between bookmark levels is
greater than one, level fixed"), and its sisters, which keep their level, become its children. What is printed shows it: they
are set in one type, under a heading in another.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence

from variorum.layout.heading_candidates import Candidate
from variorum.layout.heading_numbers import NumberSequence, numbers_at_start
from variorum.page.bookmarks import OutlineEntry


def key_of(text: str) -> str:
    """Return the letters and digits of a text, case folded."""
    return "".join(c for c in unicodedata.normalize("NFKC", text).casefold() if c.isalnum())


def match_bookmarks(outline: Sequence[OutlineEntry], candidates: Sequence[Candidate]) -> dict[int, OutlineEntry]:
    """Return the bookmark of each candidate that has one, by the candidate's `start`: its words, on the page it leads to."""
    found: dict[int, OutlineEntry] = {}
    by_page: dict[int, list[Candidate]] = {}
    for candidate in candidates:
        by_page.setdefault(candidate.first.page_index, []).append(candidate)
    for entry in outline:
        wanted = _keys(entry.title)
        for candidate in by_page.get(entry.page_index, ()):
            if candidate.start not in found and wanted & _keys(candidate.text):
                found[candidate.start] = entry
                break
    return found


def bookmark_levels(
    outline: Sequence[OutlineEntry],
    matched: Mapping[int, OutlineEntry],
    candidates: Sequence[Candidate],
    sequence: NumberSequence,
) -> dict[int, int]:
    """Return the level from 1 of the heading that each matched bookmark stands for, by the candidate's `start`."""
    shift = _shift(matched, sequence)
    sisters = _children_that_are_sisters(outline, matched, candidates)
    return {start: max(1, entry.level - shift - (start in sisters)) for start, entry in matched.items()}


def _children_that_are_sisters(
    outline: Sequence[OutlineEntry], matched: Mapping[int, OutlineEntry], candidates: Sequence[Candidate]
) -> frozenset[int]:
    """Return the candidates whose bookmark lies one level too deep, below that of their first sister.

    It is so where a bookmark is the only child of its parent, all three have headings without numbers, and its own children
    are set as it is, while the parent is not.
    """
    own = {id(entry): c for c in candidates if (entry := matched.get(c.start)) is not None}
    found: set[int] = set()
    for i, first in enumerate(outline[1:], 1):
        above, elder = own.get(id(outline[i - 1])), own.get(id(first))
        if above is None or elder is None or first.level != outline[i - 1].level + 1 or elder.style == above.style:
            continue
        below = _below(outline, i - 1)[1:]
        sisters = [own.get(id(entry)) for entry in below]
        if not below or any(entry.level != first.level + 1 for entry in below):
            continue
        if all(s is not None and s.style == elder.style and not s.numbers for s in (elder, *sisters)):
            found.update(s.start for s in sisters if s is not None)
    return frozenset(found)


def _below(outline: Sequence[OutlineEntry], index: int) -> Sequence[OutlineEntry]:
    """Return the bookmarks below one, at any depth."""
    stop = index + 1
    while stop < len(outline) and outline[stop].level > outline[index].level:
        stop += 1
    return outline[index + 1 : stop]


def _keys(text: str) -> set[str]:
    """Return the letters and digits of a heading with and without what may be its number."""
    return {key_of(text), *(key_of(text[n.end :]) for n in numbers_at_start(text))} - {""}


def _shift(matched: Mapping[int, OutlineEntry], sequence: NumberSequence) -> int:
    """Return by how much the levels of the bookmarks are deeper than those of the headings."""
    steps = Counter(entry.level - sequence.levels[start] for start, entry in matched.items() if start in sequence.levels)
    if steps:
        return max(steps, key=lambda s: (steps[s], -abs(s)))
    return min((entry.level for entry in matched.values()), default=1) - 1
