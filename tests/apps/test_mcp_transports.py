"""Claims about the MCP server as clients have it: begun as a command, over both transports, with a real paper."""

from __future__ import annotations

import json
import subprocess
import sys
import urllib.error
import urllib.request
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from made_index import HashedWords, Shelf, item, with_floats

pytest.importorskip("mcp", reason="the extra mcp is not installed")

from mcp import Client
from mcp_clients import EXAMPLE, Asking, asked, http_server, over_stdio, until_over

from variorum.apps.cli.main import main
from variorum.search.verifying import verify


@pytest.fixture
def begun(tmp_path: Path) -> Path:
    """Return an index that holds no paper yet, and has them read with few methods."""
    path = tmp_path / "index" / "index.sqlite"
    call = ["index", "--folder", str(EXAMPLE), "--index", str(path), "--config", "fast", "--limit", "0", "--no-vectors"]
    assert main([*call, "--quiet"]) == 0
    return path


def state(folder: Path) -> list[tuple[str, int]]:
    return sorted((str(path), path.stat().st_mtime_ns) for path in folder.rglob("*"))


def test_over_stdio_a_paper_is_indexed_and_asked_and_nothing_else_is_touched(begun: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    before = state(EXAMPLE)

    async def talk() -> None:
        options = ("--index", str(begun), "--folder", str(EXAMPLE))
        async with over_stdio(*options, cwd=elsewhere) as client:
            job = await client.ask("index_library")
            assert (job["job"], job["state"]) == ("index-1", "running")
            assert "is running" in await client.refused("index_library")
            status = await until_over(client, "index-1")
            assert (status["state"], status["counts"]["indexed"], status["error"]) == ("done", 1, None)
            await the_table_of_the_vote_is_there(client)

    asked(talk)
    assert state(EXAMPLE) == before
    assert list(elsewhere.iterdir()) == []
    assert verify(begun) == ()


async def the_table_of_the_vote_is_there(client: Asking) -> None:
    answer = await client.ask("search_tables", question="clusters with the scaled confidences of their voters", limit=1)
    hit = answer["papers"][0]["hits"][0]
    assert (hit["number"], hit["page_label"]) == ("2", "3")
    table = await client.ask("get_table", document=hit["document"], table=hit["target"])
    assert table["rows"][0] == ["Range", "Voters", "k", "c", "Verdict"]
    votes = await client.ask("explain_table", document=hit["chunk"])
    accepted = [divider for divider in votes["dividers"] if divider["accepted"] and divider["axis"] == "column"]
    assert len(accepted) == table["table"]["n_cols"] - 1
    assert all(divider["votes"] for divider in accepted)
    one = await client.ask("explain_table", document=hit["chunk"], divider="c1")
    assert [divider["id"] for divider in one["dividers"]] == ["c1"]
    assert "no divider" in await client.refused("explain_table", document=hit["chunk"], divider="c99")


def test_over_http_two_clients_ask_one_server(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path / "index.sqlite", HashedWords())
    shelf.put([(item("PONDS234", "Ponds in winter", citation_key="lake2019ponds"), with_floats())])

    async def talk(address: str) -> list[str]:
        async with Client(address) as one, Client(address) as other:
            answers = [await Asking(client).ask("search_tables", question="ice") for client in (one, other)]
        return [answer["papers"][0]["items"][0]["citation_key"] for answer in answers]

    with http_server("--index", str(shelf.path), cwd=tmp_path) as address:
        assert address.startswith("http://127.0.0.1:")
        assert asked(lambda: talk(address)) == ["lake2019ponds", "lake2019ponds"]


@pytest.mark.parametrize("header", ["Host", "Origin"])
def test_a_page_of_the_web_cannot_ask_through_the_browser(tmp_path: Path, header: str) -> None:
    with http_server("--index", str(tmp_path / "none.sqlite"), cwd=tmp_path) as address:
        body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}).encode()
        headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
        request = urllib.request.Request(address, body, {**headers, header: "http://evil.example"}, method="POST")
        with pytest.raises(urllib.error.HTTPError) as refusal:
            urllib.request.urlopen(request)
        with refusal.value as answer:
            assert answer.code in (403, 421)


def test_on_stdout_stands_nothing_but_the_protocol_whatever_comes_in(tmp_path: Path) -> None:
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
    messages: list[dict[str, Any]] = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "search_papers", "arguments": {"question": 1}}},
        {"jsonrpc": "2.0", "id": 3, "method": "no/such", "params": {}},
    ]
    lines = ["nonsense", *map(json.dumps, messages), "{", "\x00\xff"]
    call = [sys.executable, "-m", "variorum.apps.cli.main", "mcp", "--index", str(tmp_path / "none.sqlite")]
    done = subprocess.run(call, input="\n".join(lines) + "\n", capture_output=True, encoding="utf-8", check=True)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert all(answer["jsonrpc"] == "2.0" for answer in answers)
    assert {1, 2, 3} <= {answer.get("id") for answer in answers}


def test_what_was_asked_before_stdin_ended_is_answered(tmp_path: Path) -> None:
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
    messages: list[dict[str, Any]] = [{"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": hello}]
    messages += [{"jsonrpc": "2.0", "method": "notifications/initialized"}]
    question = {"jsonrpc": "2.0", "method": "tools/call", "params": {"name": "get_index_stats"}}
    messages += [{**question, "id": n} for n in range(1, 41)]
    call = [sys.executable, "-m", "variorum.apps.cli.main", "mcp", "--index", str(tmp_path / "none.sqlite")]
    asked_for = "\n".join(map(json.dumps, messages)) + "\n"
    done = subprocess.run(call, input=asked_for, capture_output=True, encoding="utf-8", check=True)
    assert {json.loads(line)["id"] for line in done.stdout.splitlines()} == set(range(41))


@pytest.mark.skipif(sys.platform == "win32", reason="pipes of POSIX")
def test_a_client_that_no_longer_reads_ends_the_server_without_a_traceback(tmp_path: Path) -> None:
    call = [sys.executable, "-m", "variorum.apps.cli.main", "mcp", "--index", str(tmp_path / "none.sqlite")]
    ping = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "ping"}) + "\n"
    server = subprocess.Popen(call, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8")
    assert server.stdin is not None
    assert server.stdout is not None
    assert server.stderr is not None
    with server:
        server.stdout.close()
        with suppress(BrokenPipeError):
            server.stdin.write(ping * 3)
            server.stdin.close()
        said = server.stderr.read()
    assert "Traceback" not in said


@pytest.mark.parametrize(
    ("call", "code", "said"),
    [
        (["--port", "8000"], 2, "--http"),
        (["--http", "--port", "99999"], 2, "is no port"),
        (["--http", "--port", "x"], 2, "no whole number"),
        (["--jobs", "0"], 2, "at least 1"),
        (["--openalex-url", "http://localhost"], 2, "--openalex"),
        (["--openalex", "--openalex-url", "file:" + "/x"], 2, "no address of the web"),
        (["--folder", "no-such-folder"], 3, "is not there"),
        (["--zotero", "a", "--folder", "b"], 2, "two places"),
        (["--ranking", "no-such.toml"], 3, "cannot be read"),
    ],
)
def test_a_server_that_cannot_be_begun_is_one_line_and_a_code(
    capsys: pytest.CaptureFixture[str], call: list[str], code: int, said: str
) -> None:
    assert main(["mcp", *call]) == code
    out = capsys.readouterr()
    assert (out.out, len(out.err.splitlines())) == ("", 1)
    assert said in out.err


def test_a_port_that_is_taken_is_said(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    with http_server("--index", str(tmp_path / "none.sqlite"), cwd=tmp_path) as address:
        port = address.rpartition(":")[2].partition("/")[0]
        assert main(["mcp", "--http", "--port", port]) == 2
    assert "cannot be had" in capsys.readouterr().err


def test_without_the_package_it_is_said_how_to_install_it(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == "mcp"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "mcp", None)
    assert main(["mcp"]) == 12
    assert "variorum[mcp]" in capsys.readouterr().err
