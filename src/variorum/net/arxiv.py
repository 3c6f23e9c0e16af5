"""A paper of arXiv: its number in the forms that people write, and its PDF, LaTeX source and ar5iv HTML in a folder.

What is there is not asked for again, nor what the host was found not to have; ``fetched.json`` in the folder remembers it.
"""

from __future__ import annotations

import json
import os
import re
import zlib
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final, Literal
from urllib.parse import urlsplit

from variorum.errors import NetworkError, OutputError, UsageError
from variorum.net.partial import sha256_of
from variorum.net.polite import PoliteClient, Wanted

ARXIV_URL: Final = "https://export.arxiv.org"
"""The site that arXiv sets aside for programs."""
AR5IV_URL: Final = "https://ar5iv.labs.arxiv.org"
_HINT: Final = "arxiv:0704.0001, 0704.0001v2, hep-th/9901001, or the address of its page"
_ID: Final = re.compile(
    r"(?P<new>\d{2}(?:0[1-9]|1[0-2])\.\d{4,5})(?P<v>v[1-9]\d{0,2})?"
    r"|(?P<archive>[a-z]+(?:-[a-z]+)?)(?:\.[A-Z]{2})?/(?P<old>\d{2}(?:0[1-9]|1[0-2])\d{3})(?P<w>v[1-9]\d{0,2})?",
    re.ASCII,
)
_PREFIX: Final = re.compile(
    r"(?:https?://)?(?:(?:www\.|export\.)?arxiv\.org/(?:abs|pdf|html|format|e-print|src)/"
    r"|(?:www\.)?ar5iv(?:\.labs\.arxiv)?\.org/(?:html|abs)/"
    r"|(?:dx\.)?doi\.org/10\.48550/arxiv\.|(?:doi:)?10\.48550/arxiv\.)"
    r"|arxiv:\s*",
    re.IGNORECASE,
)
_TAIL: Final = re.compile(r"(?:\.pdf)?(?:[?#].*)?/?|\s*\[[\w.-]+\]", re.IGNORECASE)
_RECORD: Final = "fetched.json"
_GZIP: Final = b"\x1f\x8b"
_TAR_MARK: Final = (257, b"ustar")
_HEAD: Final = 1024
_LARGEST: Final = 1 << 28
"""256 MiB, five times what arXiv takes from authors."""
_LARGEST_UNPACKED: Final = 1 << 32
_SOURCES: Final = ("source.tar.gz", "source.gz", "source.tar", "source.tex", "source.pdf")

State = Literal["fetched", "kept", "absent", "failed"]


@dataclass(frozen=True, slots=True)
class ArxivId:
    """The number of a paper, without and with its version (``0704.0001``, ``hep-th/9901001``; ``v2`` or '')."""

    name: str
    version: str = ""

    def __str__(self) -> str:
        return self.name + self.version

    @property
    def folder(self) -> str:
        """Return the number as the name of a folder."""
        return str(self).replace("/", "_")


@dataclass(frozen=True, slots=True)
class PaperFile:
    """What became of one of a paper's files.

    `part` is ``pdf``, ``source`` or ``ar5iv``; `state` whether it was ``fetched``, ``kept`` (it was there), is ``absent`` (the
    host has none) or ``failed``, then `what` says why. `name` is that of the file, '' without one; `size` in bytes.
    """

    part: str
    url: str
    state: State
    name: str = ""
    size: int = 0
    sha256: str = ""
    what: str = ""


@dataclass(frozen=True, slots=True)
class _Part:
    """How one of the files is asked for and recognised; `names` are what it may be called."""

    name: str
    url: str
    names: tuple[str, ...]
    types: frozenset[str]
    check: Callable[[Path], str]
    means_absent: Callable[[str], bool] = lambda _: False


def parse_arxiv_id(text: str) -> ArxivId:
    """Return the number that a text names: alone, after ``arxiv:``, or in an address; raises UsageError when it names none."""
    bare = text.strip()
    prefix = _PREFIX.match(bare)
    if prefix is not None:
        bare = bare[prefix.end() :]
    match = _ID.match(bare)
    if match is None or _TAIL.fullmatch(bare[match.end() :]) is None:
        raise UsageError(f"{text!r} is no number of arXiv", hint=_HINT)
    if match["new"]:
        return ArxivId(match["new"], match["v"] or "")
    return ArxivId(f"{match['archive']}/{match['old']}", match["w"] or "")


def fetch_paper(
    paper: ArxivId,
    folder: Path,
    client: PoliteClient,
    *,
    arxiv_url: str = ARXIV_URL,
    ar5iv_url: str = AR5IV_URL,
    force: bool = False,
    on_part: Callable[[str], None] = lambda _: None,
) -> tuple[PaperFile, ...]:
    """Return what became of the paper's PDF, source and HTML, which are in the folder now as far as they could be got.

    What is there already, or is known to be absent, is not asked for, unless `force` says so; a file that is asked for again
    stays until the new one is whole. A file that fails does not keep the others from being fetched; a host that does not answer
    is not asked for the next. `on_part` hears the name of each file before it is asked for. Raises OutputError when the folder
    cannot be written, UsageError for an address that is none.
    """
    is_new = not folder.exists()
    recorded = {} if force else _recorded(folder / _RECORD)
    found: list[PaperFile] = []
    silent: dict[str, str] = {}
    for part in _parts(paper, arxiv_url, ar5iv_url):
        kept = None if force else _kept(part, folder, recorded)
        host = urlsplit(part.url).netloc
        if kept is not None:
            found.append(kept)
        elif host in silent:
            found.append(PaperFile(part.name, part.url, "failed", what=silent[host]))
        else:
            on_part(part.names[0])
            try:
                found.append(_fetched(part, folder, client))
            except NetworkError as error:
                found.append(PaperFile(part.name, part.url, "failed", what=str(error)))
                if error.where == host:  # the host itself, not one of its addresses
                    silent[host] = str(error)
    if any(f.name for f in found) and any(f.state in ("fetched", "absent") for f in found):
        _record(folder / _RECORD, paper, found)
    if is_new and folder.is_dir() and not any(folder.iterdir()):
        folder.rmdir()
    return tuple(found)


def _parts(paper: ArxivId, arxiv_url: str, ar5iv_url: str) -> tuple[_Part, ...]:
    arxiv, ar5iv = arxiv_url.rstrip("/"), ar5iv_url.rstrip("/")
    unsaid = "application/octet-stream"
    packed = {"application/gzip", "application/x-gzip", "application/x-eprint-tar", "application/x-eprint", "application/x-tar"}
    return (
        _Part("pdf", f"{arxiv}/pdf/{paper}", ("paper.pdf",), frozenset({"application/pdf", unsaid}), _wrong_pdf),
        _Part(
            "source",
            f"{arxiv}/e-print/{paper}",
            _SOURCES,
            frozenset({*packed, "application/pdf", "text/plain", "application/x-tex", "text/x-tex", unsaid}),
            _wrong_source,
        ),
        _Part(
            "ar5iv",
            f"{ar5iv}/html/{paper.name}",
            ("ar5iv.html",),
            frozenset({"text/html", "application/xhtml+xml"}),
            _wrong_html,
            lambda url: urlsplit(url).path.startswith("/abs/"),  # ar5iv leads to the paper's page where it has no HTML
        ),
    )


def _fetched(part: _Part, folder: Path, client: PoliteClient) -> PaperFile:
    target = folder / part.names[0]
    wanted = Wanted(
        url=part.url,
        path=target,
        types=part.types,
        largest=_LARGEST,
        check=part.check,
        means_absent=part.means_absent,
    )
    came = client.fetch(wanted)
    if came is None:
        return PaperFile(part.name, part.url, "absent", what="the host has none")
    name = target.name
    if part.name == "source":
        name = _name_of_source(target)
        os.replace(target, folder / name)
    return PaperFile(part.name, part.url, "fetched", name, came.size, came.sha256)


def _kept(part: _Part, folder: Path, recorded: dict[str, dict[str, Any]]) -> PaperFile | None:
    """Return the file that is there, or is known to be absent; None when it must be asked for."""
    for name in part.names:
        path = folder / name
        if path.is_file() and not part.check(path):
            return PaperFile(part.name, part.url, "kept", name, path.stat().st_size, sha256_of(path))
    known = recorded.get(part.name)
    if known is not None and known.get("state") == "absent" and known.get("url") == part.url:
        return PaperFile(part.name, part.url, "absent", what="the host has none")
    return None


# ---- what is remembered -----------------------------------------------------------------------------------------------


def _recorded(path: Path) -> dict[str, dict[str, Any]]:
    """Return what an earlier call found, by part; nothing when there was none, or it can't be read."""
    try:
        data: Any = json.loads(path.read_text(encoding="utf-8"))
        return {entry["part"]: entry for entry in data["files"]}
    except (OSError, ValueError, KeyError, TypeError):
        return {}


def _record(path: Path, paper: ArxivId, found: Sequence[PaperFile]) -> None:
    kept = [
        {k: v for k, v in asdict(f).items() if k != "what"} | {"state": "absent" if f.state == "absent" else "fetched"}
        for f in found
        if f.state != "failed"
    ]
    text = json.dumps({"arxiv": str(paper), "files": kept}, indent=2) + "\n"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.with_name(f".{path.name}").write_text(text, encoding="utf-8")
        os.replace(path.with_name(f".{path.name}"), path)
    except OSError as error:
        what = f"cannot be written ({error.strerror or error})"
        raise OutputError(what, where=str(path), hint="another folder with -o") from error


# ---- whether a file is what it should be ------------------------------------------------------------------------------


def _ends(path: Path) -> tuple[bytes, bytes]:
    """Return how a file begins and ends."""
    with open(path, "rb") as file:
        head = file.read(_HEAD)
        size = file.seek(0, os.SEEK_END)
        file.seek(max(0, size - _HEAD))
        return head, file.read()


def _wrong_pdf(path: Path) -> str:
    head, tail = _ends(path)
    if b"%PDF-" not in head:
        return "is no PDF"
    return "" if b"%%EOF" in tail else "is a PDF that breaks off"


def _wrong_html(path: Path) -> str:
    data = path.read_bytes()
    if b"ltx_document" not in data:
        return "is no HTML of LaTeXML"
    return "" if b"</html>" in data[-_HEAD:].lower() else "is HTML that breaks off"


def _wrong_source(path: Path) -> str:
    head, _ = _ends(path)
    if head.startswith(_GZIP):
        return _wrong_gzip(path)
    if head.startswith(b"%PDF-"):
        return _wrong_pdf(path)
    if _is_tar(head) or b"\\" in path.read_bytes():
        return ""
    return "is neither an archive nor TeX"


def _wrong_gzip(path: Path) -> str:
    """Return what is wrong with a file of gzip: it is unpacked to its end, and what comes out is let go."""
    unpacker = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)
    size = 0
    with open(path, "rb") as file:
        while block := file.read(_HEAD * _HEAD):
            while block and not unpacker.eof:
                try:
                    size += len(unpacker.decompress(block, _HEAD * _HEAD))
                except zlib.error:
                    return "is a damaged archive"
                block = unpacker.unconsumed_tail
            if size > _LARGEST_UNPACKED:
                return f"unpacks to more than {_LARGEST_UNPACKED:,} bytes"
            if unpacker.eof:
                return ""
    return "is an archive that breaks off"


def _is_tar(head: bytes) -> bool:
    at, mark = _TAR_MARK
    return head[at : at + len(mark)] == mark


def _name_of_source(path: Path) -> str:
    """Return the name that a source has by what it is: arXiv serves archives, single files, and PDFs without a source."""
    head, _ = _ends(path)
    if head.startswith(_GZIP):
        unpacked = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16).decompress(head, _HEAD)
        return "source.tar.gz" if _is_tar(unpacked) else "source.gz"
    if head.startswith(b"%PDF-"):
        return "source.pdf"
    return "source.tar" if _is_tar(head) else "source.tex"
