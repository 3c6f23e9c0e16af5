"""Searches: passages, topics, tables, figures, Boolean expressions; and what stands around a passage or cites a table.

`Searcher` is the door for the command, for servers and for Python:

    with open_index(path) as index:
        searcher = Searcher(index, embedder)
        answer = searcher.search("dropout of attention weights", Filters(year_from=2017), limit=5)
        for paper in answer.papers:
            print(paper.item.citation_key, paper.hits[0].page_label, paper.hits[0].text)

Every search applies its filters first, ranks what is left by words (BM25 of FTS5), by vectors (cosine) and by wording, fuses
the ranks and weighs them (`variorum.search.ranking`), and groups the hits by paper. The same index and question give the same
answer.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal, TypeVar

from variorum.document import Table
from variorum.document.citing import passages_citing
from variorum.errors import UsageError
from variorum.search.boolean_query import Term, answer, parse_boolean, positive_terms
from variorum.search.candidates import Lists, allowed_chunks, by_words, one_a_float
from variorum.search.embeddings import Embedder
from variorum.search.filters import Condition, Filters, chunk_condition, item_condition
from variorum.search.found import Answer, CitingPassage, FoundItem, Hit, Mode
from variorum.search.grouping import Groups
from variorum.search.links import open_pdf_link
from variorum.search.lookup import (
    as_hit,
    chunk_by_reference,
    chunks_around,
    document_by_reference,
    items_by_id,
    numbers_of,
    read_document,
)
from variorum.search.manifest import refuse_other_model
from variorum.search.model import ChunkKind
from variorum.search.one_search import Search, best_papers, best_topics
from variorum.search.ranking import DEFAULT_RANKING, Ranking
from variorum.search.store import IndexFile
from variorum.search.vectors import ExactVectors, VectorSearch
from variorum.search.words import has_words

K = TypeVar("K")

PAPERS: Final = 10
"""Papers of an answer where the caller does not say."""
HITS_A_PAPER: Final = 3
MOST: Final = 1000
"""Papers or passages at most in one answer."""
_POOL: Final = 200
_POOL_A_PAPER: Final = 20
"""Chunks of each list that are fused: so many at least, and so many for each paper that is wanted."""
_NO_FILTERS: Final = Filters()


@dataclass(frozen=True, slots=True)
class _AllPapers:
    """The papers of an index without any filter."""

    groups: Groups


@dataclass(frozen=True, slots=True)
class _VectorCounts:
    """How many documents have vectors, and how many are still to have them."""

    done: int
    pending: int


class Searcher:
    """Searches of one open index.

    Without an embedder, or while the index has no vectors, searches go by words alone and say so in the notices of their
    answers. Not to be shared between threads.
    """

    def __init__(
        self,
        index: IndexFile,
        embedder: Embedder | None = None,
        *,
        ranking: Ranking = DEFAULT_RANKING,
        vectors: VectorSearch | None = None,
        notices: Sequence[str] = (),
    ) -> None:
        """Raises UsageError when the vectors of the index are those of another model than the embedder's.

        `notices` are sentences that every answer carries: why there is no embedder, say.
        """
        self._index = index
        self._connection = index.connection
        self._embedder = embedder
        self._ranking = ranking
        self._vectors = vectors or ExactVectors(index)
        self._notices = tuple(notices)
        self._kept: dict[type, object] = {}
        self._kept_at: int | None = None
        if embedder is not None:
            identity = embedder.identity
            refuse_other_model(index.manifest(), identity.id, identity.dimension, str(index.path))

    @property
    def index(self) -> IndexFile:
        """The index that is searched."""
        return self._index

    def search(
        self,
        question: str,
        filters: Filters = _NO_FILTERS,
        *,
        limit: int = PAPERS,
        hits_a_paper: int = HITS_A_PAPER,
        by: Mode | None = None,
    ) -> Answer:
        """Return the papers with the passages, tables and figures that answer a question, best first.

        `limit` are papers at most, from 1 to `MOST`. `by` is ``words``, ``vectors`` or ``hybrid``; None takes what there is.
        Raises UsageError when the question has no word, a number is out of its range, or vectors are asked for and there are
        none.
        """
        run = self._run(question, filters, limit, by)
        candidates = one_a_float(run.candidates(self._pool(limit)))
        return run.answer(best_papers(run.groups, candidates, limit, hits_a_paper), candidates)

    def search_topic(
        self,
        topic: str,
        filters: Filters = _NO_FILTERS,
        *,
        limit: int = PAPERS,
        hits_a_paper: int = 1,
        by: Mode | None = None,
    ) -> Answer:
        """Return the papers about a topic, best first, each with its best passages.

        Papers are ranked by their best chunk among words and among vectors, and these ranks are fused: a paper that both
        agree on comes before one with a single lucky passage. Arguments and errors as those of `search`.
        """
        run = self._run(topic, filters, limit, by)
        candidates = run.candidates(self._pool(limit) * HITS_A_PAPER)
        return run.answer(best_topics(run.groups, one_a_float(candidates), limit, hits_a_paper), candidates)

    def search_tables(
        self, question: str, filters: Filters = _NO_FILTERS, *, limit: int = PAPERS, by: Mode | None = None
    ) -> Answer:
        """Return the tables that fit a question; `limit` are tables at most. A large table stands once, with its best part."""
        return self._floats(question, "table", filters, limit, by)

    def search_figures(
        self, question: str, filters: Filters = _NO_FILTERS, *, limit: int = PAPERS, by: Mode | None = None
    ) -> Answer:
        """Return the figures that fit a question; `limit` are figures at most."""
        return self._floats(question, "figure", filters, limit, by)

    def search_boolean(
        self,
        expression: str,
        filters: Filters = _NO_FILTERS,
        *,
        within: Literal["paper", "passage"] = "paper",
        limit: int = PAPERS,
        hits_a_paper: int = HITS_A_PAPER,
    ) -> Answer:
        """Return the papers whose whole text, or single passages of which, fulfil an expression of AND, OR, NOT, brackets and
        phrases.

        Hits are the passages with the wanted terms, best first by BM25. Raises UsageError that points at the place of a fault
        in the expression.
        """
        _check_limit(limit, "limit")
        _check_limit(hits_a_paper, "hits_a_paper")
        tree = parse_boolean(expression)
        condition = chunk_condition(filters)
        groups = self._groups(filters)
        papers_of = self._groups_of_chunks(groups, condition) if within == "paper" else {}

        def having(term: Term) -> set[int]:
            found = [i for i, _ in by_words(self._connection, term.match, condition, -1)]
            return {group for i in found for group in papers_of.get(i, ())} if within == "paper" else set(found)

        def everything() -> set[int]:
            if within == "paper":
                return {group for members in papers_of.values() for group in members}
            allowed = allowed_chunks(self._connection, condition)
            return allowed if allowed is not None else {i for (i,) in self._connection.execute("SELECT id FROM chunks")}

        fitting = answer(tree, having, everything)
        match = " OR ".join(term.match for term in positive_terms(tree))
        listed = [
            pair
            for pair in by_words(self._connection, match, condition, -1)
            if not fitting.isdisjoint(papers_of.get(pair[0], ()) if within == "paper" else (pair[0],))
        ]
        run = self._asked(expression, filters, groups, "words", ())
        pool = self._pool(limit) if within == "passage" else len(listed)
        candidates = one_a_float(run.fuse(Lists(words=listed[:pool])))
        return run.answer(best_papers(groups, candidates, limit, hits_a_paper), candidates)

    def context(self, chunk: str, *, before: int = 1, after: int = 1) -> tuple[Hit, ...]:
        """Return the passages around a chunk (its reference, as hits have it), itself among them, in reading order.

        Neighbours repeat a sentence or two of each other. Raises UsageError when there is no such chunk.
        """
        if not (0 <= before <= MOST and 0 <= after <= MOST):
            raise UsageError(f"the numbers of passages must be from 0 to {MOST}", where="context", hint="before=1, after=1")
        stored = chunk_by_reference(self._connection, chunk)
        around = chunks_around(self._connection, stored, before, after)
        item, attachment = self.holder(stored.document_id)
        numbers = numbers_of(self._connection, around)
        return tuple(as_hit(c, item, attachment, numbers.get((c.document_id, c.target or "")), None) for c in around)

    def citing(self, document: str, target: str) -> tuple[CitingPassage, ...]:
        """Return the passages of a document that name a table, figure, equation or section, or cite an entry, in reading order.

        `document` is its reference, `target` an id or a name as printed (``Table 3``). Raises UsageError when there is none.
        """
        document_id = document_by_reference(self._connection, document.partition(":")[0])
        paper = read_document(self._connection, document_id)
        item, attachment = self.holder(document_id)
        labels = {page.page_num: page.label for page in paper.pages}
        return tuple(
            CitingPassage(
                component=component.id,
                kind=component.kind,
                text=component.text,
                page_num=component.provenance.page_num,
                page_label=labels.get(component.provenance.page_num or 0),
                link=open_pdf_link(item.in_library, attachment, component.provenance.page_num) if attachment else item.link,
            )
            for component in passages_citing(paper, target)
        )

    def table(self, document: str, wanted: str) -> Table:
        """Return a table of a document, cells and apparatus: by its id, its printed number, or its position (``#3``).

        Raises UsageError when there is none.
        """
        paper = read_document(self._connection, document_by_reference(self._connection, document.partition(":")[0]))
        return next((table for table in paper.tables if table.id == wanted), None) or paper.find_table(wanted)

    def holder(self, document_id: int) -> tuple[FoundItem, str]:
        """Return the first item that holds a document (by its id in the index), and the key of the attachment.

        Raises UsageError when none does.
        """
        holding = Groups(self._connection, Condition("1")).holding(document_id)
        if holding is None:
            raise UsageError("no item of the index holds this document any more", hint="search again")
        return items_by_id(self._connection, [holding.item_id])[holding.item_id], holding.attachment

    def _floats(self, question: str, kind: ChunkKind, filters: Filters, limit: int, by: Mode | None) -> Answer:
        run = self._run(question, replace(filters, kinds=(kind,)), limit, by)
        candidates = one_a_float(run.candidates(self._pool(limit)))
        grouped = best_papers(run.groups, candidates[:limit], limit, limit)
        return run.answer(replace(grouped, more=len(candidates) > limit), candidates)

    def _run(self, question: str, filters: Filters, limit: int, by: Mode | None) -> Search:
        """Return a checked search: by what it goes, and what must be said of it."""
        _check_limit(limit, "limit")
        if not has_words(question):
            raise UsageError(f"{question!r} has no word to look for", where="question", hint="words, or a whole sentence")
        mode, notices = self._mode(by)
        groups = self._groups(filters)
        return self._asked(question, filters, groups, mode, notices)

    def _asked(self, question: str, filters: Filters, groups: Groups, mode: Mode, notices: tuple[str, ...]) -> Search:
        return Search(
            connection=self._connection,
            embedder=self._embedder,
            vectors=self._vectors,
            ranking=self._ranking,
            question=question,
            filters=filters,
            groups=groups,
            mode=mode,
            notices=notices,
        )

    def _groups(self, filters: Filters) -> Groups:
        """Return the papers that may be found."""
        condition = item_condition(filters)
        if filters.restricts_items:
            return Groups(self._connection, condition)
        return self._until_written(_AllPapers, lambda: _AllPapers(Groups(self._connection, condition))).groups

    def _until_written(self, kind: type[K], make: Callable[[], K]) -> K:
        """Return the one of its kind that was made since the index was last written, or a new one.

        A writer keeps none: SQLite does not tell it of what it wrote itself.
        """
        if self._index.is_writer:
            return make()
        version = self._index.data_version()
        if version != self._kept_at:
            self._kept, self._kept_at = {}, version
        found = self._kept.get(kind)
        if not isinstance(found, kind):
            found = self._kept[kind] = make()
        return found

    def _vector_counts(self) -> _VectorCounts:
        return _VectorCounts(
            *self._connection.execute(
                "SELECT count(v.document_id), count(*) - count(v.document_id) FROM documents d LEFT JOIN vectors v"
                " ON v.document_id = d.id WHERE EXISTS (SELECT 1 FROM chunks c WHERE c.document_id = d.id)"
            ).fetchone()
        )

    def _mode(self, by: Mode | None) -> tuple[Mode, tuple[str, ...]]:
        """Return by what a search goes, and the notices about it; raises UsageError when that is asked for and not there."""
        counts = self._until_written(_VectorCounts, self._vector_counts)
        done, pending = counts.done, counts.pending
        has_vectors = self._embedder is not None and done > 0
        if by in ("vectors", "hybrid") and not has_vectors:
            why = "the index has no vectors" if done == 0 else "no model is at hand"
            hint = "variorum index, which makes them where it has a model" if done == 0 else "--model DIR"
            raise UsageError(f"a search by meaning is not possible: {why}", hint=f"{hint}; or by words")
        if by == "words" or not has_vectors:
            notices = () if by == "words" or self._embedder is None else ("found by words alone: the index has no vectors yet",)
            return "words", (*self._notices, *notices)
        notices = (f"vectors of {pending} of {done + pending} documents are still to be made",) if pending else ()
        return by or "hybrid", (*self._notices, *notices)

    def _pool(self, limit: int) -> int:
        return max(_POOL, _POOL_A_PAPER * limit)

    def _groups_of_chunks(self, groups: Groups, condition: Condition) -> dict[int, tuple[int, ...]]:
        rows = self._connection.execute(f"SELECT c.id, c.document_id FROM chunks c WHERE {condition.sql}", condition.values)
        return {chunk_id: groups.of(document_id) for chunk_id, document_id in rows}


def _check_limit(value: int, name: str) -> None:
    if not 1 <= value <= MOST:
        raise UsageError(f"must be from 1 to {MOST}, not {value}", where=name, hint=f"{name}={PAPERS}")
