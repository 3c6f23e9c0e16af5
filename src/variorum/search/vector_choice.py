"""Which store finds the nearest vectors, as its user chose it. It is no part of the index: each search may choose another."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, get_args

from variorum.errors import UsageError
from variorum.search.store import IndexFile
from variorum.search.vectors import ExactVectors, VectorSearch
from variorum.suggestions import nearest_name_hint

if TYPE_CHECKING:
    from variorum.search.chroma_vectors import ChromaVectors

Store = Literal["exact", "chroma"]
STORES: Final[tuple[Store, ...]] = get_args(Store)
FOLDER_SUFFIX: Final = ".chroma"
"""Chroma's folder, where none is named: the name of the index file and this."""
_LAST_PORT: Final = 65535


@dataclass(frozen=True, slots=True, kw_only=True)
class VectorChoice:
    """A store, and for Chroma its folder (None: beside the index) or its server (`port` None: Chroma's own, 8000)."""

    store: Store = "exact"
    folder: Path | None = None
    host: str | None = None
    port: int | None = None

    def __post_init__(self) -> None:
        """Raises UsageError for a store that does not exist, options that do not go together, a port that is none."""
        if self.store not in STORES:
            raise UsageError(
                f"{self.store!r} is no store of vectors", where="--vectors", hint=nearest_name_hint(self.store, STORES)
            )
        given = (("--chroma-path", self.folder), ("--chroma-host", self.host), ("--chroma-port", self.port))
        named = [option for option, value in given if value is not None]
        if named and self.store != "chroma":
            raise UsageError("is for vectors in Chroma, which are not asked for", where=named[0], hint="--vectors chroma")
        if self.folder is not None and len(named) > 1:
            raise UsageError("a folder and a server do not go together", where=named[0], hint=f"without {named[1]}")
        if self.port is not None and self.host is None:
            raise UsageError("is the port of no server", where="--chroma-port", hint="--chroma-host 127.0.0.1")
        if self.port is not None and not 0 < self.port <= _LAST_PORT:
            raise UsageError(f"{self.port} is no port", where="--chroma-port", hint="--chroma-port 8000")
        if self.host is not None and (not self.host or any(sign in self.host for sign in "/ \t")):
            raise UsageError(f"{self.host!r} is no name of a host", where="--chroma-host", hint="--chroma-host 127.0.0.1")


EXACT: Final = VectorChoice()


def chosen_vectors(store: str | None, folder: Path | None, host: str | None, port: int | None) -> VectorChoice:
    """Return what a user chose, None where nothing was said; raises UsageError as `VectorChoice` does."""
    named: Any = "exact" if store is None else store
    return VectorChoice(store=named, folder=folder, host=host, port=port)


@contextmanager
def open_vectors(index: IndexFile, choice: VectorChoice) -> Iterator[VectorSearch]:
    """Yield the chosen store of an open index; raises what `open_chroma` raises."""
    if choice.store == "exact":
        yield ExactVectors(index)
        return
    with open_chroma(index, choice) as vectors:
        yield vectors


@contextmanager
def open_chroma(index: IndexFile, choice: VectorChoice) -> Iterator[ChromaVectors]:
    """Yield the vectors of an open index in the folder or on the server of Chroma that is chosen.

    Raises DependencyError without the package ``chromadb``, NetworkError when the server gives no answer, UsageError for a
    folder that holds something else, OutputError when another process has the folder open or it cannot be written.
    """
    from variorum.search.chroma_folder import ChromaFolder
    from variorum.search.chroma_server import DEFAULT_PORT, ChromaServer
    from variorum.search.chroma_vectors import ChromaVectors

    place: ChromaFolder | ChromaServer
    if choice.host is not None:
        place = ChromaServer(choice.host, choice.port or DEFAULT_PORT, index.path)
    else:
        place = ChromaFolder(choice.folder or index.path.with_name(index.path.name + FOLDER_SUFFIX))
    try:
        yield ChromaVectors(index, place)
    finally:
        place.close()
