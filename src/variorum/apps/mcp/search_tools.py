"""The tools that search: passages, topics, tables, figures, expressions; what stands around a passage; how hits are ranked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from variorum.apps.asking import Way, Within, ask
from variorum.apps.mcp.arguments import Around, By, Chunk, Cursor, Expression, Limit, Question, SearchFilters
from variorum.apps.mcp.cursors import Call, page
from variorum.apps.mcp.index_door import IndexDoor, state_of
from variorum.apps.mcp.results import IndexStatsOut, Item, Paper, Passage, PassageContext, RankingOut, SearchResult
from variorum.search.found import Answer, FoundPaper, Hit
from variorum.search.lookup import chunk_by_reference
from variorum.search.ranking import RANK_CONSTANT, WORDING_WEIGHT, Ranking
from variorum.search.retrieval import Searcher
from variorum.search.verifying import stats

REACH: Final = 100
"""Papers, tables or figures that a search can be followed to; the ranks of all of them are made at once, so that pages fit."""
_HITS: Final = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked:
    """A search as a client asked for it."""

    tool: str
    way: Way
    question: str
    filters: SearchFilters
    limit: int
    cursor: str | None
    by: Any = None
    within: Within = "paper"

    def arguments(self) -> Mapping[str, Any]:
        """Return what a cursor must agree with."""
        filters = self.filters.model_dump()
        return {"question": self.question, "filters": filters, "limit": self.limit, "by": self.by, "within": self.within}

    def answer(self, searcher: Searcher) -> SearchResult:
        """Return the page of the answer that is asked for."""
        call = Call(self.tool, self.arguments(), partial(state_of, searcher.index))
        start = call.start(self.cursor)
        filters = self.filters.as_filters()
        found = ask(searcher, self.way, self.question, filters, limit=REACH, by=self.by, within=self.within)
        hits = [(paper, hit) for paper in found.papers for hit in paper.hits]
        end = page([len(hit.text) for _, hit in hits], start, self.limit)
        return SearchResult(
            mode=found.mode,
            papers=_papers(hits[start:end]),
            notices=_notices(found, is_last=end == len(hits)),
            next_cursor=call.cursor(end) if end < len(hits) else None,
        )


class SearchTools:
    """The tools that search an index."""

    def __init__(self, door: IndexDoor, ranking: Ranking) -> None:
        self._door = door
        self._ranking = ranking

    async def search_papers(
        self,
        question: Question,
        filters: SearchFilters = SearchFilters(),  # noqa: B008 (never changed)
        limit: Limit = _HITS,
        by: By = None,
        cursor: Cursor = None,
    ) -> SearchResult:
        """Find the passages, tables and figures that answer a question, best first, grouped by paper (three hits of each).

        Cite what you use by the paper's citation_key and the hit's page_label, and give its link. Without a page_label
        say "page N of the PDF": page_num is no printed page.
        """
        return await self._ask("search_papers", "passages", question, filters, limit, by, cursor)

    async def search_topic(
        self,
        topic: Question,
        filters: SearchFilters = SearchFilters(),  # noqa: B008
        limit: Limit = _HITS,
        by: By = None,
        cursor: Cursor = None,
    ) -> SearchResult:
        """Find papers about a topic, ranked as wholes: one that words and meaning agree on comes first. A hit of each."""
        return await self._ask("search_topic", "topic", topic, filters, limit, by, cursor)

    async def search_tables(
        self,
        question: Question,
        filters: SearchFilters = SearchFilters(),  # noqa: B008
        limit: Limit = _HITS,
        by: By = None,
        cursor: Cursor = None,
    ) -> SearchResult:
        """Find tables by their captions, cells, and the passages that name them. get_table gives the cells of one."""
        return await self._ask("search_tables", "tables", question, filters, limit, by, cursor)

    async def search_figures(
        self,
        question: Question,
        filters: SearchFilters = SearchFilters(),  # noqa: B008
        limit: Limit = _HITS,
        by: By = None,
        cursor: Cursor = None,
    ) -> SearchResult:
        """Find figures by their captions, the words in them, and the passages that name them."""
        return await self._ask("search_figures", "figures", question, filters, limit, by, cursor)

    async def search_boolean(
        self,
        expression: Expression,
        within: Within = "paper",
        filters: SearchFilters = SearchFilters(),  # noqa: B008
        limit: Limit = _HITS,
        cursor: Cursor = None,
    ) -> SearchResult:
        """Find the papers whose whole text (or, within="passage", single passages of which) fulfil an expression.

        AND binds closer than OR; two terms side by side must both be there.
        """
        asked = _Asked(
            tool="search_boolean",
            way="boolean",
            question=expression,
            filters=filters,
            limit=limit,
            within=within,
            cursor=cursor,
        )
        return await self._door.ask(asked.answer)

    async def get_passage_context(self, chunk: Chunk, before: Around = 1, after: Around = 1) -> PassageContext:
        """Return a passage with those before and after it, in reading order. Neighbours share a sentence or two."""

        def answer(searcher: Searcher) -> PassageContext:
            hits = searcher.context(chunk, before=before, after=after)
            item, _ = searcher.holder(chunk_by_reference(searcher.index.connection, chunk).document_id)
            return PassageContext(item=Item.of(item), passages=[Passage.of(hit) for hit in hits])

        return await self._door.ask(answer)

    async def get_index_stats(self) -> IndexStatsOut:
        """Return what the index holds, by what it was made, and why some PDFs are not in it."""
        return await self._door.ask(lambda searcher: IndexStatsOut.of(stats(searcher.index)))

    async def get_reranking_config(self) -> RankingOut:
        """Return the weights by which hits are ranked. They are chosen where the server is started, with --ranking."""
        return RankingOut(rank_constant=RANK_CONSTANT, wording_weight=WORDING_WEIGHT, **self._ranking.to_dict())

    async def _ask(
        self, tool: str, way: Way, question: str, filters: SearchFilters, limit: int, by: By, cursor: str | None
    ) -> SearchResult:
        asked = _Asked(tool=tool, way=way, question=question, filters=filters, limit=limit, by=by, cursor=cursor)
        return await self._door.ask(asked.answer)


def _papers(hits: Sequence[tuple[FoundPaper, Hit]]) -> list[Paper]:
    """Return the papers of a page in their order, each with those of its hits that stand on the page."""
    grouped: dict[int, tuple[FoundPaper, list[Hit]]] = {}
    for paper, hit in hits:
        grouped.setdefault(id(paper), (paper, []))[1].append(hit)
    return [Paper.of(paper, own) for paper, own in grouped.values()]


def _notices(found: Answer, *, is_last: bool) -> list[str]:
    if found.more and is_last:
        return [*found.notices, f"there are more than these {REACH}; ask more closely, or with filters"]
    return list(found.notices)
