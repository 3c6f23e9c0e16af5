"""Citation keys: from Zotero's own field, from the database of Better BibTeX, or from a line of the field Extra, in this order.

Better BibTeX, the extension that makes such keys, kept them in a database of its own, ``better-bibtex.sqlite``, until Zotero
had a field for them. The database has changed its form: a table ``citationkey``, before that a text of JSON in a table
``better-bibtex``. Once it has handed its keys over to Zotero it is renamed ``better-bibtex.migrated``. That one is not read:
its keys are in the field by then, but for those that the user did not want there.
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final

from variorum.errors import VariorumError
from variorum.libraries.model import CitationKey
from variorum.libraries.snapshot import snapshot

DATABASE: Final = "better-bibtex.sqlite"

_LINE: Final = re.compile(r"^[ \t]*(?:citation[ _-]?key|bibtex)[ \t]*:[ \t]*(\S+)[ \t]*$", re.IGNORECASE | re.MULTILINE)
_DOCUMENT: Final = "better-bibtex.citekey"

KeysById = Mapping[tuple[int, str], str]
"""Citation keys by (library number of the database, item key)."""


def citation_key(native: str, better_bibtex: str, extra: str) -> CitationKey | None:
    """Return the citation key by what the three places say (empty: nothing); None where none says anything."""
    if native.strip():
        return CitationKey(key=native.strip(), origin="zotero")
    if better_bibtex.strip():
        return CitationKey(key=better_bibtex.strip(), origin="better-bibtex")
    found = _LINE.search(extra)
    return CitationKey(key=found[1], origin="extra") if found else None


def read_better_bibtex(data_dir: Path) -> tuple[KeysById, str]:
    """Return the keys of ``better-bibtex.sqlite`` in the data directory, and a notice where it is there but cannot be read.

    A library without the extension has none. The original is only read, as by `snapshot`.
    """
    path = data_dir / DATABASE
    if not path.is_file():
        return {}, ""
    try:
        with snapshot(path) as copy:
            return dict(_keys(copy.connection)), ""
    except (VariorumError, sqlite3.DatabaseError, ValueError) as error:
        return {}, f"citation keys of Better BibTeX could not be read: {error}"


def _keys(connection: sqlite3.Connection) -> Iterator[tuple[tuple[int, str], str]]:
    tables = {str(row[0]) for row in connection.execute("SELECT name FROM sqlite_master WHERE type IN ('table', 'view')")}
    if "citationkey" in tables:
        rows = connection.execute("SELECT libraryID, itemKey, citationKey FROM citationkey WHERE citationKey IS NOT NULL")
        yield from _entries(tuple(row) for row in rows)
    elif "better-bibtex" in tables:
        for row in connection.execute('SELECT data FROM "better-bibtex" WHERE name = ?', (_DOCUMENT,)):
            document = json.loads(str(row[0]))
            entries = document.get("data") if isinstance(document, dict) else None
            if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
                raise ValueError(f"its {_DOCUMENT} has another form than is known")
            yield from _entries((e.get("libraryID"), e.get("itemKey"), e.get("citekey")) for e in entries)
    else:
        raise ValueError(f"no table of it is known (it has {', '.join(sorted(tables)) or 'none'})")


def _entries(rows: Iterable[tuple[object, ...]]) -> Iterator[tuple[tuple[int, str], str]]:
    """Yield what has a library, an item and a key; the old form counts the user's own library as 1 or leaves it out."""
    for library, item, key in rows:
        if item and key:
            yield (int(str(library)) if library else 1, str(item)), str(key)
