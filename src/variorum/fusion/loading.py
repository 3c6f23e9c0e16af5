"""From the files of one paper to the sources of a fusion: the one place of the fusion where files are read.

Each is read by the reader of its kind. In place of any of them a ``document.json`` may be given that variorum wrote of it
before: reading a PDF again takes longer than all the rest.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from variorum.document import Document
from variorum.document.keys import file_sha256
from variorum.errors import InputNotFoundError, UsageError
from variorum.fusion.model import SOURCES, Source, SourceKind
from variorum.sources import read_source, recognise

Progress = Callable[[int, int, str], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class PdfReading:
    """How the PDF is read: its password, the configuration of the table engine, and the processes that read pages."""

    password: str | None = None
    config: str = "default"
    jobs: int = 1


def load_sources(
    *,
    pdf: str | Path | None = None,
    ar5iv: str | Path | None = None,
    latex: str | Path | None = None,
    docling: str | Path | None = None,
    password: str | None = None,
    config: str = "default",
    jobs: int = 1,
    progress: Progress | None = None,
) -> tuple[Source, ...]:
    """Return the sources that are given, in the order of `SOURCES`.

    `pdf` is a PDF, `ar5iv` HTML that LaTeXML made, `latex` a folder, a ``.tex`` file or an archive, `docling` a stored
    DoclingDocument; each may be the ``document.json`` of an earlier reading instead. `password`, `config` and `jobs` are for
    the PDF, as in `variorum.extract`; `progress` is told (steps done, steps in all, what).

    Raises UsageError when nothing is given, what is no path, a number of processes below 1, or a document that was read from
    another kind of source; and what reading raises.
    """
    if jobs < 1:
        raise UsageError(f"must be at least 1, not {jobs}", where="jobs", hint="as many as there are processors")
    given: dict[SourceKind, str | Path | None] = {"latex": latex, "ar5iv": ar5iv, "docling": docling, "pdf": pdf}
    paths = {kind: _path(kind, path) for kind in SOURCES if (path := given[kind]) is not None}
    if not paths:
        raise UsageError("no source is given", hint="one of --pdf, --ar5iv, --latex, --docling")
    reading = PdfReading(password=password, config=config, jobs=jobs)
    return tuple(load_source(kind, path, reading, progress) for kind, path in paths.items())


def _path(kind: SourceKind, value: object) -> Path:
    if isinstance(value, str | os.PathLike):
        path = os.fspath(value)
        if isinstance(path, str):
            return Path(path)
    raise UsageError(f"must be a path, not {type(value).__name__}", where=kind, hint=f'{kind}="FILE", or a pathlib.Path')


def load_source(kind: SourceKind, path: Path, reading: PdfReading | None = None, progress: Progress | None = None) -> Source:
    """Return one source; its `sha256` is that of the file, of a folder that of the names and bytes of the files in it that the
    reader opened.

    Raises what reading raises, and UsageError for a document that was read from another kind of source.
    """
    if path.suffix.lower() == ".json" and recognise(path) == "document":
        document = _stored(kind, path)
        return Source(kind=kind, name=path.name, sha256=_digest(path), document=document)
    if progress is not None:
        progress(0, 1, path.name)
    document = _read_pdf(path, reading or PdfReading(), progress) if kind == "pdf" else read_source(path, kind)
    return Source(kind=kind, name=path.name or str(path), sha256=document.sha256, document=document)


def _stored(kind: SourceKind, path: Path) -> Document:
    document = read_source(path, "document")
    read_from = {component.provenance.source for component in document.components} or {kind}
    if read_from != {kind}:
        what = f"holds what was read from {' and '.join(sorted(read_from))}, not from {kind}"
        first = min(read_from)
        hint = f"--{first} {path}" if read_from <= set(SOURCES) and len(read_from) == 1 else "the document of one source"
        raise UsageError(what, where=f"--{kind} {path}", hint=hint)
    return document


def _digest(path: Path) -> str:
    try:
        return file_sha256(path)
    except OSError as error:
        what = f"cannot be read ({error.strerror})"
        raise InputNotFoundError(what, where=str(path), hint="check the permissions") from error


def _read_pdf(path: Path, reading: PdfReading, progress: Progress | None) -> Document:
    from variorum.extraction import extract

    return extract(path, config=reading.config, password=reading.password, jobs=reading.jobs, isolated=True, progress=progress)
