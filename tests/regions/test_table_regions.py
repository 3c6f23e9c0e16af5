"""The election of table regions: one per table, with the caption that belongs to it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import permutations

import pytest
from pictures import Drawn, drawn, page

from variorum.geometry import Box
from variorum.page.model import PageEvidence
from variorum.regions.captions import find_captions
from variorum.regions.tables import TableRegion, table_regions

SPACE_EM = 0.6
TABLE = """
Drug          Dose      Effect
Alpha         12.5      0.81
Beta          7.0       0.64
Gamma         3.2       0.17
"""
WIDE = 180.0  # 30 characters


def elected(evidence: PageEvidence, proposals: Mapping[str, Sequence[Box]]) -> list[TableRegion]:
    return table_regions(evidence, proposals, find_captions(evidence, SPACE_EM), SPACE_EM)


def captioned(number: int, left: float = 60, top: float = 100) -> tuple[Drawn, Drawn]:
    """Return a caption, and the table that begins 28 pt below it."""
    return drawn(f"Table {number}: Effects.", left, top), drawn(TABLE, left, top + 28)


def told(regions: Sequence[TableRegion]) -> list[tuple[str, float, float]]:
    """Return the number of the caption (empty without one), left and top of each region."""
    return [(r.caption.number if r.caption else "", round(r.box.x0), round(r.box.y0)) for r in regions]


def test_table_and_its_caption_are_one_region() -> None:
    caption, body = captioned(1)
    (region,) = elected(page(caption, body), {"layout_boxes": [body.box]})
    assert region.caption is not None
    assert region.caption.number == "1"
    assert region.proposers == ("layout_boxes",)
    assert region.box.intersection(body.words[0].box) == body.words[0].box


def test_proposals_of_one_table_are_one_region() -> None:
    _, body = captioned(1)
    boxes = {"layout_boxes": [body.box], "rules": [body.box.grown(1)], "find_tables_lines": [body.box.grown(-1)]}
    (region,) = elected(page(body), boxes)
    assert region.proposers == ("find_tables_lines", "layout_boxes", "rules")


def test_family_counts_once() -> None:
    """Two strategies of one library are one voice; of two voices that differ the larger box is taken."""
    _, body = captioned(1)
    wide = Box(body.box.x0, body.box.y0, body.box.x1 + 90, body.box.y1)
    evidence = page(body, drawn("One\nTwo", 60 + WIDE + 30, 128))
    twice = {"find_tables_lines": [body.box], "find_tables_lines_strict": [body.box], "layout_boxes": [wide]}
    once = {"find_tables_lines": [body.box], "layout_boxes": [wide]}
    assert [r.box for r in elected(evidence, twice)] == [r.box for r in elected(evidence, once)] == [wide]


def test_one_table_told_twice_is_not_two_tables() -> None:
    """Two strategies that give the same small box do not show that the large box around it holds several tables."""
    _, body = captioned(1)
    wide = Box(body.box.x0, body.box.y0, body.box.x1 + 240, body.box.y1)
    evidence = page(body, drawn("One\nTwo", 60 + WIDE + 60, 128))
    twice = {"find_tables_lines": [body.box], "find_tables_lines_strict": [body.box], "layout_boxes": [wide]}
    once = {"find_tables_lines": [body.box], "layout_boxes": [wide]}
    assert [r.box for r in elected(evidence, twice)] == [r.box for r in elected(evidence, once)]


def test_box_around_two_tables_gives_way_to_them() -> None:
    upper, lower = drawn(TABLE, top=100), drawn(TABLE, top=170)
    both = Box.around([upper.box, lower.box])
    regions = elected(page(upper, lower), {"layout_boxes": [both], "find_tables_lines": [upper.box, lower.box]})
    assert [r.box for r in regions] == [upper.box, lower.box]


def test_middle_edge_of_three_voices_is_taken() -> None:
    _, body = captioned(1)
    b = body.box
    boxes = {"rules": [b.grown(2)], "layout_boxes": [b.grown(4)], "find_tables_lines": [b.grown(6)]}
    (region,) = elected(page(body), boxes)
    assert region.box == b.grown(4)


def test_outer_edge_of_two_voices_is_taken() -> None:
    _, body = captioned(1)
    (region,) = elected(page(body), {"rules": [body.box.grown(2)], "layout_boxes": [body.box.grown(4)]})
    assert region.box == body.box.grown(4)


def test_tables_side_by_side_keep_their_own_captions() -> None:
    left, right = captioned(1, left=60), captioned(2, left=330)
    evidence = page(*left, *right)
    assert told(elected(evidence, {"layout_boxes": [left[1].box, right[1].box]})) == [("1", 60, 128), ("2", 330, 128)]


def test_tables_one_above_the_other_keep_their_own_captions() -> None:
    upper, lower = captioned(1, top=100), captioned(2, top=400)
    evidence = page(*upper, *lower)
    assert told(elected(evidence, {"layout_boxes": [upper[1].box, lower[1].box]})) == [("1", 60, 128), ("2", 60, 428)]


def test_proposal_over_two_tables_is_cut_at_the_caption_between_them() -> None:
    upper, lower = captioned(1, top=100), captioned(2, top=228)
    evidence = page(*upper, *lower)
    both = Box.around([upper[1].box, lower[1].box])
    assert [number for number, _, _ in told(elected(evidence, {"rules": [both]}))] == ["1", "2"]


def test_caption_nearer_to_its_neighbour_goes_to_the_table_that_has_no_other() -> None:
    """The second caption stands 2 pt below the first table and 16 pt above its own."""
    first, caption = drawn(TABLE, top=128), drawn("Table 2: More.", top=128 + 4 * 14)
    second = drawn(TABLE, top=128 + 5 * 14 + 14)
    evidence = page(drawn("Table 1: Effects."), first, caption, second)
    regions = elected(evidence, {"layout_boxes": [first.box, second.box]})
    assert [number for number, _, _ in told(regions)] == ["1", "2"]


def test_captions_below_their_tables_are_matched() -> None:
    body, caption = drawn(TABLE, top=100), drawn("Table 1: Effects.", top=170)
    (region,) = elected(page(body, caption), {"layout_boxes": [body.box]})
    assert region.caption is not None
    assert region.box.y1 <= caption.words[0].box.y0


def test_table_below_the_caption_of_its_first_part_begins_under_it() -> None:
    caption, part, body = drawn("Table 1: Effects."), drawn("(a) The first", top=114), drawn(TABLE, top=142)
    (region,) = elected(page(caption, part, body), {"captions": []})
    assert region.caption is not None
    assert (region.caption.text, region.box) == ("Table 1: Effects.", Box.around(w.box for w in body.words))


NOTES = "The effects were taken\nat the end of the week\nin all of the groups\nthat took part in it."


def below(note_size: float, note_top: float) -> list[TableRegion]:
    """Return the regions of a page with a table, four lines of text below it, and its caption below them."""
    body, note = drawn(TABLE, top=100), drawn(NOTES, top=note_top)
    set_so = Drawn(tuple(replace(w, size=note_size) for w in note.words), (), note.box)
    text = drawn("The text of the paper stands\nfurther down on this page of it\nand goes on for some lines.", top=400)
    return elected(page(body, set_so, drawn("Table 1.", top=note.box.y1 + 5), text), {"layout_boxes": [body.box]})


def test_notes_between_a_table_and_the_caption_below_it_do_not_part_them() -> None:
    assert [number for number, _, _ in told(below(8, 160))] == ["1"]


def test_lines_between_that_are_text_or_stand_apart_from_the_table_part_it_from_the_caption() -> None:
    assert [number for number, _, _ in (*told(below(10, 160)), *told(below(8, 190)))] == ["", ""]


def test_caption_is_cut_off_a_region_that_swallowed_it() -> None:
    caption, body = captioned(1)
    (region,) = elected(page(caption, body), {"layout_boxes": [Box.around([caption.box, body.box])]})
    assert not any(region.box.contains_centre_of(w.box) for w in caption.words)
    assert all(region.box.contains_centre_of(w.box) for w in body.words)


def test_caption_that_no_proposer_answers_to_finds_the_cut_up_lines_below_it() -> None:
    caption, body = captioned(1)
    (region,) = elected(page(caption, body), {"captions": []})
    assert region.proposers == ("captions",)
    assert region.box == Box.around(w.box for w in body.words)


def test_paragraph_below_a_caption_is_no_table() -> None:
    prose = drawn("The drugs were given for a week\nand the effect was measured by\nthe nurse who was on duty then.", top=142)
    assert elected(page(drawn("Table 1: Effects."), prose), {"captions": []}) == []


def test_region_beside_the_caption_of_a_figure_is_none() -> None:
    body, caption = drawn(TABLE, top=100), drawn("Figure 1: Effects.", top=170)
    assert elected(page(body, caption), {"layout_boxes": [body.box]}) == []


def test_box_without_columns_is_no_table() -> None:
    prose = drawn("The drugs were given for a week\nand the effect was measured by\nthe nurse who was on duty then.")
    assert elected(page(prose), {"layout_boxes": [prose.box]}) == []


def test_region_grows_to_hold_the_words_it_cuts_and_the_rules_that_close_it() -> None:
    closed = drawn("------------------------------" + TABLE + "------------------------------")
    inner = Box(closed.words[0].box.x0 + 3, closed.words[0].box.y0 + 1, closed.box.x1 - 20, closed.words[-1].box.y1 - 1)
    (region,) = elected(page(closed), {"layout_boxes": [inner]})
    top, bottom = closed.rules
    assert (region.box.y0, region.box.y1) == (top.box.y0, bottom.box.y1)
    assert (region.box.x0, region.box.x1) == (top.start, top.end)


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_election_does_not_depend_on_the_order_of_boxes(order: tuple[int, ...]) -> None:
    parts = [captioned(i + 1, top=100 + 150 * i) for i in range(3)]
    evidence = page(*(d for p in parts for d in p))
    boxes = [parts[i][1].box for i in order]
    shuffled = {"rules": [b.grown(2) for b in boxes], "layout_boxes": boxes}
    assert told(elected(evidence, shuffled)) == [(str(i + 1), 60 - 2, 128 + 150 * i - 2) for i in range(3)]
