"""Names of authors as lists of references print them.

Three ways: ``Knuth, D. E.`` or ``Knuth, Donald``; ``D. E. Knuth`` or ``Donald E. Knuth``; ``Knuth DE``. A list of authors keeps
to one way, but the first may be turned about.
"""

from __future__ import annotations

import re
from typing import Final

_PARTICLE = (
    r"(?:(?:(?:[Vv][ao]n|[Dd](?:e[rnls]?|ella|i|a|os|as|u)|[Ll][ae]|[Tt]e[nr]|[Bb]in|[Aa]l|[Ee]l|’t|zu|zur|y)[\s-]+)|"
    r"[dDlL]['’])"
)
_UPPER = r"[^\W\d_a-zß-öø-ÿ]"
_WORD = rf"(?:{_UPPER}|Mc|Mac|O['’]|D['’]|d['’]|L['’])[^\W\d_]*(?:['’´`\-‐–][^\W\d_]+)*"
SURNAME: Final = rf"(?:{_PARTICLE})*{_WORD}(?:\s(?:{_PARTICLE})*{_WORD}){{0,2}}"
_INITIAL = rf"(?:{_UPPER}[a-z]?\.(?:\s?[-‐–]\s?{_UPPER}[a-z]?\.)*)"
INITIALS: Final = rf"{_INITIAL}(?:\s?{_INITIAL})*"
_SUFFIX = r"(?:,?\s(?:Jr|Sr|II|III|IV)\.?)?"
_GIVEN = rf"(?:{_WORD}|{_INITIAL}|{_UPPER}(?=[\s,]))"
INVERTED: Final = re.compile(rf"({SURNAME}),\s({INITIALS}){_SUFFIX}(?![^\W\d_])")
INVERTED_GIVEN: Final = re.compile(rf"({SURNAME}),\s({_GIVEN}(?:\s{_GIVEN}){{0,3}}){_SUFFIX}")
INITIALS_FIRST: Final = re.compile(rf"({INITIALS})\s?({SURNAME}){_SUFFIX}")
GIVEN_FIRST: Final = re.compile(
    rf"({_WORD}(?:\s(?:{_INITIAL}|{_UPPER}(?=\s)|{_WORD})){{0,3}})\s((?:{_PARTICLE})*{_WORD}){_SUFFIX}"
)
BARE_INITIALS: Final = re.compile(rf"({SURNAME})\s({_UPPER}(?:-?{_UPPER}){{0,3}})(?:\s(?:Jr|Sr|2nd|3rd))?(?=[,.;:\s(]|$)")
SEPARATOR: Final = re.compile(r"\s*(?:[,;]\s*(?:and|&|et)\s|[,;]\s*|\s(?:and|&|et|und|y)\s)\s*(?:(?:the)\s)?")


def begins_with_name(text: str) -> bool:
    """Return whether a text begins like a list of authors: a name, and behind it another, the year or the end of the list."""
    for pattern in (INVERTED, INITIALS_FIRST, BARE_INITIALS):
        match = pattern.match(text)
        if match:
            return True
    match = GIVEN_FIRST.match(text) or INVERTED_GIVEN.match(text)
    return match is not None and re.match(r"[,.;:]|\s(?:and|&|et al)\b|\s\(\d", text[match.end() :]) is not None


_ET_AL: Final = re.compile(
    r"[,;]?\s*(?:(?:and|&)\s)?(?:et\s+al\.?|others|\.\.\.|…)(?:\s*\((?:eds?|Hrsg)\.?\))?[.,]?", re.IGNORECASE
)
_EDITORS: Final = re.compile(r"\s*\((?:eds?|Hrsg)\.?\)[.,]?", re.IGNORECASE)
_COLLECTIVE: Final = re.compile(r"[^().:;“\"]+?(?=\.?,?\s\(?(?:1[6-9]|20)\d\d[a-z]?\)?[.,:]?\s|\.\s\(n\.\s?d\.\)|:\s)")


def authors_at(text: str) -> tuple[tuple[str, ...], str]:
    """Return the authors that a text begins with, each as ``Surname, given names`` as printed, and the text behind them.

    A body is an author by its whole name. Where no name is seen the authors are none and all text is left.
    """
    best: tuple[tuple[str, ...], int] = ((), 0)
    for patterns in (
        (INVERTED, INITIALS_FIRST, GIVEN_FIRST),
        (INITIALS_FIRST, GIVEN_FIRST),
        (BARE_INITIALS,),
        (INVERTED_GIVEN, GIVEN_FIRST),
        (GIVEN_FIRST, INITIALS_FIRST),
    ):
        found = _list_at(text, patterns)
        if found[1] > best[1] and _ends_well(text, found[1]):
            best = found
    if not best[0]:
        match = _COLLECTIVE.match(text)
        if match:
            best = ((match[0].strip(" ,."),), match.end())
    return best[0], text[best[1] :]


def _ends_well(text: str, end: int) -> bool:
    """Return whether a list of authors can end here: behind it stand a full stop, a colon, a comma, a year or a quotation."""
    return end == len(text) or text[end - 1] in ".," or re.match(r"[.,:;]|\s*[(“\"«]|\s\d{4}", text[end:]) is not None


def _list_at(text: str, patterns: tuple[re.Pattern[str], ...]) -> tuple[tuple[str, ...], int]:
    authors: list[str] = []
    end = at = 0
    while at < len(text):
        match = next((m for p in patterns if (m := p.match(text, at)) is not None), None)
        if match is None:
            break
        authors.append(_name(match))
        end = match.end()
        also = _ET_AL.match(text, end)
        if also:
            end = also.end()
            break
        separator = SEPARATOR.match(text, end)
        if separator is None:
            break
        at = separator.end()
    editors = _EDITORS.match(text, end)
    return tuple(authors), editors.end() if editors and authors else end


def _name(match: re.Match[str]) -> str:
    first, second = match[1].strip(), match[2].strip()
    if match.re is BARE_INITIALS or match.re is INVERTED or match.re is INVERTED_GIVEN:
        return f"{first}, {second}"
    return f"{second}, {first}"
