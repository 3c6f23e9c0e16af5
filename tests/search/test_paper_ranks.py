"""How papers are ranked by their chunks: a paper that says a thing in many chunks pushes no other down, nor itself."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace
from typing import cast

from variorum.search.candidates import Candidate
from variorum.search.grouping import Groups
from variorum.search.lookup import StoredChunk
from variorum.search.one_search import best_papers, best_topics
from variorum.search.ranking import Reasons, fused


class OnePaperADocument:
    """Papers that are called as their documents."""

    def of(self, document_id: int) -> tuple[int, ...]:
        """Return the paper of a document."""
        return (document_id,)


GROUPS = cast(Groups, OnePaperADocument())


def chunk(
    paper: int,
    word_rank: int | None,
    vector_rank: int | None,
    wording_rank: int | None = None,
    *,
    section_weight: float = 1.0,
    lacks_vector: bool = False,
) -> Candidate:
    """Return a chunk of a paper with its ranks in the lists."""
    name = 100 * paper + (word_rank or 0) + 1000 * (vector_rank or 0)
    stored = SimpleNamespace(id=name, document_id=paper, seq=name, document_kind="paper", sha256=f"{paper}")
    reasons = Reasons(
        word_rank=word_rank,
        vector_rank=vector_rank,
        wording_rank=wording_rank,
        lacks_vector=lacks_vector,
        fused=fused(word_rank, word_rank if lacks_vector else vector_rank, wording_rank),
        section_weight=section_weight,
    )
    return Candidate(cast(StoredChunk, stored), reasons)


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


def test_what_has_the_very_wording_comes_before_what_is_second_in_both_other_lists() -> None:
    assert order([chunk(1, 1, None), chunk(2, 2, 2)]) == [2, 1]
    assert order([chunk(1, 1, None, 1), chunk(2, 2, 2)]) == [1, 2]
    assert order([chunk(1, 40, None, 1), chunk(2, 1, 1)]) == [1, 2]


def test_a_text_without_a_vector_is_not_behind_those_that_have_one_and_fit_less() -> None:
    others = [chunk(paper, paper, paper) for paper in range(2, 9)]
    assert order([chunk(1, 1, None), *others])[0] == 2
    assert order([chunk(1, 1, None, lacks_vector=True), *others])[0] == 1
    for answer in (best_papers, best_topics):
        scores = answer(GROUPS, [chunk(1, 5, None, lacks_vector=True)], 10, 3).scores
        assert scores == {1: fused(1, 1)}


def test_a_paper_is_found_by_its_vectors_where_only_another_text_of_it_has_none() -> None:
    chunks = [chunk(2, 1, None), chunk(1, 2, None, lacks_vector=True), chunk(1, None, 1)]
    assert best_topics(GROUPS, chunks, 10, 3).scores[1] == fused(2, 1)
