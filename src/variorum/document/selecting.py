"""Finding a table by what a user types: the printed number (``2``, ``A.1``, ``IV``, ``Table 2``), the position (``#3``)
or the id (``f05dfd52_table_2``)."""

from __future__ import annotations

import re
from collections.abc import Iterable

from variorum.document.flow import page_of
from variorum.document.model import Document, Table
from variorum.errors import UsageError

_CAPTION_CHARS = 60


def find_table(document: Document, wanted: str | int) -> Table:
    """Return the table with this printed number (case ignored, with or without ``Table``), at ``#n``, counted from 1, or with
    this id.

    Raises UsageError listing the choices when several tables bear the number, and what there is when none does.
    """
    asked = str(wanted).strip()
    where = document.source_name or document.key
    numbered = list(enumerate(document.tables, start=1))
    if not numbered:
        if _is_partly_read(document):
            raise UsageError(f"no table {wanted!r}: there is none on {_pages(document)}", where=where, hint="other pages")
        hint = "variorum extract, which names captions without a table"
        raise UsageError(f"no table {wanted!r}: the document has none", where=where, hint=hint)
    position = re.fullmatch(r"#\s*0*([0-9]{1,9})", asked)
    if position:
        found = [(i, table) for i, table in numbered if i == int(position.group(1))]
    else:
        number = normal_number(asked)
        found = [(i, table) for i, table in numbered if number and number == normal_number(printed_number(table) or "")]
        found = found or [(i, table) for i, table in numbered if table.id == asked]
    if not found:
        if _is_partly_read(document):
            what = f"no table {wanted!r} on {_pages(document)}"
            raise UsageError(what, where=where, hint=f"{_choices(numbered)}, or other pages")
        raise UsageError(f"no table {wanted!r}", where=where, hint=_choices(numbered))
    if len(found) > 1:
        raise UsageError(f"{len(found)} tables are called {wanted!r}", where=where, hint=_choices(found))
    return found[0][1]


def printed_number(table: Table) -> str | None:
    """Return the number as printed, from the table or its caption, or None."""
    return table.number or (table.caption.number if table.caption is not None else None)


def normal_number(text: str) -> str:
    """Return a printed number as it is compared: without a label, white space or closing point, case folded."""
    bare = re.sub(r"^(?:table|tab\.?|tbl\.?)(?=[\W\d]|$)", "", text.strip(), flags=re.IGNORECASE)
    return re.sub(r"\s+", "", bare).rstrip(".:").casefold()


def _is_partly_read(document: Document) -> bool:
    return len(document.pages) < document.page_count


def _pages(document: Document) -> str:
    """Return which pages were read: ``page 2 of 5``, ``pages 1-3, 8 of 12``."""
    runs: list[list[int]] = []
    for page in sorted(p.page_num for p in document.pages):
        if runs and page == runs[-1][1] + 1:
            runs[-1][1] = page
        else:
            runs.append([page, page])
    named = ", ".join(str(first) if first == last else f"{first}-{last}" for first, last in runs)
    return f"page{'' if len(document.pages) == 1 else 's'} {named or 'none'} of {document.page_count}"


def _choices(tables: Iterable[tuple[int, Table]]) -> str:
    """Return the tables as ``'#3' (page 4: Table 2. Results of …)``, for a hint."""
    return ", ".join(f"'#{position}' ({_described(table)})" for position, table in tables)


def _described(table: Table) -> str:
    """Return page and caption of the table; its number where no caption says it."""
    number, page = printed_number(table), page_of(table)
    caption = " ".join(table.caption.text.split()) if table.caption is not None else ""
    if not caption:
        caption = f"Table {number}, no caption" if number else "no number, no caption"
    start = caption if len(caption) <= _CAPTION_CHARS else caption[: _CAPTION_CHARS - 1].rstrip() + "…"
    return f"page {page}: {start}" if page else start
