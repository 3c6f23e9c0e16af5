"""Lines of writing: words that stand side by side on one baseline, and the segments that white space cuts a line into.

Two words share a line when their bands of writing overlap by half of the lower one: exponents and indices stay with
their line, the next line does not. Larger type is placed first, so that small type joins the line it belongs to and
never the other way round.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Final

from variorum.geometry import Box, Interval
from variorum.page.model import Rule, Word
from variorum.thresholds import WORD_SPACE_LIMIT_EM, WORD_SPACES_IN_BRACKETS, WORD_SPACES_PER_GAP

_BRACKETS: Final = {"(": ")", "[": "]", "{": "}"}


@dataclass(frozen=True, slots=True)
class TextRow:
    """One line of writing: its words from left to right, the y extent of its main words, the box around all, in points."""

    words: tuple[Word, ...]
    band: Interval
    box: Box = field(init=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "box", Box.around(w.box for w in self.words))

    @property
    def text(self) -> str:
        """Return the words joined by spaces."""
        return " ".join(w.text for w in self.words)


@dataclass(frozen=True, slots=True)
class Segment:
    """Neighbouring words of one line with nothing but word spaces between them: the smallest piece that can be a cell's line.

    `box` is the box around the words, in points.
    """

    words: tuple[Word, ...]
    box: Box = field(init=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "box", Box.around(w.box for w in self.words))

    @property
    def text(self) -> str:
        """Return the words joined by spaces."""
        return " ".join(w.text for w in self.words)


def text_rows(words: Iterable[Word]) -> tuple[TextRow, ...]:
    """Return the lines of writing of upright words, from top to bottom, each from left to right."""
    rows: list[tuple[Interval, list[Word]]] = []
    tops: list[tuple[float, int]] = []  # where each row begins and its index, sorted: only rows near a word are compared to it
    tallest = 0.0
    for word in sorted(words, key=lambda w: (-w.size, w.baseline, w.box.x0, w.text)):
        band = word.box.y_interval
        near = tops[bisect_left(tops, (band.start - tallest, 0)) : bisect_right(tops, (band.end, len(rows)))]
        best: tuple[float, int] | None = None
        for i in sorted(i for _, i in near):
            other = rows[i][0]
            shared = other.overlap(band)
            if shared * 2 > min(band.length, other.length) and (best is None or shared > best[0]):
                best = (shared, i)
        if best is None:
            insort(tops, (band.start, len(rows)))
            tallest = max(tallest, band.length)
            rows.append((band, [word]))
        else:
            rows[best[1]][1].append(word)
    rows.sort(key=lambda r: (r[0].start, r[0].end))
    return tuple(TextRow(tuple(sorted(ws, key=lambda w: (w.box.x0, w.box.x1, w.text))), band) for band, ws in rows)


def word_space(rows: Iterable[TextRow]) -> float | None:
    """Return the usual space between words in em (share of the font size): the median of gaps below an em; None without any."""
    gaps = [
        gap / right.size
        for row in rows
        for left, right in zip(row.words, row.words[1:], strict=False)
        if 0 < (gap := right.box.x0 - left.box.x1) < right.size * WORD_SPACE_LIMIT_EM
    ]
    return median(gaps) if gaps else None


def segments(row: TextRow, space_em: float, verticals: Sequence[Rule] = ()) -> tuple[Segment, ...]:
    """Return the row's segments from left to right: cut where the gap is more than twice the usual word space (in em).

    Between a bracket and the one that closes it twice as much is still a space: signs and fractions of a formula keep their
    distance, and a cell seldom ends with a bracket open. A vertical rule that runs through the gap at the row's height cuts
    however narrow the gap is.
    """
    parts: list[list[Word]] = []
    beside = [r for r in verticals if r.start <= row.band.middle <= r.end]
    bracketed = _inside_brackets([word.text for word in row.words])
    for i, word in enumerate(row.words):
        last = parts[-1][-1] if parts else None
        limit = space_em * (WORD_SPACES_IN_BRACKETS if i in bracketed else WORD_SPACES_PER_GAP)
        if (
            last is not None
            and word.box.x0 - last.box.x1 <= limit * max(word.size, last.size)
            and not _ruled_apart(last, word, beside)
        ):
            parts[-1].append(word)
        else:
            parts.append([word])
    return tuple(Segment(tuple(p)) for p in parts)


def _inside_brackets(texts: Sequence[str]) -> set[int]:
    """Return the indices of the texts before which a bracket is open that a later one closes."""
    opened: list[tuple[str, int]] = []
    inside: set[int] = set()
    for i, text in enumerate(texts):
        for sign in text:
            if sign in _BRACKETS:
                opened.append((_BRACKETS[sign], i))
            elif opened and sign == opened[-1][0]:
                inside.update(range(opened.pop()[1] + 1, i + 1))
    return inside


def _ruled_apart(left: Word, right: Word, verticals: Sequence[Rule]) -> bool:
    low, high = sorted((left.box.x1, right.box.x0))
    return any(low - r.thickness <= r.position <= high + r.thickness for r in verticals)


def join_words(words: Sequence[Word], space_em: float) -> str:
    """Return the text of words of one line: a space wherever the PDF leaves half a word space or more."""
    out: list[str] = []
    for i, word in enumerate(words):
        if i and (word.box.x0 - words[i - 1].box.x1) * 2 >= space_em * min(word.size, words[i - 1].size):
            out.append(" ")
        out.append(word.text)
    return "".join(out)
