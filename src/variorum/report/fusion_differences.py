"""Where readings of one place differ: words of texts, cells of tables.

Texts are compared by their longest common subsequence of words and signs; spacing does not count, nor which of several signs
that look alike was taken (a hyphen and a minus, two kinds of dots). Grids are laid on each other
row by row and column by column so that as many cells as possible are the same.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Final

from variorum.document import Table

Span = tuple[int, int]
_TOKEN: Final = re.compile(r"\\[A-Za-z]+|\w+|[^\w\s]")
_ALIKE: Final = str.maketrans("µ⋅∙•−–‐‑∗’‘′“”″∣‖", "μ···----*'''\"\"\"||")
_MOST_COMPARED: Final = 25_000_000
"""Pairs of words, or of cells of rows, up to which two readings are compared one by one."""


def is_same_text(first: str, second: str) -> bool:
    """Return whether two texts have the same words and signs."""
    return first == second or _words(first) == _words(second)


def _words(text: str) -> list[str]:
    return _TOKEN.findall(text.translate(_ALIKE))


def differing_words(text: str, other: str) -> list[Span]:
    """Return the stretches of `text`, as (start, end) in characters, of which `other` has no counterpart, in order.

    Stretches between which there is nothing but space are one.
    """
    own = list(_TOKEN.finditer(text.translate(_ALIKE)))
    kept = _common([m[0] for m in own], _words(other))
    return _stretches(text, [m.span() for i, m in enumerate(own) if i not in kept])


def missing_words(text: str, other: str) -> list[tuple[int, str]]:
    """Return what `other` has and `text` has not, as (character of `text` at which it is missing, the words), in order.

    Where `text` has other words instead, these are in `differing_words` and the place is not among the missing.
    """
    own, theirs = (list(_TOKEN.finditer(t.translate(_ALIKE))) for t in (text, other))
    pairs = sorted(_common([m[0] for m in own], [m[0] for m in theirs]).items())
    missing = []
    for (own_before, their_before), (own_after, their_after) in pairwise([(-1, -1), *pairs, (len(own), len(theirs))]):
        if own_after == own_before + 1 and their_after > their_before + 1:
            at = own[own_before].end() if own_before >= 0 else 0
            missing.append((at, other[theirs[their_before + 1].start() : theirs[their_after - 1].end()]))
    return missing


def differing_cells(table: Table, other: Table) -> set[tuple[int, int]]:
    """Return (row, column) of the cells of `table`, by their top-left place, whose counterpart in `other` says something else
    or is not there."""
    own, theirs = _folded(table), _folded(other)
    rows = _laid_on(own, theirs)
    own_columns = list(zip(*(own[r] for r in rows), strict=True)) if rows else []
    their_columns = list(zip(*(theirs[r] for r in rows.values()), strict=True)) if rows else []
    columns = _laid_on(own_columns, their_columns, _same_places)
    same = {(r, c) for r, other_r in rows.items() for c, other_c in columns.items() if own[r][c] == theirs[other_r][other_c]}
    return {(cell.row, cell.col) for cell in table.cells if cell.text.strip() and (cell.row, cell.col) not in same}


def _folded(table: Table) -> list[tuple[str, ...]]:
    return [tuple("".join(text.translate(_ALIKE).split()) for text in row) for row in table.filled_matrix()]


def _stretches(text: str, spans: Sequence[Span]) -> list[Span]:
    joined: list[Span] = []
    for start, end in spans:
        if joined and not text[joined[-1][1] : start].strip():
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((start, end))
    return joined


def _common(own: Sequence[str], theirs: Sequence[str]) -> dict[int, int]:
    """Return the words that both have in the same order, as position here to position there.

    Of texts that are too long to compare word by word, only beginning and end.
    """
    shortest = min(len(own), len(theirs))
    start = next((i for i in range(shortest) if own[i] != theirs[i]), shortest)
    end = next((i for i in range(shortest - start) if own[-1 - i] != theirs[-1 - i]), shortest - start)
    common = {i: i for i in range(start)}
    common |= {len(own) - i: len(theirs) - i for i in range(1, end + 1)}
    here, there = own[start : len(own) - end], theirs[start : len(theirs) - end]
    if here and there and len(here) * len(there) <= _MOST_COMPARED:
        from rapidfuzz.distance import LCSseq

        for step in LCSseq.opcodes(here, there):
            if step.tag == "equal":
                common |= {
                    start + step.src_start + i: start + step.dest_start + i for i in range(step.src_end - step.src_start)
                }
    return common


def _same_cells(own: Sequence[str], theirs: Sequence[str]) -> int:
    return sum((Counter(filter(None, own)) & Counter(filter(None, theirs))).values())


def _same_places(own: Sequence[str], theirs: Sequence[str]) -> int:
    return sum(a == b for a, b in zip(own, theirs, strict=True) if a)


def _laid_on(
    own: Sequence[Sequence[str]],
    theirs: Sequence[Sequence[str]],
    alike: Callable[[Sequence[str], Sequence[str]], int] = _same_cells,
) -> dict[int, int]:
    """Return lines of one grid with their counterparts in the other, in order, so that the most cells are alike.

    Lines without a cell in common have a counterpart where one is left over between two that have: at the same place from
    there on.
    """
    cells = sum(map(len, own)) * len(theirs)
    if not own or not theirs:
        return {}
    if own == theirs or cells > _MOST_COMPARED:
        return {i: i for i in range(min(len(own), len(theirs)))}
    best = [[0] * (len(theirs) + 1) for _ in range(len(own) + 1)]
    score = [[alike(a, b) for b in theirs] for a in own]
    for i in range(len(own) - 1, -1, -1):
        for j in range(len(theirs) - 1, -1, -1):
            best[i][j] = max(best[i + 1][j], best[i][j + 1], best[i + 1][j + 1] + score[i][j])
    pairs, i, j = [(-1, -1)], 0, 0
    while i < len(own) and j < len(theirs):
        if score[i][j] and best[i][j] == best[i + 1][j + 1] + score[i][j]:
            pairs.append((i, j))
            i, j = i + 1, j + 1
        elif best[i][j] == best[i + 1][j]:
            i += 1
        else:
            j += 1
    laid = dict(pairs[1:])
    for (a, b), (next_a, next_b) in pairwise([*pairs, (len(own), len(theirs))]):
        laid |= {a + k: b + k for k in range(1, min(next_a - a, next_b - b))}
    return laid
