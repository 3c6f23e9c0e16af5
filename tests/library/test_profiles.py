"""Zotero's settings are found where Zotero keeps them, and only those of the library that is read count."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from variorum.errors import InputNotFoundError
from variorum.libraries.profiles import base_directory, default_data_dir, find_profiles, read_preferences

ROOTS = (
    ".zotero/zotero",
    "snap/zotero-snap/common/.zotero/zotero",
    "Library/Application Support/Zotero",
    "AppData/Roaming/Zotero/Zotero",
)


def profile(home: Path, root: str = ROOTS[0], name: str = "abcd.default", **settings: object) -> Path:
    folder = home / root
    (folder / name).mkdir(parents=True)
    ini = folder / "profiles.ini"
    text = ini.read_text() if ini.exists() else "[General]\nStartWithLastProfile=1\n"
    number = text.count("[Profile")
    default = "Default=1\n" if name.endswith("default") else ""
    ini.write_text(f"{text}\n[Profile{number}]\nName={name}\nIsRelative=1\nPath={name}\n{default}")
    lines = [f'user_pref("extensions.zotero.{key}", {json.dumps(value)});' for key, value in settings.items()]
    (folder / name / "prefs.js").write_text("// Mozilla User Preferences\n\n" + "\n".join(lines), encoding="utf-8")
    return folder / name


def data_dir(path: Path) -> Path:
    path.mkdir(parents=True)
    (path / "zotero.sqlite").write_bytes(b"SQLite format 3\0")
    return path


def test_preferences_are_texts_numbers_and_truths(tmp_path: Path) -> None:
    path = tmp_path / "prefs.js"
    path.write_text(
        '/* a comment */\nuser_pref("a.text", "C:\\\\päth \\"x\\"");\n  user_pref( "a.number" , 12 ) ;\n'
        'user_pref("a.truth", true);\nuser_pref("broken", oops);\nnot a setting\n',
        encoding="utf-8",
    )
    assert read_preferences(path) == {"a.text": 'C:\\päth "x"', "a.number": 12, "a.truth": True}


def test_a_missing_file_has_no_preferences(tmp_path: Path) -> None:
    assert read_preferences(tmp_path / "prefs.js") == {}


@pytest.mark.parametrize("root", ROOTS)
def test_the_data_directory_that_a_profile_names_is_the_users_library(tmp_path: Path, root: str) -> None:
    there = data_dir(tmp_path / "elsewhere" / "my library")
    profile(tmp_path, root, useDataDir=True, dataDir=str(there))
    data_dir(tmp_path / "Zotero")
    assert default_data_dir(tmp_path) == there


def test_a_data_directory_that_is_not_in_use_is_not_taken(tmp_path: Path) -> None:
    profile(tmp_path, useDataDir=False, dataDir=str(data_dir(tmp_path / "elsewhere")))
    default = data_dir(tmp_path / "Zotero")
    assert default_data_dir(tmp_path) == default


def test_a_named_directory_without_a_database_is_passed_over(tmp_path: Path) -> None:
    profile(tmp_path, useDataDir=True, dataDir=str(tmp_path / "unplugged"))
    default = data_dir(tmp_path / "Zotero")
    assert default_data_dir(tmp_path) == default


def test_the_default_profile_goes_first(tmp_path: Path) -> None:
    profile(tmp_path, name="aaaa.old", useDataDir=True, dataDir=str(data_dir(tmp_path / "old")))
    profile(tmp_path, name="zzzz.default", useDataDir=True, dataDir=str(data_dir(tmp_path / "new")))
    assert [p.folder.name for p in find_profiles(tmp_path)] == ["zzzz.default", "aaaa.old"]
    assert default_data_dir(tmp_path) == tmp_path / "new"


def test_without_a_library_the_places_are_named(tmp_path: Path) -> None:
    with pytest.raises(InputNotFoundError, match=r"no Zotero library was found \(looked in .*Zotero") as found:
        default_data_dir(tmp_path)
    assert "--zotero" in found.value.hint


def test_the_base_directory_is_that_of_the_profile_that_uses_the_library(tmp_path: Path) -> None:
    first, second = data_dir(tmp_path / "first"), data_dir(tmp_path / "second")
    profile(tmp_path, name="a.default", useDataDir=True, dataDir=str(first), baseAttachmentPath="/of first")
    profile(tmp_path, name="b.other", useDataDir=True, dataDir=str(second), baseAttachmentPath="/of second")
    assert (base_directory(first, tmp_path), base_directory(second, tmp_path)) == ("/of first", "/of second")


def test_a_profile_that_names_no_library_uses_the_default_one(tmp_path: Path) -> None:
    default, other = data_dir(tmp_path / "Zotero"), data_dir(tmp_path / "other" / "place")
    profile(tmp_path, baseAttachmentPath="/of default")
    assert (base_directory(default, tmp_path), base_directory(other, tmp_path)) == ("/of default", None)


def test_a_link_to_the_library_is_the_library(tmp_path: Path) -> None:
    default = data_dir(tmp_path / "Zotero")
    (tmp_path / "linked").symlink_to(default)
    profile(tmp_path, baseAttachmentPath="/of default")
    assert base_directory(tmp_path / "linked", tmp_path) == "/of default"


def test_settings_beside_the_library_go_before_those_of_a_profile(tmp_path: Path) -> None:
    default = data_dir(tmp_path / "Zotero")
    profile(tmp_path, baseAttachmentPath="/of default")
    (default / "prefs.js").write_text('user_pref("extensions.zotero.baseAttachmentPath", "/beside");')
    assert base_directory(default, tmp_path) == "/beside"


def test_a_broken_list_of_profiles_is_as_good_as_none(tmp_path: Path) -> None:
    (tmp_path / ROOTS[0]).mkdir(parents=True)
    (tmp_path / ROOTS[0] / "profiles.ini").write_text("[[[\nPath")
    assert find_profiles(tmp_path) == ()
