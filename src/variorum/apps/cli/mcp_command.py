"""The command that serves the index to language models. `main.py` adds it to the others."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from variorum.apps.cli.options import (
    BaseDir,
    ChromaHost,
    ChromaPath,
    ChromaPort,
    Debug,
    Folder,
    Vectors,
    Zotero,
    path,
    whole_number,
)

commands = typer.Typer()


@commands.command("mcp")
def serve_mcp(
    index_file: Annotated[
        Path | None,
        typer.Option(
            "--index", metavar="FILE", parser=path, help="The index (default: index.sqlite in the user's data folder)."
        ),
    ] = None,
    zotero: Zotero = None,
    folder: Folder = None,
    base_dir: BaseDir = None,
    model: Annotated[
        Path | None,
        typer.Option("--model", metavar="DIR", parser=path, help="Folder of the model of the vectors (default: look for one)."),
    ] = None,
    ranking: Annotated[
        Path | None,
        typer.Option("--ranking", metavar="FILE", parser=path, help="TOML with weights of sections and journals."),
    ] = None,
    vectors: Vectors = None,
    chroma_path: ChromaPath = None,
    chroma_host: ChromaHost = None,
    chroma_port: ChromaPort = None,
    jobs: Annotated[
        int, typer.Option("--jobs", "-j", metavar="N", parser=whole_number, help="Processes that read PDFs.", show_default=True)
    ] = 1,
    http: Annotated[
        bool, typer.Option("--http", help="Serve over HTTP on this computer, in place of stdin and stdout.")
    ] = False,
    port: Annotated[
        int | None,
        typer.Option("--port", metavar="N", parser=whole_number, help="Port for --http (default: 8642; 0 for any)."),
    ] = None,
    openalex: Annotated[
        bool, typer.Option("--openalex", help="Also tell who cites a paper and whom it cites, by asking OpenAlex.")
    ] = False,
    openalex_url: Annotated[
        str | None, typer.Option("--openalex-url", metavar="URL", help="Another site in place of https://api.openalex.org.")
    ] = None,
    debug: Debug = False,
) -> int:
    """Serve the index to language models by the Model Context Protocol."""
    from variorum.apps.chosen_library import LibraryPlace
    from variorum.apps.cli.mcp import ServerCall, run_mcp
    from variorum.search.vector_choice import chosen_vectors

    return run_mcp(
        ServerCall(
            place=LibraryPlace(zotero=zotero, folder=folder, base_dir=base_dir),
            index=index_file,
            model=model,
            ranking=ranking,
            vectors=chosen_vectors(vectors, chroma_path, chroma_host, chroma_port),
            jobs=jobs,
            http=http,
            port=port,
            openalex=openalex,
            openalex_url=openalex_url,
        )
    )
