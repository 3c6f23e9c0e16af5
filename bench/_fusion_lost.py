"""What the truth of a paper lost on its way from the TeX by LaTeXML, although the TeX has it and the page prints it.

A conversion that breaks off, or does not know a command, leaves out sections, captions and words, and the truth that is made of
it punishes the sources that have them. Whether something was lost is told by the paper's TeX (all of it, by plain search for
commands) and by PyMuPDF's plain text of the PDF, never by a reading of variorum and never by the name of a paper:

  headings  the title of a section command, or the heading of ``\\tableofcontents``, which stands in the text of the PDF, and
            which no heading of the truth is
  captions  a number whose label in the PDF is followed by the beginning of a ``\\caption`` of the TeX
  words     of a caption of which the truth has a part: it is right when all of it stands in the TeX and in the PDF
  cells     what stands over letters in formulas (bars, hats): the truth has none anywhere
"""

from __future__ import annotations

import re
import tarfile
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from bench._document_html import caption_number
from bench._document_latex import CAPTION_START, SAME_TEXT, Place, latex_truth, plain_text, stands_in
from bench._document_measures import Figures, caption_figures, heading_figures
from bench._document_truth import Paper, Scorers

_COMMENT: Final = re.compile(r"(?<!\\)%.*")
_TITLE: Final = re.compile(r"\\(?:(?:sub)*section|(?:sub)?paragraph)\*?\s*(?:\[[^\]]*\]\s*)?(?=\{)")
_CAPTION: Final = re.compile(r"\\(?:table)?caption\*?\s*(?:\[[^\]]*\]\s*)?(?=\{)")
_CONTENTS: Final = "Contents"
_UNPRINTED: Final = re.compile(r"\\(?:label|color|cite\w*|ref|vspace|hspace)\*?\s*(?:\[[^\]]*\]\s*)*\{[^{}]*\}")
_COMMAND: Final = re.compile(r"\\[A-Za-z]+\*?")
_LABEL: Final = re.compile(r"(Tab|Fig)(?:le|ure|\.)?\s*((?:[A-Z]\.?)?\d+)[.:|]?\s", re.IGNORECASE)
_KINDS: Final = {"tab": "table", "fig": "figure"}


@dataclass(frozen=True, slots=True)
class Lost:
    """Headings and places of captions that a truth lost; the readable letters of the paper's TeX and PDF."""

    headings: frozenset[str]
    captions: frozenset[Place]
    tex: str
    pdf: str


@cache
def lost_of(pdf: Path) -> Lost:
    """Return what the truth of the paper lost; its ``truth.json`` and ``source.tar.gz`` lie beside the PDF."""
    tex, printed, truth = tex_of(pdf.with_name("source.tar.gz")), plain_text(pdf), latex_truth(pdf)
    titles = [*map(readable, arguments(tex, _TITLE))]
    titles += [_CONTENTS] if r"\tableofcontents" in tex else []
    known = {"", *(letters(h["text"]) for h in truth.headings)}
    captions = [readable(caption) for caption in arguments(tex, _CAPTION)]
    return Lost(
        headings=frozenset(t for t in titles if letters(t) not in known and stands_in(t, printed)),
        captions=frozenset(printed_places(captions, printed)) - truth.captions.keys() - truth.others,
        tex=readable(tex),
        pdf=printed,
    )


def tex_of(archive: Path) -> str:
    """Return the text of all ``.tex`` files of an archive, in order of their names, without comments."""
    texts = []
    with tarfile.open(archive) as members:
        for member in sorted(members.getmembers(), key=lambda m: m.name):
            data = members.extractfile(member) if member.isfile() and member.name.endswith(".tex") else None
            texts.append("" if data is None else data.read().decode("utf-8", errors="replace"))
    return _COMMENT.sub("", "\n".join(texts))


def arguments(tex: str, command: re.Pattern[str]) -> Iterator[str]:
    """Yield the argument in braces of each place where a command stands."""
    for match in command.finditer(tex):
        depth = 0
        for brace in re.finditer(r"(?<!\\)[{}]", tex[match.end() :]):
            depth += 1 if brace[0] == "{" else -1
            if not depth:
                yield tex[match.end() + 1 : match.end() + brace.start()]
                break


def readable(tex: str) -> str:
    """Return TeX without commands, labels and keys: roughly the words that it prints."""
    return " ".join(_COMMAND.sub(" ", _UNPRINTED.sub(" ", tex)).split())


def letters(text: str) -> str:
    """Return the letters of a text, case not looked at."""
    return "".join(filter(str.isalpha, text.casefold()))


def printed_places(captions: Sequence[str], printed: str) -> Iterator[Place]:
    """Yield kind and number of each label in the text of the PDF behind which one of the captions begins."""
    for match in _LABEL.finditer(printed):
        behind = letters(printed[match.end() : match.end() + 4 * CAPTION_START])
        if any(begins(behind, caption) for caption in captions):
            yield _KINDS[match[1].casefold()], caption_number(match[2])


def begins(text: str, caption: str) -> bool:
    """Return whether the letters of a text begin as a caption does; ``{}`` in it are words of a command that nobody knows."""
    from rapidfuzz import fuzz

    first, _, rest = caption.partition("{}")
    start, more = letters(first)[:CAPTION_START], letters(rest)[:CAPTION_START]
    if not start or fuzz.ratio(start, text[: len(start)]) < SAME_TEXT:
        return False
    return len(start) == CAPTION_START or not more or fuzz.partial_ratio(more, text[len(start) :]) >= SAME_TEXT


def as_printed(scorers: Scorers, paper: Paper, form: dict[str, Any]) -> Figures:
    """Return the figures of headings and captions where what the truth lost is neither asked for nor counted as invented."""
    truth, lost = latex_truth(paper.pdf), lost_of(paper.pdf)
    same = scorers.score.same_heading
    headings = {t for t in lost.headings if not any(same(t, h["text"]) for h in truth.headings)}
    others = truth.other_headings | headings
    found = heading_figures(scorers, truth.headings, form["headings"], others=others)
    captions = {place: whole_caption(text, place, form["captions"], lost) for place, text in truth.captions.items()}
    return found | caption_figures(scorers, captions, form["captions"], others=truth.others | lost.captions)


def whole_caption(text: str, place: Place, read: Sequence[dict[str, Any]], lost: Lost) -> str:
    """Return the caption that is right at a place: that of the truth, or a longer one that was read, where the TeX and the PDF
    have all of it."""
    own = next((c["text"] for c in read if (c["kind"], caption_number(c["number"] or "")) == place), "")
    is_longer = len(letters(own)) > len(letters(text))
    return str(own) if is_longer and all(_is_in(own, whole) for whole in (lost.tex, lost.pdf)) else text


def _is_in(text: str, whole: str) -> bool:
    return len(letters(text)) <= len(letters(whole)) and stands_in(text, whole)


def without_accents(text: str) -> str:
    """Return a text without what stands over and under its letters: ``R̄`` is ``R``."""
    spread = unicodedata.normalize("NFD", text)
    return unicodedata.normalize("NFC", "".join(c for c in spread if not unicodedata.combining(c)))
