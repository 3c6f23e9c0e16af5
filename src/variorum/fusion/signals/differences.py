"""Where the readings of a position differ: what a sign of damage is measured against.

A reading is a sequence of items: the words of a text, the filled cells of a table row by row. An item is *contested* when at
least one other reading has it not. Signs of damage count among what is contested: what all sources share tells them not apart.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from variorum.fusion._rapidfuzz import differences as differing
from variorum.fusion.evidence import Evidence, SourceIndex
from variorum.fusion.model import Position, Reading, SourceKind
from variorum.fusion.pieces import fold
from variorum.thresholds import SHOWN_CHARACTERS

Stretch = tuple[int, int, int, int]
"""(start, end) of items in the own reading, (start, end) in the other."""
_SIGNS = re.compile(r"[^\w%+<>=±]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Items:
    """What a reading consists of: the items as written, and folded as they are compared."""

    raw: tuple[str, ...]
    keys: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Differences:
    """The items of a reading, those of the others, and where each of these differs from it."""

    own: Items
    others: tuple[tuple[SourceKind, Items, tuple[Stretch, ...]], ...]

    def contested(self) -> list[int]:
        """Return which own items some other reading lacks, by index; all of them where there is no other reading."""
        if not self.others:
            return list(range(len(self.own.raw)))
        return sorted({i for _, _, stretches in self.others for start, end, _, _ in stretches for i in range(start, end)})

    def lacked(self) -> int:
        """Return how many items another reading has beyond the own one, the most of any."""
        return max((sum(max(0, j1 - j0 - (i1 - i0)) for i0, i1, j0, j1 in s) for _, _, s in self.others), default=0)


def items_of(position: Position, reading: Reading, index: SourceIndex) -> Items:
    """Return the items of a reading: filled cells of a table, row by row, else words."""
    if position.type == "table":
        cells = [c.text for table in index.tables_of(reading) for c in table.cells if c.text.strip()]
        return Items(raw=tuple(cells), keys=tuple(map(cell_key, cells)))
    words = [(word, key) for word in index.said(position, reading).split() if (key := word_key(word))]
    return Items(raw=tuple(word for word, _ in words), keys=tuple(key for _, key in words))


def differences_of(evidence: Evidence) -> Differences:
    """Return how a reading differs from the others at its position."""
    position = evidence.position
    own = items_of(position, evidence.reading, evidence.index)
    others = []
    for index, reading in evidence.others():
        items = items_of(position, reading, index)
        stretches = () if items.keys == own.keys else tuple(differing(own.keys, items.keys))
        others.append((reading.source, items, stretches))
    return Differences(own=own, others=tuple(others))


def cell_key(text: str) -> str:
    """Return the text of a cell as it is compared: folded, without spaces and the signs that sources set in different ways."""
    return _folded(text) or "".join(text.split())


def word_key(word: str) -> str:
    """Return a word as it is compared: folded, without punctuation; empty for a sign that is none of a word."""
    return _folded(word)


def is_phrase(keys: Sequence[str]) -> bool:
    """Return whether two words of letters, of more than one letter each, stand beside each other among the keys."""
    runs = groupby(keys, lambda key: len(key) > 1 and key.isalpha())
    return any(is_word and len(list(run)) > 1 for is_word, run in runs)


def _folded(text: str) -> str:
    return _SIGNS.sub("", unicodedata.normalize("NFC", fold(text)).replace("−", "-").replace("_", ""))


def listed(texts: Sequence[str]) -> str:
    """Return the first of some texts, quoted, for a reason, and that there are more."""
    different = list(dict.fromkeys(" ".join(text.split()) for text in texts))
    first = different[0] if different else ""
    shown = first if len(first) < SHOWN_CHARACTERS else first[: SHOWN_CHARACTERS - 1] + "…"
    return f"“{shown}”" + (f" and {len(different) - 1} more" if len(different) > 1 else "")
