"""An attachment leads to an existing file, or says why not; nothing outside its own folder is taken for it."""

from __future__ import annotations

import os
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from variorum.libraries.attachments import FilePlaces, FoundFile, find_file
from variorum.libraries.model import LinkMode

KEY = "ABCD2345"


@pytest.fixture
def places(tmp_path: Path) -> FilePlaces:
    (tmp_path / "storage" / KEY).mkdir(parents=True)
    (tmp_path / "base" / "sub").mkdir(parents=True)
    return FilePlaces(storage=tmp_path / "storage", base_dir=str(tmp_path / "base"), is_windows=False)


def find(stored: str, places: FilePlaces, mode: LinkMode = "imported_file", **more: int) -> FoundFile:
    return find_file(KEY, mode, stored, is_pdf=True, sync_state=more.get("sync_state", 0), places=places)


def kind(found: FoundFile) -> str:
    assert (found.path is None) != (found.problem is None)
    return found.problem.kind if found.problem is not None else "found"


def stored(places: FilePlaces, *names: str) -> None:
    for name in names:
        (places.storage / KEY / name).write_bytes(b"%PDF")


class TestStorage:
    def test_a_file_is_found_by_its_name(self, places: FilePlaces) -> None:
        stored(places, "a.pdf", "b.pdf")
        assert find("storage:a.pdf", places) == FoundFile(path=places.storage / KEY / "a.pdf")

    @pytest.mark.parametrize(("on_disk", "said"), [("NFD", "NFC"), ("NFC", "NFD")])
    def test_accents_may_be_written_in_another_form(self, places: FilePlaces, on_disk: str, said: str) -> None:
        name = "Erdős – Numérotation.pdf"
        stored(places, unicodedata.normalize(on_disk, name), "other.pdf")  # type: ignore[arg-type]
        found = find(f"storage:{unicodedata.normalize(said, name)}", places)  # type: ignore[arg-type]
        assert kind(found) == "found"
        assert not found.is_renamed

    def test_the_only_pdf_of_the_folder_is_a_renamed_file(self, places: FilePlaces) -> None:
        stored(places, "new name.PDF", ".zotero-ft-cache", "notes.txt")
        assert find("storage:old name.pdf", places) == FoundFile(path=places.storage / KEY / "new name.PDF", is_renamed=True)

    def test_of_several_none_is_guessed(self, places: FilePlaces) -> None:
        stored(places, "a.pdf", "b.pdf")
        found = find("storage:c.pdf", places)
        assert found.problem is not None
        assert (kind(found), "a.pdf, b.pdf" in found.problem.reason) == ("ambiguous", True)

    def test_what_is_no_pdf_is_not_taken_for_a_renamed_one(self, places: FilePlaces) -> None:
        stored(places, "a.html")
        assert kind(find("storage:a.pdf", places)) == "missing"

    def test_a_page_is_not_taken_for_a_renamed_pdf(self, places: FilePlaces) -> None:
        stored(places, "a.pdf")
        page = find_file(KEY, "imported_url", "storage:a.html", is_pdf=False, sync_state=0, places=places)
        assert kind(page) == "missing"

    @pytest.mark.parametrize(("state", "says_server"), [(0, False), (1, True), (2, False), (4, True)])
    def test_a_file_that_was_never_downloaded_is_said_to_be_on_the_server(
        self, places: FilePlaces, state: int, says_server: bool
    ) -> None:
        found = find("storage:a.pdf", places, sync_state=state)
        assert found.problem is not None
        assert (found.problem.kind, "server" in found.problem.reason) == ("missing", says_server)

    def test_a_folder_is_no_file(self, places: FilePlaces) -> None:
        (places.storage / KEY / "a.pdf").mkdir()
        assert kind(find("storage:a.pdf", places)) == "not-a-file"

    def test_a_path_without_its_prefix_is_one_in_storage(self, places: FilePlaces) -> None:
        stored(places, "a.pdf")
        assert kind(find("a.pdf", places)) == "found"

    @pytest.mark.parametrize("name", ["../b.pdf", "..\\b.pdf", "/b.pdf", "x/../../b.pdf", "..", "a\0b.pdf"])
    def test_a_path_that_leads_out_is_refused(self, places: FilePlaces, name: str) -> None:
        (places.storage / "b.pdf").write_bytes(b"%PDF")
        assert kind(find(f"storage:{name}", places)) == "unsafe-path"

    def test_a_key_that_leads_out_is_refused(self, places: FilePlaces) -> None:
        found = find_file("..", "imported_file", "storage:a.pdf", is_pdf=True, sync_state=0, places=places)
        assert kind(found) == "unsafe-path"

    def test_a_colon_in_a_name_is_no_drive_where_there_are_none(self, places: FilePlaces) -> None:
        stored(places, "A: study.pdf")
        assert kind(find("storage:A: study.pdf", places)) == "found"

    @pytest.mark.parametrize("text", ["", "storage:"])
    def test_no_name_is_said_to_be_none(self, places: FilePlaces, text: str) -> None:
        assert kind(find(text, places)) == "no-path"

    @given(name=st.text(max_size=30), key=st.text(max_size=10))
    def test_whatever_is_found_lies_in_the_folder_of_the_key(
        self, tmp_path_factory: pytest.TempPathFactory, name: str, key: str
    ) -> None:
        storage = tmp_path_factory.getbasetemp() / "anything" / "storage"
        (storage / KEY).mkdir(parents=True, exist_ok=True)
        (storage / KEY / "a.pdf").write_bytes(b"%PDF")
        (storage.parent / "b.pdf").write_bytes(b"%PDF")
        places = FilePlaces(storage=storage, is_windows=False)
        for known in (key, KEY):
            found = find_file(known, "imported_file", f"storage:{name}", is_pdf=True, sync_state=0, places=places)
            assert kind(found)
            assert found.path is None or found.path.parent == storage / known


class TestLinked:
    def test_an_absolute_path_is_taken(self, places: FilePlaces, tmp_path: Path) -> None:
        (tmp_path / "a.pdf").write_bytes(b"%PDF")
        assert find(str(tmp_path / "a.pdf"), places, "linked_file").path == tmp_path / "a.pdf"

    def test_a_path_below_the_base_directory_is_taken(self, places: FilePlaces, tmp_path: Path) -> None:
        (tmp_path / "base" / "sub" / "a.pdf").write_bytes(b"%PDF")
        assert find("attachments:sub/a.pdf", places, "linked_file").path == tmp_path / "base" / "sub" / "a.pdf"
        assert find("attachments:sub\\a.pdf", places, "linked_file").path == tmp_path / "base" / "sub" / "a.pdf"

    def test_without_a_base_directory_that_is_said(self, places: FilePlaces) -> None:
        found = find("attachments:a.pdf", FilePlaces(storage=places.storage), "linked_file")
        assert kind(found) == "no-base-directory"

    def test_the_base_directory_is_not_left(self, places: FilePlaces, tmp_path: Path) -> None:
        (tmp_path / "a.pdf").write_bytes(b"%PDF")
        assert kind(find("attachments:../a.pdf", places, "linked_file")) == "unsafe-path"

    def test_an_address_of_a_file_is_a_path(self, places: FilePlaces, tmp_path: Path) -> None:
        path = tmp_path / "ä b#c.pdf"
        path.write_bytes(b"%PDF")
        assert find(path.as_uri(), places, "linked_file").path == path
        assert find(path.as_uri().replace("file://", "file://localhost"), places, "linked_file").path == path

    @pytest.mark.parametrize(
        "path", ["C:\\papers\\a.pdf", "d:/papers/a.pdf", "\\\\server\\share\\a.pdf", "file:/" + "//C:/papers/a.pdf"]
    )
    def test_a_path_of_windows_is_named_as_such_elsewhere(self, places: FilePlaces, path: str) -> None:
        assert kind(find(path, places, "linked_file")) == "other-system"

    def test_a_path_of_unix_is_named_as_such_on_windows(self, places: FilePlaces) -> None:
        there = FilePlaces(storage=places.storage, is_windows=True)
        assert kind(find("/srv" + "/papers/a.pdf", there, "linked_file")) == "other-system"

    def test_a_base_directory_of_another_system_is_named_as_such(self, places: FilePlaces) -> None:
        there = FilePlaces(storage=places.storage, base_dir="D:\\papers", is_windows=False)
        assert kind(find("attachments:a.pdf", there, "linked_file")) == "other-system"

    def test_a_missing_file_is_named(self, places: FilePlaces, tmp_path: Path) -> None:
        found = find(str(tmp_path / "gone.pdf"), places, "linked_file")
        assert found.problem is not None
        assert (found.problem.kind, found.problem.reason) == ("missing", f"no such file: {tmp_path / 'gone.pdf'}")

    def test_another_pdf_in_a_linked_folder_is_not_taken_for_it(self, places: FilePlaces, tmp_path: Path) -> None:
        (tmp_path / "base" / "sub" / "other.pdf").write_bytes(b"%PDF")
        assert kind(find("attachments:sub/a.pdf", places, "linked_file")) == "missing"

    def test_a_web_link_has_no_file(self, places: FilePlaces) -> None:
        assert kind(find("", places, "linked_url")) == "linked-url"

    def test_a_relative_path_is_no_answer(self, places: FilePlaces) -> None:
        assert kind(find("a.pdf", places, "linked_file")) == "missing"

    def test_a_name_too_long_for_the_system_is_a_problem_not_a_crash(self, places: FilePlaces) -> None:
        assert kind(find("/" + "a" * 5000, places, "linked_file")) in ("unreadable", "missing")

    def test_a_file_that_may_not_be_read_is_said_to_be_so(
        self, places: FilePlaces, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (tmp_path / "a.pdf").write_bytes(b"%PDF")
        monkeypatch.setattr(os, "access", lambda path, mode: False)
        assert kind(find(str(tmp_path / "a.pdf"), places, "linked_file")) == "unreadable"

    @given(text=st.text(max_size=40), mode=st.sampled_from(["imported_file", "linked_file", "linked_url", "unknown"]))
    def test_no_text_makes_it_raise(self, tmp_path_factory: pytest.TempPathFactory, text: str, mode: LinkMode) -> None:
        places = FilePlaces(storage=tmp_path_factory.getbasetemp() / "none", base_dir="base", is_windows=False)
        for prefix in ("", "attachments:", "file:", "file://", "/"):
            assert kind(find(prefix + text, places, mode))
