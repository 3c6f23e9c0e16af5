"""A database that another program has open is read whole, as it stood at one moment, and never touched."""

from __future__ import annotations

import errno
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from library_watch import held_by_another, state_of

from variorum.errors import DamagedInputError, InputNotFoundError, OutputError
from variorum.libraries import snapshot as module
from variorum.libraries.snapshot import snapshot

WAL = ("PRAGMA journal_mode = WAL", "PRAGMA wal_autocheckpoint = 0")
EXCLUSIVE = "PRAGMA locking_mode = EXCLUSIVE"
SPILLING = ("PRAGMA cache_size = 4", "PRAGMA cache_spill = 4")
MANY = "INSERT INTO papers SELECT 'new ' || hex(randomblob(400)) FROM papers a, papers b, papers c"
TITLES = [f"paper {number}" for number in range(8)]


@pytest.fixture
def database(tmp_path: Path) -> Path:
    folder = tmp_path / "live"
    folder.mkdir()
    path = folder / "zotero.sqlite"
    db = sqlite3.connect(path)
    db.execute("CREATE TABLE papers (title TEXT)")
    db.executemany("INSERT INTO papers VALUES (?)", [(title,) for title in TITLES])
    db.commit()
    db.close()
    return path


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


def titles(path: Path) -> list[str]:
    with snapshot(path, pause=no_pause) as copy:
        return [row[0] for row in copy.connection.execute("SELECT title FROM papers ORDER BY rowid")]


def no_pause(seconds: float) -> None:
    raise AssertionError(f"a pause of {seconds} s that was not needed")


class TestHeldByAnotherProcess:
    def test_a_locked_database_in_wal_mode_is_read_with_the_rows_of_the_wal(self, database: Path) -> None:
        insert = "INSERT INTO papers VALUES ('in the wal')"
        with held_by_another(database, *WAL, EXCLUSIVE, insert):
            with pytest.raises(sqlite3.OperationalError, match="locked"):
                sqlite3.connect(f"file:{database}?mode=ro", uri=True).execute("SELECT * FROM papers")
            assert titles(database) == [*TITLES, "in the wal"]

    def test_rows_of_a_transaction_that_is_not_committed_are_not_seen(self, database: Path) -> None:
        with held_by_another(database, *WAL, EXCLUSIVE, "BEGIN IMMEDIATE", "INSERT INTO papers VALUES ('not yet')"):
            assert titles(database) == TITLES

    def test_a_locked_database_with_a_rollback_journal_is_read_as_before_the_transaction(self, database: Path) -> None:
        with held_by_another(database, *SPILLING, "BEGIN EXCLUSIVE", "DELETE FROM papers WHERE rowid < 3", MANY):
            assert database.with_name("zotero.sqlite-journal").stat().st_size > 0
            with pytest.raises(sqlite3.OperationalError, match="locked"):
                sqlite3.connect(f"file:{database}?mode=ro", uri=True).execute("SELECT * FROM papers")
            assert titles(database) == TITLES

    def test_the_lock_of_the_other_process_still_holds_afterwards(self, database: Path) -> None:
        with held_by_another(database, "BEGIN EXCLUSIVE"):
            titles(database)
            with pytest.raises(sqlite3.OperationalError, match="locked"):
                sqlite3.connect(database, timeout=0).execute("INSERT INTO papers VALUES ('no')")

    def test_the_other_process_can_go_on_writing(self, database: Path) -> None:
        with snapshot(database) as copy:
            with sqlite3.connect(database, timeout=0) as other:
                other.execute("INSERT INTO papers VALUES ('meanwhile')")
            other.close()
            assert copy.connection.execute("SELECT count(*) FROM papers").fetchone()[0] == len(TITLES)
        assert titles(database)[-1] == "meanwhile"


class TestLeftByAKilledProcess:
    def test_an_unfinished_transaction_is_rolled_back_in_the_copy_only(self, database: Path) -> None:
        with held_by_another(database, *SPILLING, "BEGIN", "DELETE FROM papers WHERE rowid < 3", MANY) as process:
            process.kill()
            process.wait()
        before = state_of(database.parent)
        assert "zotero.sqlite-journal" in before
        assert titles(database) == TITLES
        assert state_of(database.parent) == before

    def test_a_wal_that_was_left_is_read(self, database: Path) -> None:
        with held_by_another(database, *WAL, "INSERT INTO papers VALUES ('left')") as process:
            process.kill()
            process.wait()
        before = state_of(database.parent)
        assert titles(database)[-1] == "left"
        assert state_of(database.parent) == before


@pytest.mark.skipif(os.name == "nt", reason="the process is ended by a limit that Windows has not")
class TestTransactionOverTwoDatabases:
    """Their journals name one file between them; whether it is there says whether the transaction was finished."""

    CRASH = """
import resource, signal, sqlite3, sys
db = sqlite3.connect(sys.argv[1], isolation_level=None)
db.execute("ATTACH ? AS second", (sys.argv[2],))
db.execute("PRAGMA cache_size = 100000")
db.execute("PRAGMA second.cache_size = 100000")
db.execute("BEGIN")
db.execute("INSERT INTO main.papers VALUES ('half done')")
db.execute("INSERT INTO second.bulk SELECT randomblob(100000) FROM main.papers a, main.papers b")
signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
resource.setrlimit(resource.RLIMIT_FSIZE, (1000000, 1000000))
db.execute("COMMIT")
"""

    @pytest.fixture(params=["plain", "Üñï cödé"])
    def crashed(self, database: Path, request: pytest.FixtureRequest) -> Path:
        folder = database.parent / request.param
        folder.mkdir()
        path = folder / database.name
        shutil.move(database, path)
        second = folder / "better-bibtex.sqlite"
        db = sqlite3.connect(second)
        db.execute("CREATE TABLE bulk (data BLOB)")
        db.commit()
        db.close()
        done = subprocess.run([sys.executable, "-c", self.CRASH, str(path), str(second)], check=False)
        assert done.returncode == -signal.SIGXFSZ
        assert list(folder.glob("zotero.sqlite-mj*")), "the crash left no file that the journals name"
        return path

    def test_it_is_undone_in_the_copy_while_it_is_unfinished(self, crashed: Path) -> None:
        before = state_of(crashed.parent)
        assert titles(crashed) == TITLES
        assert state_of(crashed.parent) == before

    def test_it_is_undone_though_it_is_finished_before_the_copy_is_opened(
        self, crashed: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        checked = module._checked

        def finished_meanwhile(copy: Path) -> sqlite3.Connection:
            for shared in crashed.parent.glob("zotero.sqlite-mj*"):
                shared.unlink()
            return checked(copy)

        monkeypatch.setattr(module, "_checked", finished_meanwhile)
        assert titles(crashed) == TITLES

    def test_it_holds_once_the_file_they_name_is_gone(self, crashed: Path) -> None:
        for shared in crashed.parent.glob("zotero.sqlite-mj*"):
            shared.unlink()
        before = state_of(crashed.parent)
        assert titles(crashed) == [*TITLES, "half done"]
        assert state_of(crashed.parent) == before


class TestChangesMeanwhile:
    def test_a_change_while_it_is_copied_makes_it_copy_again(self, database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        pauses: list[float] = []
        copy_file = module._copy_file
        changes = iter(["first", "second"])

        def copy_then_change(original: Path, copy: Path) -> bool:
            done = copy_file(original, copy)
            if original == database and (change := next(changes, None)):
                with sqlite3.connect(database) as db:
                    db.execute("INSERT INTO papers VALUES (?)", (change,))
                db.close()
            return done

        monkeypatch.setattr(module, "_copy_file", copy_then_change)
        with snapshot(database, pause=pauses.append) as copy:
            found = [row[0] for row in copy.connection.execute("SELECT title FROM papers")]
        assert found == [*TITLES, "first", "second"]
        assert len(pauses) == 2

    def test_a_database_that_never_rests_is_an_error_after_growing_pauses(
        self, database: Path, monkeypatch: pytest.MonkeyPatch, temporary: Path
    ) -> None:
        pauses: list[float] = []
        monkeypatch.setattr(module, "_is_same", lambda original, copy: False)
        with (
            pytest.raises(DamagedInputError, match=r"written to all the time \(zotero.sqlite changed\)"),
            snapshot(database, pause=pauses.append),
        ):
            pass
        assert pauses == sorted(pauses)
        assert pauses[0] < pauses[1]
        assert list(temporary.iterdir()) == []

    def test_a_wal_that_appears_while_the_database_is_copied_is_noticed(
        self, database: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        copy_file = module._copy_file
        appeared: list[str] = []

        def copy_then_appear(original: Path, copy: Path) -> bool:
            done = copy_file(original, copy)
            if original.name.endswith("-journal") and not appeared:
                appeared.append("once")
                database.with_name("zotero.sqlite-wal").write_bytes(b"not yet a wal")
            return done

        monkeypatch.setattr(module, "_copy_file", copy_then_appear)
        pauses: list[float] = []
        with snapshot(database, pause=pauses.append) as copy:
            assert copy.beside == ("-wal",)
        assert len(pauses) == 1


class TestTemporaryCopies:
    def test_they_are_gone_afterwards(self, database: Path, temporary: Path) -> None:
        with snapshot(database):
            assert list(temporary.iterdir())
        assert list(temporary.iterdir()) == []

    def test_they_are_gone_after_an_error_inside_the_block(self, database: Path, temporary: Path) -> None:
        with pytest.raises(ZeroDivisionError), snapshot(database):
            _ = 1 / 0
        assert list(temporary.iterdir()) == []

    def test_they_are_gone_after_damage(self, database: Path, temporary: Path) -> None:
        damage(database)
        with pytest.raises(DamagedInputError), snapshot(database, pause=lambda seconds: None):
            pass
        assert list(temporary.iterdir()) == []

    def test_nobody_else_may_read_them(self, database: Path, temporary: Path) -> None:
        with snapshot(database):
            (folder,) = temporary.iterdir()
            assert folder.stat().st_mode & 0o077 == 0

    def test_no_temporary_folder_is_an_error_with_a_remedy(
        self, database: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "nowhere"))
        with pytest.raises(OutputError, match="TMPDIR"), snapshot(database):
            pass

    def test_a_full_disk_is_not_blamed_on_the_library(self, database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        def full(*_: object) -> None:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

        monkeypatch.setattr(module.shutil, "copyfileobj", full)
        with pytest.raises(OutputError, match=r"copy of zotero.sqlite cannot be written \(No space"), snapshot(database):
            pass

    def test_the_copy_is_no_place_to_write(self, database: Path) -> None:
        with snapshot(database) as copy, pytest.raises(sqlite3.OperationalError, match="readonly"):
            copy.connection.execute("DELETE FROM papers")


class TestFaults:
    def test_a_damaged_database_is_said_to_be_damaged(self, database: Path) -> None:
        damage(database)
        with pytest.raises(DamagedInputError, match="the database is damaged"), snapshot(database, pause=lambda s: None):
            pass

    def test_another_file_is_not_taken_for_a_database(self, database: Path) -> None:
        database.write_text("This is not SQLite, it only has its name.")
        with pytest.raises(DamagedInputError, match="not a SQLite database"), snapshot(database):
            pass

    def test_an_empty_file_is_said_to_be_empty(self, database: Path) -> None:
        database.write_bytes(b"")
        with pytest.raises(DamagedInputError, match="the file is empty"), snapshot(database):
            pass

    def test_a_missing_file_is_named(self, tmp_path: Path) -> None:
        with pytest.raises(InputNotFoundError, match=r"zotero.sqlite: no such file"), snapshot(tmp_path / "zotero.sqlite"):
            pass

    def test_a_file_that_may_not_be_read_is_named(self, database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        def denied(path: Path, mode: str) -> None:
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))

        monkeypatch.setattr(module, "open", denied, raising=False)
        with pytest.raises(InputNotFoundError, match="Permission denied"), snapshot(database):
            pass

    def test_text_that_is_no_utf_8_is_read_with_a_mark(self, database: Path) -> None:
        with sqlite3.connect(database) as db:
            db.execute("INSERT INTO papers VALUES (CAST(x'C3A92FFF' AS TEXT))")
        db.close()
        assert titles(database)[-1] == "é/\ufffd"


def damage(database: Path) -> None:
    """Write nonsense over the pages after the first."""
    size = database.stat().st_size
    with open(database, "r+b") as file:
        file.seek(4096)
        file.write(b"\x5a" * (size - 4096))
