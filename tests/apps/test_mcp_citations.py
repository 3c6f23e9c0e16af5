"""Claims about the tools that ask OpenAlex: which works of the library are among those found, and what is said offline."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from made_index import HashedWords, Shelf, item, paper

pytest.importorskip("mcp", reason="the extra mcp is not installed")

from mcp_clients import Asking, asked, in_memory

from tests.net.local_host import LocalHost, Reply, serving
from variorum.net.polite import PoliteClient

FIELDS = "id,doi,display_name,publication_year,cited_by_count,authorships,primary_location"


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    shelf = Shelf(tmp_path_factory.mktemp("index") / "index.sqlite", HashedWords())
    birds = item("BIRDS234", "Birds", citation_key="lake2019birds", doi="10.1/birds")
    shelf.put([(birds, paper("Birds", "Birds fly.")), (item("PONDS234", "Ponds"), paper("Ponds", "Ponds freeze."))])
    return shelf.path


def reply(host: LocalHost) -> None:
    """Let the host know a paper that 60 others cite, the first of which is in the library."""
    single = {"id": "https://openalex.org/W1", "display_name": "Birds", "cited_by_count": 60, "referenced_works": []}
    citing = {"id": "https://openalex.org/W2", "display_name": "More birds", "doi": "https://doi.org/10.1/Birds"}
    answers: dict[str, Any] = {
        f"/works/doi:10.1/birds?select={FIELDS},referenced_works": single,
        f"/works?filter=cites:W1&sort=cited_by_count:desc&per-page=25&page=1&select={FIELDS}": {
            "meta": {"count": 60},
            "results": [citing],
        },
    }
    for path, answer in answers.items():
        host.replies[path] = [Reply(body=json.dumps(answer).encode(), kind="application/json")]


def test_works_around_a_paper_are_found_by_any_of_its_names(index: Path) -> None:
    async def talk(url: str) -> None:
        async with in_memory(index, openalex=url, client=PoliteClient(pause=0.0)) as client:
            assert (await client.ask("get_citation_count", paper="lake2019birds"))["work"]["cited_by"] == 60
            found = await client.ask("find_citing_papers", paper="user/BIRDS234")
            assert (found["total"], found["next_page"]) == (60, 2)
            assert found["works"][0]["in_library"] == ["user/BIRDS234"]
            assert (await client.ask("find_references", paper="https://doi.org/10.1/BIRDS"))["works"] == []
            await the_names_that_lead_nowhere_are_refused(client)

    with serving() as host:
        reply(host)
        asked(lambda: talk(host.url))
    assert list((index.parent / "openalex").iterdir()) != []


async def the_names_that_lead_nowhere_are_refused(client: Asking) -> None:
    assert "has no DOI" in await client.refused("find_references", paper="PONDS234")
    assert "no item is called" in await client.refused("find_references", paper="../../etc")
    assert "is no DOI" in await client.refused("find_references", paper="../10./x")
    assert "has no work with this DOI" in await client.refused("find_references", paper="10.1/fish")
    assert "page" in await client.refused("find_references", paper="10.1/birds", page=0)


def test_without_a_network_the_remedy_is_named(index: Path) -> None:
    async def talk() -> str:
        quick = PoliteClient(pause=0.0, attempts=1)
        async with in_memory(index, openalex="http://127.0.0.1:1", client=quick) as client:
            return await client.refused("get_citation_count", paper="10.1/offline")

    assert "check the connection" in asked(talk)


def test_a_server_that_was_not_told_so_never_asks_the_network(index: Path) -> None:
    async def talk() -> str:
        async with in_memory(index) as client:
            return await client.refused("find_citing_papers", paper="BIRDS234")

    assert "there is no tool" in asked(talk)
