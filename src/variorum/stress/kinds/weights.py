"""Whether the weights of a ranking have the effect that is configured."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from variorum.search import Answer, Hit, Ranking, Searcher
from variorum.stress.kinds.saying import Judge, quoted
from variorum.stress.kinds.texts_of_all import body, distinct_papers, sentences, spread
from variorum.stress.model import LIBRARY, Assertion, Kind, LibrarySubject, Severity

QUESTIONS: Final = 5
"""Questions asked with other weights, from as many papers."""
FACTOR: Final = 4.0
"""By so much a section is raised: with ranks fused, that brings it before all that stand in one list only."""
CLOSE: Final = 1e-9
"""Two scores that differ by less are the same: they are sums of a few fractions."""


def section_weights(subject: LibrarySubject) -> Iterator[Assertion]:
    """Yield for questions whether raising the weight of one section raises the scores of its passages by that, and no others.

    Asked by words, with a ranking of its own on the same index.
    """
    judge = Judge(WEIGHTS, Severity.MAJOR, LIBRARY)
    even = Searcher(subject.searcher.index, ranking=Ranking(sections={}))
    for paper in spread(distinct_papers(subject), QUESTIONS):
        for _, text in spread(sentences(body(paper.document)), 1):
            before = _hits(even.search(text, by="words"))
            sections = sorted({hit.section for hit in before.values() if hit.kind == "passage"})
            if len(sections) < 2:
                continue
            raised = sections[-1]
            weighed = Searcher(subject.searcher.index, ranking=Ranking(sections={raised: FACTOR}))
            after = weighed.search(text, by="words")
            wrong = [*_wrong_scores(before, _hits(after), raised), *_wrong_order(after)]
            detail = wrong[0] if wrong else f"{quoted(text)}: passages of {raised} count {FACTOR:g} times"
            yield judge.says(f"{paper.short_name}: {raised}", not wrong, detail)


def _hits(answer: Answer) -> dict[str, Hit]:
    return {hit.chunk: hit for hit in answer.hits}


def _wrong_scores(before: dict[str, Hit], after: dict[str, Hit], raised: str) -> Iterator[str]:
    """Yield the hits of both answers whose score did not change as the weight of their section did."""
    for chunk in before.keys() & after.keys():
        one, other = before[chunk], after[chunk]
        factor = FACTOR if other.kind == "passage" and other.section == raised else 1.0
        if abs(one.score * factor - other.score) > CLOSE:
            yield f"{quoted(other.text)} ({other.section}) scores {other.score:.5f}, expected {one.score * factor:.5f}"


def _wrong_order(answer: Answer) -> Iterator[str]:
    """Yield the papers that stand before one with a higher score."""
    scores = [paper.score for paper in answer.papers]
    if scores != sorted(scores, reverse=True):
        yield f"papers stand in the order of other scores than theirs: {', '.join(f'{score:.5f}' for score in scores)}"


WEIGHTS: Final = "section weights"

KINDS: Final = (
    Kind(
        name=WEIGHTS,
        severity=Severity.MAJOR,
        asserts="Raising the weight of a section raises the scores of its passages by that, and no others.",
        scope="library",
        check=section_weights,
    ),
)
