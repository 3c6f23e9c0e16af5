"""Ask one index in a process of its own, for bench.scale: the request on stdin, the answer into the file that it names.

The process holds nothing but what a search needs, so that its memory is that of the searches. Vectors of the questions come
with the request: how long a model takes for one is not asked here.
"""

from __future__ import annotations

import json
import resource
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from variorum.search.embeddings import ModelIdentity
from variorum.search.filters import Filters, chunk_condition
from variorum.search.retrieval import Searcher
from variorum.search.store import IndexFile, open_index
from variorum.search.vector_choice import VectorChoice, open_vectors
from variorum.search.vectors import VectorSearch
from variorum.search.words import any_of, asked_words

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_PLAIN = "SELECT rowid FROM words WHERE words MATCH ? ORDER BY bm25(words) LIMIT 10"
_NEAREST = 200


class GivenVectors:
    """An embedder of the questions whose vectors are at hand."""

    def __init__(self, identity: ModelIdentity, vectors: dict[str, Sequence[float]]) -> None:
        self.identity = identity
        self._vectors = vectors

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return the vectors that were given."""
        import numpy as np

        return np.array([self._vectors[text] for text in texts], dtype=np.float32)


def _filters(given: Mapping[str, Any]) -> Filters:
    """Return filters from JSON, which has lists for tuples."""
    values: dict[str, Any] = {key: tuple(value) if isinstance(value, list) else value for key, value in given.items()}
    return Filters(**values)


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """Return CPU seconds of every question by the name of a filter, and of a plain FTS5 query; peak memory in MB.

    With `mode` None the store of vectors is asked alone, and the chunks that it found come with the answer.
    """
    folder = request["chroma"]
    choice = VectorChoice() if folder is None else VectorChoice(store="chroma", folder=Path(folder))
    asked: dict[str, Sequence[float]] = request["questions"]
    filters_by_name = {name: _filters(given) for name, given in request["filters"].items()}
    with open_index(Path(request["index"])) as index:
        manifest = index.manifest()
        identity = ModelIdentity(id=manifest.model or "", dimension=manifest.dimension or 0, max_tokens=manifest.max_tokens)
        embedder = GivenVectors(identity, asked)
        start = time.process_time()
        with open_vectors(index, choice) as vectors:
            found: dict[str, Any] = {"plain": _plain(index, list(asked))}
            if request["mode"] is None:
                _nearest(index, vectors, embedder, list(asked)[:1], Filters())
                found["first_s"] = time.process_time() - start
                for name, filters in filters_by_name.items():
                    found[name], found[f"{name} ids"] = _nearest(index, vectors, embedder, list(asked), filters)
            else:
                searcher = Searcher(index, embedder, vectors=vectors)
                searcher.search(next(iter(asked)), by=request["mode"])  # what is loaded once is no query's
                for name, filters in filters_by_name.items():
                    found[name] = _timed(_search(searcher, filters, request["mode"]), list(asked))
    found["peak_mb"] = _peak_mb()
    return found


def _peak_mb() -> float:
    """Return the largest resident size of this process, in MB (10**6 bytes); what its parent took before it does not count."""
    status = Path("/proc/self/status")
    if status.exists():
        line = next(line for line in status.read_text(encoding="utf-8").splitlines() if line.startswith("VmHWM:"))
        return round(int(line.split()[1]) * 1024 / 1e6, 1)
    unit = 1 if sys.platform == "darwin" else 1024
    return round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e6, 1)


def _search(searcher: Searcher, filters: Filters, mode: Any) -> Callable[[str], object]:
    return lambda question: searcher.search(question, filters, by=mode)


def _plain(index: IndexFile, asked: Sequence[str]) -> list[float]:
    return _timed(lambda question: index.connection.execute(_PLAIN, (any_of(asked_words(question)),)).fetchall(), asked)


def _nearest(
    index: IndexFile, vectors: VectorSearch, embedder: GivenVectors, asked: Sequence[str], filters: Filters
) -> tuple[list[float], list[list[int]]]:
    from variorum.search.candidates import allowed_chunks

    found: list[list[int]] = []

    def ask(question: str) -> None:
        allowed = allowed_chunks(index.connection, chunk_condition(filters))
        found.append([i for i, _ in vectors.nearest(embedder.embed([question])[0], _NEAREST, allowed)])

    return _timed(ask, asked), found


def _timed(ask: Callable[[str], object], asked: Sequence[str]) -> list[float]:
    seconds = []
    for question in asked:
        start = time.process_time()
        ask(question)
        seconds.append(time.process_time() - start)
    return seconds


if __name__ == "__main__":
    wanted = json.load(sys.stdin)
    Path(wanted["answer"]).write_text(json.dumps(answer(wanted)), encoding="utf-8")
