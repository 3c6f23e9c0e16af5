"""MCP over stdin and stdout, with every request answered that came before stdin ended.

The SDK takes the end of stdin for the end of the client and cancels what is being answered. A script that writes its requests
into a pipe closes it and then reads: here the end is handed on only when nothing is left to answer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import anyio
from mcp.server.stdio import stdio_server
from mcp.shared.message import SessionMessage
from mcp_types import JSONRPCError, JSONRPCNotification, JSONRPCRequest, JSONRPCResponse

if TYPE_CHECKING:
    from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
    from mcp.server.lowlevel import Server

_CANCELLED = "notifications/cancelled"


class Outstanding:
    """The requests that came and were not answered yet."""

    def __init__(self) -> None:
        self._ids: set[str] = set()
        self._changed = anyio.Event()

    def came(self, message: SessionMessage | Exception) -> None:
        """Return None; a request is outstanding now, and one that the client cancels is no longer, for it gets no answer."""
        said = message.message if isinstance(message, SessionMessage) else None
        if isinstance(said, JSONRPCRequest):
            self._ids.add(str(said.id))
        elif isinstance(said, JSONRPCNotification) and said.method == _CANCELLED:
            self._done(str((said.params or {}).get("requestId")))

    def went(self, message: SessionMessage) -> None:
        """Return None; a request whose answer was written is outstanding no longer."""
        if isinstance(message.message, JSONRPCResponse | JSONRPCError):
            self._done(str(message.message.id))

    async def none_left(self) -> None:
        """Return None once all are answered."""
        while self._ids:
            await self._changed.wait()

    def all_done(self) -> None:
        """Return None; nothing can be answered any more."""
        self._ids.clear()
        self._wake()

    def _done(self, request: str) -> None:
        self._ids.discard(request)
        self._wake()

    def _wake(self) -> None:
        self._changed.set()
        self._changed = anyio.Event()


async def serve_stdio(server: Server[Any]) -> None:
    """Return None once stdin has ended and everything that was asked before is answered, or the client reads no longer."""
    outstanding = Outstanding()
    to_server, from_client = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    to_client, from_server = anyio.create_memory_object_stream[SessionMessage](0)
    async with stdio_server() as (read, write), anyio.create_task_group() as tasks:
        tasks.start_soon(_bring, read, to_server, outstanding)
        tasks.start_soon(_take, from_server, write, outstanding)
        await server.run(from_client, to_client, server.create_initialization_options())


async def _bring(read: Any, to_server: MemoryObjectSendStream[SessionMessage | Exception], outstanding: Outstanding) -> None:
    async with to_server:
        async for message in read:
            outstanding.came(message)
            await to_server.send(message)
        await outstanding.none_left()


async def _take(from_server: MemoryObjectReceiveStream[SessionMessage], write: Any, outstanding: Outstanding) -> None:
    async with from_server, write:
        async for message in from_server:
            await write.send(message)
            outstanding.went(message)
    outstanding.all_done()
