"""What holds of the vote whatever the methods say."""

from __future__ import annotations

import math
from collections import Counter
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from variorum.geometry import Box
from variorum.page.model import Rule, Word
from variorum.tables.combination import combine_hypotheses
from variorum.tables.majority import combine_by_majority
from variorum.tables.model import AxisTrace, BoundaryHypothesis, BoundaryPoint, TableContext

METHODS = ("ruled_lines", "pymupdf_lines", "header_anchor", "rivers")
places = st.one_of(st.integers(0, 60).map(float), st.floats(-1e4, 1e4))
confidences = st.one_of(st.sampled_from([0.5, 0.9, 1.0]), st.floats(0, 1))


@st.composite
def points(draw: st.DrawFn, method: str) -> BoundaryPoint:
    """Draw a usable point."""
    start = draw(places)
    return BoundaryPoint(start, start + draw(st.sampled_from([0.0, 0.5, 3.0, 20.0])), draw(confidences), method)


@st.composite
def any_points(draw: st.DrawFn, method: str) -> BoundaryPoint:
    """Draw a point that may be no place at all."""
    return draw(st.one_of(points(method), st.builds(BoundaryPoint, st.floats(), st.floats(), st.floats(), st.just(method))))


def hypotheses_of(make_point: object, least: int = 0) -> st.SearchStrategy[list[BoundaryHypothesis]]:
    """Return a strategy for lists of hypotheses, several of one method not excluded."""

    def one(method: str) -> st.SearchStrategy[BoundaryHypothesis]:
        axis = st.lists(make_point(method), max_size=5).map(tuple)  # type: ignore[operator]
        return st.builds(BoundaryHypothesis, axis, axis, st.just(method))

    return st.lists(st.sampled_from(METHODS).flatmap(one), min_size=least, max_size=6)


@st.composite
def contexts(draw: st.DrawFn) -> TableContext:
    """Draw a region with or without a rule and words."""
    rules = (Rule("vertical", 10, 0, 50, draw(st.sampled_from([0.3, 1.0]))),) if draw(st.booleans()) else ()
    starts = draw(st.lists(st.floats(0, 500), max_size=4))
    words = tuple(Word("w", Box(x, 10, x + 8, 20), 20, 10, "F", 0, 0, i) for i, x in enumerate(starts))
    return TableContext(Box(0, 0, 600, 60), words, rules)


multipliers = st.none() | st.dictionaries(st.sampled_from(METHODS), st.floats(0, 10))
usable, whatever = hypotheses_of(points), hypotheses_of(any_points)


def axes(hypotheses: list[BoundaryHypothesis], ctx: TableContext) -> tuple[AxisTrace, AxisTrace]:
    """Return the traces of both axes."""
    trace = combine_hypotheses(hypotheses, ctx, trace=True)[1]
    return trace.col_trace, trace.row_trace


@given(whatever, contexts(), multipliers, st.randoms(use_true_random=False))
def test_consensus_does_not_depend_on_method_order(hypotheses, ctx, factors, random) -> None:
    shuffled = random.sample(hypotheses, len(hypotheses))
    for strategy in (combine_hypotheses, combine_by_majority):
        before = strategy(hypotheses, ctx, confidence_multipliers=factors, trace=True)
        assert repr(before) == repr(strategy(shuffled, ctx, confidence_multipliers=factors, trace=True))


@given(usable, contexts())
def test_ruled_line_is_always_accepted(hypotheses, ctx) -> None:
    for trace in axes(hypotheses, ctx):
        assert all(c.accepted for c in trace.clusters if "ruled_lines" in c.method_names)


@given(whatever, contexts())
def test_each_point_is_in_exactly_one_cluster_or_refused(hypotheses, ctx) -> None:
    trace = axes(hypotheses, ctx)[0]
    placed = [p for c in trace.clusters for p in c.unscaled_points] + [r.point for r in trace.refused]
    given_points = [p for h in hypotheses for p in h.col_boundaries]
    assert Counter(map(repr, placed)) == Counter(map(repr, given_points)) == Counter(map(repr, trace.input_points))


@given(whatever, contexts(), multipliers)
def test_no_input_makes_a_boundary_that_is_no_place(hypotheses, ctx, factors) -> None:
    result = combine_hypotheses(hypotheses, ctx, confidence_multipliers=factors)
    for point in (*result.col_boundaries, *result.row_boundaries):
        assert all(map(math.isfinite, (point.min_pos, point.max_pos, point.position, point.confidence)))
        assert point.min_pos <= point.position <= point.max_pos


@given(hypotheses_of(points, least=2), contexts())
def test_clusters_are_in_order_and_apart(hypotheses, ctx) -> None:
    for trace in axes(hypotheses, ctx):
        spans = [(c.min_pos, c.max_pos) for c in trace.clusters]
        assert all(before[1] < after[0] for before, after in pairwise(spans))
        assert list(trace.accepted_positions) == sorted(trace.accepted_positions)


@given(usable.filter(lambda hs: len(hs) > 0), contexts(), multipliers)
def test_passthrough_is_unchanged(hypotheses, ctx, factors) -> None:
    assert combine_hypotheses(hypotheses[:1], ctx, confidence_multipliers=factors) is hypotheses[0]


@given(usable, contexts(), multipliers)
def test_multipliers_never_change_acceptance(hypotheses, ctx, factors) -> None:
    plain = combine_hypotheses(hypotheses, ctx, trace=True)[1]
    scaled = combine_hypotheses(hypotheses, ctx, confidence_multipliers=factors, trace=True)[1]
    for before, after in ((plain.col_trace, scaled.col_trace), (plain.row_trace, scaled.row_trace)):
        assert [c.acceptance_reason for c in before.clusters] == [c.acceptance_reason for c in after.clusters]


@given(usable, contexts())
def test_best_supported_cluster_is_accepted(hypotheses, ctx) -> None:
    for trace in axes(hypotheses, ctx):
        most = max((c.distinct_methods for c in trace.clusters), default=0)
        assert all(c.accepted for c in trace.clusters if c.distinct_methods == most)


@given(usable, contexts())
def test_consensus_confidence_lies_between_its_voters(hypotheses, ctx) -> None:
    for trace in axes(hypotheses, ctx):
        for cluster in trace.clusters:
            values = [p.confidence for p in cluster.points]
            assert min(values) <= cluster.confidence <= max(values)


@given(hypotheses_of(points, least=2), contexts())
def test_majority_needs_more_than_half_of_the_speakers(hypotheses, ctx) -> None:
    trace = combine_by_majority(hypotheses, ctx, trace=True)[1].col_trace
    speakers = {p.provenance for p in trace.input_points}
    assert all(c.accepted == (2 * c.distinct_methods > len(speakers)) for c in trace.clusters)
