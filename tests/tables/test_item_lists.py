"""A table that is set as a list under its caption has a row an item, however many lines an item has."""

from __future__ import annotations

from pathlib import Path

import pytest
from pictures import pdf_of, table

from variorum.page.reader import PdfFile
from variorum.tables.config import load_config
from variorum.tables.item_lists import NAME, items_of
from variorum.tables.pipeline import Pipeline

LIST = """
1. The first was given
   for days.
2. The second was not.
3. The third.
"""


def test_divider_stands_between_items_and_not_between_the_lines_of_one() -> None:
    found = items_of(table(LIST))
    assert found is not None
    assert found.col_boundaries == ()
    assert [(p.min_pos, p.max_pos, p.provenance) for p in found.row_boundaries] == [(125, 130, NAME), (139, 144, NAME)]


@pytest.mark.parametrize("picture", ["1. The first", "The first\nThe second", "The first\n1. The second\n2. The third"])
def test_what_is_no_list_has_no_items(picture: str) -> None:
    assert items_of(table(picture)) is None


def test_list_under_a_caption_is_read_as_a_table_of_one_column(tmp_path: Path) -> None:
    text = "This is the running text of the page, which goes on for long.\n" * 4
    pdf_of(f"Table 1: What was done with the\n\n{LIST.strip()}\n\n{text}", tmp_path / "a.pdf")
    with PdfFile(tmp_path / "a.pdf") as pdf:
        handle = pdf.page(0)
        (item,) = Pipeline(load_config("fast")).extract_page(handle).tables
        handle.close()
    assert item.region.set_as == "list"
    assert item.result.grid is not None
    assert [cell.text for cell in item.result.grid.cells] == [
        "1. The first was given for days.",
        "2. The second was not.",
        "3. The third.",
    ]
    outcomes = {outcome.method: outcome.status for outcome in item.result.apparatus.outcomes}
    assert outcomes.pop(NAME) == "voted"
    assert set(outcomes.values()) == {"not_asked"}
