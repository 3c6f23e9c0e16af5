"""By what two readings of a paper are the same: file, configuration in effect, true tables, and the code that read it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

import variorum
from variorum._version import __version__
from variorum.evaluation.debug_db import VOTING_LIBRARIES, versions
from variorum.evaluation.truth_table import TruthTable
from variorum.tables.config import PipelineConfig
from variorum.tables.weights import in_effect

_DIGITS: Final = 12
"""Hex digits of a SHA-256 that are kept: 48 bits, enough to tell versions of one program apart."""

_NO_READERS: Final = frozenset({"apps", "fusion", "libraries", "net", "report", "search", "sources", "stress"})
"""The rooms of the code that take no part in reading a PDF and comparing its tables."""


class Marks(NamedTuple):
    """What a reading of a file was made by; another reading with the same marks would be the same."""

    software: str
    config_digest: str
    truth_digest: str


@cache
def software() -> str:
    """Return what read the papers: the version, and a digest of the code and the libraries on which a reading depends."""
    root = Path(variorum.__file__).parent
    digest = hashlib.sha256()
    for path in sorted(root.rglob("*")):
        parts = path.relative_to(root).parts
        if path.suffix in (".py", ".json", ".toml") and parts[0] not in _NO_READERS:
            digest.update("/".join(parts).encode() + b"\0" + path.read_bytes() + b"\0")
    known = versions()
    digest.update(json.dumps([known.get(name, "") for name in VOTING_LIBRARIES]).encode())
    return f"variorum {__version__} ({digest.hexdigest()[:_DIGITS]})"


def config_digest(config: PipelineConfig) -> str:
    """Return what tells a configuration from every other, its weights in effect included."""
    return _digest_of(in_effect(config).to_dict())


def truth_digest(truths: Sequence[TruthTable]) -> str:
    """Return what tells the true tables of a paper from others; empty where there are none."""
    return _digest_of([truth.to_dict() for truth in truths]) if truths else ""


def _digest_of(value: object) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True, ensure_ascii=False).encode("utf-8", "replace")).hexdigest()[
        :_DIGITS
    ]
