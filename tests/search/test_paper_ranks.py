"""How papers are ranked by their chunks: a paper that says a thing in many chunks pushes no other down, nor itself."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace
from typing import cast

from variorum.search.candidates import Candidate
from variorum.search.grouping import Groups
from variorum.search.lookup import StoredChunk
from variorum.search.one_search import best_papers
from variorum.search.ranking import Reasons, fused


class OnePaperADocument:
    """Papers that are called as their documents."""

    def of(self, document_id: int) -> tuple[int, ...]:
        """Return the paper of a document."""
        return (document_id,)


GROUPS = cast(Groups, OnePaperADocument())


def chunk(paper: int, word_rank: int | None, vector_rank: int | None, *, section_weight: float = 1.0) -> Candidate:
    """Return a chunk of a paper with its ranks in the two lists."""
    name = 100 * paper + (word_rank or 0) + 1000 * (vector_rank or 0)
    stored = SimpleNamespace(id=name, document_id=paper, seq=name, document_kind="paper", sha256=f"{paper}")
    ranks = fused(word_rank, vector_rank)
    return Candidate(
        cast(StoredChunk, stored),
        Reasons(word_rank=word_rank, vector_rank=vector_rank, fused=ranks, section_weight=section_weight),
    )


def order(candidates: Sequence[Candidate]) -> list[int]:
    listed = sorted(candidates, key=lambda candidate: -candidate.reasons.score)
    return list(best_papers(GROUPS, listed, 10, 3).hits)


def test_many_chunks_of_a_paper_count_as_one_before_another_paper() -> None:
    crowd = [chunk(1, rank, None) for rank in range(1, 30)]
    answer = best_papers(GROUPS, [*crowd, chunk(2, 30, None)], 10, 3)
    assert answer.scores == {1: fused(1, None), 2: fused(2, None)}


def test_a_paper_is_not_pushed_down_by_its_own_chunks() -> None:
    many = [chunk(1, 1, None), chunk(1, 2, None), chunk(1, 3, 1)]
    assert best_papers(GROUPS, many, 10, 3).scores[1] == fused(1, 1)


def test_one_chunk_found_by_both_comes_before_two_that_each_one_found() -> None:
    assert order([chunk(1, 1, None), chunk(1, None, 2), chunk(2, 2, 1)])[0] == 2


def test_of_two_papers_that_score_the_same_that_comes_first_whose_other_chunks_stand_higher() -> None:
    tied = [chunk(1, 1, None), chunk(2, None, 1)]
    assert order(tied) == [1, 2]
    assert order([*tied, chunk(2, 2, None)]) == [2, 1]


def test_the_weight_of_a_section_counts_for_its_paper() -> None:
    assert order([chunk(1, 1, 1, section_weight=0.75), chunk(2, 2, 2)]) == [2, 1]


def test_the_chunks_of_a_paper_keep_their_own_order() -> None:
    chunks = [chunk(1, 1, 1), chunk(1, 2, 2), chunk(1, 3, 3)]
    answer = best_papers(GROUPS, chunks, 10, 2)
    assert list(answer.hits[1]) == chunks[:2]
