"""GriTS and TEDS: exact on identity, symmetric, in [0, 1], right on examples that can be checked by hand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from variorum.document import Cell, Provenance, Table
from variorum.evaluation.grits import grits_con, grits_top
from variorum.evaluation.ground_truth import Span, TruthTable
from variorum.evaluation.teds import Node, teds, tree_distance
from variorum.evaluation.text_distance import common_subsequence, levenshtein

Metric = Callable[[TruthTable, TruthTable], float]
METRICS: dict[str, Metric] = {
    "GriTS-Top": lambda a, b: grits_top(a, b).f_score,
    "GriTS-Con": lambda a, b: grits_con(a, b).f_score,
    "TEDS": teds,
    "TEDS-Struct": lambda a, b: teds(a, b, structure_only=True),
}
each_metric = pytest.mark.parametrize("metric", METRICS.values(), ids=METRICS)
of_text = pytest.mark.parametrize("metric", [METRICS["GriTS-Con"], METRICS["TEDS"]], ids=["GriTS-Con", "TEDS"])


def grid(*rows: str, spans: tuple[tuple[int, int, int, int], ...] = (), heads: int = 0) -> TruthTable:
    """Return a table of rows of one-word cells; a dot is a blank cell."""
    cells = tuple(tuple("" if word == "." else word for word in row.split()) for row in rows)
    return TruthTable(table_id="t", rows=cells, spans=tuple(Span(*s) for s in spans)).with_header_count(heads)


@st.composite
def tables(draw: st.DrawFn, largest: int = 4) -> TruthTable:
    n_rows, n_cols = draw(st.integers(1, largest)), draw(st.integers(1, largest))
    texts = st.sampled_from(["", "1", "2", "12", "a b", "ab"])
    rows = draw(st.lists(st.lists(texts, min_size=n_cols, max_size=n_cols), min_size=n_rows, max_size=n_rows))
    spans: list[Span] = []
    for row in range(n_rows):
        if n_cols > 1 and draw(st.booleans()):
            col = draw(st.integers(0, n_cols - 2))
            spans.append(Span(row, col, 1, draw(st.integers(2, n_cols - col))))
            rows[row][col + 1 : col + spans[-1].colspan] = [""] * (spans[-1].colspan - 1)
    table = TruthTable(table_id="t", rows=tuple(map(tuple, rows)), spans=tuple(spans))
    return table.with_header_count(draw(st.integers(0, n_rows)))


# ---- all four -------------------------------------------------------------------------------------------------------


@each_metric
@given(table=tables())
def test_identity_is_exactly_1(metric: Metric, table: TruthTable) -> None:
    assert metric(table, table) == 1.0


@each_metric
@given(one=tables(), other=tables())
def test_is_symmetric_and_between_0_and_1(metric: Metric, one: TruthTable, other: TruthTable) -> None:
    assert 0.0 <= metric(one, other) <= 1.0
    assert metric(one, other) == pytest.approx(metric(other, one), abs=1e-12)


@each_metric
def test_comparison_of_nothing_is_no_success(metric: Metric) -> None:
    nothing = TruthTable(table_id="t", rows=())
    blank = replace(nothing, rows=(("", ""),), is_verbatim=False)
    assert [metric(nothing, nothing), metric(grid("a b"), nothing), metric(nothing, grid("a b")), metric(blank, blank)] == [
        0
    ] * 4


@each_metric
def test_lost_row_and_lost_column_cost(metric: Metric) -> None:
    truth = grid("a b c", "d e f", "g h i")
    assert metric(truth, grid("a b c", "g h i")) < 0.9
    assert metric(truth, grid("a c", "d f", "g i")) < 0.9
    assert metric(truth, grid("a b c", "d e f", "x y z", "g h i")) < 0.9


@each_metric
def test_lost_span_costs(metric: Metric) -> None:
    truth = grid("a . b", "1 2 3", spans=((0, 0, 1, 2),))
    assert metric(truth, grid("a . b", "1 2 3")) < 0.95


@of_text
def test_changed_shifted_and_swapped_texts_cost(metric: Metric) -> None:
    truth = grid("a b", "10 20", "30 40")
    for reading in (grid("a b", "10 21", "30 40"), grid("a b", "10 20", ". 30"), grid("b a", "20 10", "40 30")):
        assert metric(truth, reading) < 1.0
        assert METRICS["GriTS-Top"](truth, reading) == METRICS["TEDS-Struct"](truth, reading) == 1.0


def test_document_tables_are_compared_as_they_are() -> None:
    truth = grid("h .", "1 2", spans=((0, 0, 1, 2),), heads=1)
    cells = (Cell(row=0, col=0, text="h", colspan=2), Cell(row=1, col=0, text="1"), Cell(row=1, col=1, text="2"))
    place = Provenance(source="pdf", method="m")
    table = Table(id="t", n_rows=2, n_cols=2, cells=cells, header_rows=1, provenance=place)
    assert grits_top(truth, table).f_score == grits_con(truth, table).f_score == teds(truth, table) == 1.0


# ---- GriTS ----------------------------------------------------------------------------------------------------------


def test_half_a_span_is_half_the_overlap() -> None:
    truth = grid("a .", "1 2", spans=((0, 0, 1, 2),))
    assert grits_top(truth, grid("a .", "1 2")) == (3 / 4, 3 / 4, 3 / 4)  # (1/2 + 1/2 + 1 + 1) of 4 positions


def test_missing_row_costs_recall_only() -> None:
    truth = grid("ab cd", "ef gh", "ij kl")
    assert grits_con(truth, grid("ab cd", "ij kl")) == (8 / 10, 1.0, 4 / 6)


def test_content_is_twice_the_common_subsequence_over_both_lengths() -> None:
    assert grits_con(grid("abcd"), grid("abxd")).f_score == 6 / 8


def test_spanning_text_counts_in_every_position_it_covers() -> None:
    spanned, smeared = grid("a .", "1 2", spans=((0, 0, 1, 2),)), grid("a a", "1 2")
    assert grits_con(spanned, smeared).f_score == 1.0
    assert grits_top(spanned, smeared).f_score < 1.0


def brute_force(one: TruthTable, other: TruthTable) -> float:
    """Return the exact content score: the best of all pairs of equally large substructures."""

    def subsets(n: int) -> list[tuple[int, ...]]:
        return [chosen for size in range(1, n + 1) for chosen in combinations(range(n), size)]

    def reward(a: str, b: str) -> float:
        return 1.0 if a == b else 2 * common_subsequence(a, b) / (len(a) + len(b))

    best = max(
        sum(reward(one.rows[r][c], other.rows[s][d]) for r, s in zip(rs, ss, strict=True) for c, d in zip(cs, ds, strict=True))
        for rs in subsets(len(one.rows))
        for ss in subsets(len(other.rows))
        if len(rs) == len(ss)
        for cs in subsets(one.n_cols)
        for ds in subsets(other.n_cols)
        if len(cs) == len(ds)
    )
    return 2 * best / (len(one.rows) * one.n_cols + len(other.rows) * other.n_cols)


def plain(table: TruthTable) -> TruthTable:
    return replace(table.with_header_count(0), spans=())


@settings(max_examples=40, deadline=None)
@given(tables(largest=3).map(plain), tables(largest=3).map(plain))
def test_factored_score_is_never_above_the_exact_one(one: TruthTable, other: TruthTable) -> None:
    assert grits_con(one, other).f_score <= brute_force(one, other) + 1e-12


@pytest.mark.parametrize(
    "reading", [grid("a b", "e f"), grid("a c", "d f"), grid("a b c", "x y z", "d e f"), grid("b c", "e f")]
)
def test_factored_score_is_exact_where_rows_or_columns_are_lost(reading: TruthTable) -> None:
    truth = grid("a b c", "d e f")
    assert grits_con(truth, reading).f_score == pytest.approx(brute_force(truth, reading))


# ---- TEDS -----------------------------------------------------------------------------------------------------------


def tree(label: str, *children: Node) -> Node:
    return Node(label, children)


def unit(one: Node, other: Node) -> float:
    return float(one.label != other.label)


def test_distance_of_zhang_and_shashas_example_is_2() -> None:
    """SIAM J. Comput. 18 (1989), figure 4: f(d(a c(b)) e) and f(c(d(a b)) e)."""
    one = tree("f", tree("d", tree("a"), tree("c", tree("b"))), tree("e"))
    other = tree("f", tree("c", tree("d", tree("a"), tree("b"))), tree("e"))
    assert tree_distance(one, other, unit) == 2


def forest_distance(one: tuple[Node, ...], other: tuple[Node, ...]) -> float:
    """Return the distance by its definition, without any table."""
    if not one or not other:
        return float(sum(node.size() for node in (*one, *other)))
    a, b = one[-1], other[-1]
    return min(
        forest_distance((*one[:-1], *a.children), other) + 1,
        forest_distance(one, (*other[:-1], *b.children)) + 1,
        forest_distance(one[:-1], other[:-1]) + forest_distance(a.children, b.children) + unit(a, b),
    )


trees = st.recursive(
    st.sampled_from("abc").map(tree),
    lambda inner: st.tuples(st.sampled_from("abc"), st.lists(inner, max_size=2)).map(lambda t: tree(t[0], *t[1])),
    max_leaves=4,
).filter(lambda t: t.size() < 7)


@settings(deadline=None)
@given(trees, trees)
def test_distance_is_that_of_its_definition(one: Node, other: Node) -> None:
    assert tree_distance(one, other, unit) == forest_distance((one,), (other,))


def test_one_changed_text_costs_its_share_of_letters() -> None:
    truth = grid("abc d", "e f", heads=1)  # thead, tbody, 2 rows, 4 cells: 8 nodes
    assert teds(truth, grid("abx d", "e f", heads=1)) == pytest.approx(1 - (1 / 3) / 8)
    assert teds(truth, grid("abx d", "e f", heads=1), structure_only=True) == 1.0


def test_missing_row_costs_its_nodes() -> None:
    assert teds(grid("a b", "c d", "e f"), grid("a b", "e f")) == pytest.approx(1 - 3 / 10)  # tbody, 3 rows, 6 cells


def test_other_span_costs_a_node() -> None:
    truth = grid("a .", "1 2", spans=((0, 0, 1, 2),))  # tbody, 2 rows, 3 cells
    assert teds(truth, grid("a .", "1 2")) == pytest.approx(1 - 2 / 7)  # a exchanged, a blank cell too many


def test_header_in_the_body_costs_where_the_truth_knows_headers() -> None:
    truth, reading = grid("a b", "1 2", heads=1), grid("a b", "1 2")
    assert teds(truth, reading) < 1.0
    assert teds(replace(truth, has_headers=False), reading) == 1.0


# ---- texts ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "other", "distance"), [("kitten", "sitting", 3), ("", "abc", 3), ("abc", "", 3), ("a", "a", 0)]
)
def test_levenshtein_of_known_examples(one: str, other: str, distance: int) -> None:
    assert levenshtein(one, other) == distance


def slow(one: str, other: str) -> tuple[int, int]:
    """Return Levenshtein distance and longest common subsequence by the textbook's table."""
    lev, lcs = list(range(len(other) + 1)), [0] * (len(other) + 1)
    for i, a in enumerate(one):
        new_lev, new_lcs = [i + 1], [0]
        for j, b in enumerate(other):
            new_lev.append(min(lev[j] + (a != b), lev[j + 1] + 1, new_lev[j] + 1))
            new_lcs.append(max(lcs[j] + (a == b), lcs[j + 1], new_lcs[j]))
        lev, lcs = new_lev, new_lcs
    return lev[-1], lcs[-1]


@given(st.text("abc", max_size=80), st.text("abc", max_size=80))
def test_bit_vectors_agree_with_the_table(one: str, other: str) -> None:
    assert (levenshtein(one, other), common_subsequence(one, other)) == slow(one, other)
