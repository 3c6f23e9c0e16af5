"""``variorum read``: one source of a paper alone, whatever it is, with the files that ``extract`` writes of a PDF."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from variorum.apps.cli.console import complain, emit, emit_json, progress_bar
from variorum.apps.cli.extract import warnings_of
from variorum.apps.cli.summary import summary_as_data, summary_as_text
from variorum.apps.exporting import fixed_names, parse_formats, render_files
from variorum.apps.naming import figure_stems, output_folders, table_stems
from variorum.apps.output_folder import OutputFolder
from variorum.apps.writing import refuse_unwritable
from variorum.errors import PartialFailureError, UsageError

_DEFAULT: Final = "md,json,html,csv"
_OF_PDFS: Final = ("figures", "report")
"""Formats for which the pages of a PDF are drawn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadCall:
    """One call of ``variorum read``, its values as the user typed them."""

    path: Path
    output: Path | None
    formats: tuple[str, ...]
    kind: str | None
    as_json: bool
    quiet: bool


def run_read(call: ReadCall) -> int:
    """Return the exit code once the source was read and its document written.

    Raises UsageError for a kind or format that does not exist, or a format for which a PDF is needed; OutputError when nothing
    can be written there; and what reading the source raises. A document that is incomplete gives the code of
    PartialFailureError.
    """
    from variorum.sources import check_kind, read_source, recognise

    formats = parse_formats(call.formats or (_DEFAULT,))
    check_kind(call.kind)
    if call.output is not None:
        refuse_unwritable(call.output)
    kind = call.kind or recognise(call.path)
    drawn = [name for name in formats if name in _OF_PDFS]
    if drawn and kind != "pdf":
        hint = "variorum extract, with the PDF of the paper"
        raise UsageError(f"{drawn[0]} draws pages, and {call.path} has none", where="--format", hint=hint)
    with progress_bar(call.path.name, quiet=call.quiet):
        document = read_source(call.path, kind)
    (folder,) = output_folders([(call.path, document.sha256)], call.output)
    place = OutputFolder(folder)
    place.refuse(fixed_names(formats))
    files = render_files(
        document,
        formats,
        pdf_path=call.path,
        password=None,
        complain=lambda what: complain(f"warning: {call.path}: {what}"),
    )
    place.write(files, source_sha256=document.sha256, table_stems=[*table_stems(document), *figure_stems(document)])
    for line in warnings_of(call.path, document):
        complain(line)
    if call.as_json:
        emit_json(summary_as_data(call.path, folder, document, sorted(files)))
    elif not call.quiet:
        emit(summary_as_text(call.path, folder, document, sorted(files)))
    return PartialFailureError.exit_code if document.incomplete else 0
