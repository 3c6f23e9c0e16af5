"""Rank-based selection: every candidate grid is ranked on every metric, ranks are summed, the lowest sum wins.

No weights to calibrate. Four metrics of the founding documents (fill, displaced decimals, garbled text, numeric
coherence) and structural ones, since a grid of one row has a perfect fill and no displaced decimals: dividers that cut
words, cells that hold two segments of one line side by side, and rows against the table's own lines of writing. Ties
fall to the consensus, then to the order in which methods are asked (`variorum.tables.method_names.ORDER`).
"""

from __future__ import annotations

import itertools
import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from variorum.page.lines import Segment
from variorum.tables.model import BoundaryHypothesis, BoundaryPoint, CellGrid, TableContext
from variorum.tables.rows import is_number_like, row_groups, whole_lines
from variorum.thresholds import GARBLED_WORD_LENGTH

Direction = Literal["higher", "lower"]
_DISPLACED = re.compile(r"^\.\d+")


@dataclass(frozen=True, slots=True)
class Contender:
    """A candidate grid, the structure it was built from, and the consensus it is measured against."""

    grid: CellGrid
    structure: BoundaryHypothesis
    consensus: BoundaryHypothesis


@dataclass(frozen=True, slots=True)
class Ranking:
    """The metric values and ranks of one contender, and the sum of its ranks (lower is better)."""

    values: dict[str, float]
    ranks: dict[str, float]
    rank_sum: float


def fill_rate(item: Contender, ctx: TableContext) -> float:
    """Return the share of positions at which a text stands, in [0, 1]; a spanning cell counts once, so that false spans
    gain nothing."""
    total = item.grid.n_rows * item.grid.n_cols
    return sum(bool(c.text) for c in item.grid.cells) / total if total else 0.0


def decimal_displacement_count(item: Contender, ctx: TableContext) -> float:
    """Return how many cells begin with a dot and digits more often than words of the PDF do: decimals that lost their
    integer part."""
    printed = sum(bool(_DISPLACED.match(w.text)) for w in ctx.words)
    return float(max(0, sum(bool(_DISPLACED.match(c.text)) for c in item.grid.cells) - printed))


def garbled_text_score(item: Contender, ctx: TableContext) -> float:
    """Return the share of cells whose words average more than 25 characters, in [0, 1]."""
    texts = [c.text.split() for c in item.grid.cells if c.text]
    garbled = sum(sum(map(len, words)) > GARBLED_WORD_LENGTH * len(words) for words in texts)
    return garbled / len(texts) if texts else 0.0


def numeric_coherence(item: Contender, ctx: TableContext) -> float:
    """Return the share of columns whose data cells are all numbers or all text, in [0, 1]."""
    columns: dict[int, list[bool]] = {}
    first = max(item.grid.header_rows, 1)
    for cell in item.grid.cells:
        if cell.row >= first and cell.colspan == 1 and cell.text:
            columns.setdefault(cell.col, []).append(is_number_like(cell.text))
    pure = sum(all(flags) or not any(flags) for flags in columns.values())
    return pure / len(columns) if columns else 0.0


def cut_words(item: Contender, ctx: TableContext) -> float:
    """Return how many words the column dividers cut, beyond those of cells that span them."""
    spans = [c.bbox for c in item.grid.cells if c.bbox is not None and c.colspan > 1]
    positions = sorted(p.position for p in item.structure.col_boundaries)
    total = 0
    for word in ctx.words:
        cuts = _count_inside(word.box.x0, word.box.x1, positions)
        if cuts and not any(b.contains_centre_of(word.box) for b in spans):
            total += cuts
    return float(total)


def crowded_cells(item: Contender, ctx: TableContext) -> float:
    """Return the share of segments that share their line's cell with another segment: a divider is missing between them."""
    total = crowded = 0
    for cols, line in _segment_columns(item, ctx):
        total += len(line)
        crowded += len(line) - len(set(cols))
    return crowded / total if total else 0.0


def split_segments(item: Contender, ctx: TableContext) -> float:
    """Return the share of segments below the first line that a column divider runs through: a divider too many, or a span."""
    positions = sorted(p.position for p in item.structure.col_boundaries)
    flags = [_count_inside(s.box.x0, s.box.x1, positions) > 0 for line in ctx.segments for s in line]
    return sum(flags) / len(flags) if flags else 0.0


def merged_rows(item: Contender, ctx: TableContext) -> float:
    """Return the share of the bands between rows of writing (see `rows`) in which the grid has no divider, in [0, 1]."""
    bands = _row_bands(ctx)
    positions = sorted(p.position for p in item.structure.row_boundaries)
    missed = sum(bisect_left(positions, low) == bisect_right(positions, high) for low, high in bands)
    return missed / len(bands) if bands else 0.0


def split_rows(item: Contender, ctx: TableContext) -> float:
    """Return the share of the grid's row dividers that lie inside a row of writing, in [0, 1]."""
    bands = _row_bands(ctx)
    positions = sorted(p.position for p in item.structure.row_boundaries)
    held = {p for low, high in bands for p in positions[bisect_left(positions, low) : bisect_right(positions, high)]}
    inside = sum(p not in held for p in positions)
    return inside / len(positions) if positions else 0.0


def _row_bands(ctx: TableContext) -> list[tuple[float, float]]:
    groups = row_groups(ctx)
    pairs = [sorted((a.band.end, b.band.start)) for a, b in itertools.pairwise(groups)]
    return [(low, high) for low, high in pairs]


def _segment_columns(item: Contender, ctx: TableContext) -> list[tuple[list[int], Sequence[Segment]]]:
    positions = sorted(p.position for p in item.structure.col_boundaries)
    return [([bisect_left(positions, s.box.centre[0]) for s in line], line) for line in whole_lines(ctx)]


def _count_inside(low: float, high: float, positions: Sequence[float]) -> int:
    """Return how many of the sorted positions lie between the two, ends not counted."""
    return max(0, bisect_left(positions, high) - bisect_right(positions, low))


METRICS: Final[dict[str, tuple[Direction, Callable[[Contender, TableContext], float]]]] = {
    "fill_rate": ("higher", fill_rate),
    "decimal_displacement_count": ("lower", decimal_displacement_count),
    "garbled_text_score": ("lower", garbled_text_score),
    "numeric_coherence": ("higher", numeric_coherence),
    "cut_words": ("lower", cut_words),
    "crowded_cells": ("lower", crowded_cells),
    "split_segments": ("lower", split_segments),
    "merged_rows": ("lower", merged_rows),
    "split_rows": ("lower", split_rows),
}


GROUND_TRUTH: Final = "ground_truth_accuracy"
GroundTruth = Callable[[CellGrid], float]


def rank(contenders: Sequence[Contender], ctx: TableContext, ground_truth_fn: GroundTruth | None = None) -> list[Ranking]:
    """Return the ranking of each contender, in their order; 1 is best, equal values share a rank, the next value has
    the next.

    With `ground_truth_fn` the accuracy that it gives a grid is one metric more, higher being better: for asking what the
    election would do if it knew. The pipeline has none.
    """
    directions = {name: direction for name, (direction, _) in METRICS.items()}
    measured: dict[tuple[object, ...], dict[str, float]] = {}
    values: list[dict[str, float]] = []
    for c in contenders:  # what several methods agree on is measured once
        key = (c.grid.cells, c.grid.n_rows, c.grid.n_cols, c.grid.header_rows, *map(_positions, _axes(c.structure)))
        if key not in measured:
            measured[key] = {name: measure(c, ctx) for name, (_, measure) in METRICS.items()}
        values.append(measured[key])
    if ground_truth_fn is not None:
        directions[GROUND_TRUTH] = "higher"
        values = [{**v, GROUND_TRUTH: ground_truth_fn(c.grid)} for v, c in zip(values, contenders, strict=True)]
    ranks: list[dict[str, float]] = [{} for _ in contenders]
    for name, direction in directions.items():
        column = [v[name] for v in values]
        for i, value in enumerate(column):
            better = len({o for o in column if (o > value if direction == "higher" else o < value)})
            ranks[i][name] = float(better + 1)
    return [Ranking(v, r, sum(r.values())) for v, r in zip(values, ranks, strict=True)]


def _axes(structure: BoundaryHypothesis) -> tuple[Sequence[BoundaryPoint], Sequence[BoundaryPoint]]:
    return structure.col_boundaries, structure.row_boundaries


def _positions(points: Sequence[BoundaryPoint]) -> tuple[float, ...]:
    return tuple(sorted(p.position for p in points))


MAPPED_TEXT: Final = "pdfminer"  # the cell method that reads a font's map to Unicode first
FAULTS: Final = ("cut_words", "crowded_cells", "merged_rows", "split_rows")


def select(
    contenders: Sequence[Contender],
    ctx: TableContext,
    consensus_name: str,
    strategy: str = "rank_sum",
    *,
    ground_truth_fn: GroundTruth | None = None,
) -> tuple[int, list[Ranking]]:
    """Return the index of the winner and all rankings; ties fall to the consensus, then to the order given.

    Under ``rank_sum`` all contenders stand. Under ``rank_sum_without_faults`` only those stand that contradict the page
    no more than the consensus does, counted over the metrics of `FAULTS`: a grid that merges rows has better cells than
    the truth by every measure of cells. Under ``fewer_faults`` a grid other than the consensus stands only when besides it
    contradicts the page less in one of them: the vote holds unless the page speaks against it; and of two readings of the
    winner that differ in capitals only, the one that follows the PDF's map of characters wins. `ground_truth_fn` as for
    `rank`. Raises ValueError when there is no contender.
    """
    if not contenders:
        raise ValueError("no grid to choose from")
    rankings = rank(contenders, ctx, ground_truth_fn)
    standing = list(range(len(contenders)))
    if strategy in {"rank_sum_without_faults", "fewer_faults"}:
        consensus = [r for r, c in zip(rankings, contenders, strict=True) if c.grid.structure_method == consensus_name]
        for name in FAULTS:
            limit = min(r.values[name] for r in consensus or rankings)
            standing = [i for i in standing if rankings[i].values[name] <= limit] or standing
        if consensus and strategy == "fewer_faults":
            limits = {name: min(r.values[name] for r in consensus) for name in FAULTS}
            standing = [
                i
                for i in standing
                if contenders[i].grid.structure_method == consensus_name
                or any(rankings[i].values[name] < limits[name] for name in FAULTS)
            ]
    winner = min(standing, key=lambda i: (rankings[i].rank_sum, contenders[i].grid.structure_method != consensus_name, i))
    if strategy == "fewer_faults":
        winner = _as_mapped(winner, contenders)
    return winner, rankings


def _as_mapped(winner: int, contenders: Sequence[Contender]) -> int:
    """Return the winner, or the grid of the same structure whose texts differ from its own in capitals only and follow the
    PDF's own map from characters to text (ISO 32000-1, 9.10.2: where a font has such a map, that is its text)."""
    grid = contenders[winner].grid
    for i, other in enumerate(contenders):
        if other.grid.structure_method != grid.structure_method or other.grid.cell_method != MAPPED_TEXT:
            continue
        mine = [(c.row, c.col, c.rowspan, c.colspan, c.text.casefold()) for c in grid.cells]
        theirs = [(c.row, c.col, c.rowspan, c.colspan, c.text.casefold()) for c in other.grid.cells]
        return i if mine == theirs else winner
    return winner
