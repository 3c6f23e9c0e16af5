"""A line that two table regions hold belongs to one of them."""

from __future__ import annotations

from pictures import drawn, page

from variorum.geometry import Box
from variorum.regions.edge_moves import unvoted
from variorum.regions.model import TableRegion
from variorum.regions.shared_lines import without_shared_lines

TABLE = """
Drug          Dose      Effect
Alpha         12.5      0.81
Beta          7.0       0.64
Gamma         3.2       0.17
"""
UPPER, LOWER = drawn(TABLE, 60, 100), drawn(TABLE, 60, 180)
PAGE = page(UPPER, LOWER)
HEAD, LAST = LOWER.words[0].box, UPPER.words[-1].box
RIGHT = 300.0


def region(y0: float, y1: float, right: float = RIGHT) -> TableRegion:
    box = Box(60, y0, right, y1)
    return TableRegion(box, None, ("layout_boxes",), unvoted(box))


def test_shared_line_goes_to_the_region_below_when_it_stands_nearer_to_the_lines_of_that() -> None:
    upper, lower = without_shared_lines([region(100, HEAD.y1 + 1), region(180, LOWER.box.y1)], PAGE)
    assert upper.box.y1 <= HEAD.y0
    assert upper.box.contains_centre_of(LAST)
    assert lower == region(180, LOWER.box.y1)
    assert [move.reason for edge in upper.edges for move in edge.moves] == [
        "cut back to the table below, to whose lines its last ones stand nearer"
    ]


def test_shared_line_stays_with_the_region_above_when_it_stands_nearer_to_the_lines_of_that() -> None:
    upper, lower = without_shared_lines([region(100, UPPER.box.y1), region(LAST.y0 - 1, LOWER.box.y1)], PAGE)
    assert upper == region(100, UPPER.box.y1)
    assert not lower.box.contains_centre_of(LAST)
    assert lower.box.contains_centre_of(HEAD)


def test_order_of_the_regions_says_nothing() -> None:
    upper, lower = region(100, HEAD.y1 + 1), region(180, LOWER.box.y1)
    assert without_shared_lines([lower, upper], PAGE) == without_shared_lines([upper, lower], PAGE)[::-1]


def test_regions_that_share_no_line_stay_as_they_are() -> None:
    regions = [region(100, UPPER.box.y1), region(UPPER.box.y1 - 1, LOWER.box.y1)]
    assert without_shared_lines(regions, PAGE) == regions


def test_region_inside_another_stays_as_it_is() -> None:
    regions = [region(100, LOWER.box.y1), region(180, LOWER.box.y1)]
    assert without_shared_lines(regions, PAGE) == regions
