"""Which dividers may vote, and why the others may not."""

from __future__ import annotations

import math

import pytest
from pictures import table

from variorum.tables.admission import Admission, admit
from variorum.tables.model import BoundaryHypothesis, BoundaryPoint

CTX = table("Drug      Dose\nAlpha     12.5\nBeta      7.0\nGamma     3.2")
# words from x = 60 to 60 + 14 * 6 = 144; white between the columns from 90 to 120; lines 9 pt high every 14 pt from y = 102


def asked(*cols: BoundaryPoint, rows: tuple[BoundaryPoint, ...] = ()) -> Admission:
    return admit([BoundaryHypothesis(cols, rows, "m")], CTX)


def point(low: float, high: float, confidence: float = 0.9) -> BoundaryPoint:
    return BoundaryPoint(low, high, confidence, "m")


def test_divider_in_white_is_admitted_as_it_is() -> None:
    assert asked(point(95, 115)).hypotheses[0].col_boundaries == (point(95, 115),)


@pytest.mark.parametrize(
    ("refused", "reason"),
    [
        (point(math.nan, 100), "not a finite number"),
        (point(90, math.inf), "not a finite number"),
        (point(90, 100, math.nan), "not a finite number"),
        (point(100, 90), "its range ends before it begins"),
        (point(90, 100, 0.0), "its confidence is not above 0"),
        (point(90, 100, -1.0), "its confidence is not above 0"),
        (point(20, 50), "no words lie beyond it"),
        (point(60, 60), "no words lie beyond it"),
        (point(144, 150), "no words lie beyond it"),
    ],
)
def test_divider_that_is_no_place_is_refused_with_the_reason(refused: BoundaryPoint, reason: str) -> None:
    admission = asked(refused)
    assert admission.hypotheses == ()
    (one,) = admission.refused_columns
    assert (one.point, one.reason) == (refused, reason)


def test_divider_through_more_lines_than_it_parts_is_refused() -> None:
    """x = 81 runs through Drug, Alpha, Beta and Gamma, and parts no line."""
    (one,) = asked(point(80, 82)).refused_columns
    assert one.reason == "cuts words in 4 lines and parts 0"


def test_divider_through_one_spanning_header_is_admitted() -> None:
    ctx = table("Drug doses of all\nAlpha     12.5\nBeta      7.0")
    admission = admit([BoundaryHypothesis((point(95, 115),), (), "m")], ctx)
    assert len(admission.hypotheses) == 1


def test_row_divider_through_a_line_is_refused() -> None:
    """An underline, or a bar through words: inside the band of the second line, 116 to 125."""
    (one,) = asked(rows=(point(120, 121),)).refused_rows
    assert one.reason == "runs through 1 line of text"


def test_row_divider_between_lines_is_admitted() -> None:
    (hypothesis,) = asked(rows=(point(112, 115),)).hypotheses
    assert len(hypothesis.row_boundaries) == 1


def test_range_is_clipped_to_the_words() -> None:
    (hypothesis,) = asked(point(95, 500)).hypotheses
    assert [(p.min_pos, p.max_pos) for p in hypothesis.col_boundaries] == [(95, 144)]


def test_hypothesis_keeps_what_is_good_of_it() -> None:
    admission = asked(point(95, 115), point(math.nan, 1), rows=(point(112, 115),))
    (hypothesis,) = admission.hypotheses
    assert (len(hypothesis.col_boundaries), len(hypothesis.row_boundaries), len(admission.refused_columns)) == (1, 1, 1)
