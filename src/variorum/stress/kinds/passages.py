"""Searches for passages and papers: a sentence finds its passage, and what a paper says of itself finds the paper."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final

from variorum.document import TextComponent
from variorum.search import Hit
from variorum.search.retrieval import HITS_A_PAPER, PAPERS
from variorum.stress.kinds.saying import Judge, quoted
from variorum.stress.kinds.texts_of_all import (
    body,
    distinct_papers,
    is_of,
    plain,
    rank_of,
    sentences,
    spread,
    twins_of,
    words_of,
)
from variorum.stress.model import Assertion, Kind, LibrarySubject, PaperSubject, Severity

SENTENCES: Final = 3
"""Sentences asked for of each paper: early, in the middle, late."""
FIRST: Final = 3
"""Papers among which one must be that is asked for by what it says of itself."""
PHRASE_WORDS: Final = 12
"""Words of a question that is made of headings and captions: as many as a person would type, and some."""
LEAST_PHRASE: Final = 4
"""Words that such a question has at least: fewer are no subject."""
RARE: Final = 0.05
"""Share of the papers in which such a word may stand: what journals have all their authors write tells none from the others."""


def sentence_recall(subject: LibrarySubject) -> Iterator[Assertion]:
    """Yield for sentences of each paper whether they find a passage of it that has them, in the answer that a search gives
    when it is not asked for more."""
    for paper in distinct_papers(subject):
        judge = Judge(RECALL, Severity.MAJOR, paper.key)
        for at, (component, text) in enumerate(spread(sentences(body(paper.document)), SENTENCES), start=1):
            answer = subject.searcher.search(text, limit=PAPERS, hits_a_paper=HITS_A_PAPER)
            hits = [hit for found in answer.papers for hit in found.hits if is_of(hit, paper)]
            is_found = any(_has(hit, text, component.id) for hit in hits)
            place = f"the paper is at {rank_of(answer, paper) or 'none'} of the first {PAPERS} papers"
            detail = f"{quoted(text)}: {'found' if is_found else 'no hit has it'}, {place}"
            page = component.provenance.page_num
            yield judge.says(f"sentence {at}", is_found, detail, page=page, component=component.id)


def meaning_recall(subject: LibrarySubject) -> Iterator[Assertion]:
    """Yield for a sentence of each paper whether it finds the paper by vectors alone; nothing where the index has none."""
    if not has_vectors(subject):
        return
    papers = distinct_papers(subject)
    for paper in papers:
        judge = Judge(MEANING, Severity.MAJOR, paper.key)
        for component, text in spread(sentences(body(paper.document)), 1):
            answer = subject.searcher.search(text, limit=PAPERS, by="vectors")
            ranks = [rank_of(answer, each) for each in (paper, *twins_of(paper, papers))]
            rank = min(filter(None, ranks), default=None)
            detail = f"{quoted(text)}: the paper is at {rank or 'none'} of the first {PAPERS} by meaning"
            page = component.provenance.page_num
            yield judge.says("sentence", rank is not None, detail, page=page, component=component.id)


def title_ranking(subject: LibrarySubject) -> Iterator[Assertion]:
    """Yield for each paper that prints a title whether that finds it before all others."""
    papers = distinct_papers(subject)
    for paper in papers:
        title = paper.document.identity.title
        if len(words_of(title)) > 1:
            rank = rank_of(subject.searcher.search_topic(title, limit=FIRST), paper, twins_of(paper, papers))
            detail = f"{quoted(title)}: the paper is at {rank or 'none'} of the first {FIRST}"
            yield Judge(TITLE, Severity.MAJOR, paper.key).says("title", rank == 1, detail)


def abstract_ranking(subject: LibrarySubject) -> Iterator[Assertion]:
    """Yield for each paper with an abstract whether the first sentence of it finds the paper before all others."""
    papers = distinct_papers(subject)
    for paper in papers:
        for _, text in sentences(_abstract(paper))[:1]:
            rank = rank_of(subject.searcher.search_topic(text, limit=FIRST), paper, twins_of(paper, papers))
            detail = f"{quoted(text)}: the paper is at {rank or 'none'} of the first {FIRST}"
            yield Judge(RANKING, Severity.MAJOR, paper.key).says("abstract", rank == 1, detail)


def phrase_recall(subject: LibrarySubject) -> Iterator[Assertion]:
    """Yield for each paper whether words of its headings and captions, which are no sentence of it, find it near the top."""
    papers = distinct_papers(subject)
    told = [_told(paper) for paper in papers]
    counts = Counter(word for texts in told for word in {word for words in texts for word in words})
    rare = {word for word, count in counts.items() if count <= max(1, RARE * len(papers))}
    for paper, texts in zip(papers, told, strict=True):
        words = _phrase(texts, rare)
        if len(words) >= LEAST_PHRASE:
            question = " ".join(words)
            rank = rank_of(subject.searcher.search_topic(question, limit=FIRST), paper, twins_of(paper, papers))
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


def _has_abstract(paper: PaperSubject) -> bool:
    return paper.truth is not None and bool(paper.truth.abstract)


def _abstract(paper: PaperSubject) -> list[TextComponent]:
    """Return the paragraphs of the abstract, where the paper calls it so or the truth has one."""
    place = {c.id: i for i, c in enumerate(paper.document.components)}
    own = [s for s in paper.document.sections if s.label == "abstract" and (s.heading is not None or _has_abstract(paper))]
    spans = [(place[s.first], place[s.last]) for s in own]
    return [c for first, last in spans for c in paper.document.components[first : last + 1] if c.kind == "paragraph"]


def _told(paper: PaperSubject) -> list[list[str]]:
    """Return the words of each heading, then those of each caption of a paper; none with a digit."""
    document = paper.document
    captions = [table.caption for table in document.tables] + [figure.caption for figure in document.figures]
    heads = [c.text for c in document.components if c.kind == "heading"]
    texts = [*heads, *(caption.text for caption in captions if caption is not None)]
    return [[word for word in words_of(text) if word.isalpha()] for text in texts]


def _phrase(told: list[list[str]], rare: set[str]) -> list[str]:
    """Return the rare words of those two headings and captions that have most of them."""
    own = [[word for word in words if word in rare] for words in told]
    best = sorted(own, key=len, reverse=True)[:2]
    return list(dict.fromkeys(word for words in best for word in words[: PHRASE_WORDS // 2]))


RECALL: Final = "sentence recall"
MEANING: Final = "semantic recall"
TITLE: Final = "title ranking"
RANKING: Final = "abstract ranking"
PHRASE: Final = "phrase recall"

KINDS: Final = tuple(
    Kind(name=name, severity=Severity.MAJOR, asserts=asserts, scope="library", check=check)
    for name, asserts, check in (
        (
            RECALL,
            f"A sentence of a paper finds a passage that has it: the first {HITS_A_PAPER} of the first {PAPERS} papers.",
            sentence_recall,
        ),
        (
            MEANING,
            f"A sentence finds its paper by vectors alone, in the first {PAPERS}, where there are vectors.",
            meaning_recall,
        ),
        (TITLE, "The title of a paper finds it before all others.", title_ranking),
        (RANKING, "The first sentence of an abstract finds its paper before all others.", abstract_ranking),
        (
            PHRASE,
            f"Rare words of headings and captions, no sentence of the paper, find it in the first {FIRST}.",
            phrase_recall,
        ),
    )
)
