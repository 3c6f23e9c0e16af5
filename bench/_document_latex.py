"""What the ``truth.json`` of a paper asks for, as the PDF prints it.

The truth was made from the LaTeX source by way of LaTeXML, which numbers by its own rules and knows parts of a paper that were
never printed. PyMuPDF's plain text of the PDF decides:

  captions   a number that no label of the PDF has is the one before the same text (``Figure 10`` is printed ``Figure A1``); a
             caption of which neither is printed is not asked for
  headings   a title that stands nowhere in the PDF is not asked for; keys of citations in a title are taken out
  equations  a number that no pair of brackets holds is not asked for
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from bench._document_html import body_paragraphs, caption_number, caption_numbers, other_headings

Truth = Mapping[str, Any]
Place = tuple[str, str]
"""What a caption is told by: its kind (``table``, ``figure``) and its number."""

LEVELS = ("section", "subsection", "subsubsection", "paragraph", "subparagraph")
LIKE_A_SECTION = ("appendix", "bibliography")
USABLE_CHARACTERS = 20  # a shorter entry of a truth's bibliography is a rest of one
USABLE_ENTRIES = 5  # from the issue: fewer make no share
SAME_TEXT = 90  # of 100, for a piece of the PDF's text
CAPTION_START = 30  # letters of a caption that are looked for behind its label
_CITE_KEYS = re.compile(r"\s*\(\s*[A-Za-z][\w:-]*\d{4}[\w-]*(?:\s*;\s*[A-Za-z][\w:-]*\d{4}[\w-]*)*\s*\)")
_LABELS = {"table": r"tab(?:le|\.)", "figure": r"fig(?:ure|\.)?"}


@dataclass(frozen=True, slots=True)
class LatexTruth:
    """All that is asked for of one paper.

    `headings` with their level, and others that a page shows (`other_headings` of the HTML); `captions`, the text by kind and
    number; `others`, captions that the paper has besides: they are not asked for, and not counted as invented; `equations`, the
    printed numbers; `references`, the entries that can be used, none where they are fewer than five; `paragraphs` of the body
    from the HTML.
    """

    title: str
    headings: tuple[dict[str, Any], ...]
    other_headings: frozenset[str]
    captions: Mapping[Place, str]
    others: frozenset[Place]
    equations: tuple[str, ...]
    references: tuple[dict[str, Any], ...]
    paragraphs: tuple[str, ...]


@cache
def latex_truth(pdf: Path) -> LatexTruth:
    """Return what is asked for of the paper; its ``truth.json`` and ``ar5iv.html`` lie beside the PDF."""
    truth = json.loads(pdf.with_name("truth.json").read_text(encoding="utf-8"))
    html = pdf.with_name("ar5iv.html")
    text = plain_text(pdf)
    captions = printed_captions(truth_captions(truth), text)
    return LatexTruth(
        title=truth["title"],
        headings=tuple(printed_headings(truth_headings(truth), text)),
        other_headings=frozenset(other_headings(html)),
        captions=captions,
        others=frozenset(caption_numbers(html) - set(captions)),
        equations=tuple(
            n for e in truth["equations"] if (n := equation_number(e["number"])) and f"({n})" in re.sub(r"\s", "", text)
        ),
        references=tuple(usable_entries(truth["bibliography"])),
        paragraphs=tuple(body_paragraphs(html, truth["bibliography"])),
    )


def plain_text(pdf: Path) -> str:
    """Return PyMuPDF's plain text of all pages, with single spaces."""
    import pymupdf

    pymupdf.TOOLS.mupdf_display_errors(False)
    with pymupdf.open(pdf) as document:
        return " ".join(" ".join(page.get_text().split()) for page in document)


# ---- headings -------------------------------------------------------------------------------------------------------


def truth_headings(truth: Truth) -> list[dict[str, Any]]:
    """Return the section titles of a ``truth.json`` with their level, the heading of the abstract left out.

    Levels are counted among those that the paper uses: where paragraphs stand right below sections they are of level 2, since
    no page shows that the author called them the fourth.
    """
    named = [(s["level"] if s["level"] not in LIKE_A_SECTION else LEVELS[0], s["title"]) for s in truth["sections"]]
    named = [(level, _CITE_KEYS.sub("", title)) for level, title in named if level in LEVELS and title.strip()]
    used = sorted({LEVELS.index(level) for level, _ in named})
    return [{"level": used.index(LEVELS.index(level)) + 1, "text": title} for level, title in named]


def printed_headings(headings: Sequence[dict[str, Any]], text: str) -> list[dict[str, Any]]:
    """Return the headings whose title stands somewhere in the text of the PDF."""
    return [h for h in headings if stands_in(h["text"], text)]


def stands_in(title: str, text: str) -> bool:
    """Return whether a title stands somewhere in a text, by its letters."""
    from rapidfuzz import fuzz

    key, page = ("".join(c for c in _key(side) if c.isalpha()) for side in (title, text))  # without the numbers of lines
    return key in page or fuzz.partial_ratio(key, page) >= SAME_TEXT


# ---- captions -------------------------------------------------------------------------------------------------------


def truth_captions(truth: Truth) -> dict[Place, str]:
    """Return the text of every caption of a ``truth.json`` by kind and number, of tables that were set aside as well.

    Panels have no number of their own.
    """
    found: dict[Place, str] = {}
    tables = [("table", t.get("number_in_pdf") or t.get("number"), t) for t in (*truth["tables"], *truth["rejected_tables"])]
    for kind, label, item in [*tables, *(("figure", f["number"], f) for f in truth["figures"])]:
        number = caption_number(label or "")
        if number:
            found.setdefault((kind, number), item.get("caption") or "")
    return found


def printed_captions(captions: Mapping[Place, str], text: str) -> dict[Place, str]:
    """Return the captions under the number that the text of the PDF prints, without those that it does not print."""
    found = {}
    for (kind, number), caption in captions.items():
        if re.search(rf"{_LABELS[kind]}\s*{re.escape(number)}(?!\w|\.\d)", text, re.IGNORECASE):
            found[kind, number] = caption
        elif printed := _number_before(kind, caption, text, captions):
            found[kind, printed] = caption
    return found


def _number_before(kind: str, caption: str, text: str, taken: Mapping[Place, str]) -> str:
    """Return the number of the label that stands before the text of a caption, one of no other; empty where there is none."""
    from rapidfuzz import fuzz

    wanted = _key(caption)[:CAPTION_START]
    for match in re.finditer(rf"{_LABELS[kind]}\s*((?:[A-Z]\.?)?\d+)[.:|]?\s", text, re.IGNORECASE):
        number = match.group(1).upper()
        behind = _key(text[match.end() : match.end() + 2 * CAPTION_START])[: len(wanted)]
        if wanted and (kind, number) not in taken and fuzz.ratio(wanted, behind) >= SAME_TEXT:
            return number
    return ""


# ---- equations, references ------------------------------------------------------------------------------------------


def equation_number(label: str | None) -> str:
    """Return the number of an equation without its brackets."""
    return re.sub(r"[\s()\[\].]+$|^[\s()\[\]]+", "", label or "")


def usable_entries(bibliography: Sequence[Truth]) -> list[dict[str, Any]]:
    """Return the entries of a truth's bibliography that hold more than a rest; none where there are fewer than five."""
    entries = [{"text": b["text"]} for b in bibliography if len(b["text"]) > USABLE_CHARACTERS]
    return entries if len(entries) >= USABLE_ENTRIES else []


def _key(text: str) -> str:
    return "".join(c for c in text.casefold() if c.isalnum())
