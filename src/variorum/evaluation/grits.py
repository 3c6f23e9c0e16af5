"""GriTS: grid table similarity, for topology (what spans what) and content (text), each position of the grid compared.

Source: B. Smock, R. Pesala, R. Abraham, GriTS: Grid table similarity metric for table structure recognition, ICDAR 2023,
doi:10.1007/978-3-031-41734-4_33. Of the two grids as matrices the two most similar substructures are sought: rows and columns
of each, in order, that agree best position by position. The exact problem is hard; as in the paper it is factored: rows are
aligned with columns aligned within each pair of rows, columns likewise, and the score is counted over the rows and columns so
found. That score is a lower bound. Two positions have as reward for topology the overlap (intersection over union) of their
cells' extents seen from the position, for content twice the longest common subsequence over the sum of lengths; two blank ones
have 1.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeVar

from variorum.evaluation.alignment import Pair
from variorum.evaluation.normalising import normalise, normalise_loosely
from variorum.evaluation.text_distance import common_subsequence
from variorum.evaluation.truth_table import GridLike, TruthTable

Position = TypeVar("Position")
Extent = tuple[int, int, int, int]  # from the position: first column, first row, end column, end row of its cell
Rewards = Sequence[Sequence[Sequence[Sequence[float]]]]  # [truth row][read row][truth column][read column]


class Grits(NamedTuple):
    """F-score, precision and recall of one comparison, each in [0, 1]; 0 where a grid has no positions."""

    f_score: float
    precision: float
    recall: float


def grits_top(truth: TruthTable, extracted: TruthTable | GridLike) -> Grits:
    """Return the topology score: exactly 1 when both grids have the same rows, columns and spans. Texts do not count."""
    one, other = _comparable(truth, extracted)
    return _grits(_extents(one), _extents(other), _overlap)


def grits_con(truth: TruthTable, extracted: TruthTable | GridLike) -> Grits:
    """Return the content score: exactly 1 when the same text stands in each position; a span's in each that it covers."""
    one, other = _comparable(truth, extracted)
    clean = normalise if truth.is_verbatim else normalise_loosely
    return _grits(_texts(one, clean), _texts(other, clean), _common)


def _comparable(truth: TruthTable, extracted: TruthTable | GridLike) -> tuple[TruthTable, TruthTable]:
    reading = extracted if isinstance(extracted, TruthTable) else TruthTable.from_reading(extracted)
    return (truth, reading) if truth.is_verbatim else (truth.without_blanks(), reading.without_blanks())


def _extents(table: TruthTable) -> list[list[Extent]]:
    grid: list[list[Extent]] = [[(0, 0, 1, 1)] * table.n_cols for _ in range(table.n_rows)]
    for row, col, rowspan, colspan in table.spans:
        for r in range(row, row + rowspan):
            for c in range(col, col + colspan):
                grid[r][c] = (col - c, row - r, col + colspan - c, row + rowspan - r)
    return grid


def _texts(table: TruthTable, clean: Callable[[str], str]) -> list[list[str]]:
    grid = [[""] * table.n_cols for _ in range(table.n_rows)]
    for row, col, rowspan, colspan, text in table.cells():
        for r in range(row, row + rowspan):
            for c in range(col, col + colspan):
                grid[r][c] = clean(text)
    return grid


def _overlap(one: Extent, other: Extent) -> float:
    """Return intersection over union of two extents around the same position, in (0, 1]."""
    width = min(one[2], other[2]) - max(one[0], other[0])
    height = min(one[-1], other[-1]) - max(one[1], other[1])
    common = width * height
    return common / (_area(one) + _area(other) - common)


def _area(extent: Extent) -> int:
    return (extent[2] - extent[0]) * (extent[-1] - extent[1])


def _common(one: str, other: str) -> float:
    if one == other:
        return 1.0
    return 2 * common_subsequence(*sorted((one, other))) / (len(one) + len(other))


def _grits(
    truth: Sequence[Sequence[Position]], read: Sequence[Sequence[Position]], reward: Callable[[Position, Position], float]
) -> Grits:
    sizes = [len(grid) * len(grid[0]) if grid else 0 for grid in (truth, read)]
    if not all(sizes):
        return Grits(0.0, 0.0, 0.0)
    rewards = [[[[reward(a, b) for b in line] for a in row] for line in read] for row in truth]
    columns = range(len(truth[0])), range(len(read[0]))
    sideways = [[[[cells[c][d] for cells in row] for row in rewards] for d in columns[1]] for c in columns[0]]
    # Of equally good alignments the walk takes the first; both directions are tried, so that the score is symmetric.
    best = max(_score(rewards, sideways), _score(_turned(rewards), _turned(sideways)))
    return Grits(2 * best / sum(sizes), best / sizes[1], best / sizes[0])


def _turned(rewards: Rewards) -> Rewards:
    """Return the rewards with the two tables exchanged."""
    return [[[list(line) for line in zip(*row[e], strict=True)] for row in rewards] for e in range(len(rewards[0]))]


def _score(rewards: Rewards, sideways: Rewards) -> float:
    rows, columns = _aligned(_sums(rewards)), _aligned(_sums(sideways))
    return sum(rewards[r][s][c][d] for r, s in rows for c, d in columns)


def _sums(rewards: Rewards) -> list[list[float]]:
    """Return for every two lines the reward of the best alignment of their positions."""
    return [[_best_sum(pair) for pair in row] for row in rewards]


def _best_sum(weights: Sequence[Sequence[float]]) -> float:
    above = [0.0] * (len(weights[0]) + 1)
    for line in weights:
        here = [0.0]
        for j, weight in enumerate(line):
            here.append(max(above[j] + weight, above[j + 1], here[j]))
        above = here
    return above[-1]


def _aligned(weights: Sequence[Sequence[float]]) -> list[Pair]:
    """Return the pairs of the monotone alignment with the largest sum, pairs before gaps."""
    n, m = len(weights), len(weights[0])
    best = [[0.0] * (m + 1) for _ in range(n + 1)]
    for i in range(n):
        for j in range(m):
            best[i + 1][j + 1] = max(best[i][j] + weights[i][j], best[i][j + 1], best[i + 1][j])
    pairs = []
    i, j = n, m
    while i and j:
        if best[i][j] == best[i - 1][j - 1] + weights[i - 1][j - 1]:
            i, j = i - 1, j - 1
            pairs.append((i, j))
        elif best[i][j] == best[i - 1][j]:
            i -= 1
        else:
            j -= 1
    return pairs[::-1]
