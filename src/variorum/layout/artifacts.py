"""Tables that are none of the paper's data: lists of contents, boxes about the article, and what is drawn in a figure.

A table with a caption of its own is never one. Of the others:

- ``figure_data``: most of it lies within the box of a figure;
- ``contents_list``: most rows end in a page number, these never fall and rise at least once, and it says that it is one (its
  first row, or the line above it), or leaders stand in most of its lines, or most of its lines are headings of the paper;
- ``article_info``: it stands on the first page and two or more of its cells begin with what journals print about an article:
  ``Received``, ``Accepted``, ``Keywords``, ``Citation`` and the like.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final, Literal

from variorum.document.model import Document, Table, TextComponent
from variorum.geometry import Box
from variorum.layout.whole_numbers import whole_number

Artifact = Literal["contents_list", "article_info", "figure_data"]
_CONTENTS: Final = re.compile(
    r"(?:table of |list of )?(?:contents|figures|tables)|brief contents|inhalt(?:sverzeichnis)?|table des matières"
    r"|sommaire|índice|contenido|indice|sumário|inhoud(?:sopgave)?",
    re.IGNORECASE,
)
_ABOUT: Final = tuple(
    re.compile(rf"(?:{name})\b", re.IGNORECASE)
    for name in (
        r"article (?:info(?:rmation)?|history|type)",
        r"received|submitted",
        r"(?:received in )?revised|revision",
        r"accepted",
        r"published|publication date|(?:available )?online|first published",
        r"key ?words(?: and phrases)?|index terms",
        r"corresponding authors?|correspondence|\*? ?corresponding",
        r"(?:academic |handling |associate )?editors?|edited by|reviewed by|reviewers?",
        r"citation|cite (?:this|as)|how to cite|to cite this",
        r"doi|digital object identifier|https?://(?:dx\.)?doi\.org",
        r"copyright|©|licen[cs]e|open access",
        r"issn|pii",
        r"jel (?:classification|codes?)|msc(?: \d{4})?|pacs",
    )
)
_PAGE_NUMBER: Final = re.compile(r"(?:[.·…\s]*)(?P<number>\d+|[ivxlc]+)", re.IGNORECASE)
_LEADER: Final = re.compile(r"(?:[.·…]\s?){2,}[.·…]|…")
_TRAILING_NUMBER: Final = re.compile(r"^(?P<title>.*?\S)[.·…\s]+(?P<number>\d+|[ivxlc]+)$", re.IGNORECASE | re.DOTALL)


def tagged(document: Document) -> Document:
    """Return the document whose tables say what they are when they are none of the paper's data; all else as it was."""
    return replace(document, tables=tuple(replace(t, artifact=artifact_of(t, document)) for t in document.tables))


def artifact_of(table: Table, document: Document) -> Artifact | None:
    """Return what a table of the document is when it is none of the paper's data; None for a table proper."""
    if table.caption is not None:
        return None
    if _is_in_figure(table, document):
        return "figure_data"
    if _is_contents_list(table, document):
        return "contents_list"
    return "article_info" if _is_about_the_article(table, document) else None


def _is_in_figure(table: Table, document: Document) -> bool:
    own, page = table.provenance.bbox, table.provenance.page_num
    figures = [f.provenance.bbox for f in document.figures if f.provenance.page_num == page and f.caption is not None]
    return own is not None and any(_lies_in(own, box) for box in figures if box is not None)


def _lies_in(box: Box, other: Box) -> bool:
    shared = box.intersection(other)
    return shared is not None and 2 * shared.area > box.area


def _is_contents_list(table: Table, document: Document) -> bool:
    rows = table.matrix()
    if not _ends_in_page_numbers(rows):
        return False
    before = _component_before(table, document)
    if is_contents_list(rows, "" if before is None else before.text):
        return True
    headings = {_squashed(c.text) for c in document.components if c.kind == "heading"}
    titles = [entry.title for entry in _entries(rows)]
    return 2 * sum(_squashed(title) in headings for title in titles) > len(titles)


def is_contents_list(rows: Sequence[Sequence[str]], above: str) -> bool:
    """Return whether rows of text are a list of contents by themselves, or by the text above them."""
    if not _ends_in_page_numbers(rows):
        return False
    names = [above, *(" ".join(filter(None, row)) for row in rows[:1])]
    if any(_CONTENTS.fullmatch(" ".join(text.split()).strip(".: ")) for text in names):
        return True
    entries = _entries(rows)
    return 2 * sum(entry.has_leader for entry in entries) > len(entries)


def _ends_in_page_numbers(rows: Sequence[Sequence[str]]) -> bool:
    """Return whether most rows are words with a number behind them, which never falls and rises at least once."""
    entries = _entries(rows)
    numbers = [entry.number for entry in entries if entry.number is not None]
    if len(numbers) < 2 or 2 * len(numbers) <= len(entries):
        return False
    if not all(any(c.isalpha() for c in entry.title) for entry in entries):
        return False
    return all(a <= b for a, b in pairwise(numbers)) and numbers[0] < numbers[-1]


@dataclass(frozen=True, slots=True)
class _Entry:
    """A row of a list of contents: its words, the page number behind them, whether leaders lead from the ones to the other."""

    title: str
    number: int | None
    has_leader: bool


def _entries(rows: Sequence[Sequence[str]]) -> list[_Entry]:
    """Return the rows that are not empty."""
    return [_entry(cells) for row in rows if (cells := [" ".join(text.split()) for text in row if text.strip()])]


def _entry(cells: Sequence[str]) -> _Entry:
    whole = " ".join(cells)
    has_leader = _LEADER.search(whole) is not None
    alone = _PAGE_NUMBER.fullmatch(cells[-1]) if len(cells) > 1 else None
    if alone is not None:
        return _Entry(" ".join(cells[:-1]).rstrip(".·… "), _page_number(alone["number"]), has_leader)
    behind = _TRAILING_NUMBER.match(whole) if has_leader else None
    if behind is not None:
        return _Entry(behind["title"].rstrip(".·… "), _page_number(behind["number"]), has_leader)
    return _Entry(whole, None, has_leader)


def _page_number(printed: str) -> int:
    """Return a page number; Roman ones, of pages before the first, count as 0."""
    return whole_number(printed) or 0


def _component_before(table: Table, document: Document) -> TextComponent | None:
    flow = [c for c in document.components if c.kind != "furniture"]
    at = next((i for i, c in enumerate(flow) if c.kind == "table" and c.target == table.id), 0)
    return flow[at - 1] if at else None


def _is_about_the_article(table: Table, document: Document) -> bool:
    first = min((p.page_num for p in document.pages), default=1)
    if table.provenance.page_num != 1 or first != 1:
        return False
    texts = [line.strip(" •·:*") for cell in table.cells for line in cell.text.splitlines()]
    return sum(any(name.match(text) for text in texts) for name in _ABOUT) > 1


def _squashed(text: str) -> str:
    return "".join(c for c in text.casefold() if c.isalnum())
