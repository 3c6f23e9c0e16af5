"""What a reading found, in short: a row a table, as data for ``--json`` and as lines for a person."""

from __future__ import annotations

import shutil
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from variorum.apps.cli.console import printable
from variorum.apps.naming import table_stems
from variorum.document import Document, Notice, Table

_WIDTH_WITHOUT_TERMINAL = 120
_HEADINGS = ("table", "page", "shape", "caption", "winner", "agreement")
_SIDES = ("left", "right", "right", "left", "left", "right")
_CAPTION = _HEADINGS.index("caption")
_GAP = "  "


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSummary:
    """One table: printed number or None, position from 1, page, shape, winning ``structure:cell``, agreement in [0, 1], what it
    is when it is none of the paper's data."""

    number: str | None
    position: int
    page: int | None
    rows: int
    columns: int
    caption: str
    winner: str
    agreement: float | None
    file: str
    artifact: str | None = None


def summarise_tables(document: Document) -> list[TableSummary]:
    """Return one summary per table, in order; `file` is the name below ``tables/``, without ending."""
    return [
        TableSummary(
            number=table.number,
            position=position,
            page=table.provenance.page_num,
            rows=table.n_rows,
            columns=table.n_cols,
            caption=" ".join(table.caption.text.split()) if table.caption else "",
            winner=table.apparatus.winner if table.apparatus else table.provenance.method,
            agreement=_agreement(table),
            file=stem,
            artifact=table.artifact,
        )
        for position, (stem, table) in enumerate(zip(table_stems(document), document.tables, strict=True), start=1)
    ]


def _agreement(table: Table) -> float | None:
    """Return the agreement of the methods, over all parts of a table; None without a vote."""
    if table.apparatus is not None:
        return table.apparatus.agreement
    return table.provenance.confidence if table.apparatuses() else None


def summary_as_data(source: Path, folder: Path, document: Document, files: Sequence[str]) -> Mapping[str, object]:
    """Return what ``extract --json`` says of one input that was read."""
    return {
        "input": str(source),
        "key": document.key,
        "sha256": document.sha256,
        "page_count": document.page_count,
        "output": str(folder),
        "files": list(files),
        "tables": [asdict(table) for table in summarise_tables(document)],
        "completeness": None if document.completeness is None else asdict(document.completeness),
        "notices": [_notice_as_data(notice) for notice in document.notices],
        "incomplete": list(document.incomplete),
        "error": None,
    }


def _notice_as_data(notice: Notice) -> dict[str, object]:
    return {"severity": notice.severity, "what": notice.what, "page": notice.page_num, "component": notice.component}


def summary_as_text(source: Path, folder: Path, document: Document, files: Sequence[str]) -> str:
    """Return what ``extract`` prints of one input that was read: a line with counts, a row a table, the grade with its
    reasons, where the report is."""
    tables = summarise_tables(document)
    pages = "1 page" if len(document.pages) == 1 else f"{len(document.pages)} pages"
    count = _count(tables)
    found = f"{count} on {pages}" if document.pages else f"{count}, {_texts(document)}"
    lines = [printable(f"{source}: {found}, written to {folder}")]
    if tables:
        lines.append(_as_grid(tables))
    if document.completeness is not None:
        lines += [_cut(f"completeness {reason}") for reason in document.completeness.reasons]
    if "report.html" in files:
        lines.append(printable(f"report: {folder / 'report.html'}"))
    return "\n".join(lines)


def _texts(document: Document) -> str:
    """Return how much text there is, of a source that has no pages."""
    kinds = Counter(component.kind for component in document.components)
    counts = [
        ("headings", kinds["heading"]),
        ("paragraphs", kinds["paragraph"]),
        ("equations", kinds["equation"]),
        ("figures", len(document.figures)),
        ("references", kinds["bibliography_entry"]),
    ]
    return ", ".join(f"{n} {name if n != 1 else name[:-1]}" for name, n in counts if n) or "no text"


def _line_width() -> int:
    """Return how many columns a line has."""
    return shutil.get_terminal_size((_WIDTH_WITHOUT_TERMINAL, 0)).columns if sys.stdout.isatty() else _WIDTH_WITHOUT_TERMINAL


def _cut(text: str) -> str:
    """Return the text in one line, cut with an ellipsis where it is too long."""
    shown, width = printable(text), _line_width()
    return shown if _width(shown) <= width else _fitted(shown, width, "left")


def _count(tables: Sequence[TableSummary]) -> str:
    """Return how many tables of the paper there are, and how many that are none of its data."""
    proper = sum(table.artifact is None for table in tables)
    count = "no tables" if not proper else "1 table" if proper == 1 else f"{proper} tables"
    others = Counter(table.artifact.replace("_", " ") for table in tables if table.artifact is not None)
    return count + "".join(f", {n} {name}" for name, n in sorted(others.items()))


def _as_grid(tables: Sequence[TableSummary]) -> str:
    """Return a heading and a line a table; when the line is too short for all, it is the caption that gives way."""
    rows = [_HEADINGS, *map(_as_row, tables)]
    widths = [max(map(_width, column)) for column in zip(*rows, strict=True)]
    others = sum(widths) - widths[_CAPTION] + len(_GAP) * len(widths)
    widths[_CAPTION] = max(min(widths[_CAPTION], _line_width() - others), len(_HEADINGS[_CAPTION]))
    lines = [_GAP + _GAP.join(map(_fitted, row, widths, _SIDES)).rstrip() for row in rows]
    return "\n".join([lines[0], _GAP + "─" * (sum(widths) + len(_GAP) * (len(widths) - 1)), *lines[1:]])


def _as_row(item: TableSummary) -> tuple[str, ...]:
    return (
        printable(item.number or f"#{item.position}"),
        str(item.page or ""),
        f"{item.rows}×{item.columns}",
        printable(item.caption or (f"({item.artifact.replace('_', ' ')})" if item.artifact else "")),
        item.winner,
        f"{item.agreement:.0%}" if item.agreement is not None else "",
    )


def _width(text: str) -> int:
    """Return how many columns of a terminal the text takes; a Chinese sign takes two, a combining accent none."""
    from rich.cells import cell_len

    return cell_len(text)


def _fitted(text: str, width: int, side: str) -> str:
    """Return the text in exactly so many columns of a terminal: filled up on the other side, or cut with an ellipsis."""
    from rich.cells import set_cell_size

    if _width(text) > width:
        return set_cell_size(text, width - 1) + "…"
    fill = " " * (width - _width(text))
    return fill + text if side == "right" else text + fill
