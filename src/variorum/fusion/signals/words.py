"""Signs of damage in words: characters that are none, TeX left in the text, words run together or cut at line ends."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Final

from variorum.fusion.evidence import Evidence
from variorum.fusion.signals.differences import Differences, listed, word_key
from variorum.fusion.signals.kinds import Finding

_NO_CHARACTER: Final = re.compile("\\(cid:\\d+\\)|\ufffd|[\ue000-\uf8ff]|[\x00-\x08\x0e-\x1f]")
_TEX: Final = re.compile(
    r"\\[A-Za-z]{2,}|\\[A-Za-z](?=[\s{\\]|$)|\\[%&_#$]|\$[A-Za-z\\{(]|[A-Za-z})]\$|\}\{|(?<=\S)~(?=\S)|\\\\|[{}]\\"
)
_LINE_END: Final = re.compile(r"[^\W\d_]{2,}[-\u00ad\u2010]$")


def missing_characters(evidence: Evidence, found: Differences) -> Finding | None:
    """Return the share of what is contested that holds characters that are none: ``(cid:12)``, U+FFFD, private use."""
    return _marked(found, lambda item: _NO_CHARACTER.search(item) is not None, "hold characters that are none")


def leftover_tex(evidence: Evidence, found: Differences) -> Finding | None:
    """Return the share of what is contested that is TeX in a readable text."""
    kinds = {component.kind for component in evidence.index.texts_of(evidence.reading)}
    if kinds == {"code"}:
        return None
    return _marked(found, lambda item: _TEX.search(item) is not None, "are TeX")


def joined_words(evidence: Evidence, found: Differences) -> Finding | None:
    """Return the share of what is contested that is several words of another reading run together, as no reading has it."""
    runs: set[str] = set()
    known: set[str] = set()
    for _, items, stretches in found.others:
        known |= set(items.keys)
        for _, _, start, end in stretches:
            runs |= _runs(items.keys[start:end], _longest(found))
    odd = runs - known
    return _marked(found, lambda item: word_key(item) in odd, "are words run together") if odd else None


def broken_words(evidence: Evidence, found: Differences) -> Finding | None:
    """Return the share of what is contested that is a word cut at the end of a line: its beginning with a hyphen, and its rest.

    Where there are other readings, one of them must have the word whole.
    """
    whole = {items.keys[j] for _, items, s in found.others for _, _, start, end in s for j in range(start, end)}
    own = found.own
    contested = set(found.contested())
    bad: list[int] = []
    for i, (first, second) in enumerate(pairwise(own.raw)):
        if not _LINE_END.search(first) or not second[:1].islower():
            continue
        if not found.others or own.keys[i] + own.keys[i + 1] in whole:
            bad += [i, i + 1]
    return _share(found, [i for i in dict.fromkeys(bad) if i in contested], "are words cut at the end of a line")


def _runs(keys: Sequence[str], longest: int) -> set[str]:
    """Return what neighbouring words of letters give when they are run together, up to a length."""
    found: set[str] = set()
    for i, first in enumerate(keys):
        run = first
        for following in keys[i + 1 :]:
            run += following
            if len(run) > longest or not run.isalpha():
                break
            found.add(run)
    return found


def _longest(found: Differences) -> int:
    return max((len(found.own.keys[i]) for i in found.contested()), default=0)


def _marked(found: Differences, is_bad: Callable[[str], bool], what: str) -> Finding | None:
    """Return the share of the contested items that are bad; a bad one that no other reading writes so is contested, too."""
    elsewhere = {item for _, items, _ in found.others for item in items.raw}
    raw, contested = found.own.raw, set(found.contested())
    return _share(found, [i for i, item in enumerate(raw) if is_bad(item) and (i in contested or item not in elsewhere)], what)


def _share(found: Differences, bad: Sequence[int], what: str) -> Finding | None:
    """Return the share of the contested items that are bad, and the sentence for it; what the others have more counts too."""
    if not bad:
        return None
    contested = len({*found.contested(), *bad}) + (found.lacked() if found.others else 0)
    scope = "on which the readings differ" if found.others else "that it has"
    return len(bad) / contested, f"{len(bad)} of {contested} words {scope} {what}: {listed([found.own.raw[i] for i in bad])}"
