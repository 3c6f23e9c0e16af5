"""The chunks whose vectors are nearest to that of a question: one interface, whatever finds them.

`ExactVectors` compares one by one: exact, and nothing that could be damaged. A hundred thousand vectors of 384 numbers are
compared in a few hundredths of a second. `variorum.search.chroma_vectors` has Chroma. Every store is made from the vectors in
the index file, which remain the truth.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Any, Protocol

from variorum.errors import DamagedInputError
from variorum.search.store import IndexFile
from variorum.search.stored_vectors import REMAKE_HINT, document_vectors

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class VectorSearch(Protocol):
    """Something that finds the nearest vectors of an index."""

    def nearest(self, vector: NDArray[np.float32], count: int, allowed: Collection[int] | None) -> list[tuple[int, float]]:
        """Return the chunks with the greatest cosines, best first: (id, cosine) of at most `count`.

        With `allowed`, only chunks with these ids are compared; ids without a vector are passed over. The vector has length 1.
        Ties stand in the order of the documents' SHA-256 and of the chunks in them.
        """
        ...

    def said(self) -> tuple[str, ...]:
        """Return what happened to the store since this was asked last and must be told, a sentence each."""
        ...


class ExactVectors:
    """All vectors of an index in memory, read again when the index was written meanwhile."""

    def __init__(self, index: IndexFile) -> None:
        self._index = index
        self._version: int | None = None
        self._ids: Any = None
        self._matrix: Any = None

    def nearest(self, vector: NDArray[np.float32], count: int, allowed: Collection[int] | None) -> list[tuple[int, float]]:
        """Return what `VectorSearch.nearest` says; raises DamagedInputError as `document_vectors` does."""
        import numpy as np

        self._refresh(len(vector))
        ids, matrix = self._ids, self._matrix
        if allowed is None:
            cosines = matrix @ vector
        else:
            among = np.flatnonzero(np.isin(ids, np.fromiter(allowed, dtype=np.int64, count=len(allowed))))
            few = 4 * len(among) < len(ids)  # more are compared sooner all together: taking one out costs about three readings
            cosines = matrix[among] @ vector if few else (matrix @ vector)[among]
            ids = ids[among]
        best = _greatest(cosines, count)
        return [(int(ids[i]), float(cosines[i])) for i in best]

    def said(self) -> tuple[str, ...]:
        """Return nothing: what is made anew in memory need not be told."""
        return ()

    def _refresh(self, dimension: int) -> None:
        import numpy as np

        version = self._index.data_version()
        if version == self._version:
            return
        self._version = self._matrix = None  # the old vectors are let go before there are new ones
        with self._index.snapshot() as connection:
            (total,) = connection.execute("SELECT coalesce(sum(count), 0) FROM vectors").fetchone()
            ids = np.empty(total, dtype=np.int64)
            matrix = np.empty((total, dimension), dtype="<f4")
            start = 0
            for own, data in document_vectors(connection):
                end = start + len(own)
                rows = np.frombuffer(data, dtype="<f4").reshape(len(own), -1)
                if rows.shape[1] != dimension:
                    what = f"vectors of {rows.shape[1]} numbers stand among those of {dimension}"
                    raise DamagedInputError(what, where=str(self._index.path), hint=REMAKE_HINT)
                ids[start:end], matrix[start:end] = own, rows
                start = end
        self._ids, self._matrix, self._version = ids, matrix, version


def _greatest(values: Any, count: int) -> Any:
    """Return the places of the `count` greatest values, greatest first, equal ones in their order; only these are sorted."""
    import numpy as np

    if count < len(values):
        least = np.partition(values, len(values) - count)[len(values) - count]
        places = np.flatnonzero(values >= least)
    else:
        places = np.arange(len(values))
    return places[np.argsort(-values[places], kind="stable")[:count]]
