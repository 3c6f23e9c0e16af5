"""Words that the winner of a position lacks, while two independent sources agree on them.

Without signals the configured weight alone decides, also where the winner lost a part of its text. A stretch counts where the
winner has nothing between two words that all three readings share, where both others have the same words, two or more of
letters, and where these words stand nowhere else in the fused document.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Final

from variorum.document import Document, Gap, Notice
from variorum.fusion.evidence import Evidence, PaperEvidence
from variorum.fusion.model import Candidate, ComponentType, Position, Reading, SourceKind
from variorum.fusion.ordering import independent_pairs
from variorum.fusion.signals.differences import differences_of, is_phrase, listed, word_key
from variorum.fusion.signals.outvoted import joint_stretches
from variorum.fusion.tenants import Tenant
from variorum.layout.completeness import with_reason

_TEXTS: Final[Collection[ComponentType]] = ("heading", "paragraph")
_VOTE: Final = "outvoted"
_DYNAMIC: Final = "default-dynamic"


@dataclass(frozen=True, slots=True, kw_only=True)
class LostWords:
    """One stretch of words that a winner lacks: the position, the winner, the two that agree, and the words as the first has
    them."""

    position: str
    winner: SourceKind
    first: SourceKind
    second: SourceKind
    words: str


def lost_words(position: Position, candidates: Sequence[Candidate], paper: PaperEvidence) -> Iterator[LostWords]:
    """Yield the stretches of words that the winner of a position lacks, in the order of its text, each once."""
    if position.type not in _TEXTS or len(position.readings) <= 2:
        return
    winner = candidates[0].source
    reading: Reading = next(r for r in position.readings if r.source == winner)
    found = differences_of(Evidence(position=position, reading=reading, paper=paper))
    others = {kind: (items, stretches) for kind, items, stretches in found.others}
    known: set[tuple[str, ...]] = set()
    for first, second in independent_pairs(list(others)):
        one, other = others[first], others[second]
        sides = [(stretches, len(items.keys)) for items, stretches in (one, other)]
        for start, end, (j0, j1), (k0, k1) in joint_stretches(sides[0], sides[1]):
            keys = one[0].keys[j0:j1]
            if start == end and keys == other[0].keys[k0:k1] and is_phrase(keys) and keys not in known:
                known.add(keys)
                words = " ".join(one[0].raw[j0:j1])
                yield LostWords(position=position.id, winner=winner, first=first, second=second, words=words)


def with_losses(document: Document, found: Sequence[LostWords], ids: Mapping[str, Sequence[str]], tenant: Tenant) -> Document:
    """Return the fused document with a notice for each text that lacks words, and the loss counted in its grade.

    `ids` are the fused components of each position. Words that stand elsewhere in the document are not lost.
    """
    captions = [*(t.caption for t in document.tables), *(f.caption for f in document.figures)]
    whole = _run(" ".join([*(c.text for c in document.components), *(c.text for c in captions if c is not None)]))
    lost = [item for item in found if _run(item.words) not in whole]
    if not lost or document.completeness is None:
        return document
    hint = "" if _VOTE in tenant.signals else f"; try --tenant {_DYNAMIC}"
    pages = {c.id: c.provenance.page_num for c in document.components}
    notices, gaps = [], []
    for name, group in groupby(lost, lambda item: item.position):
        own = list(group)
        component = next(iter(ids.get(name, ())), None)
        page = None if component is None else pages.get(component)
        words = listed([item.words for item in own])
        what = f"{own[0].winner} lacks words on which {own[0].first} and {own[0].second} agree: {words}"
        notices.append(Notice(severity="warning", what=what + hint, page_num=page, component=component))
        gaps.append(Gap(kind="lost_words", what=what, page_num=page, component=component))
    places = "1 place" if len(gaps) == 1 else f"{len(gaps)} places"
    sentence = (
        f"in {places} words are missing on which two independent sources agree: {listed([item.words for item in lost])}{hint}."
    )
    completeness = with_reason(document.completeness, "C", sentence, gaps)
    return replace(document, notices=(*document.notices, *notices), completeness=completeness)


def _run(text: str) -> str:
    return " " + " ".join(filter(None, map(word_key, text.split()))) + " "
