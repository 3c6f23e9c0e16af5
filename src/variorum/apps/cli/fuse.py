"""``variorum fuse``: several sources of one paper to one document, with the record of every decision."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from variorum.apps.cli.console import complain, emit, emit_json, progress_bar
from variorum.apps.cli.extract import warnings_of
from variorum.apps.cli.fusion_summary import fusion_as_data, fusion_as_text
from variorum.apps.exporting import check_dpi, parse_formats, render_files
from variorum.apps.naming import figure_stems, output_folders, table_stems
from variorum.apps.output_folder import OutputFolder
from variorum.apps.writing import refuse_unwritable
from variorum.errors import OutputError, PartialFailureError, UsageError

if TYPE_CHECKING:
    from variorum.fusion.model import Fusion, Source
    from variorum.fusion.tenants import Tenant

_DEFAULT: Final = "md,json,html,csv,report"
AUDIT_LOG: Final = "audit.jsonl"


@dataclass(frozen=True, slots=True, kw_only=True)
class FuseCall:
    """One call of ``variorum fuse``, its values as the user typed them; `paths` are those of the sources by their kind."""

    paths: Mapping[str, Path]
    output: Path | None
    tenant: str
    tenants: Path | None
    formats: tuple[str, ...]
    dpi: int
    config: str
    jobs: int
    password: str | None
    audit_log: Path | None
    stamp: str | None
    force: bool
    as_json: bool
    quiet: bool


def run_fuse(call: FuseCall) -> int:
    """Return the exit code once the sources were read, fused, and everything was written.

    Raises UsageError without a source or one that the tenant requires, ConfigError for a tenant that cannot be read,
    DifferentPapersError for a source of another paper, OutputError when nothing can be written; and what reading a source
    raises. A document that is incomplete gives the code of PartialFailureError.
    """
    from variorum.fusion.audit import appended_behind
    from variorum.fusion.tenants import load_tenant

    _check_reading(call)
    _check_html(call)
    formats = parse_formats(call.formats or (_DEFAULT,))
    tenant = load_tenant(call.tenant, call.tenants)
    pdf = _pages_to_draw(call, formats)
    check_dpi(call.dpi)
    if call.output is not None:
        refuse_unwritable(call.output)
    sources, fusion = _fused(call, tenant)
    document = fusion.document
    folder = call.output or _default_folder(call, document.sha256)
    log = call.audit_log or _own_log(folder)
    files = render_files(
        document,
        [name for name in formats if name != "report"],
        pdf_path=pdf or Path(),
        password=call.password,
        dpi=call.dpi,
        complain=lambda what: complain(f"warning: {what}"),
    )
    files |= _record_files(fusion, sources, with_report="report" in formats)
    place = OutputFolder(folder)
    place.refuse(files)
    with appended_behind(log, fusion, tenant, sources, call.stamp, paths=call.paths):
        place.write(files, source_sha256=document.sha256, table_stems=[*table_stems(document), *figure_stems(document)])
    for line in warnings_of(folder, document):
        complain(line)
    if call.as_json:
        emit_json(fusion_as_data(fusion, folder, sorted(files), log))
    elif not call.quiet:
        emit(fusion_as_text(fusion, folder, sorted(files), log))
    return PartialFailureError.exit_code if document.incomplete else 0


def _check_reading(call: FuseCall) -> None:
    """Raise UsageError or ConfigError for an option that no PDF can be read with, also where a document stands in for it."""
    from variorum.tables.config import load_config

    if call.jobs < 1:
        raise UsageError(f"must be at least 1, not {call.jobs}", where="--jobs", hint="--jobs 4")
    load_config(call.config)


def _check_html(call: FuseCall) -> None:
    """Raise UsageError where HTML of LaTeXML is asked for by the program's name, with the command that makes it."""
    html, latex = call.paths.get("ar5iv"), call.paths.get("latex")
    if html is not None and html.name == "latexml" and not html.exists():
        made = f"variorum read {latex or 'SOURCE'} --via latexml -o html, then --ar5iv html/ar5iv.html"
        raise UsageError("is no file: HTML is made before it is fused", where="--ar5iv latexml", hint=made)


def _pages_to_draw(call: FuseCall, formats: tuple[str, ...]) -> Path | None:
    """Return the PDF whose figures are drawn, None where none are; raises UsageError when there is no PDF to draw them from."""
    if "figures" not in formats:
        return None
    pdf = call.paths.get("pdf")
    if pdf is None or pdf.suffix.lower() == ".json":
        hint = "--pdf with the PDF itself, or --format without figures"
        raise UsageError("figures are drawn from a PDF, and none is given", where="--format", hint=hint)
    return pdf


def _default_folder(call: FuseCall, sha256: str) -> Path:
    """Return a folder named after the first source that is given, the PDF before others."""
    first = call.paths.get("pdf") or next(iter(call.paths.values()))
    name = first.absolute().name.split(".")[0] or "paper"
    return output_folders([(first.with_name(f"{name}-fused"), sha256)], None)[0]


def _own_log(folder: Path) -> Path:
    """Return the log in the folder of the results; raises OutputError where it is a link and would be written elsewhere."""
    log = folder / AUDIT_LOG
    if log.is_symlink():
        raise OutputError(
            "is a link: the log would be written elsewhere", where=str(log), hint="name the file with --audit-log"
        )
    return log


def _fused(call: FuseCall, tenant: Tenant) -> tuple[tuple[Source, ...], Fusion]:
    from variorum.fusion.alignment import align
    from variorum.fusion.fusing import check_required, fuse
    from variorum.fusion.loading import load_sources
    from variorum.fusion.sameness import check_same_paper

    check_required(call.paths, tenant)
    with progress_bar("fuse", quiet=call.quiet) as progress:
        sources = load_sources(
            pdf=call.paths.get("pdf"),
            ar5iv=call.paths.get("ar5iv"),
            latex=call.paths.get("latex"),
            docling=call.paths.get("docling"),
            password=call.password,
            config=call.config,
            jobs=call.jobs,
            progress=progress,
        )
        alignment = align(sources)
        check_same_paper(sources, alignment, force=call.force)
        return sources, fuse(sources, tenant, alignment)


def _record_files(fusion: Fusion, sources: tuple[Source, ...], *, with_report: bool) -> dict[str, bytes]:
    """Return the record of the fusion, what each source alone says, and the report: name → bytes."""
    from variorum.fusion.record import to_json

    files = {"fusion.json": to_json(fusion).encode()}
    files |= {f"readings/{source.kind}.json": source.document.to_json().encode() for source in sources}
    if with_report:
        from variorum.report.fusion_html import fusion_report

        files["report.html"] = fusion_report(fusion).encode("utf-8", errors="replace")
    return files
