"""The vectors of an index in Chroma: made from the index file, kept up to date with it, and made anew where they are damaged.

An index has one collection, named by the index's id. A row of it is a chunk: its id in the index file, its vector, and the
digest of the vector, so that what is there can be compared with what should be there, row by row. The collection's metadata say
of which index, model and state of the index it is; while it is written they say ``writing``.

Chroma finds neighbours by a graph, which misses some (HNSW: Malkov and Yashunin 2020,
https://doi.org/10.1109/TPAMI.2018.2889473).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeVar

from variorum.errors import DamagedInputError, UsageError
from variorum.search.chroma_door import ChromaFault, told_apart
from variorum.search.store import IndexFile
from variorum.search.stored_vectors import StoredVectors, row_digest, stored_vectors

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    import numpy as np
    from numpy.typing import NDArray

R = TypeVar("R")

_CONFIGURATION: Final = {"hnsw": {"space": "cosine", "ef_search": 500, "num_threads": 1}}
"""Chroma looks at 100 candidates by itself, fewer than a search asks for. How many of the nearest 500 find is in
``bench/results/scale.json``. One thread: the graph is then the same whenever it is made anew."""
_WRITING: Final = "writing"
_AT_ONCE: Final = 2000
"""Rows in one call: an answer of a server with so many takes a megabyte or two."""
_SAME: Final = 1e-5
"""Two vectors of length 1 whose numbers differ by less are the same, but for rounding."""


class ChromaPlace(Protocol):
    """Where Chroma keeps its collections: `ChromaFolder` or `ChromaServer`."""

    @property
    def where(self) -> str:
        """What messages call it."""
        ...

    @property
    def server(self) -> str | None:
        """The address, None for a folder."""
        ...

    def client(self) -> Any:
        """Return Chroma's client."""
        ...

    def set_aside(self, name: str) -> str:
        """Return what holds the collection of this name now that nothing reads it any more, '' where there was none."""
        ...

    def writing(self) -> AbstractContextManager[None]:
        """Hold the place against others that write it."""
        ...

    def said(self) -> tuple[str, ...]:
        """Return what happened to the place since it was asked last, a sentence each."""
        ...

    def close(self) -> None:
        """Return None once the place is let go."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """What bringing the collection up to date took: rows there are now, rows added, rows taken out."""

    rows: int
    added: int
    removed: int


class ChromaVectors:
    """The vectors of an open index in Chroma. Not to be shared between threads; `close` it, before the index."""

    def __init__(self, index: IndexFile, place: ChromaPlace) -> None:
        """Raises UsageError for an index without an id, as an earlier release made it."""
        name = index.id()
        if name is None:
            what = "the index has no id yet, by which its vectors would be known in Chroma"
            raise UsageError(what, where=str(index.path), hint="variorum index, which gives it one; or --vectors exact")
        self._name = f"variorum-{name}"
        self._index = index
        self._place = place
        self._version: int | None = None
        self._stored: StoredVectors | None = None
        self._collection: Any = None
        self._said: list[str] = []

    def close(self) -> None:
        """Return None once the place is let go."""
        self._place.close()

    def said(self) -> tuple[str, ...]:
        """Return what `VectorSearch.said` says."""
        said, self._said = (*self._place.said(), *self._said), []
        return said

    def nearest(self, vector: NDArray[np.float32], count: int, allowed: Collection[int] | None) -> list[tuple[int, float]]:
        """Return what `VectorSearch.nearest` says, but for the neighbours that Chroma's graph misses.

        Brings the collection up to date before. Raises NetworkError when the server gives no answer, DamagedInputError when it
        cannot be made anew.
        """
        return self._mended(lambda: self._nearest(vector, count, allowed))

    def bring_up_to_date(self) -> Change:
        """Return what it took to have in Chroma what the index file has; raises as `nearest` does."""
        return self._mended(self._up_to_date)

    def faults(self) -> tuple[str, ...]:
        """Return what is wrong with the collection, a sentence each. A damaged one is set aside; the next search makes it anew.

        Every vector is compared with the one in the index file. That rows are missing which the index got since is no fault.
        """
        try:
            found = list(self._faults())
        except ChromaFault as fault:
            found = [f"the vectors in Chroma cannot be read ({fault})"]
        if found:
            found.append(f"the vectors in Chroma are {self._put_aside()}; the next search by them makes them anew")
        return (*self._place.said(), *found)

    # ---- asking -----------------------------------------------------------------------------------------------------

    def _nearest(self, vector: NDArray[np.float32], count: int, allowed: Collection[int] | None) -> list[tuple[int, float]]:
        self._up_to_date()
        assert self._stored is not None
        places = self._stored.places
        among = None if allowed is None else [str(i) for i in sorted(allowed) if i in places]
        wanted = min(count, len(places) if among is None else len(among))
        if not wanted:
            return []
        with told_apart(self._place.server):
            answer = self._collection.query(query_embeddings=[vector], n_results=wanted, ids=among, include=["distances"])
        found = [(int(i), 1 - float(distance)) for i, distance in zip(answer["ids"][0], answer["distances"][0], strict=True)]
        if len(found) < wanted or any(i not in places for i, _ in found):
            with told_apart(self._place.server):
                if not self._is_current():  # another process has written it meanwhile
                    return self._nearest(vector, count, allowed)
            raise ChromaFault(f"{len(found)} neighbours came back in place of {wanted}, or other chunks than there are")
        return sorted(found, key=lambda pair: (-pair[1], places[pair[0]]))

    def _mended(self, work: Callable[[], R]) -> R:
        """Return the result of some work; when it finds damage, the collection is set aside, and the work done again, once."""
        try:
            return work()
        except ChromaFault as fault:
            self._said.append(f"the vectors in Chroma were damaged ({fault}); {self._put_aside()}, and made anew")
        try:
            return work()
        except ChromaFault as fault:
            what = f"the vectors cannot be kept in Chroma ({fault})"
            raise DamagedInputError(what, where=self._place.where, hint="--vectors exact") from fault

    def _put_aside(self) -> str:
        self._version = self._collection = None
        try:
            aside = self._place.set_aside(self._name)
        except ChromaFault as fault:
            what = f"damaged vectors in Chroma cannot be set aside ({fault})"
            hint = f"remove the collection {self._name}; or --vectors exact"
            raise DamagedInputError(what, where=self._place.where, hint=hint) from fault
        return f"set aside as {aside}" if aside else "gone"

    # ---- keeping up to date -----------------------------------------------------------------------------------------

    def _up_to_date(self) -> Change:
        """Return what was changed so that the collection has what the index file has."""
        version = self._index.data_version()
        with self._index.snapshot():
            if version != self._version or self._stored is None:
                self._stored = stored_vectors(self._index.connection)
            with told_apart(self._place.server):
                rows = len(self._stored.places)
                change = Change(rows=rows, added=0, removed=0)
                if not self._is_current():
                    with self._place.writing():
                        change = self._written(self._stored)
        self._version = version
        return change

    def _is_current(self) -> bool:
        """Whether the collection is there, of this index and model, and has what the index file had when that was last read."""
        assert self._stored is not None
        named = {collection.name for collection in self._place.client().list_collections()} if self._version is None else None
        if named is not None and self._name not in named:
            return False
        self._collection = self._place.client().get_collection(self._name, embedding_function=None)
        has = dict(self._collection.metadata or {})
        if has != self._metadata(self._stored.state):
            return False
        return self._version is not None or self._collection.count() == len(self._stored.places)

    def _metadata(self, state: str) -> dict[str, str | int]:
        manifest = self._index.manifest()
        return {
            "index": self._name,
            "model": manifest.model or "",
            "dimension": manifest.dimension or 0,
            "state": state,
        }

    def _written(self, stored: StoredVectors) -> Change:
        """Return what was changed, once the collection has these vectors and says so."""
        client = self._place.client()
        writing = self._metadata(_WRITING)
        collection = client.get_or_create_collection(
            self._name, embedding_function=None, configuration=_CONFIGURATION, metadata=writing
        )
        if {**(collection.metadata or {}), "state": _WRITING} != writing:
            said = dict(collection.metadata or {})
            self._said.append(f"the vectors in Chroma were those of {said.get('model') or 'no model'}, and were made anew")
            client.delete_collection(self._name)
            collection = client.create_collection(
                self._name, embedding_function=None, configuration=_CONFIGURATION, metadata=writing
            )
        collection.modify(metadata=writing)
        wanted = stored.digests(self._index.connection)
        wrong = [str(i) for i, digest in _rows(collection) if wanted.get(i) != digest]
        for start in range(0, len(wrong), _AT_ONCE):
            collection.delete(ids=wrong[start : start + _AT_ONCE])
        has = {i for i, _ in _rows(collection)}
        added = self._add(collection, stored, has)
        if collection.count() != len(stored.places):
            raise ChromaFault(f"it holds {collection.count()} vectors after {len(stored.places)} were put there")
        collection.modify(metadata=self._metadata(stored.state))
        self._collection = collection
        return Change(rows=len(stored.places), added=added, removed=len(wrong))

    def _add(self, collection: Any, stored: StoredVectors, has: Collection[int]) -> int:
        """Return how many vectors were added that the collection did not have."""
        import numpy as np

        added = 0
        ids: list[int] = []
        vectors: list[Any] = []

        def put() -> None:
            nonlocal added
            if ids:
                marks = [{"digest": row_digest(vector.tobytes())} for vector in vectors]
                collection.add(ids=[str(i) for i in ids], embeddings=np.stack(vectors), metadatas=marks)
                added += len(ids)
                ids.clear()
                vectors.clear()

        for chunk_id, vector in stored.rows(self._index.connection):
            if chunk_id not in has:
                ids.append(chunk_id)
                vectors.append(vector)
            if len(ids) == _AT_ONCE:
                put()
        put()
        return added

    # ---- checking ---------------------------------------------------------------------------------------------------

    def _faults(self) -> Iterator[str]:
        with self._index.snapshot(), told_apart(self._place.server):
            client = self._place.client()
            if self._name not in {collection.name for collection in client.list_collections()}:
                return
            self._stored = stored_vectors(self._index.connection)
            self._collection = client.get_collection(self._name, embedding_function=None)
            has: Mapping[str, object] = self._collection.metadata or {}
            if has.get("state") == _WRITING:
                yield "the vectors in Chroma are half-written"
                return
            if has.get("model") != self._metadata("")["model"]:
                return  # of another model, and made anew when they are needed
            yield from self._row_faults(self._stored, is_behind=has.get("state") != self._stored.state)

    def _row_faults(self, stored: StoredVectors, *, is_behind: bool) -> Iterator[str]:
        import numpy as np

        wanted = stored.digests(self._index.connection)
        vectors = dict(stored.rows(self._index.connection))
        seen = other = unlike = 0
        for start in range(0, self._collection.count(), _AT_ONCE):
            page = self._collection.get(include=["embeddings", "metadatas"], limit=_AT_ONCE, offset=start)
            for name, vector, mark in zip(page["ids"], page["embeddings"], page["metadatas"], strict=True):
                seen += 1
                if wanted.get(int(name)) != (mark or {}).get("digest"):
                    other += 1
                elif np.max(np.abs(vector - vectors[int(name)])) > _SAME:
                    unlike += 1
        if unlike:
            yield f"{unlike} vectors in Chroma are not those of the index"
        if other and not is_behind:
            yield f"{other} vectors in Chroma are of chunks that the index does not have"
        if seen - other != len(stored.places) and not is_behind:
            yield f"{len(stored.places) - (seen - other)} vectors of the index are missing in Chroma"


def _rows(collection: Any) -> Iterator[tuple[int, str]]:
    """Yield the chunk's id and the vector's digest of every row."""
    for start in range(0, collection.count(), _AT_ONCE):
        page = collection.get(include=["metadatas"], limit=_AT_ONCE, offset=start)
        for name, mark in zip(page["ids"], page["metadatas"], strict=True):
            yield int(name), str((mark or {}).get("digest", ""))
