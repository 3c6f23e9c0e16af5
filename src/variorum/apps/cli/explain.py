"""``variorum explain``: who voted for a table's dividers and why this grid won, or who voted for a heading."""

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What is to be explained, one of: a `table` by its printed number (``2``) or position (``#3``), of it only a `divider`
    (``c3``) where one is named; a `heading` by its number, words, id or position; the list of all headings; or a `component` of
    a fusion by its id."""

    table: str | None = None
    divider: str | None = None
    heading: str | None = None
    lists_headings: bool = False
    component: str | None = None

    def check(self, *, of_fusion: bool) -> None:
        """Return nothing; raises UsageError when nothing is asked, or two things are; the hint is for what is explained."""
        given = {
            "--table": self.table is not None,
            "--heading": self.heading is not None,
            "--headings": self.lists_headings,
            "--component": self.component is not None,
        }
        named = [name for name, is_given in given.items() if is_given]
        if not named:
            hint = "--component fig-3, or --table 2" if of_fusion else "--table 2, --heading 3.2 or --headings"
            raise UsageError("what is to be explained is not said", hint=hint)
        if len(named) > 1:
            raise UsageError("only one thing is explained a call", where=" ".join(named), hint=f"{named[0]} alone")
        if self.divider is not None and self.table is None:
            raise UsageError("a divider is one of a table", where="--divider", hint="--table 2 --divider c3")


def run_explain(path: Path, question: Question, *, reading: Reading, quiet: bool) -> int:
    """Return 0 once the explanation is on stdout.

    Raises UsageError when there is no such table, divider or heading, or several, and when a document that was read already is
    to be read otherwise; and what reading the file raises.
    """
    is_fusion = path.suffix.lower() == ".json" and _is_fusion(path)
    question.check(of_fusion=is_fusion)
    if (path / "document.json").is_file():
        hint = str(path / "document.json")
        raise InputNotFoundError("is a folder, not a PDF or a document.json", where=str(path), hint=hint)
    if question.component is not None:
        _refuse_options(path, reading)
        emit(_explain_component(path, question.component))
        return 0
    if is_fusion:
        _refuse_options(path, reading)
        emit(_explain_component(path, _float_of(question, path)))
        return 0
    if path.suffix.lower() == ".json":
        _refuse_options(path, reading)
        document = _read_document(path)
    else:
        document = _extract(path, reading, quiet=quiet)
    emit(_answer(document, question).rstrip("\n"))
    return 0


def _answer(document: Document, question: Question) -> str:
    from variorum.document.citing import explain_passages
    from variorum.document.explain_headings import explain_heading, list_headings
    from variorum.document.selecting import find_table

    if question.heading is not None:
        return explain_heading(document, question.heading)
    if question.table is None:
        return list_headings(document)
    table = find_table(document, question.table)
    explained = table.explain(question.divider).rstrip("\n")
    passages = "" if question.divider is not None else explain_passages(document, table.id)
    return "\n\n".join(filter(None, (explained, passages)))


def _explain_component(path: Path, component: str) -> str:
    from variorum.fusion.explaining import explain_component
    from variorum.fusion.record import record_from_json

    hint = "the fusion.json that variorum fuse wrote"
    try:
        record = record_from_json(_text_of(path, hint))
    except SchemaError as error:
        raise _placed(error, path, hint) from error
    return explain_component(record, component)


def _is_fusion(path: Path) -> bool:
    """Return whether a file is the record of a fusion; False for what cannot be read, which is told where it is."""
    from variorum.fusion.record import is_record

    try:
        return is_record(path.read_bytes())
    except OSError:
        return False


def _float_of(question: Question, path: Path) -> str:
    """Return what the table is called that is asked for in a fusion; raises UsageError for what its record does not hold."""
    document = path.with_name("document.json")
    if question.table is None:
        what = "holds no votes on headings: the document beside it does"
        raise UsageError(what, where=str(path), hint=f"the same of {document}, or --component ID")
    if question.divider is not None:
        what = "holds no dividers: the document beside it does"
        raise UsageError(what, where=str(path), hint=f"the same of {document}")
    asked = question.table.strip()
    return asked if asked.casefold().startswith("tab") else f"Table {asked}"


def _refuse_options(path: Path, reading: Reading) -> None:
    """Raise UsageError for the first option that would change how a document was read, which is past."""
    for name, value in asdict(reading).items():
        if value is not None:
            what = f"says how to read a PDF, and {path} is a document that was read already"
            raise UsageError(what, where=f"--{name}", hint="the PDF, or the same call without it")


def _read_document(path: Path) -> Document:
    try:
        return Document.from_json(_text_of(path, _HINT))
    except SchemaError as error:
        raise _placed(error, path, _HINT) from error


def _text_of(path: Path, hint: str) -> str:
    where = str(path)
    try:
        return path.read_bytes().decode("utf-8")
    except FileNotFoundError as error:
        raise InputNotFoundError("no such file", where=where, hint="check the path") from error
    except OSError as error:
        raise InputNotFoundError(f"cannot be read ({error.strerror})", where=where, hint="check the permissions") from error
    except UnicodeDecodeError as error:
        raise SchemaError("is not UTF-8 text", where=where, hint=hint) from error


def _placed(error: SchemaError, path: Path, hint: str) -> SchemaError:
    """Return the error with the file in front of the path to the fault."""
    where = str(path)
    if error.where.startswith(where):
        return error
    return SchemaError(error.what, where=f"{where}: {error.where}" if error.where else where, hint=error.hint or hint)


def _extract(path: Path, reading: Reading, *, quiet: bool) -> Document:
    from variorum.tables.config import load_config

    ranges = None if reading.pages is None else parse_page_ranges(reading.pages)
    settings = load_config("default" if reading.config is None else reading.config, weights=reading.weights)
    from variorum.extraction import extract

    with progress_bar(path.name, quiet=quiet) as progress:
        pages = pages_of(path, ranges, reading.password)
        return extract(path, config=settings, pages=pages, password=reading.password, isolated=True, progress=progress)
