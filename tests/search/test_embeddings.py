"""Vectors of the default model: those that the weights say, whatever stands beside a text, and nothing is cut off."""

from __future__ import annotations

import hashlib
import json
import math
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from variorum.errors import DamagedInputError, InputNotFoundError
from variorum.search._bert_graph import read_safetensors
from variorum.search._onnx_writing import GraphWriter
from variorum.search.embeddings import OnnxEmbedder
from variorum.search.model_files import ModelFiles, find_model

PAIRS = [
    ("A man is eating food.", "A man is eating a piece of bread.", 0.7553),
    ("A man is eating food.", "The girl is carrying a baby.", -0.1050),
]
TEXTS = ["Ice on ponds is thin.", "Table 2 lists BLEU scores of the models.", "Größe, 表格, β-decay"]


def by_hand(model: Path, ids: list[int]) -> NDArray[np.float64]:
    """Return the vector of a text by its tokens: the encoder written out in numpy, in double precision."""
    weights = {name: value.astype(np.float64) for name, value in read_safetensors(model / "model.safetensors").items()}
    erf = np.vectorize(math.erf)

    def linear(x: NDArray[np.float64], name: str) -> NDArray[np.float64]:
        return x @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    def normed(x: NDArray[np.float64], name: str) -> NDArray[np.float64]:
        centred = x - x.mean(-1, keepdims=True)
        scaled = centred / np.sqrt((centred**2).mean(-1, keepdims=True) + 1e-12)
        return scaled * weights[f"{name}.weight"] + weights[f"{name}.bias"]

    e = "embeddings"
    x = weights[f"{e}.word_embeddings.weight"][ids] + weights[f"{e}.position_embeddings.weight"][: len(ids)]
    x = normed(x + weights[f"{e}.token_type_embeddings.weight"][0], f"{e}.LayerNorm")
    for layer in range(6):
        name = f"encoder.layer.{layer}"
        parts = [linear(x, f"{name}.attention.self.{p}").reshape(len(ids), 12, 32) for p in ("query", "key", "value")]
        query, key, value = (part.transpose(1, 0, 2) for part in parts)
        scores = query @ key.transpose(0, 2, 1) / math.sqrt(32)
        shares = np.exp(scores - scores.max(-1, keepdims=True))
        seen = (shares / shares.sum(-1, keepdims=True) @ value).transpose(1, 0, 2).reshape(len(ids), 384)
        x = normed(linear(seen, f"{name}.attention.output.dense") + x, f"{name}.attention.output.LayerNorm")
        inner = linear(x, f"{name}.intermediate.dense")
        inner = inner * 0.5 * (1 + erf(inner / math.sqrt(2)))
        x = normed(linear(inner, f"{name}.output.dense") + x, f"{name}.output.LayerNorm")
    mean: NDArray[np.float64] = x.mean(0)
    return mean / np.linalg.norm(mean)


@pytest.mark.parametrize("text", TEXTS)
def test_a_vector_is_what_the_weights_say(minilm: OnnxEmbedder, text: str) -> None:
    files = find_model()
    assert files is not None
    expected = by_hand(files.folder, minilm.tokenizer.encoder.encode(text).ids)
    assert np.abs(minilm.embed([text])[0] - expected).max() < 1e-5


@pytest.mark.parametrize(("one", "other", "cosine"), PAIRS)
def test_cosines_are_the_known_ones(minilm: OnnxEmbedder, one: str, other: str, cosine: float) -> None:
    first, second = minilm.embed([one, other])
    assert float(first @ second) == pytest.approx(cosine, abs=1e-3)


def test_a_vector_does_not_depend_on_the_texts_beside_it(minilm: OnnxEmbedder) -> None:
    together = minilm.embed([*TEXTS, " ".join(TEXTS) * 20])
    alone = np.vstack([minilm.embed([text]) for text in TEXTS])
    assert np.abs(together[: len(TEXTS)] - alone).max() < 1e-5


def test_the_same_texts_give_the_same_bytes(minilm: OnnxEmbedder) -> None:
    assert minilm.embed(TEXTS).tobytes() == minilm.embed(TEXTS).tobytes()


def test_the_end_of_a_text_too_long_for_the_model_counts(minilm: OnnxEmbedder) -> None:
    long = "The pond was frozen and still. " * 100
    plain, changed, snow = minilm.embed([long, long + "Snow fell. " * 60, "Snow fell. " * 60])
    assert float(changed @ snow) > float(plain @ snow) + 0.05


def test_vectors_have_length_one(minilm: OnnxEmbedder) -> None:
    vectors = minilm.embed([*TEXTS, "", "…"])
    assert np.abs(np.linalg.norm(vectors, axis=1) - 1).max() < 1e-5


def test_tokens_end_where_the_model_cuts(minilm: OnnxEmbedder) -> None:
    text = "uncharacteristically cold"
    ends = minilm.tokenizer.token_ends(text)
    assert ends[-1] == len(text)
    assert "".join(text[a:b] for a, b in zip([0, *ends[:-1]], ends, strict=True)) == text


def test_the_identity_names_model_and_weights(minilm: OnnxEmbedder) -> None:
    assert minilm.identity.id == "all-MiniLM-L6-v2@53aa51172d14"
    assert (minilm.identity.dimension, minilm.identity.max_tokens) == (384, 256)


def test_a_folder_that_is_named_is_taken_or_refused_and_no_other(tmp_path: Path) -> None:
    with pytest.raises(InputNotFoundError, match=r"model\.safetensors is missing"):
        find_model(tmp_path)


def test_a_model_of_another_make_is_refused(tmp_path: Path, minilm: OnnxEmbedder) -> None:
    files = find_model()
    assert files is not None
    (tmp_path / "tokenizer.json").write_bytes(files.tokenizer_path.read_bytes())
    (tmp_path / "model.safetensors").write_bytes(b"")
    (tmp_path / "config.json").write_text(json.dumps({"model_type": "t5"}))
    with pytest.raises(DamagedInputError, match="no BERT encoder"):
        OnnxEmbedder(ModelFiles(tmp_path))


def test_weights_that_are_cut_off_are_damage(tmp_path: Path) -> None:
    path = tmp_path / "model.safetensors"
    header = json.dumps({"x": {"dtype": "F32", "shape": [4], "data_offsets": [0, 16]}}).encode()
    whole = len(header).to_bytes(8, "little") + header + np.arange(4, dtype="<f4").tobytes()
    path.write_bytes(whole)
    assert read_safetensors(path)["x"].tolist() == [0, 1, 2, 3]
    for cut in (3, 20, len(whole) - 4):
        path.write_bytes(whole[:cut])
        with pytest.raises(DamagedInputError):
            read_safetensors(path)


def test_a_graph_is_read_by_the_runtime_as_it_was_written() -> None:
    onnxruntime = pytest.importorskip("onnxruntime")
    graph = GraphWriter("sums")
    taken = graph.node("Gather", graph.constant(np.array([[1.5, 2], [3, -4]], dtype=np.float32)), "ids")
    graph.rename(graph.node("ReduceSum", taken, graph.constant(np.array([1], dtype=np.int64)), keepdims=0), "sums")
    model = graph.model({"ids": ("n",)}, {"sums": ("n",)})
    session = onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])
    assert session.run(["sums"], {"ids": np.array([1, 0, 1])})[0].tolist() == [-1, 3.5, -1]


def test_the_bytes_of_a_model_are_those_of_its_graph() -> None:
    def made() -> bytes:
        graph = GraphWriter("one")
        graph.rename(graph.node("Cast", "x", to=1), "y")
        return graph.model({"x": (300,)}, {"y": (300,)})

    assert hashlib.sha256(made()).digest() == hashlib.sha256(made()).digest()
