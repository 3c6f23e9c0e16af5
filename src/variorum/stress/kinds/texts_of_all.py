"""The library as the kinds of search see it: whose document a hit is of, and the texts and words of each paper.

Everything here comes from the documents, not from the index: what a search says is held against it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, TypeVar

from variorum.document import Document, TextComponent
from variorum.search import Answer, FoundPaper, Hit
from variorum.search.sentences import sentence_spans
from variorum.search.words import STOP_WORDS, search_form
from variorum.stress.model import LibrarySubject, PaperSubject

T = TypeVar("T")
_WORD: Final = re.compile(r"[^\W_]+")
_BODY: Final = ("paragraph", "list_item")
_LEAST_WORDS: Final = 8
"""Different words that say something in a sentence that is asked for: with fewer it could stand in any paper."""
_MOST_WORDS: Final = 60
"""A longer one is a list or a formula."""
_LETTERS_SHARE: Final = 0.8
"""Of a sentence's signs but spaces, so many are letters: else it is a formula."""


def plain(text: str) -> str:
    """Return a text in the form in which two are compared: its words in search form, one space between them."""
    return " ".join(_WORD.findall(search_form(text)))


def words_of(text: str) -> list[str]:
    """Return the words of a text that say something, in search form, each once, in order."""
    return list(dict.fromkeys(w for w in _WORD.findall(search_form(text)) if w not in STOP_WORDS and len(w) > 1))


def is_of(hit: Hit, paper: PaperSubject) -> bool:
    """Return whether a hit is of the document of a paper."""
    return hit.document is not None and paper.document.sha256.startswith(hit.document)


def rank_of(answer: Answer, paper: PaperSubject, twins: Sequence[PaperSubject] = ()) -> int | None:
    """Return at which place, from 1, an answer has a paper; None where it does not. Twins before it are not counted."""
    others = [found for found in answer.papers if not any(holds(found, twin) for twin in twins)]
    return next((at for at, found in enumerate(others, start=1) if holds(found, paper)), None)


def twins_of(paper: PaperSubject, papers: Sequence[PaperSubject]) -> list[PaperSubject]:
    """Return the other papers that print the same title: another version of it."""
    title = plain(paper.document.identity.title)
    return [p for p in papers if p is not paper and title and plain(p.document.identity.title) == title]


def holds(found: FoundPaper, paper: PaperSubject) -> bool:
    """Return whether a paper that was found is this one."""
    return any(is_of(hit, paper) for hit in found.hits)


def distinct_papers(subject: LibrarySubject) -> list[PaperSubject]:
    """Return the papers whose document is that of no paper before: a file that is there twice is one document."""
    return list({paper.document.sha256: paper for paper in reversed(subject.papers)}.values())[::-1]


def body(document: Document) -> list[TextComponent]:
    """Return the components of the running text, those of the references left out."""
    place = {c.id: i for i, c in enumerate(document.components)}
    apart = [(place[s.first], place[s.last]) for s in document.sections if s.label == "references"]
    return [
        c for i, c in enumerate(document.components) if c.kind in _BODY and not any(first <= i <= last for first, last in apart)
    ]


def sentences(components: Sequence[TextComponent]) -> list[tuple[TextComponent, str]]:
    """Return the sentences of components that can be asked for, in order: prose of some length."""
    found = []
    for component in components:
        for start, end in sentence_spans(component.text):
            text = component.text[start:end].strip()
            signs = [c for c in text if not c.isspace()]
            is_prose = len(text.split()) <= _MOST_WORDS and sum(map(str.isalpha, signs)) >= _LETTERS_SHARE * len(signs)
            if is_prose and len(words_of(text)) >= _LEAST_WORDS:
                found.append((component, text))
    return found


def spread(items: Sequence[T], count: int) -> list[T]:
    """Return `count` of the items, evenly spread over them, or all where there are no more."""
    return list(items) if len(items) <= count else [items[(2 * i + 1) * len(items) // (2 * count)] for i in range(count)]


def all_texts(document: Document) -> Iterator[str]:
    """Yield every text of a document: components, cells, captions, notes, and the words inside figures."""
    for component in document.components:
        yield component.text
    for table in document.tables:
        yield from (cell.text for cell in table.cells)
        yield from table.footnotes
        yield from (part.caption.text for part in table.parts if part.caption is not None)
        yield table.caption.text if table.caption is not None else ""
    for figure in document.figures:
        yield figure.text
        yield figure.caption.text if figure.caption is not None else ""
