"""Which pages have no text layer that can be read: scans, also those with a stamp or a bad hidden layer, and outlined text.

Every measure is one of the page, or compares the page with the other pages of its paper:

- a page without words that has images (`absent`) or painted shapes (`outlined`: letters drawn as paths);
- a page under whose words lies a picture of more than half the page: the words are a `stamp` when they leave more than half of
  it in one piece, and most of what looks like writing, and the picture goes to the page's edges; a hidden layer is `garbled`
  when its words are no words, are not met again in the paper, or lie where nothing is printed;
- a page whose characters are mostly undecodable, as with a font that does not say what its glyphs mean; or whose words are
  mostly no words and are not those of the rest of the paper (`garbled`).
"""

from __future__ import annotations

import itertools
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import median
from typing import Final, Literal, Protocol

from variorum.geometry import Box, Interval, gaps_between, merge_intervals
from variorum.page.lines import text_rows
from variorum.page.model import PageEvidence, Word
from variorum.page.turning import DOWNWARDS, UPWARDS
from variorum.thresholds import LINES_APART

Kind = Literal["good", "absent", "stamp", "garbled", "outlined"]

_VOWELS: Final = frozenset("aeiouyæøœıαεηιουωаеиоуыэюяєіў")
"""Letters of which every word of Latin, Greek or Cyrillic type has one, without their accents."""
_CASED: Final = ("LATIN", "GREEK", "CYRILLIC")
_UNDECODABLE: Final = frozenset({"Co", "Cn", "Cc", "Cs"})
"""Unicode categories of what is no character: private use, unassigned, control, surrogate."""
_REPLACEMENT: Final = "\ufffd"


@dataclass(frozen=True, slots=True)
class TextLayer:
    """What a page's text layer is worth: its kind, and the reason with its figures.

    `good` is read as it is (a page on which nothing is printed, too); the words of a `stamp` are text, but not the page's;
    of the other kinds there is nothing to be read.
    """

    kind: Kind
    reason: str

    @property
    def is_usable(self) -> bool:
        """Return whether the page can be read without the recognition of its picture."""
        return self.kind == "good"


class PaperWords:
    """The words of all pages of a paper, to see which of them are met again: a text for each page, in order."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._pages = [_terms(text.split()) for text in texts]

    @cached_property
    def _pages_with(self) -> Counter[str]:
        return Counter(itertools.chain.from_iterable(set(terms) for terms in self._pages))

    @cached_property
    def _counts(self) -> Counter[str]:
        return Counter(itertools.chain.from_iterable(self._pages))

    def share_elsewhere(self, page_index: int) -> float | None:
        """Return the share of the page's words that another page has too, from 0 to 1; None without words."""
        terms = self._pages[page_index]
        return sum(self._pages_with[term] > 1 for term in terms) / len(terms) if terms else None

    def usual_share_elsewhere(self, page_index: int) -> float | None:
        """Return the median of `share_elsewhere` over the other pages; None where no other page has words."""
        shares = [self.share_elsewhere(i) for i in range(len(self._pages)) if i != page_index]
        known = [share for share in shares if share is not None]
        return median(known) if known else None

    def met_again(self, page_index: int) -> int:
        """Return how many of the page's words are met a second time, on this page or another."""
        return sum(self._counts[term] > 1 for term in self._pages[page_index])


class LayerFacts(Protocol):
    """What costs more to know of a page than its words and boxes: asked only of a suspect page. Shares are from 0 to 1."""

    def paper_words(self) -> PaperWords:
        """Return the words of all pages of the paper."""

    def hidden_share(self) -> float:
        """Return the share of the page's characters that are not painted."""

    def share_without_ink(self) -> float:
        """Return the share of its words in whose boxes nothing is printed."""

    def share_of_strokes_beside_words(self) -> float:
        """Return the share of its strokes that lie in no word's box."""


def text_layer(page: PageEvidence, facts: LayerFacts) -> TextLayer:
    """Return what the page's text layer is worth."""
    if not page.words:
        return _without_words(page)
    undecodable, characters = _undecodable(page.words)
    if 2 * undecodable > characters:
        return TextLayer("garbled", f"{undecodable} of its {characters} characters cannot be decoded")
    shaped, lettered = _word_shapes(page.words)
    covered = _share_under_images(page)
    if 2 * covered > 1 and 2 * _words_on_images(page) > len(page.words):
        picture = f"a picture covers {covered:.0%} of the page"
        if _images_reach_edges(page) and 2 * (free := _longest_free(page)) > 1:
            beside = facts.share_of_strokes_beside_words()
            if 2 * beside > 1:
                count = f"{len(page.words)} word{'s' if len(page.words) > 1 else ''}"
                return TextLayer("stamp", f"{picture}; {count} leave {free:.0%} of it free, and {beside:.0%} of its strokes")
        if 2 * facts.hidden_share() > 1:
            fault = _fault_of_hidden(page, facts, shaped, lettered)
            if fault:
                return TextLayer("garbled", f"{picture}, and of the hidden text on it {fault}")
    if 2 * shaped < lettered:
        fault = _strangeness(page, facts.paper_words())
        if fault:
            return TextLayer("garbled", f"{lettered - shaped} of {lettered} letters stand in no words, and {fault}")
    return TextLayer("good", f"{len(page.words)} words")


def _without_words(page: PageEvidence) -> TextLayer:
    if page.images:
        return TextLayer("absent", f"no text, and images on {_share_under_images(page):.0%} of the page")
    if page.drawings:
        shapes = f"{len(page.drawings)} painted shape{'s' if len(page.drawings) > 1 else ''}"
        return TextLayer("outlined", f"no text, but {shapes}: letters drawn as outlines, or a picture")
    return TextLayer("good", "nothing is printed on the page")


def _fault_of_hidden(page: PageEvidence, facts: LayerFacts, shaped: int, lettered: int) -> str:
    """Return what is wrong with a hidden layer, or an empty text: any one sign will do, since its picture can be read."""
    if 2 * shaped < lettered:
        return f"{lettered - shaped} of {lettered} letters stand in no words"
    words = facts.paper_words()
    fault = _strangeness(page, words)
    if fault:
        return fault
    again, rows = words.met_again(page.page_index), len(text_rows(w for w in page.words if w.angle == 0))
    if again < rows:
        return f"{again} words in {rows} lines are met again in the paper"
    empty = facts.share_without_ink()
    return f"{empty:.0%} lies where nothing is printed" if 2 * empty > 1 else ""


def _strangeness(page: PageEvidence, paper: PaperWords) -> str:
    """Return in what way the page's words are not those of the paper, or an empty text: less than half as many as usual are met
    on other pages."""
    own, usual = paper.share_elsewhere(page.page_index), paper.usual_share_elsewhere(page.page_index)
    if own is None or usual is None or 2 * own >= usual:
        return ""
    return f"{own:.0%} of its words are met on other pages of the paper, where {usual:.0%} is usual"


def _undecodable(words: Iterable[Word]) -> tuple[int, int]:
    """Return how many characters are no characters, and how many there are."""
    counts = Counter(c == _REPLACEMENT or unicodedata.category(c) in _UNDECODABLE for word in words for c in word.text)
    return counts[True], counts.total()


def _word_shapes(words: Iterable[Word]) -> tuple[int, int]:
    """Return how many letters stand in what is shaped like a word, and how many in all strings with a letter."""
    shaped = lettered = 0
    for word in words:
        text = unicodedata.normalize("NFKC", word.text)
        letters = sum(c.isalpha() for c in text)
        lettered += letters
        shaped += letters if is_word(text) else 0
    return shaped, lettered


def is_word(text: str) -> bool:
    """Return whether a string is shaped like a word of any language: letters (and hyphens, apostrophes) between punctuation, no
    capital behind a small letter, and a vowel in alphabets that have them."""
    core = text.strip("".join({c for c in text if not c.isalnum()}))
    parts = [p for p in "".join("-" if unicodedata.category(c) in ("Pd", "Po", "Pf") else c for c in core).split("-") if p]
    return bool(parts) and all(p.isalpha() for p in parts) and _has_case(parts) and _has_vowel(core)


def _has_case(parts: Sequence[str]) -> bool:
    """Return whether capitals stand where words have them: first, or everywhere in the part."""
    return all(p.isupper() or p[1:] == p[1:].lower() for p in parts)


def _has_vowel(text: str) -> bool:
    plain = [c for c in unicodedata.normalize("NFD", text.lower()) if c.isalpha()]
    return not unicodedata.name(plain[0], "").startswith(_CASED) or any(c in _VOWELS for c in plain)


def _terms(words: Iterable[str]) -> list[str]:
    """Return the words by which pages are compared: small letters, no signs; numbers and single letters left out."""
    bare = ("".join(c for c in unicodedata.normalize("NFKC", word.casefold()) if c.isalnum()) for word in words)
    return [term for term in bare if len(term) > 1 and not term.isnumeric()]


# ---- geometry ---------------------------------------------------------------------------------------------------------


def _share_under_images(page: PageEvidence) -> float:
    """Return the share of the page under its images, each place counted once."""
    boxes = [cut for image in page.images if (cut := image.box.intersection(page.box)) is not None]
    if page.box.area == 0 or 2 * sum(box.area for box in boxes) <= page.box.area:
        return sum(box.area for box in boxes) / page.box.area if page.box.area else 0.0
    edges = sorted({y for box in boxes for y in (box.y0, box.y1)})
    area = 0.0
    for top, bottom in itertools.pairwise(edges):
        across = merge_intervals(box.x_interval for box in boxes if box.y0 <= top and bottom <= box.y1)
        area += (bottom - top) * sum(part.length for part in across)
    return area / page.box.area


def _words_on_images(page: PageEvidence) -> int:
    return sum(any(image.box.contains_centre_of(word.box) for image in page.images) for word in page.words)


def _images_reach_edges(page: PageEvidence) -> bool:
    """Return whether the images go to the edges of the page on two opposite sides, but for two lines: a scan does, a figure
    stands within margins."""
    hull = Box.around(image.box for image in page.images)
    margin = LINES_APART * median(min(w.box.width, w.box.height) for w in page.words)
    across = hull.x0 <= margin and page.width - hull.x1 <= margin
    return across or (hull.y0 <= margin and page.height - hull.y1 <= margin)


def _longest_free(page: PageEvidence) -> float:
    """Return the longest stretch without a word as a share of the page: of its height between level lines, or of its width
    between sideways ones, whichever is less."""
    sideways = [w.box.x_interval for w in page.words if w.angle in (UPWARDS, DOWNWARDS)]
    level = [w.box.y_interval for w in page.words if w.angle not in (UPWARDS, DOWNWARDS)]
    return min(_longest_gap(level, page.height) / page.height, _longest_gap(sideways, page.width) / page.width)


def _longest_gap(extents: Sequence[Interval], length: float) -> float:
    edges = [Interval(0, 0), *extents, Interval(length, length)]
    return max(gap.length for gap in gaps_between(edges))
