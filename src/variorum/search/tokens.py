"""Where the tokens of a text end: what chunks are measured with, by the model's own tokenizer or by a careful estimate."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from typing import Final, Protocol

_LETTERS_A_TOKEN: Final = 3
"""Word pieces of English average more than four letters; names, formulas and other languages have shorter ones."""
_RUN: Final = re.compile(r"[^\W\d_]+|\S")
_NO_SPACES: Final = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]")


class Tokenizer(Protocol):
    """Something that says where the tokens of a text end."""

    @property
    def name(self) -> str:
        """What the tokens are counted by, for the manifest."""
        ...

    def token_ends(self, text: str) -> list[int]:
        """Return for each token, in order, how many characters of the text stand before its end; without special tokens."""
        ...


class EstimatedTokens:
    """Tokens as they may be counted without a model: a word has one for every three letters begun, every other sign is one.

    For English this counts about a third more than the word pieces of BERT do, so that chunks come out shorter than allowed,
    never longer by much; signs of scripts that put no spaces between words count one each.
    """

    name = "estimate-1"

    def token_ends(self, text: str) -> list[int]:
        """Return the ends of the estimated tokens."""
        ends: list[int] = []
        for match in _RUN.finditer(text):
            step = 1 if _NO_SPACES.match(match[0]) else _LETTERS_A_TOKEN
            ends += range(match.start() + step, match.end(), step)
            ends.append(match.end())
        return ends


@dataclass(frozen=True, slots=True)
class MeasuredText:
    """A text with the ends of its tokens, so that any stretch of it can be counted."""

    text: str
    ends: tuple[int, ...]

    @classmethod
    def of(cls, text: str, tokenizer: Tokenizer) -> MeasuredText:
        """Return the text, measured."""
        return cls(text, tuple(tokenizer.token_ends(text)))

    def tokens(self, start: int, end: int) -> int:
        """Return how many tokens a stretch has; one that is cut counts where it ends."""
        return bisect_right(self.ends, end) - bisect_right(self.ends, start)

    def reach(self, start: int, tokens: int) -> int:
        """Return the furthest end of a stretch from `start` that has at most so many tokens: the last whole word that fits, or
        where one word is longer, as much of it as fits; at least one character."""
        last = bisect_right(self.ends, start) + tokens
        if last >= len(self.ends):
            return len(self.text)
        limit = max(self.ends[last - 1], start + 1)
        while limit < self.ends[last] and self.text[limit].isspace():
            limit += 1  # white space belongs to what stands before it
        if self.text[limit - 1].isspace():
            return limit
        space = max((i for i in range(start, limit) if self.text[i].isspace()), default=-1)
        return space + 1 if space > start else limit


def shortened(text: str, tokens: int, tokenizer: Tokenizer) -> str:
    """Return as many whole words from the beginning of a text as have at most so many tokens."""
    measured = MeasuredText.of(text, tokenizer)
    return text if len(measured.ends) <= tokens else text[: measured.reach(0, tokens)].rstrip()
