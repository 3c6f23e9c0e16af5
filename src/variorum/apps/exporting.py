"""From a document to the files that a person opens: which formats there are, and what each consists of."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable, Iterable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from variorum.apps.naming import figure_files, table_stems
from variorum.document import Document
from variorum.errors import UsageError
from variorum.suggestions import nearest_name_hint

FORMATS: Final = ("md", "json", "html", "csv", "xlsx", "figures", "docling", "referee", "report")
DEFAULT_FORMATS: Final = ("md", "json", "html", "csv", "figures", "report")
DEFAULT_DPI: Final = 150
MAX_DPI: Final = 1200
_FIXED_NAMES: Final = {
    "md": "document.md",
    "json": "document.json",
    "html": "document.html",
    "docling": "document.docling.json",
    "referee": "referee.json",
    "report": "report.html",
}


def parse_formats(values: Sequence[str]) -> tuple[str, ...]:
    """Return the formats named in the values (``["md,csv", "xlsx"]``), each once, in the order of `FORMATS`.

    Without values the defaults. Raises UsageError when a name is unknown, or when ``docling`` is asked for and the package that
    it needs is not installed.
    """
    asked = [name.strip().lower() for value in values for name in value.split(",")]
    for name in asked:
        if name not in FORMATS:
            raise UsageError(f"unknown format {name!r}", where="--format", hint=nearest_name_hint(name, FORMATS))
    if "docling" in asked and find_spec("docling_core") is None:
        hint = "pip install 'variorum[docling]'"
        raise UsageError("docling needs the package docling-core, which is not installed", where="--format", hint=hint)
    return tuple(name for name in FORMATS if name in (asked or DEFAULT_FORMATS))


def check_dpi(dpi: int) -> int:
    """Return the resolution of pictures; raises UsageError when it is not in 1..1200 dots an inch."""
    if not 1 <= dpi <= MAX_DPI:
        raise UsageError(f"must be 1 to {MAX_DPI}, not {dpi}", where="--dpi", hint=f"--dpi {DEFAULT_DPI}")
    return dpi


def fixed_names(formats: Iterable[str]) -> list[str]:
    """Return the names of the files that the formats write whatever the paper holds."""
    return [_FIXED_NAMES[name] for name in formats if name in _FIXED_NAMES]


def render_files(
    document: Document,
    formats: Iterable[str],
    *,
    pdf_path: Path,
    password: str | None,
    dpi: int = DEFAULT_DPI,
    complain: Callable[[str], object] = warnings.warn,
) -> dict[str, bytes]:
    """Return the files of the formats, name → bytes, names relative to the output folder.

    ``html`` and ``csv``, ``xlsx`` also give a file per table below ``tables/``, ``figures`` a PNG per figure below ``figures/``
    at `dpi` dots an inch, to which Markdown and HTML then link. `complain` is told of a figure that cannot be drawn.
    """
    asked = tuple(formats)
    files: dict[str, bytes] = {}
    links: dict[str, str] = {}
    if "figures" in asked:
        pictures = _pictures(document, pdf_path, password, dpi, complain)
        names = figure_files(document)
        links = {name: names[name] for name in pictures}
        files |= {names[name]: data for name, data in pictures.items()}
    whole: dict[str, Callable[[], str]] = {
        "md": lambda: document.to_markdown(links),
        "json": document.to_json,
        "html": lambda: document.to_html(links),
        "docling": lambda: _docling(document),
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


def _docling(document: Document) -> str:
    return json.dumps(document.to_docling().export_to_dict(), ensure_ascii=False, indent=1) + "\n"


def _pictures(
    document: Document, pdf_path: Path, password: str | None, dpi: int, complain: Callable[[str], object]
) -> dict[str, bytes]:
    from variorum.report.figure_pictures import figure_pictures

    return figure_pictures(document, pdf_path, password, dpi, complain)


def _report(document: Document, pdf_path: Path, password: str | None) -> str:
    from variorum.report import write_report

    return write_report(document, pdf_path, password)
