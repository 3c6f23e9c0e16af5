"""A paper's key: its Zotero key where the file stands in a Zotero library, else the beginning of its SHA-256."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Final

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


_WORDS_IN_ID: Final = 6  # enough to tell headings apart, and short enough for an address
_PREFIXES: Mapping[str, str] = {
    "title": "title",
    "byline": "byline",
    "heading": "sec",
    "paragraph": "par",
    "list_item": "item",
    "equation": "eq",
    "figure": "fig",
    "table": "tab",
    "caption": "cap",
    "citation": "cite",
    "bibliography_entry": "ref",
    "furniture": "furniture",
    "footnote": "note",
    "code": "code",
}


_NUMBERED: Final = ("heading", "equation", "figure", "table", "footnote", "caption")
"""Kinds some of which are printed with a number and some without: the latter never take the form of a number."""


def make_component_id(kind: str, number: str | None, index: int, *, text: str = "", taken: Collection[str] = ()) -> str:
    """Return the id of a component: ``fig-3``, ``sec-3.2``, ``ref-12`` by its printed number; without one a heading is called
    by its words (``sec-data-availability``), others by their `index`, from 1, among those of their kind (``par-7``, ``eq-x7``).

    What is printed with a number keeps its id however the text around it is read. A name that is `taken` gets a count behind it
    (``fig-3-2``), so that ids are unique.
    """
    prefix = _PREFIXES[kind]
    bare = re.sub(r"[^\w.]+", "-", number or "").strip("-.")
    words = re.sub(r"[\W_]+", "-", text.casefold()).strip("-") if kind == "heading" else ""
    if bare:
        name = f"{prefix}-{bare}"
    elif words and not words[0].isdigit():
        name = f"{prefix}-{'-'.join(words.split('-')[:_WORDS_IN_ID])}"
    else:
        name = f"{prefix}-x{index}" if kind in _NUMBERED else f"{prefix}-{index}"
    found, again = name, 1
    while found in taken:
        again += 1
        found = f"{name}-{again}"
    return found
