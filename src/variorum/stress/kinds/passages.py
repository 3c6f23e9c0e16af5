"""Searches for passages and papers: a sentence finds its passage, and what a paper says of itself finds the paper."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from variorum.document import TextComponent
from variorum.search import Hit
from variorum.stress.kinds.library_texts import (
    body,
    distinct_papers,
    is_of,
    plain,
    rank_of,
    sentences,
    spread,
    words_of,
)
from variorum.stress.kinds.saying import Judge, quoted
from variorum.stress.model import Assertion, Kind, LibrarySubject, PaperSubject, Severity

SENTENCES: Final = 3
"""Sentences asked for of each paper: early, in the middle, late."""
FIRST: Final = 3
"""Papers among which a sentence must find its own: who has the very words looks no further than that."""
HITS: Final = 5
"""Passages of each of these papers: neighbours share a sentence, and tables repeat what cites them."""
BY_MEANING: Final = 10
"""Papers among which vectors alone must find it: names and numbers, by which sentences differ, say little to a model."""
PHRASE_WORDS: Final = 12
"""Words of a question that is made of headings and captions: as many as a person would type, and some."""


def sentence_recall(subject: LibrarySubject) -> Iterator[Assertion]:
    """Yield for sentences of each paper whether they find a passage of it that has them, near the top."""
    for paper in distinct_papers(subject):
        judge = Judge(RECALL, Severity.MAJOR, paper.key)
        for at, (component, text) in enumerate(spread(sentences(body(paper.document)), SENTENCES), start=1):
            answer = subject.searcher.search(text, limit=FIRST, hits_a_paper=HITS)
            hits = [hit for found in answer.papers for hit in found.hits if is_of(hit, paper)]
            is_found = any(_has(hit, text, component.id) for hit in hits)
            place = f"the paper is at {rank_of(answer, paper) or 'none'} of the first {FIRST} papers"
            detail = f"{quoted(text)}: {'found' if is_found else 'no hit has it'}, {place}"
            page = component.provenance.page_num
            yield judge.says(f"sentence {at}", is_found, detail, page=page, component=component.id)


def meaning_recall(subject: LibrarySubject) -> Iterator[Assertion]:
    """Yield for a sentence of each paper whether it finds the paper by vectors alone; nothing where the index has none."""
    if not has_vectors(subject):
        return
    for paper in distinct_papers(subject):
        judge = Judge(MEANING, Severity.MAJOR, paper.key)
        for component, text in spread(sentences(body(paper.document)), 1):
            answer = subject.searcher.search(text, limit=BY_MEANING, hits_a_paper=HITS, by="vectors")
            rank = rank_of(answer, paper)
            detail = f"{quoted(text)}: the paper is at {rank or 'none'} of the first {BY_MEANING} by meaning"
            page = component.provenance.page_num
            yield judge.says("sentence", rank is not None, detail, page=page, component=component.id)


def title_ranking(subject: LibrarySubject) -> Iterator[Assertion]:
    """Yield for each paper that prints a title whether that finds it before all others."""
    for paper in distinct_papers(subject):
        title = paper.document.identity.title
        if len(words_of(title)) > 1:
            rank = rank_of(subject.searcher.search_topic(title, limit=FIRST), paper)
            detail = f"{quoted(title)}: the paper is at {rank or 'none'} of the first {FIRST}"
            yield Judge(TITLE, Severity.MAJOR, paper.key).says("title", rank == 1, detail)


def abstract_ranking(subject: LibrarySubject) -> Iterator[Assertion]:
    """Yield for each paper with an abstract whether the first sentence of it finds the paper before all others."""
    for paper in distinct_papers(subject):
        for _, text in sentences(_abstract(paper))[:1]:
            rank = rank_of(subject.searcher.search_topic(text, limit=FIRST), paper)
            detail = f"{quoted(text)}: the paper is at {rank or 'none'} of the first {FIRST}"
            yield Judge(RANKING, Severity.MAJOR, paper.key).says("abstract", rank == 1, detail)


def phrase_recall(subject: LibrarySubject) -> Iterator[Assertion]:
    """Yield for each paper whether words of its headings and captions, which are no sentence of it, find it near the top."""
    for paper in distinct_papers(subject):
        words = _told(paper)
        if len(words) > 2:
            question = " ".join(words)
            rank = rank_of(subject.searcher.search_topic(question, limit=FIRST), paper)
            detail = f"{quoted(question)}: the paper is at {rank or 'none'} of the first {FIRST}"
            yield Judge(PHRASE, Severity.MAJOR, paper.key).says("headings and captions", rank is not None, detail)


def has_vectors(subject: LibrarySubject) -> bool:
    """Return whether passages can be found by vectors: the index has some, and the searcher a model for questions."""
    paper = next(iter(subject.papers), None)
    if paper is None:
        return False
    return subject.searcher.search(paper.document.identity.title or paper.short_name, limit=1).mode != "words"


def _has(hit: Hit, text: str, component: str) -> bool:
    """Return whether a hit holds a sentence, or that part of it that fits into a passage, of the component."""
    if plain(text) in plain(hit.text):
        return True
    return any(span.component == component for span in hit.spans) and plain(hit.text) in plain(text)


def _abstract(paper: PaperSubject) -> list[TextComponent]:
    place = {c.id: i for i, c in enumerate(paper.document.components)}
    spans = [(place[s.first], place[s.last]) for s in paper.document.sections if s.label == "abstract"]
    return [c for first, last in spans for c in paper.document.components[first : last + 1] if c.kind == "paragraph"]


def _told(paper: PaperSubject) -> list[str]:
    """Return words of the headings and captions of a paper from all over it."""
    document = paper.document
    heads = [c.text for c in document.components if c.kind == "heading"]
    captions = [table.caption for table in document.tables] + [figure.caption for figure in document.figures]
    texts = [caption.text for caption in captions if caption is not None]
    words = words_of(" ".join([*heads[: len(heads) // 2 + 1], *texts]))
    return spread([word for word in words if word.isalpha()], PHRASE_WORDS)


RECALL: Final = "sentence recall"
MEANING: Final = "semantic recall"
TITLE: Final = "title ranking"
RANKING: Final = "abstract ranking"
PHRASE: Final = "phrase recall"

KINDS: Final = tuple(
    Kind(name=name, severity=Severity.MAJOR, asserts=asserts, scope="library", check=check)
    for name, asserts, check in (
        (RECALL, f"A sentence of a paper finds a passage that has it, in the first {FIRST} papers.", sentence_recall),
        (
            MEANING,
            f"A sentence finds its paper by vectors alone, in the first {BY_MEANING}, where there are vectors.",
            meaning_recall,
        ),
        (TITLE, "The title of a paper finds it before all others.", title_ranking),
        (RANKING, "The first sentence of an abstract finds its paper before all others.", abstract_ranking),
        (PHRASE, f"Words of headings and captions, no sentence of the paper, find it in the first {FIRST}.", phrase_recall),
    )
)
