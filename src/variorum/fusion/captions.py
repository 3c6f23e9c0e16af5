"""Captions that stand in the text although their float is known: from another source, or from this one a second time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from variorum.fusion.likeness import Chance, Spot, key_likeness
from variorum.fusion.model import SourceKind
from variorum.fusion.pieces import Piece


def without_captions(
    pieces: Mapping[SourceKind, Sequence[Piece]], floats: Sequence[Spot], chance: Chance
) -> dict[SourceKind, list[Piece]]:
    """Return the pieces of each source without captions of floats that only other sources have, and without paragraphs that
    repeat the caption of a float of their own source.

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
            elif piece.kind != "paragraph" or piece.key.full not in captions:
                kept[source].append(piece)
    return kept


def _is_of(caption: Piece, spot: Spot, chance: Chance) -> bool:
    found, size = max(key_likeness(caption.key, p.key) for p in spot.pieces)
    return found > chance.anywhere("paragraph", "paragraph", size)
