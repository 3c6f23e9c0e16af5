"""Citations of LaTeXML's HTML that show a key where the paper prints a number.

Without the bindings of a bibliography style LaTeXML writes the author's own key for an entry, ``(smith2017, )``, and only the
list of references has the printed number, ``[18]``. The link leads there, so the number can stand in the text as well.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from variorum.sources._html_text import classes

_ENTRY: Final = "#bib."
_NUMBER: Final = re.compile(r"\s*[\[(]?\s*(\d+)\s*[\])]?[.:]?\s*")
_AROUND: Final = " \t\r\n,;()[]"
_WORD: Final = re.compile(r"\w+")


def number_citations(article: Any) -> int:
    """Return how many citations showed keys; they show the numbers of their entries in brackets now.

    A citation is left as it is unless all its links show keys, and all their entries have a number. A key is one word with a
    letter in it that is no word of its entry. Whatever else a citation says, ``see``, keeps it as it is too.
    """
    entries = {f"#{e.get('id')}": e for e in article.iter("li") if "ltx_bibitem" in classes(e) and e.get("id")}
    numbers = {name: number for name, entry in entries.items() if (number := _printed_number(entry)) is not None}
    words: dict[str, frozenset[str]] = {}
    count = 0
    for citation in [e for e in article.iter("cite") if "ltx_cite" in classes(e)]:
        links = [e for e in citation.iter("a") if (e.get("href") or "").startswith(_ENTRY)]
        if links and _is_bare(citation, links) and all(_shows_key(link, entries, numbers, words) for link in links):
            _rewrite(citation, links, numbers)
            count += 1
    return count


def _is_bare(citation: Any, links: list[Any]) -> bool:
    """Return whether a citation says nothing but its links."""
    return _letters(citation) == "".join(map(_letters, links))


def _letters(element: Any) -> str:
    return "".join(sign for sign in "".join(element.itertext()) if sign not in _AROUND)


def _printed_number(entry: Any) -> str | None:
    """Return the number that an entry is printed with; None for a label of names, or without one."""
    tags = [e for e in entry.iter("span") if "ltx_tag_bibitem" in classes(e)]
    match = _NUMBER.fullmatch("".join(tags[0].itertext())) if tags else None
    return None if match is None else match[1]


def _shows_key(link: Any, entries: Mapping[str, Any], numbers: Mapping[str, str], words: dict[str, frozenset[str]]) -> bool:
    name = link.get("href")
    if name not in numbers:
        return False
    shown = "".join(link.itertext()).strip(_AROUND)
    if not any(map(str.isalpha, shown)) or any(map(str.isspace, shown)):
        return False
    if name not in words:
        words[name] = frozenset(_WORD.findall("".join(entries[name].itertext()).casefold()))
    return shown.casefold() not in words[name]


def _rewrite(citation: Any, links: list[Any], numbers: Mapping[str, str]) -> None:
    """Let a citation say ``[35, 2, 5]``, each number the link to its entry."""
    tail = citation.tail
    for child in list(citation):
        citation.remove(child)
    citation.text, citation.tail = "[", tail
    for link in links:
        for child in list(link):
            link.remove(child)
        link.text, link.tail = numbers[link.get("href")], ", "
        citation.append(link)
    links[-1].tail = "]"
