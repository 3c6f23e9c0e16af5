"""Which tables and figures are the same: by kind, number, caption and content, wherever they stand.

A pair needs a reason: the same printed number, a caption that is alike, or content that is mostly the same. The sum of these
decides among several, so that a caption and what is in the float outweigh a number that is counted otherwise. At last comes
the place: where two sources have as many floats of a kind between two that are known, and nothing speaks against it. A float
that one source holds for a table and another for a figure is found by its caption.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from variorum.document import Figure, Table
from variorum.fusion._rapidfuzz import ratio
from variorum.fusion.contents import Contents, common_words
from variorum.fusion.leftovers import Pair, only_best
from variorum.fusion.likeness import Chance, Spot, likeness
from variorum.fusion.model import Source
from variorum.fusion.pieces import Key, Piece, bare_number, keys_of_captions, words_of


def float_pieces(source: Source) -> list[Piece]:
    """Return a piece for each float of a source, tables first; its key is that of the caption."""
    keys = keys_of_captions(source.document)

    def piece(kind: str, item: Table | Figure) -> Piece:
        empty = Key("", "")
        words = "".join(words_of(item.caption.text)) if item.caption else ""
        return Piece(
            source=source.kind,
            components=(item.id,),
            kind=kind,
            part="float",
            type="table" if kind == "table" else "figure",
            key=keys.get(item.id) or (Key(words, words) if words else empty),
            features=frozenset(),
            number=bare_number(item.number),
        )

    document = source.document
    return [*(piece("table", t) for t in document.tables), *(piece("figure", f) for f in document.figures)]


def pair_floats(left: Sequence[Spot], right: Sequence[Spot], chance: Chance, contents: Contents) -> list[Pair]:
    """Return pairs of indices of floats that are the same; `left` and `right` in the order of the paper.

    `chance` is that of the paper's paragraphs, with which captions are judged.
    """
    scores: dict[Pair, float] = {}
    for i, one in enumerate(left):
        for j, other in enumerate(right):
            score = _score(one, other, chance, contents)
            if score is not None:
                scores[i, j] = score
    pairs: list[Pair] = []
    while found := only_best(scores):
        pairs += found
        done_left, done_right = {i for i, _ in pairs}, {j for _, j in pairs}
        scores = {(i, j): score for (i, j), score in scores.items() if i not in done_left and j not in done_right}
    return sorted(pairs + _by_place(left, right, pairs, scores))


def _score(one: Spot, other: Spot, chance: Chance, contents: Contents) -> float | None:
    """Return the sum of what speaks for two floats being the same, None where nothing does or the captions speak against it."""
    caption, size = likeness(one, other)
    if one.type != other.type:
        return caption if caption > chance.anywhere("paragraph", "heading", size) else None
    number = 1 if _numbers(one) & _numbers(other) else 0
    is_against = _has_caption(one) and _has_caption(other) and caption <= chance.of("paragraph", size)
    if is_against and not (number and _is_cut_short(one, other, chance)):
        return None
    is_told = number > 0 or caption > chance.anywhere("paragraph", "paragraph", size)
    if not is_told and _contradict(one, other):
        return None
    content = max(common_words(first, second, contents) for first in one.pieces for second in other.pieces)
    return number + caption + content if is_told or 2 * content > 1 else None


def _is_cut_short(one: Spot, other: Spot, chance: Chance) -> bool:
    """Return whether one caption is the label alone, or the beginning of the other: a source lost the rest of it."""
    if any(map(_is_label, (*one.pieces, *other.pieces))):
        return True
    for first in one.pieces:
        for second in other.pieces:
            short, long = sorted((first.key.full, second.key.full), key=len)
            if short and ratio()(short, long[: len(short)], 0.0) > chance.of("paragraph", len(short) + len(short)):
                return True
    return False


def _is_label(piece: Piece) -> bool:
    """Return whether a caption says no more than what is numbered: ``Table II``, ``Fig. 3``."""
    said = piece.key.full.rstrip(".:")
    name = said.removesuffix(piece.number)
    return bool(piece.number and name) and name != said and piece.kind.startswith(name.rstrip("."))


def _by_place(left: Sequence[Spot], right: Sequence[Spot], known: Sequence[Pair], scores: Mapping[Pair, float]) -> list[Pair]:
    """Return pairs, in order, of floats of which there are as many of a kind between the same known ones on both sides.

    They must be equally good for each other, or have nothing that could be compared.
    """
    found = []
    for kind in ("table", "figure"):
        gaps_left = _gaps(left, [i for i, _ in known], kind)
        gaps_right = _gaps(right, [j for _, j in known], kind)
        partner = dict(known) | {-1: -1, len(left): len(right)}
        for (before, after), own in gaps_left.items():
            others = gaps_right.get((partner[before], partner[after]), [])
            pairs = list(zip(own, others, strict=False))
            if len(own) == len(others) and all(p in scores or not _contradict(left[p[0]], right[p[1]]) for p in pairs):
                found += pairs
    return found


def _gaps(spots: Sequence[Spot], known: Sequence[int], kind: str) -> dict[tuple[int, int], list[int]]:
    """Return the unknown floats of a kind by the known ones of this kind around them; -1 and the length are the ends."""
    own = sorted(i for i in known if spots[i].type == kind)
    gaps: dict[tuple[int, int], list[int]] = {}
    for i, spot in enumerate(spots):
        if spot.type == kind and i not in known:
            before = max((k for k in own if k < i), default=-1)
            after = min((k for k in own if k > i), default=len(spots))
            gaps.setdefault((before, after), []).append(i)
    return gaps


def _numbers(spot: Spot) -> set[str]:
    return {p.number for p in spot.pieces if p.number}


def _has_caption(spot: Spot) -> bool:
    return any(p.key.full for p in spot.pieces)


def _contradict(one: Spot, other: Spot) -> bool:
    """Return whether both have numbers, or both captions: these were compared before, and not found the same."""
    return bool(_numbers(one) and _numbers(other)) or (_has_caption(one) and _has_caption(other))
