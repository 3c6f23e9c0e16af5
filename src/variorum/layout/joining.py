"""Lines of print joined to running text: words that a line end has cut are mended.

A hyphen at a line's end is the typesetter's or the word's own. The paper's other words decide: the whole word stands elsewhere
without a hyphen, or with it; both halves are words of the paper by themselves and the whole is not; else the hyphen is taken
for the typesetter's when a small letter follows. Addresses of the web that a line's end breaks get no space and keep each sign.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from variorum.layout.model import PaperPrint, PrintLine

_HYPHENS: Final = "-\u2010\u00ad"
_TRIM: Final = ".,;:!?()[]{}\"'“”‘’«»"
_ADDRESS: Final = re.compile(r"(?:https?:|www\.|doi:|\b10\.\d{4,}/|\w+@)\S*$", re.IGNORECASE)
_ADDRESS_BREAKS: Final = "/._-=?&%#~:"
_WORD_AT_START: Final = re.compile(r"[^\W\d_]+(?:[-\u2010][^\W\d_]+)*")


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The words of a paper, in small letters without punctuation, with how often each stands inside a line."""

    counts: Counter[str]

    def has(self, word: str) -> bool:
        """Return whether the word stands somewhere in the paper, not cut by a line's end."""
        return self.counts[word.casefold()] > 0


def vocabulary_of(paper: PaperPrint) -> Vocabulary:
    """Return the words of the paper; those that a hyphen at a line's end cuts, and what follows them, are left out."""
    counts: Counter[str] = Counter()
    for page in paper.pages:
        is_cut = False
        for line in page.lines:
            words = line.plain.split()
            for i, word in enumerate(words):
                if (i == 0 and is_cut) or (i == len(words) - 1 and word[-1] in _HYPHENS):
                    continue
                bare = word.strip(_TRIM).casefold().replace("\u2010", "-")
                counts[bare] += 1
                for part in bare.split("-") if "-" in bare else ():
                    counts[part.strip(_TRIM)] += 1
            is_cut = bool(words) and words[-1][-1] in _HYPHENS
    del counts[""]
    return Vocabulary(counts)


def join_lines(lines: Sequence[PrintLine], vocabulary: Vocabulary) -> str:
    """Return the text of lines that follow each other, with hyphens at their ends mended."""
    return join_texts([line.text for line in lines], vocabulary)


def join_texts(texts: Iterable[str], vocabulary: Vocabulary) -> str:
    """Return texts of lines that follow each other as one; empty ones are left out."""
    out = ""
    for text in texts:
        if not text:
            continue
        out = text if not out else _joined(out, text, vocabulary)
    return out


def _joined(before: str, after: str, vocabulary: Vocabulary) -> str:
    address = _ADDRESS.search(before)
    if address and before[-1] in _ADDRESS_BREAKS and not after[:1].isspace() and _goes_on(after):
        return before + after
    if before[-1] not in _HYPHENS or len(before) < 2 or not before[-2].isalpha():
        return f"{before} {after}"
    head = re.search(r"[^\W\d_]+(?:[-\u2010][^\W\d_]+)*$", before[:-1])
    tail = _WORD_AT_START.match(after)
    if head is None or tail is None:
        return before + after if not after[:1].isspace() else before + after.lstrip()
    return before[:-1] + after if _is_cut_word(head[0], tail[0], vocabulary) else before.rstrip("\u00ad") + after


def _goes_on(after: str) -> bool:
    """Return whether a line begins with what an address can hold, not with a word of the sentence."""
    first = after.split(maxsplit=1)[0]
    return any(c in _ADDRESS_BREAKS or c.isdigit() for c in first.strip(_TRIM)) or len(after.split()) == 1


def _is_cut_word(head: str, tail: str, vocabulary: Vocabulary) -> bool:
    """Return whether the hyphen between the halves is the typesetter's and no part of the word."""
    last, first = head.casefold().replace("\u2010", "-"), tail.casefold().replace("\u2010", "-")
    whole, hyphened = vocabulary.counts[last + first], vocabulary.counts[f"{last}-{first}"]
    if whole or hyphened:
        return whole >= hyphened
    if tail[:1].isupper() and not (head.isupper() and tail.isupper()):
        return False
    left, right = last.rsplit("-", 1)[-1], first.split("-", 1)[0]
    if not (vocabulary.has(left) and vocabulary.has(right)):
        return True
    return "-" not in last and vocabulary.has(left + right)
