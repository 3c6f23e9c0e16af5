"""A folder of PDFs is a library whose items are known by their content."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from library_watch import state_of

from variorum.errors import InputNotFoundError
from variorum.libraries import Library, read_folder


def write(folder: Path, files: dict[str, bytes]) -> Path:
    for name, data in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    return folder


def paths(library: Library) -> list[str]:
    return sorted(item.attachments[0].stored_path for item in library)


def test_each_pdf_is_an_item_titled_by_its_name(tmp_path: Path) -> None:
    library = read_folder(write(tmp_path, {"Some_paper 2.PDF": b"1", "sub/deep/Ä.pdf": b"2", "notes.txt": b"3"}))
    assert sorted((item.title, item.item_type) for item in library) == [("Some paper 2", "attachment"), ("Ä", "attachment")]
    assert all(item.attachments[0].path is not None and item.pdfs for item in library)
    assert library.found == len(library) == 2


def test_folders_inside_are_collections(tmp_path: Path) -> None:
    library = read_folder(write(tmp_path, {"a.pdf": b"1", "sub/deep/b.pdf": b"2"}))
    assert sorted(tuple(c.path for c in item.collections) for item in library) == [(), (("sub", "deep"),)]


def test_an_item_keeps_its_key_when_its_file_moves(tmp_path: Path) -> None:
    before = read_folder(write(tmp_path, {"a.pdf": b"content"})).items[0]
    (tmp_path / "later").mkdir()
    (tmp_path / "a.pdf").rename(tmp_path / "later" / "renamed.pdf")
    after = read_folder(tmp_path).items[0]
    assert (after.key, after.title) == (before.key, "renamed")


def test_a_changed_file_is_another_item(tmp_path: Path) -> None:
    before = read_folder(write(tmp_path, {"a.pdf": b"content"})).items[0]
    assert read_folder(write(tmp_path, {"a.pdf": b"changed"})).items[0].key != before.key


def test_a_second_copy_is_left_out_and_names_the_first(tmp_path: Path) -> None:
    library = read_folder(write(tmp_path, {"a.pdf": b"same", "sub/b.pdf": b"same"}))
    assert paths(library) == ["a.pdf"]
    assert [(row.key, row.reason) for row in library.skipped] == [("sub/b.pdf", "it has the same content as a.pdf")]
    assert library.found == 2


def test_an_empty_file_and_a_dead_link_are_left_out_with_the_reason(tmp_path: Path) -> None:
    write(tmp_path, {"a.pdf": b"1", "empty.pdf": b""})
    (tmp_path / "dead.pdf").symlink_to(tmp_path / "nowhere.pdf")
    library = read_folder(tmp_path)
    assert {row.key: row.reason for row in library.skipped} == {
        "empty.pdf": "the file is empty",
        "dead.pdf": "the link leads to no file",
    }
    assert library.found == 3


def test_hidden_files_and_results_of_variorum_are_passed_over(tmp_path: Path) -> None:
    library = read_folder(write(tmp_path, {"a.pdf": b"1", ".b.pdf": b"2", ".c/d.pdf": b"3", "a.variorum/e.pdf": b"4"}))
    assert paths(library) == ["a.pdf"]


@pytest.mark.skipif(sys.platform != "linux", reason="names of files are text on this system")
def test_a_name_that_is_no_text_can_be_stored_and_the_file_is_found(tmp_path: Path) -> None:
    with open(os.fsencode(tmp_path) + b"/caf\xe9.pdf", "wb") as file:
        file.write(b"1")
    (item,) = read_folder(tmp_path)
    assert item.title == "caf\ufffd"
    assert item.attachments[0].stored_path.encode() == "caf\ufffd.pdf".encode()
    assert item.attachments[0].path is not None
    assert item.attachments[0].path.is_file()


def test_a_folder_that_links_to_itself_is_read_once(tmp_path: Path) -> None:
    write(tmp_path, {"a.pdf": b"1"})
    (tmp_path / "loop").symlink_to(tmp_path)
    assert paths(read_folder(tmp_path)) == ["a.pdf"]


@pytest.mark.parametrize(
    ("files", "given", "message"),
    [
        ({"notes.txt": b"1"}, ".", "no PDF in this folder"),
        ({}, "nowhere", "no such folder"),
        ({"a.pdf": b"1"}, "a.pdf", "is a file, not a folder"),
        ({"zotero.sqlite": b"1", "a.pdf": b"2"}, ".", "is the folder of a Zotero library. To try: --zotero"),
        ({}, "a\0b", "no such folder"),
    ],
)
def test_what_is_no_folder_of_pdfs_is_an_error(tmp_path: Path, files: dict[str, bytes], given: str, message: str) -> None:
    write(tmp_path, files)
    with pytest.raises(InputNotFoundError, match=message):
        read_folder(tmp_path / given)


@given(
    st.dictionaries(st.from_regex(r"([a-c]/)?[a-d]\.pdf", fullmatch=True), st.sampled_from([b"", b"1", b"2", b"3"]), min_size=1)
)
def test_every_pdf_is_an_item_or_left_out_and_nothing_is_written(
    tmp_path_factory: pytest.TempPathFactory, files: dict[str, bytes]
) -> None:
    folder = write(tmp_path_factory.mktemp("pdfs"), files)
    before = state_of(folder)
    library = read_folder(folder)
    assert library.found == len(files) == len(library) + len(library.skipped)
    assert len({item.key for item in library}) == len(set(files.values()) - {b""}) == len(library)
    assert state_of(folder) == before
