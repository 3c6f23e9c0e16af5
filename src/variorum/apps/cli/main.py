"""The command line: which commands and options there are, and what becomes of an error.

Every command is one call of a function beside this file. An error is one line on stderr and an exit code; the codes are in
``docs/reference/exit-codes.md``.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from variorum import __version__
from variorum.apps.cli.console import (
    INTERRUPTED_EXIT_CODE,
    PROGRAM,
    emit,
    prepare_streams,
    report_error,
    set_debug,
)
from variorum.apps.cli.mcp_command import commands as mcp_commands
from variorum.apps.cli.options import (
    BaseDir,
    Collections,
    Config,
    Debug,
    Folder,
    Json,
    Libraries,
    Pages,
    Password,
    Quiet,
    Tags,
    Title,
    Weights,
    Zotero,
    path,
    whole_number,
)
from variorum.apps.cli.search_commands import commands as search_commands
from variorum.apps.cli.stress_commands import commands as stress_commands
from variorum.apps.cli.truth import commands as truth_commands
from variorum.errors import UsageError

app = typer.Typer(
    name=PROGRAM,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)


def _print_version(wanted: bool) -> None:
    if wanted:
        emit(f"{PROGRAM} {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def _variorum(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
    debug: Debug = False,
) -> None:
    """Read scientific papers, text and tables: many methods vote on every divider, and the votes are kept."""
    if context.invoked_subcommand is None:
        emit(context.get_help())


@app.command()
def extract(
    inputs: Annotated[
        list[Path], typer.Argument(metavar="PDF_OR_FOLDER...", parser=path, help="PDFs, or folders that hold PDFs.")
    ],
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="DIR", parser=path, help="Folder of the results (default: ./NAME.variorum)."),
    ] = None,
    formats: Annotated[
        list[str] | None,
        typer.Option("--format", metavar="LIST", help="md,json,html,csv,figures,report (default), xlsx,docling,referee."),
    ] = None,
    dpi: Annotated[
        int,
        typer.Option("--dpi", metavar="N", parser=whole_number, help="Dots an inch of figures/*.png.", show_default=True),
    ] = 150,
    pages: Pages = None,
    config: Config = "default",
    weights: Weights = None,
    regions: Annotated[
        Path | None,
        typer.Option("--regions", metavar="FILE", parser=path, help="JSON list of page and bbox: only these tables."),
    ] = None,
    jobs: Annotated[
        int,
        typer.Option("--jobs", "-j", metavar="N", parser=whole_number, help="Processes that read pages.", show_default=True),
    ] = 1,
    password: Password = None,
    ocr: Annotated[bool, typer.Option("--ocr", help="Read pages without a usable text layer with Tesseract.")] = False,
    ocr_language: Annotated[
        str | None, typer.Option("--ocr-language", metavar="LANG", help="Languages for --ocr: eng (default), eng+deu.")
    ] = None,
    debug_db: Annotated[
        Path | None,
        typer.Option("--debug-db", metavar="FILE", parser=path, help="Also write all methods' results into this SQLite file."),
    ] = None,
    truth: Annotated[
        Path | None,
        typer.Option("--truth", metavar="FILE", parser=path, help="True tables to compare with, for --debug-db."),
    ] = None,
    as_json: Json = False,
    quiet: Quiet = False,
    debug: Debug = False,
) -> int:
    """Read PDFs: write their tables, text and votes, print a summary."""
    from variorum.apps.cli.extract import ExtractCall, run_extract

    return run_extract(
        ExtractCall(
            paths=tuple(inputs),
            output=output,
            formats=tuple(formats or ()),
            dpi=dpi,
            pages=pages,
            config=config,
            weights=weights,
            regions=regions,
            jobs=jobs,
            password=password,
            ocr=ocr,
            ocr_language=ocr_language,
            debug_db=debug_db,
            truth=truth,
            as_json=as_json,
            quiet=quiet,
        )
    )


@app.command()
def read(
    source: Annotated[
        Path,
        typer.Argument(
            metavar="SOURCE", parser=path, help="HTML from ar5iv, LaTeX, a DoclingDocument, a document.json, or a PDF."
        ),
    ],
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="DIR", parser=path, help="Folder of the results (default: ./NAME.variorum)."),
    ] = None,
    formats: Annotated[
        list[str] | None,
        typer.Option("--format", metavar="LIST", help="md,json,html,csv (default), xlsx,docling,referee; of PDFs all."),
    ] = None,
    kind: Annotated[
        str | None,
        typer.Option("--kind", metavar="KIND", help="ar5iv, latex, docling, document, pdf (default: what the file is)."),
    ] = None,
    via: Annotated[
        str | None, typer.Option("--via", metavar="latexml", help="Have LaTeXML make the HTML of a LaTeX source first.")
    ] = None,
    as_json: Json = False,
    quiet: Quiet = False,
    debug: Debug = False,
) -> int:
    """Read one source of a paper alone: HTML, LaTeX, Docling's JSON, or a PDF."""
    from variorum.apps.cli.read import ReadCall, run_read

    return run_read(
        ReadCall(path=source, output=output, formats=tuple(formats or ()), kind=kind, via=via, as_json=as_json, quiet=quiet)
    )


@app.command()
def fuse(
    pdf: Annotated[
        Path | None, typer.Option("--pdf", metavar="FILE", parser=path, help="The PDF, or the document.json read from it.")
    ] = None,
    ar5iv: Annotated[
        Path | None, typer.Option("--ar5iv", metavar="FILE", parser=path, help="HTML that LaTeXML made, as ar5iv serves it.")
    ] = None,
    latex: Annotated[
        Path | None, typer.Option("--latex", metavar="PATH", parser=path, help="LaTeX: a folder, a .tex file, an archive.")
    ] = None,
    docling: Annotated[
        Path | None, typer.Option("--docling", metavar="FILE", parser=path, help="A DoclingDocument that Docling saved.")
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o", "--output", metavar="DIR", parser=path, help="Folder of the results (default: ./NAME-fused.variorum)."
        ),
    ] = None,
    tenant: Annotated[
        str, typer.Option("--tenant", metavar="NAME|FILE", help="default, default-dynamic, or a TOML file.", show_default=True)
    ] = "default",
    tenants: Annotated[
        Path | None, typer.Option("--tenants", metavar="DIR", parser=path, help="Folder of your tenants, NAME.toml each.")
    ] = None,
    formats: Annotated[
        list[str] | None,
        typer.Option("--format", metavar="LIST", help="md,json,html,csv,report (default), figures,xlsx,docling,referee."),
    ] = None,
    dpi: Annotated[
        int,
        typer.Option("--dpi", metavar="N", parser=whole_number, help="Dots an inch of figures/*.png.", show_default=True),
    ] = 150,
    config: Config = "default",
    jobs: Annotated[
        int,
        typer.Option("--jobs", "-j", metavar="N", parser=whole_number, help="Processes that read pages.", show_default=True),
    ] = 1,
    password: Password = None,
    audit_log: Annotated[
        Path | None,
        typer.Option("--audit-log", metavar="FILE", parser=path, help="Log to append to (default: audit.jsonl in the folder)."),
    ] = None,
    stamp: Annotated[
        str | None, typer.Option("--stamp", metavar="TEXT", help="A text for the log's record of this run, such as a date.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Fuse sources that seem to be of different papers.")] = False,
    as_json: Json = False,
    quiet: Quiet = False,
    debug: Debug = False,
) -> int:
    """Fuse several sources of one paper: per place the most confident reading, every decision kept."""
    from variorum.apps.cli.fuse import FuseCall, run_fuse

    given = {"latex": latex, "ar5iv": ar5iv, "docling": docling, "pdf": pdf}
    return run_fuse(
        FuseCall(
            paths={kind: path for kind, path in given.items() if path is not None},
            output=output,
            tenant=tenant,
            tenants=tenants,
            formats=tuple(formats or ()),
            dpi=dpi,
            config=config,
            jobs=jobs,
            password=password,
            audit_log=audit_log,
            stamp=stamp,
            force=force,
            as_json=as_json,
            quiet=quiet,
        )
    )


@app.command("tenants")
def list_tenants(
    name: Annotated[
        str | None, typer.Argument(metavar="[NAME|FILE]", help="A tenant, to see its numbers and where each comes from.")
    ] = None,
    folder: Annotated[
        Path | None, typer.Option("--tenants", metavar="DIR", parser=path, help="Folder of your tenants, NAME.toml each.")
    ] = None,
    as_json: Json = False,
    debug: Debug = False,
) -> int:
    """List the tenants of fusion, or show the matrix of one that is in effect."""
    from variorum.apps.cli.tenants import run_tenants

    return run_tenants(name, folder=folder, as_json=as_json)


@app.command()
def fetch(
    paper: Annotated[
        str, typer.Argument(metavar="ARXIV_ID", help="arxiv:0704.0001, 0704.0001v2, hep-th/9901001, or an address.")
    ],
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="DIR", parser=path, help="Where the paper's folder goes (default: here)."),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Ask again for what is there, or was not to be had.")] = False,
    pause: Annotated[
        float, typer.Option("--pause", metavar="SECONDS", help="Least time between two requests to a host.", show_default=True)
    ] = 3.0,
    arxiv_url: Annotated[
        str, typer.Option("--arxiv-url", metavar="URL", help="Another site in place of arXiv's.", show_default=True)
    ] = "https://export.arxiv.org",
    ar5iv_url: Annotated[
        str, typer.Option("--ar5iv-url", metavar="URL", help="Another site in place of ar5iv.", show_default=True)
    ] = "https://ar5iv.labs.arxiv.org",
    as_json: Json = False,
    quiet: Quiet = False,
    debug: Debug = False,
) -> int:
    """Get a paper from arXiv: PDF, LaTeX source, HTML. Beside it only fetch-model and mcp --openalex use the network."""
    from variorum.apps.cli.fetch import FetchCall, run_fetch

    return run_fetch(
        FetchCall(
            paper=paper,
            output=output,
            force=force,
            arxiv_url=arxiv_url,
            ar5iv_url=ar5iv_url,
            pause=pause,
            as_json=as_json,
            quiet=quiet,
        )
    )


@app.command()
def explain(
    source: Annotated[
        Path,
        typer.Argument(
            metavar="PDF_OR_JSON", parser=path, help="A PDF, or the document.json or fusion.json of an earlier run."
        ),
    ],
    table: Annotated[
        str | None, typer.Option("--table", "-t", metavar="TABLE", help="The printed number (2), position ('#3') or id.")
    ] = None,
    divider: Annotated[
        str | None, typer.Option("--divider", metavar="ID", help="Only this divider or edge, such as c3, r2 or top.")
    ] = None,
    heading: Annotated[
        str | None, typer.Option("--heading", metavar="HEADING", help="A heading: its number (3.2), its words, or '#4'.")
    ] = None,
    headings: Annotated[bool, typer.Option("--headings", help="List all that was put to the vote as a heading.")] = False,
    component: Annotated[
        str | None, typer.Option("--component", metavar="ID", help="Of a fusion.json: an id of the fused document.")
    ] = None,
    config: Annotated[
        str | None, typer.Option("--config", metavar="NAME|FILE", help="default, fast, ruled, minimal, or a TOML file.")
    ] = None,
    weights: Weights = None,
    pages: Pages = None,
    password: Password = None,
    quiet: Quiet = False,
    debug: Debug = False,
) -> int:
    """Say who voted for a table's dividers, a heading or a component of a fusion, and why it won."""
    from variorum.apps.cli.explain import Question, Reading, run_explain

    question = Question(table=table, divider=divider, heading=heading, lists_headings=headings, component=component)
    reading = Reading(config=config, weights=weights, pages=pages, password=password)
    return run_explain(source, question, reading=reading, quiet=quiet)


@app.command()
def tune(
    database: Annotated[Path, typer.Argument(metavar="DEBUG.db", parser=path, help="What extract --debug-db --truth wrote.")],
    output: Annotated[
        Path, typer.Option("-o", "--output", metavar="FILE", parser=path, help="Where the weights go.", show_default=True)
    ] = Path("pipeline_weights.json"),
    quiet: Quiet = False,
    debug: Debug = False,
) -> int:
    """Measure the weights of the structure methods by the tables that each read best."""
    from variorum.apps.cli.tune import run_tune

    return run_tune(database, output=output, quiet=quiet)


@app.command()
def votes(
    database: Annotated[Path, typer.Argument(metavar="DEBUG.db", parser=path, help="What extract --debug-db wrote.")],
    html: Annotated[
        Path | None, typer.Option("--html", metavar="FILE", parser=path, help="Also write a page with plots.")
    ] = None,
    as_json: Json = False,
    debug: Debug = False,
) -> int:
    """Say what each voter is worth: coverage, overlap, conflict, accuracy, and the vote without it."""
    from variorum.apps.cli.votes import run_votes

    return run_votes(database, as_json=as_json, html=html)


@app.command()
def methods(
    name: Annotated[str | None, typer.Argument(metavar="[NAME]", help="A method, to read all it says of itself.")] = None,
    as_json: Json = False,
    debug: Debug = False,
) -> int:
    """List the methods with their ideas, or tell all about one."""
    from variorum.apps.cli.methods import run_methods

    return run_methods(name, as_json=as_json)


app.add_typer(search_commands)
app.add_typer(mcp_commands)
app.add_typer(stress_commands, name="stress")
app.add_typer(truth_commands, name="truth")

library_app = typer.Typer(rich_markup_mode=None)
app.add_typer(library_app, name="library")


@library_app.callback(invoke_without_command=True)
def _library(context: typer.Context) -> None:
    """Say what a Zotero library, or a folder of PDFs, holds. It is only read."""
    if context.invoked_subcommand is None:
        emit(context.get_help())


_Trash = Annotated[bool, typer.Option("--trash", help="Also items in the trash.")]


@library_app.command("list")
def library_list(
    zotero: Zotero = None,
    folder: Folder = None,
    base_dir: BaseDir = None,
    collection: Collections = None,
    tag: Tags = None,
    library: Libraries = None,
    title: Title = None,
    trash: _Trash = False,
    as_json: Json = False,
    debug: Debug = False,
) -> int:
    """List the items, a line each, and account for all that was found."""
    from variorum.apps.chosen_library import LibraryPlace
    from variorum.apps.cli.libraries import Filters, run_list

    filters = Filters(
        collections=tuple(collection or ()),
        tags=tuple(tag or ()),
        libraries=tuple(library or ()),
        title=title,
        with_trash=trash,
    )
    return run_list(LibraryPlace(zotero=zotero, folder=folder, base_dir=base_dir), filters, as_json=as_json)


@library_app.command("show")
def library_show(
    key: Annotated[str, typer.Argument(metavar="KEY", help="The key of an item or attachment, or LIBRARY/KEY.")],
    zotero: Zotero = None,
    folder: Folder = None,
    base_dir: BaseDir = None,
    as_json: Json = False,
    debug: Debug = False,
) -> int:
    """Tell all about one item: metadata, files, annotations, notes."""
    from variorum.apps.chosen_library import LibraryPlace
    from variorum.apps.cli.libraries import run_show

    return run_show(LibraryPlace(zotero=zotero, folder=folder, base_dir=base_dir), key, as_json=as_json)


@library_app.command("check")
def library_check(
    zotero: Zotero = None,
    folder: Folder = None,
    base_dir: BaseDir = None,
    collection: Collections = None,
    tag: Tags = None,
    library: Libraries = None,
    title: Title = None,
    trash: _Trash = False,
    jobs: Annotated[
        int,
        typer.Option("--jobs", "-j", metavar="N", parser=whole_number, help="Processes that open PDFs.", show_default=True),
    ] = 1,
    as_json: Json = False,
    quiet: Quiet = False,
    debug: Debug = False,
) -> int:
    """Open every PDF and say which cannot be read, and why; exit code 9 when there is one."""
    from variorum.apps.chosen_library import LibraryPlace
    from variorum.apps.cli.libraries import Filters, run_check

    filters = Filters(
        collections=tuple(collection or ()),
        tags=tuple(tag or ()),
        libraries=tuple(library or ()),
        title=title,
        with_trash=trash,
    )
    place = LibraryPlace(zotero=zotero, folder=folder, base_dir=base_dir)
    return run_check(place, filters, jobs=jobs, as_json=as_json, quiet=quiet)


@app.command()
def calibrate(
    corpus: Annotated[
        Path, typer.Argument(metavar="CORPUS", parser=path, help="A folder a paper: its sources and its truth.json.")
    ],
    output: Annotated[
        Path, typer.Option("-o", "--output", metavar="FILE", parser=path, help="Where the tenant goes.", show_default=True)
    ] = Path("matrix.toml"),
    readings: Annotated[
        Path | None,
        typer.Option("--readings", metavar="DIR", parser=path, help="DIR/PAPER/document.json: PDFs that were read before."),
    ] = None,
    base: Annotated[
        str, typer.Option("--base", metavar="NAME|FILE", help="Tenant whose scale counts.", show_default=True)
    ] = "default",
    tenants: Annotated[
        Path | None, typer.Option("--tenants", metavar="DIR", parser=path, help="Folder of your tenants, NAME.toml each.")
    ] = None,
    name: Annotated[
        str | None, typer.Option("--name", metavar="NAME", help="Name of the tenant (default: that of the file).")
    ] = None,
    truth_from: Annotated[
        str | None,
        typer.Option("--truth-from", metavar="SOURCE", help="What the truth was made from (default: seen by its ids)."),
    ] = None,
    accept_circular: Annotated[
        bool, typer.Option("--accept-circular", help="Also take numbers of sources that the truth was made from.")
    ] = False,
    as_json: Json = False,
    quiet: Quiet = False,
    debug: Debug = False,
) -> int:
    """Measure how often each source is right about each type of component: weights for a tenant."""
    from variorum.apps.cli.calibrate import CalibrateCall, run_calibrate

    return run_calibrate(
        CalibrateCall(
            corpus=corpus,
            output=output,
            readings=readings,
            base=base,
            tenants=tenants,
            name=name,
            truth_from=truth_from,
            accepts_circular=accept_circular,
            as_json=as_json,
            quiet=quiet,
        )
    )


audit_app = typer.Typer(
    add_completion=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
app.add_typer(audit_app, name="audit")

_Log = Annotated[Path, typer.Argument(metavar="LOG", parser=path, help="The audit.jsonl that variorum fuse wrote.")]
_Run = Annotated[
    int | None, typer.Option("--run", metavar="N", parser=whole_number, help="Only this run of the log (default: all).")
]


@audit_app.callback(invoke_without_command=True)
def _audit(context: typer.Context, debug: Debug = False) -> None:
    """Check the audit log of fusions, make its runs again, or read it."""
    if context.invoked_subcommand is None:
        emit(context.get_help())


@audit_app.command("verify")
def audit_verify(
    log: _Log,
    expect_head: Annotated[
        str | None,
        typer.Option("--expect-head", metavar="HASH", help="A hash that the log's head has, or had when you kept it."),
    ] = None,
    as_json: Json = False,
    debug: Debug = False,
) -> int:
    """Find what was altered, taken out, put in or moved in a log."""
    from variorum.apps.cli.audit import run_verify

    return run_verify(log, expect_head=expect_head, as_json=as_json)


@audit_app.command("replay")
def audit_replay(
    log: _Log,
    run: _Run = None,
    inputs: Annotated[
        Path | None,
        typer.Option("--inputs", metavar="DIR", parser=path, help="Folder in which the inputs are looked for by their names."),
    ] = None,
    pdf: Annotated[Path | None, typer.Option("--pdf", metavar="FILE", parser=path, help="The PDF.")] = None,
    ar5iv: Annotated[Path | None, typer.Option("--ar5iv", metavar="FILE", parser=path, help="The HTML.")] = None,
    latex: Annotated[Path | None, typer.Option("--latex", metavar="PATH", parser=path, help="The LaTeX source.")] = None,
    docling: Annotated[Path | None, typer.Option("--docling", metavar="FILE", parser=path, help="The DoclingDocument.")] = None,
    stored_readings: Annotated[
        Path | None,
        typer.Option(
            "--stored-readings",
            metavar="DIR",
            parser=path,
            help="The readings folder of the run: its pdf.json, not the PDF anew.",
        ),
    ] = None,
    config: Config = "default",
    jobs: Annotated[
        int,
        typer.Option("--jobs", "-j", metavar="N", parser=whole_number, help="Processes that read pages.", show_default=True),
    ] = 1,
    password: Password = None,
    as_json: Json = False,
    quiet: Quiet = False,
    debug: Debug = False,
) -> int:
    """Fuse again from the inputs of a log and compare every decision and byte."""
    from variorum.apps.cli.audit import run_replay
    from variorum.apps.replaying import ReplayInputs

    given = {"latex": latex, "ar5iv": ar5iv, "docling": docling, "pdf": pdf}
    places = ReplayInputs(
        paths={kind: path for kind, path in given.items() if path is not None},
        folder=inputs,
        readings=stored_readings,
        password=password,
        config=config,
        jobs=jobs,
    )
    return run_replay(log, run=run, inputs=places, as_json=as_json, quiet=quiet)


@audit_app.command("show")
def audit_show(
    log: _Log,
    run: _Run = None,
    component: Annotated[
        str | None, typer.Option("--component", metavar="ID", help="Only decisions on this component, by its id.")
    ] = None,
    as_json: Json = False,
    debug: Debug = False,
) -> int:
    """Print the runs of a log: inputs, decisions with all candidates, results."""
    from variorum.apps.cli.audit import run_show

    return run_show(log, run=run, component=component, as_json=as_json)


@audit_app.command("repair")
def audit_repair(log: _Log, quiet: Quiet = False, debug: Debug = False) -> int:
    """Move the rest of an interrupted run aside, and let the log say so."""
    from variorum.apps.cli.audit import run_repair

    return run_repair(log, quiet=quiet)


def main(arguments: Sequence[str] | None = None) -> int:
    """Return the exit code of the command line (that of the process by default), once all is done and said."""
    prepare_streams()
    set_debug(False)
    try:
        result = app(args=arguments, prog_name=PROGRAM, standalone_mode=False)
    except typer.Abort as error:
        return report_error(KeyboardInterrupt(*error.args))
    except KeyboardInterrupt as error:
        return report_error(error)
    except Exception as error:
        return report_error(_usage_error(error) or error)
    if result == INTERRUPTED_EXIT_CODE:  # typer turns an interruption into this code without a word
        return report_error(KeyboardInterrupt())
    return result if isinstance(result, int) else 0


def _usage_error(error: Exception) -> UsageError | None:
    """Return the error of the option parser as one of the family; None when it is something else."""
    describe = getattr(error, "format_message", None)  # the parser's exceptions have no public common type
    if describe is None:
        return None
    context = getattr(error, "ctx", None)
    path = context.command_path if context is not None else PROGRAM
    what = str(describe()).rstrip(".").replace(". Did you mean", ", did you mean").removesuffix("?")
    hint = f"{path} --help"
    takes_text = context is not None and any(each.param_type_name == "argument" for each in context.command.params)
    if takes_text and hasattr(error, "option_name") and hasattr(error, "possibilities"):  # there is no such option
        hint += ", or -- before what begins with a dash and is no option"
    return UsageError(what, hint=hint)


def run() -> None:
    """Return never: ends the process with the exit code of the command line."""
    sys.exit(main())


if __name__ == "__main__":
    run()
