"""The rows of an entry as one text: words mended at the ends of lines, addresses and DOIs joined without a space."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

_ADDRESS: Final = re.compile(r"(?:https?:|ftp:|www\.|doi\.org|doi:|\b10\.(?:$|\d{1,9}))\S*$", re.I)
_MORE: Final = re.compile(
    r"[-–./:_~%=&?#@+]|\S*[/_=%&?#~]|\S*\d\S*[^\W\d_]|\S*[^\W\d_]\S*\d|[a-z]+[-.][a-z]|(?-i:[a-z]+)[.,;)]+$", re.I
)
_CUT: Final = re.compile(r"[-/:_~%=&?#@+]$|\b10\.\d*$|doi\.org$")


def join_rows(rows: Sequence[str]) -> str:
    """Return the texts of rows as one, with a space between them where no word or address goes over the end of the row."""
    out = ""
    for row in rows:
        if not out:
            out = row
        elif _address_goes_on(out, row):
            out += row
        elif out[-1] in "-\u00ad" and row[:1].islower() and out[-2:-1].isalpha():
            out = out[:-1] + row
        elif out[-1] in "-–\u00ad" and out[-2:-1].isalnum() and row[:1].isalnum():
            out += row
        else:
            out += " " + row
    return out.replace("\u00ad", "")


def _address_goes_on(above: str, row: str) -> bool:
    """Return whether an address or DOI at the end of a row goes on at the start of the next."""
    last = above.rsplit(None, 1)[-1]
    if _ADDRESS.search(last) is None:
        return False
    if _CUT.search(last):
        return True
    first = row.split(None, 1)[0] if row.strip() else ""
    if last.endswith("."):
        return (
            first[:1].islower() or (first[:1].isdigit() and re.fullmatch(r"\d{4}[a-z]?[.,;]?", first) is None) or "/" in first
        )
    if last[-1] in ",;)":
        return False
    return _MORE.match(first) is not None
