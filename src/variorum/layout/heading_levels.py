"""The rank of each type among the types of headings: which level is set in it.

A type whose headings have bookmarks or numbers has the level of most of them. The others take their places between these by
their prominence: size, then weight, then capitals.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from variorum.document.paper_model import HeadingVote
from variorum.layout.heading_candidates import Candidate, TypeStyle
from variorum.layout.model import is_size


@dataclass(frozen=True, slots=True)
class TypeRank:
    """The level of the headings in one type, how sure in [0, 1], and why."""

    level: int
    confidence: float
    reason: str


def type_ranks(accepted: Sequence[Candidate], votes: Mapping[int, Sequence[HeadingVote]]) -> dict[int, TypeRank]:
    """Return the rank of each accepted heading's type, by the heading's `start`."""
    own = [c for c in accepted if not c.is_run_in]
    evidence: dict[TypeStyle, Counter[int]] = {}
    for candidate in own:
        levels = evidence.setdefault(candidate.style, Counter())
        for vote in votes[candidate.start]:
            if vote.level is not None:
                levels[vote.level] += 1
    ranks = _ranks(evidence)
    counts = Counter(c.style for c in own)
    firm = {s: r for s, r in ranks.items() if evidence[s] or counts[s] > 1}
    deepest = max((elected_level(ranks[c.style], votes[c.start]) for c in own if c.style in (firm or ranks)), default=0)
    reason = f"runs in, one level below the {deepest} of the headings in lines of their own" if deepest else "runs in"
    run_in = TypeRank(deepest + 1, 1 / 2, reason)
    return {c.start: run_in if c.is_run_in else ranks[c.style] for c in accepted}


def _ranks(evidence: Mapping[TypeStyle, Counter[int]]) -> dict[TypeStyle, TypeRank]:
    order = sorted(evidence, key=_prominence)
    known = {s: _most(evidence[s]) for s in order if evidence[s]}
    ranks: dict[TypeStyle, TypeRank] = {}
    last: TypeStyle | None = None
    for k, style in enumerate(order):
        if style in known:
            level, share = known[style]
            count = evidence[style][level]
            reason = f"{count} of {evidence[style].total()} bookmarks and numbers of headings in this type are of level {level}"
            ranks[style] = TypeRank(level, share, reason)
        else:
            below = [known[s][0] for s in order[k + 1 :] if s in known]
            level = 1 if last is None else ranks[last].level + (not _looks_alike(last, style))
            if below and min(below) > 1 and last is None:
                level = min(below) - 1
            ranks[style] = TypeRank(level, 1 / 2, f"the type of rank {k + 1} among {len(order)} types of headings")
        last = style
    return ranks


def _most(levels: Counter[int]) -> tuple[int, float]:
    level = max(levels, key=lambda n: (levels[n], -n))
    return level, levels[level] / levels.total()


def _prominence(style: TypeStyle) -> tuple[float, bool, bool, bool, str]:
    return (-style.size, not style.is_bold, not style.is_caps, style.is_italic, style.font)


def _looks_alike(a: TypeStyle, b: TypeStyle) -> bool:
    return is_size(a.size, b.size) and (a.is_bold, a.is_italic, a.is_caps) == (b.is_bold, b.is_italic, b.is_caps)


def elected_level(rank: TypeRank, votes: Sequence[HeadingVote]) -> int:
    """Return the level with the greatest weight among the votes that name one and the type's rank; of equals, the highest."""
    weight: dict[int, float] = {rank.level: rank.confidence}
    for vote in votes:
        if vote.level is not None and vote.is_heading:
            weight[vote.level] = weight.get(vote.level, 0.0) + vote.confidence
    return min(weight, key=lambda level: (-weight[level], level))
