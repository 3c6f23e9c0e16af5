"""Tables of real papers that go on over columns and pages are whole: every cell of the truth, in its place, once."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

import variorum
from variorum.geometry import Box

_SIGNS = {0x2212: "-", 0x2013: "-", 0x2014: "-", 0x22C6: "*", 0x2206: "Δ"}


def continued(corpus: Path) -> Iterator[tuple[Path, list[dict[str, Any]]]]:
    """Yield each paper that has true tables in several places, with these; a place inside another is none of its own."""
    for file in sorted((corpus / "papers").glob("*/truth.json")):
        tables = json.loads(file.read_text(encoding="utf-8"))["tables"]
        found = [t for t in tables if t["ok"] and t["grid_verified"] and len(t.get("page_regions") or ()) > 1 and lie_apart(t)]
        if found:
            yield file.parent / "paper.pdf", found


def lie_apart(truth: dict[str, Any]) -> bool:
    regions = [(r["page"], Box.of(r["bbox"])) for r in truth["page_regions"]]
    return all(one[0] != other[0] or one[1].intersection(other[1]) is None for one, other in combinations(regions, 2))


def plain(text: str) -> str:
    """Return the text as it is compared: without white space, signs in their plain form."""
    folded = unicodedata.normalize("NFKC", text).translate(_SIGNS)
    return "".join(c for c in folded if not c.isspace())


@pytest.mark.corpus
def test_continued_tables_have_every_cell_of_all_their_parts(corpus: Path) -> None:
    papers = list(continued(corpus))
    assert sum(len(truths) for _, truths in papers) >= 4
    for pdf, truths in papers:
        document = variorum.extract(pdf, pages=sorted({r["page"] for t in truths for r in t["page_regions"]}))
        for truth in truths:
            (table,) = (t for t in document.tables if t.caption and f"{t.caption.label} {t.number}" == truth["number"])
            where = (pdf, truth["id"])
            assert [part.page_num for part in table.parts] == [r["page"] for r in truth["page_regions"]], where
            assert (table.n_rows, table.n_cols) == (truth["n_rows"], truth["n_cols"]), where
            true = {(c["row"], c["col"]): plain(c["text"]) for c in truth["cells"] if plain(c["text"])}
            assert {(c.row, c.col): plain(c.text) for c in table.cells if plain(c.text)} == true, where
