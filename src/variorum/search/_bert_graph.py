"""A sentence encoder of the BERT family as an ONNX graph made of its safetensors: ids in, one vector of length 1 a text out.

The encoder of Devlin et al. (2019, https://doi.org/10.18653/v1/N19-1423): embeddings, then layers of self-attention and a
feed-forward net with residuals, each followed by layer normalisation. The vector of a text is the mean over its tokens,
normalised (Reimers and Gurevych 2019, https://doi.org/10.18653/v1/D19-1410).
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from variorum.errors import DamagedInputError
from variorum.search._onnx_writing import FLOAT, GraphWriter

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

IDS, MASK, OUTPUT = "input_ids", "attention_mask", "sentence_embedding"
_HIDDEN_BY_MASK: Final = -10000.0  # its exponential is 0 in float32
_TINY: Final = 1e-9  # keeps a division from 0, as sentence-transformers does
_HINT: Final = "a folder of a sentence-transformers model of the BERT family with mean pooling"


@dataclass(frozen=True, slots=True, kw_only=True)
class BertShape:
    """The sizes of an encoder: width of its vectors, layers, heads, longest input in tokens, epsilon of its normalisations."""

    width: int
    layers: int
    heads: int
    positions: int
    epsilon: float

    @classmethod
    def of(cls, config: Mapping[str, Any], where: str) -> BertShape:
        """Return the shape that a ``config.json`` describes; raises DamagedInputError when it is no BERT encoder."""
        if config.get("model_type") != "bert" or config.get("hidden_act") != "gelu":
            raise DamagedInputError("the model is no BERT encoder with gelu", where=where, hint=_HINT)
        try:
            return cls(
                width=int(config["hidden_size"]),
                layers=int(config["num_hidden_layers"]),
                heads=int(config["num_attention_heads"]),
                positions=int(config["max_position_embeddings"]),
                epsilon=float(config["layer_norm_eps"]),
            )
        except (KeyError, TypeError, ValueError) as error:
            raise DamagedInputError(f"the model's configuration lacks {error}", where=where, hint=_HINT) from None


def read_safetensors(path: Path) -> dict[str, NDArray[np.float32]]:
    """Return the float32 tensors of a safetensors file by name; raises DamagedInputError when it cannot be read as one.

    The format: 8 bytes with the length of a JSON header, the header, the data (https://github.com/huggingface/safetensors).
    """
    import numpy as np

    data = path.read_bytes()
    try:
        length = int.from_bytes(data[:8], "little")
        header = json.loads(data[8 : 8 + length])
        found = {}
        for name, entry in header.items():
            if name == "__metadata__" or entry["dtype"] != "F32":
                continue
            start, end = entry["data_offsets"]
            values = np.frombuffer(data[8 + length + start : 8 + length + end], dtype="<f4")
            found[name] = values.reshape(entry["shape"])
        return found
    except (KeyError, TypeError, ValueError, UnicodeDecodeError) as error:
        raise DamagedInputError(f"the weights cannot be read ({error})", where=str(path), hint="another copy") from error


def bert_model(tensors: Mapping[str, NDArray[np.float32]], shape: BertShape, where: str) -> bytes:
    """Return the ONNX model: `IDS` and `MASK` of shape (texts, tokens) to `OUTPUT` of shape (texts, width).

    Raises DamagedInputError when a tensor is missing.
    """
    try:
        return _Builder(tensors, shape).build()
    except KeyError as error:
        raise DamagedInputError(f"the weights have no tensor {error}", where=where, hint=_HINT) from None


class _Builder:
    def __init__(self, tensors: Mapping[str, NDArray[np.float32]], shape: BertShape) -> None:
        self._tensors = {name.removeprefix("bert."): values for name, values in tensors.items()}
        self._shape = shape
        self._graph = GraphWriter("sentence_encoder")

    def build(self) -> bytes:
        hidden = self._embedded()
        bias = self._mask_bias()
        for layer in range(self._shape.layers):
            hidden = self._layer(hidden, bias, f"encoder.layer.{layer}")
        self._graph.rename(self._pooled(hidden), OUTPUT)
        return self._graph.model({IDS: ("texts", "tokens"), MASK: ("texts", "tokens")}, {OUTPUT: ("texts", self._shape.width)})

    def _ints(self, *values: int) -> str:
        import numpy as np

        return self._graph.constant(np.array(values, dtype=np.int64))

    def _float(self, value: float) -> str:
        import numpy as np

        return self._graph.constant(np.array(value, dtype=np.float32))

    def _embedded(self) -> str:
        graph = self._graph
        words = graph.node("Gather", graph.constant(self._tensors["embeddings.word_embeddings.weight"]), IDS)
        kinds = self._tensors["embeddings.token_type_embeddings.weight"]  # texts stand alone: all tokens are of kind 0
        places = graph.constant(self._tensors["embeddings.position_embeddings.weight"] + kinds[0])
        size = graph.node("Gather", graph.node("Shape", IDS), self._ints(1), axis=0)
        here = graph.node("Slice", places, self._ints(0), size, self._ints(0))
        return self._normed(graph.node("Add", words, here), "embeddings.LayerNorm")

    def _mask_bias(self) -> str:
        graph = self._graph
        mask = graph.node("Cast", MASK, to=FLOAT)
        away = graph.node("Mul", graph.node("Sub", self._float(1.0), mask), self._float(_HIDDEN_BY_MASK))
        return graph.node("Unsqueeze", away, self._ints(1, 2))

    def _normed(self, value: str, name: str) -> str:
        scale, shift = (self._graph.constant(self._tensors[f"{name}.{part}"]) for part in ("weight", "bias"))
        return self._graph.node("LayerNormalization", value, scale, shift, axis=-1, epsilon=self._shape.epsilon)

    def _linear(self, value: str, name: str) -> str:
        import numpy as np

        weight = self._graph.constant(np.ascontiguousarray(self._tensors[f"{name}.weight"].T))
        bias = self._graph.constant(self._tensors[f"{name}.bias"])
        return self._graph.node("Add", self._graph.node("MatMul", value, weight), bias)

    def _heads(self, value: str, order: tuple[int, ...]) -> str:
        size = self._shape.width // self._shape.heads
        parted = self._graph.node("Reshape", value, self._ints(0, 0, self._shape.heads, size))
        return self._graph.node("Transpose", parted, perm=order)

    def _layer(self, hidden: str, bias: str, name: str) -> str:
        graph = self._graph
        own = f"{name}.attention.self"
        query = self._heads(self._linear(hidden, f"{own}.query"), (0, 2, 1, 3))
        key = self._heads(self._linear(hidden, f"{own}.key"), (0, 2, 3, 1))
        value = self._heads(self._linear(hidden, f"{own}.value"), (0, 2, 1, 3))
        scale = self._float(math.sqrt(self._shape.width // self._shape.heads))
        scores = graph.node("Add", graph.node("Div", graph.node("MatMul", query, key), scale), bias)
        seen = graph.node("MatMul", graph.node("Softmax", scores, axis=-1), value)
        joined = graph.node("Reshape", graph.node("Transpose", seen, perm=(0, 2, 1, 3)), self._ints(0, 0, self._shape.width))
        attended = graph.node("Add", self._linear(joined, f"{name}.attention.output.dense"), hidden)
        hidden = self._normed(attended, f"{name}.attention.output.LayerNorm")
        inner = graph.node("Gelu", self._linear(hidden, f"{name}.intermediate.dense"))
        outer = graph.node("Add", self._linear(inner, f"{name}.output.dense"), hidden)
        return self._normed(outer, f"{name}.output.LayerNorm")

    def _pooled(self, hidden: str) -> str:
        graph = self._graph
        mask = graph.node("Unsqueeze", graph.node("Cast", MASK, to=FLOAT), self._ints(2))
        total = graph.node("ReduceSum", graph.node("Mul", hidden, mask), self._ints(1), keepdims=0)
        count = graph.node("Max", graph.node("ReduceSum", mask, self._ints(1), keepdims=0), self._float(_TINY))
        mean = graph.node("Div", total, count)
        length = graph.node("ReduceL2", mean, self._ints(1), keepdims=1)
        return graph.node("Div", mean, graph.node("Max", length, self._float(_TINY)))
