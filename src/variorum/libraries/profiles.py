"""The settings of Zotero on this computer: where its data directory is, and the base directory of linked files.

Zotero keeps settings in a profile, a folder of its own away from the data. ``profiles.ini`` lists the profiles, and
``prefs.js`` in each holds what the user changed, a line a setting. Both are only read. Where profiles are is told by the Zotero
documentation ("The Zotero Profile Directory"), and for Snap and Flatpak by where these put a program's home folder.
"""

from __future__ import annotations

import configparser
import json
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from variorum.errors import InputNotFoundError

DATABASE: Final = "zotero.sqlite"

_ROOTS: Final = (
    ".zotero/zotero",
    "snap/zotero-snap/common/.zotero/zotero",
    ".var/app/org.zotero.Zotero/.zotero/zotero",
    ".var/app/org.zotero.Zotero/data/zotero",
    "Library/Application Support/Zotero",
    "AppData/Roaming/Zotero/Zotero",
)
_DATA: Final = ("Zotero", "snap/zotero-snap/common/Zotero", ".var/app/org.zotero.Zotero/data/Zotero")
_PREFERENCE: Final = re.compile(r"""^\s*user_pref\(\s*("(?:[^"\\]|\\.)*")\s*,\s*(.*?)\s*\)\s*;\s*$""")
_BASE: Final = "extensions.zotero.baseAttachmentPath"
_DATA_DIR: Final = "extensions.zotero.dataDir"
_USES_DATA_DIR: Final = "extensions.zotero.useDataDir"


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """One profile: its folder, the data directory it names (None: the default one), and the base directory of linked files."""

    folder: Path
    data_dir: Path | None
    base_dir: str | None


def read_preferences(path: Path) -> dict[str, object]:
    """Return the settings of a ``prefs.js`` by name: texts, whole numbers, booleans. Lines that are none are passed over.

    A file that is missing or may not be read gives no settings: Zotero's own are not ours to complain of.
    """
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return {}
    settings: dict[str, object] = {}
    for line in text.splitlines():
        if found := _PREFERENCE.match(line):
            try:
                settings[json.loads(found[1])] = json.loads(found[2])
            except ValueError:
                continue
    return settings


def find_profiles(home: Path) -> tuple[Profile, ...]:
    """Return the profiles below a home folder, in a fixed order, those that ``profiles.ini`` calls the default first."""
    return tuple(profile for root in _ROOTS for profile in _profiles_of(home / root))


def _profiles_of(root: Path) -> Iterator[Profile]:
    listed = configparser.ConfigParser(interpolation=None, strict=False)
    try:
        listed.read_string((root / "profiles.ini").read_text(encoding="utf-8-sig", errors="replace"))
    except (OSError, configparser.Error):
        return
    sections = [listed[name] for name in listed.sections() if name.startswith("Profile") and listed[name].get("Path")]
    for section in sorted(sections, key=lambda s: s.get("Default") != "1"):
        path = Path(section["Path"])
        yield _profile(root / path if section.get("IsRelative", "1") == "1" else path)


def _profile(folder: Path) -> Profile:
    settings = read_preferences(folder / "prefs.js")
    data_dir, base_dir = settings.get(_DATA_DIR), settings.get(_BASE)
    is_used = settings.get(_USES_DATA_DIR) is True and isinstance(data_dir, str) and data_dir
    return Profile(
        folder=folder,
        data_dir=Path(str(data_dir)) if is_used else None,
        base_dir=base_dir if isinstance(base_dir, str) and base_dir else None,
    )


def default_data_dir(home: Path) -> Path:
    """Return the folder of the user's Zotero library: the first that a profile names, else the first of the default places.

    Raises InputNotFoundError, with the places that were looked at, when none holds a database.
    """
    places = [p.data_dir for p in find_profiles(home) if p.data_dir is not None]
    places += [home / place for place in _DATA]
    for place in places:
        if (place / DATABASE).is_file():
            return place
    looked = ", ".join(dict.fromkeys(map(str, places)))
    what = f"no Zotero library was found (looked in {looked})"
    raise InputNotFoundError(what, where="--zotero", hint="--zotero DIR, the folder that holds zotero.sqlite")


def base_directory(data_dir: Path, home: Path) -> str | None:
    """Return the base directory of linked files that a profile using this data directory has set; None where none has.

    A ``prefs.js`` in the data directory or in the folder around it counts first: a copy of a library may bring it along, and
    older versions kept the data inside the profile.
    """
    for folder in (data_dir, data_dir.parent):
        base = read_preferences(folder / "prefs.js").get(_BASE)
        if isinstance(base, str) and base:
            return base
    ours = os.path.realpath(data_dir)
    defaults = {os.path.realpath(home / place) for place in _DATA}
    for profile in find_profiles(home):
        used = {os.path.realpath(profile.data_dir)} if profile.data_dir is not None else defaults
        if ours in used and profile.base_dir is not None:
            return profile.base_dir
    return None
