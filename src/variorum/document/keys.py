"""A paper's key: its Zotero key where the file stands in a Zotero library, else the beginning of its SHA-256."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection
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


def make_table_id(paper_key: str, caption_number: str | None, page_num: int, index: int, *, taken: Collection[str] = ()) -> str:
    """Return the id of a table: ``KEY_table_N``, for a continuation ``KEY_table_N_pPAGE``, without a caption
    ``KEY_orphan_pPAGE_tINDEX``.

    `caption_number` is the printed number, `page_num` counts from 1, `index` is the table's position on its page from
    0. A number that is already `taken` marks a continuation.
    """
    if caption_number is None:
        return f"{paper_key}_orphan_p{page_num}_t{index}"
    name = f"{paper_key}_table_{caption_number}"
    if name not in taken:
        return name
    continued = f"{name}_p{page_num}"
    return continued if continued not in taken else f"{continued}_t{index}"
