"""DOIs as libraries have them: bare, as an address, with ``doi:`` before them, or in a line of the field Extra."""

from __future__ import annotations

import re
from typing import Final

_DOI: Final = re.compile(r"10\.\d{4,9}/\S+")
_EXTRA_LINE: Final = re.compile(r"^[ \t]*doi[ \t]*:[ \t]*(\S.*?)[ \t]*$", re.IGNORECASE | re.MULTILINE)


def plain_doi(text: str) -> str:
    """Return the DOI in the text (``10.1000/182``), spelt as there; empty where there is none."""
    found = _DOI.search(text)
    return found[0].rstrip(".,;") if found else ""


def doi_in_extra(extra: str) -> str:
    """Return the DOI of a line ``DOI: ...``, as Zotero keeps it for types that have no such field; empty without one."""
    found = _EXTRA_LINE.search(extra)
    return plain_doi(found[1]) if found else ""
