"""``variorum explain``: who voted for a table's dividers, and why this grid won."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path

from variorum.apps.cli.console import emit, progress_bar
from variorum.apps.cli.extract import pages_of
from variorum.apps.cli.pages import parse_page_ranges
from variorum.document import Document
from variorum.errors import InputNotFoundError, SchemaError, UsageError

_HINT = "the document.json that variorum extract wrote"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """How a PDF is to be read, as the user typed it; None where nothing was said."""

    config: str | None = None
    weights: Path | None = None
    pages: str | None = None
    password: str | None = None


def run_explain(path: Path, *, table: str, divider: str | None, reading: Reading, quiet: bool) -> int:
    """Return 0 once the explanation is on stdout.

    `table` is the printed number (``2``) or the position (``#3``); `divider` an id such as ``c3``. Raises UsageError when
    there is no such table or divider, or several, and when a document that was read already is to be read otherwise; and what
    reading the file raises.
    """
    from variorum.document.selecting import find_table

    if (path / "document.json").is_file():
        hint = str(path / "document.json")
        raise InputNotFoundError("is a folder, not a PDF or a document.json", where=str(path), hint=hint)
    if path.suffix.lower() == ".json":
        _refuse_options(path, reading)
        document = _read_document(path)
    else:
        document = _extract(path, reading, quiet=quiet)
    emit(find_table(document, table).explain(divider).rstrip("\n"))
    return 0


def _refuse_options(path: Path, reading: Reading) -> None:
    """Raise UsageError for the first option that would change how a document was read, which is past."""
    for name, value in asdict(reading).items():
        if value is not None:
            what = f"says how to read a PDF, and {path} is a document that was read already"
            raise UsageError(what, where=f"--{name}", hint="the PDF, or the same call without it")


def _read_document(path: Path) -> Document:
    where = str(path)
    try:
        text = path.read_bytes().decode("utf-8")
    except FileNotFoundError as error:
        raise InputNotFoundError("no such file", where=where, hint="check the path") from error
    except OSError as error:
        raise InputNotFoundError(f"cannot be read ({error.strerror})", where=where, hint="check the permissions") from error
    except UnicodeDecodeError as error:
        raise SchemaError("is not UTF-8 text", where=where, hint=_HINT) from error
    try:
        return Document.from_json(text)
    except SchemaError as error:
        place = f"{where}: {error.where}" if error.where else where
        raise SchemaError(error.what, where=place, hint=error.hint or _HINT) from error


def _extract(path: Path, reading: Reading, *, quiet: bool) -> Document:
    from variorum.tables.config import load_config

    ranges = None if reading.pages is None else parse_page_ranges(reading.pages)
    settings = load_config("default" if reading.config is None else reading.config, weights=reading.weights)
    from variorum.extraction import extract

    with progress_bar(path.name, quiet=quiet) as progress:
        pages = pages_of(path, ranges, reading.password)
        return extract(path, config=settings, pages=pages, password=reading.password, isolated=True, progress=progress)
