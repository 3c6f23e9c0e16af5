"""Serving: over stdin and stdout for a client that begins the server itself, or over HTTP on this computer alone.

The one door to the package ``mcp``, which is imported when a server begins. On stdout stands nothing but the protocol; the log
goes to stderr.
"""

from __future__ import annotations

import asyncio
import socket
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from variorum.apps.mcp.settings import Settings
from variorum.errors import DependencyError, UsageError

if TYPE_CHECKING:
    from variorum.apps.mcp.tool_server import ToolServer

_HOST: Final = "127.0.0.1"
_PATH: Final = "/mcp"
_FAREWELL_S: Final = 2  # for clients that are still connected when the server is ended
_INSTALL: Final = "pip install 'variorum[mcp]'"


def serve(settings: Settings) -> None:
    """Return None once the client has gone, or the server was interrupted.

    Raises DependencyError without the package ``mcp``, UsageError for a port that another program has, and what
    `Settings.check` raises.
    """
    settings.check()
    try:
        import mcp.server.mcpserver  # noqa: F401
        import uvicorn  # noqa: F401
    except ImportError as error:
        raise DependencyError(f"the MCP server needs a package that is not installed ({error.name})", hint=_INSTALL) from None
    with suppress(KeyboardInterrupt):  # how a server that runs in a terminal is ended
        asyncio.run(_served(settings))


async def _served(settings: Settings) -> None:
    from variorum.apps.mcp.citation_tools import CitationTools
    from variorum.apps.mcp.index_door import IndexDoor
    from variorum.apps.mcp.jobs import Jobs
    from variorum.apps.mcp.tool_server import make_server

    door, jobs = IndexDoor(settings), Jobs()
    server = make_server(settings, door, jobs, CitationTools(door, settings.openalex_url) if settings.openalex else None)
    try:
        if settings.port is None:
            await server.run_stdio_async()
        else:
            await _serve_http(server, settings.port)
    finally:
        await jobs.close()
        door.close()


async def _serve_http(server: ToolServer, port: int) -> None:
    """Return None once the server was interrupted. The address is said on stderr as soon as it can be asked."""
    import uvicorn
    from mcp.server.transport_security import TransportSecuritySettings

    with _listening(port) as door:
        number = door.getsockname()[1]
        names = [f"{host}:{number}" for host in (_HOST, "localhost")]
        security = TransportSecuritySettings(allowed_hosts=names, allowed_origins=[f"http://{name}" for name in names])
        app = server.streamable_http_app(streamable_http_path=_PATH, transport_security=security, host=_HOST)
        http = uvicorn.Server(uvicorn.Config(app, log_level="warning", lifespan="on", timeout_graceful_shutdown=_FAREWELL_S))
        print(f"variorum: listening on http://{_HOST}:{number}{_PATH}", file=sys.stderr, flush=True)
        await http.serve(sockets=[door])


def _listening(port: int) -> socket.socket:
    """Return a socket that listens on this computer alone; raises UsageError when another program has the port."""
    door = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        if sys.platform != "win32":
            door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        door.bind((_HOST, port))
        door.listen()
    except OSError as error:
        door.close()
        raise UsageError(
            f"the port cannot be had ({error.strerror})", where=f"--port {port}", hint="another one, or 0 for any that is free"
        ) from error
    return door
