"""Citations by name and year: ``(Smith, 2019; Lee et al., 2020a)``, ``Smith and Lee (2019)``, ``Smith’s (2019, 2021)``."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from typing import Final

from variorum.document.paper_model import BibliographyEntry, Citation

_YEAR: Final = r"(?:(?:1[6-9]|20)\d\d[a-z]?(?:[–-]\d\d(?:\d\d)?)?|n\.\s?d\.(?:-?[a-z])?|in press|forthcoming)"
_YEARS: Final = rf"{_YEAR}(?:\s?(?:,|;|and|&)\s?(?:{_YEAR}|[a-z](?![^\W_])))*"
_WORD: Final = r"(?:(?:[dDlL]|O)['’])?[^\W\d_a-zß-öø-ÿ][\w¨´˝˜ˇ]*(?:[-–'’.@][^\W\d_][\w¨´˝˜ˇ]*)*[*∗†‡]?"
_PARTICLE: Final = (
    r"(?:van|von|de|der|den|del|della|di|da|dos|du|la|le|ten|ter|bin|al|Van|Von|De|Der|Den|Del|Di|Da|Du|La|Le|El|Al)"
)
_NAME: Final = rf"(?:[A-Z]\.\s?)*(?:{_PARTICLE}[\s-])*{_WORD}(?:\s(?:{_PARTICLE}\s|of\s|the\s|for\s)*{_WORD})*"
_ET_AL: Final = r"(?:,?\s(?:et\s?al\.?|and\s(?:others|colleagues|co-?workers)))?"
_AUTHORS: Final = rf"{_NAME}(?:,\s(?:{_NAME}|(?:[A-Z]\.[\s-]?)+(?=[,\s])))*(?:,?\s(?:and|&|und)\s(?:{_NAME}))?{_ET_AL}"
_BRACKETED: Final = re.compile(rf"[(\[]([^()\[\]]*?{_YEAR}[^()\[\]]*)[)\]]")
_INSIDE: Final = re.compile(rf"(?P<authors>{_AUTHORS}),?\s?\(?(?P<years>{_YEARS})\)?")
_YEARS_IN_BRACKETS: Final = re.compile(rf"(?:['’]s?)?\s?[(\[](?P<years>{_YEARS})(?:[,;]?\s?[^()\[\]]*)[)\]]")
_IN_NAMES: Final = re.compile(rf"(?:{_PARTICLE}|and|&|und|et|al\.?|others|colleagues|co-?workers|of|the|for|{_WORD}|[A-Z]\.),?")
_QUOTED: Final = re.compile(rf"[“\"](?P<name>[^“”\"]+?),?[”\"]\s\((?P<years>{_YEARS})\)")
_PARTS: Final = re.compile(rf";(?!\s?(?:[a-z]|{_YEAR})(?![^\W_]))")
_WHOLE: Final = re.compile(rf"\s*(?:(?:see|e\.g\.|cf\.),?\s)?[“\"]?(?P<name>[^;]+?)[,”\"]*\s(?P<years>{_YEARS})\s*")
_ANY_YEAR: Final = re.compile(_YEAR)
_SURELY: Final = re.compile(rf"{_WORD}(?:(?:,\s[A-Z]\.)*,?\s(?:et\s?al\.?)|\s(?:and|&)\s{_WORD}),?\s\(?{_YEAR}")
_NO_NAME: Final = re.compile(r"(?:and|&|und|et|al\.?),?")
_POSSESSIVE: Final = re.compile(r"['’]s?$")


class AuthorYear:
    """The entries of a list, to be found by surname and year."""

    def __init__(self, entries: Sequence[BibliographyEntry]) -> None:
        self._by_name: dict[str, list[tuple[str, BibliographyEntry]]] = {}
        for entry in entries:
            if not entry.authors:
                continue
            surname, comma, _ = entry.authors[0].partition(",")
            words = _folded(surname).split()
            for key in {" ".join(words), " ".join(words[-1:] if comma else words)}:  # of a double name the last may be cited
                self._by_name.setdefault(key, []).append((_folded(entry.year or ""), entry))
        self._longest = max((len(key.split()) for key in self._by_name), default=0)

    def citations(self, texts: Sequence[tuple[str, str]]) -> Iterator[Citation]:
        """Yield the citations of texts in order, those in brackets as one with all their entries."""
        for component, text in texts:
            if _ANY_YEAR.search(text) is None:
                continue
            taken: list[Citation] = []
            behind = 0
            for match in _YEARS_IN_BRACKETS.finditer(text):
                first = behind + _names_before(text[behind : match.start()])
                found = self._resolved(text[first : match.start()], match["years"])
                if found is not None:
                    offset, targets = found
                    taken.append(_citation(component, text, first + offset, match.end(), targets))
                behind = match.end()
            for match in _QUOTED.finditer(text):
                targets = self._entries(match["name"], match["name"], match["years"])
                if targets:
                    taken.append(_citation(component, text, match.start(), match.end(), targets))
            for match in _BRACKETED.finditer(text):
                if any(c.start < match.end() and match.start() < c.end for c in taken):
                    continue
                targets = tuple(dict.fromkeys(t for part in _PARTS.split(match[1]) for t in self._of_part(part)))
                if targets or _SURELY.search(match[1]):
                    taken.append(_citation(component, text, match.start(), match.end(), targets))
            yield from sorted(taken, key=lambda c: c.start)

    def _of_part(self, part: str) -> Iterator[str]:
        """Yield the entries that a part of a mark names: all names with years, or a whole title or body in place of names."""
        found = [t for m in _INSIDE.finditer(part) if (r := self._resolved(m["authors"], m["years"])) for t in r[1]]
        whole = _WHOLE.fullmatch(part)
        if not found and whole:
            found = list(self._entries(whole["name"], whole["name"], whole["years"]))
        yield from found

    def _resolved(self, authors: str, years: str) -> tuple[int, tuple[str, ...]] | None:
        """Return where in the words before the years the names of known authors begin, and the entries; None without any."""
        words = list(re.finditer(r"\S+", authors))
        end = len(words)
        ends = [
            end := i if _NO_NAME.fullmatch(w[0]) else i + 1 if w[0].endswith(",") else end
            for i, w in reversed([*enumerate(words)])
        ]
        for i, (word, last) in enumerate(zip(words, reversed(ends), strict=True)):
            if not 0 < last - i <= self._longest:
                continue
            first = authors[word.start() : words[last - 1].end()]
            targets = self._entries(_POSSESSIVE.sub("", first), authors[word.start() :], years)
            if targets:
                return word.start(), targets
        return None

    def _entries(self, first: str, named: str, years: str) -> tuple[str, ...]:
        candidates = self._by_name.get(_folded(first), ())
        out: list[str] = []
        for year in _single_years(years):
            fit = [e for y, e in candidates if y == year] or [e for y, e in candidates if y.rstrip("abcdefgh") == year]
            if len(fit) > 1:
                fit = _of_coauthors(fit, named) or fit[:1]
            out.extend(e.id for e in fit[:1])
        return tuple(dict.fromkeys(out))


def _of_coauthors(entries: Sequence[BibliographyEntry], named: str) -> list[BibliographyEntry]:
    """Return the entries whose further authors fit the names: those that are named, or more than two for ``et al.``"""
    others = [_folded(n) for n in re.split(r",\s|\s(?:and|&|und)\s", re.sub(r",?\set\s?al.*$", "", named))[1:]]
    is_et_al = re.search(r"et\s?al|others", named) is not None
    out = []
    for entry in entries:
        surnames = [_folded(a.split(",")[0]) for a in entry.authors]
        count = len(surnames) > 2 if is_et_al else len(surnames) == len(others) + 1
        if all(any(o == s or s.endswith(o) for s in surnames[1:]) for o in others) and (count or is_et_al):
            out.append((not count, entry))
    return [e for _, e in sorted(out, key=lambda t: t[0])]


def _single_years(years: str) -> Iterator[str]:
    """Yield each year of ``2019, 2020a, b`` folded, with its letter."""
    last = ""
    for item in re.finditer(rf"{_YEAR}|(?<![^\W_])[a-z](?![^\W_])", years):
        if item[0][:1].isdigit() or len(item[0]) > 1:
            last = item[0]
            yield _folded(last)
        elif last:
            yield _folded(last.rstrip("abcdefgh") + item[0])


def _names_before(text: str) -> int:
    """Return where the names with which a text ends begin: words in capitals, particles, and what joins them; a bracket or
    quotation mark that opens is before them."""
    begins = len(text)
    for token in reversed(list(re.finditer(r"[^\s(\[“\"]+", text))):
        if _IN_NAMES.fullmatch(token[0]) is None:
            break
        begins = token.start()
        if text[begins - 1 : begins].strip():
            break
    return begins


def _folded(text: str) -> str:
    """Return text without accents, case and signs."""
    plain = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
    return " ".join(re.sub(r"[^\w\s]|_", "", plain.casefold()).split())


def _citation(component: str, text: str, start: int, end: int, targets: tuple[str, ...]) -> Citation:
    return Citation(component=component, start=start, end=end, text=text[start:end], style="author-year", targets=targets)
