"""The vectors in an index file, read for a store that is made from them, with digests that tell when one has changed."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from variorum.errors import DamagedInputError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

REMAKE_HINT: Final = "variorum index --verify; --rebuild makes chunks and vectors anew"
_STATE_BYTES: Final = 16
_ROW_BYTES: Final = 8
_FLOAT_BYTES: Final = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredVectors:
    """Which chunks have vectors: `places` are their places in the order of searches, by their ids. `state` is a digest of all
    ids and vectors: another one as soon as one of them is."""

    places: Mapping[int, int]
    state: str

    def rows(self, connection: sqlite3.Connection) -> Iterator[tuple[int, NDArray[np.float32]]]:
        """Yield each chunk's id and vector, in the order of their places; from the same snapshot that these were read from."""
        import numpy as np

        for ids, data in document_vectors(connection):
            yield from zip(ids, np.frombuffer(data, dtype="<f4").reshape(len(ids), -1), strict=True)

    def digests(self, connection: sqlite3.Connection) -> dict[int, str]:
        """Return the digest of each chunk's vector, by the chunk's id; from the same snapshot."""
        return {
            chunk_id: row_digest(data[start : start + width])
            for ids, data in document_vectors(connection)
            for width in [len(data) // len(ids)]
            for chunk_id, start in zip(ids, range(0, len(data), width), strict=True)
        }


def stored_vectors(connection: sqlite3.Connection) -> StoredVectors:
    """Return the vectors of an index; raises DamagedInputError when a document has another number of them than of chunks."""
    digest = hashlib.blake2b(digest_size=_STATE_BYTES)
    order: list[int] = []
    for ids, data in document_vectors(connection):
        order.extend(ids)
        digest.update(repr(ids).encode())
        digest.update(data)
    return StoredVectors(places={chunk_id: place for place, chunk_id in enumerate(order)}, state=digest.hexdigest())


def row_digest(data: bytes) -> str:
    """Return the digest of one vector's bytes (float32, little-endian): 16 hexadecimal digits."""
    return hashlib.blake2b(data, digest_size=_ROW_BYTES).hexdigest()


def document_vectors(connection: sqlite3.Connection) -> Iterator[tuple[list[int], bytes]]:
    """Yield the chunks' ids and the vectors of each document that has some, in the order of searches.

    Vectors are float32, little-endian, one after the other. Raises DamagedInputError when a document has another number of them
    than of chunks.
    """
    rows = connection.execute(
        "SELECT d.id, d.sha256, v.count, v.data FROM vectors v JOIN documents d ON d.id = v.document_id"
        " ORDER BY d.kind, d.sha256"
    )
    for document_id, sha256, count, data in rows:
        ids = [i for (i,) in connection.execute("SELECT id FROM chunks WHERE document_id = ? ORDER BY seq", (document_id,))]
        if len(ids) != count or not ids or len(data) % (_FLOAT_BYTES * len(ids)):
            what = f"the document {sha256[:12]} has {len(ids)} chunks and {count} vectors"
            raise DamagedInputError(what, hint=REMAKE_HINT)
        yield ids, data
