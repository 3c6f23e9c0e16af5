"""The files of a LaTeX source: a folder, one ``.tex`` file with what lies beside it, or an archive as arXiv serves it.

Archives are read in memory and never unpacked to disk. What points outside the source is refused: absolute names, names with
``..`` that leave it, links, devices; so is what is larger than the limits of `variorum.thresholds`.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import os
import posixpath
import re
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from variorum.errors import DamagedInputError, InputNotFoundError
from variorum.sources.seeming import is_latex, seems_to_be
from variorum.thresholds import SOURCE_BYTES, SOURCE_FILES, SOURCE_TEXT_BYTES, ZIP_MODE_BITS

_TEXTS: Final = (".tex", ".ltx", ".bbl", ".bib", ".sty", ".def", ".tikz", ".pgf", ".txt", ".latex", "")
_ZIP: Final = (b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")  # with files, empty, in parts
_MAIN_NAMES: Final = ("main", "ms", "paper", "article", "manuscript")
_READ: Final = ("LaTeX", "plain text")
_HINT: Final = "give the source as arXiv serves it: a folder, a .tex file, a .tar.gz, .zip or .gz"
_BROKEN: Final = (tarfile.TarError, zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError)
_INTERNAL: Final = re.compile(
    "[\0-\x08\x0b-\x1f\ue000-\ue019\ud800-\udfff]"
)  # signs that the reader uses for itself, and no signs
_SPECIAL: Final = re.compile(r"(?<!\\)%.*")


@dataclass(slots=True)
class SourceFiles:
    """The text files of one source by their names with ``/``, and what was refused; a folder is read file by file, when asked.

    `main` is the file to begin with; names in TeX are relative to its folder. `sha256` of a folder is that of the names and
    bytes of the files that were read.
    """

    where: str
    main: str = ""
    folder: Path | None = None
    archive_sha256: str | None = None
    blobs: dict[str, bytes] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    _read: dict[str, str] = field(default_factory=dict)
    _size: int = 0

    @property
    def sha256(self) -> str:
        """Return the SHA-256 of the source as 64 hex digits."""
        if self.archive_sha256 is not None:
            return self.archive_sha256
        digest = hashlib.sha256()
        for name in sorted(self.blobs):
            digest.update(name.encode("utf-8", "surrogateescape") + b"\0" + hashlib.sha256(self.blobs[name]).digest())
        return digest.hexdigest()

    def find(self, asked: str, suffixes: tuple[str, ...] = ("", ".tex"), base: str | None = None) -> str | None:
        """Return the name of a file that TeX asks for, None where the source has none.

        Raises DamagedInputError when it lies outside the source.
        """
        asked = asked.strip().strip('"').strip()
        folder = posixpath.dirname(self.main) if base is None else base
        if asked.startswith(("/", "~", "|")) or re.match(r"[A-Za-z]:[\\/]", asked):
            raise self._outside(asked)
        name = posixpath.normpath(posixpath.join(folder, asked.replace("\\", "/")))
        if name == ".." or name.startswith("../"):
            raise self._outside(asked)
        wanted = [name + suffix for suffix in suffixes if suffix] + ([name] if "" in suffixes else [])
        if posixpath.splitext(name)[1] in suffixes:
            wanted.insert(0, name)
        return next((w for w in wanted if self._has(w)), None)

    def text(self, name: str) -> str:
        """Return the text of a file of the source: UTF-8, else Latin-1, without NULs and with ``\\n`` at line ends."""
        if name not in self._read:
            self._read[name] = self._decoded(name, self._bytes(name))
        return self._read[name]

    def texts(self, *, unread: bool) -> Iterator[tuple[str, bytes]]:
        """Yield name and bytes of the texts that were read, in the order of names; with `unread` all that the folder has."""
        names = set(self.blobs)
        if unread and self.folder is not None:
            names |= {n for n in _names_in(self.folder, self.where) if posixpath.splitext(n)[1].lower() in _TEXTS}
        for name in sorted(names):
            yield name, self._bytes(name)

    def _outside(self, asked: str) -> DamagedInputError:
        return DamagedInputError(
            f"asks for a file outside the source: {asked!r}; nothing outside is read",
            where=f"{self.where}: {self.main}",
            hint="copy the file into the source, or take the line out",
        )

    def _has(self, name: str) -> bool:
        if name in self.blobs:
            return True
        if self.folder is None:
            return False
        place = self.folder
        try:
            for part in name.split("/"):
                place = place / part
                if stat.S_ISLNK(place.lstat().st_mode):
                    raise DamagedInputError(
                        f"asks for {name!r}, which is a symbolic link; links are not followed",
                        where=f"{self.where}: {self.main}",
                        hint="put the file itself into the source",
                    )
            return stat.S_ISREG(place.lstat().st_mode)
        except (OSError, ValueError):
            return False

    def _bytes(self, name: str) -> bytes:
        if name not in self.blobs:
            if self.folder is None or not self._has(name):
                raise DamagedInputError(f"the source has no file {name!r}", where=self.where, hint=_HINT)
            try:
                with open(self.folder / name, "rb") as file:
                    data = file.read(SOURCE_TEXT_BYTES + 1)
            except OSError as error:
                raise InputNotFoundError(f"{name} cannot be read ({error.strerror})", where=self.where) from error
            self._size += len(data)
            if self._size > SOURCE_TEXT_BYTES:
                raise _too_large(self.where, f"more than {SOURCE_TEXT_BYTES:,} bytes of text")
            self.blobs[name] = data
        return self.blobs[name]

    def _decoded(self, name: str, data: bytes) -> str:
        try:
            encoding = "utf-16" if data.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8-sig"
            text = data.decode(encoding)
        except UnicodeDecodeError:
            text = data.decode("latin-1")
            self.notes.append(f"{name} is not UTF-8; it was read as Latin-1")
        if "\0" in text:
            self.notes.append(f"{name} holds NUL characters; they were left out")
        text = text.replace("\r\n", "\n").replace("\r", "\n")
        return _INTERNAL.sub("", text)


def open_source(path: str | os.PathLike[str]) -> SourceFiles:
    """Return the files of a source with its main file found.

    Raises InputNotFoundError when the path is not there, DamagedInputError when it is no LaTeX source, holds names that lead
    out of it, or is larger than the limits.
    """
    place = Path(path)
    where = os.fspath(path)
    if place.is_dir():
        files = SourceFiles(where=where, folder=place)
        names = list(_names_in(place, where))
        return _with_main(files, [n for n in names if n.lower().endswith((".tex", ".ltx"))])
    if not place.is_file():
        raise InputNotFoundError("there is no such file or folder", where=where, hint=_HINT)
    try:
        with open(place, "rb") as file:
            data = file.read(SOURCE_BYTES + 1)
    except OSError as error:
        raise InputNotFoundError(f"cannot be read ({error.strerror})", where=where) from error
    if len(data) > SOURCE_BYTES:
        raise _too_large(where, f"more than {SOURCE_BYTES:,} bytes")
    if not data.strip():
        raise DamagedInputError("the file is empty", where=where, hint=_HINT)
    if (unpacked := _unpacked(data, where, place.name)) is not None:
        files = SourceFiles(where=where, blobs=unpacked, archive_sha256=hashlib.sha256(data).hexdigest())
        return _with_main(files, [n for n in unpacked if n.lower().endswith((".tex", ".ltx", ".latex")) or "." not in n])
    seeming = seems_to_be(data)
    if seeming not in _READ and not is_latex(data):
        raise DamagedInputError(f"is no LaTeX source: it seems to be {seeming}", where=where, hint=_HINT)
    files = SourceFiles(where=where, main=place.name, folder=place.absolute().parent)
    if len(data) > SOURCE_TEXT_BYTES:
        raise _too_large(where, f"more than {SOURCE_TEXT_BYTES:,} bytes of text")
    files.blobs[place.name] = data
    return files


def _too_large(where: str, what: str) -> DamagedInputError:
    return DamagedInputError(f"the source is too large: {what}", where=where, hint="give only the files the paper needs")


def _names_in(folder: Path, where: str) -> Iterator[str]:
    count = 0
    for root, folders, names in os.walk(folder, followlinks=False):
        folders[:] = sorted(f for f in folders if not os.path.islink(os.path.join(root, f)))
        for name in sorted(names):
            count += 1
            if count > SOURCE_FILES:
                raise _too_large(where, f"more than {SOURCE_FILES:,} files")
            full = Path(root, name)
            if not full.is_symlink():
                yield full.relative_to(folder).as_posix()


def _unpacked(data: bytes, where: str, name: str) -> dict[str, bytes] | None:
    """Return the text files of an archive, None when the bytes are no archive."""
    try:
        if data.startswith(_ZIP):
            return _from_zip(data, where)
        if data.startswith(b"\x1f\x8b"):
            head = _gunzipped(data, where, name)
            return head if head is not None else _from_tar(data, where)
        if tarfile.is_tarfile(io.BytesIO(data)):
            return _from_tar(data, where)
    except _BROKEN as error:
        raise DamagedInputError(f"the archive is damaged ({error})", where=where, hint="fetch it again") from error
    return None


def _gunzipped(data: bytes, where: str, name: str) -> dict[str, bytes] | None:
    """Return the one file of a ``.gz``, None when it holds an archive."""
    with gzip.open(io.BytesIO(data)) as file:
        text = file.read(SOURCE_TEXT_BYTES + 1)
    try:
        if tarfile.is_tarfile(io.BytesIO(text)):
            return None
    except _BROKEN:
        return None
    if len(text) > SOURCE_TEXT_BYTES:
        raise _too_large(where, f"unpacked it has more than {SOURCE_TEXT_BYTES:,} bytes of text")
    inner = name.removesuffix(".gz")
    return {inner if inner.endswith(".tex") else f"{inner}.tex": text}


def _from_tar(data: bytes, where: str) -> dict[str, bytes]:
    out = _Members(where)
    with tarfile.open(fileobj=io.BytesIO(data), mode="r:*") as archive:
        for member in archive:
            if member.issym() or member.islnk():
                raise _refused(where, member.name, "a link")
            name = out.checked(member.name, member.size)
            if member.isdir():
                continue
            if not member.isfile():
                raise _refused(where, member.name, "a device or pipe")
            if out.is_text(name):
                file = archive.extractfile(member)
                if file is not None:
                    out.add(name, file.read(SOURCE_TEXT_BYTES + 1))
    return out.texts


def _from_zip(data: bytes, where: str) -> dict[str, bytes]:
    out = _Members(where)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        for member in archive.infolist():
            kind = stat.S_IFMT(member.external_attr >> ZIP_MODE_BITS)
            if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
                raise _refused(where, member.filename, "a link or device")
            name = out.checked(member.filename, member.file_size)
            if not member.is_dir() and out.is_text(name):
                with archive.open(member) as file:
                    out.add(name, file.read(SOURCE_TEXT_BYTES + 1))
    return out.texts


@dataclass(slots=True)
class _Members:
    where: str
    texts: dict[str, bytes] = field(default_factory=dict)
    count: int = 0
    size: int = 0
    text_size: int = 0

    def checked(self, name: str, size: int) -> str:
        """Return the name of a member in its normal form; raises DamagedInputError when it leads out of the archive."""
        self.count += 1
        self.size += size
        if self.count > SOURCE_FILES:
            raise _too_large(self.where, f"more than {SOURCE_FILES:,} files")
        if self.size > SOURCE_BYTES:
            raise _too_large(self.where, f"unpacked it has more than {SOURCE_BYTES:,} bytes")
        plain = name.replace("\\", "/")
        if plain.startswith("/") or re.match(r"[A-Za-z]:", plain):
            raise _refused(self.where, name, "an absolute name")
        if ".." in plain.split("/"):
            raise _refused(self.where, name, "a name that leads out of the archive")
        return posixpath.normpath(plain)

    def is_text(self, name: str) -> bool:
        return posixpath.splitext(name)[1].lower() in _TEXTS

    def add(self, name: str, data: bytes) -> None:
        self.text_size += len(data)
        if self.text_size > SOURCE_TEXT_BYTES:
            raise _too_large(self.where, f"unpacked it has more than {SOURCE_TEXT_BYTES:,} bytes of text")
        self.texts[name] = data


def _refused(where: str, name: str, what: str) -> DamagedInputError:
    return DamagedInputError(
        f"the archive is refused: its member {name!r} is {what}",
        where=where,
        hint="pack the paper's own files with plain relative names",
    )


def _with_main(files: SourceFiles, names: list[str]) -> SourceFiles:
    """Return the files with the main one: it has a document, no other file asks for it, and best has its list of references."""
    found: list[tuple[bool, bool, bool, int, str]] = []
    texts = {name: _SPECIAL.sub("", files.text(name)) for name in sorted(names)}
    asked = {
        posixpath.splitext(posixpath.basename(m[1].strip()))[0]
        for text in texts.values()
        for m in re.finditer(r"\\(?:input|include|subfile)\s*\{([^{}]*)\}", text)
    }
    for name, text in texts.items():
        if not re.search(r"\\document(?:class|style)\b", text) and not re.search(r"\\begin\s*\{document\}", text):
            continue
        stem = posixpath.splitext(name)[0]
        has_list = files._has(f"{stem}.bbl")
        is_named = posixpath.basename(stem).lower() in _MAIN_NAMES
        has_body = re.search(r"\\begin\s*\{document\}", text) is not None
        is_asked = posixpath.basename(stem) in asked
        found.append((not has_body or is_asked, not has_list, not is_named, -len(text), name))
    if not found:
        raise DamagedInputError(
            "no LaTeX document was found: no file has \\documentclass and \\begin{document}", where=files.where, hint=_HINT
        )
    files.main = min(found)[-1]
    others = sorted(name for *_, name in found if name != files.main)
    if others:
        files.notes.append(f"{files.main} was read as the main file; other documents in the source: {', '.join(others)}")
    return files
