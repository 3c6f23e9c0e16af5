"""The four edges of a region: who saw them where, which place was accepted, and how they moved from there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import permutations

import pytest
from pictures import Drawn, drawn, page

from variorum.document import Divider, EdgeMove, RegionEdge, Vote
from variorum.geometry import Box
from variorum.page.turning import displayed
from variorum.regions.captions import find_captions
from variorum.regions.edge_turning import displayed_edges
from variorum.regions.model import TableRegion
from variorum.regions.tables import table_regions

SPACE_EM = 0.6
BODY = drawn(
    """
Drug          Dose      Effect
Alpha         12.5      0.81
Beta          7.0       0.64
Gamma         3.2       0.17
"""
)
B = BODY.box
SIDES = ("top", "bottom", "left", "right")


def region_of(proposals: Mapping[str, Sequence[Box]], *others: Drawn, body: Drawn = BODY) -> TableRegion:
    evidence = page(body, *others)
    (region,) = table_regions(evidence, proposals, find_captions(evidence, SPACE_EM), SPACE_EM)
    return region


def edge(region: TableRegion, name: str) -> RegionEdge:
    return next(e for e in region.edges if e.id == name)


def voters(place: Divider) -> list[str]:
    return [v.method for v in place.votes]


def test_every_region_has_its_four_edges_where_its_box_ends() -> None:
    region = region_of({"layout_boxes": [B], "rules": [B.grown(2)]})
    assert tuple(e.id for e in region.edges) == SIDES
    assert [e.position for e in region.edges] == [region.box.y0, region.box.y1, region.box.x0, region.box.x1]
    assert [e.axis for e in region.edges] == ["row", "row", "column", "column"]


def test_edges_nearer_than_a_line_are_one_place_with_all_votes() -> None:
    top = edge(region_of({"layout_boxes": [B], "rules": [B.grown(2)]}), "top")
    (place,) = top.places
    assert (place.id, place.accepted, place.start, place.end) == ("top", True, B.y0 - 2, B.y0)
    assert voters(place) == ["layout_boxes", "rules"]


def test_of_three_voices_the_place_in_the_middle_is_accepted() -> None:
    """14 pt a line: edges farther apart than the 9 pt of a word are different places."""
    boxes = {
        "rules": B,
        "layout_boxes": Box(B.x0, B.y0 - 12, B.x1, B.y1),
        "find_tables_lines": Box(B.x0, B.y0 - 24, B.x1, B.y1),
    }
    top = edge(region_of({name: [box] for name, box in boxes.items()}), "top")
    assert [(p.id, p.accepted, p.position) for p in top.places] == [
        ("topx1", False, B.y0 - 24),
        ("top", True, B.y0 - 12),
        ("topx2", False, B.y0),
    ]
    assert "less than half" in top.places[0].note
    assert "reach farther" in top.places[2].note
    assert top.position == B.y0 - 12


def test_of_two_voices_the_outer_place_is_accepted() -> None:
    bottom = edge(region_of({"rules": [B], "layout_boxes": [Box(B.x0, B.y0, B.x1, B.y1 + 12)]}), "bottom")
    assert [(p.id, p.accepted, voters(p)) for p in bottom.places] == [
        ("bottom", True, ["layout_boxes"]),
        ("bottomx1", False, ["rules"]),
    ]


def test_confidence_is_the_share_of_families_that_agree_with_the_box() -> None:
    """Two boxes that share 3/4 of what they cover, three families asked: (1 + 3/4) / 3."""
    lower = Box(B.x0, B.y0 + B.height / 4, B.x1, B.y1)
    top = edge(region_of({"rules": [B], "layout_boxes": [lower], "find_tables_lines": []}), "top")
    assert [v.confidence for p in top.places for v in p.votes] == pytest.approx([7 / 12, 7 / 12])


def test_proposers_of_one_family_share_its_weight() -> None:
    region = region_of({"find_tables_lines": [B], "find_tables_lines_strict": [B], "layout_boxes": [B]})
    (place,) = edge(region, "left").places
    assert {v.method: v.scaled_confidence for v in place.votes} == {
        "find_tables_lines": 1 / 2,
        "find_tables_lines_strict": 1 / 2,
        "layout_boxes": 1,
    }
    assert place.threshold == 1  # half of two families that agree wholly


def test_words_alone_do_not_make_a_table_larger() -> None:
    region = region_of({"rules": [B], "text_density": [Box(B.x0, B.y0, B.x1, B.y1 + 20)]})
    bottom = edge(region, "bottom")
    assert [(p.id, p.reason, voters(p)) for p in bottom.places] == [
        ("bottom", "above_threshold", ["rules"]),
        ("bottomx1", "refused", ["text_density"]),
    ]
    assert bottom.position == B.y1


def test_words_alone_are_no_region() -> None:
    evidence = page(BODY)
    assert table_regions(evidence, {"text_density": [B], "layout_boxes": []}, (), SPACE_EM) == []


def test_growing_to_words_and_rules_is_written_down_in_order() -> None:
    closed = drawn("------------------------------" + "\nDrug          Dose      Effect\nAlpha         12.5      0.81\n" * 2)
    inner = Box(closed.box.x0, closed.words[0].box.y0 + 1, closed.box.x1, closed.box.y1)
    top = edge(region_of({"layout_boxes": [inner]}, body=closed), "top")
    rule = closed.rules[0].box.y0
    assert top.moves == (
        EdgeMove(position=closed.words[0].box.y0, reason="grown to hold whole words"),
        EdgeMove(position=rule, reason="grown to hold the rules that close the table"),
    )
    assert top.position == rule


def test_cut_at_a_caption_is_written_down() -> None:
    caption = drawn("Table 1: Effects.", top=B.y0 - 14)
    inside = caption.words[0].box.centre[1] + 1
    top = edge(region_of({"layout_boxes": [Box(B.x0, inside, B.x1, B.y1)]}, caption), "top")
    assert [m.reason for m in top.moves] == ["cut at the caption of Table 1"]
    assert top.position == caption.words[0].box.y1


def test_growing_over_near_lines_is_written_down() -> None:
    bottom = edge(region_of({"layout_boxes": [Box(B.x0, B.y0, B.x1, B.y1 - 28)]}), "bottom")
    assert [m.reason for m in bottom.moves][-1] == "grown over 2 lines as near as its own"
    assert bottom.position == BODY.words[-1].box.y1


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_vote_does_not_depend_on_the_order_of_proposers(order: tuple[int, ...]) -> None:
    boxes = [("rules", [B]), ("layout_boxes", [B.grown(12)]), ("text_density", [B.grown(-1)])]
    assert region_of(dict(boxes[i] for i in order)) == region_of(dict(boxes))


class TestTurnedView:
    """Positions are told on the page as displayed, under the names that they have there."""

    WIDTH, HEIGHT = 600.0, 800.0

    def edges(self) -> tuple[RegionEdge, ...]:
        box = Box(100, 50, 400, 250)
        ends = {"top": box.y0, "bottom": box.y1, "left": box.x0, "right": box.x1}

        def place(name: str, at: float) -> Divider:
            vote = Vote(method="rules", start=at, end=at + 3, confidence=1, scaled_confidence=1)
            return Divider(
                id=name,
                axis="row" if name in ("top", "bottom") else "column",
                start=at,
                end=at + 3,
                position=at + 1,
                accepted=True,
                reason="above_threshold",
                confidence=1,
                method_count=1,
                threshold=1,
                votes=(vote,),
            )

        return tuple(
            RegionEdge(
                id=name,  # type: ignore[arg-type]
                axis="row" if name in ("top", "bottom") else "column",
                position=at,
                places=(place(name, at),),
                moves=(EdgeMove(position=at, reason="grown"),),
            )
            for name, at in ends.items()
        )

    @pytest.mark.parametrize("angle", [90, 270])
    def test_edges_lie_where_the_displayed_box_ends(self, angle: int) -> None:
        box = displayed(Box(100, 50, 400, 250), angle, self.WIDTH, self.HEIGHT)
        turned = displayed_edges(self.edges(), angle, self.WIDTH, self.HEIGHT)
        assert tuple(e.id for e in turned) == SIDES
        assert [e.position for e in turned] == [box.y0, box.y1, box.x0, box.x1]
        assert [m.position for e in turned for m in e.moves] == [e.position for e in turned]
        assert [e.axis for e in turned] == ["row", "row", "column", "column"]

    @pytest.mark.parametrize("angle", [90, 270])
    def test_places_turn_with_their_edge(self, angle: int) -> None:
        for e in displayed_edges(self.edges(), angle, self.WIDTH, self.HEIGHT):
            (place,) = e.places
            (vote,) = place.votes
            assert (place.id, place.axis) == (e.id, e.axis)
            assert (vote.start, vote.end) == (place.start, place.end)
            assert {place.start, place.end} in ({e.position, e.position + 3}, {e.position - 3, e.position})
            assert abs(place.position - e.position) == 1

    def test_level_view_is_left_as_it_is(self) -> None:
        assert displayed_edges(self.edges(), 0, self.WIDTH, self.HEIGHT) == self.edges()
