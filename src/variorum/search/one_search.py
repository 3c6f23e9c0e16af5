"""One search, once its question is checked: its lists of chunks, what they are fused to, and the answer by papers."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from variorum.search.candidates import (
    Candidate,
    Lists,
    allowed_chunks,
    by_wording,
    by_words,
    documents_without_vectors,
    fuse,
    place_of,
)
from variorum.search.embeddings import Embedder
from variorum.search.filters import Filters, chunk_condition, unmatched_values
from variorum.search.found import Answer, Mode
from variorum.search.grouping import Groups
from variorum.search.ranking import Ranking, Reasons, fused
from variorum.search.vectors import VectorSearch
from variorum.search.words import any_of, asked_words

_RANKS: Final[tuple[Callable[[Reasons], int | None], ...]] = (
    lambda reasons: reasons.word_rank,
    lambda reasons: reasons.vector_rank,
    lambda reasons: reasons.wording_rank,
)
"""The ranks that are fused: by words, by vectors, by wording."""
NO_WORD_FOUND: Final = "no word of the question was found; by meaning alone"


@dataclass(frozen=True, slots=True)
class Chosen:
    """The hits and scores of the papers of an answer, by the papers' ids, best first; and whether there were more papers."""

    hits: Mapping[int, Sequence[Candidate]]
    scores: Mapping[int, float]
    more: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    """A question with its filters, the papers that may be found, by what, and with what."""

    connection: sqlite3.Connection
    embedder: Embedder | None
    vectors: VectorSearch
    ranking: Ranking
    question: str
    filters: Filters
    groups: Groups
    mode: Mode
    notices: tuple[str, ...]

    def lists(self, count: int) -> Lists:
        """Return at most `count` chunks by words, as many by vectors, and by wording; a list that the mode does not have is
        empty."""
        condition = chunk_condition(self.filters)
        found = Lists()
        if self.mode != "vectors":
            words = by_words(self.connection, any_of(asked_words(self.question)), condition, count)
            in_a_row, together = by_wording(self.connection, self.question, condition, count)
            found = Lists(words=words, in_a_row=in_a_row, together=together)
        if self.mode != "words" and self.embedder is not None:
            vector = self.embedder.embed([self.question])[0]
            vectors = self.vectors.nearest(vector, count, allowed_chunks(self.connection, condition))
            found = replace(found, vectors=vectors, no_vectors=documents_without_vectors(self.connection))
        return found

    def fuse(self, lists: Lists) -> list[Candidate]:
        """Return the chunks of all lists, best first."""
        publications = self.groups.publications() if self.ranking.journals else {}
        return fuse(self.connection, lists, self.ranking, publications)

    def candidates(self, count: int) -> list[Candidate]:
        """Return the chunks of all lists, of at most `count` each, best first."""
        return self.fuse(self.lists(count))

    def answer(self, chosen: Chosen, candidates: Sequence[Candidate]) -> Answer:
        """Return the answer with what must be said of it; `candidates` are those that the papers were chosen from."""
        has_words = any(candidate.reasons.word_rank is not None for candidate in candidates)
        is_by_meaning = self.mode == "hybrid" and bool(candidates) and not has_words
        return Answer(
            question=self.question,
            mode="vectors" if is_by_meaning else self.mode,
            papers=self.groups.papers(chosen.hits, chosen.scores),
            more=chosen.more,
            notices=(
                *self.notices,
                *self.vectors.said(),
                *((NO_WORD_FOUND,) if is_by_meaning else ()),
                *unmatched_values(self.connection, self.filters),
            ),
        )


def best_papers(groups: Groups, candidates: Sequence[Candidate], limit: int, hits_a_paper: int) -> Chosen:
    """Return the papers with the best single chunks, each with its first chunks.

    A paper scores what its best chunk does, its ranks counted in papers: one more than the other papers with a chunk before it.
    So one paper's many chunks on a matter do not push others down. Of papers that score the same, the first is the one whose
    other chunks stand higher too (its score in `best_topics`). The chunks of a paper stand in the order of the candidates.
    """
    words, vectors, wordings = (_ranks_in_papers(groups, candidates, rank_of) for rank_of in _RANKS)
    scores: dict[int, float] = {}
    for candidate in candidates:
        for group in groups.of(candidate.stored.document_id):
            place = (candidate.stored.id, group)
            by_meaning = (words if candidate.reasons.lacks_vector else vectors).get(place)
            score = fused(words.get(place), by_meaning, wordings.get(place)) * candidate.reasons.weight
            scores[group] = max(score, scores.get(group, score))
    return _chosen(groups, candidates, scores, _topic_scores(groups, candidates), limit, hits_a_paper)


def best_topics(groups: Groups, candidates: Sequence[Candidate], limit: int, hits_a_paper: int) -> Chosen:
    """Return the papers whose best chunks stand highest in the lists, each with its first chunks.

    A paper's rank in a list is that among the papers, not among the chunks: one paper's many chunks do not push others down.
    """
    scores = _topic_scores(groups, candidates)
    return _chosen(groups, candidates, scores, {}, limit, hits_a_paper)


def _topic_scores(groups: Groups, candidates: Sequence[Candidate]) -> dict[int, float]:
    """Return what each paper scores by its rank among the papers in each list, times the weight of its journal."""
    words, vectors, wordings = (_paper_ranks(groups, candidates, rank_of) for rank_of in _RANKS)
    weights = {group: c.reasons.journal_weight for c in candidates for group in groups.of(c.stored.document_id)}
    lacking = {group for c in candidates if c.reasons.lacks_vector for group in groups.of(c.stored.document_id)}
    by_meaning = vectors | {group: min(words[group], vectors.get(group, words[group])) for group in lacking & words.keys()}
    return {
        group: fused(words.get(group), by_meaning.get(group), wordings.get(group)) * weight for group, weight in weights.items()
    }


def _chosen(
    groups: Groups,
    candidates: Sequence[Candidate],
    scores: Mapping[int, float],
    lesser: Mapping[int, float],
    limit: int,
    hits_a_paper: int,
) -> Chosen:
    """Return the papers with the highest scores, each with its first candidates.

    Ties go by `lesser` scores, then by the SHA-256 of the papers: never by how many chunks they are cut into.
    """
    places: dict[int, tuple[str, str, int]] = {}
    for candidate in candidates:
        place = place_of(candidate.stored)
        for group in groups.of(candidate.stored.document_id):
            places[group] = min(place, places.get(group, place))
    best = sorted(scores, key=lambda group: (-scores[group], -lesser.get(group, 0), places[group]))
    hits: dict[int, list[Candidate]] = {group: [] for group in best[:limit]}
    for candidate in candidates:
        for own in (hits[group] for group in groups.of(candidate.stored.document_id) if group in hits):
            if len(own) < hits_a_paper:
                own.append(candidate)
    return Chosen(hits, {group: scores[group] for group in hits}, len(best) > limit)


def _ranks_in_papers(
    groups: Groups, candidates: Iterable[Candidate], rank_of: Callable[[Reasons], int | None]
) -> dict[tuple[int, int], int]:
    """Return the ranks, from 1, of the chunks of a list, by chunk and paper: how many other papers have a chunk before it."""
    listed = sorted(((rank, c) for c in candidates if (rank := rank_of(c.reasons)) is not None), key=lambda pair: pair[0])
    seen: set[int] = set()
    ranks: dict[tuple[int, int], int] = {}
    for _, candidate in listed:
        own = groups.of(candidate.stored.document_id)
        ranks.update({(candidate.stored.id, group): len(seen) - (group in seen) + 1 for group in own})
        seen.update(own)
    return ranks


def _paper_ranks(groups: Groups, candidates: Iterable[Candidate], rank_of: Callable[[Reasons], int | None]) -> dict[int, int]:
    """Return the ranks of the papers, from 1, by that of their best chunk."""
    best: dict[int, int] = {}
    for candidate in candidates:
        rank = rank_of(candidate.reasons)
        if rank is None:
            continue
        for group in groups.of(candidate.stored.document_id):
            best[group] = min(rank, best.get(group, rank))
    return {group: place for place, group in enumerate(sorted(best, key=lambda group: best[group]), start=1)}
