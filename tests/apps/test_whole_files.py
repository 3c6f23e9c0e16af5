"""Claims about writing: files are whole or as they were, and the user's own files are left alone."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from variorum.apps.output_folder import MANIFEST_NAME, OutputFolder, read_manifest
from variorum.apps.writing import atomic_write, refuse_to_replace, refuse_unwritable
from variorum.errors import OutputError


def names_in(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def write(folder: Path, files: dict[str, str], *, source: str = "a", stems: tuple[str, ...] = ()) -> None:
    contents = {name: text.encode() for name, text in files.items()}
    OutputFolder(folder).write(contents, source_sha256=source, table_stems=stems)


class TestAtomicWrite:
    def test_file_holds_the_data_and_nothing_else_is_left(self, tmp_path: Path) -> None:
        atomic_write(tmp_path / "a" / "b.txt", b"new")
        assert (tmp_path / "a" / "b.txt").read_bytes() == b"new"
        assert names_in(tmp_path) == ["a/b.txt"]

    def test_permissions_are_those_of_any_new_file(self, tmp_path: Path) -> None:
        (tmp_path / "plain.txt").write_bytes(b"")
        atomic_write(tmp_path / "ours.txt", b"")
        assert (tmp_path / "ours.txt").stat().st_mode == (tmp_path / "plain.txt").stat().st_mode

    @pytest.mark.parametrize("fault", [OSError(28, "No space left on device"), KeyboardInterrupt(), MemoryError()])
    def test_fault_before_the_rename_leaves_the_old_file(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: BaseException
    ) -> None:
        target = tmp_path / "a.txt"
        target.write_bytes(b"old")

        def fail(*_: object) -> None:
            raise fault

        monkeypatch.setattr(os, "replace", fail)
        with pytest.raises(OutputError if isinstance(fault, OSError) else type(fault)):
            atomic_write(target, b"new")
        assert target.read_bytes() == b"old"
        assert names_in(tmp_path) == ["a.txt"]

    def test_path_below_a_file_is_refused(self, tmp_path: Path) -> None:
        (tmp_path / "file").write_bytes(b"")
        with pytest.raises(OutputError):
            atomic_write(tmp_path / "file" / "a.txt", b"new")

    def test_folder_in_the_place_of_the_file_is_refused(self, tmp_path: Path) -> None:
        (tmp_path / "a.txt").mkdir()
        with pytest.raises(OutputError):
            atomic_write(tmp_path / "a.txt", b"new")
        assert names_in(tmp_path) == []

    def test_interruption_leaves_no_half_file(self, tmp_path: Path) -> None:
        """A real process is interrupted while it writes big files over and over."""
        script = """
            import sys
            from pathlib import Path
            from variorum.apps.writing import atomic_write
            target, count = Path(sys.argv[1]), 0
            while True:
                count = (count + 1) % 10
                atomic_write(target, str(count).encode() * 5_000_000)
                if count == 3:
                    print("writing", flush=True)
        """
        target = tmp_path / "big.txt"
        with subprocess.Popen(
            [sys.executable, "-c", textwrap.dedent(script), str(target)], stdout=subprocess.PIPE, stderr=subprocess.PIPE
        ) as process:
            assert process.stdout is not None
            process.stdout.readline()
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=60)
        data = target.read_bytes()
        assert len(data) == 5_000_000
        assert len(set(data)) == 1
        assert names_in(tmp_path) == ["big.txt"]


class TestRefuseUnwritable:
    def test_folder_to_be_made_is_fine_and_is_not_made(self, tmp_path: Path) -> None:
        refuse_unwritable(tmp_path / "a" / "b")
        assert not (tmp_path / "a").exists()

    def test_file_in_its_place_or_above_it_is_refused(self, tmp_path: Path) -> None:
        (tmp_path / "file").write_bytes(b"")
        for folder in (tmp_path / "file", tmp_path / "file" / "below", tmp_path / "file" / "below" / "deep"):
            with pytest.raises(OutputError) as caught:
                refuse_unwritable(folder)
            assert caught.value.where == str(folder)

    def test_broken_link_is_refused(self, tmp_path: Path) -> None:
        (tmp_path / "link").symlink_to(tmp_path / "nowhere")
        with pytest.raises(OutputError):
            refuse_unwritable(tmp_path / "link")


class TestOutputFolder:
    def test_manifest_names_what_was_written(self, tmp_path: Path) -> None:
        write(tmp_path / "out", {"document.md": "x", "tables/table-1.csv": "y"}, stems=("table-1",))
        manifest = read_manifest(tmp_path / "out")
        assert manifest is not None
        assert sorted(manifest.files) == ["document.md", "tables/table-1.csv"]
        assert names_in(tmp_path / "out") == ["document.md", "tables/table-1.csv", MANIFEST_NAME]

    def test_same_content_gives_the_same_bytes(self, tmp_path: Path) -> None:
        for name in ("a", "b"):
            write(tmp_path / name, {"tables/table-2.csv": "y", "document.md": "x"}, stems=("table-2",))
        assert (tmp_path / "a" / MANIFEST_NAME).read_bytes() == (tmp_path / "b" / MANIFEST_NAME).read_bytes()

    def test_own_files_are_written_over(self, tmp_path: Path) -> None:
        write(tmp_path, {"document.md": "old"})
        write(tmp_path, {"document.md": "new"})
        assert (tmp_path / "document.md").read_text() == "new"

    def test_the_users_file_of_the_same_name_is_refused_and_nothing_is_written(self, tmp_path: Path) -> None:
        (tmp_path / "document.md").write_text("mine")
        with pytest.raises(OutputError, match="not written by variorum"):
            write(tmp_path, {"document.json": "{}", "document.md": "x"})
        assert names_in(tmp_path) == ["document.md"]
        assert (tmp_path / "document.md").read_text() == "mine"

    def test_stale_table_is_removed(self, tmp_path: Path) -> None:
        write(tmp_path, {"tables/table-1.csv": "1", "tables/table-2.csv": "2"}, stems=("table-1", "table-2"))
        write(tmp_path, {"tables/table-1.csv": "1"}, stems=("table-1",))
        assert names_in(tmp_path) == ["tables/table-1.csv", MANIFEST_NAME]

    def test_last_stale_table_takes_the_folder_with_it(self, tmp_path: Path) -> None:
        write(tmp_path, {"tables/table-1.csv": "1"}, stems=("table-1",))
        write(tmp_path, {"document.md": "x"})
        assert not (tmp_path / "tables").exists()

    def test_same_table_in_another_format_stays(self, tmp_path: Path) -> None:
        write(tmp_path, {"tables/table-1.csv": "1"}, stems=("table-1",))
        write(tmp_path, {"tables/table-1.xlsx": "1"}, stems=("table-1",))
        assert names_in(tmp_path) == ["tables/table-1.csv", "tables/table-1.xlsx", MANIFEST_NAME]

    def test_tables_of_another_paper_do_not_stay(self, tmp_path: Path) -> None:
        write(tmp_path, {"tables/table-1.csv": "1"}, source="a", stems=("table-1",))
        write(tmp_path, {"tables/table-1.xlsx": "1"}, source="b", stems=("table-1",))
        assert names_in(tmp_path) == ["tables/table-1.xlsx", MANIFEST_NAME]

    def test_nothing_of_another_paper_stays_beside_this_one(self, tmp_path: Path) -> None:
        """The readings of two papers in one folder cannot be told apart by anybody who opens it."""
        old = dict.fromkeys(("document.md", "document.docling.json", "referee.json", "readings/pdf.json", "report.html"), "a")
        write(tmp_path, old, source="a")
        (tmp_path / "report.html").write_text("with notes of my own")
        write(tmp_path, {"fusion.json": "b", "document.json": "b"}, source="b")
        assert names_in(tmp_path) == ["document.json", "fusion.json", "report.html", MANIFEST_NAME]
        assert (tmp_path / "report.html").read_text() == "with notes of my own"

    def test_other_formats_of_the_same_paper_stay(self, tmp_path: Path) -> None:
        write(tmp_path, {"document.md": "x", "report.html": "x"})
        write(tmp_path, {"document.json": "x"})
        assert names_in(tmp_path) == ["document.json", "document.md", "report.html", MANIFEST_NAME]

    def test_stale_table_that_the_user_changed_stays(self, tmp_path: Path) -> None:
        write(tmp_path, {"tables/table-1.csv": "1"}, stems=("table-1",))
        (tmp_path / "tables" / "table-1.csv").write_text("corrected by hand")
        write(tmp_path, {"document.md": "x"})
        assert (tmp_path / "tables" / "table-1.csv").read_text() == "corrected by hand"

    def test_files_that_are_not_ours_stay(self, tmp_path: Path) -> None:
        write(tmp_path, {"tables/table-1.csv": "1"}, stems=("table-1",))
        for name in ("notes.txt", "tables/table-9.csv", "tables/notes.txt"):
            (tmp_path / name).write_text("mine")
        write(tmp_path, {"document.md": "x"})
        assert names_in(tmp_path) == ["document.md", "notes.txt", "tables/notes.txt", "tables/table-9.csv", MANIFEST_NAME]

    def test_manifest_cannot_make_us_remove_other_files(self, tmp_path: Path) -> None:
        import hashlib

        victim = tmp_path / "victim.csv"
        victim.write_text("mine")
        digest = hashlib.sha256(b"mine").hexdigest()
        out = tmp_path / "out"
        write(out, {"document.md": "x"})
        manifest = json.loads((out / MANIFEST_NAME).read_text())
        manifest["files"] |= {"../victim.csv": digest, "tables/table-/../../../victim.csv": digest, str(victim): digest}
        (out / MANIFEST_NAME).write_text(json.dumps(manifest))
        write(out, {"document.md": "x"})
        assert victim.read_text() == "mine"

    @pytest.mark.parametrize("text", ["", "[]", "{}", '{"source_sha256": "a", "files": []}', "[" * 100_000])
    def test_broken_manifest_is_refused_with_its_path(self, tmp_path: Path, text: str) -> None:
        (tmp_path / MANIFEST_NAME).write_text(text)
        with pytest.raises(OutputError) as caught:
            write(tmp_path, {"document.md": "x"})
        assert caught.value.where == str(tmp_path / MANIFEST_NAME)
        assert (tmp_path / MANIFEST_NAME).read_text() == text

    def test_run_cut_short_owns_what_it_wrote(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        real = os.replace

        def cut(source: Path, target: Path) -> None:
            if target.name == "document.md":
                raise KeyboardInterrupt
            real(source, target)

        monkeypatch.setattr(os, "replace", cut)
        with pytest.raises(KeyboardInterrupt):
            write(tmp_path, {"document.json": "{}", "document.md": "x"})
        assert names_in(tmp_path) == ["document.json", MANIFEST_NAME]
        monkeypatch.undo()
        write(tmp_path, {"document.json": "{}", "document.md": "x"})
        assert names_in(tmp_path) == ["document.json", "document.md", MANIFEST_NAME]


def test_output_that_is_the_input_is_refused(tmp_path: Path) -> None:
    source = tmp_path / "debug.db"
    source.write_bytes(b"measured")
    with pytest.raises(OutputError, match="is the file that is read"):
        refuse_to_replace(tmp_path / "." / "debug.db", source)
    refuse_to_replace(tmp_path / "weights.json", source)
    assert source.read_bytes() == b"measured"
