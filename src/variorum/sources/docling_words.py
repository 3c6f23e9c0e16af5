"""Mending of what Docling leaves in texts of a PDF: words that a line's end has cut, identifiers of authors among their names.

Docling joins lines with a space, so that a cut word reads ``infor- mation``. The paper's own words decide, as they do for PDFs:
it is mended where the whole word stands elsewhere, with or without the hyphen. ``pre- and post-processing`` stays, since no
paper has the word ``preand``.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from typing import Final

_CUT: Final = re.compile(r"(?<!\w)([^\W\d_]+)[-\u2010\u00ad] ([^\W\d_]+)(?!\w)")
_WORD: Final = re.compile(r"[^\W\d_]+(?:[-\u2010][^\W\d_]+)*")
_ORCID: Final = re.compile(
    r"[\[(]?\s*(?:https?://orcid\.org/)?\b\d{4}\s?[-–]\s?\d{4}\s?[-–]\s?\d{4}\s?[-–]\s?\d{3}[\dX]\b\s*[\])]?", re.IGNORECASE
)
_NAMES_END: Final = re.compile(r"\s+(?=[,;])|[\s,;]+$|^[\s,;]+")
_ABSTRACT: Final = re.compile(r"(abstract)\s*[.:\u2014\u2013-]+\s*(?=\S)", re.IGNORECASE)


def words_of(texts: Iterable[str]) -> Counter[str]:
    """Return how often each word stands in the texts, in small letters; what is cut by ``- `` counts for none."""
    counts: Counter[str] = Counter()
    for text in texts:
        counts.update(word.casefold().replace("\u2010", "-") for word in _WORD.findall(_CUT.sub(" ", text)))
    return counts


def mended(text: str, words: Counter[str]) -> str:
    """Return the text with its cut words whole, where the paper has these elsewhere: `words` are those of the paper."""

    def whole(match: re.Match[str]) -> str:
        first, last = match[1], match[2]
        joined, hyphened = words[(first + last).casefold()], words[f"{first}-{last}".casefold()]
        if not joined and not hyphened:
            return match[0]
        return first + last if joined >= hyphened else f"{first}-{last}"

    return _CUT.sub(whole, text)


def names_of(byline: str) -> str:
    """Return a line of authors without the ORCIDs behind their names (ISO 27729, in groups of four); empty where it has no
    others."""
    bare = _ORCID.sub(" ", byline)
    return byline if bare == byline else " ".join(_NAMES_END.sub("", bare).split())


def abstract_apart(text: str) -> tuple[str, str] | None:
    """Return the word that names an abstract and the abstract behind it (``Abstract. Tables are …``); None without them."""
    match = _ABSTRACT.match(text)
    return None if match is None else (match[1], text[match.end() :])
