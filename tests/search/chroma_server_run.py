"""A server of Chroma on a free port of this computer, begun by a test and ended behind it."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_ATTEMPTS = 600
_A_WHILE_S = 0.1
_RUN = "import sys; from chromadb.cli.cli import app; sys.argv[0] = 'chroma'; app()"


@contextmanager
def chroma_server(folder: Path) -> Iterator[int]:
    """Yield the port of a server whose heart beats; fails when it ends early, or is silent at every attempt."""
    port = free_port()
    command = [sys.executable, "-c", _RUN, "run", "--path", str(folder), "--host", "127.0.0.1", "--port", str(port)]
    quiet = {**os.environ, "ANONYMIZED_TELEMETRY": "False"}
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=quiet) as process:
        try:
            _wait_for_it(process, port)
            yield port
        finally:
            process.kill()


def free_port() -> int:
    """Return a port of this computer on which nobody listens."""
    with socket.socket() as chosen:
        chosen.bind(("127.0.0.1", 0))
        return int(chosen.getsockname()[1])


def _wait_for_it(process: subprocess.Popen[bytes], port: int) -> None:
    for _ in range(_ATTEMPTS):
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/api/v2/heartbeat", timeout=_A_WHILE_S * 100):
                return
        except (urllib.error.URLError, ConnectionError):
            try:
                code = process.wait(_A_WHILE_S)  # returns at once if it has died, and else gives it time
            except subprocess.TimeoutExpired:
                continue
            raise AssertionError(f"the server ended with code {code}") from None
    raise AssertionError(f"no heartbeat in {_ATTEMPTS} attempts")
