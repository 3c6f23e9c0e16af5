"""Vectors that were made once are not made again; a file that is no store of them costs them and nothing else."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from variorum.errors import OutputError
from variorum.search.embeddings import ModelIdentity
from variorum.search.kept_vectors import KeptVectors


class Counting:
    """An embedder that keeps what it was asked for; the vector of a text is made of its length."""

    tokenizer = None

    def __init__(self, name: str = "a model") -> None:
        self.identity = ModelIdentity(id=name, dimension=2, max_tokens=8)
        self.asked: list[str] = []

    def embed(self, texts: Sequence[str]) -> Any:
        self.asked += texts
        return np.array([[len(text), 1] for text in texts], dtype=np.float32)


def kept(path: Path, *texts: str, name: str = "a model", forget: bool = False) -> tuple[list[str], list[list[float]]]:
    """Return what the model had to make for the texts, and their vectors."""
    model: Any = Counting(name)
    with KeptVectors(model, path) as vectors:
        made = vectors.embed(texts).tolist()
        if forget:
            vectors.forget_others()
    return model.asked, made


def test_a_text_is_asked_of_the_model_once(tmp_path: Path) -> None:
    assert kept(tmp_path / "v", "ice", "thaw") == (["ice", "thaw"], [[3, 1], [4, 1]])
    assert kept(tmp_path / "v", "thaw", "frost", "ice") == (["frost"], [[4, 1], [5, 1], [3, 1]])


def test_another_model_makes_its_own(tmp_path: Path) -> None:
    kept(tmp_path / "v", "ice")
    assert kept(tmp_path / "v", "ice", name="another")[0] == ["ice"]


def test_what_was_not_asked_for_can_be_forgotten(tmp_path: Path) -> None:
    kept(tmp_path / "v", "ice", "thaw")
    kept(tmp_path / "v", "ice", forget=True)
    assert kept(tmp_path / "v", "ice", "thaw")[0] == ["thaw"]


@pytest.mark.parametrize(
    "content", [b"no database at all, and longer than a header is" * 9, b"", b"SQLite format 3\0" + b"x" * 4000]
)
def test_a_damaged_file_is_made_anew(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "v").write_bytes(content)
    assert kept(tmp_path / "v", "ice") == (["ice"], [[3, 1]])
    assert kept(tmp_path / "v", "ice")[0] == []


def test_a_file_with_other_columns_is_made_anew(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "v") as connection:
        connection.execute("CREATE TABLE vectors (pond TEXT)")
    connection.close()
    assert kept(tmp_path / "v", "ice") == (["ice"], [[3, 1]])


def test_a_vector_of_another_length_is_made_again(tmp_path: Path) -> None:
    kept(tmp_path / "v", "ice")
    with sqlite3.connect(tmp_path / "v") as connection:
        connection.execute("UPDATE vectors SET data = x'00'")
    connection.close()
    assert kept(tmp_path / "v", "ice") == (["ice"], [[3, 1]])


def test_a_place_that_cannot_be_written_is_an_error_with_its_name(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="cannot be kept here") as error:
        kept(tmp_path / "none" / "v", "ice")
    assert error.value.where == str(tmp_path / "none" / "v")
