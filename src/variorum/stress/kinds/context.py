"""What stands around a passage, and how passages are cut: neighbours follow each other, every word is in one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from variorum.errors import UsageError
from variorum.search import Hit
from variorum.search.lookup import REFERENCE_DIGITS
from variorum.stress.kinds.saying import Judge, listed, quoted
from variorum.stress.kinds.texts_of_all import body, distinct_papers, plain, spread
from variorum.stress.model import Assertion, Kind, LibrarySubject, PaperSubject, Severity

PASSAGES: Final = 2
"""Passages of each paper whose neighbours are looked at: one early, one late."""
MOST_WORDS: Final = 260
"""Words that a passage may have: models take 256 tokens, and a word is at least one."""
LEAST_SHARE: Final = 0.25
"""Passages may be as many as fill this share of their room: sections end where they end, and each begins a passage."""
_FAR: Final = 1000
"""Passages asked for behind the first: all of a paper."""


def context_expansion(subject: LibrarySubject) -> Iterator[Assertion]:
    """Yield for passages of each paper whether those around one are its neighbours in the text, in order, itself among them."""
    for paper in distinct_papers(subject):
        judge = Judge(CONTEXT, Severity.MAJOR, paper.key)
        order = {c.id: i for i, c in enumerate(paper.document.components)}
        passages = _passages(subject, paper)
        for at, hit in enumerate(spread(passages, PASSAGES), start=1):
            around = subject.searcher.context(hit.chunk, before=1, after=1)
            wrong = _wrong_neighbours(hit, around, passages, order)
            page = hit.page_num
            yield judge.says(
                f"passage {at}", not wrong, wrong or f"{len(around)} passages around {quoted(hit.text)}", page=page
            )


def chunk_counts(subject: LibrarySubject) -> Iterator[Assertion]:
    """Yield for each paper whether its text is cut into as many passages as its length asks for."""
    for paper in distinct_papers(subject):
        passages = _passages(subject, paper)
        words = sum(len(c.text.split()) for c in paper.document.components if c.kind not in ("furniture", "caption"))
        starts = len(paper.document.sections) + 1
        least = words / MOST_WORDS
        most = words / (MOST_WORDS * LEAST_SHARE) + starts
        if words:
            detail = f"{len(passages)} passages of {words} words, expected {least:.0f} to {most:.0f}"
            yield Judge(COUNT, Severity.MINOR, paper.key).says("passages", least <= len(passages) <= most, detail)


def text_in_chunks(subject: LibrarySubject) -> Iterator[Assertion]:
    """Yield for each paper whether every paragraph of it stands in its passages, whole."""
    for paper in distinct_papers(subject):
        held: dict[str, list[tuple[int, int]]] = {}
        for hit in _passages(subject, paper):
            for span in hit.spans:
                held.setdefault(span.component, []).append((span.start, span.end))
        texts = [c for c in body(paper.document) if plain(c.text)]
        lost = [c for c in texts if not _is_covered(c.text, held.get(c.id, []))]
        said = listed(f"{c.id} {quoted(c.text)}" for c in lost) if lost else f"{len(texts)} paragraphs"
        page = lost[0].provenance.page_num if lost else None
        if texts:
            yield Judge(COVERED, Severity.MAJOR, paper.key).says("paragraphs", not lost, said, page=page)


def _passages(subject: LibrarySubject, paper: PaperSubject) -> list[Hit]:
    """Return all passages of a paper in reading order: those around its first one."""
    first = f"{paper.document.sha256[:REFERENCE_DIGITS]}:0"
    try:
        around = subject.searcher.context(first, before=0, after=_FAR)
    except UsageError:  # a paper of which nothing is in the index
        return []
    return [hit for hit in around if hit.kind == "passage"]


def _wrong_neighbours(hit: Hit, around: tuple[Hit, ...], passages: list[Hit], order: dict[str, int]) -> str:
    """Return what is wrong with the passages around one; empty for nothing."""
    chunks = [each.chunk for each in around]
    if hit.chunk not in chunks:
        return f"{quoted(hit.text)} is not among those around it"
    at = [each.chunk for each in passages].index(hit.chunk)
    wanted = [each.chunk for each in passages[max(0, at - 1) : at + 2]]
    if chunks != wanted:
        return f"expected the passages {', '.join(wanted)}, found {', '.join(chunks)}"
    places = [(order[span.component], span.end) for each in around for span in each.spans[-1:]]
    return "" if places == sorted(places) else f"the passages around {quoted(hit.text)} are not in the order of the text"


def _is_covered(text: str, spans: list[tuple[int, int]]) -> bool:
    reached = 0
    for start, end in sorted(spans):
        if start > reached and text[reached:start].strip():
            return False
        reached = max(reached, end)
    return not text[reached:].strip()


CONTEXT: Final = "context expansion"
COUNT: Final = "chunk count"
COVERED: Final = "text in chunks"

KINDS: Final = tuple(
    Kind(name=name, severity=severity, asserts=asserts, scope="library", check=check)
    for name, severity, asserts, check in (
        (CONTEXT, Severity.MAJOR, "The passages around one are its neighbours in the text, in order.", context_expansion),
        (COUNT, Severity.MINOR, "A paper is cut into as many passages as its length asks for.", chunk_counts),
        (COVERED, Severity.MAJOR, "Every paragraph of a paper stands in its passages, whole.", text_in_chunks),
    )
)
