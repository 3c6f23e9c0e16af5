"""The tables of the index file. ``docs/reference/search-index.md`` says the same for readers.

Everything that a search needs stands here. A document is kept as it was read (its JSON, compressed), so that chunks and vectors
can be made again without the PDF. A document is known by the SHA-256 of its file: two items with the same PDF share it.
"""

from __future__ import annotations

from typing import Final

from variorum.search.words import TOKENIZER

SCHEMA: Final = "2"
"""The version of these tables; a file of another is refused."""

TABLES: Final = (
    "CREATE TABLE manifest (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
    # an item of a library; `record` is JSON: creators, tags, collections and what else is shown
    """CREATE TABLE items (
        id INTEGER PRIMARY KEY, source TEXT NOT NULL, in_library TEXT NOT NULL, library_name TEXT NOT NULL, key TEXT NOT NULL,
        item_type TEXT NOT NULL, title TEXT NOT NULL, year INTEGER, publication TEXT NOT NULL, citation_key TEXT,
        record TEXT NOT NULL, record_id INTEGER REFERENCES documents(id), UNIQUE (source, in_library, key))""",
    # what items are filtered by: author, tag, collection, library, type; values folded, and as the library has them
    """CREATE TABLE facets (
        kind TEXT NOT NULL, folded TEXT NOT NULL, item_id INTEGER NOT NULL REFERENCES items(id) ON DELETE CASCADE,
        value TEXT NOT NULL, PRIMARY KEY (kind, folded, item_id)) WITHOUT ROWID""",
    "CREATE INDEX facets_of_items ON facets(item_id)",
    # a PDF of an item, as it was last seen: state is indexed, skipped or failed, with the reason
    """CREATE TABLE papers (
        id INTEGER PRIMARY KEY, item_id INTEGER NOT NULL REFERENCES items(id) ON DELETE CASCADE, attachment TEXT NOT NULL,
        path TEXT NOT NULL, size INTEGER NOT NULL, mtime_ns INTEGER NOT NULL, sha256 TEXT NOT NULL,
        state TEXT NOT NULL CHECK (state IN ('indexed', 'skipped', 'failed')), reason TEXT NOT NULL,
        document_id INTEGER REFERENCES documents(id), UNIQUE (item_id, attachment),
        CHECK ((state = 'indexed') = (document_id IS NOT NULL)))""",
    "CREATE INDEX papers_of_documents ON papers(document_id)",
    "CREATE INDEX papers_by_content ON papers(sha256)",
    # what was read from one file (kind paper), or what a library says of an item (kind record); json is compressed
    """CREATE TABLE documents (
        id INTEGER PRIMARY KEY, kind TEXT NOT NULL CHECK (kind IN ('paper', 'record')), sha256 TEXT NOT NULL,
        title TEXT NOT NULL, page_count INTEGER NOT NULL, json BLOB NOT NULL, is_chunked INTEGER NOT NULL,
        UNIQUE (kind, sha256))""",
    """CREATE TABLE sections (
        document_id INTEGER NOT NULL REFERENCES documents(id) ON DELETE CASCADE, seq INTEGER NOT NULL, label TEXT NOT NULL,
        heading TEXT NOT NULL, first TEXT NOT NULL, last TEXT NOT NULL, PRIMARY KEY (document_id, seq)) WITHOUT ROWID""",
    # tables and figures: printed number, caption, size, and the ids of the components that name them (JSON)
    """CREATE TABLE floats (
        document_id INTEGER NOT NULL REFERENCES documents(id) ON DELETE CASCADE, kind TEXT NOT NULL, target TEXT NOT NULL,
        number TEXT, caption TEXT NOT NULL, page_num INTEGER, n_rows INTEGER, n_cols INTEGER, cited_in TEXT NOT NULL,
        PRIMARY KEY (document_id, target)) WITHOUT ROWID""",
    """CREATE TABLE chunks (
        id INTEGER PRIMARY KEY, document_id INTEGER NOT NULL REFERENCES documents(id) ON DELETE CASCADE, seq INTEGER NOT NULL,
        kind TEXT NOT NULL, section TEXT NOT NULL, heading TEXT NOT NULL, text TEXT NOT NULL, context TEXT NOT NULL,
        citing TEXT NOT NULL, page_num INTEGER, page_end INTEGER, page_label TEXT, bbox TEXT, spans TEXT NOT NULL, target TEXT,
        UNIQUE (document_id, seq))""",
    # the vectors of all chunks of a document in order of seq: float32, little-endian, one after the other
    """CREATE TABLE vectors (
        document_id INTEGER PRIMARY KEY REFERENCES documents(id) ON DELETE CASCADE, count INTEGER NOT NULL,
        data BLOB NOT NULL)""",
    f"CREATE VIRTUAL TABLE words USING fts5(text, context, citing, content='', tokenize=\"{TOKENIZER}\")",
)
