"""Which column and which row of a reading is which of the truth.

Columns are told by their headers, in three passes, and by their place where there is no header; rows by their cells, in one
walk from top to bottom. Texts are normalised before they come here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import pairwise
from typing import NamedTuple

from variorum.thresholds import HEADER_SIMILARITY, SPLIT_MERGE_SPAN

Pair = tuple[int, int]


class Split(NamedTuple):
    """One column or row of the truth that the reading has as several."""

    truth: int
    extracted: tuple[int, ...]


class Merge(NamedTuple):
    """Several columns or rows of the truth that the reading has as one."""

    truth: tuple[int, ...]
    extracted: int


@dataclass(frozen=True, slots=True)
class Alignment:
    """Pairs (truth, extracted) in order of the truth, what was split or merged, and what has no partner; indices from 0."""

    matched: tuple[Pair, ...]
    splits: tuple[Split, ...]
    merges: tuple[Merge, ...]
    missing: tuple[int, ...]
    extra: tuple[int, ...]


# ---- columns ----------------------------------------------------------------------------------------------------------


def longest_common_substring(one: str, other: str) -> int:
    """Return the length of the longest run of characters that both texts hold."""
    return SequenceMatcher(None, one, other, autojunk=False).find_longest_match().size


def similarity(one: str, other: str) -> float:
    """Return the longest common substring's share of the longer text, in [0, 1]; 0 where one is empty."""
    return longest_common_substring(one, other) / max(len(one), len(other)) if one and other else 0.0


def align_columns(truth: Sequence[str], extracted: Sequence[str]) -> Alignment:
    """Return which column is which by the header texts.

    First equal headers, in the same order where they repeat; then headers whose longest common substring is at least 80 %
    of the longer; then splits and merges: neighbours whose headers, put together, are a header of the other side. A split or
    merge that explains a header wholly goes before a similar one. What is left and has an empty header on one side is paired
    by place between the pairs around it.
    """
    pairs = dict(_equal(truth, extracted))
    similar = _similar(truth, extracted, pairs)
    splits, merges = _joined(truth, extracted, pairs, similar)
    gone_truth = {s.truth for s in splits} | {t for m in merges for t in m.truth}
    gone_extracted = {m.extracted for m in merges} | {e for s in splits for e in s.extracted}
    pairs |= {t: e for t, e in similar.items() if t not in gone_truth and e not in gone_extracted}
    anchors = [*pairs.items(), *((s.truth, s.extracted[0]) for s in splits), *((m.truth[0], m.extracted) for m in merges)]
    gone_truth |= pairs.keys()
    gone_extracted |= set(pairs.values())
    pairs |= _by_place(truth, extracted, in_order(anchors), gone_truth, gone_extracted)
    gone_truth |= pairs.keys()
    gone_extracted |= set(pairs.values())
    return Alignment(
        tuple(sorted(pairs.items())),
        tuple(splits),
        tuple(merges),
        tuple(t for t in range(len(truth)) if t not in gone_truth),
        tuple(e for e in range(len(extracted)) if e not in gone_extracted),
    )


def in_order(pairs: Sequence[Pair]) -> list[Pair]:
    """Return the longest chain of pairs that rise on both sides, the first such chain; sorted."""
    ordered = sorted(pairs)
    chains: list[list[Pair]] = []
    for pair in ordered:
        before = [chain for chain in chains if chain[-1][0] < pair[0] and chain[-1][1] < pair[1]]
        chains.append([*max(before, key=len, default=[]), pair])
    return max(chains, key=len, default=[])


def _equal(truth: Sequence[str], extracted: Sequence[str]) -> list[Pair]:
    """Return the pairs of equal headers that are not empty: the longest common order first, then what stands elsewhere."""

    def hits(t: int, e: int) -> int:
        return bool(truth[t]) and truth[t] == extracted[e]

    pairs = [step for step in _walk(len(truth), len(extracted), hits) if hits(*step)]
    used_truth, used_extracted = {t for t, _ in pairs}, {e for _, e in pairs}
    for t in range(len(truth)):
        for e in range(len(extracted)):
            if t not in used_truth and e not in used_extracted and hits(t, e):
                pairs.append((t, e))
                used_truth.add(t)
                used_extracted.add(e)
    return pairs


def _similar(truth: Sequence[str], extracted: Sequence[str], pairs: dict[int, int]) -> dict[int, int]:
    """Return pairs of the headers that are left whose similarity is enough, the most similar first."""
    taken = set(pairs.values())
    found = sorted(
        (-share, abs(t - e), t, e)
        for t in range(len(truth))
        for e in range(len(extracted))
        if t not in pairs and e not in taken and (share := similarity(truth[t], extracted[e])) >= HEADER_SIMILARITY
    )
    out: dict[int, int] = {}
    for _, _, t, e in found:
        if t not in out and e not in out.values():
            out[t] = e
    return out


def _joined(
    truth: Sequence[str], extracted: Sequence[str], pairs: dict[int, int], similar: dict[int, int]
) -> tuple[list[Split], list[Merge]]:
    """Return the splits and merges among the columns without an equal header; a similar partner is given up for them."""
    free_truth = {t for t in range(len(truth)) if t not in pairs}
    free_extracted = set(range(len(extracted))) - set(pairs.values())
    partner = {e: t for t, e in similar.items()}
    splits, merges = [], []
    for t in sorted(free_truth):
        if run := _run_that_makes(truth[t], extracted, {e for e in free_extracted if partner.get(e, t) == t}):
            splits.append(Split(t, run))
            free_truth.discard(t)
            free_extracted -= set(run)
    for e in sorted(free_extracted):
        if run := _run_that_makes(extracted[e], truth, {t for t in free_truth if similar.get(t, e) == e}):
            merges.append(Merge(run, e))
            free_truth -= set(run)
    return splits, merges


def _run_that_makes(whole: str, parts: Sequence[str], usable: set[int]) -> tuple[int, ...]:
    """Return the first run of two or more neighbouring parts, none empty, that make the whole, white space aside; or ()."""
    wanted = "".join(whole.split())
    for first in sorted(usable):
        text, at = "", first
        while at in usable and parts[at] and len(text) < len(wanted):
            text += "".join(parts[at].split())
            at += 1
        if text == wanted and at - first > 1:
            return tuple(range(first, at))
    return ()


def _by_place(
    truth: Sequence[str], extracted: Sequence[str], anchors: Sequence[Pair], gone_truth: set[int], gone_extracted: set[int]
) -> dict[int, int]:
    """Return pairs of what is left between two anchors, in order, where the header of one or both is empty."""
    out: dict[int, int] = {}
    ends = [(-1, -1), *anchors, (len(truth), len(extracted))]
    for (t0, e0), (t1, e1) in pairwise(ends):
        left = [t for t in range(t0 + 1, t1) if t not in gone_truth]
        right = [e for e in range(e0 + 1, e1) if e not in gone_extracted]
        if len(left) == len(right):
            out |= {t: e for t, e in zip(left, right, strict=True) if not (truth[t] and extracted[e])}
            continue
        empty = dict(zip((t for t in left if not truth[t]), (e for e in right if not extracted[e]), strict=False))
        left, right = [t for t in left if t not in empty], [e for e in right if e not in empty.values()]
        out |= empty | {t: e for t, e in zip(left, right, strict=False) if not (truth[t] and extracted[e])}
    return out


# ---- rows -------------------------------------------------------------------------------------------------------------


def agreeing(one: Sequence[str], other: Sequence[str]) -> int:
    """Return at how many places the two rows hold the same text, empty ones not counted."""
    return sum(a == b and a != "" for a, b in zip(one, other, strict=True))


def align_rows(truth: Sequence[Sequence[str]], extracted: Sequence[Sequence[str]]) -> Alignment:
    """Return which row is which: one walk through both tables from the top, in which the most cells agree.

    Each step takes a row of both, skips one of either (missing, extra), or takes one row of the one side and up to three of the
    other (split, merge) whose texts, put together cell by cell, are exactly that row. Rows hold the same columns in the same
    order. Among walks with equally many agreeing cells the one with the most pairs is taken.
    """
    hits = [[agreeing(t, e) for e in extracted] for t in truth]
    joined = _joined_rows(truth, extracted)
    matched, splits, merges = [], [], []
    seen_truth, seen_extracted = set(), set()
    for step in _steps(len(truth), len(extracted), lambda t, e: hits[t][e], joined):
        t, e, rows_of_truth, rows_of_reading = step
        if rows_of_truth == rows_of_reading == 1:
            matched.append((t, e))
        elif rows_of_truth == 1:
            splits.append(Split(t, tuple(range(e, e + rows_of_reading))))
        else:
            merges.append(Merge(tuple(range(t, t + rows_of_truth)), e))
        seen_truth |= set(range(t, t + rows_of_truth))
        seen_extracted |= set(range(e, e + rows_of_reading))
    return Alignment(
        tuple(matched),
        tuple(splits),
        tuple(merges),
        tuple(t for t in range(len(truth)) if t not in seen_truth),
        tuple(e for e in range(len(extracted)) if e not in seen_extracted),
    )


Step = tuple[int, int, int, int]  # first row of the truth, of the reading, number of rows of each


def _joined_rows(truth: Sequence[Sequence[str]], extracted: Sequence[Sequence[str]]) -> dict[Step, int]:
    """Return every split and merge there could be, with the number of cells that it explains."""
    ours, theirs = _without_space(truth), _without_space(extracted)
    found: dict[Step, int] = {}
    for span in range(2, int(SPLIT_MERGE_SPAN) + 1):
        for t, row in enumerate(ours):
            for e in range(len(theirs) - span + 1):
                if _makes(theirs[e : e + span], row):
                    found[t, e, 1, span] = sum(text != "" for text in row)
        for e, row in enumerate(theirs):
            for t in range(len(ours) - span + 1):
                if _makes(ours[t : t + span], row):
                    found[t, e, span, 1] = sum(text != "" for part in ours[t : t + span] for text in part)
    return found


def _without_space(rows: Sequence[Sequence[str]]) -> list[list[str]]:
    return [["".join(text.split()) for text in row] for row in rows]


def _makes(parts: Sequence[Sequence[str]], whole: Sequence[str]) -> bool:
    """Return whether the rows, none of them blank, make the whole row when they are put together cell by cell."""
    if any("".join(part[column] for part in parts) != text for column, text in enumerate(whole)):
        return False
    return all(any(part) for part in parts)


def _walk(n: int, m: int, hits: Callable[[int, int], int]) -> list[Pair]:
    return [(t, e) for t, e, _, _ in _steps(n, m, hits, {})]


def _steps(n: int, m: int, hits: Callable[[int, int], int], joined: dict[Step, int]) -> list[Step]:
    """Return the best walk from (0, 0) to (n, m): most hits, then most pairs; of equal ones the one that pairs early."""
    ending: dict[Pair, list[Step]] = {}
    for step in joined:
        ending.setdefault((step[0], step[1]), []).append(step)
    best = [[(0, 0)] * (m + 1) for _ in range(n + 1)]
    choice: list[list[Step | None]] = [[None] * (m + 1) for _ in range(n + 1)]
    for t in range(n - 1, -1, -1):
        for e in range(m - 1, -1, -1):
            rest = best[t + 1][e + 1]
            top, move = (rest[0] + hits(t, e), rest[1] + 1), (t, e, 1, 1)
            for step in ending.get((t, e), ()):
                after = best[t + step[2]][e + step[3]]
                value = (after[0] + joined[step], after[1])
                if value > top:
                    top, move = value, step
            for skip in ((t, e, 1, 0), (t, e, 0, 1)):
                value = best[t + skip[2]][e + skip[3]]
                if value > top:
                    top, move = value, skip
            best[t][e], choice[t][e] = top, move
    steps = []
    t = e = 0
    while t < n and e < m:
        taken = choice[t][e]
        assert taken is not None
        if taken[2] and taken[3]:
            steps.append(taken)
        t, e = t + taken[2], e + taken[3]
    return steps
