"""The tools that ask OpenAlex who cites a paper and whom it cites; there only where the server was started with --openalex."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Annotated, TypeVar

from pydantic import Field

from variorum.apps.mcp.arguments import Name
from variorum.apps.mcp.index_door import IndexDoor
from variorum.apps.mcp.results import CREATORS_SHOWN, CitationCount, RelatedWorks, WorkOut
from variorum.errors import UsageError
from variorum.net.asking import host_of
from variorum.net.openalex import OPENALEX_URL, PAGE, PAUSE_S, CitationGraph, Work, WorkPage, plain_doi
from variorum.net.polite import PoliteClient
from variorum.search.retrieval import Searcher

R = TypeVar("R")

PaperName = Annotated[Name, Field(description="A DOI; or an item's key, reference (user/ABCD2345) or citation key.")]
PageNumber = Annotated[int, Field(ge=1, le=400, description="Pages count from 1; next_page leads to more.")]
Refresh = Annotated[bool, Field(description="Ask again for what OpenAlex answered before.")]


class CitationTools:
    """The tools that ask OpenAlex. Its answers are kept in a folder ``openalex`` beside the index."""

    def __init__(self, door: IndexDoor, url: str | None = None, client: PoliteClient | None = None) -> None:
        """Raises UsageError for an `url`, that of OpenAlex where None is given, which is no address of the web."""
        self._door = door
        self._client = client or PoliteClient(pause=PAUSE_S)
        self._url = url or OPENALEX_URL
        host_of(self._url)
        self._one_at_a_time = asyncio.Lock()

    async def find_citing_papers(self, paper: PaperName, page: PageNumber = 1, refresh: Refresh = False) -> RelatedWorks:
        """Find the works that cite a paper, most cited first, and say which of them are in the library. Asks OpenAlex."""
        return await self._related(paper, lambda graph, doi: graph.citing(doi, page), page, refresh)

    async def find_references(self, paper: PaperName, page: PageNumber = 1, refresh: Refresh = False) -> RelatedWorks:
        """Find the works that a paper cites, as far as OpenAlex knows them, and say which of them are in the library."""
        return await self._related(paper, lambda graph, doi: graph.references(doi, page), page, refresh)

    async def get_citation_count(self, paper: PaperName, refresh: Refresh = False) -> CitationCount:
        """Return how many works cite a paper, by OpenAlex."""
        doi, held = await self._door.ask(lambda searcher: (_doi(searcher, paper), _held(searcher)))
        work = await self._ask(lambda graph: graph.work(doi), refresh)
        return CitationCount(work=_out(work, held))

    async def _related(
        self, paper: str, look: Callable[[CitationGraph, str], WorkPage], page: int, refresh: bool
    ) -> RelatedWorks:
        doi, held = await self._door.ask(lambda searcher: (_doi(searcher, paper), _held(searcher)))
        found = await self._ask(lambda graph: look(graph, doi), refresh)
        return RelatedWorks(
            doi=doi,
            works=[_out(work, held) for work in found.works],
            total=found.total,
            next_page=page + 1 if page * PAGE < found.total else None,
        )

    async def _ask(self, question: Callable[[CitationGraph], R], refresh: bool) -> R:
        """Return what is answered; the host is asked one thing at a time, outside of the thread that serves clients."""
        place = self._door.index.parent / "openalex"
        graph = CitationGraph(self._client, place, url=self._url, refresh=refresh)
        async with self._one_at_a_time:
            return await asyncio.to_thread(question, graph)


def _doi(searcher: Searcher, paper: str) -> str:
    """Return the DOI that is meant; raises UsageError for an item that does not exist or has none, or for several of a name."""
    if "10." in paper and "/" in paper:
        return plain_doi(paper)
    rows = searcher.index.connection.execute(
        "SELECT DISTINCT json_extract(record, '$.doi') FROM items"
        " WHERE key = ?1 OR in_library || '/' || key = ?1 OR citation_key = ?1",
        (paper,),
    ).fetchall()
    if not rows:
        what = f"no item is called {paper!r}: neither key, reference nor citation key"
        raise UsageError(what, where="paper", hint="a DOI, or an item as a search gives it")
    found = {plain_doi(doi) for (doi,) in rows if doi}
    if len(found) != 1:
        what = "several items are called so" if found else "the library has no DOI of this item"
        raise UsageError(f"{paper!r}: {what}", where="paper", hint="the DOI itself")
    return found.pop()


def _held(searcher: Searcher) -> Mapping[str, list[str]]:
    """Return the references of the items in the index by their DOIs, in lower case."""
    held: dict[str, list[str]] = {}
    rows = searcher.index.connection.execute(
        "SELECT lower(json_extract(record, '$.doi')), in_library || '/' || key FROM items"
        " WHERE json_extract(record, '$.doi') != '' ORDER BY in_library, key"
    )
    for doi, reference in rows:
        held.setdefault(doi, []).append(reference)
    return held


def _out(work: Work, held: Mapping[str, list[str]]) -> WorkOut:
    return WorkOut(
        openalex_id=work.id,
        title=work.title,
        doi=work.doi,
        year=work.year,
        authors=list(work.authors[:CREATORS_SHOWN]),
        author_count=len(work.authors),
        venue=work.venue,
        cited_by=work.cited_by,
        in_library=held.get(work.doi, []) if work.doi else [],
    )
