"""What a filter costs: a question to FTS5, not one for each chunk that may be found."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable

from made_index import Shelf, item, paper

from variorum.search.candidates import by_words
from variorum.search.filters import Filters, chunk_condition
from variorum.search.store import open_index


def way_to_the_words(connection: sqlite3.Connection, filters: Filters) -> str:
    """Return how SQLite goes to the words of chunks for a search with these filters."""
    asked: list[str] = []
    connection.set_trace_callback(asked.append)
    by_words(connection, '"ice"', chunk_condition(filters), 10)
    connection.set_trace_callback(None)
    (statement,) = (text for text in asked if text.startswith("SELECT rowid"))
    plan = [str(row[3]) for row in connection.execute(f"EXPLAIN QUERY PLAN {statement}")]
    return next(step for step in plan if "words VIRTUAL TABLE" in step)


def test_with_a_filter_fts5_is_asked_once_as_without_one(shelf: Callable[..., Shelf]) -> None:
    index = shelf()
    index.put([(item("A", "Ponds", year=2001, tags=("cold",)), paper("Ponds", "Ice on the pond."))])
    with open_index(index.path) as opened:
        plain = way_to_the_words(opened.connection, Filters())
        for filters in (Filters(kinds=("passage",)), Filters(year_from=2000, tags=("cold",)), Filters(required=("pond",))):
            assert way_to_the_words(opened.connection, filters) == plain
            assert by_words(opened.connection, '"ice"', chunk_condition(filters), 10)
