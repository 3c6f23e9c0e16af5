"""The tables of a Zotero database, as far as variorum and its tests look at them, in the versions 121 and 129 of its schema.

Written anew from what real databases have: the tables and columns with their names, kinds and keys. What newer versions added
stands apart. Tables for sync, proxies, saved searches and full text, which nobody asks here, are left out.
"""

from __future__ import annotations

from collections.abc import Iterator

OLD_SCHEMA = 121
NEW_SCHEMA = 129

_REFERENCE = """
CREATE TABLE version (schema TEXT PRIMARY KEY, version INT NOT NULL);
CREATE TABLE settings (setting TEXT, key TEXT, value, PRIMARY KEY (setting, key));
CREATE TABLE itemTypes (itemTypeID INTEGER PRIMARY KEY, typeName TEXT, templateItemTypeID INT, display INT DEFAULT 1);
CREATE TABLE itemTypesCombined (
    itemTypeID INT NOT NULL, typeName TEXT NOT NULL, display INT DEFAULT 1 NOT NULL, custom INT NOT NULL,
    PRIMARY KEY (itemTypeID));
CREATE TABLE fields (fieldID INTEGER PRIMARY KEY, fieldName TEXT, fieldFormatID INT);
CREATE TABLE fieldsCombined (
    fieldID INT NOT NULL, fieldName TEXT NOT NULL, label TEXT, fieldFormatID INT, custom INT NOT NULL, PRIMARY KEY (fieldID));
CREATE TABLE baseFieldMappings (itemTypeID INT, baseFieldID INT, fieldID INT, PRIMARY KEY (itemTypeID, baseFieldID, fieldID));
CREATE TABLE baseFieldMappingsCombined (
    itemTypeID INT, baseFieldID INT, fieldID INT, PRIMARY KEY (itemTypeID, baseFieldID, fieldID));
CREATE TABLE creatorTypes (creatorTypeID INTEGER PRIMARY KEY, creatorType TEXT);
CREATE TABLE charsets (charsetID INTEGER PRIMARY KEY, charset TEXT UNIQUE);
"""

_LIBRARIES = """
CREATE TABLE libraries (
    libraryID INTEGER PRIMARY KEY, type TEXT NOT NULL, editable INT NOT NULL, filesEditable INT NOT NULL,
    version INT NOT NULL DEFAULT 0, storageVersion INT NOT NULL DEFAULT 0, lastSync INT NOT NULL DEFAULT 0,
    archived INT NOT NULL DEFAULT 0);
CREATE TABLE groups (
    groupID INTEGER PRIMARY KEY, libraryID INT NOT NULL UNIQUE REFERENCES libraries ON DELETE CASCADE,
    name TEXT NOT NULL, description TEXT NOT NULL, version INT NOT NULL);
CREATE TABLE feeds (
    libraryID INTEGER PRIMARY KEY REFERENCES libraries ON DELETE CASCADE, name TEXT NOT NULL, url TEXT NOT NULL UNIQUE,
    lastUpdate TIMESTAMP, lastCheck TIMESTAMP, lastCheckError TEXT, cleanupReadAfter INT, cleanupUnreadAfter INT,
    refreshInterval INT);
CREATE TABLE collections (
    collectionID INTEGER PRIMARY KEY, collectionName TEXT NOT NULL,
    parentCollectionID INT DEFAULT NULL REFERENCES collections ON DELETE CASCADE,
    clientDateModified TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP,
    libraryID INT NOT NULL REFERENCES libraries ON DELETE CASCADE, key TEXT NOT NULL,
    version INT NOT NULL DEFAULT 0, synced INT NOT NULL DEFAULT 0, UNIQUE (libraryID, key));
CREATE TABLE deletedCollections (
    collectionID INTEGER PRIMARY KEY REFERENCES collections ON DELETE CASCADE,
    dateDeleted DEFAULT CURRENT_TIMESTAMP NOT NULL);
"""

_ITEMS = """
CREATE TABLE items (
    itemID INTEGER PRIMARY KEY, itemTypeID INT NOT NULL, dateAdded TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP,
    dateModified TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP, clientDateModified TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP,
    libraryID INT NOT NULL REFERENCES libraries ON DELETE CASCADE, key TEXT NOT NULL,
    version INT NOT NULL DEFAULT 0, synced INT NOT NULL DEFAULT 0, UNIQUE (libraryID, key));
CREATE TABLE itemDataValues (valueID INTEGER PRIMARY KEY, value UNIQUE);
CREATE TABLE itemData (
    itemID INT REFERENCES items ON DELETE CASCADE, fieldID INT, valueID REFERENCES itemDataValues,
    PRIMARY KEY (itemID, fieldID));
CREATE TABLE creators (
    creatorID INTEGER PRIMARY KEY, firstName TEXT, lastName TEXT, fieldMode INT, UNIQUE (lastName, firstName, fieldMode));
CREATE TABLE itemCreators (
    itemID INT NOT NULL REFERENCES items ON DELETE CASCADE, creatorID INT NOT NULL REFERENCES creators ON DELETE CASCADE,
    creatorTypeID INT NOT NULL DEFAULT 1, orderIndex INT NOT NULL DEFAULT 0,
    PRIMARY KEY (itemID, creatorID, creatorTypeID, orderIndex), UNIQUE (itemID, orderIndex));
CREATE TABLE tags (tagID INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE itemTags (
    itemID INT NOT NULL REFERENCES items ON DELETE CASCADE, tagID INT NOT NULL REFERENCES tags ON DELETE CASCADE,
    type INT NOT NULL, PRIMARY KEY (itemID, tagID));
CREATE TABLE collectionItems (
    collectionID INT NOT NULL REFERENCES collections ON DELETE CASCADE, itemID INT NOT NULL REFERENCES items ON DELETE CASCADE,
    orderIndex INT NOT NULL DEFAULT 0, PRIMARY KEY (collectionID, itemID));
CREATE TABLE deletedItems (
    itemID INTEGER PRIMARY KEY REFERENCES items ON DELETE CASCADE, dateDeleted DEFAULT CURRENT_TIMESTAMP NOT NULL);
CREATE TABLE publicationsItems (itemID INTEGER PRIMARY KEY);
CREATE TABLE retractedItems (itemID INTEGER PRIMARY KEY REFERENCES items ON DELETE CASCADE, data TEXT, flag INT DEFAULT 0);
CREATE TABLE feedItems (
    itemID INTEGER PRIMARY KEY REFERENCES items ON DELETE CASCADE, guid TEXT NOT NULL UNIQUE, readTime TIMESTAMP,
    translatedTime TIMESTAMP);
"""

_BELONGINGS = """
CREATE TABLE itemAttachments (
    itemID INTEGER PRIMARY KEY REFERENCES items ON DELETE CASCADE, parentItemID INT REFERENCES items ON DELETE CASCADE,
    linkMode INT, contentType TEXT, charsetID INT, path TEXT, syncState INT DEFAULT 0, storageModTime INT, storageHash TEXT,
    lastProcessedModificationTime INT);
CREATE TABLE itemNotes (
    itemID INTEGER PRIMARY KEY REFERENCES items ON DELETE CASCADE, parentItemID INT REFERENCES items ON DELETE CASCADE,
    note TEXT, title TEXT);
CREATE TABLE itemAnnotations (
    itemID INTEGER PRIMARY KEY REFERENCES items ON DELETE CASCADE, parentItemID INT NOT NULL REFERENCES itemAttachments,
    type INTEGER NOT NULL, authorName TEXT, text TEXT, comment TEXT, color TEXT, pageLabel TEXT, sortIndex TEXT NOT NULL,
    position TEXT NOT NULL, isExternal INT NOT NULL);
"""

_SINCE_121 = """
ALTER TABLE libraries ADD COLUMN isAdmin INT NOT NULL DEFAULT 0;
ALTER TABLE libraries ADD COLUMN clientVersion INT NOT NULL DEFAULT 0;
ALTER TABLE collections ADD COLUMN clientVersion INT NOT NULL DEFAULT 0;
ALTER TABLE items ADD COLUMN clientVersion INT NOT NULL DEFAULT 0;
ALTER TABLE itemAttachments ADD COLUMN lastRead INT;
ALTER TABLE itemAnnotations ADD COLUMN textNormalized TEXT;
ALTER TABLE itemAnnotations ADD COLUMN commentNormalized TEXT;
ALTER TABLE itemDataValues ADD COLUMN valueNormalized TEXT;
ALTER TABLE creators ADD COLUMN firstNameNormalized TEXT;
ALTER TABLE creators ADD COLUMN lastNameNormalized TEXT;
ALTER TABLE tags ADD COLUMN nameNormalized TEXT;
"""

ITEM_TYPES = (
    *("annotation", "attachment", "book", "bookSection", "case", "conferencePaper", "journalArticle", "note", "preprint"),
    *("report", "thesis", "webpage"),
)
FIELDS = (
    *("title", "abstractNote", "date", "language", "shortTitle", "url", "accessDate", "extra", "volume", "issue", "pages"),
    *("publicationTitle", "DOI", "journalAbbreviation", "ISSN", "publisher", "proceedingsTitle", "conferenceName"),
    *("bookTitle", "caseName", "dateDecided", "repository", "university", "archiveID"),
)
CREATOR_TYPES = ("contributor", "author", "editor", "translator", "seriesEditor")
BASE_FIELDS = (
    ("conferencePaper", "publicationTitle", "proceedingsTitle"),
    ("bookSection", "publicationTitle", "bookTitle"),
    ("case", "title", "caseName"),
    ("case", "date", "dateDecided"),
    ("preprint", "publisher", "repository"),
    ("thesis", "publisher", "university"),
)
"""(type of item, name that all types share, name that this one has)."""


def statements(schema: int) -> Iterator[str]:
    """Yield the SQL that makes an empty database of the version, with the names of types and fields in it."""
    parts = [_REFERENCE, _LIBRARIES, _ITEMS, _BELONGINGS, *([_SINCE_121] if schema > OLD_SCHEMA else [])]
    for part in parts:
        yield from (statement for statement in part.split(";\n") if statement.strip())
    yield f"INSERT INTO version VALUES ('userdata', {schema}), ('system', 32), ('compatibility', 7)"
    yield "INSERT INTO settings VALUES ('account', 'localUserKey', 'abcd1234')"
    fields = field_names(schema)
    for number, name in enumerate(ITEM_TYPES, start=1):
        yield f"INSERT INTO itemTypes VALUES ({number}, '{name}', NULL, 1)"
        yield f"INSERT INTO itemTypesCombined VALUES ({number}, '{name}', 1, 0)"
    for number, name in enumerate(fields, start=1):
        yield f"INSERT INTO fields VALUES ({number}, '{name}', NULL)"
        yield f"INSERT INTO fieldsCombined VALUES ({number}, '{name}', NULL, NULL, 0)"
    for number, name in enumerate(CREATOR_TYPES, start=1):
        yield f"INSERT INTO creatorTypes VALUES ({number}, '{name}')"
    for kind, shared, own in BASE_FIELDS:
        row = f"({ITEM_TYPES.index(kind) + 1}, {fields.index(shared) + 1}, {fields.index(own) + 1})"
        yield f"INSERT INTO baseFieldMappings VALUES {row}"
        yield f"INSERT INTO baseFieldMappingsCombined VALUES {row}"


def field_names(schema: int) -> tuple[str, ...]:
    """Return the names of the fields, in order of their numbers; the citation key is a field of newer versions only."""
    return FIELDS if schema <= OLD_SCHEMA else (*FIELDS, "citationKey")
