"""Claims that hold for every Zotero database, however it is tangled: all rows are accounted for, and nothing is written."""

from __future__ import annotations

import sqlite3
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from library_watch import state_of

from tools.zotero_library import MadeLibrary, make_library
from tools.zotero_writer import ZoteroWriter
from variorum.errors import VariorumError
from variorum.libraries import read_zotero

KINDS = ("item", "attachment", "note", "annotation")
steps = st.lists(
    st.tuples(
        st.sampled_from(KINDS),
        st.integers(0, 5),  # the parent, by position among all rows before it, if there is one
        st.booleans(),  # whether it has a parent at all
        st.sampled_from([1, 2, 3, 9]),  # the library: the user's, a group, a feed, one that is not there
        st.booleans(),  # whether it is in the trash
    ),
    max_size=12,
)


def build(folder: Path, rows: list[tuple[str, int, bool, int, bool]], lost: set[int]) -> None:
    with ZoteroWriter(folder, journal="rollback") as writer:
        writer.group(2, 7, "Group")
        writer.feed(3, "Feed")
        numbers: list[int] = []
        for position, (kind, parent_at, has_parent, library, deleted) in enumerate(rows):
            parent = numbers[parent_at % len(numbers)] if numbers and has_parent else None
            name = f"row {position}"
            if kind == "item":
                numbers.append(writer.item(name, library=library, fields={"title": name}, deleted=deleted))
            elif kind == "attachment":
                numbers.append(writer.attachment(name, parent, path="storage:a.pdf", library=library, deleted=deleted))
            elif kind == "note":
                numbers.append(writer.note(name, parent, f"<p>{name}</p>", library=library))
            else:
                numbers.append(writer.annotation(name, parent or 999, text=name, library=library, deleted=deleted))
        for position in lost:
            if position < len(numbers):
                writer.sql("DELETE FROM items WHERE itemID = ?", numbers[position])


def roots_by_sql(database: Path) -> tuple[int, int]:
    """Return how many rows have no parent that is there, and how many rows there are, by a query of its own."""
    with sqlite3.connect(database) as db:
        (n_rows,) = db.execute("SELECT count(*) FROM items").fetchone()
        (n_belonging,) = db.execute(
            """
            WITH RECURSIVE links(child, parent) AS (
                SELECT itemID, parentItemID FROM itemAttachments UNION ALL SELECT itemID, parentItemID FROM itemNotes
                UNION ALL SELECT itemID, parentItemID FROM itemAnnotations),
            roots(id) AS (
                SELECT itemID FROM items WHERE itemID NOT IN (SELECT child FROM links WHERE parent IS NOT NULL)),
            reached(id) AS (
                SELECT id FROM roots UNION
                SELECT child FROM links JOIN reached ON parent = reached.id WHERE child IN (SELECT itemID FROM items))
            SELECT (SELECT count(*) FROM reached) - (SELECT count(*) FROM roots)
            """
        ).fetchone()
    db.close()
    return n_rows - n_belonging, n_rows


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rows=steps, lost=st.sets(st.integers(0, 11), max_size=3))
def test_every_row_is_an_item_or_belongs_to_one_or_is_left_out(
    tmp_path_factory: pytest.TempPathFactory,
    nobody: Path,
    rows: list[tuple[str, int, bool, int, bool]],
    lost: set[int],
) -> None:
    folder = tmp_path_factory.mktemp("any")
    build(folder, rows, lost)
    before = state_of(folder)
    library = read_zotero(folder, home=nobody)
    assert state_of(folder) == before
    n_roots, n_rows = roots_by_sql(folder / "zotero.sqlite")
    assert library.found == n_roots == len(library) + len(library.skipped)
    refs = [str(item.ref) for item in library] + [f"{row.in_library}/{row.key}" for row in library.skipped]
    assert len(set(refs)) == len(refs) <= n_rows
    assert all(item.in_library in library.libraries for item in library)
    assert all(a.in_trash for item in library if item.in_trash for a in item.attachments)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> MadeLibrary:
    """Return a whole library whose database a test writes over again and again."""
    return make_library(tmp_path_factory.mktemp("whole"), journal="rollback")


@pytest.fixture(scope="module")
def sound(whole: MadeLibrary) -> bytes:
    """Return the database as it was made."""
    return whole.database.read_bytes()


def is_read_or_refused(made: MadeLibrary, home: Path) -> None:
    refusal: VariorumError | None = None
    try:
        library = read_zotero(made.data_dir, home=home, pause=lambda seconds: None)
    except VariorumError as error:
        refusal = error
    if refusal is None:
        assert library.found == len(library) + len(library.skipped)
    else:
        assert refusal.where == str(made.database)
        assert refusal.hint


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(changes=st.lists(st.tuples(st.integers(100, 2**18), st.integers(0, 255)), min_size=1, max_size=40))
def test_a_damaged_database_is_read_or_refused(
    whole: MadeLibrary, sound: bytes, nobody: Path, changes: list[tuple[int, int]]
) -> None:
    data = bytearray(sound)
    for place, byte in changes:
        data[place % len(data)] = byte
    whole.database.write_bytes(data)
    is_read_or_refused(whole, nobody)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    changes=st.lists(
        st.tuples(
            st.integers(0, 999),
            st.sampled_from([None, -1, 0, 2**62, "x", "", b"\xff\x00", 1.5, "\x00", "[", '{"pageIndex": 1e999}', "9" * 30]),
            st.sampled_from([1, 2, 5]),
        ),
        min_size=1,
        max_size=6,
    )
)
def test_values_of_any_kind_in_any_column_do_no_harm(
    whole: MadeLibrary, sound: bytes, nobody: Path, changes: list[tuple[int, object, int]]
) -> None:
    whole.database.write_bytes(sound)
    with sqlite3.connect(whole.database) as db:
        tables = [row[0] for row in db.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")]
        columns = [(table, row[1]) for table in tables for row in db.execute(f'PRAGMA table_info("{table}")')]
        for number, value, step in changes:
            table, column = columns[number % len(columns)]
            with suppress(sqlite3.IntegrityError):  # some columns take no text, some no null
                db.execute(f'UPDATE OR IGNORE "{table}" SET "{column}" = ? WHERE rowid % {step} = 0', (value,))
    db.close()
    is_read_or_refused(whole, nobody)
