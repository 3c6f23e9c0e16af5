"""Libraries made on the spot, in both journal modes, with the home folder of nobody around them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tools.zotero_library import MadeLibrary, make_library
from tools.zotero_schema import NEW_SCHEMA, OLD_SCHEMA
from tools.zotero_writer import key_of
from variorum.libraries import Library, LibraryItem, read_zotero

KINDS = {"wal": ("wal", NEW_SCHEMA), "rollback": ("rollback", OLD_SCHEMA)}


@pytest.fixture(scope="session")
def nobody(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a home folder without any Zotero profile."""
    return tmp_path_factory.mktemp("home")


@pytest.fixture(autouse=True)
def _home_of_nobody(nobody: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(nobody))


@pytest.fixture(scope="session", params=list(KINDS))
def made(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> MadeLibrary:
    """Return a whole library, once in WAL mode with the newest schema, once with a rollback journal and the oldest."""
    journal, schema = KINDS[request.param]
    return make_library(tmp_path_factory.mktemp(request.param), journal=journal, schema=schema)  # type: ignore[arg-type]


@pytest.fixture(scope="session")
def library(made: MadeLibrary, nobody: Path) -> Library:
    """Return the made library as it is read."""
    return read_zotero(made.data_dir, home=nobody)


@pytest.fixture(scope="session")
def item(library: Library) -> Callable[..., LibraryItem]:
    """Return a function that gives the item of a name in `CASES`, of the user's library unless told."""

    def find(name: str, in_library: str = "user") -> LibraryItem:
        (found,) = library.with_key(f"{in_library}/{key_of(name)}")
        return found

    return find
