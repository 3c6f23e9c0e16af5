"""What two independent readings say against a third one, stretch by stretch.

Where a reading differs, the stretch is widened until both others begin and end it with something that all three have. The
reading is outvoted there as far as the two others are more alike than it is like either of them.
"""

from __future__ import annotations

from collections.abc import Sequence

from variorum.fusion._rapidfuzz import differences as differing
from variorum.fusion.evidence import Evidence
from variorum.fusion.model import SourceKind
from variorum.fusion.ordering import independent_pairs
from variorum.fusion.signals.differences import Differences, Stretch, listed
from variorum.fusion.signals.kinds import Finding


def outvoted(evidence: Evidence, found: Differences) -> Finding | None:
    """Return the share of what is contested in which two independent readings agree against this one, and which they are."""
    others = {kind: (items.keys, stretches) for kind, items, stretches in found.others}
    worst: Finding | None = None
    for pair in independent_pairs(list(others)):
        first, second = (others[kind] for kind in pair)
        share, lost = _against(found.own.keys, first, second)
        if share and (worst is None or share > worst[0]):
            worst = share, _reason(evidence, pair, [found.own.raw[i] for i in lost], share)
    return worst


def _reason(evidence: Evidence, pair: tuple[SourceKind, SourceKind], lost: Sequence[str], share: float) -> str:
    what = f"it has {listed(lost)}" if lost else "it lacks something"
    return f"{pair[0]} and {pair[1]} agree against it in {share:.0%} of what is contested: {what}"


def _against(
    own: Sequence[str],
    first: tuple[Sequence[str], tuple[Stretch, ...]],
    second: tuple[Sequence[str], tuple[Stretch, ...]],
) -> tuple[float, list[int]]:
    """Return the share of the contested items in which both others agree against the own reading, and the own items lost."""
    contested, against = 0.0, 0.0
    lost: list[int] = []
    for start, end, (j0, j1), (k0, k1) in _joint(len(own), (first[1], len(first[0])), (second[1], len(second[0]))):
        mine, one, other = own[start:end], first[0][j0:j1], second[0][k0:k1]
        size = max(len(mine), len(one), len(other))
        contested += size
        lead = _likeness(one, other) - max(_likeness(mine, one), _likeness(mine, other))
        if lead > 0:
            against += size * lead
            lost += [i for i in range(start, end) if own[i] not in one and own[i] not in other]
    return (against / contested if contested else 0.0), lost


def _likeness(first: Sequence[str], second: Sequence[str]) -> float:
    """Return how alike two sequences are, in [0, 1]: twice what they share in order over what both have."""
    size = len(first) + len(second)
    if not size:
        return 1.0
    if first == second:
        return 1.0
    apart = sum(i1 - i0 + j1 - j0 for i0, i1, j0, j1 in differing(first, second))
    return (size - apart) / size


Side = tuple[tuple[Stretch, ...], int]
"""Where another reading differs from the own one, and how many items it has."""


def _joint(size: int, first: Side, second: Side) -> list[tuple[int, int, tuple[int, int], tuple[int, int]]]:
    """Return the stretches in which either differs, as (start, end) in the own reading and in both others.

    Stretches that touch or overlap are one, so that every stretch begins and ends where all three readings are together.
    """
    spans = sorted((i0, i1) for side in (first, second) for i0, i1, _, _ in side[0])
    merged: list[tuple[int, int]] = []
    for start, end in spans:
        if merged and start <= merged[-1][1]:
            merged[-1] = merged[-1][0], max(merged[-1][1], end)
        else:
            merged.append((start, end))
    return [(start, end, _image(start, end, first[0]), _image(start, end, second[0])) for start, end in merged]


def _image(start: int, end: int, stretches: Sequence[Stretch]) -> tuple[int, int]:
    """Return where a stretch of the own items, that cuts none of the other's stretches, lies in the other reading."""
    before = [s for s in stretches if s[1] < start or (s[1] == start and s[0] < start)]
    inside = [s for s in stretches if start <= s[0] and s[1] <= end and s not in before]
    shift = sum((j1 - j0) - (i1 - i0) for i0, i1, j0, j1 in before)
    grown = sum((j1 - j0) - (i1 - i0) for i0, i1, j0, j1 in inside)
    return start + shift, end + shift + grown
