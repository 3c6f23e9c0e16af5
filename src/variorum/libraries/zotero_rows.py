"""The rows of a Zotero database that a library is made of, by the number of their item.

Columns are asked for by name: their order and number change from one version of the schema to the next. What only newer or only
older versions have is optional: without the table or column its part is empty. What every version since Zotero 5 has is
required, and its absence is an error that names it.

Source: the tables themselves; their meaning from Zotero's own schema (``userdata.sql``, ``system.sql``), versions 121 to 129.
"""

from __future__ import annotations

import json
import sqlite3
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from variorum.errors import SchemaError
from variorum.libraries.model import Collection, Creator, LibraryRef

NEWEST_KNOWN: Final = 129
"""The newest version of the schema that this was written against."""

_USER_NAME: Final = "My Library"


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemRow:
    """A row of ``items``, with the name of its type."""

    item_id: int
    in_library: int
    key: str
    item_type: str
    type_id: int
    added: str
    modified: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ZoteroRows:
    """All that is read from the database. Mappings are by item number; what an item has not is not in them.

    `left_out` says of each library number that is not among the libraries why. `fields` are an item's fields by their own
    names, `base_fields` by the names that they share over all types of items (``title`` for the ``caseName`` of a case).
    """

    schema: int
    libraries: Mapping[int, LibraryRef]
    left_out: Mapping[int, str]
    items: tuple[ItemRow, ...]
    parents: Mapping[int, int]
    fields: Mapping[int, Mapping[str, str]]
    base_fields: Mapping[int, Mapping[str, str]]
    creators: Mapping[int, tuple[Creator, ...]]
    tags: Mapping[int, tuple[str, ...]]
    collections: Mapping[int, tuple[Collection, ...]]
    deleted: frozenset[int]
    publications: frozenset[int]
    retractions: Mapping[int, str]
    notes: Mapping[int, Mapping[str, Any]]
    attachments: Mapping[int, Mapping[str, Any]]
    annotations: Mapping[int, Mapping[str, Any]]


class _Tables:
    """The tables of the database, asked by the names of their columns."""

    def __init__(self, connection: sqlite3.Connection, where: str) -> None:
        self._connection = connection
        self._where = where
        tables = [str(row[0]) for row in connection.execute("SELECT name FROM sqlite_master WHERE type IN ('table', 'view')")]
        self._columns = {t: {str(r["name"]) for r in connection.execute(f'PRAGMA table_info("{t}")')} for t in tables}
        self.schema = 0

    def __contains__(self, table: str) -> bool:
        return table in self._columns

    def rows(self, table: str, *required: str, optional: tuple[str, ...] = ()) -> Iterator[dict[str, Any]]:
        """Yield the rows by column name; an optional column that is not there is None.

        Raises SchemaError for a table or a required column that is not there.
        """
        there = self._columns.get(table, set())
        for column in required:
            if column not in there:
                missing = f"{table}.{column}" if there else table
                what = f"its schema ({self.schema or 'without a version'}) has no {missing}: not a library of Zotero 5 or later"
                raise SchemaError(what, where=self._where, hint="open it once in a current Zotero, which brings it up to date")
        names = [*required, *(column for column in optional if column in there)]
        absent = dict.fromkeys(column for column in optional if column not in there)
        chosen = ", ".join(f'"{name}"' for name in names)
        for row in self._connection.execute(f'SELECT {chosen} FROM "{table}" ORDER BY rowid'):
            yield {**dict(zip(names, row, strict=True)), **absent}

    def if_there(self, table: str, *required: str, optional: tuple[str, ...] = ()) -> Iterator[dict[str, Any]]:
        """Yield the rows as `rows` does, none where the table is not there."""
        return self.rows(table, *required, optional=optional) if table in self else iter(())


def read_rows(connection: sqlite3.Connection, where: str) -> ZoteroRows:
    """Return the rows of a Zotero database; `where` names it in errors.

    Raises SchemaError when a table or column is missing that every version since Zotero 5 has.
    """
    tables = _Tables(connection, where)
    if "version" not in tables or "items" not in tables:
        what = "not a database of Zotero: it has no items"
        raise SchemaError(what, where=where, hint="the folder that Zotero shows under Settings, Advanced, Files and Folders")
    versions = {row["schema"]: row["version"] for row in tables.rows("version", "schema", "version")}
    tables.schema = _whole(versions.get("userdata"))
    libraries, left_out = _libraries(tables)
    items = _items(tables)
    attachments = _by_item(
        tables.rows(
            "itemAttachments",
            "itemID",
            "parentItemID",
            "linkMode",
            "contentType",
            "path",
            optional=("syncState", "storageHash"),
        )
    )
    notes = _by_item(tables.rows("itemNotes", "itemID", "parentItemID", "note", optional=("title",)))
    annotations = _by_item(
        tables.if_there(
            "itemAnnotations",
            *("itemID", "parentItemID", "type", "text", "comment", "pageLabel"),
            optional=("authorName", "color", "sortIndex", "position"),
        )
    )
    owned = [row for rows in (attachments, notes, annotations) for row in rows.values()]
    fields, base_fields = _fields(tables, {row.item_id: row.type_id for row in items})
    return ZoteroRows(
        schema=tables.schema,
        libraries=libraries,
        left_out=left_out,
        items=items,
        parents={row["itemID"]: row["parentItemID"] for row in owned if row["parentItemID"] is not None},
        fields=fields,
        base_fields=base_fields,
        creators=_creators(tables),
        tags=_tags(tables),
        collections=_collections(tables),
        deleted=_numbers(tables, "deletedItems"),
        publications=_numbers(tables, "publicationsItems"),
        retractions={row["itemID"]: _reason(row["data"]) for row in tables.if_there("retractedItems", "itemID", "data")},
        notes=notes,
        attachments=attachments,
        annotations=annotations,
    )


def _by_item(rows: Iterator[dict[str, Any]]) -> dict[int, Mapping[str, Any]]:
    return {row["itemID"]: row for row in rows}


def _whole(value: object) -> int:
    """Return a whole number as SQLite gave it; 0 for anything else, since a column may hold any kind of value."""
    return value if isinstance(value, int) else 0


def _numbers(tables: _Tables, table: str) -> frozenset[int]:
    return frozenset(row["itemID"] for row in tables.if_there(table, "itemID"))


def _libraries(tables: _Tables) -> tuple[dict[int, LibraryRef], dict[int, str]]:
    """Return the libraries by number, and why the others are left out."""
    groups = {row["libraryID"]: row for row in tables.if_there("groups", "libraryID", "groupID", "name")}
    feeds = {row["libraryID"]: row["name"] for row in tables.if_there("feeds", "libraryID", "name")}
    found: dict[int, LibraryRef] = {}
    left_out: dict[int, str] = {}
    for row in tables.rows("libraries", "libraryID", "type"):
        number, kind = row["libraryID"], row["type"]
        if number in feeds or kind == "feed":
            left_out[number] = f"it belongs to a feed ({feeds.get(number, 'without a name')})"
        elif kind == "group":
            group = groups.get(number, {"groupID": f"unknown-{number}", "name": f"a group without a name ({number})"})
            found[number] = LibraryRef(id=f"groups/{group['groupID']}", name=str(group["name"]), kind="group")
        elif kind == "user":
            found[number] = LibraryRef(id="user", name=_USER_NAME, kind="user")
        else:
            left_out[number] = f"it belongs to a library of a kind that is not known ({kind})"
    return found, left_out


def _items(tables: _Tables) -> tuple[ItemRow, ...]:
    combined = "itemTypesCombined" if "itemTypesCombined" in tables else "itemTypes"
    types = {row["itemTypeID"]: str(row["typeName"]) for row in tables.rows(combined, "itemTypeID", "typeName")}
    columns = ("itemID", "itemTypeID", "libraryID", "key")
    return tuple(
        ItemRow(
            item_id=row["itemID"],
            in_library=row["libraryID"],
            key=str(row["key"]),
            item_type=types.get(row["itemTypeID"], "unknown"),
            type_id=row["itemTypeID"],
            added=str(row["dateAdded"] or ""),
            modified=str(row["dateModified"] or ""),
        )
        for row in tables.rows("items", *columns, optional=("dateAdded", "dateModified"))
    )


def _fields(tables: _Tables, types: Mapping[int, int]) -> tuple[dict[int, dict[str, str]], dict[int, dict[str, str]]]:
    """Return each item's fields by their own names and by the names they share over all types."""
    combined = "fieldsCombined" if "fieldsCombined" in tables else "fields"
    names = {row["fieldID"]: str(row["fieldName"]) for row in tables.rows(combined, "fieldID", "fieldName")}
    mappings = "baseFieldMappingsCombined" if "baseFieldMappingsCombined" in tables else "baseFieldMappings"
    bases = {
        (row["itemTypeID"], row["fieldID"]): row["baseFieldID"]
        for row in tables.if_there(mappings, "itemTypeID", "baseFieldID", "fieldID")
    }
    values = {row["valueID"]: row["value"] for row in tables.rows("itemDataValues", "valueID", "value")}
    own: dict[int, dict[str, str]] = defaultdict(dict)
    base: dict[int, dict[str, str]] = defaultdict(dict)
    for row in tables.rows("itemData", "itemID", "fieldID", "valueID"):
        item, field, value = row["itemID"], row["fieldID"], values.get(row["valueID"])
        if value is None or field not in names:
            continue
        shared = bases.get((types.get(item), field), field)
        own[item][names[field]] = base[item][names.get(shared, names[field])] = str(value)
    return own, base


def _creators(tables: _Tables) -> dict[int, tuple[Creator, ...]]:
    roles = {
        row["creatorTypeID"]: str(row["creatorType"]) for row in tables.rows("creatorTypes", "creatorTypeID", "creatorType")
    }
    people = {row["creatorID"]: row for row in tables.rows("creators", "creatorID", "firstName", "lastName")}
    found: dict[int, list[tuple[int, Creator]]] = defaultdict(list)
    for row in tables.rows("itemCreators", "itemID", "creatorID", "creatorTypeID", "orderIndex"):
        person = people.get(row["creatorID"])
        if person is not None:
            role = roles.get(row["creatorTypeID"], "contributor")
            creator = Creator(role=role, last=str(person["lastName"] or ""), first=str(person["firstName"] or ""))
            found[row["itemID"]].append((_whole(row["orderIndex"]), creator))
    return {item: tuple(c for _, c in sorted(some, key=lambda pair: pair[0])) for item, some in found.items()}


def _tags(tables: _Tables) -> dict[int, tuple[str, ...]]:
    names = {row["tagID"]: str(row["name"]) for row in tables.rows("tags", "tagID", "name")}
    found: dict[int, list[str]] = defaultdict(list)
    for row in tables.rows("itemTags", "itemID", "tagID"):
        if row["tagID"] in names:
            found[row["itemID"]].append(names[row["tagID"]])
    return {item: tuple(sorted(some)) for item, some in found.items()}


def _collections(tables: _Tables) -> dict[int, tuple[Collection, ...]]:
    """Return the collections of each item, sorted; those in the trash, or below one there, are left out."""
    rows = tables.rows("collections", "collectionID", "collectionName", "parentCollectionID", "key")
    every = {row["collectionID"]: row for row in rows}
    deleted = frozenset(row["collectionID"] for row in tables.if_there("deletedCollections", "collectionID"))
    paths: dict[int, Collection] = {}
    for number, row in every.items():
        chain: list[int] = []
        at: int | None = number
        while at is not None and at in every and at not in chain:
            chain.append(at)
            at = every[at]["parentCollectionID"]
        if deleted.isdisjoint(chain):
            path = tuple(str(every[n]["collectionName"]) for n in reversed(chain))
            paths[number] = Collection(path=path, key=str(row["key"]))
    found: dict[int, set[Collection]] = defaultdict(set)
    for row in tables.rows("collectionItems", "collectionID", "itemID"):
        if row["collectionID"] in paths:
            found[row["itemID"]].add(paths[row["collectionID"]])
    return {item: tuple(sorted(some)) for item, some in found.items()}


def _reason(data: object) -> str:
    """Return why a work was retracted, as far as the database says."""
    try:
        reasons = json.loads(str(data)).get("reasons") or ()
    except (ValueError, AttributeError):
        reasons = ()
    texts = [str(reason) for reason in reasons] if isinstance(reasons, list) else []
    return f"retracted: {'; '.join(texts)}" if texts else "retracted"
