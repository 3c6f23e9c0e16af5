"""Links into Zotero: to an item in its library, and to a page of its PDF. https://www.zotero.org/support/dev/client_coding"""

from __future__ import annotations

from typing import Final
from urllib.parse import quote

FOLDER: Final = "folder"
"""The id of a library that is a folder of PDFs."""
_USER: Final = "user"
_GROUPS: Final = "groups/"


def select_link(library: str, key: str) -> str | None:
    """Return the link that shows an item in Zotero; None for an item of a folder, which Zotero does not know."""
    place = _place(library)
    return None if place is None else f"zotero://select/{place}/items/{quote(key, safe='')}"


def open_pdf_link(library: str, attachment: str, page_num: int | None = None) -> str | None:
    """Return the link that opens a PDF in Zotero, on this page of the file, from 1; None for a folder."""
    place = _place(library)
    if place is None:
        return None
    page = "" if page_num is None else f"?page={page_num}"
    return f"zotero://open-pdf/{place}/items/{quote(attachment, safe='')}{page}"


def _place(library: str) -> str | None:
    if library == _USER:
        return "library"
    return quote(library, safe="/") if library.startswith(_GROUPS) else None
