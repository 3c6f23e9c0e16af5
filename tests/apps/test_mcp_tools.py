"""Claims about the tools of the MCP server: what they find, how answers go on, and what becomes of nonsense."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from made_index import GROUP, HashedWords, Shelf, item, paper, with_floats

pytest.importorskip("mcp", reason="the extra mcp is not installed")

from mcp_clients import Asking, asked, in_memory

from variorum.apps.cli.main import main
from variorum.apps.mcp.cursors import MOST_CHARACTERS, page
from variorum.document import Document

PAPERS = 30


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return an index of a paper with a table and a figure, and of thirty about mills, without vectors."""
    shelf = Shelf(tmp_path_factory.mktemp("index") / "index.sqlite", HashedWords())
    ponds = item("PONDS234", "Ponds in winter", authors=["Lake"], year=2019, citation_key="lake2019ponds", tags=("ice",))
    shelf.put([(ponds, with_floats())])
    shelf.put([(item(f"MILL{i:04}", f"Mill {i}", GROUP), mill(i)) for i in range(PAPERS)])
    return shelf.path


def mill(number: int) -> Document:
    return paper(f"Mill {number}", f"The mill turned {number} times. " + "A wheel needs water. " * (number + 1))


def ask(index: Path, tool: str, **arguments: Any) -> Any:
    async def talk() -> Any:
        async with in_memory(index) as client:
            return await client.ask(tool, **arguments)

    return asked(talk)


def refused(index: Path, tool: str, **arguments: Any) -> str:
    async def talk() -> str:
        async with in_memory(index) as client:
            return await client.refused(tool, **arguments)

    return asked(talk)


def test_a_hit_has_all_that_a_citation_needs(index: Path) -> None:
    answer = ask(index, "search_papers", question="how thick was the ice?", filters={"authors": ["lake"]})
    found = answer["papers"][0]
    assert (found["title"], found["items"][0]["citation_key"]) == ("Ponds in winter", "lake2019ponds")
    assert found["items"][0]["reference"] == "user/PONDS234"
    assert found["items"][0]["link"] == "zotero://select/library/items/PONDS234"
    hit = found["hits"][0]
    assert (hit["page_num"], hit["page_label"]) == (1, "1161")
    assert hit["link"] == "zotero://open-pdf/library/items/PDFPONDS234?page=1"


def test_items_of_a_group_lead_into_the_group(index: Path) -> None:
    answer = ask(index, "search_topic", topic="mill", filters={"items": ["MILL0003"]})
    assert answer["papers"][0]["items"][0]["link"] == "zotero://select/groups/4711/items/MILL0003"


def test_a_table_comes_as_rows_with_the_passages_that_name_it(index: Path) -> None:
    hit = ask(index, "search_tables", question="ice by pond")["papers"][0]["hits"][0]
    by_chunk = ask(index, "get_table", document=hit["chunk"])
    assert by_chunk == ask(index, "get_table", document=hit["document"], table="1")
    assert by_chunk["rows"] == [["Pond", "Thickness"], ["Mill pond", "31 mm"], ["Goose pond", "27 mm"]]
    assert (by_chunk["header_rows"], by_chunk["table"]["page_labels"]) == (1, ["1161"])
    assert by_chunk["item"]["citation_key"] == "lake2019ponds"
    citing = ask(index, "get_citing_passages", document=hit["document"], target=hit["target"])
    assert "lists how thick" in citing["passages"][0]["text"]


def test_a_table_without_a_vote_says_so(index: Path) -> None:
    hit = ask(index, "search_tables", question="ice by pond")["papers"][0]["hits"][0]
    assert "without a vote" in ask(index, "explain_table", document=hit["chunk"])["explanation"]


def test_figures_and_expressions_are_found(index: Path) -> None:
    assert ask(index, "search_figures", question="thaw")["papers"][0]["hits"][0]["number"] == "2"
    answer = ask(index, "search_boolean", expression="ponds AND NOT mill", within="passage")
    assert [paper["title"] for paper in answer["papers"]] == ["Ponds in winter"]


def test_the_context_of_a_passage_holds_the_passage(index: Path) -> None:
    hit = ask(index, "search_papers", question="thaw", filters={"kinds": ["passage"]})["papers"][0]["hits"][0]
    context = ask(index, "get_passage_context", chunk=hit["chunk"], before=10, after=10)
    assert hit["chunk"] in [passage["chunk"] for passage in context["passages"]]
    assert context["item"]["key"] == "PONDS234"


def test_what_the_index_holds_and_how_it_ranks_can_be_asked(index: Path) -> None:
    stats = ask(index, "get_index_stats")
    assert (stats["items"], stats["tables"], stats["figures"], stats["vectors"]) == (PAPERS + 1, 1, 1, 0)
    assert {"name": "Table readers", "items": PAPERS} in stats["libraries"]
    ranking = ask(index, "get_reranking_config")
    assert (ranking["rank_constant"], ranking["wording_weight"], ranking["sections"]["references"]) == (60, 2, 0.75)


def test_pages_of_an_answer_are_the_whole_answer_in_the_order_of_the_command(
    index: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async def talk() -> list[str]:
        found, cursor = [], None
        async with in_memory(index) as client:
            while True:
                more = {} if cursor is None else {"cursor": cursor}
                answer = await client.ask("search_papers", question="mill water", limit=7, **more)
                found += [hit["chunk"] for paper in answer["papers"] for hit in paper["hits"]]
                cursor = answer["next_cursor"]
                if cursor is None:
                    return found

    assert main(["search", "mill water", "--limit", "100", "--json", "--index", str(index)]) == 0
    whole = json.loads(capsys.readouterr().out)
    assert asked(talk) == [hit["chunk"] for paper in whole["papers"] for hit in paper["hits"]]


def test_no_answer_is_longer_than_its_limit_of_characters() -> None:
    sizes = [10, MOST_CHARACTERS, 10, 20, 3 * MOST_CHARACTERS, 10]
    ends = []
    while not ends or ends[-1] < len(sizes):
        ends.append(page(sizes, ends[-1] if ends else 0, 2))
    assert ends == [1, 2, 4, 5, 6]  # what is too long alone stands alone


def test_a_cursor_holds_only_for_its_call_and_while_the_index_is_the_same(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path / "index.sqlite", HashedWords())
    shelf.put([(item(f"MILL{i:04}"), mill(i)) for i in range(5)])

    async def talk() -> None:
        async with in_memory(shelf.path) as client:
            first = await client.ask("search_papers", question="mill", limit=2)
            cursor = first["next_cursor"]
            assert await client.ask("search_papers", question="mill", limit=2, cursor=cursor) != first
            assert "other arguments" in await client.refused("search_papers", question="wheel", limit=2, cursor=cursor)
            assert "other arguments" in await client.refused("search_tables", question="mill", limit=2, cursor=cursor)
            shelf.put([(item("MILL0009"), mill(9))])
            assert "has changed" in await client.refused("search_papers", question="mill", limit=2, cursor=cursor)
            assert len((await client.ask("search_papers", question="mill", limit=50))["papers"]) == 6

    asked(talk)


@pytest.mark.parametrize("cursor", ["x", "…", "bnVsbA==", "WzEsMiwzXQ==", "[" * 300])
def test_what_is_no_cursor_is_refused(index: Path, cursor: str) -> None:
    assert "cursor" in refused(index, "search_papers", question="mill", cursor=cursor)


HOSTILE: list[tuple[str, dict[str, Any], str]] = [
    ("search_papers", {}, "question: has to be said"),
    ("search_papers", {"question": ""}, "question"),
    ("search_papers", {"question": " … "}, "no word to look for"),
    ("search_papers", {"question": "a" * 1_000_000}, "at most 2000"),
    ("search_papers", {"question": {"a": 1}}, "valid string"),
    ("search_papers", {"question": "ice", "limit": 0}, "greater than or equal to 1"),
    ("search_papers", {"question": "ice", "limit": 10**30}, "limit"),
    ("search_papers", {"question": "ice", "limit": "many"}, "valid integer"),
    ("search_papers", {"question": "ice", "limt": 3}, "did you mean limit?"),
    ("search_papers", {"question": "ice", "path": "/etc/passwd"}, "there is no argument 'path'"),
    ("search_papers", {"question": "ice", "by": "magic"}, "by: "),
    ("search_papers", {"question": "ice", "by": "vectors"}, "not possible"),
    ("search_papers", {"question": "ice", "filters": {"tagz": ["x"]}}, "filters.tagz: there is no such argument"),
    ("search_papers", {"question": "ice", "filters": {"tags": ["x"] * 1000}}, "at most 50"),
    ("search_papers", {"question": "ice", "filters": {"year_from": 10**30}}, "filters.year_from"),
    ("search_papers", {"question": "ice", "filters": {"year_from": 2020, "year_to": 2010}}, "2020 to 2010"),
    ("search_papers", {"question": "ice", "filters": {"kinds": ["tabel"]}}, "filters.kinds.0"),
    ("search_boolean", {"expression": "ice AND ("}, "at character"),
    ("search_boolean", {"expression": "(" * 2000}, "bracket"),
    ("get_passage_context", {"chunk": "../../etc/passwd"}, "no reference that a search gave"),
    ("get_passage_context", {"chunk": "abcdef:99999999999999999999"}, "no reference that a search gave"),
    ("get_passage_context", {"chunk": "abcdef012345:1"}, "names no document"),
    ("get_passage_context", {"chunk": "abcdef012345:1", "before": 1000}, "before"),
    ("get_table", {"document": "/etc/passwd", "table": "1"}, "no reference that a search gave"),
    ("get_table", {"document": "abcdef", "table": "../1"}, "names no document"),
    ("get_table", {"document": "abcdef"}, "which table is meant is not said"),
    ("get_index_job", {"job": "../../x"}, "no run of this server"),
    ("get_index_job", {"job": "index-1", "wait_seconds": 1e9}, "wait_seconds"),
    ("cancel_index_job", {"job": "index-1"}, "no run of this server"),
    ("index_library", {"folder": "/etc"}, "there is no argument 'folder'"),
    ("index_library", {"limit": -1}, "limit"),
    ("search_everything", {}, "there is no tool"),
]


@pytest.mark.parametrize(("tool", "arguments", "reason"), HOSTILE, ids=[f"{t}-{r}" for t, _, r in HOSTILE])
def test_nonsense_is_one_line_with_its_place(index: Path, tool: str, arguments: dict[str, Any], reason: str) -> None:
    message = refused(index, tool, **arguments)
    assert reason in message
    assert "\n" not in message
    assert "Traceback" not in message
    assert "bug of variorum" not in message
    assert len(message) < 3000


@pytest.mark.parametrize("question", ["a\x00b", "ice' OR 1=1 --", '"', "*", "💧 ice", "NEAR(ice pond)", "text:ice", "冰"])
def test_signs_that_mean_something_elsewhere_are_only_signs(index: Path, question: str) -> None:
    async def talk() -> Any:
        async with in_memory(index) as client:
            result = await client.client.call_tool("search_papers", {"question": question})
            return result.content[0].text

    assert "bug of variorum" not in asked(talk)


def test_every_tool_says_what_it_takes_and_gives_and_no_argument_is_a_path(index: Path) -> None:
    async def talk() -> list[Any]:
        async with in_memory(index) as client:
            return (await client.client.list_tools()).tools

    tools = {tool.name: tool for tool in asked(talk)}
    assert {"search_papers", "search_topic", "search_tables", "search_figures", "search_boolean"} <= tools.keys()
    assert {"get_passage_context", "get_index_stats", "get_reranking_config", "get_table", "explain_table"} <= tools.keys()
    assert {"index_library", "get_index_job", "cancel_index_job", "get_citing_passages"} <= tools.keys()
    for tool in tools.values():
        assert tool.description
        assert tool.output_schema is not None
        assert tool.input_schema["additionalProperties"] is False
        assert not {"path", "file", "folder", "dir", "index"} & tool.input_schema["properties"].keys()


def test_without_an_index_the_remedy_is_named(tmp_path: Path) -> None:
    assert "index_library" in refused(tmp_path / "none.sqlite", "search_papers", question="ice")


def test_a_file_that_is_no_index_is_said(tmp_path: Path) -> None:
    path = tmp_path / "index.sqlite"
    path.write_bytes(b"no database at all" * 100)
    assert "no index" in refused(path, "search_papers", question="ice")


def test_an_index_that_was_made_anew_is_opened_anew(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path / "index.sqlite", HashedWords())
    shelf.put([(item("MILL0001"), mill(1))])

    async def titles(client: Asking) -> list[str]:
        return [found["title"] for found in (await client.ask("search_papers", question="mill pond"))["papers"]]

    async def talk() -> None:
        async with in_memory(shelf.path) as client:
            assert len(await titles(client)) == 1
            other = Shelf(tmp_path / "other.sqlite", HashedWords())
            other.put([(item("PONDS234", "Ponds in winter"), with_floats())])
            other.path.replace(shelf.path)
            assert await titles(client) == ["Ponds in winter"]

    asked(talk)
