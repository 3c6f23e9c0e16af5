"""The choice among grids: ranks, ties, and the grid of one row that looks perfect."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from pictures import table

from variorum.document import Cell
from variorum.tables.cells.rawdict import Rawdict
from variorum.tables.combination import CONSENSUS
from variorum.tables.grid import build_grid
from variorum.tables.model import BoundaryHypothesis, BoundaryPoint, CellGrid, TableContext
from variorum.tables.scoring import GROUND_TRUTH, METRICS, Contender, rank, select

PICTURE = """
Drug      Dose    Effect
Alpha     12.5    0.81
Beta              0.64
Gamma     3.2     0.17
"""
CTX = table(PICTURE)
COLUMNS, ROWS = (105.0, 156.0), (113.5, 127.5, 141.5)


def structure(cols: Sequence[float], rows: Sequence[float], method: str = "m") -> BoundaryHypothesis:
    return BoundaryHypothesis(
        tuple(BoundaryPoint(x, x, 1.0, method) for x in cols), tuple(BoundaryPoint(y, y, 1.0, method) for y in rows), method
    )


def contender(cols: Sequence[float], rows: Sequence[float], method: str = "m", ctx: TableContext = CTX) -> Contender:
    made = structure(cols, rows, method)
    return Contender(build_grid(ctx, made, Rawdict()), made, structure(COLUMNS, ROWS, CONSENSUS))


TRUE = contender(COLUMNS, ROWS, CONSENSUS)


def value(metric: str, item: Contender, ctx: TableContext = CTX) -> float:
    return METRICS[metric][1](item, ctx)


def test_true_grid_has_no_fault() -> None:
    faults = ("cut_words", "crowded_cells", "split_segments", "merged_rows", "split_rows", "garbled_text_score")
    assert [value(name, TRUE) for name in faults] == [0.0] * len(faults)
    assert value("fill_rate", TRUE) == 11 / 12
    assert value("numeric_coherence", TRUE) == 3 / 3


def test_grid_of_one_row_does_not_win() -> None:
    """It is full, and by every measure of cells the better one; the metrics of rows see that it merges three bands of three."""
    one_row = contender(COLUMNS, (), "one_row")
    assert value("fill_rate", one_row) == 1.0
    assert value("merged_rows", one_row) == 3 / 3
    for strategy in ("rank_sum", "rank_sum_without_faults"):
        winner, _ = select([one_row, TRUE], CTX, CONSENSUS, strategy)
        assert winner == 1


def test_grid_of_one_column_does_not_win() -> None:
    one_column = contender((), ROWS, "one_column")
    assert value("fill_rate", one_column) == 1.0
    assert value("crowded_cells", one_column) == (2 + 2 + 1 + 2) / 11
    winner, _ = select([one_column, TRUE], CTX, CONSENSUS, "rank_sum_without_faults")
    assert winner == 1


def test_grid_with_rows_too_many_is_seen() -> None:
    """A divider above the first line's middle and one below the last's: of five dividers two part no two rows."""
    assert value("split_rows", contender(COLUMNS, (103.0, *ROWS, 150.0), "split")) == 2 / 5


def test_divider_through_words_is_counted() -> None:
    """x = 70 runs through Drug, Alpha, Beta and Gamma."""
    assert value("cut_words", contender((70.0, *COLUMNS), ROWS)) == 4


def test_lost_integer_part_is_counted_and_a_printed_one_is_not() -> None:
    ctx = table("Drug   Dose\nAlpha   .05\nBeta   12.5")
    item = contender((100.0,), (113.5, 127.5), ctx=ctx)
    assert value("decimal_displacement_count", item, ctx) == 0
    lost = tuple(Cell(row=c.row, col=c.col, text=".5" if c.text == "12.5" else c.text) for c in item.grid.cells)
    worse = Contender(
        CellGrid(item.grid.n_rows, item.grid.n_cols, lost, item.grid.col_edges, item.grid.row_edges, "m", "m"),
        item.structure,
        item.consensus,
    )
    assert value("decimal_displacement_count", worse, ctx) == 1


def test_words_run_together_are_garbled() -> None:
    """26 characters in a word on average is more than 25; 25 is not."""
    for length, share in ((25, 0.0), (26, 1 / 2)):
        ctx = table(f"{'x' * length}   Dose")
        assert value("garbled_text_score", contender((60 + 6.0 * (length + 1),), (), ctx=ctx), ctx) == share


def test_column_of_numbers_and_words_is_not_coherent() -> None:
    ctx = table("Drug    Dose\nAlpha   12.5\nBeta    none")
    assert value("numeric_coherence", contender((100.0,), (113.5, 127.5), ctx=ctx), ctx) == 1 / 2


def test_spanning_cell_counts_once_so_that_false_spans_gain_nothing() -> None:
    cells = (Cell(row=0, col=0, text="a", colspan=2), Cell(row=1, col=0, text="b"))
    grid = CellGrid(2, 2, cells, (0, 1, 2), (0, 1, 2), "m", "m")
    assert value("fill_rate", Contender(grid, structure((), ()), structure((), ()))) == 2 / 4


# ---- ranks ----------------------------------------------------------------------------------------------------------


def test_equal_values_share_a_rank_and_the_next_value_has_the_next() -> None:
    items = [TRUE, contender(COLUMNS, ROWS, "again"), contender(COLUMNS, (), "one_row")]
    assert [r.ranks["merged_rows"] for r in rank(items, CTX)] == [1, 1, 2]


def test_sum_of_ranks_is_the_sum_of_ranks() -> None:
    for ranking in rank([TRUE, contender(COLUMNS, (), "one_row")], CTX):
        assert set(ranking.ranks) == set(METRICS)
        assert ranking.rank_sum == sum(ranking.ranks.values())


@pytest.mark.parametrize("strategy", ["rank_sum", "rank_sum_without_faults"])
def test_tie_falls_to_the_consensus(strategy: str) -> None:
    items = [contender(COLUMNS, ROWS, "first"), contender(COLUMNS, ROWS, "second"), TRUE]
    assert select(items, CTX, CONSENSUS, strategy)[0] == 2


@pytest.mark.parametrize("strategy", ["rank_sum", "rank_sum_without_faults"])
def test_tie_without_the_consensus_falls_to_the_first(strategy: str) -> None:
    items = [contender(COLUMNS, ROWS, "first"), contender(COLUMNS, ROWS, "second")]
    assert select(items, CTX, CONSENSUS, strategy)[0] == 0


def test_known_truth_is_one_metric_more_and_decides_a_tie() -> None:
    items = [contender(COLUMNS, ROWS, "first"), contender(COLUMNS, ROWS, "second"), TRUE]

    def knows(grid: CellGrid) -> float:
        return 100.0 if grid.structure_method == "second" else 50.0

    winner, rankings = select(items, CTX, CONSENSUS, ground_truth_fn=knows)
    assert winner == 1
    assert [r.ranks[GROUND_TRUTH] for r in rankings] == [2, 1, 2]
    assert [r.rank_sum - r.ranks[GROUND_TRUTH] for r in rankings] == [r.rank_sum for r in rank(items, CTX)]


def test_no_grid_is_no_choice() -> None:
    with pytest.raises(ValueError, match="no grid"):
        select([], CTX, CONSENSUS)


def test_order_of_contenders_does_not_change_the_rankings() -> None:
    items = [TRUE, contender(COLUMNS, (), "one_row"), contender((), ROWS, "one_column")]
    assert rank(items[::-1], CTX) == rank(items, CTX)[::-1]


def test_of_two_readings_that_differ_in_capitals_the_mapped_one_wins() -> None:
    shown = replace(TRUE, grid=replace(TRUE.grid, cells=tuple(replace(c, text=c.text.upper()) for c in TRUE.grid.cells)))
    mapped = replace(TRUE, grid=replace(TRUE.grid, cell_method="pdfminer"))
    assert select([shown, mapped], CTX, CONSENSUS, "fewer_faults")[0] == 1
    other = replace(mapped, grid=replace(mapped.grid, cells=tuple(replace(c, text=f"{c.text}x") for c in mapped.grid.cells)))
    assert select([shown, other], CTX, CONSENSUS, "fewer_faults")[0] == 0


def test_the_consensus_holds_against_a_grid_without_fewer_faults() -> None:
    rival = replace(TRUE, grid=replace(TRUE.grid, structure_method="rival"))
    assert select([rival, TRUE], CTX, CONSENSUS, "fewer_faults")[0] == 1
