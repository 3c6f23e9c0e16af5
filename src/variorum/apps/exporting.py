"""From a document to the files that a person opens: which formats there are, and what each consists of."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Final

from variorum.apps.naming import table_stems
from variorum.document import Document
from variorum.errors import UsageError
from variorum.suggestions import nearest_name_hint

FORMATS: Final = ("md", "json", "html", "csv", "xlsx", "referee", "report")
DEFAULT_FORMATS: Final = ("md", "json", "html", "csv", "report")
_FIXED_NAMES: Final = {
    "md": "document.md",
    "json": "document.json",
    "html": "document.html",
    "referee": "referee.json",
    "report": "report.html",
}


def parse_formats(values: Sequence[str]) -> tuple[str, ...]:
    """Return the formats named in the values (``["md,csv", "xlsx"]``), each once, in the order of `FORMATS`.

    Without values the defaults. Raises UsageError when a name is unknown.
    """
    asked = [name.strip().lower() for value in values for name in value.split(",")]
    for name in asked:
        if name not in FORMATS:
            raise UsageError(f"unknown format {name!r}", where="--format", hint=nearest_name_hint(name, FORMATS))
    return tuple(name for name in FORMATS if name in (asked or DEFAULT_FORMATS))


def fixed_names(formats: Iterable[str]) -> list[str]:
    """Return the names of the files that the formats write whatever the paper holds."""
    return [_FIXED_NAMES[name] for name in formats if name in _FIXED_NAMES]


def render_files(document: Document, formats: Iterable[str], *, pdf_path: Path, password: str | None) -> dict[str, bytes]:
    """Return the files of the formats, name → bytes, names relative to the output folder.

    ``html`` and ``csv``, ``xlsx`` also give a file per table below ``tables/``.
    """
    asked = tuple(formats)
    files: dict[str, bytes] = {}
    whole: dict[str, Callable[[], str]] = {
        "md": document.to_markdown,
        "json": document.to_json,
        "html": document.to_html,
        "referee": lambda: _referee(document),
        "report": lambda: _report(document, pdf_path, password),
    }
    for name, render in whole.items():
        if name in asked:
            files[_FIXED_NAMES[name]] = _encoded(render())
    for stem, table in zip(table_stems(document), document.tables, strict=True):
        if "csv" in asked:
            files[f"tables/{stem}.csv"] = _encoded(table.to_csv())
        if "xlsx" in asked:
            files[f"tables/{stem}.xlsx"] = table.to_xlsx()
        if "html" in asked:
            files[f"tables/{stem}.html"] = _encoded(table.to_html())
    return files


def _encoded(text: str) -> bytes:
    """Return UTF-8; a half surrogate, which no UTF-8 can hold, becomes a question mark."""
    return text.encode("utf-8", errors="replace")


def _referee(document: Document) -> str:
    return json.dumps(document.to_referee(), ensure_ascii=False, indent=1) + "\n"


def _report(document: Document, pdf_path: Path, password: str | None) -> str:
    from variorum.report import write_report

    return write_report(document, pdf_path, password)
