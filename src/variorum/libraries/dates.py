"""Dates as Zotero stores them: a sortable form and what the user typed, in one text.

``2013-03-00 03/2013`` is March 2013, typed as ``03/2013``; a part that is not said is ``00``. Texts that Zotero could not
understand, and those of older versions and other programs, stand alone: of them the year is taken, and month and day where
they are written in the order of ISO 8601.
"""

from __future__ import annotations

import re
from typing import Final

from variorum.libraries.model import ItemDate

_MULTIPART: Final = re.compile(r"(\d{4})-(\d{2})-(\d{2})(?: (.*))?", re.DOTALL)
_ORDERED: Final = re.compile(r"(?<!\d)(\d{4})[-/.](\d{1,2})(?:[-/.](\d{1,2}))?(?!\d)")
_YEAR: Final = re.compile(r"(?<!\d)(1\d{3}|20\d{2}|2100)(?!\d)")
_LAST_MONTH: Final = 12
_LAST_DAY: Final = 31


def parse_date(text: str) -> ItemDate | None:
    """Return the date, its parts as far as they are said; None for an empty text. Never raises."""
    text = text.strip()
    if not text:
        return None
    if found := _MULTIPART.fullmatch(text):
        year, month, day, typed = found.groups()
        return _date(typed if typed is not None else text, year, month, day)
    if found := _ORDERED.search(text):
        return _date(text, *found.groups())
    found = _YEAR.search(text)
    return _date(text, found[1] if found else None)


def _date(raw: str, year: str | None, month: str | None = None, day: str | None = None) -> ItemDate:
    """Return the date without what is zero or out of range, and without what stands under it (a day needs its month)."""
    y = int(year or 0)
    m = int(month or 0) if y else 0
    m = m if m <= _LAST_MONTH else 0
    d = int(day or 0) if m else 0
    return ItemDate(raw=raw.strip(), year=y or None, month=m or None, day=d if 0 < d <= _LAST_DAY else None)
