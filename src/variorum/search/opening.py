"""An index opened for searching, with the model that its vectors were made by where that is at hand."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from variorum.search.embeddings import OnnxEmbedder
from variorum.search.model_files import INSTALL_HINT, find_model
from variorum.search.ranking import DEFAULT_RANKING, Ranking
from variorum.search.retrieval import Searcher
from variorum.search.store import open_index
from variorum.search.vector_choice import EXACT, VectorChoice, open_vectors


@contextmanager
def open_searcher(
    path: Path, *, model: Path | None = None, ranking: Ranking = DEFAULT_RANKING, vectors: VectorChoice = EXACT
) -> Iterator[Searcher]:
    """Yield the searches of the index at a path; the file is closed behind the block.

    `model` is the folder of the model; None looks where `find_model` does. Where an index has vectors and no model is found,
    searches go by words alone, and every answer says so. `vectors` is the store that finds the nearest; where searches go by
    words alone it is not opened. Raises what `open_index`, `find_model` and `open_vectors` raise, and UsageError when the model
    is another one than that of the vectors.
    """
    with open_index(path) as index:
        made_by = index.manifest().model
        files = find_model(model) if made_by is not None or model is not None else None
        notices: tuple[str, ...] = ()
        if made_by is None:
            notices = ("found by words alone: the index has no vectors",)
        elif files is None:
            notices = (f"found by words alone: the model of the vectors, {made_by}, is not at hand ({INSTALL_HINT})",)
        embedder = OnnxEmbedder(files) if files is not None else None
        with open_vectors(index, vectors if embedder is not None else EXACT) as store:
            yield Searcher(index, embedder, ranking=ranking, vectors=store, notices=notices)
