"""Real papers: the reader of HTML against what was taken from the same HTML (a test of the reader, no measure of accuracy), and
Docling's reading of one paper against the HTML of it."""

from __future__ import annotations

import json
import re
import unicodedata
from pathlib import Path

import pytest

from variorum.document import Document
from variorum.sources import read_source

pytestmark = pytest.mark.corpus


def letters(text: str) -> str:
    return re.sub(r"[\W_^{}]", "", unicodedata.normalize("NFKC", text)).casefold()


def headings(document: Document) -> list[str]:
    return [letters(c.text.removeprefix(c.number or "")) for c in document.components if c.kind == "heading"]


def test_every_cell_of_the_true_tables_is_read(corpus: Path) -> None:
    """The truth leaves keys of citations and marks of diagonal heads out of a few cells: 23 of 7,971 differ."""
    cells = same = 0
    for folder in sorted((corpus / "papers").iterdir()):
        if not (folder / "truth.json").is_file():
            continue
        document = read_source(folder / "ar5iv.html")
        read = [{(c.row, c.col): (letters(c.text), c.rowspan, c.colspan) for c in t.cells} for t in document.tables]
        for table in json.loads((folder / "truth.json").read_text(encoding="utf-8"))["tables"]:
            true = {(c["row"], c["col"]): (letters(c["text"]), c["rowspan"], c["colspan"]) for c in table["cells"]}
            cells += len(true)
            same += max((sum(r.get(k) == v for k, v in true.items()) for r in read), default=0)
    assert cells > 0
    assert same / cells >= 0.997


@pytest.mark.parametrize("name", ["otsl", "wasp4-early", "moldova-covid"])
def test_headings_and_entries_are_all_there(corpus: Path, name: str) -> None:
    document = read_source(corpus / "papers" / name / "ar5iv.html")
    truth = json.loads((corpus / "papers" / name / "truth.json").read_text(encoding="utf-8"))
    assert headings(document) == [letters(s["title"]) for s in truth["sections"]]
    assert [letters(c.text) for c in document.components if c.kind == "bibliography_entry"] == [
        letters(b["text"]) for b in truth["bibliography"]
    ]


def test_docling_and_html_of_one_paper_agree_in_all_but_tables(corpus: Path) -> None:
    (folder,) = (f.parent for f in (corpus / "three-sources").glob("*/docling.json"))
    docling, html = read_source(folder / "docling.json"), read_source(folder / "ar5iv.html")
    assert headings(docling) == headings(html)
    levels = [[(c.number, c.level) for c in d.components if c.kind == "heading" and c.number] for d in (docling, html)]
    assert levels[0] == levels[1]
    for document in (docling, html):
        assert (len(document.figures), len(document.bibliography), len(document.citations)) == (6, 23, 28)
        assert all(c.targets for c in document.citations)
    assert [(t.n_rows, t.n_cols) for t in html.tables] == [(10, 8), (8, 7)]
    assert [(t.n_rows, t.n_cols) for t in docling.tables] == [(6, 8), (5, 7)]  # as Docling has them: it merged rows
    assert all(t.provenance.bbox is not None for t in docling.tables)
