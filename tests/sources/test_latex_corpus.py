"""Real papers' LaTeX: every source is read, with its tables, headings and references. The truth is LaTeXML's reading of the
same source, so that agreement shows what is read alike, not two independent witnesses."""

from __future__ import annotations

import json
import unicodedata
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from variorum.document.model import Document, Table
from variorum.sources.latex import read_latex

SIGNS = str.maketrans(
    {**dict.fromkeys("‐‑‒–—―−", "-"), **dict.fromkeys("‘’′`´", "'"), **dict.fromkeys("“”″", '"'), "∗": "*", "∼": "~"}
)


def plain(text: str) -> str:
    """Return a text without white space, with one form for signs that look alike."""
    return "".join(unicodedata.normalize("NFKC", text).translate(SIGNS).split())


def cells_of(cells: list[dict[str, Any]]) -> Counter[tuple[int, int, str]]:
    """Return the places and texts of cells, blank rows and columns left out."""
    full = [(c["row"], c["col"], plain(c["text"])) for c in cells if plain(c["text"])]
    rows = {r: i for i, r in enumerate(sorted({r for r, _, _ in full}))}
    cols = {c: i for i, c in enumerate(sorted({c for _, c, _ in full}))}
    return Counter((rows[r], cols[c], text) for r, c, text in full)


def grid(table: Table) -> Counter[tuple[int, int, str]]:
    """Return the places and texts of a table's cells."""
    return cells_of([{"row": c.row, "col": c.col, "text": c.text} for c in table.cells])


@pytest.fixture(scope="module")
def papers(corpus: Path) -> list[tuple[Document, dict[str, Any]]]:
    """Return every paper that has a source, as read, with its truth."""
    sources = sorted((corpus / "papers").glob("*/source.tar.gz"))
    assert sources
    return [(read_latex(s), json.loads((s.parent / "truth.json").read_text(encoding="utf-8"))) for s in sources]


def test_cells_of_tables_stand_where_they_should(papers: list[tuple[Document, dict[str, Any]]]) -> None:
    hits, cells, perfect, tables = 0, 0, 0, 0
    for document, truth in papers:
        read = [grid(t) for t in document.tables]
        for wanted in (cells_of(t["cells"]) for t in truth["tables"] if t["exact"]):
            best = max(read, key=lambda found: (found & wanted).total(), default=Counter())
            hits, cells = hits + (best & wanted).total(), cells + wanted.total()
            perfect, tables = perfect + (best == wanted), tables + 1
    assert hits >= 0.97 * cells
    assert perfect >= 0.85 * tables


def test_every_document_is_in_order_and_has_its_references(papers: list[tuple[Document, dict[str, Any]]]) -> None:
    for document, truth in papers:
        document.to_json()
        assert document.identity.title
        assert len(document.bibliography) >= len(truth["bibliography"]) - 1


def test_headings_are_found(papers: list[tuple[Document, dict[str, Any]]]) -> None:
    found, wanted = 0, 0
    for document, truth in papers:
        read = {
            plain(c.text.removeprefix(c.number or "")).strip(".").casefold() for c in document.components if c.kind == "heading"
        }
        titles = [plain(s["title"]).strip(".").casefold() for s in truth["sections"]]
        found, wanted = found + sum(t in read for t in titles), wanted + len(titles)
    assert found >= 0.98 * wanted


def test_sources_in_folders_are_read(corpus: Path) -> None:
    folders = sorted((corpus / "three-sources").glob("*/latex"))
    assert folders
    for folder in folders:
        document = read_latex(folder)
        document.to_json()
        assert document.tables
        assert all(c.targets for c in document.citations)
