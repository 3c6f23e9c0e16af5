"""The commands of the library that can be asked: index, search, tables, figures, stats, and the one that fetches the model.
`main.py` adds them to the others."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Literal

import typer

from variorum.apps.cli.options import (
    BaseDir,
    ChromaHost,
    ChromaPath,
    ChromaPort,
    Collections,
    Debug,
    Folder,
    Json,
    Libraries,
    Quiet,
    Tags,
    Title,
    Vectors,
    Zotero,
    path,
    whole_number,
)
from variorum.errors import UsageError

commands = typer.Typer()

_Index = Annotated[
    Path | None,
    typer.Option("--index", metavar="FILE", parser=path, help="The index (default: index.sqlite in the user's data folder)."),
]
_Model = Annotated[
    Path | None,
    typer.Option("--model", metavar="DIR", parser=path, help="Folder of the model of the vectors (default: look for one)."),
]
_Items = Annotated[list[str] | None, typer.Option("--item", metavar="KEY", help="Only this item: its key, or LIBRARY/KEY.")]
_Authors = Annotated[list[str] | None, typer.Option("--author", metavar="NAME", help="Only papers of this author.")]
_Years = Annotated[
    str | None, typer.Option("--year", metavar="YEARS", help="Only papers of these years: 2017, 2015-2020, 2015-.")
]
_Types = Annotated[list[str] | None, typer.Option("--type", metavar="TYPE", help="Only items of this type: journalArticle.")]
_Sections = Annotated[
    list[str] | None, typer.Option("--section", metavar="NAME", help="Only this part of papers: abstract, methods, results.")
]
_Required = Annotated[list[str] | None, typer.Option("--require", metavar="TERM", help="Only what has this word or phrase.")]
_Limit = Annotated[
    int, typer.Option("--limit", "-n", metavar="N", parser=whole_number, help="How many at most.", show_default=True)
]
_By = Annotated[
    str | None, typer.Option("--by", metavar="MODE", help="words, vectors, or hybrid (default: both where there are vectors).")
]
_Ranking = Annotated[
    Path | None, typer.Option("--ranking", metavar="FILE", parser=path, help="TOML with weights of sections and journals.")
]
_Explain = Annotated[bool, typer.Option("--explain", help="Say of each hit why it stands where it stands.")]


@commands.command()
def index(
    zotero: Zotero = None,
    folder: Folder = None,
    base_dir: BaseDir = None,
    index_file: _Index = None,
    item: _Items = None,
    collection: Collections = None,
    tag: Tags = None,
    library: Libraries = None,
    title: Title = None,
    limit: Annotated[
        int | None, typer.Option("--limit", metavar="N", parser=whole_number, help="Read at most so many PDFs in this run.")
    ] = None,
    jobs: Annotated[
        int, typer.Option("--jobs", "-j", metavar="N", parser=whole_number, help="Processes that read PDFs.", show_default=True)
    ] = 1,
    config: Annotated[
        str | None,
        typer.Option("--config", metavar="NAME|FILE", help="How papers are read: default, fast, … (default: as before)."),
    ] = None,
    ocr: Annotated[bool, typer.Option("--ocr", help="Read pages without a usable text layer with Tesseract.")] = False,
    ocr_language: Annotated[
        str | None, typer.Option("--ocr-language", metavar="LANG", help="Languages for --ocr: eng (default), eng+deu.")
    ] = None,
    model: _Model = None,
    vectors: Vectors = None,
    chroma_path: ChromaPath = None,
    chroma_host: ChromaHost = None,
    chroma_port: ChromaPort = None,
    no_vectors: Annotated[bool, typer.Option("--no-vectors", help="Make no vectors in this run.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Read all PDFs again.")] = False,
    retry: Annotated[bool, typer.Option("--retry", help="Read again what failed or had no text before.")] = False,
    rebuild: Annotated[
        bool, typer.Option("--rebuild", help="Make chunks and vectors anew, of papers as they were read.")
    ] = False,
    time_limit: Annotated[
        int,
        typer.Option("--time-limit", metavar="SECONDS", parser=whole_number, help="For one paper.", show_default=True),
    ] = 1800,
    memory_limit: Annotated[
        int,
        typer.Option("--memory-limit", metavar="MB", parser=whole_number, help="For the process of one.", show_default=True),
    ] = 4096,
    verify: Annotated[bool, typer.Option("--verify", help="Only check that the index is whole.")] = False,
    as_json: Json = False,
    quiet: Quiet = False,
    debug: Debug = False,
) -> int:
    """Make a library searchable: read what is new or changed, take out what is gone."""
    from variorum.apps.chosen_library import LibraryPlace
    from variorum.apps.cli.index import IndexCall, run_index, run_verify
    from variorum.apps.indexing import IndexWishes
    from variorum.libraries.selecting import Selection
    from variorum.search.folders import default_index
    from variorum.search.vector_choice import chosen_vectors

    choice = chosen_vectors(vectors, chroma_path, chroma_host, chroma_port)
    if verify:
        return run_verify(index_file, choice, as_json=as_json)
    wishes = IndexWishes(
        place=LibraryPlace(zotero=zotero, folder=folder, base_dir=base_dir),
        index=index_file or default_index(),
        selection=Selection(
            collections=tuple(collection or ()),
            tags=tuple(tag or ()),
            libraries=tuple(library or ()),
            keys=tuple(item or ()),
            title=title,
        ),
        limit=limit,
        jobs=jobs,
        config=config,
        ocr=ocr,
        ocr_language=ocr_language,
        model=model,
        no_vectors=no_vectors,
        force=force,
        retry=retry,
        rebuild=rebuild,
        time_limit=time_limit,
        memory_limit=memory_limit,
    )
    return run_index(IndexCall(wishes=wishes, vectors=choice, as_json=as_json, quiet=quiet))


@commands.command()
def search(
    question: Annotated[str, typer.Argument(metavar="QUESTION", help="Words, a sentence, or with --boolean an expression.")],
    topic: Annotated[bool, typer.Option("--topic", help="Rank papers as wholes: who writes about this?")] = False,
    boolean: Annotated[bool, typer.Option("--boolean", help='AND, OR, NOT, brackets, "phrases", beginnings*.')] = False,
    within: Annotated[
        str, typer.Option("--within", metavar="WHAT", help="paper or passage that fulfils --boolean.", show_default=True)
    ] = "paper",
    author: _Authors = None,
    year: _Years = None,
    tag: Tags = None,
    collection: Collections = None,
    library: Libraries = None,
    item_type: _Types = None,
    item: _Items = None,
    kind: Annotated[
        list[str] | None,
        typer.Option("--kind", metavar="KIND", help="Only passage, table, figure, or record (of an item)."),
    ] = None,
    section: _Sections = None,
    require: _Required = None,
    limit: _Limit = 10,
    by: _By = None,
    ranking: _Ranking = None,
    explain: _Explain = False,
    index_file: _Index = None,
    model: _Model = None,
    vectors: Vectors = None,
    chroma_path: ChromaPath = None,
    chroma_host: ChromaHost = None,
    chroma_port: ChromaPort = None,
    as_json: Json = False,
    debug: Debug = False,
) -> int:
    """Find passages, tables and figures that answer a question, by words and by meaning."""
    from variorum.apps.cli.search import FilterTexts, SearchCall, run_search
    from variorum.search.vector_choice import chosen_vectors

    filters = FilterTexts(
        authors=tuple(author or ()),
        years=year,
        tags=tuple(tag or ()),
        collections=tuple(collection or ()),
        libraries=tuple(library or ()),
        item_types=tuple(item_type or ()),
        items=tuple(item or ()),
        kinds=tuple(kind or ()),
        sections=tuple(section or ()),
        required=tuple(require or ()),
    )
    return run_search(
        SearchCall(
            question=question,
            how=_way(topic=topic, boolean=boolean),
            within=within,
            filters=filters,
            limit=limit,
            by=by,
            ranking=ranking,
            explain=explain,
            index=index_file,
            model=model,
            vectors=chosen_vectors(vectors, chroma_path, chroma_host, chroma_port),
            as_json=as_json,
        )
    )


def _float_command(how: Literal["tables", "figures"]) -> Callable[..., int]:
    """Return the command that finds floats of one kind; both take the same options."""

    def command(
        question: Annotated[str, typer.Argument(metavar="QUESTION", help="What it shows, in words.")],
        author: _Authors = None,
        year: _Years = None,
        tag: Tags = None,
        collection: Collections = None,
        library: Libraries = None,
        item_type: _Types = None,
        item: _Items = None,
        section: _Sections = None,
        require: _Required = None,
        limit: _Limit = 10,
        by: _By = None,
        ranking: _Ranking = None,
        explain: _Explain = False,
        index_file: _Index = None,
        model: _Model = None,
        vectors: Vectors = None,
        chroma_path: ChromaPath = None,
        chroma_host: ChromaHost = None,
        chroma_port: ChromaPort = None,
        as_json: Json = False,
        debug: Debug = False,
    ) -> int:
        from variorum.apps.cli.search import FilterTexts, SearchCall, run_search
        from variorum.search.vector_choice import chosen_vectors

        filters = FilterTexts(
            authors=tuple(author or ()),
            years=year,
            tags=tuple(tag or ()),
            collections=tuple(collection or ()),
            libraries=tuple(library or ()),
            item_types=tuple(item_type or ()),
            items=tuple(item or ()),
            sections=tuple(section or ()),
            required=tuple(require or ()),
        )
        return run_search(
            SearchCall(
                question=question,
                how=how,
                filters=filters,
                limit=limit,
                by=by,
                ranking=ranking,
                explain=explain,
                index=index_file,
                model=model,
                vectors=chosen_vectors(vectors, chroma_path, chroma_host, chroma_port),
                as_json=as_json,
            )
        )

    return command


commands.command("tables", help="Find tables by their captions, cells, and the passages that name them.")(
    _float_command("tables")
)
commands.command("figures", help="Find figures by their captions, words, and the passages that name them.")(
    _float_command("figures")
)


def _way(*, topic: bool, boolean: bool) -> Literal["passages", "topic", "boolean"]:
    """Return how a search goes; raises UsageError for two ways at once."""
    if topic and boolean:
        raise UsageError("--topic and --boolean are two ways to search", where="search", hint="one of them")
    return "topic" if topic else "boolean" if boolean else "passages"


@commands.command()
def stats(index_file: _Index = None, as_json: Json = False, debug: Debug = False) -> int:
    """Say what the index holds, by what it was made, and which PDFs are not in it."""
    from variorum.apps.cli.search import run_stats

    return run_stats(index_file, as_json=as_json)


@commands.command("fetch-model")
def fetch_model(
    url: Annotated[
        str | None, typer.Option("--from", metavar="URL", help="Another host of the same files (default: the authors').")
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="DIR", parser=path, help="Another folder (default: the user's data folder)."),
    ] = None,
    as_json: Json = False,
    quiet: Quiet = False,
    debug: Debug = False,
) -> int:
    """Download the model of the vectors (91 MB), once, for searches by meaning. Its files are checked by their SHA-256."""
    from variorum.apps.cli.fetch_model import ModelCall, run_fetch_model

    return run_fetch_model(ModelCall(url=url, output=output, as_json=as_json, quiet=quiet))
