"""What is left to do with files of true tables: faults of form, tables that contradict each other, words that do not agree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from variorum.errors import VariorumError
from variorum.evaluation.truth_files import load_truth, read_text_file
from variorum.evaluation.truth_text import SUFFIX, TextFault, TruthText, parse_truth_text
from variorum.evaluation.truth_workbench_words import compare_words
from variorum.layout.completeness import kind_of_caption
from variorum.page.model import PageEvidence
from variorum.page.reader import PdfFile

Kind = Literal["form", "unchecked", "double", "place", "blank", "number", "words"]
KINDS: Final[Mapping[Kind, str]] = {
    "form": "cannot be read as a truth",
    "unchecked": "nobody has compared the table with the page",
    "double": "two tables of a paper have one id or one number",
    "place": "page or box are missing, or are not on the PDF",
    "blank": "a row or column is blank, or the whole table",
    "number": "the number is not that of the caption",
    "words": "cells and page do not have the same words",
}

_MOST_WORDS: Final = 12
"""Words that one finding names; of the rest the number is told."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """Something that is left to do: in which file and line (0: the whole file), of which table, what, and what to try."""

    file: str
    line: int
    kind: Kind
    table_id: str
    what: str
    hint: str

    def __str__(self) -> str:
        place = f"{self.file}: line {self.line}" if self.line else self.file
        if self.table_id and not self.file.lower().endswith(SUFFIX):
            place = f"{place}: {self.table_id}"  # one of several tables in the file
        return f"{place}: {self.what}" + (f". To try: {self.hint}" if self.hint else "")


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedTruth:
    """What a check found: the findings in order of files and lines, how many tables there are, how many of them a person has
    checked, and how many were held against a page."""

    findings: tuple[Finding, ...]
    table_count: int
    checked_count: int
    compared_count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class _Entry:
    """A true table and the file that it was read from."""

    file: Path
    truth: TruthText

    def finding(self, kind: Kind, what: str, hint: str = "", line: int = 0) -> Finding:
        return Finding(file=str(self.file), line=line, kind=kind, table_id=self.truth.table.table_id, what=what, hint=hint)


def check_truth(files: Sequence[Path], pdf_of: Callable[[Path], Path | None], password: str | None = None) -> CheckedTruth:
    """Return what is left to do with the files, text, JSON or XML; `pdf_of` gives the PDF of a file, None without one.

    A file that cannot be read is a finding. Raises errors of the family when a PDF cannot be opened.
    """
    entries: list[_Entry] = []
    findings: list[Finding] = []
    for file in files:
        found, faults = _read(file)
        entries += found
        findings += faults
    findings += [finding for entry in entries for finding in _alone(entry)]
    findings += _doubles(entries)
    compared = 0
    by_pdf: dict[Path, list[_Entry]] = {}
    for entry in entries:
        if (pdf := pdf_of(entry.file)) is not None:
            by_pdf.setdefault(pdf, []).append(entry)
    for path, of_pdf in by_pdf.items():
        with PdfFile(path, password) as pdf_file:
            against = _Pages(pdf_file)
            for entry in of_pdf:
                findings += against.findings(entry)
            compared += against.compared
    order = {str(file): at for at, file in enumerate(files)}
    return CheckedTruth(
        findings=tuple(sorted(findings, key=lambda f: (order[f.file], f.line, list(KINDS).index(f.kind), f.what))),
        table_count=len(entries),
        checked_count=sum(entry.truth.is_checked for entry in entries),
        compared_count=compared,
    )


# ---- one file -------------------------------------------------------------------------------------------------------


def _read(file: Path) -> tuple[list[_Entry], list[Finding]]:
    """Return the tables of a file and the faults of its form."""
    try:
        if not file.name.lower().endswith(SUFFIX):
            tables = load_truth(file, grade="any")
            return [_Entry(file=file, truth=TruthText(table=table, is_checked=True)) for table in tables], []
        truth, faults = parse_truth_text(read_text_file(file))
    except VariorumError as error:
        truth, faults = None, (TextFault(0, f"{error.where.removeprefix(f'{file}: ')}: {error.what}", error.hint),)
    if truth is not None:
        return [_Entry(file=file, truth=truth)], []
    return [], [Finding(file=str(file), line=f.line, kind="form", table_id="", what=f.what, hint=f.hint) for f in faults]


# ---- one table ------------------------------------------------------------------------------------------------------


def _alone(entry: _Entry) -> Iterator[Finding]:
    """Yield what is wrong with a table by itself."""
    table = entry.truth.table
    if not entry.truth.is_checked:
        yield entry.finding("unchecked", "is not checked yet", "compare it with the page, then: checked: yes")
    if not table.table_id:
        yield entry.finding("form", "has no id behind table:", "any name that no other table has")
    if table.bbox is not None and not table.page:
        yield entry.finding("place", "has a box and no page", "page: the number of the page, from 1")
    yield from _blanks(entry)
    words = table.caption.replace(":", " ").split()
    printed = words[1].rstrip(".,;|-–—") if len(words) > 1 else ""
    is_numbered = kind_of_caption(table.caption) == "table" and any(sign.isdigit() for sign in printed)
    if is_numbered and table.number and printed.casefold() != table.number.casefold():
        yield entry.finding("number", f"is number {table.number}, and its caption says {printed}", "one number in both")


def _blanks(entry: _Entry) -> Iterator[Finding]:
    truth = entry.truth
    cells = [cell for cell in truth.table.cells() if cell.text.strip()]
    if not cells:
        yield entry.finding("blank", "has no text in any cell", "the cells as printed, or no file for what is no table")
        return
    rows = {r for cell in cells for r in range(cell.row, cell.row + cell.rowspan)}
    cols = {c for cell in cells for c in range(cell.col, cell.col + cell.colspan)}
    for r in range(truth.table.n_rows):
        if r not in rows:
            yield entry.finding(
                "blank", f"row {r + 1} is blank", "no row for white space", truth.lines[r][0] if truth.lines else 0
            )
    for c in range(truth.table.n_cols):
        if c not in cols:
            yield entry.finding("blank", f"column {c + 1} is blank", "no column for white space")


def _doubles(entries: Sequence[_Entry]) -> Iterator[Finding]:
    """Yield the tables whose id, or whose number within a paper, another table before them has."""
    for key in ("id", "number"):
        first: dict[tuple[str, str], _Entry] = {}
        for entry in entries:
            table = entry.truth.table
            name = (table.paper, table.table_id if key == "id" else table.number)
            if name[1] and name in first:
                other = first[name].file.name
                hint = "another; or one of the two tables" + (", or no number for a further panel" if key == "number" else "")
                yield entry.finding("double", f"has the {key} {name[1]} of {other}", hint)
            first.setdefault(name, entry)


# ---- against the page -----------------------------------------------------------------------------------------------


class _Pages:
    """The pages of one PDF, each read once."""

    def __init__(self, pdf: PdfFile) -> None:
        self._pdf = pdf
        self._read: dict[int, PageEvidence] = {}
        self.compared = 0

    def page(self, page_num: int) -> PageEvidence:
        if page_num not in self._read:
            handle = self._pdf.page(page_num - 1)
            self._read[page_num] = handle.evidence
            handle.close()
        return self._read[page_num]

    def findings(self, entry: _Entry) -> Iterator[Finding]:
        truth, name = entry.truth, self._pdf.path.name
        if not truth.table.page or truth.table.bbox is None:
            what = "does not say where it stands: its words were not looked for"
            yield entry.finding("place", what, "page: and bbox: left top right bottom, in points")
            return
        for place in truth.places:
            if place.page > self._pdf.page_count:
                yield entry.finding("place", f"is on page {place.page}; {name} has {self._pdf.page_count}", "the right page")
                return
            page = self.page(place.page)
            if place.bbox.intersection(page.box) is None:
                size = f"{page.width:g} × {page.height:g} points"
                yield entry.finding("place", f"its box lies outside page {place.page} ({size})", "left top right bottom")
                return
        report = compare_words(truth, self.page)
        self.compared += 1
        where = "page " + " and ".join(str(place.page) for place in truth.places)
        if not report.has_text:
            what = f"{name} has no text inside the box on {where}: the words cannot be compared"
            yield entry.finding("words", what, "the right bbox; of a scan, a PDF with a text layer")
            return
        accepting = "; or, where it is right, a line accepted: with the words" if truth.lines else ""
        missing: dict[tuple[int, int], list[str]] = {}
        for row, col, word in report.missing:
            missing.setdefault((row, col), []).append(word)
        for (row, col), words in missing.items():
            line = truth.lines[row][col] if truth.lines else 0
            what = f"row {row + 1}, column {col + 1}: not inside the box on {where}: {_listed(words)}"
            yield entry.finding("words", what, f"what is printed{accepting}", line)
        if report.left_over:
            what = f"in no cell, and inside the box on {where}: {_listed(report.left_over)}"
            yield entry.finding("words", what, "a cell that has it, or a smaller box")


def _listed(words: Iterable[str]) -> str:
    """Return the words in order, each once with how often it is there, as many as one can read."""
    counts = Counter(words)
    told = [f"“{word}”" + (f" ({count} times)" if count > 1 else "") for word, count in counts.items()]
    more = len(told) - _MOST_WORDS
    return ", ".join(told[:_MOST_WORDS]) + (f" and {more} more" if more > 0 else "")
