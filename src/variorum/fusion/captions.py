"""Captions that stand in the text although their float is known: from another source, from this one a second time, or torn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from variorum.fusion.likeness import Chance, Spot, key_likeness
from variorum.fusion.model import SourceKind
from variorum.fusion.pieces import Piece, join_keys

_TORN: Final = ("paragraph", "bibliography")


def without_captions(
    pieces: Mapping[SourceKind, Sequence[Piece]], floats: Sequence[Spot], chance: Chance
) -> dict[SourceKind, list[Piece]]:
    """Return the pieces of each source without captions of floats that only other sources have, without paragraphs that repeat
    the caption of a float of their own source, and without the end of a caption that was torn from it.

    Nothing is lost by these: what they say stands with the float.
    """
    kept: dict[SourceKind, list[Piece]] = {}
    for source, own in pieces.items():
        kept[source] = []
        missing = [s for s in floats if s.of(source) is None]
        captions = {p.key.full for s in floats if (p := s.of(source)) and p.key.full}
        for piece in own:
            spot = next((s for s in missing if piece.kind == "caption" and _is_of(piece, s, chance)), None)
            if spot is not None:
                missing.remove(spot)
            elif not (piece.kind == "paragraph" and piece.key.full in captions) and not _is_torn(piece, floats, chance):
                kept[source].append(piece)
    return kept


def _is_torn(piece: Piece, floats: Sequence[Spot], chance: Chance) -> bool:
    """Return whether a text is the end of a caption that its own source has without it, and another source has whole."""
    words = piece.key.full
    if piece.type not in _TORN or not words:
        return False
    for spot in floats:
        own = spot.of(piece.source)
        if own is None or not own.key.full or own.key.full.endswith(words):
            continue
        joined = join_keys([own.key, piece.key], is_formula=False)
        for other in (p for p in spot.pieces if p.source != piece.source and p.key.full.endswith(words)):
            found, size = key_likeness(joined, other.key)
            if found > max(key_likeness(own.key, other.key)[0], chance.anywhere("paragraph", "paragraph", size)):
                return True
    return False


def _is_of(caption: Piece, spot: Spot, chance: Chance) -> bool:
    found, size = max(key_likeness(caption.key, p.key) for p in spot.pieces)
    return found > chance.anywhere("paragraph", "paragraph", size)
