"""A folder of results with its manifest: which files in it are ours.

The manifest, ``variorum-manifest.json``, names every file that variorum wrote there, with its SHA-256. A file that it does not
name is the user's and is never written over or removed; a file of an earlier run is removed only if it is named and unchanged.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from variorum.apps.writing import atomic_write, refuse_unwritable
from variorum.errors import OutputError

MANIFEST_NAME = "variorum-manifest.json"
_SCHEMA_VERSION = "1"
_TABLE_FILE = re.compile(r"tables/table-[^/\\\0]+\.(csv|xlsx|html)")
_PART_FILE = re.compile(rf"{_TABLE_FILE.pattern}|figures/figure-[^/\\\0]+\.png|readings/[a-z0-9]+\.json")
_WHOLE_FILE = re.compile(r"document\.(json|md|html|docling\.json)|referee\.json|report\.html|fusion\.json|ar5iv\.(html|log)")
_OWN_FILE = re.compile(rf"{_WHOLE_FILE.pattern}|{_PART_FILE.pattern}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """What an earlier run left: the SHA-256 of its source, and file name → SHA-256 of the content it wrote."""

    source_sha256: str
    files: Mapping[str, str]


def read_manifest(folder: Path) -> Manifest | None:
    """Return the manifest of the folder, or None when there is none that can be read; names that are not ours are dropped."""
    try:
        raw = json.loads((folder / MANIFEST_NAME).read_bytes())
        source, files = raw["source_sha256"], raw["files"]
        own = {name: digest for name, digest in files.items() if _OWN_FILE.fullmatch(name) and isinstance(digest, str)}
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None
    return Manifest(source_sha256=str(source), files=own)


class OutputFolder:
    """The folder that one paper's results go to."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def refuse(self, names: Iterable[str] = ()) -> None:
        """Return None when the files may be written; raises OutputError when one can't be, is the user's own, or would come to
        stand elsewhere because a folder in this one is a link."""
        refuse_unwritable(self.path)
        manifest = read_manifest(self.path)
        ours = manifest.files if manifest else {}
        for name in (*names, *([] if manifest else [MANIFEST_NAME])):
            for inner in (self.path / name).relative_to(self.path).parents:
                if inner.name and (self.path / inner).is_symlink():
                    what = "is a link: what is written into it would stand outside the folder"
                    raise OutputError(what, where=str(self.path / inner), hint="remove the link, or another folder with -o")
            if name not in ours and os.path.lexists(self.path / name):
                raise OutputError(
                    "is there already and was not written by variorum",
                    where=str(self.path / name),
                    hint="move it away, or another folder with -o",
                )

    def write(self, contents: Mapping[str, bytes], *, source_sha256: str, table_stems: Collection[str]) -> None:
        """Return None once all files are written, whole, and those of an earlier run that no longer hold are gone: of this
        paper tables, figures and readings that it no longer has, of another paper all.

        `contents` maps names relative to the folder to bytes; `table_stems` are the file names (without ending) of the tables
        and figures that the paper has now. The manifest is written first, naming old and new files, so that a run cut short
        still owns its files. Raises OutputError.
        """
        self.refuse(contents)
        before = read_manifest(self.path) or Manifest(source_sha256=source_sha256, files={})
        written = {name: hashlib.sha256(data).hexdigest() for name, data in contents.items()}
        self._write_manifest(source_sha256, {**before.files, **written})
        for name, data in contents.items():
            atomic_write(self.path / name, data)
        same_source = before.source_sha256 == source_sha256
        stale = {
            name
            for name in before.files
            if name not in written and not (same_source and (Path(name).stem in table_stems or not _PART_FILE.fullmatch(name)))
        }
        for name in sorted(stale):
            self._remove_if_unchanged(name, before.files[name])
        self._write_manifest(source_sha256, {**{n: d for n, d in before.files.items() if n not in stale}, **written})

    def _write_manifest(self, source_sha256: str, files: Mapping[str, str]) -> None:
        plain = {"schema_version": _SCHEMA_VERSION, "source_sha256": source_sha256, "files": dict(sorted(files.items()))}
        atomic_write(self.path / MANIFEST_NAME, (json.dumps(plain, indent=2, ensure_ascii=False) + "\n").encode())

    def _remove_if_unchanged(self, name: str, digest: str) -> None:
        path = self.path / name
        with suppress(OSError):  # already gone, or changed by its owner: neither is ours to mend
            if hashlib.sha256(path.read_bytes()).hexdigest() == digest:
                path.unlink()
            path.parent.rmdir()
