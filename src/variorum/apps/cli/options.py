"""Options and arguments that several commands share, with what their values must be."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from variorum.apps.cli.console import set_debug


def path(text: str) -> Path:
    """Return the path; an empty one, as of a variable that is not set, is refused: it would mean the current folder."""
    if not text:
        raise typer.BadParameter("a path is empty")
    return Path(text)


def whole_number(text: str) -> int:
    """Return the number; the parser's own words for a wrong one are those of a library."""
    try:
        return int(text)
    except ValueError:
        raise typer.BadParameter(f"{text!r} is no whole number") from None


Debug = Annotated[
    bool,
    typer.Option("--debug", callback=set_debug, is_eager=True, help="Print the traceback of an error (or VARIORUM_DEBUG=1)."),
]
Config = Annotated[
    str, typer.Option("--config", metavar="NAME|FILE", help="default, fast, ruled, minimal, or a TOML file.", show_default=True)
]
Weights = Annotated[
    Path | None,
    typer.Option("--weights", metavar="FILE", parser=path, help="What tune wrote, in place of the weights that come along."),
]
Pages = Annotated[str | None, typer.Option("--pages", metavar="RANGES", help="Only these pages, counted from 1: 3-5,8 or 8-.")]
Password = Annotated[str | None, typer.Option("--password", metavar="TEXT", help="Password of an encrypted PDF.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No summary and no progress.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]


Zotero = Annotated[
    Path | None,
    typer.Option("--zotero", metavar="DIR", parser=path, help="The Zotero data directory (default: that of the user)."),
]
Folder = Annotated[
    Path | None, typer.Option("--folder", metavar="DIR", parser=path, help="A folder of PDFs, in place of a Zotero library.")
]
BaseDir = Annotated[
    str | None,
    typer.Option("--base-dir", metavar="DIR", help="Base directory of linked files (default: what the Zotero profile sets)."),
]
Collections = Annotated[
    list[str] | None, typer.Option("--collection", metavar="NAME", help="Only this collection and those in it: A or A/B.")
]
Tags = Annotated[list[str] | None, typer.Option("--tag", metavar="TAG", help="Only items with this tag.")]
Libraries = Annotated[
    list[str] | None, typer.Option("--library", metavar="NAME", help="Only this library: user, groups/NUMBER or a name.")
]
Title = Annotated[str | None, typer.Option("--title", metavar="REGEX", help="Only items in whose title this is found.")]
Vectors = Annotated[
    str | None,
    typer.Option("--vectors", metavar="STORE", help="What finds the nearest vectors: exact (default), or chroma."),
]
ChromaPath = Annotated[
    Path | None,
    typer.Option("--chroma-path", metavar="DIR", parser=path, help="Chroma's folder (default: beside the index)."),
]
ChromaHost = Annotated[
    str | None, typer.Option("--chroma-host", metavar="HOST", help="A server of Chroma, in place of a folder.")
]
ChromaPort = Annotated[
    int | None, typer.Option("--chroma-port", metavar="N", parser=whole_number, help="Its port (default: 8000).")
]
