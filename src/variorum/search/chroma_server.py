"""A server of Chroma that several indexes and processes share: reached over HTTP, its collections set aside by their names."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import Any, Final

from variorum.errors import NetworkError
from variorum.net.living import refusal_of
from variorum.search.chroma_door import SERVER_HINT, ChromaFault, chroma, quiet_settings, told_apart
from variorum.search.locks import exclusive_lock

DEFAULT_PORT: Final = 8000
_HEARTBEAT: Final = "/api/v2/heartbeat"
_ANSWERS_WITHIN_S: Final = 10
"""A server that lives says so at once; what holds the port and is silent for so long is none, or hangs."""
_LOCK_SUFFIX: Final = ".chroma.lock"
_DAMAGED: Final = ".damaged-"


class ChromaServer:
    """One server. What writes there on behalf of an index holds a lock beside the index meanwhile."""

    def __init__(self, host: str, port: int, index: Path) -> None:
        """Raises DependencyError without the package, NetworkError when no server of Chroma answers."""
        package = chroma()
        self.where = self.server = f"{host}:{port}"
        self._index = index
        settings = quiet_settings()
        try:
            with told_apart(self.server):
                _ask_for_life(host, port)
                self._client = package.HttpClient(host=host, port=port, settings=settings)
                # Chroma's client waits without end, and has no setting of its own for that
                self._client._server._session.timeout = settings.chroma_query_request_timeout_seconds
        except ChromaFault as error:
            raise NetworkError(f"what answers is no server of Chroma ({error})", where=self.server, hint=SERVER_HINT) from error

    def client(self) -> Any:
        """Return Chroma's client."""
        return self._client

    def set_aside(self, name: str) -> str:
        """Return what the collection of this name is called now, '' where there is none any more.

        Raises ChromaFault when it cannot be renamed, NetworkError when it gives no answer.
        """
        with told_apart(self.server):
            taken = {collection.name for collection in self._client.list_collections()}
            if name not in taken:
                return ""
            aside = next(new for new in (f"{name}{_DAMAGED}{i}" for i in count(1)) if new not in taken)
            self._client.get_collection(name, embedding_function=None).modify(name=aside)
        return aside

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Hold the place against other processes that write it for the same index file; raises OutputError when one does."""
        lock = exclusive_lock(
            self._index.with_name(self._index.name + _LOCK_SUFFIX),
            where=self._index,
            busy="another process is bringing its vectors in Chroma up to date",
            busy_hint="wait until it is done; or --vectors exact",
            place_hint="--vectors exact, which writes nothing",
        )
        try:
            yield
        finally:
            lock.close()

    def said(self) -> tuple[str, ...]:
        """Return nothing: what happens to a server is told by those who asked it."""
        return ()

    def close(self) -> None:
        """Return None once the connection is let go."""
        with suppress(ChromaFault, NetworkError), told_apart(self.server):
            self._client.close()


def _ask_for_life(host: str, port: int) -> None:
    """Return None once a server of Chroma says there that it lives.

    Raises OSError when nothing answers in time, HTTPException or ChromaFault when what answers is something else.
    """
    status = refusal_of(host, port, _HEARTBEAT, within_s=_ANSWERS_WITHIN_S)
    if status is not None:
        raise ChromaFault(f"HTTP {status}")
