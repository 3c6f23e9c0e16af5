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
_HTML: Final = "ar5iv.html"
_LOG: Final = "ar5iv.log"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadCall:
    """One call of ``variorum read``, its values as the user typed them."""

    path: Path
    output: Path | None
    formats: tuple[str, ...]
    kind: str | None
    via: str | None
    as_json: bool
    quiet: bool


def run_read(call: ReadCall) -> int:
    """Return the exit code once the source was read and its document written.

    With `via` LaTeXML makes HTML of a LaTeX source first; it stands among the files, as ``ar5iv.html`` with its log. Raises
    UsageError for a kind or format that does not exist, or a format for which a PDF is needed; OutputError when nothing
    can be written there; and what reading the source raises. A document that is incomplete gives the code of
    PartialFailureError.
    """
    from variorum.sources import check_kind, read_source, recognise

    formats = parse_formats(call.formats or (_DEFAULT,))
    check_kind(call.kind)
    _check_via(call)
    if call.output is not None:
        refuse_unwritable(call.output)
    kind = "ar5iv" if call.via else call.kind or recognise(call.path)
    drawn = [name for name in formats if name in _OF_PDFS]
    if drawn and kind != "pdf":
        hint = "variorum extract, with the PDF of the paper"
        raise UsageError(f"{drawn[0]} draws pages, and {call.path} has none", where="--format", hint=hint)
    more: dict[str, bytes] = {}
    with progress_bar(call.path.name, quiet=call.quiet):
        if call.via:
            from variorum.sources.latexml import read_with_latexml

            document, made = read_with_latexml(call.path)
            more = {_HTML: made.html, _LOG: made.log}
        else:
            document = read_source(call.path, kind)
    (folder,) = output_folders([(call.path, document.sha256)], call.output)
    place = OutputFolder(folder)
    place.refuse([*fixed_names(formats), *more])
    files = render_files(
        document,
        formats,
        pdf_path=call.path,
        password=None,
        complain=lambda what: complain(f"warning: {call.path}: {what}"),
    )
    files |= more
    place.write(files, source_sha256=document.sha256, table_stems=[*table_stems(document), *figure_stems(document)])
    for line in warnings_of(call.path, document):
        complain(line)
    if call.as_json:
        emit_json(summary_as_data(call.path, folder, document, sorted(files)))
    elif not call.quiet:
        emit(summary_as_text(call.path, folder, document, sorted(files)))
    return PartialFailureError.exit_code if document.incomplete else 0


def _check_via(call: ReadCall) -> None:
    """Return nothing; raises UsageError for a way that does not exist, or a kind that it does not lead to."""
    if call.via not in (None, "latexml"):
        raise UsageError(f"there is no way {call.via!r}", where="--via", hint="--via latexml")
    if call.via is not None and call.kind not in (None, "ar5iv"):
        raise UsageError(f"LaTeXML makes HTML, and not {call.kind}", where="--via", hint="--kind ar5iv --via latexml")
