"""In real papers every caption of a table has its table, none of which is taken for something else, and the grade says so."""

from __future__ import annotations

from pathlib import Path

import pytest

import variorum


@pytest.mark.corpus
def test_every_caption_of_a_table_has_its_table(corpus: Path) -> None:
    captioned = 0
    for pdf in sorted((corpus / "jose").glob("*/paper.pdf")):
        document = variorum.extract(pdf, config="fast")
        captioned += sum(table.caption is not None for table in document.tables)
        assert [table.id for table in document.tables if table.artifact is not None] == [], pdf
        assert document.completeness is not None
        gaps = [gap.what for gap in document.completeness.gaps if gap.kind in ("orphan_caption", "uncaptioned")]
        assert [what for what in gaps if "table" in what] == [], pdf
        assert not [notice for notice in document.notices if "no table was found" in notice.what], pdf
    assert captioned
