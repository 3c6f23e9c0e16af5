"""A run of an audit log made again: its inputs found and checked by their hashes, read, fused, and compared."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from variorum.errors import AuditError, InputNotFoundError, UsageError

if TYPE_CHECKING:
    from variorum.fusion.audit import Run
    from variorum.fusion.audit.chain import Record
    from variorum.fusion.model import Source


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayInputs:
    """Where the inputs of a run are: by source, in a folder, or where the log says; and how its PDF was read.

    `readings` is a folder with the documents that were read then (``pdf.json`` …): that of the PDF is taken from there, and
    that of every input that is not found.
    """

    paths: Mapping[str, Path]
    folder: Path | None = None
    readings: Path | None = None
    password: str | None = None
    config: str = "default"
    jobs: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Replay:
    """What came of making a run again: its number, from what each source was read, and what differs first (None: nothing)."""

    run: int
    sources: Mapping[str, str]
    decisions: int
    document_sha256: str
    fusion_sha256: str
    difference: str | None


def replay(log: Path, run: Run, inputs: ReplayInputs) -> Replay:
    """Return what came of making the run again from its inputs.

    Raises InputNotFoundError when an input is not found, AuditError when one is there that has another hash, and what reading
    and fusing raise.
    """
    from variorum.fusion.alignment import align
    from variorum.fusion.audit import first_difference
    from variorum.fusion.fusing import fuse
    from variorum.fusion.tenants import parse_tenant

    loaded = [_load(log, entry, inputs) for entry in run.inputs]
    sources = tuple(source for source, _ in loaded)
    tenant = parse_tenant(run.tenant_text, f"tenant of run {run.number}")
    fusion = fuse(sources, tenant, align(sources))
    return Replay(
        run=run.number,
        sources={source.kind: told for source, told in loaded},
        decisions=len(fusion.decisions),
        document_sha256=run.closing["document_sha256"],
        fusion_sha256=run.closing["fusion_sha256"],
        difference=first_difference(log, run, fusion, tenant, sources),
    )


def _load(log: Path, entry: Record, inputs: ReplayInputs) -> tuple[Source, str]:
    """Return the source of an entry of the opening record, and in a few words from what it was read.

    An input that is named must be it. Otherwise the first place is taken where something of its name has its hash: where the
    log says, or the folder and all below it. Raises AuditError when only others of that name are there.
    """
    named = inputs.paths.get(entry["kind"])
    if entry["kind"] == "pdf" and inputs.readings is not None:
        return _stored(entry, inputs), "its stored reading"
    others = []
    for path in (named,) if named is not None else _places(log, entry, inputs.folder):
        found = _read(path, entry, inputs)
        if isinstance(found, str):
            others.append((path, found))
        elif found.name != entry["name"]:
            what = f"has the bytes of {entry['name']} and another name, and the name is part of the document"
            raise AuditError(what, where=str(path), hint=f"call it {entry['name']}")
        else:
            return found, str(path)
    if inputs.readings is not None and named is None:
        return _stored(entry, inputs), "its stored reading"
    if others:
        path, digest = others[0]
        what = f"is not the {entry['kind']} of the run: its SHA-256 is {digest}, and the log has {entry['sha256']}"
        raise AuditError(what, where=str(path), hint=f"the {entry['name']} that was fused then")
    what = f"the {entry['kind']} of the run, {entry['name']}, is not found"
    raise InputNotFoundError(what, where=str(log), hint=f"--{entry['kind']} FILE, or --inputs FOLDER")


def _read(path: Path, entry: Record, inputs: ReplayInputs) -> Source | str:
    """Return the source that is read from a place, or its SHA-256 where that is not the one of the entry.

    A PDF is only read when its bytes have the hash. What the hash of HTML and LaTeX covers is known to their readers.
    """
    from variorum.fusion.loading import PdfReading, load_source

    if entry["kind"] == "pdf" and path.is_file() and (digest := _digest(path)) != entry["sha256"]:
        return digest
    reading = PdfReading(password=inputs.password, config=inputs.config, jobs=inputs.jobs)
    source = load_source(entry["kind"], path, reading)
    return source if source.sha256 == entry["sha256"] else source.sha256


def _places(log: Path, entry: Record, folder: Path | None) -> Iterator[Path]:
    """Return the places where an input may be, those that are there."""
    if folder is not None and not folder.is_dir():
        raise InputNotFoundError("no such folder", where=str(folder), hint="--inputs with the folder of the inputs")
    if "path" in entry and folder is None and (path := log.parent / entry["path"]).exists():
        yield path
    if folder is not None:
        yield from sorted(path for path in folder.rglob("*") if path.name == entry["name"])


def _digest(path: Path) -> str:
    from variorum.document.keys import file_sha256

    try:
        return file_sha256(path)
    except OSError as error:
        what = f"cannot be read ({error.strerror or error})"
        raise InputNotFoundError(what, where=str(path), hint="check the permissions") from error


def _stored(entry: Record, inputs: ReplayInputs) -> Source:
    """Return the source with the document that was read from it then; raises AuditError when it is another document."""
    from variorum.document import Document
    from variorum.fusion.model import Source
    from variorum.sources.files import read_bytes

    assert inputs.readings is not None
    path = inputs.readings / f"{entry['kind']}.json"
    data = read_bytes(path)
    digest = _digest(path)
    if digest != entry["document_sha256"]:
        what = f"is not the reading of the run: its SHA-256 is {digest}, and the log has {entry['document_sha256']}"
        raise AuditError(what, where=str(path), hint="the readings that variorum fuse wrote beside the log")
    try:
        document = Document.from_json(data.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise UsageError("is no document.json", where=str(path), hint="readings that variorum fuse wrote") from error
    return Source(kind=entry["kind"], name=entry["name"], sha256=entry["sha256"], document=document)
