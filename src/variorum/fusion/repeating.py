"""Texts that say once more what stands elsewhere in the fused paper: the notes of a table, the title of their own source.

Sources part a float and the text around it differently. What one has as a note below a table, another has as a paragraph or
as a footnote of the page; in the fused paper it stands with the table alone, which borrows the notes that its winner lacks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Final

from variorum.fusion.likeness import Chance, key_likeness
from variorum.fusion.model import Source, SourceKind
from variorum.fusion.pieces import Key, Piece, words_of

Reasons = Mapping[tuple[SourceKind, str], str]
"""Why a component of a source, by its id, is no reading of the text."""

_NOTE: Final = "stands below a table as its note"
_TITLE: Final = "repeats the title"
_TOO_FEW: Final = 2


def repeated(sources: Sequence[Source], pieces: Mapping[SourceKind, Sequence[Piece]], chance: Chance) -> Reasons:
    """Return the texts that repeat a note of a table of any source, or the title of their own source, with the reason.

    `pieces` are those of each source in its order. Nothing is lost by leaving these out.
    """
    notes = _notes(sources)
    pairs = frozenset(pair for note in notes for pair in pairwise(note))
    keys = [Key(words, words) for words in map("".join, notes)]
    said = {(s.kind, c.id): tuple(words_of(c.text)) for s in sources for c in s.document.components} if notes else {}
    found: dict[tuple[SourceKind, str], str] = {}
    for source, own in pieces.items():
        titles = {p.key.full for p in own if p.kind == "title" and p.key.full}
        for piece in (p for p in own if p.type == "paragraph" and p.kind != "byline"):
            words = said.get((source, piece.components[0]), ())
            if piece.key.full in titles:
                reason = _TITLE
            elif _is_part(words, pairs) or _is_one_of("".join(words), keys, chance):
                reason = _NOTE
            else:
                continue
            found |= {(source, name): reason for name in piece.components}
    return found


def without_repeated(pieces: Mapping[SourceKind, Sequence[Piece]], reasons: Reasons) -> dict[SourceKind, list[Piece]]:
    """Return the pieces of each source without those that are named."""

    def is_named(piece: Piece) -> bool:
        return any((piece.source, name) in reasons for name in piece.components)

    return {source: [p for p in own if not is_named(p)] for source, own in pieces.items()}


def added_notes(own: Sequence[str], others: Sequence[str]) -> list[str]:
    """Return the notes of another reading of a table that this one lacks: most of their words are in none of its own."""
    known = {word for note in own for word in words_of(note)}
    return [n for n in others if (words := words_of(n)) and 2 * sum(w in known for w in words) <= len(words)]


def _notes(sources: Sequence[Source]) -> list[tuple[str, ...]]:
    """Return the words of the notes of all tables, of each alone, and of those of a table in one."""
    found: dict[tuple[str, ...], None] = {}
    for source in sources:
        for table in source.document.tables:
            for text in (*table.footnotes, " ".join(table.footnotes)):
                found[tuple(words_of(text))] = None
    return [words for words in found if words]


def _is_part(words: Sequence[str], pairs: frozenset[tuple[str, str]]) -> bool:
    """Return whether most pairs of neighbouring words of a text stand in notes: a part of one, as a break of the page makes."""
    own = frozenset(pairwise(words))
    return len(own) >= _TOO_FEW and 2 * len(own & pairs) > len(own)


def _is_one_of(words: str, notes: Sequence[Key], chance: Chance) -> bool:
    """Return whether a text of these words is nearer to a note than different texts of the paper are to each other."""
    text = Key(words, words)
    for note in notes if words else ():
        least = chance.anywhere("paragraph", "paragraph", len(words) + len(note.full))
        if key_likeness(text, note, least)[0] > least:
            return True
    return False
