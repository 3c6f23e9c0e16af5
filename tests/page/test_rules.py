"""Rules however they are drawn: strokes, thin filled rectangles, edges of boxes; joined where they touch. Shading is none."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pictures import across, down

from variorum.geometry import Box
from variorum.page._pymupdf import pymupdf
from variorum.page.model import PageEvidence, Rule
from variorum.page.reader import PdfFile
from variorum.page.rules import join_rules

BLACK, GREY = (0, 0, 0), (0.9, 0.9, 0.9)
Read = Callable[[Callable[[Any], object]], PageEvidence]


@pytest.fixture
def read(tmp_path: Path) -> Read:
    """Return a function that draws on a page with a word of 10 pt, and reads it."""

    def draw_and_read(draw: Callable[[Any], object]) -> PageEvidence:
        pdf = pymupdf().open()
        page = pdf.new_page(width=500, height=700)
        page.insert_text((100, 600), "word", fontsize=10)
        draw(page)
        pdf.save(tmp_path / "page.pdf")
        with PdfFile(tmp_path / "page.pdf") as file:
            return file.page(0).evidence

    return draw_and_read


def rect(x0: float, y0: float, x1: float, y1: float) -> Any:
    return pymupdf().Rect(x0, y0, x1, y1)


def test_strokes_are_rules(read: Read) -> None:
    evidence = read(lambda p: (p.draw_line((50, 100), (250, 100), width=0.4), p.draw_line((50, 100), (50, 300), width=2)))
    assert evidence.rules == (across(100, 50, 250, 0.4), down(50, 100, 300, 2))


def test_stroke_drawn_backwards_is_the_same_rule(read: Read) -> None:
    assert read(lambda p: p.draw_line((250, 100), (50, 100), width=0.4)).rules == (across(100, 50, 250, 0.4),)


def test_thin_filled_rectangles_are_rules_of_their_thickness(read: Read) -> None:
    evidence = read(
        lambda p: (
            p.draw_rect(rect(50, 100, 250, 101), color=None, fill=BLACK),
            p.draw_rect(rect(60, 120, 62, 320), color=None, fill=BLACK),
        )
    )
    assert evidence.rules == (across(100.5, 50, 250, 1), down(61, 120, 320, 2))
    assert evidence.fills == ()


def test_thin_filled_polygon_is_a_rule(read: Read) -> None:
    corners = [(50, 100), (250, 100), (250, 101), (50, 101)]
    evidence = read(lambda p: p.draw_polyline([*corners, corners[0]], color=None, fill=BLACK))
    assert evidence.rules == (across(100.5, 50, 250, 1),)


def test_edges_of_a_box_are_rules(read: Read) -> None:
    evidence = read(lambda p: p.draw_rect(rect(50, 100, 250, 300), width=1))
    assert evidence.rules == (across(100, 50, 250, 1), across(300, 50, 250, 1), down(50, 100, 300, 1), down(250, 100, 300, 1))


def test_fill_that_could_hold_a_line_is_shading(read: Read) -> None:
    evidence = read(lambda p: p.draw_rect(rect(50, 100, 250, 120), color=None, fill=GREY))
    assert (evidence.rules, evidence.fills) == ((), (Box(50, 100, 250, 120),))


@pytest.mark.parametrize(("height", "is_rule"), [(4, True), (6, False)])
def test_half_the_size_of_the_text_parts_rules_from_shading(height: float, is_rule: bool, read: Read) -> None:
    evidence = read(lambda p: p.draw_rect(rect(50, 100, 250, 100 + height), color=None, fill=BLACK))
    assert (len(evidence.rules), len(evidence.fills)) == ((1, 0) if is_rule else (0, 1))


def test_bordered_shading_is_both(read: Read) -> None:
    evidence = read(lambda p: p.draw_rect(rect(50, 100, 250, 120), color=BLACK, fill=GREY, width=1))
    assert len(evidence.rules) == 4
    assert evidence.fills == (Box(50, 100, 250, 120),)


def test_slanted_strokes_and_curves_are_drawings(read: Read) -> None:
    evidence = read(lambda p: (p.draw_line((50, 100), (250, 200), width=1), p.draw_circle((300, 400), 20)))
    assert evidence.rules == ()
    assert len(evidence.drawings) == 2


def test_invisible_stroke_is_none(read: Read) -> None:
    assert read(lambda p: p.draw_line((50, 100), (250, 100), width=1, stroke_opacity=0)).rules == ()


def test_rule_is_cut_at_the_edge_of_the_page(read: Read) -> None:
    evidence = read(lambda p: (p.draw_line((-50, 100), (600, 100), width=1), p.draw_line((50, 900), (250, 900), width=1)))
    assert evidence.rules == (across(100, 0, 500, 1),)


def test_collinear_pieces_that_touch_are_one_rule(read: Read) -> None:
    """As LaTeX draws a vertical rule: a piece a row, one after the other."""
    evidence = read(lambda p: [p.draw_line((50, y), (50, y + 20), width=0.4) for y in (100, 120, 140)])
    assert evidence.rules == (down(50, 100, 160, 0.4),)


def test_collinear_pieces_apart_are_several() -> None:
    """Partial rules below two headers side by side."""
    assert join_rules([across(100, 50, 90), across(100, 100, 150)]) == (across(100, 50, 90), across(100, 100, 150))


def test_double_rule_of_two_points_distance_stays_double() -> None:
    assert len(join_rules([across(100, 50, 250), across(102, 50, 250)])) == 2


def test_pieces_of_one_line_drawn_over_each_other_are_one_rule() -> None:
    assert join_rules([across(100, 50, 250, 0.4), across(100.2, 60, 250, 0.8)]) == (across(100, 50, 250, 0.8),)


def test_third_piece_closes_the_gap_between_two() -> None:
    pieces = [across(100, 50, 90), across(100, 110, 150), across(100, 85, 115)]
    assert join_rules(pieces) == (across(100, 50, 150),)


numbers = st.integers(0, 40)


@st.composite
def some_rules(draw: st.DrawFn) -> list[Rule]:
    """Draw rules on a coarse raster, so that many touch."""
    out = []
    for _ in range(draw(st.integers(0, 8))):
        start = float(draw(numbers))
        position, end = float(draw(st.integers(0, 3)) * 5), start + draw(st.integers(1, 10))
        out.append(draw(st.sampled_from([across, down]))(position, start, end))
    return out


@given(some_rules(), st.randoms(use_true_random=False))
def test_joining_does_not_depend_on_the_order_of_drawing(rules: list[Rule], dice: Any) -> None:
    shuffled = rules[:]
    dice.shuffle(shuffled)
    assert join_rules(shuffled) == join_rules(rules)


@given(some_rules())
def test_joined_rules_stay_joined_and_cover_the_same(rules: list[Rule]) -> None:
    joined = join_rules(rules)
    assert join_rules(joined) == joined
    for rule in rules:
        assert any(
            j.orientation == rule.orientation and j.position == rule.position and j.start <= rule.start and rule.end <= j.end
            for j in joined
        )
