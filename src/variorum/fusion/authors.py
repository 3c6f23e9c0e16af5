"""Who wrote it: the names and addresses of the authors as one place.

Sources part them in ways that have nothing in common: an author a line, all in one, addresses as notes. So what each source has
of them is one reading.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence

from variorum.fusion.contents import Contents, words_in
from variorum.fusion.likeness import Spot, unite
from variorum.fusion.model import SOURCES, SourceKind


def authors_as_one(spots: Sequence[Spot], contents: Contents) -> list[Spot]:
    """Return the places with all bylines as one of them.

    With them go texts at the front, most of whose words are in the bylines of a source that does not have them as texts, and
    those that were found the same as the only bylines of a source.
    """
    bylines = {i for i, s in enumerate(spots) if all(p.kind == "byline" for p in s.pieces)}
    named = {p.source for i in bylines for p in spots[i].pieces}
    bylines |= {i for i, s in enumerate(spots) if bylines and _has_only_bylines(s, named, contents)}
    words: dict[SourceKind, Counter[str]] = {}
    for piece in (p for i in bylines for p in spots[i].pieces):
        words.setdefault(piece.source, Counter()).update(words_in(piece, contents))
    bylines |= {i for i, s in enumerate(spots) if i not in bylines and _is_of_authors(s, words, contents)}
    if not bylines:
        return list(spots)
    block = unite([spots[i] for i in sorted(bylines)], SOURCES)
    return [*(s for i, s in enumerate(spots) if i not in bylines), block]


def _has_only_bylines(spot: Spot, named: Collection[SourceKind], contents: Contents) -> bool:
    """Return whether a text at the front is the byline of a source that has no other."""
    is_front = all((p.source, name) in contents for p in spot.pieces for name in p.components)
    return is_front and any(p.kind == "byline" and p.source not in named for p in spot.pieces)


def _is_of_authors(spot: Spot, words: Mapping[SourceKind, Counter[str]], contents: Contents) -> bool:
    """Return whether most words of every source at a place of the front stand in the bylines of one that does not have it."""
    if any((p.source, name) not in contents for p in spot.pieces for name in p.components) or spot.part != "flow":
        return False
    own = [words_in(p, contents) for p in spot.pieces]
    others = [bylines for source, bylines in words.items() if spot.of(source) is None]
    return any(all(2 * (said & bylines).total() > said.total() for said in own) for bylines in others)
