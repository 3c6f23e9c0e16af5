"""Readers of one paper's sources: each gives a `Document` of the same kinds of components.

``pdf`` is read by variorum's own engine, ``ar5iv`` is HTML that LaTeXML made, ``latex`` the TeX itself, ``docling`` a stored
DoclingDocument, or a PDF that Docling reads here, ``document`` what variorum wrote before.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

from variorum.document import Document
from variorum.errors import InputNotFoundError, SchemaError, UsageError
from variorum.sources.files import parse_json, read_bytes
from variorum.sources.seeming import seems_to_be
from variorum.suggestions import nearest_name_hint
from variorum.thresholds import SOURCE_HEAD_BYTES

KINDS: Final = ("pdf", "ar5iv", "latex", "docling", "document")
_LATEX_ENDINGS: Final = (".tex", ".ltx", ".tar.gz", ".tgz", ".tar", ".zip", ".gz")
_HTML_ENDINGS: Final = (".html", ".htm", ".xhtml")
_HINT: Final = "--kind " + ", ".join(KINDS)


def read_source(path: str | Path, kind: str | None = None) -> Document:
    """Return the document of one source; without a `kind`, one of `KINDS`, it is recognised by what the file is.

    Raises UsageError for a kind that does not exist or a file that is none of them, InputNotFoundError when there is no file,
    and what the reader of its kind raises.
    """
    file = Path(path)
    check_kind(kind)
    return _READERS[recognise(file) if kind is None else kind](file)


def check_kind(kind: str | None) -> None:
    """Return nothing; raises UsageError for a kind that does not exist. None is to recognise it."""
    if kind is not None and kind not in KINDS:
        raise UsageError(f"unknown kind of source {kind!r}", where="--kind", hint=nearest_name_hint(kind, KINDS))


def recognise(path: Path) -> str:
    """Return the kind of a source: a folder or archive is LaTeX, the rest is told by its beginning.

    Raises InputNotFoundError when there is no such file, UsageError when it is none of the kinds.
    """
    where = str(path)
    if path.is_dir():
        if (path / "document.json").is_file():
            raise UsageError("is a folder of results", where=where, hint=str(path / "document.json"))
        return "latex"
    head = _head(path)
    name = path.name.lower()
    from variorum.sources.ar5iv import looks_like_ar5iv

    if _is_pdf(path, head):
        return "pdf"
    if name.endswith(_LATEX_ENDINGS):
        return "latex"
    if name.endswith(".json") or head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{"):
        return _kind_of_json(path)
    if name.endswith(_HTML_ENDINGS) or looks_like_ar5iv(head):
        return "ar5iv"
    if b"\\documentclass" in head or b"\\documentstyle" in head:
        return "latex"
    what = f"is no source that is known by its name or its beginning: it seems to be {seems_to_be(head)}"
    raise UsageError(what, where=where, hint=_HINT)


def _is_pdf(path: Path, head: bytes) -> bool:
    return b"%PDF-" in head or path.name.lower().endswith(".pdf")


def _head(path: Path) -> bytes:
    """Return how a file begins; raises InputNotFoundError when it cannot be read."""
    where = str(path)
    try:
        with open(path, "rb") as file:
            return file.read(SOURCE_HEAD_BYTES)
    except FileNotFoundError as error:
        raise InputNotFoundError("no such file", where=where, hint="check the path") from error
    except (OSError, ValueError) as error:
        what = f"cannot be read ({getattr(error, 'strerror', None) or error})"
        raise InputNotFoundError(what, where=where, hint="check path and permissions") from error


def _kind_of_json(path: Path) -> str:
    where = str(path)
    data = parse_json(read_bytes(path), where, "a DoclingDocument, or the document.json that variorum wrote")
    if isinstance(data, dict) and data.get("schema_name") == "DoclingDocument":
        return "docling"
    if isinstance(data, dict) and "schema_version" in data:
        return "document"
    what = "is neither a DoclingDocument nor a document of variorum"
    raise SchemaError(what, where=where, hint="a file that docling or variorum saved")


def _ar5iv(path: Path) -> Document:
    from variorum.sources.ar5iv import read_ar5iv

    return read_ar5iv(path)


def _docling(path: Path) -> Document:
    if path.is_file() and _is_pdf(path, _head(path)):
        from variorum.sources.docling_live import read_with_docling

        return read_with_docling(path)
    from variorum.sources.docling import read_docling

    return read_docling(path)


def _document(path: Path) -> Document:
    hint = "the document.json that variorum wrote"
    where = str(path)
    try:
        return Document.from_json(read_bytes(path).decode("utf-8"))
    except UnicodeDecodeError as error:
        raise SchemaError("is not UTF-8 text", where=where, hint=hint) from error
    except SchemaError as error:
        place = f"{where}: {error.where}" if error.where else where
        raise SchemaError(error.what, where=place, hint=error.hint or hint) from error


def _pdf(path: Path) -> Document:
    from variorum.extraction import extract

    return extract(path, isolated=True)


def _latex(path: Path) -> Document:
    from variorum.sources.latex import read_latex

    return read_latex(path)


_READERS: Final[dict[str, Callable[[Path], Document]]] = {
    "pdf": _pdf,
    "ar5iv": _ar5iv,
    "latex": _latex,
    "docling": _docling,
    "document": _document,
}
