"""The example paper, cell by cell: every table as a careful reader writes it down (its ``truth.json``)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import variorum
from variorum.document import Document, Table

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "technical-report"
TRUTH: list[dict[str, Any]] = json.loads((EXAMPLE / "truth.json").read_text())["tables"]
NUMBERS = [table["number"] for table in TRUTH]

CellFacts = tuple[int, int, int, int, str, bool]


@pytest.fixture(scope="module")
def document() -> Document:
    return variorum.extract(EXAMPLE / "report.pdf")


@pytest.fixture(params=TRUTH, ids=lambda t: f"table {t['number']}")
def truth(request: pytest.FixtureRequest) -> dict[str, Any]:
    return dict(request.param)


@pytest.fixture
def table(truth: dict[str, Any], document: Document) -> Table:
    (found,) = [t for t in document.tables if t.number == truth["number"]]
    return found


def as_read(table: Table) -> list[CellFacts]:
    return sorted((c.row, c.col, c.rowspan, c.colspan, c.text, c.is_header) for c in table.cells if c.text)


def as_printed(truth: dict[str, Any]) -> list[CellFacts]:
    return sorted((c["row"], c["col"], c["rowspan"], c["colspan"], c["text"], c["is_header"]) for c in truth["cells"])


def test_its_tables_are_found_and_no_others(document: Document) -> None:
    assert [t.number for t in document.tables] == NUMBERS == ["1", "2", "3", "4", "5"]


def test_nothing_went_wrong(document: Document) -> None:
    assert document.notices == ()
    for table in document.tables:
        assert table.apparatus is not None
        assert [o for o in table.apparatus.outcomes if o.status == "failed"] == []


def test_page_and_caption(truth: dict[str, Any], table: Table) -> None:
    assert table.caption is not None
    assert table.provenance.page_num == truth["page"]
    assert table.caption.text == f"Table {truth['number']}: {truth['caption']}"


def test_shape_and_header_rows(truth: dict[str, Any], table: Table) -> None:
    assert (table.n_rows, table.n_cols, table.header_rows) == (truth["n_rows"], truth["n_cols"], truth["header_rows"])


def test_every_cell(truth: dict[str, Any], table: Table) -> None:
    """Row, column, extent in rows and columns, text, and whether it is a header."""
    assert as_read(table) == as_printed(truth)
