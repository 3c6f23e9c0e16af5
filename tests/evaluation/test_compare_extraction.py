"""compare_extraction: exact on identity, clearly less on every known kind of error, and every field says what happened."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from variorum.evaluation.ground_truth import CellDiff, HeaderDiff, TruthTable, compare_extraction

Rows = tuple[tuple[str, ...], ...]


def table(headers: tuple[str, ...], *rows: tuple[str, ...], footnotes: tuple[str, ...] | None = ("a note",)) -> TruthTable:
    return TruthTable(table_id="t", header_rows=(headers,), rows=rows, footnotes=footnotes)


SCORES = table(("Name", "Mean Score", "SD"), ("Ada", "1", "2"), ("Ben Nevis", "3", "4"), ("Cy", "5", "6"))


@st.composite
def tables(draw: st.DrawFn) -> TruthTable:
    """Return a table of at least 2 × 2 data cells, all texts different, so that every error shows."""
    n_rows, n_cols = draw(st.integers(2, 5)), draw(st.integers(2, 5))
    words = st.text("abcdefgh0123456789", min_size=2, max_size=6)
    texts = draw(st.lists(words, min_size=(n_rows + 1) * n_cols, max_size=(n_rows + 1) * n_cols, unique=True))
    rows = [tuple(f"{texts[r * n_cols + c]}.{r}" for c in range(n_cols)) for r in range(n_rows + 1)]
    return table(tuple(f"{text} h{c}" for c, text in enumerate(rows[0])), *rows[1:])


def any_table() -> st.SearchStrategy[TruthTable]:
    """Return any table at all: repeated and blank headers, rows and cells."""

    def rows(n_cols: int) -> st.SearchStrategy[Rows]:
        cell = st.sampled_from(["", " ", "1", "2", "Mean", "Mean SD", "SD", "a-b", "ﬁ"])
        return st.lists(st.tuples(*[cell] * n_cols), max_size=6).map(tuple)

    return st.integers(0, 5).flatmap(
        lambda n: st.builds(
            lambda head, body, notes: TruthTable(table_id="t", header_rows=head[:2], rows=body, footnotes=notes),
            rows(n),
            rows(n),
            st.none() | st.just(("note",)) | st.just(()),
        )
    )


# ---- identity and nothing -------------------------------------------------------------------------------------------


@given(any_table())
def test_identity_is_exactly_100(truth: TruthTable) -> None:
    result = compare_extraction(truth, truth)
    has_text = any(text.strip() for row in truth.all_rows for text in row) or bool(truth.footnotes)
    assert result.score_pct == (100.0 if has_text else 0.0)
    assert result.is_perfect == has_text
    assert (result.cell_diffs, result.header_diffs, result.num_splits, result.num_merges) == ((), (), 0, 0)
    assert result.matched_columns == tuple((c, c) for c in range(truth.n_cols))
    assert result.matched_rows == tuple((r, r) for r in range(len(truth.rows)))
    if any(text.strip() for row in truth.rows for text in row):
        assert (result.cell_accuracy_pct, result.structural_coverage_pct) == (100.0, 100.0)


def test_comparison_of_nothing_is_no_success() -> None:
    nothing = TruthTable(table_id="t", rows=())
    blank = TruthTable(table_id="t", rows=(("", " "),))
    for truth, reading in ((nothing, nothing), (SCORES, nothing), (nothing, SCORES), (blank, blank)):
        result = compare_extraction(truth, reading)
        assert (result.cell_accuracy_pct, result.structural_coverage_pct, result.score_pct) == (0.0, 0.0, 0.0)
        assert not result.is_perfect


@given(any_table(), any_table())
def test_percentages_stay_between_0_and_100(truth: TruthTable, reading: TruthTable) -> None:
    result = compare_extraction(truth, reading)
    for value in (result.cell_accuracy_pct, result.structural_coverage_pct, result.score_pct):
        assert 0.0 <= value <= 100.0


@given(any_table(), any_table())
def test_every_column_and_row_is_accounted_for_once(truth: TruthTable, reading: TruthTable) -> None:
    result = compare_extraction(truth, reading)
    ours = [t for t, _ in result.matched_columns] + [s.truth for s in result.column_splits]
    ours += [t for m in result.column_merges for t in m.truth] + list(result.missing_columns)
    assert sorted(ours) == list(range(truth.n_cols))
    theirs = [e for _, e in result.matched_columns] + [m.extracted for m in result.column_merges]
    theirs += [e for s in result.column_splits for e in s.extracted] + list(result.extra_columns)
    assert sorted(theirs) == list(range(reading.n_cols))
    ours = [t for t, _ in result.matched_rows] + [s.truth for s in result.row_splits]
    ours += [t for m in result.row_merges for t in m.truth] + list(result.missing_rows)
    assert sorted(ours) == list(range(len(truth.rows)))
    theirs = [e for _, e in result.matched_rows] + [m.extracted for m in result.row_merges]
    theirs += [e for s in result.row_splits for e in s.extracted] + list(result.extra_rows)
    assert sorted(theirs) == list(range(len(reading.rows)))


# ---- planted errors -------------------------------------------------------------------------------------------------


def drop(row: tuple[str, ...], at: int) -> tuple[str, ...]:
    return row[:at] + row[at + 1 :]


def columns(truth: TruthTable, change: Callable[[tuple[str, ...]], tuple[str, ...]]) -> TruthTable:
    return replace(truth, header_rows=tuple(map(change, truth.header_rows)), rows=tuple(map(change, truth.rows)))


def clearly_less(truth: TruthTable, reading: TruthTable) -> float:
    """Return the score, which must be lower by at least half a text of the larger side."""
    score = compare_extraction(truth, reading).score_pct
    texts = max(sum(bool(c) for row in t.all_rows for c in row) + 1 for t in (truth, reading))
    assert score <= 100.0 - 50.0 / texts
    return score


@given(tables(), st.data())
def test_dropped_column_is_missing(truth: TruthTable, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, truth.n_cols - 1))
    reading = columns(truth, lambda row: drop(row, at))
    result = compare_extraction(truth, reading)
    assert result.missing_columns == (at,)
    assert result.cell_accuracy_pct == 100.0
    assert result.structural_coverage_pct == pytest.approx(100.0 * (truth.n_cols - 1) / truth.n_cols)
    clearly_less(truth, reading)
    assert compare_extraction(reading, truth).extra_columns == (at,)
    clearly_less(reading, truth)


@given(tables(), st.data())
def test_dropped_row_is_missing_and_spurious_row_is_extra(truth: TruthTable, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(truth.rows) - 1))
    reading = replace(truth, rows=truth.rows[:at] + truth.rows[at + 1 :])
    assert compare_extraction(truth, reading).missing_rows == (at,)
    assert compare_extraction(reading, truth).extra_rows == (at,)
    clearly_less(truth, reading)
    clearly_less(reading, truth)


@given(tables(), st.data())
def test_split_column_is_named(truth: TruthTable, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, truth.n_cols - 1))
    reading = columns(truth, lambda row: (*row[:at], row[at][:1], row[at][1:].strip(), *row[at + 1 :]))
    result = compare_extraction(truth, reading)
    assert result.column_splits == ((at, (at, at + 1)),)
    assert (result.missing_columns, result.extra_columns) == ((), ())
    clearly_less(truth, reading)


@given(tables(), st.data())
def test_merged_columns_are_named(truth: TruthTable, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, truth.n_cols - 2))
    reading = columns(truth, lambda row: (*row[:at], f"{row[at]} {row[at + 1]}", *row[at + 2 :]))
    result = compare_extraction(truth, reading)
    assert result.column_merges == (((at, at + 1), at),)
    assert (result.missing_columns, result.extra_columns) == ((), ())
    clearly_less(truth, reading)


@given(tables(), st.data())
def test_split_row_is_named(truth: TruthTable, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(truth.rows) - 1))
    row = truth.rows[at]
    parts = (row[0][:1], *row[1:]), (row[0][1:], *[""] * (len(row) - 1))
    reading = replace(truth, rows=(*truth.rows[:at], *parts, *truth.rows[at + 1 :]))
    result = compare_extraction(truth, reading)
    assert result.row_splits == ((at, (at, at + 1)),)
    assert (result.missing_rows, result.extra_rows) == ((), ())
    clearly_less(truth, reading)


@given(tables(), st.data())
def test_merged_rows_are_named(truth: TruthTable, data: st.DataObject) -> None:
    span = data.draw(st.integers(2, min(3, len(truth.rows))))
    at = data.draw(st.integers(0, len(truth.rows) - span))
    merged = tuple(" ".join(parts) for parts in zip(*truth.rows[at : at + span], strict=True))
    reading = replace(truth, rows=(*truth.rows[:at], merged, *truth.rows[at + span :]))
    result = compare_extraction(truth, reading)
    assert result.row_merges == ((tuple(range(at, at + span)), at),)
    assert (result.missing_rows, result.extra_rows) == ((), ())
    clearly_less(truth, reading)


@given(tables(), st.data())
def test_changed_digit_is_one_difference(truth: TruthTable, data: st.DataObject) -> None:
    r, c = data.draw(st.integers(0, len(truth.rows) - 1)), data.draw(st.integers(0, truth.n_cols - 1))
    old = truth.rows[r][c]
    new = f"{old[:-1]}9"
    assume(all(new not in row for row in truth.rows))
    rows = [list(row) for row in truth.rows]
    rows[r][c] = new
    reading = replace(truth, rows=tuple(map(tuple, rows)))
    result = compare_extraction(truth, reading)
    assert result.cell_diffs == (CellDiff(r, c, old, new),)
    cells = len(truth.rows) * truth.n_cols
    assert result.cell_accuracy_pct == pytest.approx(100.0 * (cells - 1) / cells)
    clearly_less(truth, reading)


@given(tables(), st.data())
def test_value_in_the_next_column_is_two_differences(truth: TruthTable, data: st.DataObject) -> None:
    r, c = data.draw(st.integers(0, len(truth.rows) - 1)), data.draw(st.integers(0, truth.n_cols - 2))
    rows = [list(row) for row in truth.rows]
    rows[r][c], rows[r][c + 1] = "", rows[r][c]
    reading = replace(truth, rows=tuple(map(tuple, rows)))
    assert {(d.row, d.col) for d in compare_extraction(truth, reading).cell_diffs} == {(r, c), (r, c + 1)}
    clearly_less(truth, reading)


@given(tables(), st.data())
def test_swapped_columns_are_found_and_cost(truth: TruthTable, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, truth.n_cols - 2))
    reading = columns(truth, lambda row: (*row[:at], row[at + 1], row[at], *row[at + 2 :]))
    result = compare_extraction(truth, reading)
    assert {(at, at + 1), (at + 1, at)} <= set(result.matched_columns)
    assert not result.cell_diffs
    clearly_less(truth, reading)


@given(tables(), st.data())
def test_column_of_values_that_moved_under_another_header_differs(truth: TruthTable, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, truth.n_cols - 2))
    reading = replace(truth, rows=tuple((*r[:at], r[at + 1], r[at], *r[at + 2 :]) for r in truth.rows))
    assert {d.col for d in compare_extraction(truth, reading).cell_diffs} == {at, at + 1}
    clearly_less(truth, reading)


@given(tables())
def test_lost_headers_are_told_by_place(truth: TruthTable) -> None:
    reading = replace(truth, header_rows=())
    result = compare_extraction(truth, reading)
    assert result.matched_columns == tuple((c, c) for c in range(truth.n_cols))
    assert result.header_diffs == tuple(HeaderDiff(c, text, "") for c, text in enumerate(truth.headers))
    clearly_less(truth, reading)
    clearly_less(truth, truth.with_header_count(0))


@given(tables(), st.data())
def test_one_lost_header_is_told_by_place(truth: TruthTable, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, truth.n_cols - 1))
    heads = tuple("" if c == at else text for c, text in enumerate(truth.headers))
    result = compare_extraction(truth, replace(truth, header_rows=(heads,)))
    assert result.header_diffs == (HeaderDiff(at, truth.headers[at], ""),)
    clearly_less(truth, replace(truth, header_rows=(heads,)))


@given(tables())
def test_lost_and_invented_footnotes_show(truth: TruthTable) -> None:
    for reading in (replace(truth, footnotes=()), replace(truth, footnotes=("another note",)), replace(truth, footnotes=None)):
        assert compare_extraction(truth, reading).footnote_match is False
        clearly_less(truth, reading)
    bare = replace(truth, footnotes=())
    assert compare_extraction(bare, truth).footnote_match is False
    clearly_less(bare, truth)
    silent = replace(truth, footnotes=None)
    assert compare_extraction(silent, truth).footnote_match is None
    assert compare_extraction(silent, truth).score_pct == 100.0


# ---- columns --------------------------------------------------------------------------------------------------------


def header_pairs(truth: tuple[str, ...], reading: tuple[str, ...]) -> tuple[tuple[int, int], ...]:
    return compare_extraction(table(truth), table(reading)).matched_columns


def test_similar_headers_match_from_80_percent() -> None:
    assert header_pairs(("Population",), ("Populatio",)) == ((0, 0),)  # 9 of 10 letters
    assert header_pairs(("abcdefghij",), ("abcdefgh",)) == ((0, 0),)  # 8 of 10
    assert header_pairs(("abcdefghij",), ("abcdefg",)) == ()  # 7 of 10


def test_repeated_headers_keep_their_order() -> None:
    assert header_pairs(("", "Mean", "SD", "Mean", "SD"), ("", "SD", "Mean", "SD")) == ((0, 0), (2, 1), (3, 2), (4, 3))


def test_merge_goes_before_a_similar_header() -> None:
    result = compare_extraction(table(("Population", "N")), table(("Population N",)))
    assert result.column_merges == (((0, 1), 0),)


def test_empty_headers_are_paired_between_their_neighbours() -> None:
    assert header_pairs(("A", "", "B", ""), ("New", "A", "", "B", "")) == ((0, 1), (1, 2), (2, 3), (3, 4))


def test_spanning_header_counts_in_each_of_its_columns() -> None:
    head = (("", "Males", ""), ("", "n", "%"))
    truth = TruthTable(table_id="t", header_rows=head, rows=(("a", "1", "2"),), spans=((0, 1, 1, 2),))
    assert truth.headers == ("", "Males n", "Males %")
    flat = table(("", "Males n", "Males %"), ("a", "1", "2"), footnotes=None)
    assert compare_extraction(truth, flat).score_pct == 100.0


# ---- normalisation --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("truth", "read"),
    [
        ("-1", "\u22121"),
        ("1\u20132", "1-2"),
        ("a\u2014b", "a-b"),
        ("o\ufb03ce", "office"),
        ("\ufb02ow", "flow"),
        ("a  b", "a\nb"),
    ],
)
def test_accidents_of_printing_are_no_differences(truth: str, read: str) -> None:
    assert compare_extraction(table(("h",), (truth,)), table(("h",), (read,))).is_perfect


@pytest.mark.parametrize(("truth", "read"), [("0.05", ".05"), ("Ab", "ab"), ("1 000", "1000"), ("x*", "x"), ("(1)", "1")])
def test_signs_case_and_spaces_inside_count(truth: str, read: str) -> None:
    assert not compare_extraction(table(("h",), (truth,)), table(("h",), (read,))).is_perfect


def test_truth_of_another_source_knows_no_white_space() -> None:
    derived = replace(table(("h", ""), ("1 000 \u2217", "")), is_verbatim=False)
    assert compare_extraction(derived, table(("h",), ("1000*",))).is_perfect
    assert not compare_extraction(derived, table(("h",), ("1001*",))).is_perfect


def test_truth_without_known_headers_takes_the_best_way() -> None:
    truth = replace(SCORES, has_headers=False)
    for count in (0, 1, 2):
        assert compare_extraction(truth, SCORES.with_header_count(count)).score_pct == 100.0


def test_misread_headers_do_not_lose_columns_where_none_are_known() -> None:
    reading = table(("Name", "Other", "Words"), *SCORES.rows)
    assert compare_extraction(SCORES, reading).missing_columns == (1, 2)
    result = compare_extraction(replace(SCORES, has_headers=False), reading)
    assert (result.gt_shape, result.missing_columns) == ((4, 3), ())
    assert [(d.row, d.col) for d in result.cell_diffs] == [(0, 1), (0, 2)]
