"""``variorum extract``: read PDFs, write their documents and tables, print a summary. One bad input costs itself only."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from variorum.apps.cli.console import complain, describe_bug, emit, emit_json, progress_bar, report_error
from variorum.apps.cli.debug_database import DebugRun, debug_run
from variorum.apps.cli.pages import PageRange, expand_page_ranges, parse_page_ranges
from variorum.apps.cli.regions import read_regions
from variorum.apps.cli.summary import summary_as_data, summary_as_text
from variorum.apps.exporting import check_dpi, fixed_names, parse_formats, render_files
from variorum.apps.inputs import Input, find_inputs
from variorum.apps.naming import figure_files, figure_stems, output_folders, table_stems
from variorum.apps.output_folder import OutputFolder
from variorum.apps.writing import refuse_unwritable
from variorum.errors import PartialFailureError, UsageError, VariorumError

if TYPE_CHECKING:
    from variorum.document import Document
    from variorum.page.ocr import OcrOptions
    from variorum.tables.config import PipelineConfig

_NOTICES_SHOWN = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractCall:
    """One call of ``variorum extract``, its values as the user typed them."""

    paths: tuple[Path, ...]
    output: Path | None
    formats: tuple[str, ...]
    pages: str | None
    config: str
    weights: Path | None
    regions: Path | None
    jobs: int
    password: str | None
    ocr: bool
    ocr_language: str | None
    debug_db: Path | None
    truth: Path | None
    as_json: bool
    quiet: bool
    dpi: int


@dataclass(frozen=True, slots=True, kw_only=True)
class _Plan:
    """The call with its values checked."""

    dpi: int
    config: PipelineConfig
    formats: tuple[str, ...]
    page_ranges: tuple[PageRange, ...] | None
    regions: tuple[Mapping[str, object], ...] | None
    jobs: int
    password: str | None
    ocr: OcrOptions | None


def run_extract(call: ExtractCall) -> int:
    """Return the exit code once every input was read and written, or refused with a line on stderr.

    Raises UsageError, ConfigError, OutputError before anything is read. A single input's failure gives its own exit code; with
    several inputs any failure gives that of PartialFailureError, and so does a document that is incomplete.
    """
    plan = _checked(call)
    inputs, faults = find_inputs(call.paths)
    is_single = len(inputs) + len(faults) == 1
    if plan.regions is not None and not is_single:
        raise UsageError("regions belong to one paper, and several were given", where="--regions", hint="one PDF a call")
    if call.truth is not None and call.debug_db is None:
        raise UsageError("needs a debug database to write the comparison into", where="--truth", hint="--debug-db FILE")
    if call.output is not None:
        refuse_unwritable(call.output)
    codes = [report_error(fault) for fault in faults]
    results = [_failure_as_data(fault.where, fault) for fault in faults]
    folders = output_folders([(item.path, item.sha256) for item in inputs], call.output)
    with debug_run(call.debug_db if inputs else None, call.truth if inputs else None, [i.path for i in inputs]) as run:
        for item, folder in zip(inputs, folders, strict=True):
            try:
                document, files = _read_and_write(item, OutputFolder(folder), plan, run, quiet=call.quiet)
            except Exception as error:  # whatever is wrong with this paper, the others are still read
                codes.append(report_error(error, str(item.path)))
                results.append(_failure_as_data(str(item.path), error))
                continue
            for line in warnings_of(item.path, document):
                complain(line)
            if document.incomplete:
                codes.append(PartialFailureError.exit_code)
            if call.as_json:
                results.append(summary_as_data(item.path, folder, document, files))
            elif not call.quiet:
                emit(summary_as_text(item.path, folder, document, files))
    if call.as_json:
        emit_json(results)
    if not codes:
        return 0
    return codes[0] if is_single else PartialFailureError.exit_code


def _checked(call: ExtractCall) -> _Plan:
    from variorum.tables.config import load_config

    if call.jobs < 1:
        raise UsageError(f"must be at least 1, not {call.jobs}", where="--jobs", hint="--jobs 4")
    return _Plan(
        dpi=check_dpi(call.dpi),
        formats=parse_formats(call.formats),
        page_ranges=None if call.pages is None else parse_page_ranges(call.pages),
        config=load_config(call.config, weights=call.weights),
        regions=None if call.regions is None else tuple(read_regions(call.regions)),
        jobs=call.jobs,
        password=call.password,
        ocr=_ocr(call),
    )


def _ocr(call: ExtractCall) -> OcrOptions | None:
    """Return how scans are read, None when they are not; raises UsageError without Tesseract or the language."""
    if not call.ocr:
        if call.ocr_language is not None:
            raise UsageError("names the language of OCR, which is not asked for", where="--ocr-language", hint="--ocr")
        return None
    from variorum.page.ocr import OcrOptions, check_ocr

    options = OcrOptions() if call.ocr_language is None else OcrOptions(language=call.ocr_language)
    check_ocr(options)
    return options


def _read_and_write(
    item: Input, folder: OutputFolder, plan: _Plan, run: DebugRun | None, *, quiet: bool
) -> tuple[Document, list[str]]:
    """Return the document and the names of the files written for it; raises errors of the family."""
    from variorum.extraction import PaperEvidence, extract, extract_evidence

    read: Callable[..., Document | PaperEvidence] = extract if run is None else extract_evidence
    folder.refuse(fixed_names(plan.formats))
    with progress_bar(item.path.name, quiet=quiet) as progress:
        reading = read(
            item.path,
            config=plan.config,
            pages=pages_of(item.path, plan.page_ranges, plan.password),
            regions=plan.regions,
            password=plan.password,
            jobs=plan.jobs,
            isolated=True,  # whatever a library does to its process, this one lives
            progress=progress,
            ocr=plan.ocr,
        )
        document = reading.document if isinstance(reading, PaperEvidence) else reading
        files = render_files(
            document,
            plan.formats,
            pdf_path=item.path,
            password=plan.password,
            dpi=plan.dpi,
            complain=lambda what: complain(f"warning: {item.path}: {what}"),
        )
    folder.write(files, source_sha256=document.sha256, table_stems=[*table_stems(document), *figure_stems(document)])
    if run is not None and isinstance(reading, PaperEvidence):
        run.add(item.path, reading, {figure: name for figure, name in figure_files(document).items() if name in files})
    return document, sorted(files)


def pages_of(path: Path, ranges: Sequence[PageRange] | None, password: str | None) -> list[int] | None:
    """Return the pages of the ranges in this PDF, 1-based; None (all) without ranges. Raises what opening the PDF raises."""
    if ranges is None:
        return None
    from variorum.page.reader import PdfFile

    with PdfFile(path, password) as pdf:
        return expand_page_ranges(ranges, pdf.page_count, where=str(path))


def warnings_of(path: Path, document: Document) -> Iterator[str]:
    """Yield a line for each notice of something lost or possibly missing; past a few, a line with the count of the others."""
    grave = [notice for notice in document.notices if notice.severity != "info"]
    for notice in grave[:_NOTICES_SHOWN]:
        page = f" page {notice.page_num}" if notice.page_num is not None else ""
        yield f"{notice.severity}: {path}{page}: {notice.what}"
    if len(grave) > _NOTICES_SHOWN:
        yield f"warning: {path}: {len(grave) - _NOTICES_SHOWN} more notices, all in document.json and --json"


def _failure_as_data(source: str, error: Exception) -> Mapping[str, object]:
    """Return what ``extract --json`` says of one input that failed."""
    if isinstance(error, VariorumError):
        what = {"what": error.what, "where": error.where, "hint": error.hint, "exit_code": error.exit_code}
    else:
        what = {"what": describe_bug(error), "where": source, "hint": "--debug", "exit_code": 1}
    return {"input": source, "error": what}
