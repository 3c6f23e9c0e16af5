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

    With them go texts at the front that only one source has, most of whose words are in the bylines of another, and those that
    were found the same as the only bylines of a source.
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
    piece = spot.pieces[0]
    if len(spot.pieces) > 1 or any((piece.source, name) not in contents for name in piece.components):
        return False
    own = words_in(piece, contents)
    return piece.part == "flow" and any(
        2 * (own & others).total() > own.total() for source, others in words.items() if source != piece.source
    )
