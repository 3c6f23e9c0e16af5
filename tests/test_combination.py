"""The vote on dividers: the founding document's tests under their own names, and the holes it leaves."""

from __future__ import annotations

import math
from dataclasses import replace
from statistics import median

import pytest

from variorum.errors import ConfigError
from variorum.geometry import Box
from variorum.page.model import Rule, Word
from variorum.tables.combination import _combine_axis, _compute_spatial_precision, _scale_point, combine_hypotheses
from variorum.tables.majority import combine_by_majority
from variorum.tables.model import AxisTrace, BoundaryHypothesis, BoundaryPoint, CombinationTrace, TableContext

REASONS = {"above_threshold", "ruled_line_override", "rejected"}


def word(text: str, x0: float, x1: float, *, top: float = 100.0, height: float = 10.0) -> Word:
    """Return a word on the line that ends at top + height."""
    return Word(text, Box(x0, top, x1, top + height), top + height, height, "Times", 0, 0, 0)


def context(*words: Word, rules: tuple[Rule, ...] = ()) -> TableContext:
    """Return a table region of 600 x 800 pt with these words and rules."""
    return TableContext(Box(0, 0, 600, 800), words, rules)


# Two words 4 pt apart: the spatial precision is 4 pt.
CTX = context(word("mean", 100, 120), word("age", 124, 140))


def at(position: float, method: str, *, confidence: float = 0.9, half: float = 0.0) -> BoundaryPoint:
    """Return a point of this method around this position."""
    return BoundaryPoint(position - half, position + half, confidence, method)


def hypothesis(
    method: str, cols: tuple[float, ...] = (), rows: tuple[float, ...] = (), confidence: float = 0.9
) -> BoundaryHypothesis:
    """Return a hypothesis with points at these positions."""
    return BoundaryHypothesis(
        tuple(at(x, method, confidence=confidence) for x in cols),
        tuple(at(y, method, confidence=confidence) for y in rows),
        method,
    )


def col_trace(*hypotheses: BoundaryHypothesis, ctx: TableContext = CTX) -> AxisTrace:
    """Return the trace of the vote on columns."""
    return combine_hypotheses(hypotheses, ctx, trace=True)[1].col_trace


class TestCombineHypotheses:
    def test_empty_input(self) -> None:
        consensus, trace = combine_hypotheses([], CTX, trace=True)
        assert consensus.col_boundaries == ()
        assert consensus.row_boundaries == ()
        assert trace.col_trace.clusters == ()
        assert trace.col_trace.median_method_count == 0.0
        assert trace.source_methods == []

    def test_single_hypothesis_passthrough(self) -> None:
        only = hypothesis("m1", (150, 300), (200,))
        assert combine_hypotheses([only], CTX) is only

    def test_two_methods_agree(self) -> None:
        m1 = BoundaryHypothesis((BoundaryPoint(143, 147, 0.9, "m1"),), (), "m1")
        m2 = BoundaryHypothesis((BoundaryPoint(144, 148, 0.8, "m2"),), (), "m2")
        assert len(combine_hypotheses([m1, m2], CTX).col_boundaries) == 1

    def test_three_methods_one_disagrees(self) -> None:
        trace = col_trace(hypothesis("m1", (145,)), hypothesis("m2", (146,)), hypothesis("m3", (200,)))
        assert trace.median_method_count == median([2, 1]) == 1.5
        assert [round(x, 1) for x in trace.accepted_positions] == [145.5]

    def test_row_and_col_independent(self) -> None:
        result = combine_hypotheses([hypothesis("m1", (150,), (200,)), hypothesis("m2", (300,), (400,))], CTX)
        assert [p.position for p in result.col_boundaries] == [150, 300]
        assert [p.position for p in result.row_boundaries] == [200, 400]

    def test_consensus_is_named(self) -> None:
        result = combine_hypotheses([hypothesis("m2", (150,)), hypothesis("m1", (150,))], CTX)
        assert result.method == "consensus"
        assert {p.provenance for p in result.col_boundaries} == {"consensus"}
        assert result.metadata["source_methods"] == ("m1", "m2")

    def test_axis_without_points_has_no_clusters_and_median_zero(self) -> None:
        _, trace = combine_hypotheses([hypothesis("m1", (150,)), hypothesis("m2", (150,))], CTX, trace=True)
        assert trace.row_trace.clusters == ()
        assert trace.row_trace.median_method_count == 0.0
        assert trace.row_trace.acceptance_threshold == 0.0


class TestAcceptanceThreshold:
    def test_low_confidence_rejected(self) -> None:
        methods = [hypothesis("m1", (145,)), hypothesis("m2", (145,)), hypothesis("m3", (145,))]
        lone = hypothesis("m4", (500,), confidence=0.1)
        trace = col_trace(*methods, lone)
        assert trace.median_method_count == median([3, 1]) == 2.0
        assert len(combine_hypotheses([*methods, lone], CTX).col_boundaries) == 1

    def test_equal_method_agreement_all_pass(self) -> None:
        places = (100, 200, 300, 400, 500)
        strong, weak = hypothesis("m1", places, confidence=0.9), hypothesis("m2", places, confidence=0.2)
        weakest = replace(strong, col_boundaries=(*strong.col_boundaries[:-1], at(500, "m1", confidence=0.01)))
        assert len(combine_hypotheses([weakest, weak], CTX).col_boundaries) == 5

    def test_single_cluster_always_accepted(self) -> None:
        m1, m2 = hypothesis("m1", (145,), confidence=0.01), hypothesis("m2", (145,), confidence=0.01)
        assert len(combine_hypotheses([m1, m2], CTX).col_boundaries) == 1


class TestCombinationTrace:
    def test_multi_hypothesis_trace_structure(self) -> None:
        result, trace = combine_hypotheses(
            [hypothesis("m1", (150,), (200,)), hypothesis("m2", (151,), (300,))], CTX, trace=True
        )
        assert isinstance(trace, CombinationTrace)
        assert trace.spatial_precision == 4.0
        assert trace.source_methods == ["m1", "m2"]
        for axis in (trace.col_trace, trace.row_trace):
            assert isinstance(axis, AxisTrace)
            assert axis.clusters
            for cluster in axis.clusters:
                assert isinstance(cluster.method_names, list)
                assert cluster.method_names
                assert cluster.distinct_methods == len(cluster.method_names)
                assert cluster.acceptance_reason in REASONS
        assert trace.col_trace.accepted_positions == tuple(p.position for p in result.col_boundaries)

    def test_axis_trace_input_points_match(self) -> None:
        m1, m2 = hypothesis("m1", (150, 300)), hypothesis("m2", (151,))
        trace = col_trace(m1, m2)
        assert set(trace.input_provenances) == {"m1", "m2"}
        assert set(trace.input_points) == {*m1.col_boundaries, *m2.col_boundaries}
        assert len(trace.expansions) == len(trace.input_points) == 3

    def test_trace_cluster_has_method_names(self) -> None:
        clusters = col_trace(hypothesis("m1", (150, 300)), hypothesis("m2", (151,))).clusters
        assert [c.method_names for c in clusters] == [["m1", "m2"], ["m1"]]

    def test_trace_has_median_method_count(self) -> None:
        assert col_trace(hypothesis("m1", (150,)), hypothesis("m2", (151,))).median_method_count > 0

    def test_acceptance_reason_values(self) -> None:
        trace = col_trace(hypothesis("m1", (150,)), hypothesis("m2", (150,)), hypothesis("m3", (500,)))
        assert [c.acceptance_reason for c in trace.clusters] == ["above_threshold", "rejected"]
        assert [c.accepted for c in trace.clusters] == [True, False]

    def test_passthrough_trace_is_unscaled_and_accepted(self) -> None:
        only = hypothesis("m1", (150, 300), confidence=0.5)
        result, trace = combine_hypotheses([only], CTX, confidence_multipliers={"m1": 3.0}, trace=True)
        assert result is only
        assert [c.confidence for c in trace.col_trace.clusters] == [0.5, 0.5]
        assert {c.acceptance_reason for c in trace.col_trace.clusters} == {"above_threshold"}
        assert [c.method_names for c in trace.col_trace.clusters] == [["m1"], ["m1"]]
        assert trace.col_trace.median_method_count == 1.0
        assert not any(e.was_expanded for e in trace.col_trace.expansions)
        assert trace.row_trace.median_method_count == 0.0

    def test_no_trace_returns_the_hypothesis_alone(self) -> None:
        assert isinstance(combine_hypotheses([hypothesis("m1", (1,)), hypothesis("m2", (1,))], CTX), BoundaryHypothesis)

    def test_cluster_keeps_confidences_before_and_after_scaling(self) -> None:
        pair = [hypothesis("m1", (150,), confidence=0.5), hypothesis("m2", (150,), confidence=0.5)]
        _, trace = combine_hypotheses(pair, CTX, confidence_multipliers={"m1": 2.0}, trace=True)
        (cluster,) = trace.col_trace.clusters
        assert [p.confidence for p in cluster.points] == [1.0, 0.5]
        assert [p.confidence for p in cluster.unscaled_points] == [0.5, 0.5]
        assert [p.confidence for p in trace.col_trace.input_points] == [0.5, 0.5]


class TestMethodCountRejection:
    def test_lone_divider_rejected(self) -> None:
        methods = [hypothesis("m1", (150, 300)), hypothesis("m2", (150, 500)), hypothesis("m3", (300,))]
        trace = col_trace(*methods)
        assert trace.median_method_count == median([2, 2, 1]) == 2
        assert trace.accepted_positions == (150, 300)
        assert trace.clusters[-1].acceptance_reason == "rejected"

    def test_single_method_all_pass(self) -> None:
        assert len(combine_hypotheses([hypothesis("m1", (150, 300, 500))], CTX).col_boundaries) == 3

    def test_two_points_of_one_method_are_one_voice(self) -> None:
        (cluster,) = col_trace(hypothesis("m1", (150, 151)), hypothesis("m2")).clusters
        assert (len(cluster.points), cluster.distinct_methods) == (2, 1)


class TestConfidenceMultipliers:
    def test_multipliers_scale_confidence(self) -> None:
        pair = [hypothesis("m1", (150,)), hypothesis("m2", (150,))]
        result = combine_hypotheses(pair, CTX, confidence_multipliers={"m1": 2.0, "m2": 0.5})
        assert result.col_boundaries[0].confidence == pytest.approx((0.9 * 2.0 + 0.9 * 0.5) / 2)
        assert result.col_boundaries[0].confidence == pytest.approx(1.125)

    def test_no_multipliers_default(self) -> None:
        pair = [hypothesis("m1", (150,), confidence=0.8), hypothesis("m2", (150,), confidence=0.6)]
        result = combine_hypotheses(pair, CTX)
        assert result.col_boundaries[0].confidence == pytest.approx((0.8 + 0.6) / 2)
        assert result == combine_hypotheses(pair, CTX, confidence_multipliers={})
        assert result == combine_hypotheses(pair, CTX, confidence_multipliers={"m1": 1.0, "m2": 1.0, "other": 7.0})

    def test_multiplier_moves_the_position_not_the_acceptance(self) -> None:
        trio = [hypothesis("m1", (150,)), hypothesis("m2", (152,)), hypothesis("m3", (500,))]
        plain = combine_hypotheses(trio, CTX)
        heavy = combine_hypotheses(trio, CTX, confidence_multipliers={"m1": 3.0, "m3": 100.0})
        assert [p.position for p in plain.col_boundaries] == [pytest.approx(151)]
        assert [p.position for p in heavy.col_boundaries] == [pytest.approx((3 * 150 + 1 * 152) / 4)]

    def test_weightless_points_lie_at_their_plain_mean(self) -> None:
        pair = [hypothesis("m1", (150,)), hypothesis("m2", (152,))]
        (point,) = combine_hypotheses(pair, CTX, confidence_multipliers={"m1": 0.0, "m2": 0.0}).col_boundaries
        assert (point.position, point.confidence) == (151, 0.0)

    def test_scale_point_returns_the_point_itself_where_nothing_changes(self) -> None:
        point = at(150, "m1")
        assert _scale_point(point, None) is point
        assert _scale_point(point, {"m1": 1.0}) is point
        assert _scale_point(point, {"m2": 5.0}) is point
        assert _scale_point(point, {"m1": 2.0}) == replace(point, confidence=1.8)

    @pytest.mark.parametrize("factor", [-0.5, math.nan, math.inf])
    def test_impossible_multiplier_is_named(self, factor: float) -> None:
        with pytest.raises(ConfigError, match=r"confidence_multipliers\.m1"):
            combine_hypotheses([hypothesis("m1", (150,))], CTX, confidence_multipliers={"m1": factor})


class TestRuledLineOverride:
    def test_ruled_line_always_accepted(self) -> None:
        trace = col_trace(hypothesis("m1", (150,)), hypothesis("m2", (150,)), hypothesis("ruled_lines", (300,)))
        assert trace.median_method_count == median([2, 1]) == 1.5
        assert trace.accepted_positions == (150, 300)
        assert [c.acceptance_reason for c in trace.clusters] == ["above_threshold", "ruled_line_override"]

    def test_non_ruled_line_still_rejected(self) -> None:
        result = combine_hypotheses([hypothesis("m1", (150,)), hypothesis("m2", (150,)), hypothesis("hotspot", (300,))], CTX)
        assert [p.position for p in result.col_boundaries] == [150]


class TestSpatialPrecision:
    def test_rule_thickness_comes_first(self) -> None:
        rule = Rule("vertical", 200, 0, 50, 0.4)
        assert _compute_spatial_precision(replace(CTX, rules=(rule,))) == 0.4

    def test_then_the_word_gap(self) -> None:
        assert _compute_spatial_precision(CTX) == 4.0

    def test_then_the_word_height(self) -> None:
        assert _compute_spatial_precision(context(word("mean", 100, 120))) == 10.0

    def test_without_rules_and_words_it_is_zero(self) -> None:
        assert _compute_spatial_precision(context()) == 0.0

    def test_word_gap_is_measured_within_lines_only(self) -> None:
        lines = [word(w, x0, x1, top=top) for top in (100, 110) for w, x0, x1 in (("a", 0, 10), ("b", 13, 20), ("c", 25, 30))]
        assert context(*lines).median_word_gap == median([3, 5, 3, 5])

    def test_superscript_belongs_to_its_line(self) -> None:
        small = word("2", 21, 24, top=98, height=6)
        assert context(word("R", 10, 20), small, word("adj", 26, 40)).median_word_gap == median([1, 2])


class TestMerge:
    def test_narrow_range_is_expanded_around_its_middle(self) -> None:
        (expansion,) = col_trace(
            BoundaryHypothesis((BoundaryPoint(149, 151, 0.9, "m1"),), (), "m1"), hypothesis("m2")
        ).expansions
        assert (expansion.expanded_min, expansion.expanded_max) == (148, 152)
        assert expansion.was_expanded

    def test_wide_range_is_left_alone(self) -> None:
        (expansion,) = col_trace(
            BoundaryHypothesis((BoundaryPoint(140, 160, 0.9, "m1"),), (), "m1"), hypothesis("m2")
        ).expansions
        assert not expansion.was_expanded

    def test_touching_ranges_merge(self) -> None:
        assert len(col_trace(hypothesis("m1", (150,)), hypothesis("m2", (154,))).clusters) == 1

    def test_ranges_apart_do_not_merge(self) -> None:
        assert len(col_trace(hypothesis("m1", (150,)), hypothesis("m2", (154.01,))).clusters) == 2

    def test_precision_zero_merges_equal_points_only(self) -> None:
        clusters = col_trace(hypothesis("m1", (150, 151)), hypothesis("m2", (150,)), ctx=context()).clusters
        assert [c.distinct_methods for c in clusters] == [2, 1]

    def test_boundary_spans_its_points_without_their_expansion(self) -> None:
        (point,) = combine_hypotheses([hypothesis("m1", (150,)), hypothesis("m2", (153,))], CTX).col_boundaries
        assert (point.min_pos, point.max_pos) == (150, 153)

    def test_combine_axis_alone(self) -> None:
        boundaries, trace = _combine_axis([at(10, "m1"), at(11, "m2"), at(90, "m2")], 2.0)
        assert [b.position for b in boundaries] == [pytest.approx(10.5)]
        assert trace.acceptance_threshold == 1.5


class TestRefusedPoints:
    BROKEN = (
        BoundaryPoint(math.nan, 150, 0.9, "m1"),
        BoundaryPoint(150, math.inf, 0.9, "m1"),
        BoundaryPoint(160, 150, 0.9, "m1"),
        BoundaryPoint(150, 150, math.nan, "m1"),
        BoundaryPoint(150, 150, -0.1, "m1"),
    )

    @pytest.mark.parametrize("broken", BROKEN, ids=repr)
    def test_broken_point_is_refused_with_a_reason(self, broken: BoundaryPoint) -> None:
        trace = col_trace(BoundaryHypothesis((broken, at(300, "m1")), (), "m1"), hypothesis("m2", (300,)))
        assert trace.accepted_positions == (300,)
        (refused,) = trace.refused
        assert repr(refused.point) == repr(broken)
        assert refused.reason
        assert len(trace.input_points) == 3

    def test_passthrough_drops_broken_points_only(self) -> None:
        good = at(300, "m1")
        only = BoundaryHypothesis((*self.BROKEN, good), (good,), "m1")
        result, trace = combine_hypotheses([only], CTX, trace=True)
        assert result == replace(only, col_boundaries=(good,))
        assert len(trace.col_trace.refused) == len(self.BROKEN)


class TestMajority:
    def test_more_than_half_of_the_speakers_accept(self) -> None:
        three = [hypothesis("m1", (150, 300)), hypothesis("m2", (150,)), hypothesis("m3", (500,))]
        result, trace = combine_by_majority(three, CTX, trace=True)
        assert [p.position for p in result.col_boundaries] == [150]
        assert trace.col_trace.acceptance_threshold == 2.0
        assert trace.col_trace.median_method_count == median([2, 1, 1])

    def test_half_is_not_a_majority(self) -> None:
        assert combine_by_majority([hypothesis("m1", (150,)), hypothesis("m2", (300,))], CTX).col_boundaries == ()

    def test_silent_method_does_not_count(self) -> None:
        three = [hypothesis("m1", (150,)), hypothesis("m2", (), (70,)), hypothesis("m3", (), (70,))]
        result = combine_by_majority(three, CTX)
        assert [len(result.col_boundaries), len(result.row_boundaries)] == [1, 1]

    def test_method_that_denies_dividers_counts(self) -> None:
        denial = replace(hypothesis("m2"), metadata={"speaks_for": ("column",)})
        assert combine_by_majority([hypothesis("m1", (150,)), denial], CTX).col_boundaries == ()

    def test_ruled_lines_have_no_privilege(self) -> None:
        three = [hypothesis("m1", (150,)), hypothesis("m2", (150,)), hypothesis("ruled_lines", (300,))]
        assert [p.position for p in combine_by_majority(three, CTX).col_boundaries] == [150]

    def test_single_hypothesis_passthrough(self) -> None:
        only = hypothesis("m1", (150, 300))
        assert combine_by_majority([only], CTX) is only
