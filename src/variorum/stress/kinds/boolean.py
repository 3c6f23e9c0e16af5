"""Boolean searches held against a plain scan of the texts, and questions of words that nobody wrote."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from variorum.search import Answer
from variorum.search.words import STOP_WORDS
from variorum.stress.kinds.saying import Judge, listed, quoted
from variorum.stress.kinds.texts_of_all import all_texts, body, distinct_papers, is_of, plain, sentences, spread
from variorum.stress.model import LIBRARY, Assertion, Kind, LibrarySubject, PaperSubject, Severity

WORDS: Final = 6
"""Words of the library that are combined: each with the next one by AND, OR and NOT."""
PHRASES: Final = 1
"""Phrases asked for of each paper."""
PHRASE_WORDS: Final = 5
"""Words of a phrase: so many stand together in one paper alone, mostly."""
_ALL: Final = 1000
_LEAST_LETTERS: Final = 5
"""A shorter word may be the stem of many."""
_LEAST_STEM: Final = 3
"""Letters at least that a stem has. A word is taken whose first half begins no other, since words of one stem find each other:
an ending such as that of `allowances` may be half of the word."""
NONSENSE: Final = ("zyxquorv", "blimfrax", "quondlewick", "vorpnagle", "jubtrastic", "mimsforth", "wexplaque", "gluntzerbo")
"""Words that nobody wrote; one that stands in the library after all is left out."""


@dataclass(frozen=True, slots=True)
class _Scan:
    """Which papers (by position) have which word in their text, and which have it anywhere, figures and margins with it."""

    papers: list[PaperSubject]
    body: list[set[str]]
    anywhere: list[set[str]]

    @classmethod
    def of(cls, subject: LibrarySubject) -> _Scan:
        """Return the scan of all papers."""
        papers = distinct_papers(subject)
        inside = [set(plain(" ".join(c.text for c in body(p.document))).split()) for p in papers]
        return cls(papers, inside, [set(plain(" ".join(all_texts(p.document))).split()) for p in papers])

    def having(self, word: str) -> set[int]:
        """Return the papers whose text has the word."""
        return {i for i, words in enumerate(self.body) if word in words}

    def plain_words(self) -> list[str]:
        """Return words on which index and scan cannot differ: none stands in margins alone, none has its stem from another.

        They stand in several papers and not in all, the most frequent first.
        """
        every = Counter(word for words in self.anywhere for word in words)
        beginnings = Counter(word[:end] for word in every for end in range(_LEAST_STEM, len(word) + 1))
        kept = [
            word
            for word, count in every.items()
            if 1 < count < len(self.papers)
            and len(word) >= _LEAST_LETTERS
            and word.isascii()
            and word.isalpha()
            and word not in STOP_WORDS
            and beginnings[word[: max(_LEAST_STEM, (len(word) + 1) // 2)]] == 1
            and len(self.having(word)) == count
        ]
        return sorted(kept, key=lambda word: (-every[word], word))


def boolean_operators(subject: LibrarySubject) -> Iterator[Assertion]:
    """Yield for pairs of words of the library whether AND, OR and NOT find the papers that a plain scan finds."""
    scan = _Scan.of(subject)
    words = spread(scan.plain_words(), WORDS)
    judge = Judge(BOOLEAN, Severity.MAJOR, LIBRARY)
    for one, other in pairwise(words):
        a, b = scan.having(one), scan.having(other)
        for expression, wanted in (
            (f"{one} AND {other}", a & b),
            (f"{one} OR {other}", a | b),
            (f"{one} AND NOT {other}", a - b),
            (f"({one} OR {other}) AND NOT ({one} AND {other})", a ^ b),
        ):
            answer = subject.searcher.search_boolean(expression, limit=_ALL)
            found = _papers(answer, scan.papers)
            yield judge.says(expression, found == wanted, _difference(scan, wanted, found))


def phrases(subject: LibrarySubject) -> Iterator[Assertion]:
    """Yield for phrases of each paper whether the search for one finds the papers that have these words in a row."""
    papers = distinct_papers(subject)
    scanned = [[plain(c.text) for c in p.document.components if c.kind != "furniture"] for p in papers]
    for at, paper in enumerate(papers):
        judge = Judge(PHRASE, Severity.MAJOR, paper.key)
        for _, text in spread(sentences(body(paper.document)), PHRASES):
            words = " ".join(plain(text).split()[:PHRASE_WORDS])
            wanted = {i for i, texts in enumerate(scanned) if any(f" {words} " in f" {t} " for t in texts)}
            found = _papers(subject.searcher.search_boolean(f'"{words}"', limit=_ALL), papers)
            detail = f"“{words}”: {len(found)} papers found, {len(wanted)} have it"
            yield judge.says("phrase", at in found and wanted <= found, detail)


def nonsense(subject: LibrarySubject) -> Iterator[Assertion]:
    """Yield for words that nobody wrote whether no search by words finds anything, and a search by meaning says so."""
    known = set().union(*(plain(" ".join(all_texts(p.document))).split() for p in subject.papers), ())
    words = [word for word in NONSENSE if word not in known]
    judge = Judge(NOTHING, Severity.MAJOR, LIBRARY)
    for one, other in pairwise(words):
        question = f"{one} {other}"
        for name, answer in (
            (f"{question} (words)", subject.searcher.search(question, by="words")),
            (f"{one} AND {other}", subject.searcher.search_boolean(f"{one} AND {other}")),
            (f"{one} OR {other}", subject.searcher.search_boolean(f"{one} OR {other}")),
        ):
            yield judge.says(name, not answer.papers, f"{len(answer.papers)} papers found")
        answer = subject.searcher.search(question)
        is_said = not answer.papers or answer.mode == "vectors"
        yield judge.says(question, is_said, f"{len(answer.papers)} papers found by {answer.mode}")


def _papers(answer: Answer, papers: list[PaperSubject]) -> set[int]:
    """Return the positions of the papers that an answer has."""
    return {i for i, paper in enumerate(papers) if any(is_of(hit, paper) for found in answer.papers for hit in found.hits)}


def _difference(scan: _Scan, wanted: set[int], found: set[int]) -> str:
    keys = [paper.key for paper in scan.papers]
    lost, more = [keys[i] for i in sorted(wanted - found)], [keys[i] for i in sorted(found - wanted)]
    said = [f"expected {len(wanted)} papers, found {len(found)}"]
    said += [f"not found: {listed(map(quoted, lost))}"] if lost else []
    said += [f"too many: {listed(map(quoted, more))}"] if more else []
    return "; ".join(said)


BOOLEAN: Final = "boolean search"
PHRASE: Final = "phrase search"
NOTHING: Final = "nonsense query"

KINDS: Final = tuple(
    Kind(name=name, severity=Severity.MAJOR, asserts=asserts, scope="library", check=check)
    for name, asserts, check in (
        (BOOLEAN, "AND, OR, NOT and brackets find the papers that a plain scan of the texts finds.", boolean_operators),
        (PHRASE, "A phrase in quotes finds every paper that has these words in a row.", phrases),
        (NOTHING, "Words that nobody wrote find nothing by words, and a search by meaning says that it was one.", nonsense),
    )
)
