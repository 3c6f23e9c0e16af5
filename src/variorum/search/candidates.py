"""The chunks that may answer a question: the first of those with its words, with its meaning, and with its very wording, their
ranks fused."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Final

from variorum.search.filters import Condition
from variorum.search.lookup import StoredChunk, chunks_by_id
from variorum.search.ranking import Ranking, Reasons, fused
from variorum.search.words import close_together, in_a_row

_TEXT_WEIGHT: Final = 1.0
_CONTEXT_WEIGHT: Final = 0.5
_CITING_WEIGHT: Final = 0.5
"""What a word counts in the text of a chunk, in the title and heading above it, and around the places that name a table."""

Scored = Sequence[tuple[int, float]]
"""Chunks by id with BM25 or cosine, best first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lists:
    """What was found of a question.

    `words` and `vectors` are the chunks with any of its words, and those near to it in meaning. `in_a_row` are those that have
    it word for word, `together` those with all its words as close as they stand in it. `no_vectors` are the documents, by id,
    whose vectors are still to be made; empty where none are asked.
    """

    words: Scored = ()
    vectors: Scored = ()
    in_a_row: Scored = ()
    together: Scored = ()
    no_vectors: Set[int] = frozenset()

    def chunk_ids(self) -> list[int]:
        """Return the ids of all chunks of the lists, each once, in order."""
        return sorted({i for scored in (self.words, self.vectors, self.in_a_row, self.together) for i, _ in scored})


@dataclass(frozen=True, slots=True)
class Candidate:
    """A chunk and why it stands where it stands."""

    stored: StoredChunk
    reasons: Reasons


def by_words(connection: sqlite3.Connection, match: str, condition: Condition, count: int) -> list[tuple[int, float]]:
    """Return the chunks that fit an expression of FTS5 and a condition (on ``c``): (id, BM25) of at most `count`, best first.

    BM25 is that of FTS5 with its sign turned, so that greater is better.
    """
    # "+" keeps SQLite from asking FTS5 anew for each allowed chunk: it goes once through those with the words, filter or not
    among = "" if condition.sql == "1" else f" AND +rowid IN (SELECT c.id FROM chunks c WHERE {condition.sql})"
    rows = connection.execute(
        f"SELECT rowid, -bm25(words, ?, ?, ?) FROM words WHERE words MATCH ?{among} ORDER BY 2 DESC, 1 LIMIT ?",
        (_TEXT_WEIGHT, _CONTEXT_WEIGHT, _CITING_WEIGHT, match, *condition.values, count),
    )
    return [(int(chunk_id), float(score)) for chunk_id, score in rows]


def by_wording(connection: sqlite3.Connection, question: str, condition: Condition, count: int) -> tuple[Scored, Scored]:
    """Return at most `count` chunks that have a question word for word, and as many with all its words close together.

    Both are empty for a question of one word. Whatever has it word for word is close together too.
    """
    expression = close_together(question)
    together = by_words(connection, expression, condition, count) if expression is not None else []
    return by_words(connection, in_a_row(question), condition, count) if together else [], together


def documents_without_vectors(connection: sqlite3.Connection) -> frozenset[int]:
    """Return the ids of the documents whose vectors are still to be made."""
    rows = connection.execute("SELECT id FROM documents WHERE id NOT IN (SELECT document_id FROM vectors)")
    return frozenset(document_id for (document_id,) in rows)


def allowed_chunks(connection: sqlite3.Connection, condition: Condition) -> set[int] | None:
    """Return the ids of the chunks that fulfil a condition; None where it is no restriction."""
    if condition.sql == "1":
        return None
    rows = connection.execute(f"SELECT c.id FROM chunks c WHERE {condition.sql}", condition.values)
    return {chunk_id for (chunk_id,) in rows}


def in_order(scored: Scored, chunks: Mapping[int, StoredChunk]) -> list[tuple[int, float]]:
    """Return the list with ties in the order of the documents' SHA-256 and of the chunks in them, whatever their ids."""
    return sorted(scored, key=lambda pair: (-pair[1], *place_of(chunks[pair[0]])))


def place_of(stored: StoredChunk) -> tuple[str, str, int]:
    """Return what orders chunks the same in every index of the same papers."""
    return stored.document_kind, stored.sha256, stored.seq


def fuse(connection: sqlite3.Connection, lists: Lists, ranking: Ranking, publications: Mapping[int, str]) -> list[Candidate]:
    """Return the chunks of all lists, best first by their fused and weighed score.

    `publications` are the journals of the documents, by the documents' ids.
    """
    chunks = chunks_by_id(connection, lists.chunk_ids())
    word_ranks = _ranks(in_order(lists.words, chunks))
    vector_ranks = _ranks(in_order(lists.vectors, chunks))
    in_row = {i for i, _ in lists.in_a_row}
    others = [pair for pair in lists.together if pair[0] not in in_row]
    wording_ranks = _ranks([*in_order(lists.in_a_row, chunks), *in_order(others, chunks)])
    journal_weights = {
        i: ranking.journal_weight(publications[i]) for i in {c.document_id for c in chunks.values()} & publications.keys()
    }
    found = []
    for chunk_id, stored in chunks.items():
        word_rank, bm25 = word_ranks.get(chunk_id, (None, None))
        vector_rank, cosine = vector_ranks.get(chunk_id, (None, None))
        wording_rank, _ = wording_ranks.get(chunk_id, (None, None))
        lacks_vector = stored.document_id in lists.no_vectors
        reasons = Reasons(
            word_rank=word_rank,
            vector_rank=vector_rank,
            wording_rank=wording_rank,
            lacks_vector=lacks_vector,
            bm25=bm25,
            cosine=cosine,
            fused=fused(word_rank, word_rank if lacks_vector else vector_rank, wording_rank),
            section_weight=ranking.section_weight(stored.section) if stored.kind == "passage" else 1.0,
            kind_weight=ranking.kind_weight(stored.kind),
            journal_weight=journal_weights.get(stored.document_id, 1.0),
        )
        found.append(Candidate(stored, reasons))
    return sorted(found, key=lambda c: (-c.reasons.score, *place_of(c.stored)))


def one_a_float(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Return the candidates without those that are another part of a table or figure that stands before them."""
    seen: set[tuple[int, str]] = set()
    kept = []
    for candidate in candidates:
        name = (candidate.stored.document_id, candidate.stored.target or "")
        if candidate.stored.target is None or name not in seen:
            kept.append(candidate)
            seen.add(name)
    return kept


def _ranks(ordered: Scored) -> dict[int, tuple[int, float]]:
    return {chunk_id: (rank, score) for rank, (chunk_id, score) in enumerate(ordered, start=1)}
