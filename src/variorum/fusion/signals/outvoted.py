"""What two independent readings say against a third one, stretch by stretch.

Where a reading differs, the stretch is widened until both others begin and end it with something that all three have. The
reading is outvoted there as far as the two others are more alike than it is like either of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from variorum.fusion._rapidfuzz import differences as differing
from variorum.fusion.evidence import Evidence
from variorum.fusion.ordering import independent_pairs
from variorum.fusion.signals.differences import Differences, Items, Stretch, listed
from variorum.fusion.signals.kinds import Finding

Other = tuple[Items, tuple[Stretch, ...]]
"""Another reading, and where it differs from the own one."""


@dataclass(frozen=True, slots=True)
class _Verdict:
    """What two others say against a reading: the share of what is contested, the own items that they have not, and the items of
    the first that the reading lacks, by index."""

    share: float
    own: list[int]
    lacked: list[int]


def outvoted(evidence: Evidence, found: Differences) -> Finding | None:
    """Return the share of what is contested in which two independent readings agree against this one, and which they are."""
    others = {kind: (items, stretches) for kind, items, stretches in found.others}
    worst: Finding | None = None
    for first, second in independent_pairs(list(others)):
        verdict = _against(found.own.keys, others[first], others[second])
        if verdict.share and (worst is None or verdict.share > worst[0]):
            own = [found.own.raw[i] for i in verdict.own]
            lacked = [others[first][0].raw[j] for j in verdict.lacked]
            what = f"it has {listed(own)}" if own else f"it lacks {listed(lacked)}" if lacked else "in another order"
            scope = f"{verdict.share:.0%} of what is contested"
            worst = verdict.share, f"{first} and {second} agree against it in {scope}: {what}"
    return worst


def _against(own: Sequence[str], first: Other, second: Other) -> _Verdict:
    """Return in how much of what is contested both others agree against the own reading."""
    contested, against = 0.0, 0.0
    lost: list[int] = []
    lacked: list[int] = []
    sides = [(stretches, len(items.keys)) for items, stretches in (first, second)]
    for start, end, (j0, j1), (k0, k1) in joint_stretches(sides[0], sides[1]):
        mine, one, other = own[start:end], first[0].keys[j0:j1], second[0].keys[k0:k1]
        if "".join(mine) == "".join(one) == "".join(other):  # only spaces differ, which sources set beside signs at will
            continue
        size = max(len(mine), len(one), len(other))
        contested += size
        lead = _likeness(one, other) - max(_likeness(mine, one), _likeness(mine, other))
        if lead > 0:
            against += size * lead
            lost += [i for i in range(start, end) if own[i] not in one and own[i] not in other]
            lacked += [j for j in range(j0, j1) if first[0].keys[j] not in mine]
    return _Verdict(against / contested if contested else 0.0, lost, lacked)


def _likeness(first: Sequence[str], second: Sequence[str]) -> float:
    """Return how alike two sequences are, in [0, 1]: twice what they share in order over what both have."""
    size = len(first) + len(second)
    if not size:
        return 1.0
    if first == second or "".join(first) == "".join(second):
        return 1.0
    apart = sum(i1 - i0 + j1 - j0 for i0, i1, j0, j1 in differing(first, second))
    return (size - apart) / size


Side = tuple[tuple[Stretch, ...], int]
"""Where another reading differs from the own one, and how many items it has."""


def joint_stretches(first: Side, second: Side) -> list[tuple[int, int, tuple[int, int], tuple[int, int]]]:
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
