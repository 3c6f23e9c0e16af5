"""Whether sources are of one paper: a source of another one is found, and refused.

Readings of one text share most of their pairs of neighbouring words; texts of two papers share the few that a language and a
field have in common. How many these are is seen in the paper itself: two halves of one source, every other text, share at least
as much as two papers of one field do. Two sources belong together when they share more than half-way between that and all. A
source that is cut short is held against what it has.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

from variorum.errors import DifferentPapersError
from variorum.fusion.model import Alignment, Source, SourceKind
from variorum.fusion.pieces import pieces_of

Pairs = frozenset[str]


def check_same_paper(sources: Sequence[Source], alignment: Alignment, *, force: bool = False) -> None:
    """Return nothing when the sources are of one paper, as far as they have words, or with `force`.

    Raises DifferentPapersError that names a source of another paper. Where sources fall apart into groups, the largest is held
    to be the paper, of several that with the first source.
    """
    if force:
        return
    texts = {s.kind: _texts(s) for s in sources}
    groups = groups_of_one_paper({kind: own for kind, own in texts.items() if frozenset().union(*own)})
    if len(groups) < 2:
        return
    paper = max(groups, key=len)
    stranger = next(kind for group in groups if group is not paper for kind in group)
    raise DifferentPapersError(
        f"is of another paper than the {' and the '.join(paper)}{_placed(stranger, paper, alignment)}",
        where=f"{stranger} ({next(s.name for s in sources if s.kind == stranger)})",
        hint="give sources of one paper, or --force to fuse them all the same",
    )


def groups_of_one_paper(texts: Mapping[SourceKind, Sequence[Pairs]]) -> list[list[SourceKind]]:
    """Return the kinds in groups of those that belong together, in order of their first; given are the pairs of words of each
    text of each source."""
    everything = {kind: frozenset().union(*own) for kind, own in texts.items()}
    groups = [[kind] for kind in texts]
    for one, other in combinations(texts, 2):
        unrelated = max(_common(*_halves(texts[one])), _common(*_halves(texts[other])))
        if 2 * _common(everything[one], everything[other]) > 1 + unrelated:
            first = next(g for g in groups if one in g)
            second = next(g for g in groups if other in g)
            if first is not second:
                first += second
                groups.remove(second)
    return groups


def _texts(source: Source) -> list[Pairs]:
    """Return the pairs of neighbouring words of each heading and paragraph."""
    return [
        frozenset(f for f in piece.features if " " in f)
        for piece in pieces_of(source)
        if piece.type in ("heading", "paragraph") and piece.kind != "byline"
    ]


def _halves(texts: Sequence[Pairs]) -> tuple[Pairs, Pairs]:
    return frozenset().union(*texts[::2]), frozenset().union(*texts[1::2])


def _common(one: Pairs, other: Pairs) -> float:
    """Return the share that two sets have in common, of the smaller one, in [0, 1]."""
    smaller = min(len(one), len(other))
    return len(one & other) / smaller if smaller else 0.0


def _placed(stranger: SourceKind, paper: Sequence[SourceKind], alignment: Alignment) -> str:
    """Return how many texts of a source stand where one of the others has the same, in words."""
    own = [
        p for p in alignment.positions if p.type in ("heading", "paragraph") and any(r.source == stranger for r in p.readings)
    ]
    shared = [p for p in own if any(r.source in paper for r in p.readings)]
    return f": of its {len(own)} headings and paragraphs {len(shared)} are found there" if own else ""
