"""The command that tests the whole product on real papers, and what hangs below it. `main.py` adds it to the others."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from variorum.apps.cli.options import BaseDir, Config, Debug, Folder, Json, Quiet, path, whole_number
from variorum.apps.cli.stress_diff import stress_diff
from variorum.errors import UsageError

commands = typer.Typer(rich_markup_mode=None)


@commands.callback(invoke_without_command=True)
def stress(
    context: typer.Context,
    corpus: Annotated[
        Path | None,
        typer.Option("--corpus", metavar="DIR", parser=path, help="A folder of PDFs, or of papers with their truth."),
    ] = None,
    zotero: Annotated[
        Path | None, typer.Option("--zotero", metavar="DIR", parser=path, help="A Zotero data directory; it is only read.")
    ] = None,
    folder: Folder = None,
    base_dir: BaseDir = None,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="DIR", parser=path, help="Where everything is kept, and resumed.")
    ] = None,
    truth: Annotated[
        Path | None,
        typer.Option("--truth", metavar="PATH", parser=path, help="True tables: a file, or a folder with names of papers."),
    ] = None,
    item: Annotated[
        list[str] | None, typer.Option("--item", metavar="KEY", help="Only this paper: its key, or another name of it.")
    ] = None,
    papers: Annotated[
        int | None, typer.Option("--papers", metavar="N", parser=whole_number, help="So many, spread evenly over the corpus.")
    ] = None,
    jobs: Annotated[
        int, typer.Option("--jobs", "-j", metavar="N", parser=whole_number, help="Processes that read PDFs.", show_default=True)
    ] = 1,
    config: Config = "default",
    no_variants: Annotated[
        bool, typer.Option("--no-variants", help="Leave out the readings by the other named configurations.")
    ] = False,
    model: Annotated[
        Path | None,
        typer.Option("--model", metavar="DIR", parser=path, help="Folder of the model of the vectors (default: look for one)."),
    ] = None,
    no_vectors: Annotated[bool, typer.Option("--no-vectors", help="Make no vectors: searches go by words.")] = False,
    time_limit: Annotated[
        int, typer.Option("--time-limit", metavar="SECONDS", parser=whole_number, help="For one paper.", show_default=True)
    ] = 1800,
    memory_limit: Annotated[
        int,
        typer.Option("--memory-limit", metavar="MB", parser=whole_number, help="For the process of one.", show_default=True),
    ] = 4096,
    prune: Annotated[
        bool, typer.Option("--prune", help="Take papers out of the output that this call does not ask for.")
    ] = False,
    as_json: Json = False,
    quiet: Quiet = False,
    debug: Debug = False,
) -> int:
    """Test the whole product on real papers: read, index, search, compare with the truth, and give a verdict.

    Exit codes of a test that came to its end, which its last line says with VERDICT: 0 reliable, 1 rough edges, 2 unreliable.
    """
    from variorum.apps.cli.stress import StressCall, run_stress_command

    places = (corpus, zotero, folder)
    if context.invoked_subcommand is not None:
        if any(place is not None for place in (*places, output, truth)):
            command = context.invoked_subcommand
            raise UsageError("takes no options of the test", where=f"stress {command}", hint=f"stress {command} --help")
        return 0
    return run_stress_command(
        StressCall(
            corpus=corpus,
            zotero=zotero,
            folder=folder,
            base_dir=base_dir,
            output=output,
            truth=truth,
            items=tuple(item or ()),
            count=papers,
            jobs=jobs,
            config=config,
            with_variants=not no_variants,
            model=model,
            no_vectors=no_vectors,
            time_limit=time_limit,
            memory_limit=memory_limit,
            prune=prune,
            as_json=as_json,
            quiet=quiet,
        )
    )


commands.command("diff")(stress_diff)
