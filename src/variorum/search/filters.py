"""What a search is restricted to, before anything is ranked: a filter never takes places from what passes it."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final, get_args

from variorum.document import SectionLabel
from variorum.errors import UsageError
from variorum.search.holdings import folded
from variorum.search.model import CHUNK_KINDS, ChunkKind
from variorum.search.words import all_of, has_words, query_words
from variorum.suggestions import nearest_name_hint

SECTIONS: Final[tuple[SectionLabel, ...]] = get_args(SectionLabel)
_MOST_NAMED: Final = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Filters:
    """What may be found. An empty field restricts nothing.

    Of `authors`, `tags` and `required` terms all must fit, of every other field one. An author fits by the last name or by any
    whole words of the name; a collection by its name, its path (``Physics / Optics``) or its key, and holds what is in those
    below it; a library by its name or id; an item by its key, reference (``user/ABCD2345``) or citation key. Years are
    inclusive. Case and diacritics do not count.
    """

    authors: tuple[str, ...] = ()
    year_from: int | None = None
    year_to: int | None = None
    tags: tuple[str, ...] = ()
    collections: tuple[str, ...] = ()
    libraries: tuple[str, ...] = ()
    item_types: tuple[str, ...] = ()
    items: tuple[str, ...] = ()
    kinds: tuple[ChunkKind, ...] = ()
    sections: tuple[SectionLabel, ...] = ()
    required: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Raises UsageError for a kind or section that does not exist, years in the wrong order, a term without a word."""
        for name, given, known in (("kinds", self.kinds, CHUNK_KINDS), ("sections", self.sections, SECTIONS)):
            for value in given:
                if value not in known:
                    raise UsageError(f"{value!r} does not exist", where=f"filters.{name}", hint=nearest_name_hint(value, known))
        if self.year_from is not None and self.year_to is not None and self.year_from > self.year_to:
            raise UsageError(
                f"the years {self.year_from} to {self.year_to} are none", where="filters", hint="the earlier first"
            )
        for term in self.required:
            if not has_words(term):
                raise UsageError(f"{term!r} has no word to look for", where="filters.required", hint="a word")

    @property
    def restricts_items(self) -> bool:
        """Whether anything is asked of the items."""
        facets = (self.authors, self.tags, self.collections, self.libraries, self.item_types, self.items)
        return any(facets) or self.year_from is not None or self.year_to is not None


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition of SQL and the values of its marks."""

    sql: str
    values: tuple[object, ...] = ()


def item_condition(filters: Filters) -> Condition:
    """Return the condition on items (as ``i``) that the filters set."""
    parts = [
        *(_facet("author", "' ' || f.folded || ' ' LIKE ? ESCAPE '\\'", (_as_words(name),)) for name in filters.authors),
        *(_facet("tag", "f.folded = ?", (folded(tag),)) for tag in filters.tags),
        *_any_facet("collection", filters.collections),
        *_any_facet("library", filters.libraries),
        *_any_facet("type", filters.item_types),
    ]
    if filters.items:
        marks = _marks(filters.items)
        where = f"(i.key IN ({marks}) OR i.in_library || '/' || i.key IN ({marks}) OR i.citation_key IN ({marks}))"
        parts.append(Condition(where, tuple(filters.items) * 3))
    if filters.year_from is not None:
        parts.append(Condition("i.year >= ?", (filters.year_from,)))
    if filters.year_to is not None:
        parts.append(Condition("i.year <= ?", (filters.year_to,)))
    return _joined(parts)


def chunk_condition(filters: Filters) -> Condition:
    """Return the condition on chunks (as ``c``) that the filters set."""
    parts = []
    if filters.restricts_items:
        items = item_condition(filters)
        parts.append(
            Condition(
                "c.document_id IN (SELECT p.document_id FROM papers p JOIN items i ON i.id = p.item_id"
                f" WHERE p.document_id IS NOT NULL AND {items.sql}"
                f" UNION SELECT i.record_id FROM items i WHERE i.record_id IS NOT NULL AND {items.sql})",
                items.values * 2,
            )
        )
    if filters.kinds:
        parts.append(Condition(f"c.kind IN ({_marks(filters.kinds)})", filters.kinds))
    if filters.sections:
        parts.append(Condition(f"c.section IN ({_marks(filters.sections)})", filters.sections))
    if filters.required:
        words = all_of([word for term in filters.required for word in query_words(term)])
        parts.append(Condition("c.id IN (SELECT rowid FROM words WHERE words MATCH ?)", (words,)))
    return _joined(parts)


def unmatched_values(connection: sqlite3.Connection, filters: Filters) -> Iterator[str]:
    """Yield a sentence for each value of a filter that no item of the index has, with some that there are."""
    asked = (("tag", filters.tags), ("collection", filters.collections), ("library", filters.libraries))
    for kind, values in (*asked, ("type", filters.item_types)):
        for value in values:
            found = connection.execute("SELECT 1 FROM facets WHERE kind = ? AND folded = ? LIMIT 1", (kind, folded(value)))
            if found.fetchone() is None:
                yield f"no item has the {kind} {value!r}; {_known(connection, kind, value)}"
    for name in filters.authors:
        condition = item_condition(Filters(authors=(name,)))
        if connection.execute(f"SELECT 1 FROM items i WHERE {condition.sql} LIMIT 1", condition.values).fetchone() is None:
            yield f"no item has an author {name!r}; {_known(connection, 'author', name)}"
    for key in filters.items:
        condition = item_condition(Filters(items=(key,)))
        if connection.execute(f"SELECT 1 FROM items i WHERE {condition.sql} LIMIT 1", condition.values).fetchone() is None:
            yield f"no item is called {key!r}: neither key, reference nor citation key"
    yield from _unmatched_years(connection, filters)


def _unmatched_years(connection: sqlite3.Connection, filters: Filters) -> Iterator[str]:
    if filters.year_from is None and filters.year_to is None:
        return
    first, last = connection.execute("SELECT min(year), max(year) FROM items").fetchone()
    condition = item_condition(Filters(year_from=filters.year_from, year_to=filters.year_to))
    if first is None:
        yield "no item has a year"
    elif connection.execute(f"SELECT 1 FROM items i WHERE {condition.sql} LIMIT 1", condition.values).fetchone() is None:
        yield f"no item is of these years; there are items from {first} to {last}"


def _known(connection: sqlite3.Connection, kind: str, value: str) -> str:
    """Return what is said beside a value that no item has: a near one, or those that most items have."""
    rows = connection.execute(
        "SELECT folded, min(value) FROM facets WHERE kind = ? GROUP BY folded ORDER BY count(*) DESC, folded", (kind,)
    )
    names: dict[str, str] = dict(rows)
    if kind == "collection":
        named = {folded(each) for each in _collection_names(connection)}
        names = {plain: name for plain, name in names.items() if plain in named}
    if not names:
        return f"none has any {kind}"
    near = get_close_matches(folded(value), names, n=1)
    return f"did you mean {names[near[0]]}?" if near else f"there are: {', '.join(list(names.values())[:_MOST_NAMED])}"


def _collection_names(connection: sqlite3.Connection) -> Iterator[str]:
    """Yield what collections, and those around them, are called; not their keys."""
    for (record,) in connection.execute("SELECT record FROM items"):
        for path in json.loads(record)["collections"]:
            for depth in range(1, len(path) + 1):
                yield " / ".join(path[:depth])
                yield path[depth - 1]


def _any_facet(kind: str, values: Sequence[str]) -> list[Condition]:
    if not values:
        return []
    return [_facet(kind, f"f.folded IN ({_marks(values)})", tuple(map(folded, values)))]


def _facet(kind: str, where: str, values: tuple[object, ...]) -> Condition:
    return Condition(f"EXISTS (SELECT 1 FROM facets f WHERE f.item_id = i.id AND f.kind = '{kind}' AND {where})", values)


def _as_words(name: str) -> str:
    """Return the pattern of whole words within a longer text."""
    plain = folded(name).replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
    return f"% {plain} %"


def _marks(values: Sequence[object]) -> str:
    return ", ".join("?" * len(values))


def _joined(parts: Sequence[Condition]) -> Condition:
    """Return the condition that all parts hold; a true one for none."""
    if not parts:
        return Condition("1")
    return Condition(" AND ".join(f"({p.sql})" for p in parts), tuple(v for p in parts for v in p.values))
