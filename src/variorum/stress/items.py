"""What the index of a stress test says of a paper: as its library has it, its JATS, or its own first page."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Final
from xml.etree import ElementTree

from variorum.document import Document
from variorum.libraries.model import Creator, ItemDate, LibraryItem, LibraryRef
from variorum.stress.corpus import JATS, StressPaper

_CORPUS: Final = LibraryRef(id="corpus", name="corpus", kind="folder")


def item_of(paper: StressPaper, document: Document) -> LibraryItem:
    """Return what is said of a paper in the index, under the paper's key.

    A library's item is taken as it is. Of a paper with JATS, title, authors and year stand there; else the title and authors
    are those that were read, and the year is not known. A JATS file that is damaged says nothing here.
    """
    if paper.item is not None:
        return replace(paper.item, key=paper.key)
    title, authors, year = document.identity.title or paper.short_name, document.identity.authors, None
    creators = tuple(_creator(name) for name in authors)
    if paper.truth is not None and paper.truth.name == JATS:
        known_title, known_creators, year = _from_jats(paper.truth)
        title, creators = known_title or title, known_creators or creators
    return LibraryItem(
        in_library=_CORPUS,
        key=paper.key,
        item_type="journalArticle",
        title=title,
        plain_title=title,
        creators=creators,
        date=None if year is None else ItemDate(raw=str(year), year=year),
        doi=document.identity.doi or "",
    )


def _creator(name: str) -> Creator:
    """Return an author by the name as printed; the last word is the family's, which is all that can be known."""
    first, _, last = name.rpartition(" ")
    return Creator(role="author", last=last, first=first)


def _from_jats(file: Path) -> tuple[str, tuple[Creator, ...], int | None]:
    try:
        front = ElementTree.parse(file).getroot().find("front/article-meta")
    except (OSError, ElementTree.ParseError):
        return "", (), None
    if front is None:
        return "", (), None
    title = front.find("title-group/article-title")
    creators = tuple(
        Creator(role="author", last=_words(name, "surname"), first=_words(name, "given-names"))
        for name in front.findall("contrib-group/contrib[@contrib-type='author']/name")
        if _words(name, "surname")
    )
    years = (_words(date, "year") for date in front.findall("pub-date"))
    year = next((int(text) for text in years if text.isdecimal()), None)
    return " ".join("".join(title.itertext()).split()) if title is not None else "", creators, year


def _words(parent: ElementTree.Element, name: str) -> str:
    return " ".join((parent.findtext(name) or "").split())
