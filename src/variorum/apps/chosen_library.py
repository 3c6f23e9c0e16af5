"""Where a library is, as a user named it, and the library read from there; shared by the command and the MCP server."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from variorum.errors import UsageError

if TYPE_CHECKING:
    from variorum.libraries import Library


@dataclass(frozen=True, slots=True, kw_only=True)
class LibraryPlace:
    """Where the library is, as the user typed it; without either folder, the user's own Zotero library."""

    zotero: Path | None = None
    folder: Path | None = None
    base_dir: str | None = None

    def check(self) -> None:
        """Return None; raises UsageError for two places at once, or a base directory without Zotero."""
        if self.folder is not None and self.zotero is not None:
            raise UsageError("--zotero and --folder are two places", where="library", hint="one of them")
        if self.folder is not None and self.base_dir is not None:
            raise UsageError("a folder of PDFs has no linked files", where="--base-dir", hint="--zotero DIR with it")


def read_library(place: LibraryPlace) -> Library:
    """Return the library at the place; raises what `LibraryPlace.check`, `read_zotero` and `read_folder` raise."""
    from variorum.libraries import read_folder, read_zotero
    from variorum.libraries.profiles import default_data_dir

    place.check()
    if place.folder is not None:
        return read_folder(place.folder)
    return read_zotero(place.zotero or default_data_dir(Path.home()), base_dir=place.base_dir)
