"""Vectors of texts, offline: a sentence encoder on onnxruntime and tokenizers, without torch.

The default model is all-MiniLM-L6-v2 (Apache-2.0, 384 numbers a text, reads 256 tokens). Any folder of a sentence-transformers
model of the BERT family with mean pooling will do. `variorum.search.model_files` says where one is looked for.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Protocol

from variorum.search._bert_graph import IDS, MASK, OUTPUT, BertShape, bert_model, read_safetensors
from variorum.search.model_files import ModelFiles

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

BATCH: Final = 8
"""Texts at a time; more take memory and no less time."""
_DIGITS_SHOWN: Final = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelIdentity:
    """What vectors are comparable by: `id` names the model and the beginning of the SHA-256 of its weights; length of a vector;
    tokens of a text that it reads."""

    id: str
    dimension: int
    max_tokens: int


class Embedder(Protocol):
    """Something that makes vectors of texts."""

    @property
    def identity(self) -> ModelIdentity:
        """What model it is."""
        ...

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return an array of shape (texts, dimension); each row has length 1, and does not depend on the other texts by more
        than rounding."""
        ...


class ModelTokenizer:
    """The tokens of a model in a folder; asks for no weights."""

    def __init__(self, files: ModelFiles) -> None:
        """Raises DamagedInputError when there is no tokenizer; UsageError without the packages."""
        self.encoder = files.tokenizer()
        self._digest = hashlib.sha256(files.tokenizer_path.read_bytes()).hexdigest()

    @property
    def name(self) -> str:
        """What tokens are counted by, for the manifest."""
        return f"tokenizer-{self._digest[:_DIGITS_SHOWN]}"

    def token_ends(self, text: str) -> list[int]:
        """Return for each token how many characters stand before its end, without special tokens."""
        return [end for _, end in self.encoder.encode(text, add_special_tokens=False).offsets]


class OnnxEmbedder:
    """The vectors of a model in a folder. Its weights are loaded when the first text is embedded."""

    def __init__(self, files: ModelFiles, *, threads: int = 1) -> None:
        """Raises DamagedInputError when a file of the model is not what its name says; UsageError without the packages."""
        self._files = files
        self._threads = threads
        self.tokenizer = ModelTokenizer(files)
        self._shape = BertShape.of(files.config(), str(files.folder))
        self._session: Any = None
        limit = min(files.max_tokens(), self._shape.positions)
        self._identity = ModelIdentity(id=files.identity(), dimension=self._shape.width, max_tokens=limit)

    @property
    def identity(self) -> ModelIdentity:
        """What model it is."""
        return self._identity

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return an array of shape (texts, dimension) in the order of the texts.

        Of a text longer than the model reads, the vector is the mean of those of its parts, weighted by their tokens: nothing
        is dropped without a word. Raises DamagedInputError when the weights cannot be read.
        """
        import numpy as np

        windows: list[list[int]] = []
        owners: list[int] = []
        for i, encoding in enumerate(self.tokenizer.encoder.encode_batch(list(texts), add_special_tokens=False)):
            for window in _windows(encoding.ids, self._identity.max_tokens - len(self._ends)):
                windows.append([self._ends[0], *window, self._ends[1]])
                owners.append(i)
        out = np.zeros((len(texts), self._identity.dimension), dtype=np.float32)
        order = sorted(range(len(windows)), key=lambda i: len(windows[i]))
        for start in range(0, len(order), BATCH):
            batch = order[start : start + BATCH]
            vectors = self._run([windows[i] for i in batch])
            for i, vector in zip(batch, vectors, strict=True):
                out[owners[i]] += vector * np.float32(len(windows[i]))
        lengths = np.sqrt((out * out).sum(axis=1, keepdims=True))
        out /= np.where(lengths > 0, lengths, np.float32(1))
        return out

    @property
    def _ends(self) -> tuple[int, int]:
        """The ids of the tokens before and behind every text."""
        ids = self.tokenizer.encoder.encode("").ids
        return ids[0], ids[-1]

    def _run(self, rows: Sequence[Sequence[int]]) -> NDArray[np.float32]:
        import numpy as np

        longest = max(map(len, rows))
        ids = np.zeros((len(rows), longest), dtype=np.int64)
        mask = np.zeros_like(ids)
        for i, row in enumerate(rows):
            ids[i, : len(row)] = row
            mask[i, : len(row)] = 1
        if self._session is None:
            self._session = self._loaded()
        vectors: NDArray[np.float32] = self._session.run([OUTPUT], {IDS: ids, MASK: mask})[0]
        return vectors

    def _loaded(self) -> Any:
        import onnxruntime

        where = str(self._files.weights_path)
        model = bert_model(read_safetensors(self._files.weights_path), self._shape, where)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = self._threads
        options.inter_op_num_threads = 1
        options.enable_cpu_mem_arena = False  # memory goes back to the system after each batch
        return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])


def _windows(ids: Sequence[int], size: int) -> list[Sequence[int]]:
    """Return the ids in stretches of at most `size`; one empty stretch for no ids."""
    return [ids[start : start + size] for start in range(0, len(ids), size)] or [ids]
