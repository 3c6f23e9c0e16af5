"""Truth files to edit, made from a reading: one a table, one for each table caption that no table answers to, and an index.

What was read is a proposal. Each file says ``checked: no`` until a person has compared it with the page; until then it is no
truth (`variorum.evaluation.truth_files.load_truth` leaves it out).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from variorum.document.keys import make_table_id
from variorum.document.model import Document, Table, TextComponent
from variorum.evaluation.truth_table import TruthTable
from variorum.evaluation.truth_text import HELP, SUFFIX, TruthPlace, TruthText, write_truth_text
from variorum.layout.completeness import kind_of_caption

INDEX: Final = "index.md"
PICTURE: Final = "page-{}.png"
PICTURE_DPI: Final = 144
"""Dots an inch of the pictures: two pixels a point, so that a box can be read off them."""

_PLAIN_NAME: Final = "paper"
"""The name of a PDF that says nothing of the paper; its folder's does."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkbenchFile:
    """A file of the workbench: its name, the truth in it, and the remarks on top of it, a line each."""

    name: str
    truth: TruthText
    remarks: tuple[str, ...]

    @property
    def text(self) -> str:
        """Return what stands in the file."""
        return write_truth_text(self.truth, self.remarks)


def name_of_paper(pdf: Path, key: str) -> str:
    """Return what the truth calls the paper: its key where its folder is called so (Zotero), else its file or folder."""
    pdf = pdf.absolute()
    return pdf.parent.name if pdf.parent.name == key or pdf.stem.casefold() == _PLAIN_NAME else pdf.stem


def workbench_files(document: Document, paper: str) -> tuple[WorkbenchFile, ...]:
    """Return a file for each table of the document that is one, and for each table caption without a table, in their order.

    The latter have the caption and an empty grid: a table that was missed is a truth all the more.
    """
    tables = [(table.id, _of_table(table, paper)) for table in document.tables if table.artifact is None]
    taken = {name for name, _ in tables}
    for caption in _captions_without_table(document):
        page = caption.provenance.page_num or 0
        table_id = make_table_id(document.key, caption.number, page, len(taken), taken=taken)
        taken.add(table_id)
        tables.append((table_id, _of_caption(table_id, caption, page, paper)))
    names = _file_names([table_id.removeprefix(f"{document.key}_") for table_id, _ in tables])
    files = [
        WorkbenchFile(name=name, truth=truth, remarks=_remarks(truth)) for name, (_, truth) in zip(names, tables, strict=True)
    ]
    return tuple(sorted(files, key=lambda file: (file.truth.table.page, file.truth.table.bbox is None)))


def _of_table(table: Table, paper: str) -> TruthText:
    places = tuple(TruthPlace(part.page_num, part.bbox) for part in table.parts[1:] if part.bbox is not None and part.n_rows)
    truth = replace(TruthTable.from_reading(table), paper=paper)
    if truth.bbox is None and table.parts:
        truth = replace(truth, bbox=table.parts[0].bbox)
    return TruthText(table=truth, is_checked=False, continues=places)


def _captions_without_table(document: Document) -> list[TextComponent]:
    captions = [c for c in document.components if c.kind == "caption" and c.target is None]
    return [c for c in captions if kind_of_caption(c.text) == "table"]


def _of_caption(table_id: str, caption: TextComponent, page: int, paper: str) -> TruthText:
    empty = ("", "")
    table = TruthTable(
        table_id=table_id,
        paper=paper,
        number=caption.number or "",
        caption=caption.text,
        page=page,
        header_rows=(empty,),
        rows=(empty,),
    )
    return TruthText(table=table, is_checked=False)


def _file_names(ids: Sequence[str]) -> list[str]:
    """Return a name for each id: its letters, digits and dots; no two are equal, whatever the case."""
    names: list[str] = []
    taken: set[str] = set()
    for table_id in ids:
        bare = re.sub(r"[^\w.]+|_", "-", table_id).strip("-.") or "table"
        name, count = bare, 1
        while name.casefold() in taken:
            count += 1
            name = f"{bare}-{count}"
        taken.add(name.casefold())
        names.append(f"{name}{SUFFIX}")
    return names


def _remarks(truth: TruthText) -> tuple[str, ...]:
    pages = dict.fromkeys([truth.table.page, *(place.page for place in truth.continues)])
    pictures = " and ".join(PICTURE.format(page) for page in pages if page)
    found = f"As variorum read it. Compare it with {pictures or 'the page'}."
    if truth.table.bbox is None and not any(truth.table.rows[0] if truth.table.rows else ()):
        found = f"No table was found for this caption. Look at {pictures or 'the page'} and write it, or delete this file."
        return (found, "bbox: left top right bottom of the table in points; a point is two pixels of the picture.", *HELP)
    return (found, *HELP)


# ---- the index ------------------------------------------------------------------------------------------------------


def index_text(document: Document, files: Sequence[WorkbenchFile], folder: str, pdf: str) -> str:
    """Return the index of the workbench as Markdown: what to do, a line a table, what was passed over.

    `folder` and `pdf` are the paths that the commands in it name.
    """
    lines = [
        f"# Tables of {_plain(document.source_name)}",
        "",
        "For each file: open it beside its picture, mend what differs from the page, turn `checked: no` into `checked: yes`.",
        "Delete the file of what is no table; for a table that was missed, copy a file and write it.",
        "",
        "| file | picture | rows × columns | caption |",
        "|---|---|---|---|",
    ]
    for file in files:
        table = file.truth.table
        pages = dict.fromkeys([table.page, *(place.page for place in file.truth.continues)])
        pictures = ", ".join(f"[{PICTURE.format(page)}]({PICTURE.format(page)})" for page in pages if page) or "–"
        shape = f"{table.n_rows} × {table.n_cols}" if table.bbox is not None else "not found"
        lines.append(f"| [{file.name}]({file.name}) | {pictures} | {shape} | {_plain(_start(table.caption))} |")
    lines += [] if files else ["", "No table was found, and no caption of one."]
    for other in (table for table in document.tables if table.artifact is not None):
        kind, page = (other.artifact or "").replace("_", " "), other.provenance.page_num
        lines += ["", f"Passed over: {_plain(other.id)} on page {page}, which is no data of the paper ({kind})."]
    lines += [
        "",
        "Then:",
        "",
        "```text",
        f"variorum truth check {folder} --pdf {pdf}",
        f"variorum extract {pdf} --debug-db debug.db --truth {folder}",
        "```",
    ]
    return "\n".join(lines) + "\n"


def _start(caption: str) -> str:
    words = caption.split()
    return " ".join(words[:12]) + (" …" if len(words) > 12 else "")


def _plain(text: str) -> str:
    """Return the text for a cell of a Markdown table: signs that mean something there are escaped."""
    return re.sub(r"([\\`*_\[\]<>|~$])", r"\\\1", " ".join(text.split()))
