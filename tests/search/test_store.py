"""The index file: one writer, readers beside it, damage and other versions found when it is opened."""

from __future__ import annotations

import os
import shutil
import sqlite3
import struct
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from made_index import HashedWords, Shelf, item, paper, with_floats

from variorum.errors import DamagedInputError, InputNotFoundError, OtherRulesError, OutputError, UsageError
from variorum.libraries.model import Attachment
from variorum.search.contents import prepare, put_document, remove_chunks, sweep
from variorum.search.holdings import put_item
from variorum.search.manifest import Manifest, refuse_other_reading
from variorum.search.planning import Plan, Wishes, plan_item
from variorum.search.store import open_index, open_writer
from variorum.search.tokens import EstimatedTokens
from variorum.search.verifying import dump, stats, verify

HOLDER = """
import sys
from pathlib import Path
from variorum.search.manifest import Manifest
from variorum.search.store import open_writer
with open_writer(Path(sys.argv[1]), Manifest(reading="test", tokenizer="t", max_tokens=256)):
    print("held", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def filled(shelf: Callable[..., Shelf]) -> Shelf:
    index = shelf()
    index.put([(item("A", "Ponds"), with_floats()), (item("B", "Lakes"), paper("Lakes", "Ice."))], records=True)
    index.embed()
    return index


def change(path: Path, *statements: str) -> None:
    with sqlite3.connect(path) as connection:
        for statement in statements:
            connection.execute(statement)
    connection.close()


def test_a_second_writer_is_refused_and_readers_are_not(filled: Shelf) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(filled.path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        with pytest.raises(OutputError, match="another process is writing"):
            open_writer(filled.path, filled.manifest)
        with filled.searcher() as searcher:
            assert searcher.search("ice").papers
        holder.kill()
    with open_writer(filled.path, filled.manifest) as index:
        assert index.is_writer


@pytest.mark.parametrize("content", [b"", b"hello", b"SQLite format 3\x00" + b"\x00" * 200])
def test_what_is_no_index_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "index.sqlite"
    path.write_bytes(content)
    with pytest.raises(DamagedInputError):
        open_index(path)
    assert path.read_bytes() == content


def test_another_programs_database_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "zotero.sqlite"
    change(path, "CREATE TABLE items (x)")
    for way in (lambda: open_index(path), lambda: open_writer(path, Manifest(reading="r", tokenizer="t", max_tokens=1))):
        with pytest.raises(DamagedInputError, match="no index of variorum"):
            way()
    with sqlite3.connect(path) as connection:
        assert [name for (name,) in connection.execute("SELECT name FROM sqlite_master")] == ["items"]
    connection.close()


def test_an_index_that_is_not_there_is_said_with_what_makes_it(tmp_path: Path) -> None:
    with pytest.raises(InputNotFoundError, match="variorum index"):
        open_index(tmp_path / "none.sqlite")


def test_a_place_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(OutputError):
        open_writer(tmp_path / "file" / "index.sqlite", Manifest(reading="r", tokenizer="t", max_tokens=1))


@pytest.mark.parametrize(
    ("key", "value", "remedy"),
    [("schema", "0", "read again"), ("chunker", "pages-0", "--rebuild"), ("words", "w", "--rebuild")],
)
def test_an_index_of_other_rules_is_refused_when_it_is_opened(filled: Shelf, key: str, value: str, remedy: str) -> None:
    change(filled.path, f"UPDATE manifest SET value = '{value}' WHERE key = '{key}'")
    with pytest.raises(OtherRulesError) as caught:
        open_index(filled.path)
    assert value in caught.value.what
    assert remedy in caught.value.hint


def test_a_manifest_with_a_gap_is_damage(filled: Shelf) -> None:
    change(filled.path, "DELETE FROM manifest WHERE key = 'chunker'")
    with pytest.raises(DamagedInputError, match="chunker"):
        open_index(filled.path)


def test_papers_read_by_another_configuration_are_refused() -> None:
    manifest = Manifest(reading="fast@1", tokenizer="t", max_tokens=256)
    refuse_other_reading(manifest, "fast@1", "index")
    with pytest.raises(UsageError, match="fast@1, not with default@2"):
        refuse_other_reading(manifest, "default@2", "index")


def test_a_whole_index_has_no_faults(filled: Shelf) -> None:
    assert verify(filled.path) == ()


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        ("DELETE FROM chunks WHERE id = 2", "the words of 1 chunks"),
        ("UPDATE vectors SET count = count + 1", "chunks and"),
        ("UPDATE vectors SET data = zeroblob(length(data))", "not of length 1"),
        ("UPDATE vectors SET data = substr(data, 5)", "another length"),
        ("UPDATE documents SET json = x'00'", "cannot be unpacked"),
        ("INSERT INTO words (words) VALUES ('delete-all')", "have no words"),
        ("UPDATE items SET record_id = 999", "points to nothing"),
        ("DROP TABLE floats", "the table floats is missing"),
        ("DROP INDEX facets_of_items", "the index facets_of_items is missing"),
        ("ALTER TABLE chunks DROP COLUMN page_end", "the table chunks is another one"),
        ("UPDATE words_data SET block = zeroblob(20) WHERE id > 10", "damaged"),
    ],
)
def test_damage_is_found(filled: Shelf, damage: str, said: str) -> None:
    change(filled.path, damage)
    assert any(said in fault for fault in verify(filled.path))


@pytest.mark.parametrize("table", ["floats", "items", "facets", "papers", "documents", "chunks", "vectors", "words"])
def test_a_lost_table_is_damage_with_its_remedy_and_no_bug(filled: Shelf, table: str) -> None:
    change(filled.path, f"DROP TABLE {table}")

    def use() -> None:
        with open_index(filled.path) as index:
            list(dump(index))
            list(index.connection.execute(f"SELECT * FROM {table}"))

    with pytest.raises(DamagedInputError) as caught:
        use()
    assert caught.value.where == str(filled.path)
    assert caught.value.hint


def test_pages_of_the_file_that_are_overwritten_are_damage(filled: Shelf) -> None:
    content = filled.path.read_bytes()
    (page_size,) = struct.unpack_from(">H", content, 16)
    filled.path.write_bytes(content[:page_size] + bytes(len(content) - page_size))

    def use() -> None:
        with open_index(filled.path) as index:
            list(dump(index))

    with pytest.raises(DamagedInputError):
        use()


READER = """
import os, sys
from pathlib import Path
from variorum.errors import VariorumError
from variorum.search.store import open_index
if os.getuid() == 0:
    os.setuid(65534)  # no rights on files of others
try:
    with open_index(Path(sys.argv[1])) as index:
        print(index.connection.execute("SELECT count(*) FROM items").fetchone()[0])
except VariorumError as error:
    print(type(error).__name__, error)
"""


@pytest.fixture
def locked_folder(filled: Shelf) -> Iterator[Path]:
    """Yield a copy of an index, open to be read, in a folder that is to be made read-only; nobody may write there."""
    with tempfile.TemporaryDirectory() as name:
        copy = Path(name) / "index.sqlite"
        shutil.copyfile(filled.path, copy)
        copy.chmod(0o444)
        yield copy
        copy.parent.chmod(0o755)


def read_as_another_user(path: Path) -> str:
    path.parent.chmod(0o555)
    done = subprocess.run([sys.executable, "-c", READER, str(path)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.skipif(not hasattr(os, "setuid"), reason="this system has no users of this kind")
def test_an_index_in_a_read_only_folder_can_be_searched(locked_folder: Path) -> None:
    assert read_as_another_user(locked_folder) == "2"


@pytest.mark.skipif(not hasattr(os, "setuid"), reason="this system has no users of this kind")
def test_a_read_only_index_with_an_unfinished_log_says_what_helps(locked_folder: Path) -> None:
    locked_folder.with_name("index.sqlite-wal").write_bytes(b"unfinished")
    said = read_as_another_user(locked_folder)
    assert said.startswith("InputNotFoundError")
    assert "in the middle of a run" in said


def test_a_transaction_that_fails_leaves_nothing(filled: Shelf) -> None:
    with open_index(filled.path) as index:
        before = list(dump(index))

    def fail_half_way() -> None:
        with open_writer(filled.path, filled.manifest) as index, index.transaction() as connection:
            content = paper("More", "Snow.")
            put_document(connection, content.sha256, prepare(content, EstimatedTokens()))
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail_half_way()
    with open_index(filled.path) as index:
        assert list(dump(index)) == before


def test_what_is_removed_leaves_no_word_and_no_vector(filled: Shelf) -> None:
    with open_writer(filled.path, filled.manifest) as index:
        with index.transaction() as connection:
            connection.execute("DELETE FROM items")
            assert sweep(connection) == 4
        counts = [index.connection.execute(f"SELECT count(*) FROM {t}").fetchone()[0] for t in ("chunks", "words", "vectors")]
    assert counts == [0, 0, 0]
    assert verify(filled.path) == ()


def test_chunks_can_be_made_again_from_the_document_that_is_kept(filled: Shelf) -> None:
    with open_writer(filled.path, filled.manifest) as index:
        before = [line for line in dump(index) if not line.startswith('["vectors"')]
        with index.transaction() as connection:
            content = with_floats()
            (document_id,) = connection.execute("SELECT id FROM documents WHERE sha256 = ?", (content.sha256,)).fetchone()
            remove_chunks(connection, document_id)
            put_document(connection, content.sha256, prepare(content, EstimatedTokens()))
        assert [line for line in dump(index) if not line.startswith('["vectors"')] == before


def test_vectors_are_made_once(filled: Shelf) -> None:
    assert filled.embed() == 0


def test_vectors_of_another_model_are_not_added(filled: Shelf) -> None:
    class Other(HashedWords):
        identity = HashedWords.identity.__class__(id="other@1", dimension=64, max_tokens=256)

    filled.put([(item("C"), paper("C", "Snow."))])
    filled.embedder = Other()
    with pytest.raises(UsageError, match="vectors are those of hashed-words@1"):
        filled.embed()


def test_a_pdf_without_a_file_is_counted_among_those_that_are_not_in_it(filled: Shelf) -> None:
    lost = Attachment(key="PDF", title="a.pdf", link_mode="linked_file", content_type="application/pdf", stored_path="a.pdf")
    owner = item("C", "Rivers", attachments=(lost,))
    with open_writer(filled.path, filled.manifest) as index:
        with index.transaction() as connection:
            item_id, _ = put_item(connection, "test", owner)
            plan_item(connection, Plan(Wishes()), item_id, owner)
        found = stats(index)
    assert found.papers == (("indexed", 2), ("skipped", 1))
    assert found.not_in_it == (("user/C", "Rivers", "no file"),)
