"""Searches with AND, OR, NOT, brackets and phrases: read into a tree, and answered by sets.

    expression = alternative (OR alternative)*        alternative = factor ((AND)? factor)*
    factor = NOT factor | ( expression ) | "phrase" | word | word*

AND binds closer than OR; two terms side by side must both be there. Operators may be written small; in quotes they are words. A
word with ``*`` behind it stands for all that begin so. A word that begins with a minus is refused: elsewhere that means NOT.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final, Literal

from variorum.errors import UsageError
from variorum.search.words import phrase, search_form

_TOKEN: Final = re.compile(r'\s*(?:(?P<open>\()|(?P<close>\))|"(?P<phrase>[^"]*)"|(?P<quote>")|(?P<word>[^\s()"]+))')
_OPERATORS: Final = ("AND", "OR", "NOT")
_SHOWN: Final = 60
"""Characters that an error shows on each side of a fault."""
_DEEPEST: Final = 100
_HINT: Final = 'terms with AND, OR, NOT and brackets: (attention OR "self-attention") AND NOT recurrent'


@dataclass(frozen=True, slots=True)
class Term:
    """A word, a phrase, or the beginning of a word; `match` is the same in FTS5's language."""

    text: str
    match: str


@dataclass(frozen=True, slots=True)
class Not:
    """All that its part does not have."""

    part: Expression


@dataclass(frozen=True, slots=True)
class Joined:
    """All that has every part (``and``), or any of them (``or``)."""

    how: Literal["and", "or"]
    parts: tuple[Expression, ...]


Expression = Term | Not | Joined


def parse_boolean(text: str) -> Expression:
    """Return the tree of an expression; raises UsageError that points at the place of a fault."""
    parser = _Parser(text)
    found = parser.expression(0)
    if parser.kind:
        raise parser.fault("an opening bracket for this one is missing" if parser.kind == "close" else "this was not expected")
    if not any(positive_terms(found)):
        raise UsageError("the search only says what is not wanted", where="question", hint="a term that is wanted, before NOT")
    return found


def positive_terms(expression: Expression, *, wanted: bool = True) -> Iterator[Term]:
    """Yield the terms that are wanted, not those under a NOT."""
    match expression:
        case Term():
            if wanted:
                yield expression
        case Not(part):
            yield from positive_terms(part, wanted=not wanted)
        case Joined(_, parts):
            for part in parts:
                yield from positive_terms(part, wanted=wanted)


def answer(expression: Expression, having: Callable[[Term], set[int]], everything: Callable[[], set[int]]) -> set[int]:
    """Return the members that fit: `having` gives those that have a term, `everything` all that there are."""
    match expression:
        case Term():
            return having(expression)
        case Not(part):
            return everything() - answer(part, having, everything)
        case Joined(how, parts):
            sets = [answer(part, having, everything) for part in parts]
            return set.intersection(*sets) if how == "and" else set.union(*sets)


class _Parser:
    """A reader of one token ahead: its `kind` is empty at the end."""

    def __init__(self, text: str) -> None:
        self._text = text.rstrip()
        self._end = 0
        self.kind = ""
        self.value = ""
        self._start = 0
        self._advance()

    def _advance(self) -> None:
        match = _TOKEN.match(self._text, self._end)
        if match is None:
            self.kind, self.value, self._start = "", "", len(self._text)
            return
        self.kind = str(match.lastgroup)
        self.value = match[self.kind]
        self._start, self._end = match.end() - len(match[0].lstrip()), match.end()
        if self.kind == "word" and self.value.upper() in _OPERATORS:
            self.kind = self.value.upper()

    def fault(self, what: str) -> UsageError:
        """Return the error that points at the present token."""
        before, after = self._text[: self._start], self._text[self._start :]
        before = f"…{before[-_SHOWN:]}" if len(before) > _SHOWN else before
        after = f"{after[:_SHOWN]}…" if len(after) > _SHOWN else after
        return UsageError(f"{what}, at character {self._start + 1}: {before}▸{after}", hint=_HINT)

    def expression(self, depth: int) -> Expression:
        """Return alternatives joined by OR."""
        if depth > _DEEPEST:
            raise self.fault("brackets are nested too deep")
        parts = [self._all(depth)]
        while self.kind == "OR":
            self._advance()
            parts.append(self._all(depth))
        return parts[0] if len(parts) == 1 else Joined("or", tuple(parts))

    def _all(self, depth: int) -> Expression:
        parts = [self._factor(depth)]
        while self.kind and self.kind not in ("OR", "close"):
            if self.kind == "AND":
                self._advance()
            parts.append(self._factor(depth))
        return parts[0] if len(parts) == 1 else Joined("and", tuple(parts))

    def _factor(self, depth: int) -> Expression:
        match self.kind:
            case "NOT":
                self._advance()
                if depth > _DEEPEST:
                    raise self.fault("NOT stands too often")
                return Not(self._factor(depth + 1))
            case "open":
                self._advance()
                inner = self.expression(depth + 1)
                self._close()
                return inner
            case "phrase" | "word":
                if self.kind == "word" and self.value.startswith("-"):
                    raise self.fault("a minus does not leave out what follows: write NOT, or the term in quotes")
                term = self._term()
                self._advance()
                return term
            case "quote":
                raise self.fault("the phrase that begins here has no end")
        raise self.fault("a term was expected" if self.kind else "a term is missing")

    def _close(self) -> None:
        if self.kind != "close":
            raise self.fault("a closing bracket is missing")
        self._advance()

    def _term(self) -> Term:
        is_beginning = self.kind == "word" and self.value.endswith("*")
        words = " ".join(search_form(self.value.rstrip("*") if is_beginning else self.value).split())
        if not any(map(str.isalnum, words)):
            raise self.fault("this has no word to look for")
        return Term(self.value, phrase(words) + ("*" if is_beginning else ""))
