"""``variorum explain``: who voted for a table's dividers, and why this grid won."""

from __future__ import annotations

from pathlib import Path

from variorum.apps.cli.console import emit, progress_bar
from variorum.apps.cli.extract import pages_of
from variorum.apps.cli.pages import parse_page_ranges
from variorum.document import Document
from variorum.errors import InputNotFoundError, SchemaError


def run_explain(
    path: Path, *, table: str, divider: str | None, config: str, pages: str | None, password: str | None, quiet: bool
) -> int:
    """Return 0 once the explanation is on stdout.

    `table` is the printed number (``2``) or the position (``#3``); `divider` an id such as ``c3``. Raises UsageError when
    there is no such table or divider, or several; and what reading the file raises.
    """
    from variorum.document.selecting import find_table

    if (path / "document.json").is_file():
        hint = str(path / "document.json")
        raise InputNotFoundError("is a folder, not a PDF or a document.json", where=str(path), hint=hint)
    if path.suffix.lower() == ".json":
        document = _read_document(path)
    else:
        document = _extract(path, config=config, pages=pages, password=password, quiet=quiet)
    emit(find_table(document, table).explain(divider).rstrip("\n"))
    return 0


def _read_document(path: Path) -> Document:
    where = str(path)
    try:
        text = path.read_bytes().decode("utf-8")
    except FileNotFoundError as error:
        raise InputNotFoundError("no such file", where=where, hint="check the path") from error
    except OSError as error:
        raise InputNotFoundError(f"cannot be read ({error.strerror})", where=where, hint="check the permissions") from error
    except UnicodeDecodeError as error:
        raise SchemaError("is not UTF-8 text", where=where, hint="the document.json that extract wrote") from error
    try:
        return Document.from_json(text)
    except SchemaError as error:
        place = f"{where}: {error.where}" if error.where else where
        raise SchemaError(error.what, where=place, hint=error.hint) from error


def _extract(path: Path, *, config: str, pages: str | None, password: str | None, quiet: bool) -> Document:
    from variorum.tables.config import load_config

    ranges = None if pages is None else parse_page_ranges(pages)
    settings = load_config(config)
    from variorum.extraction import extract

    with progress_bar(path.name, quiet=quiet) as progress:
        pages_asked = pages_of(path, ranges, password)
        return extract(path, config=settings, pages=pages_asked, password=password, isolated=True, progress=progress)
