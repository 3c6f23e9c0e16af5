"""What an entry of a list of references says: authors, year, title, DOI, arXiv id, address.

The ways of journals and of BibTeX's styles are told apart by where the year stands and by how the names are set.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from variorum.document.paper_model import BibliographyEntry
from variorum.layout.author_names import authors_at
from variorum.layout.entry_starts import YEAR

_DOI: Final = re.compile(r"(?:https?://(?:dx\.)?doi\.org/|doi:?\s*|\b)(10\.\d{4,9}/\S+)", re.IGNORECASE)
_ARXIV: Final = re.compile(
    r"(?:arxiv(?:\.org/(?:abs|pdf))?(?:\s*(?:e-?prints?|preprint))?[\s:,/\[]*|\babs/)(\d{4}\.\d{4,5}|[a-z-]+(?:\.[A-Z]{2})?/\d{7})(?:v\d+)?",
    re.IGNORECASE,
)
_ARXIV_DOI: Final = re.compile(r"10\.48550/arxiv\.(\d{4}\.\d{4,5}|[a-z-]+/\d{7})", re.IGNORECASE)
_URL: Final = re.compile(r"(?:https?://|ftp://|www\.)[^\s<>\"“”]+", re.IGNORECASE)
_NUMBER_OF_ARCHIVE: Final = re.compile(r"(?:arxiv|ascl|abs)[:/]\s?\S+", re.IGNORECASE)
_QUOTED: Final = re.compile(r"[“\"«‘]\s?([^“”\"«»]+?)[,.]?\s?[”\"»]")
_IN_BRACKETS: Final = re.compile(r"\(((?:1[6-9]|20)\d\d[a-z]?|n\.\s?d\.|in press|forthcoming)[^)]{0,40}\)", re.IGNORECASE)
_DATE_BEHIND: Final = re.compile(r",\s(?:[A-Z][a-z]+\s)?(?:1[6-9]|20)\d\d[a-z]?$")
_SENTENCE_END: Final = re.compile(
    r"(?<![\s.(][A-Z])(?<!\b[Vv]ol)(?<!\b[Nn]o)(?<!\bvs)(?<!\bet al)[.?!](?=\s|$)"
    r"(?!\s(?!arXiv|bioRxiv|medRxiv|https?:|doi\b|eLife|in\s[A-Z])[a-z])"
)
_FIGURES: Final = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_OPENERS: Final = "([{<"
_CLOSERS: Final = ")]}>"


def parse_bibliography(entries: Sequence[tuple[str, str, str | None]]) -> tuple[BibliographyEntry, ...]:
    """Return what the entries of a list say, given in order as (id, text, label).

    A dash in place of names means those of the entry before.
    """
    out: list[BibliographyEntry] = []
    for entry_id, text, label in entries:
        out.append(parse_entry(entry_id, text, label, out[-1].authors if out else ()))
    return tuple(out)


def parse_entry(entry_id: str, text: str, label: str | None = None, above: tuple[str, ...] = ()) -> BibliographyEntry:
    """Return what the text of an entry (without its label) says; what it does not say is empty.

    The year is as printed, with the letter that tells several of one year apart (``2020a``). `above` are the authors of the
    entry before, for which a dash may stand.
    """
    authors, rest = authors_at(text, above)
    return BibliographyEntry(
        id=entry_id,
        label=None if label is None else label.translate(_FIGURES).strip("[](). ") or None,
        authors=authors,
        year=_year(text, len(text) - len(rest)),
        title=_title(rest),
        doi=find_doi(text),
        arxiv_id=find_arxiv_id(text),
        url=_url(text),
    )


def find_doi(text: str) -> str | None:
    """Return the first DOI in a text without its address, closing brackets and dots that are none of it; None without one."""
    match = _DOI.search(text)
    return _trimmed(match[1]) or None if match else None


def find_arxiv_id(text: str) -> str | None:
    """Return the first arXiv id in a text, without its version; None without one."""
    match = _ARXIV.search(text) or _ARXIV_DOI.search(text)
    return match[1] if match else None


def _url(text: str) -> str | None:
    """Return the first address that is no DOI, else the first address; None without one."""
    found = [_trimmed(m[0]) for m in _URL.finditer(text)]
    others = [u for u in found if "doi.org/" not in u]
    return next(iter(others or found), None)


def _trimmed(address: str) -> str:
    """Return an address without the punctuation of the sentence around it."""
    for sign in ("https://", "http://"):  # two addresses run together
        later = address.find(sign, 1)
        if later > 0:
            address = address[:later]
    while address:
        last = address[-1]
        is_unopened = last in _CLOSERS and address.count(last) > address.count(_OPENERS[_CLOSERS.index(last)])
        if last in ".,;:'\"”’" or is_unopened:
            address = address[:-1]
        else:
            return address
    return address


def _year(text: str, after: int) -> str | None:
    """Return the year: the first in brackets, else the first right behind the authors, else the last that stands by itself.

    Figures come before words (``in press``).
    """
    plain = _without_addresses(text)
    bracketed = [m[1] for m in _IN_BRACKETS.finditer(plain)]
    behind = [m[0] for m in YEAR.finditer(plain) if m.start() >= after] or [m[0] for m in YEAR.finditer(plain)]
    if behind and plain[after:].lstrip(" .,(").startswith(behind[0]):
        return behind[0]
    found = [*bracketed, *reversed(behind)]
    return next((y for y in found if y[0].isdigit()), found[0] if found else None)


def _without_addresses(text: str) -> str:
    """Return the text with addresses and DOIs as blanks, so that positions stay."""
    for pattern in (_URL, _DOI, _NUMBER_OF_ARCHIVE):
        text = pattern.sub(lambda m: " " * len(m[0]), text)
    return text


def _title(rest: str) -> str | None:
    """Return the title: what stands in quotation marks, else the sentence behind authors and year; None where there is none.

    Journals of astronomy print no titles: behind the year stand the name of the journal, volume and page, with commas between.
    """
    quoted = _QUOTED.search(rest)
    if quoted and quoted.start() < len(rest) / 2:
        return quoted[1].strip()
    dated = re.match(r"[\s.,]*(?:\((?:[^()]*\d{4}[a-z]?[^()]*|n\.\s?d\.|in press)\)|\d{4}[a-z]?)(?P<end>[.,:;]?)\s*", rest)
    body = rest[dated.end() :] if dated else rest.lstrip(" .,:;")
    if dated and dated["end"] == "," and not re.match(r"[\s.,]*\(", rest):
        return None
    end = _SENTENCE_END.search(body)
    title = body[: end.start()] if end else body
    address = _URL.search(title)
    title = (title[: address.start()] if address else title).strip(" .,;:")
    title = _DATE_BEHIND.sub("", title)
    return title or None
