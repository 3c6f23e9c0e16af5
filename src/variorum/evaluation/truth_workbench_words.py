"""The words of a true table held against those that stand on the page inside its box, in both directions.

White space, ligatures, dashes, quotes and look-alike signs decide nothing (`normalise_loosely`). Every piece of the page's text
counts once: a number that stands twice in the cells must stand twice on the page.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from variorum.evaluation.normalising import normalise_loosely
from variorum.evaluation.truth_text import TruthPlace, TruthText
from variorum.page.lines import segments, text_rows, word_space
from variorum.page.model import PageEvidence, Word
from variorum.page.turning import turned, upright

_USED = "\0"
"""Stands in a piece of the page's text where a cell has taken its words; no word has it."""


@dataclass(frozen=True, slots=True)
class WordReport:
    """What does not fit: (row, column, word) of words of the cells that are not on the page (rows from 0, header rows first),
    and pieces of the page's text inside the box that stand in no cell, in reading order. `has_text` is False where the page
    has no text inside the box, so that nothing can be said."""

    missing: tuple[tuple[int, int, str], ...] = ()
    left_over: tuple[str, ...] = ()
    has_text: bool = True


def compare_words(truth: TruthText, page_at: Callable[[int], PageEvidence]) -> WordReport:
    """Return what differs between the cells and the page; `page_at` gives the evidence of a page by its number from 1.

    The caption and the notes may stand inside the box or outside; header cells may be repeated where the table goes on.
    Accepted words are left out of both lists.
    """
    page = _Pieces([piece for place in truth.places for piece in pieces_in(place, page_at(place.page))])
    if not page.pieces:
        return WordReport(has_text=False)
    table = truth.table
    missing = list(_take(page, [(c.row, c.col, c.text) for c in table.cells()]))
    heads = [c.text for c in table.cells() if c.row < len(table.header_rows)] * len(truth.continues)
    for text in (table.caption, *(table.footnotes or ()), *heads):  # these need not stand inside the box
        page.take_pieces(normalise_loosely(text))
    accepted = {normalise_loosely(word) for word in truth.accepted}
    return WordReport(
        missing=tuple(sorted(item for item in missing if normalise_loosely(item[2]) not in accepted)),
        left_over=tuple(text for text in page.left_over([c.text for c in table.cells()]) if text not in accepted),
    )


def pieces_in(place: TruthPlace, page: PageEvidence) -> list[str]:
    """Return the text in a box of the page, line by line, cut where white space is wider than between words; normalised.

    The direction of the text is that of most words in the box.
    """
    inside = [w for w in page.words if w.is_visible and place.bbox.contains_centre_of(w.box)]
    if not inside:
        return []
    angle = max(sorted({w.angle for w in inside}), key=[w.angle for w in inside].count)
    others = [normalise_loosely(w.text) for w in inside if w.angle != angle]
    return [*filter(None, map(normalise_loosely, _lines_of(place, page, angle))), *filter(None, others)]


def _lines_of(place: TruthPlace, page: PageEvidence, angle: int) -> Iterator[str]:
    view = turned(page, angle) if angle else page
    box = upright(place.bbox, angle, page.width, page.height)
    words: list[Word] = [w for w in view.words if w.angle == 0 and w.is_visible] if not angle else list(view.words)
    rows = text_rows([w for w in words if box.contains_centre_of(w.box)])
    space = word_space(rows)
    for row in rows:
        yield from (s.text for s in segments(row, space)) if space is not None else (w.text for w in row.words)


@dataclass(slots=True)
class _Pieces:
    """The page's text in pieces, from which words are taken; `whole` are the pieces as they were."""

    pieces: list[str]
    whole: tuple[str, ...] = field(init=False)

    def __post_init__(self) -> None:
        self.whole = tuple(self.pieces)

    def take(self, text: str) -> bool:
        """Return whether the text stood somewhere; it is taken from the shortest piece that has it."""
        holders = [i for i, piece in enumerate(self.pieces) if text in piece]
        if not holders:
            return False
        i = min(holders, key=lambda i: len(self.pieces[i]))
        self.pieces[i] = self.pieces[i].replace(text, _USED, 1)
        return True

    def take_divided(self, text: str) -> bool:
        """Return whether the text stood divided at a line's end, behind a hyphen that it has or has not itself."""
        for at in range(1, len(text)):
            head = text[:at] if text[at - 1] == "-" else f"{text[:at]}-"
            first = next((i for i, piece in enumerate(self.pieces) if piece.endswith(head)), None)
            second = next((i for i, piece in enumerate(self.pieces) if i != first and piece.startswith(text[at:])), None)
            if first is not None and second is not None:
                self.pieces[first] = self.pieces[first].removesuffix(head) + _USED
                self.pieces[second] = _USED + self.pieces[second].removeprefix(text[at:])
                return True
        return False

    def take_pieces(self, text: str) -> None:
        """Take pieces as a whole, in their order, where they are the text from beginning to end; else none."""
        taken: list[int] = []
        for i, piece in enumerate(self.pieces):
            part = piece if text.startswith(piece) else piece.removesuffix("-")  # a word that was divided there
            if part and text.startswith(part):
                taken.append(i)
                text = text.removeprefix(part)
            if not text:
                break
        if not text:
            for i in taken:
                self.pieces[i] = _USED

    def left_over(self, cells: Iterable[str]) -> Iterator[str]:
        """Yield what was taken by nobody and has a letter or digit; a part of a cell that was matched otherwise is none."""
        texts = [normalise_loosely(text) for text in cells]
        words = Counter(normalise_loosely(word) for text in cells for word in text.split())
        for piece in self.pieces:
            for rest in piece.split(_USED):
                if any(sign.isalnum() for sign in rest) and (rest in words or not any(rest in text for text in texts)):
                    yield rest


def _take(page: _Pieces, cells: Sequence[tuple[int, int, str]]) -> Iterator[tuple[int, int, str]]:
    """Take the texts from the page, whole ones first, long before short ones; yield each word that is not there."""
    whole = [(row, col, text, normalise_loosely(text)) for row, col, text in cells]
    words = []
    for row, col, text, clean in sorted(whole, key=lambda item: -len(item[3])):
        if clean and not page.take(clean):
            words += [(row, col, word, normalise_loosely(word)) for word in text.split()]
    for row, col, word, clean in sorted(words, key=lambda item: -len(item[3])):
        if not clean or page.take(clean) or page.take_divided(clean):
            continue
        if clean not in page.whole and any(clean in piece for piece in page.whole):
            continue  # a part of a longer piece, of which another cell has taken a sign
        yield row, col, word
