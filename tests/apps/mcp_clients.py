"""Real clients of the SDK for the tests of the MCP server, and the servers that they ask."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any, TypeVar

from mcp import Client, StdioServerParameters

from variorum.apps.chosen_library import LibraryPlace
from variorum.apps.mcp.citation_tools import CitationTools
from variorum.apps.mcp.index_door import IndexDoor
from variorum.apps.mcp.jobs import Jobs
from variorum.apps.mcp.settings import Settings
from variorum.apps.mcp.tool_server import make_server
from variorum.net.polite import PoliteClient
from variorum.search.ranking import DEFAULT_RANKING

R = TypeVar("R")

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "technical-report"
_COMMAND = ("-m", "variorum.apps.cli.main", "mcp")


class Asking:
    """A connected client, whose answers are plain data."""

    def __init__(self, client: Client) -> None:
        self.client = client

    async def ask(self, tool: str, **arguments: Any) -> Any:
        """Return the structured result of a tool that must not fail."""
        result = await self.client.call_tool(tool, arguments)
        assert not result.is_error, said(result)
        return result.structured_content

    async def refused(self, tool: str, **arguments: Any) -> str:
        """Return what is said of a call that must fail."""
        result = await self.client.call_tool(tool, arguments)
        assert result.is_error
        return said(result)


def said(result: Any) -> str:
    return "\n".join(part.text for part in result.content)


@asynccontextmanager
async def in_memory(
    index: Path, folder: Path = EXAMPLE, *, openalex: str | None = None, client: PoliteClient | None = None
) -> AsyncIterator[Asking]:
    """Yield a client of a server in this process; `client` is what asks OpenAlex there."""
    settings = Settings(index=index, place=LibraryPlace(folder=folder), ranking=DEFAULT_RANKING)
    door, jobs = IndexDoor(settings), Jobs()
    try:
        citations = None if openalex is None else CitationTools(door, openalex, client)
        async with Client(make_server(settings, door, jobs, citations)) as connected:
            yield Asking(connected)
    finally:
        await jobs.close()
        door.close()


@asynccontextmanager
async def over_stdio(*options: str, cwd: Path) -> AsyncIterator[Asking]:
    """Yield a client that began the server as a command."""
    server = StdioServerParameters(command=sys.executable, args=[*_COMMAND, *options], cwd=cwd)
    async with Client(server) as client:
        yield Asking(client)


@contextmanager
def http_server(*options: str, cwd: Path) -> Iterator[str]:
    """Yield the address of a server on a free port."""
    call = [sys.executable, *_COMMAND, "--http", "--port", "0", *options]
    with subprocess.Popen(call, cwd=cwd, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stderr is not None
            first = process.stderr.readline()
            assert "listening on" in first, first
            yield first.split()[-1]
        finally:
            process.terminate()
            process.communicate()


def asked(talk: Callable[[], Awaitable[R]]) -> R:
    """Return what a conversation comes to."""

    async def whole() -> R:
        return await talk()

    return asyncio.run(whole())


async def until_over(client: Asking, job: str) -> Any:
    """Return the last status of a run."""
    while True:
        status = await client.ask("get_index_job", job=job, wait_seconds=60)
        if status["state"] != "running":
            return status
