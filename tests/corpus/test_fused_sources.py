"""A real paper with all four sources: Docling's tables are wrong, those of the fusion are right and know where they stand."""

from __future__ import annotations

from pathlib import Path

import pytest

import variorum
from variorum.document import Table
from variorum.fusion.explaining import explain_component
from variorum.fusion.model import Decision, Fusion
from variorum.fusion.record import record_from_json, to_json
from variorum.sources import read_source

pytestmark = pytest.mark.corpus
PAPER = "2305.03393"
SHAPES = [(10, 8), (8, 7)]


@pytest.fixture(scope="module")
def folder(corpus: Path) -> Path:
    found = corpus / "three-sources" / PAPER
    if not found.is_dir():
        pytest.skip(f"the corpus has no {found.name}")
    return found


@pytest.fixture(scope="module", params=["default", "default-dynamic"])
def fusion(folder: Path, request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Fusion:
    pdf = tmp_path_factory.getbasetemp() / f"{PAPER}.json"  # read once for both tenants
    if not pdf.exists():
        pdf.write_text(read_source(folder / "paper.pdf", "pdf").to_json(), encoding="utf-8")
    return variorum.fuse(
        pdf=pdf,
        ar5iv=folder / "ar5iv.html",
        latex=folder / "latex",
        docling=folder / "docling.json",
        tenant=request.param,
    )


def tables(fusion: Fusion) -> list[tuple[Table, Decision]]:
    return [(t, next(d for d in fusion.decisions if t.id in d.components)) for t in fusion.document.tables]


def test_both_tables_are_right_in_every_cell_though_doclings_are_wrong(fusion: Fusion, folder: Path) -> None:
    true = read_source(folder / "latex", "latex").tables
    found = tables(fusion)
    assert [(t.n_rows, t.n_cols) for t, _ in found] == SHAPES
    assert [t.matrix() for t, _ in found] == [t.matrix() for t in true]
    for _, decision in found:
        (docling,) = [c.table for c in decision.candidates if c.source == "docling"]
        assert docling is not None
        assert docling.n_rows < next(c.table.n_rows for c in decision.candidates if c.source == "pdf" and c.table)


def test_page_and_box_are_the_pdfs_and_the_explanation_says_so(fusion: Fusion) -> None:
    record = record_from_json(to_json(fusion))
    for table, decision in tables(fusion):
        assert (table.provenance.page_num, table.provenance.bbox is not None) in [(9, True), (10, True)]
        assert all(cell.bbox is not None for cell in table.cells)
        assert ("place", "pdf") in [(b.attribute, b.source) for b in decision.borrowed]
        said = explain_component(record, table.id)
        assert "borrowed from pdf" in said
        assert f"page {table.provenance.page_num}, box" in said


def test_with_signals_doclings_tables_count_for_nothing(fusion: Fusion) -> None:
    for _, decision in tables(fusion):
        (docling,) = [c for c in decision.candidates if c.source == "docling"]
        if fusion.tenant == "default-dynamic":
            assert docling.score == 0
            assert {"crowded_cells", "outvoted"} <= {s.name for s in docling.signals}
        else:
            assert docling.score == docling.weight == 0.80


def test_nothing_of_the_paper_is_missing(fusion: Fusion) -> None:
    document = fusion.document
    assert document.completeness is not None
    assert document.completeness.grade == "A"
    assert (len(document.figures), len(document.bibliography), len(document.citations)) == (6, 23, 28)
    assert all(c.targets for c in document.citations)
