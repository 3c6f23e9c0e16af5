"""Names of authors as lists of references print them.

Three ways: ``Knuth, D. E.`` or ``Knuth, Donald``; ``D. E. Knuth`` or ``Donald E. Knuth``; ``Knuth DE``. A list of authors keeps
to one way, but the first may be turned about. Bodies (``Gaia Collaboration``, ``R Core Team``) are names as a whole.
"""

from __future__ import annotations

import re
from typing import Final

_ACCENTS = "¨´˝˜ˇ"
_PARTICLE_WORD = r"(?:[Vv][ao]n|[Dd](?:e[rnls]?|ella|i|a|os|as|u)|[Ll][ae]|[Tt]e[nr]|[Bb]in|[Aa]l|[Ee]l|’t|zu|zur)"
_PARTICLE = rf"(?:{_PARTICLE_WORD}[\s-]+|[dDlL]['’])"
_UPPER = r"[^\W\d_a-zß-öø-ÿ]"
_LETTERS = rf"(?:[^\W\d_]|[{_ACCENTS}])*"
_WORD = rf"(?:{_UPPER}|Mc|Mac|O['’]|D['’]|d['’]|L['’]){_LETTERS}(?:['’´`\-‐–][^\W\d_]{_LETTERS})*"
SURNAME: Final = rf"(?:{_PARTICLE})*{_WORD}(?:\s(?:{_PARTICLE})*{_WORD}){{0,2}}[*∗†‡]?"
_INITIAL = rf"{_UPPER}\.(?:\s?[-‐–]\s?[^\W\d_]\.)*"
_INVERTED_INITIAL = rf"(?:{_UPPER}[a-z]?|d|v|y)\.(?:\s?[-‐–]\s?[^\W\d_]{{1,2}}\.)*"
_SUFFIX = r"(?:,?\s(?:Jr|Sr|II|III|IV)\.?)?"
_GIVEN = rf"(?:{_WORD}|{_INITIAL}|{_UPPER}(?=[\s,]))"
_BODY_WORD = (
    r"(?:Collaborations?|Consortium|Team|Group|Network|Initiative|Institutes?|Society|Association|Organi[sz]ation|Foundation|"
    r"University|Committee|Council|Commission|Agency|Community|Cent(?:er|re)|Department|Ministry|Developers?|developers?|"
    r"Project|Office|Bureau|Laborator(?:y|ies)|Inc\.|Ltd\.|Members)"
)
BODY: Final = re.compile(
    rf"(?:[Tt]he\s)?((?:{_UPPER}[\w\-.@]*|[A-Z])(?:\s(?:of|for|and|the|on|in|&|[\w\-]+))*?\s{_BODY_WORD})(?:\s\([A-Z]+\))?"
    r"(?=[.,:;]|\s(?:et|and|&|\()|$)"
)
INVERTED: Final = re.compile(
    rf"({SURNAME}(?:,\sJr\.?)?),\s({_INVERTED_INITIAL}(?:\s?{_INVERTED_INITIAL})*(?:\s{_PARTICLE_WORD})*(?=[^\w]|$))"
    rf"{_SUFFIX}(?![^\W\d_])"
)
INVERTED_GIVEN: Final = re.compile(rf"({SURNAME}),\s({_GIVEN}(?:\s{_GIVEN}){{0,3}}){_SUFFIX}")
INITIALS_FIRST: Final = re.compile(rf"({_INITIAL}(?:\s?{_INITIAL})*)\s?({SURNAME}){_SUFFIX}")
GIVEN_FIRST: Final = re.compile(
    rf"({_WORD}(?:\s(?:{_INITIAL}|{_UPPER}(?=\s)|{_WORD})){{0,3}})\s((?:{_PARTICLE})*{_WORD}[*∗†‡]?){_SUFFIX}"
)
BARE_INITIALS: Final = re.compile(rf"({SURNAME})\s({_UPPER}(?:-?{_UPPER}){{0,3}})(?:\s(?:Jr|Sr|2nd|3rd))?(?=[,.;:\s(]|$)")
SEPARATOR: Final = re.compile(r"\s*(?:[,;]\s*(?:and|&|et)\s|[,;]\s*|\s(?:and|&|et|und|y)\s)\s*(?:the\s)?")
_ET_AL: Final = re.compile(
    r"[,;]?\s*(?:(?:and|&)\s)?(?:et\s+al\.?|others|\.\.\.|…)(?:\s*\((?:eds?|Hrsg)\.?\))?[.,]?", re.IGNORECASE
)
_EDITORS: Final = re.compile(r",?\s*\(?\b(?:[Ee]ds?|Hrsg)\.?\)?[.,]?")
_YEAR_FIRST: Final = r"\(?(?:1[6-9]|20)\d\d[a-z]?(?:\)|,\s\w+)?"
_COLLECTIVE: Final = re.compile(rf"[^().:;“\"]+?(?=\.?,?\s{_YEAR_FIRST}[^()]{{0,12}}\)?[.,:]?(?:\s|$)|\.\s\(n\.\s?d\.\)|:\s)")
_ONE_WORD: Final = re.compile(rf"{_UPPER}[\w&@\-]*\.(?=\s[^\W_].*[.,]\s)")
_DASHES: Final = re.compile(r"(?:[—―–]|-{2,3}|_{3,})+[.,:]?\s*")
_WAYS: Final = (
    (BODY, INVERTED, INITIALS_FIRST, GIVEN_FIRST),
    (BODY, INITIALS_FIRST, GIVEN_FIRST),
    (BODY, BARE_INITIALS),
    (BODY, INVERTED_GIVEN, GIVEN_FIRST),
    (BODY, GIVEN_FIRST, INITIALS_FIRST),
)


def begins_with_name(text: str) -> bool:
    """Return whether a text begins like a list of authors: a name, and behind it another, the year or the end of the list."""
    if _DASHES.match(text) or any(pattern.match(text) for pattern in (BODY, INVERTED, INITIALS_FIRST, BARE_INITIALS)):
        return True
    match = GIVEN_FIRST.match(text) or INVERTED_GIVEN.match(text)
    return match is not None and re.match(r"[,.;:]|\s(?:and|&|et al)\b|\s\(\d", text[match.end() :]) is not None


def authors_at(text: str, above: tuple[str, ...] = ()) -> tuple[tuple[str, ...], str]:
    """Return the authors that a text begins with, each as ``Surname, given names`` as printed, and the text behind them.

    A body is an author by its whole name; a dash stands for the authors of the entry `above`. Where no name is seen the authors
    are none and all text is left.
    """
    dashes = _DASHES.match(text)
    if dashes:
        return above, text[dashes.end() :]
    best: tuple[tuple[str, ...], int] = ((), 0)
    for patterns in _WAYS:
        found = _list_at(text, patterns)
        if found[1] > best[1] and _ends_well(text, found[1]):
            best = found
    if not best[0]:
        match = _COLLECTIVE.match(text) or _ONE_WORD.match(text)
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
    if match.re is BODY:
        return match[1]
    first, second = match[1].strip(" *∗†‡"), match[2].strip(" *∗†‡")
    return f"{second}, {first}" if match.re in (INITIALS_FIRST, GIVEN_FIRST) else f"{first}, {second}"
