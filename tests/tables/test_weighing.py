"""The weighted vote: each place by itself, silence of those who claim to see the whole axis, and rules that need no votes."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from pictures import across, word

from variorum.geometry import Box
from variorum.tables.model import AxisTrace, BoundaryHypothesis, BoundaryPoint, TableContext
from variorum.tables.weighing import combine_by_weight

# words from 60 to 84, 130 to 148 and 230 to 260; the rule's thickness, 0.5 pt, is the spatial precision
WORDS = (word("left", 60, 109), word("mid", 130, 109), word("right", 230, 109))
CTX = TableContext(Box(60, 100, 300, 142), WORDS, (across(130, 60, 300),))


def cols(method: str, *ranges: tuple[float, float], confidence: float = 0.8, complete: bool = True) -> BoundaryHypothesis:
    points = tuple(BoundaryPoint(low, high, confidence, method) for low, high in ranges)
    return BoundaryHypothesis(points, (), method, {"complete": ("column",)} if complete else {})


def vote(*hypotheses: BoundaryHypothesis, **multipliers: float) -> tuple[list[tuple[float, float]], AxisTrace]:
    """Return the ranges of the accepted dividers, and the trace."""
    consensus, trace = combine_by_weight(hypotheses, CTX, confidence_multipliers=multipliers or None)
    assert consensus.row_boundaries == ()
    return [(p.min_pos, p.max_pos) for p in consensus.col_boundaries], trace.col_trace


def test_nobody_gives_no_dividers() -> None:
    found, trace = vote()
    assert (found, trace.clusters, trace.median_method_count) == ([], (), 0.0)


def test_lone_voice_is_heard() -> None:
    assert vote(cols("a", (100, 120)))[0] == [(100, 120)]


def test_divider_lies_where_all_its_voters_see_white() -> None:
    assert vote(cols("a", (100, 120)), cols("b", (110, 130)))[0] == [(110, 120)]


def test_silence_of_those_who_see_the_whole_axis_denies() -> None:
    """0.8 speaks for the second divider; two who see all columns, with 0.8 each, put none there."""
    found, trace = vote(cols("a", (100, 120), (200, 220)), cols("b", (100, 120)), cols("c", (100, 120)))
    assert found == [(100, 120)]
    assert [r.acceptance_reason for r in trace.clusters] == ["above_threshold", "rejected"]


def test_silence_of_those_who_do_not_denies_nothing() -> None:
    silent = [cols(name, (100, 120), complete=False) for name in "bcdef"]
    assert vote(cols("a", (100, 120), (200, 220)), *silent)[0] == [(100, 120), (200, 220)]


def test_equal_weight_for_and_against_is_not_enough() -> None:
    assert vote(cols("a", (100, 120), (200, 220)), cols("b", (100, 120)))[0] == [(100, 120)]


def test_wide_range_may_stand_for_two_dividers() -> None:
    """Where one sees a single gap from 100 to 200, two see a narrow column in it: it stands for both its sides."""
    found, trace = vote(cols("a", (100, 200)), cols("b", (100, 120), (180, 200)), cols("c", (100, 120), (180, 200)))
    assert found == [(100, 120), (180, 200)]
    assert [r.method_names for r in trace.clusters] == [["a", "b", "c"]] * 2


def test_drawn_rule_is_accepted_whatever_the_others_say() -> None:
    others = [cols(name, (100, 120)) for name in "abcd"]
    found, trace = vote(cols("ruled_lines", (200, 201), complete=False, confidence=0.1), *others)
    assert found == [(100, 120), (200, 201)]
    assert [r.acceptance_reason for r in trace.clusters] == ["above_threshold", "ruled_line_override"]


def test_multiplier_turns_the_vote() -> None:
    voters = (cols("a", (100, 120), (200, 220)), cols("b", (100, 120)))
    assert vote(*voters, a=2.0)[0] == [(100, 120), (200, 220)]
    assert vote(*voters, b=2.0)[0] == [(100, 120)]


def test_dividers_with_nothing_between_them_are_one() -> None:
    """Both lie in the white between "left" and "mid"; it is the same divider, seen apart, and both stand for it."""
    found, trace = vote(cols("a", (90, 95), confidence=0.9), cols("b", (110, 115), confidence=0.8))
    assert found == [(90, 95)]
    assert [r.method_names for r in trace.clusters] == [["a", "b"]]


def test_method_counts_once_at_a_place() -> None:
    """Two ranges of one method over one place are one voice of 0.8 against 0.8."""
    twice = cols("a", (100, 120), (200, 220), (201, 221))
    assert vote(twice, cols("b", (100, 120)))[0] == [(100, 120)]


def test_empty_axis_is_denied_only_by_who_says_so() -> None:
    """A method that speaks for columns and has rows only says that there is one column."""
    row_only = BoundaryHypothesis((), (BoundaryPoint(105, 106, 0.9, "b"),), "b", {"complete": ("column", "row")})
    consensus, _ = combine_by_weight([cols("a", (100, 120)), row_only], CTX)
    assert consensus.col_boundaries == ()
    silent = BoundaryHypothesis((), row_only.row_boundaries, "b", {"complete": ("row",)})
    consensus, _ = combine_by_weight([cols("a", (100, 120)), silent], CTX)
    assert len(consensus.col_boundaries) == 1


# ---- whatever the methods say ---------------------------------------------------------------------------------------

METHODS = ("ruled_lines", "a", "b", "c")
places = st.integers(0, 40).map(float) | st.floats(0, 300)


@st.composite
def hypotheses(draw: st.DrawFn) -> BoundaryHypothesis:
    method = draw(st.sampled_from(METHODS))

    def points() -> tuple[BoundaryPoint, ...]:
        starts = draw(st.lists(places, max_size=4))
        return tuple(
            BoundaryPoint(x, x + draw(st.sampled_from([0.0, 1.0, 7.0, 30.0])), draw(st.sampled_from([0.3, 0.5, 1.0])), method)
            for x in starts
        )

    complete = draw(st.sampled_from([(), ("column",), ("row",), ("column", "row")]))
    return BoundaryHypothesis(points(), points(), method, {"complete": complete})


@given(st.lists(hypotheses(), max_size=5, unique_by=lambda h: h.method), st.randoms(use_true_random=False))
def test_consensus_does_not_depend_on_the_order_of_methods(voters: list[BoundaryHypothesis], dice: Any) -> None:
    shuffled = voters[:]
    dice.shuffle(shuffled)
    first, second = combine_by_weight(voters, CTX), combine_by_weight(shuffled, CTX)
    assert first[0] == second[0]
    assert first[1].col_trace.clusters == second[1].col_trace.clusters
    assert first[1].row_trace.accepted_positions == second[1].row_trace.accepted_positions


@given(st.lists(hypotheses(), max_size=5, unique_by=lambda h: h.method))
def test_dividers_come_in_order_and_have_voters(voters: list[BoundaryHypothesis]) -> None:
    consensus, trace = combine_by_weight(voters, CTX)
    for points, axis in ((consensus.col_boundaries, trace.col_trace), (consensus.row_boundaries, trace.row_trace)):
        assert all(a.position <= b.position for a, b in pairwise(points))
        assert [p.position for p in points] == list(axis.accepted_positions)
        for record in axis.clusters:
            assert record.method_names == sorted({p.provenance for p in record.points})
            assert record.distinct_methods == len(record.method_names) >= 1
            assert record.min_pos <= record.position <= record.max_pos
        assert all(p.provenance == "consensus" and p.confidence > 0 for p in points)


@given(st.lists(hypotheses(), max_size=5, unique_by=lambda h: h.method))
def test_every_drawn_rule_has_its_divider(voters: list[BoundaryHypothesis]) -> None:
    trace = combine_by_weight(voters, CTX)[1]
    for record in (*trace.col_trace.clusters, *trace.row_trace.clusters):
        assert record.accepted or "ruled_lines" not in record.method_names
