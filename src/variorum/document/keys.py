"""A paper's key: its Zotero key where the file stands in a Zotero library, else the beginning of its SHA-256."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

_KEY_LENGTH = 8
_ZOTERO_KEY = re.compile(r"[A-Z0-9]{8}")
_BLOCK_BYTES = 1 << 20


def paper_key(path: str | Path, sha256: str) -> str:
    """Return the key of a paper: 8 characters.

    A file in a folder named by 8 capitals or digits inside a folder named ``storage`` is a Zotero attachment; the folder name
    is its key. Any other file's key is the first 8 hex digits of its SHA-256.
    """
    folder = Path(path).absolute().parent
    if _ZOTERO_KEY.fullmatch(folder.name) and folder.parent.name == "storage":
        return folder.name
    return sha256[:_KEY_LENGTH]


def file_sha256(path: str | Path) -> str:
    """Return the SHA-256 of a file's bytes as 64 hex digits; raises OSError when it cannot be read."""
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        while block := file.read(_BLOCK_BYTES):
            digest.update(block)
    return digest.hexdigest()
