"""Which passages name a table, figure, equation or section by its number.

``Table 3``, ``Tables 3 and 4``, ``Figs. 2–4``, ``Figure A.1``, ``Fig. 3(b)``, ``Eq. (4)``, ``Section 3.2``, ``Appendix B``. A
range or list gives a mention for each of its numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, Literal

from variorum.document.paper_model import Mention
from variorum.layout.whole_numbers import whole_number

Kind = Literal["table", "figure", "equation", "section"]
_WORDS: Final[Mapping[Kind, str]] = {
    "table": r"(?:[Tt]able|TABLE)s?\.?|[Tt]abs?\.|TABS?\.",
    "figure": r"(?:[Ff]igure|FIGURE)s?|[Ff]igs?\.|FIGS?\.|Figs?(?=\s\d)",
    "equation": r"(?:[Ee]quation|EQUATION)s?|[Ee]qs?\.|[Ee]qns?\.|Eqs?(?=[\s(])",
    "section": (
        r"(?:[Ss]ubsection|[Ss]ection|SECTION|[Aa]ppendix|APPENDIX)(?:es|s)?|[Aa]ppendices|[Ss]ects?\.|[Ss]ecs?\.|[Aa]pp\.|§§?"
    ),
}
_NUMBER: Final = (
    r"(?:[A-Z]{1,2}[.\-]?\d+(?:\.\d+)*|\d+(?:\.\d+)*(?:\.[A-Z](?:\.\d+)*)?|[IVXLC]+(?:\.[A-Z\d]+)*(?![^\W_])|"
    r"[A-Z](?:\.(?:\d+|[A-Z]))*(?![^\W_]))"
)
_PART: Final = r"(?:(?:\s?\(?[a-z](?:\s?[,–\-]\s?[a-z])*\)|[a-z](?:[,–\-][a-z])*(?![^\W_])))?"
_ITEM: Final = rf"\(?{_NUMBER}\)?{_PART}"
_LINK: Final = r"(?:\s?[,;]\s?(?:and|or|&)\s|\s?[,;]\s?|\s(?:and|or|to|through|&)\s|\s?(?:–|—|-|−)\s?)"
_PATTERNS: Final[Mapping[Kind, re.Pattern[str]]] = {
    kind: re.compile(rf"(?<![^\W_])(?:{words})[\s~]?(?P<items>{_ITEM}(?:{_LINK}{_ITEM})*)") for kind, words in _WORDS.items()
}
_ONE: Final = re.compile(rf"(?P<link>{_LINK})?\(?(?P<number>{_NUMBER})\)?{_PART}")
_OF_ANOTHER: Final = re.compile(
    r"\sof\s(?!(?:this|our|the\s(?:paper|article|text|appendix|manuscript|present))\b)|\sin\s(?!Appendix)(?=[A-Z\[(])|"
    r"\s?[\[(](?:\d|[^\W\d_]+[^()\[\]]*\d{4})|\s(?:[^\W\d_][\w’'-]*\s){1,3}et\sal"
)
"""What follows the number of a part of another work: whose it is, or a citation."""
_CITED: Final = re.compile(r"[\[(][^\[\]()]*\d[^\[\]()]*,\s(?:see\s)?$")
"""What stands before it within a citation: ``[12, Section 3]``."""
_RANGE: Final = re.compile(r"\s?(?:–|—|-|−)\s?|\s(?:to|through)\s")
_JOINED: Final = re.compile(r"-(?:\d+|[A-Z](?![^\W_]))")
"""What a hyphen joins to a number: a count, or the letter of a subsection (``II-C``)."""
Numbered = Sequence[tuple[str | None, str]]


def find_mentions(
    texts: Sequence[tuple[str, str]],
    tables: Numbered,
    figures: Numbered = (),
    equations: Numbered = (),
    headings: Numbered = (),
) -> tuple[Mention, ...]:
    """Return the mentions in texts, given as (component id, text), in order of text.

    What can be named is given as (printed number, id); numbers match whatever their brackets, dots at the end and case. Of
    several of one number the first is named. A mention of a number that nothing has is kept with no target, except of a bare
    letter (``Section A`` may be any word), and of a part of another work: the text says whose it is, or cites, or the number is
    far beyond those of the paper.
    """
    known: dict[Kind, dict[str, str]] = {
        "table": _by_number(tables),
        "figure": _by_number(figures),
        "equation": _by_number(equations),
        "section": _by_number(headings),
    }
    out: list[Mention] = []
    for component, text in texts:
        found = [m for kind, pattern in _PATTERNS.items() for m in _in_text(component, text, kind, pattern, known[kind])]
        out.extend(sorted(found, key=lambda m: (m.start, m.end)))
    return tuple(out)


def _by_number(numbered: Numbered) -> dict[str, str]:
    out: dict[str, str] = {}
    for number, target in numbered:
        if number:
            out.setdefault(_key(number), target)
    return out


def _key(number: str) -> str:
    """Return a number in the form in which two ways of printing it are the same."""
    bare = re.sub(r"^(?:appendix|section|§)\s*", "", number.strip(), flags=re.IGNORECASE)
    return bare.strip("().: ").replace("-", ".").casefold()


def _in_text(component: str, text: str, kind: Kind, pattern: re.Pattern[str], known: Mapping[str, str]) -> Iterator[Mention]:
    for match in pattern.finditer(text):
        before, stop = "", 0
        for item in _ONE.finditer(text, match.start("items"), match.end("items")):
            if item.start() < stop:
                continue  # named with what stands before it
            number, link = item["number"], item["link"] or ""
            if before and link.strip() == "-" and _key(f"{before}-{number}") in known:
                continue  # named below, with its hyphen
            joined = _JOINED.match(text, item.end("number"))
            if joined and _key(number + joined[0]) in known:
                number += joined[0]
                stop = joined.end()
            between = _between(before, number, len(known)) if before and _RANGE.fullmatch(link) else ()
            for each in (*between, number):
                target = known.get(_key(each))
                if target is None and len(each) == 1 and each.isalpha() and not re.match(r"app", match[0], re.IGNORECASE):
                    continue
                if target is None and _is_of_another(text, match, kind, each, known):
                    continue
                start = item.end("link") if before else match.start()
                end = _end(text, start, max(item.end(), item.start("number") + len(number)))
                yield Mention(
                    component=component, start=start, end=end, text=text[start:end], kind=kind, number=each, target=target
                )
            before = number


def _end(text: str, start: int, end: int) -> int:
    """Return the end of a mention without a bracket that closes what was opened before it."""
    said = text[start:end]
    return end - 1 if said.endswith(")") and said.count(")") > said.count("(") else end


def _is_of_another(text: str, match: re.Match[str], kind: Kind, number: str, known: Mapping[str, str]) -> bool:
    """Return whether a number that leads nowhere names a part of another work."""
    if _OF_ANOTHER.match(text, match.end()) or _CITED.search(text, 0, match.start()):
        return True
    own = {count for key in known if (count := whole_number(key.split(".")[0])) is not None}
    first = number.split(".", maxsplit=1)[0]
    if kind not in ("section", "equation") or not first.isdecimal() or not own:
        return False
    count = whole_number(first)
    return count is None or count - max(own) > len(own)


def _between(first: str, last: str, most: int) -> tuple[str, ...]:
    """Return the numbers between two of one form that differ in their last count (``A.2`` to ``A.5``: ``A.3``, ``A.4``).

    None when there would be more than `most`: then it is no range of what the paper has.
    """
    a, b = re.fullmatch(r"(.*?)(\d+)", first), re.fullmatch(r"(.*?)(\d+)", last)
    if a and b and a[1] == b[1]:
        low, high = whole_number(a[2]), whole_number(b[2])
        if low is None or high is None:
            return ()
        return tuple(f"{a[1]}{n}" for n in range(low + 1, high)) if high - low <= most else ()
    if len(first) == 1 and len(last) == 1 and first.isalpha() and last.isalpha():
        return tuple(chr(c) for c in range(ord(first) + 1, ord(last))) if ord(last) - ord(first) <= most else ()
    return ()
