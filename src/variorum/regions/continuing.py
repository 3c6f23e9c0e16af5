"""Words that say that a table goes on: in the caption of a later part, or in a note of their own above or below a part.

``Table 2 (continued)``, ``Table 2 – continued from previous page``, ``Continued on next page``, ``Fortsetzung``, ``suite``. A
sentence that merely has such a word in it says nothing.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import Final

from variorum.geometry import Box
from variorum.page.lines import join_words
from variorum.page.model import PageEvidence
from variorum.regions.captions import CONTINUED, KINDS, FoundCaption, text_lines

_COMPANIONS: Final = frozenset(
    (
        *("on", "from", "over", "overleaf", "the", "next", "previous", "following", "preceding", "page", "column", "to", "be"),
        *("auf", "von", "der", "nächsten", "nächster", "vorigen", "voriger", "vorherigen", "folgenden", "folgt", "seite"),
        *("de", "la", "à", "en", "page", "suivante", "précédente", "et", "fin"),
    )
)
_PARTING: Final = re.compile(r"[–—:;,()\[\]|]|-(?=[^\w]|[^\W\d])")
_BRACKETED: Final = re.compile(r"[(\[]([^()\[\]]*)[)\]]")
_PRINTED_NUMBER: Final = re.compile(r"(?:[A-Za-z]{1,2}[.\-]?)?\d+(?:[.\-]\d+)*[a-z]?|[IVXLC]+|[A-Z]")


@dataclass(frozen=True, slots=True)
class PageLine:
    """One line of a page's text: its words, its box in the view whose text is upright at `angle`."""

    text: str
    box: Box
    angle: int


@dataclass(frozen=True, slots=True)
class ContinuationNote:
    """A line that says that a table goes on or comes from before, with the table's printed number where it names one."""

    number: str | None


def lines_of(view: PageEvidence, angle: int, space_em: float) -> tuple[PageLine, ...]:
    """Return the upright lines of the view in the order of the PDF; `space_em` is the page's word space in em."""
    return tuple(
        PageLine(join_words(line, space_em), Box.around(w.box for w in line), angle) for line in text_lines(view.words)
    )


def continuation_note(text: str) -> ContinuationNote | None:
    """Return what a line says when all it says is that a table goes on, else None."""
    words = _words(text)
    named = _named_table(words)
    number, rest = (None, words) if named is None else (words[named + 1], words[named + 2 :])
    return ContinuationNote(number) if _says_only_continued(rest) else None


def is_continued(caption: FoundCaption) -> bool:
    """Return whether a caption says that its table began before: alone, in brackets, or parted from the title."""
    rest = caption_title(caption)
    if _says_only_continued(_words(rest)) or any(_says_only_continued(_words(inner)) for inner in _BRACKETED.findall(rest)):
        return True
    clauses = [c for c in re.split(r"[.:;,–—]+(?:\s+|$)|\s-\s", rest.strip(" .:–—-")) if c.strip()]
    return len(clauses) > 1 and any(_says_only_continued(_words(c)) for c in (clauses[0], clauses[-1]))


def caption_title(caption: FoundCaption) -> str:
    """Return the text of a caption behind its label and number."""
    after = caption.text.find(caption.number, len(caption.label) - 1)
    return caption.text[after + len(caption.number) :] if after > 0 else caption.text


def squashed(text: str) -> str:
    """Return the text as it is compared: compatible forms folded, without case and white space."""
    return "".join(unicodedata.normalize("NFKC", text).casefold().split())


def _words(text: str) -> list[str]:
    bare = (w.strip(".'\"’“”") for w in _PARTING.sub(" ", text.replace("’", "'")).split())
    return [w for w in bare if w]


def _named_table(words: list[str]) -> int | None:
    """Return where the words name a table by label and number: at their beginning, or behind one or two capitalised words."""
    for i, word in enumerate(words[:-1]):
        if i > 2 or (i and not words[i - 1][:1].isupper()):
            return None
        if KINDS.get(word.casefold()) == "table" and _PRINTED_NUMBER.fullmatch(words[i + 1]):
            return i
    return None


def _says_only_continued(words: list[str]) -> bool:
    plain = [w.casefold() for w in words]
    said = [w in CONTINUED for w in plain]
    return any(said) and all(is_word or w in _COMPANIONS or w.isdigit() for w, is_word in zip(plain, said, strict=True))
