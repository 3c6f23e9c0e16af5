"""What stands under a table's caption and has no columns is the table: a row between rules, a list, small print."""

from __future__ import annotations

from dataclasses import replace

import pytest
from pictures import Drawn, drawn, page

from variorum.geometry import Box
from variorum.page.model import PageEvidence
from variorum.regions.captions import find_captions
from variorum.regions.tables import TableRegion, table_regions

SPACE_EM = 0.6
CAPTION = "Table 1: What was done with the"


def regions(evidence: PageEvidence, **proposals: list[Box]) -> list[TableRegion]:
    return table_regions(evidence, {"captions": [], **proposals}, find_captions(evidence, SPACE_EM), SPACE_EM)


def words_in(region: TableRegion, evidence: PageEvidence) -> str:
    return " ".join(w.text for w in evidence.words if region.box.contains_centre_of(w.box))


def sized(part: Drawn, size: float) -> Drawn:
    return part._replace(words=tuple(replace(w, size=size) for w in part.words))


TEXT = "\n".join("This is the running text of the page, which goes on for long." for _ in range(6))


def body(top: float) -> Drawn:
    return drawn(TEXT, top=top)


def test_single_row_between_rules_is_the_table_of_the_caption_above_it() -> None:
    row = drawn("-" * 40 + "\nDrug          Dose      Effect\n" + "-" * 40, top=118)
    evidence = page(drawn(CAPTION), row, body(170))
    (region,) = regions(evidence)
    assert region.caption is not None
    assert words_in(region, evidence) == "Drug Dose Effect"
    assert (region.box.y0, region.box.y1) == (row.rules[0].position, row.rules[-1].position)


def test_rules_of_another_extent_close_nothing() -> None:
    row = drawn("-" * 40 + "\nDrug          Dose      Effect\n" + "-" * 20, top=118)
    assert regions(page(drawn(CAPTION), row, body(170))) == []


@pytest.mark.parametrize("marks", ["• • •", "1. 2. 3.", "(a) (b) (c)"])
def test_list_under_a_caption_is_its_table(marks: str) -> None:
    one, two, three = marks.split()
    indent = " " * (len(one) + 1)
    items = drawn(f"{one} The first was given\n{indent}for days.\n{two} The second was not.\n{three} The third.", top=128)
    evidence = page(drawn(CAPTION), items, body(190))
    (region,) = regions(evidence)
    assert words_in(region, evidence) == f"{one} The first was given for days. {two} The second was not. {three} The third."


def test_list_that_stands_elsewhere_is_no_table() -> None:
    items = drawn("• The first.\n• The second.", top=228)
    assert regions(page(drawn(CAPTION), body(130), items)) == []


def test_one_item_is_no_list() -> None:
    assert regions(page(drawn(CAPTION), drawn("• The first.", top=128), body(170))) == []


def test_small_print_under_a_caption_is_its_table_up_to_the_text() -> None:
    small = sized(drawn("Search for words and other words\nin all of the titles.", top=128), 8)
    evidence = page(drawn(CAPTION), small, body(166))
    (region,) = regions(evidence)
    assert words_in(region, evidence) == "Search for words and other words in all of the titles."


def test_text_under_a_caption_is_no_table_and_no_more_are_footnotes_below_a_rule() -> None:
    assert regions(page(drawn(CAPTION), body(128))) == []
    notes = sized(drawn("-" * 12 + "\nNote on the words\nthat are above.", top=120), 8)
    assert regions(page(drawn(CAPTION), notes, body(300))) == []


def test_caption_that_has_a_table_is_given_no_other() -> None:
    grid = drawn("Drug          Dose      Effect\nAlpha         12.5      0.81\nBeta          7.0       0.64", top=128)
    items = drawn("• The first.\n• The second.", top=186)
    evidence = page(drawn(CAPTION), grid, items)
    assert [r.box for r in regions(evidence, layout_boxes=[grid.box])] == [grid.box]


def test_rows_below_a_head_between_rules_are_of_its_table() -> None:
    head = drawn("-" * 30 + "\nDrug          Dose      Effect\n              (mg)      (%)\n" + "-" * 30, top=118)
    label = drawn("all of those who were given them", top=154)
    rest = drawn("Alpha         12.5      0.81\nBeta          7.0       0.64\nGamma         3.2       0.17", top=168)
    evidence = page(drawn(CAPTION), head, label, rest)
    boxes = [Box(60, head.rules[0].position, 240, head.rules[-1].position)]
    (region,) = regions(evidence, rules=boxes, layout_boxes=[rest.box])
    assert words_in(region, evidence).split()[0] == "Drug"
    assert words_in(region, evidence).split()[-1] == "0.17"
    assert any("no caption of its own" in move.reason for edge in region.edges for move in edge.moves)
