"""``variorum truth``: true tables as files that a person edits (``new``), and what is left to do with them (``check``)."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from variorum.apps.cli.console import complain, emit, emit_json, printable, progress_bar
from variorum.apps.cli.options import Config, Debug, Json, Pages, Password, Quiet, path, whole_number

if TYPE_CHECKING:
    from variorum.document import Document
    from variorum.evaluation.truth_workbench import WorkbenchFile
    from variorum.evaluation.truth_workbench_check import CheckedTruth

FOLDER: Final = ".truth"
"""How the name of a workbench's folder ends."""

_NAMED: Final = 5
"""Files that one message names."""

commands = typer.Typer(rich_markup_mode=None)


@commands.callback(invoke_without_command=True)
def _truth(context: typer.Context) -> None:
    """Write true tables of a paper as files to edit, and check them."""
    if context.invoked_subcommand is None:
        emit(context.get_help())


@commands.command("new")
def new(
    pdf: Annotated[Path, typer.Argument(metavar="PAPER.pdf", parser=path, help="The paper.")],
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="DIR", parser=path, help="Folder of the files (default: ./NAME.truth)."),
    ] = None,
    pages: Pages = None,
    paper: Annotated[
        str | None,
        typer.Option(
            "--paper", metavar="NAME", help="What the truth calls the paper (default: its Zotero key, file or folder)."
        ),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace files that differ: what was edited in them is lost.")] = False,
    config: Config = "default",
    jobs: Annotated[
        int,
        typer.Option("--jobs", "-j", metavar="N", parser=whole_number, help="Processes that read pages.", show_default=True),
    ] = 1,
    password: Password = None,
    quiet: Quiet = False,
    debug: Debug = False,
) -> int:
    """Read a paper and write its tables as text files to mend, beside pictures of their pages."""
    call = NewCall(
        pdf=pdf, output=output, pages=pages, paper=paper, force=force, config=config, jobs=jobs, password=password, quiet=quiet
    )
    return run_new(call)


@commands.command("check")
def check(
    place: Annotated[
        Path, typer.Argument(metavar="DIR_OR_FILE", parser=path, help="A folder of true tables, or one file: text, JSON, XML.")
    ],
    pdf: Annotated[
        Path | None,
        typer.Option("--pdf", metavar="PAPER.pdf", parser=path, help="Compare words with this PDF (default: the one beside)."),
    ] = None,
    password: Password = None,
    as_json: Json = False,
    debug: Debug = False,
) -> int:
    """Say what is left to do with true tables; exit code 9 when there is anything."""
    return run_check(place, pdf=pdf, password=password, as_json=as_json)


# ---- new ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class NewCall:
    """What the user typed behind ``truth new``; None where nothing was said."""

    pdf: Path
    output: Path | None = None
    pages: str | None = None
    paper: str | None = None
    force: bool = False
    config: str = "default"
    jobs: int = 1
    password: str | None = None
    quiet: bool = False


def run_new(call: NewCall) -> int:
    """Return 0 once the files are written.

    Raises what reading the PDF raises, and OutputError when a file is there already with other content, before any is written.
    """
    from variorum.apps.writing import atomic_write, refuse_unwritable
    from variorum.evaluation.truth_workbench import INDEX, index_text, name_of_paper, workbench_files

    folder = call.output if call.output is not None else Path(f"{call.pdf.stem}{FOLDER}")
    refuse_unwritable(folder)
    document = _read(call)
    files = workbench_files(document, call.paper or name_of_paper(call.pdf, document.key))
    contents = {file.name: file.text.encode("utf-8") for file in files}
    contents[INDEX] = index_text(document, files, _quoted(folder), _quoted(call.pdf)).encode("utf-8", errors="replace")
    contents |= _pictures(call, files)
    if not call.force:
        _refuse_to_replace(folder, contents)
    for name, data in contents.items():
        atomic_write(folder / name, data)
    if not call.quiet:
        _tell(folder, files)
    _name_others(folder, contents)
    return 0


def _read(call: NewCall) -> Document:
    from variorum.apps.cli.extract import pages_of, warnings_of
    from variorum.apps.cli.pages import parse_page_ranges
    from variorum.tables.config import load_config

    ranges = None if call.pages is None else parse_page_ranges(call.pages)
    settings = load_config(call.config)
    from variorum.extraction import extract

    with progress_bar(call.pdf.name, quiet=call.quiet) as progress:
        pages = pages_of(call.pdf, ranges, call.password)
        document = extract(
            call.pdf,
            config=settings,
            pages=pages,
            password=call.password,
            jobs=call.jobs,
            isolated=True,
            progress=progress,
        )
    for warning in warnings_of(call.pdf, document):
        complain(warning)
    return document


def _pictures(call: NewCall, files: tuple[WorkbenchFile, ...]) -> dict[str, bytes]:
    """Return the pictures of all pages on which a table stands or is missed, by the names of their files."""
    from variorum.evaluation.truth_workbench import PICTURE, PICTURE_DPI
    from variorum.geometry import Box
    from variorum.report.truth_pictures import truth_pictures

    boxes: dict[int, list[tuple[str, Box]]] = {file.truth.table.page: [] for file in files if file.truth.table.page}
    for file in files:
        for place in file.truth.places:
            boxes.setdefault(place.page, []).append((file.name.partition(".")[0], place.bbox))
    if not boxes:
        return {}
    drawn = truth_pictures(call.pdf, boxes, call.password, PICTURE_DPI, lambda what: complain(f"warning: {call.pdf}: {what}"))
    return {PICTURE.format(page): data for page, data in drawn.items()}


def _refuse_to_replace(folder: Path, contents: Mapping[str, bytes]) -> None:
    from variorum.errors import OutputError

    changed = [name for name, data in contents.items() if (folder / name).exists() and not _holds(folder / name, data)]
    if changed:
        more = f" and {len(changed) - _NAMED} more" if len(changed) > _NAMED else ""
        what = f"holds files that differ from what would be written: {', '.join(changed[:_NAMED])}{more}"
        raise OutputError(what, where=str(folder), hint="another folder with -o, or --force, which replaces them")


def _holds(file: Path, data: bytes) -> bool:
    try:
        return file.read_bytes() == data
    except OSError:
        return False


def _name_others(folder: Path, contents: Mapping[str, bytes]) -> None:
    """Complain of true tables in the folder that are none of this run: they are read as truth as well."""
    from variorum.evaluation.truth_text import SUFFIX

    others = sorted(file.name for file in folder.glob(f"*{SUFFIX}") if file.name not in contents)
    if others:
        complain(f"warning: {folder} also holds {', '.join(others[:_NAMED])}, from another run or by hand")


def _tell(folder: Path, files: tuple[WorkbenchFile, ...]) -> None:
    from variorum.document.voices import counted
    from variorum.evaluation.truth_workbench import INDEX

    lines = []
    for file in files:
        table = file.truth.table
        shape = f"{table.n_rows} × {table.n_cols}" if table.bbox is not None else "no table found for its caption"
        lines.append(f"{folder / file.name}: page {table.page}, {shape}")
    lines.append(f"{counted(len(files), 'table')}, none checked yet; begin with {folder / INDEX}")
    emit("\n".join(map(printable, lines)))


def _quoted(file: Path) -> str:
    return shlex.quote(str(file))


# ---- check ----------------------------------------------------------------------------------------------------------


def run_check(place: Path, *, pdf: Path | None, password: str | None, as_json: bool) -> int:
    """Return 0 when nothing is left to do, else 9, once all of it is on stdout.

    Raises InputNotFoundError when there is no such file or no truth in the folder, UsageError for a PDF, and what opening the
    PDF to compare with raises.
    """
    from variorum.errors import InputNotFoundError, PartialFailureError, UsageError
    from variorum.evaluation.truth_files import truth_files_in
    from variorum.evaluation.truth_workbench_check import check_truth

    if not place.exists():
        raise InputNotFoundError("no such truth file or folder", where=str(place), hint="check the path")
    if place.is_file() and place.suffix.lower() == ".pdf":
        hint = f"variorum truth check {_quoted(place.with_suffix(FOLDER))} --pdf {_quoted(place)}"
        raise UsageError("is a PDF, not a truth", where=str(place), hint=hint)
    files = truth_files_in(place) if place.is_dir() else [place]
    found: Callable[[Path], Path | None] = pdf_beside if pdf is None else lambda _: pdf
    result = check_truth(files, found, password)
    if as_json:
        emit_json(_as_json(result))
    else:
        has_pdf = any(found(file) is not None for file in files)
        emit("\n".join(map(printable, _lines(result, has_pdf=has_pdf))))
    return PartialFailureError.exit_code if result.findings else 0


def pdf_beside(file: Path) -> Path | None:
    """Return the PDF that a truth file is of, by its place, or None where that is not clear.

    ``NAME.pdf`` beside ``NAME-str.xml`` or ``NAME.json``; the only PDF of the folder; ``NAME.pdf`` beside the folder
    ``NAME.truth``.
    """
    folder = file.absolute().parent
    named = folder / f"{file.name.removesuffix('-str.xml').removesuffix('.json')}.pdf"
    if named.is_file():
        return named
    inside = sorted(folder.glob("*.pdf"))
    if len(inside) == 1:
        return inside[0]
    beside = folder.parent / f"{folder.name.removesuffix(FOLDER)}.pdf"
    return beside if folder.name.endswith(FOLDER) and beside.is_file() and not inside else None


def _as_json(result: CheckedTruth) -> dict[str, object]:
    findings = [
        {"file": f.file, "line": f.line or None, "kind": f.kind, "table_id": f.table_id, "what": f.what, "hint": f.hint}
        for f in result.findings
    ]
    counts = {"tables": result.table_count, "checked": result.checked_count, "compared": result.compared_count}
    return {**counts, "findings": findings}


def _lines(result: CheckedTruth, *, has_pdf: bool) -> list[str]:
    from variorum.document.voices import counted

    lines = [str(finding) for finding in result.findings if finding.kind != "unchecked"]
    waiting = [Path(finding.file).name for finding in result.findings if finding.kind == "unchecked"]
    if waiting:
        lines.append(f"not checked yet: {', '.join(waiting)}. To try: compare each with its page, then: checked: yes")
    parts = [counted(result.table_count, "table"), f"{result.checked_count} checked"]
    of_page = f"{result.compared_count} compared with the words of the page"
    not_compared = "words of pages not compared" + ("" if has_pdf else " (--pdf PAPER.pdf)")
    parts.append(of_page if result.compared_count else not_compared)
    faults = len(result.findings) - len(waiting)
    parts.append(counted(faults, "finding") if faults else "nothing found" if waiting else "nothing left to do")
    return [*lines, ", ".join(parts)]
