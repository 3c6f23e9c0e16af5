"""A host on this machine that answers as a test tells it to, well or badly, and remembers what it was asked."""

from __future__ import annotations

import gzip
import io
import tarfile
import threading
from collections.abc import Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

PDF = b"%PDF-1.4\n" + b"x" * 5_000 + b"\n%%EOF\n"
HTML = b'<!DOCTYPE html><html><article class="ltx_document"><h1 class="ltx_title_document">Birds</h1></article></html>\n'


def archive() -> bytes:
    """Return a source as arXiv serves it."""
    out = io.BytesIO()
    text = b"\\documentclass{article}\\begin{document}Birds.\\end{document}"
    with tarfile.open(fileobj=out, mode="w") as tar:
        info = tarfile.TarInfo("main.tex")
        info.size = len(text)
        tar.addfile(info, io.BytesIO(text))
    return gzip.compress(out.getvalue(), mtime=0)  # the same bytes in every process: tests are named by them


SOURCE = archive()


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """One answer: `sent` bytes of the body at most before the connection is cut, `announced` in place of its true length
    (-1: no length is given). With an `etag` and `has_ranges` the host goes on where a request says."""

    body: bytes = b""
    kind: str = "application/pdf"
    status: int = 200
    sent: int | None = None
    announced: int | None = None
    etag: str = ""
    modified: str = ""
    has_ranges: bool = True
    headers: tuple[tuple[str, str], ...] = ()


@dataclass(slots=True)
class LocalHost:
    """The host: `replies` of each path, given in turn, the last again and again; `asked` are the paths and headers so far."""

    url: str
    replies: dict[str, list[Reply]] = field(default_factory=dict)
    asked: list[tuple[str, dict[str, str]]] = field(default_factory=list)

    def paths(self) -> list[str]:
        """Return the paths that were asked for, in order."""
        return [path for path, _ in self.asked]

    def next_reply(self, path: str) -> Reply:
        """Return the next answer for a path."""
        left = self.replies.get(path, [Reply(status=404, kind="text/html", body=b"<html>nothing</html>")])
        return left.pop(0) if len(left) > 1 else left[0]


@contextmanager
def serving() -> Generator[LocalHost]:
    """Yield a host that listens on this machine alone."""
    host = LocalHost("")

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            host.asked.append((self.path, dict(self.headers)))
            _answer(self, host.next_reply(self.path))

        def log_message(self, *_: Any) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    host.url = f"http://127.0.0.1:{server.server_address[1]}"
    try:
        yield host
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _answer(handler: BaseHTTPRequestHandler, reply: Reply) -> None:
    start = 0
    asked, mark = handler.headers.get("Range", ""), handler.headers.get("If-Range", "")
    if asked and reply.has_ranges and reply.status == 200 and mark in (reply.etag, reply.modified):
        start = int(asked.removeprefix("bytes=").removesuffix("-"))
    body = reply.body[start:]
    handler.send_response(206 if start else reply.status)
    handler.send_header("Content-Type", reply.kind)
    if start:
        handler.send_header("Content-Range", f"bytes {start}-{len(reply.body) - 1}/{len(reply.body)}")
    if reply.announced != -1:
        handler.send_header("Content-Length", str(len(body) if reply.announced is None else reply.announced))
    for name, value in (("ETag", reply.etag), ("Last-Modified", reply.modified), *reply.headers):
        if value:
            handler.send_header(name, value)
    handler.send_header("Connection", "close")
    handler.end_headers()
    with suppress(ConnectionError):  # the other side may have had enough
        handler.wfile.write(body if reply.sent is None else body[: max(0, reply.sent - start)])
    handler.close_connection = True
