"""Real papers end without a fault: every thirteenth of the corpus by its path, and its first three pages."""

from __future__ import annotations

from pathlib import Path

import pytest

import variorum
from variorum.document import Document
from variorum.page.reader import PdfFile

EVERY, PAGES, COUNT = 13, 3, 6


@pytest.mark.corpus
@pytest.mark.parametrize("turn", range(COUNT))
def test_paper_is_read_without_a_fault(turn: int, corpus: Path) -> None:
    papers = sorted(corpus.rglob("*.pdf"))
    paper = papers[turn * EVERY % len(papers)]
    with PdfFile(paper) as pdf:
        pages = list(range(1, min(PAGES, pdf.page_count) + 1))
    document = variorum.extract(paper, pages=pages)
    assert [n for n in document.notices if n.severity == "error"] == [], paper
    assert len(document.pages) == len(pages)
    for table in document.tables:
        assert len(table.apparatuses()) == max(1, len(table.parts))
        assert [o for a in table.apparatuses() for o in a.outcomes if o.status == "failed"] == [], (paper, table.id)
    assert Document.from_json(document.to_json()).to_json() == document.to_json()
