"""A reading of a table held against its truth: what was found, split, merged, missed, invented and misread.

`compare_extraction` is the founding documents' comparison. It is exact on identity (100), and a comparison of nothing is no
success (0).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final, NamedTuple

from variorum.document.keys import make_table_id
from variorum.evaluation.alignment import Alignment, Merge, Pair, Split, agreeing, align_columns, align_rows, in_order
from variorum.evaluation.normalising import normalise, normalise_loosely
from variorum.evaluation.pairing import pair_tables, truth_of_paper
from variorum.evaluation.truth_files import load_truth
from variorum.evaluation.truth_table import GridLike, Span, TruthTable

__all__ = [
    "CellDiff",
    "ComparisonResult",
    "HeaderDiff",
    "Span",
    "TruthTable",
    "compare_extraction",
    "load_truth",
    "make_table_id",
    "pair_tables",
    "truth_of_paper",
]

PERCENT: Final = 100.0
Shape = tuple[int, int]


class CellDiff(NamedTuple):
    """A cell that differs: row and column of the truth (data rows from 0), its text there, and the text that was read."""

    row: int
    col: int
    expected: str
    actual: str


class HeaderDiff(NamedTuple):
    """A header that differs: column of the truth, its text there, and the text that was read."""

    col: int
    expected: str
    actual: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparisonResult:
    """What became of one table of the truth in one reading.

    Shapes are (data rows, columns). Pairs are (index in the truth, index in the reading), from 0, rows without the header rows;
    a split is (index of the truth, indices of the reading), a merge (indices of the truth, index of the reading).

    `cell_accuracy_pct` is the percentage of the comparable cells whose texts agree: the data cells of matched rows and columns,
    without those that are blank on both sides. `structural_coverage_pct` is the percentage of the truth's data cells that were
    comparable, blank ones not counted. The first alone is no ranking: a reading of a single right cell has 100. Rank by
    `score_pct`, which no reading can raise by leaving out or inventing: 200 × right / (texts of the truth + texts
    read), over headers, data cells and footnotes (all footnotes are one text). There a column counts only where it stands in
    the truth's order, and a row that was split or merged with the cells of its best part.

    All three are in [0, 100], exactly 100 on identity, and 0 where there is nothing to compare. `footnote_match` is None
    where the truth says nothing of footnotes.
    """

    table_id: str
    gt_shape: Shape
    ext_shape: Shape
    matched_columns: tuple[Pair, ...]
    extra_columns: tuple[int, ...]
    missing_columns: tuple[int, ...]
    column_splits: tuple[Split, ...]
    column_merges: tuple[Merge, ...]
    matched_rows: tuple[Pair, ...]
    extra_rows: tuple[int, ...]
    missing_rows: tuple[int, ...]
    row_splits: tuple[Split, ...]
    row_merges: tuple[Merge, ...]
    cell_diffs: tuple[CellDiff, ...]
    cell_accuracy_pct: float
    structural_coverage_pct: float
    header_diffs: tuple[HeaderDiff, ...]
    footnote_match: bool | None
    score_pct: float

    @property
    def is_perfect(self) -> bool:
        """Return whether nothing at all differs, and there was something to compare."""
        return self.score_pct == PERCENT and self.gt_shape == self.ext_shape

    @property
    def num_splits(self) -> int:
        """Return the number of columns and rows of the truth that were split."""
        return len(self.column_splits) + len(self.row_splits)

    @property
    def num_merges(self) -> int:
        """Return the number of columns and rows of the reading that merge several of the truth."""
        return len(self.column_merges) + len(self.row_merges)

    def to_dict(self) -> dict[str, Any]:
        """Return all fields as plain JSON data: pairs as lists, splits, merges and differences as objects."""
        plain = asdict(self)
        for name in ("column_splits", "column_merges", "row_splits", "row_merges", "cell_diffs", "header_diffs"):
            plain[name] = [item._asdict() for item in getattr(self, name)]
        listed: dict[str, Any] = _listed(plain)
        return listed


def _listed(value: Any) -> Any:
    """Return the value with lists in place of tuples."""
    if isinstance(value, dict):
        return {key: _listed(item) for key, item in value.items()}
    return [_listed(item) for item in value] if isinstance(value, list | tuple) else value


def compare_extraction(truth: TruthTable, extracted: TruthTable | GridLike) -> ComparisonResult:
    """Return what differs between the truth and a reading: a `Table`, a candidate grid, or another `TruthTable`.

    Columns are aligned by their headers and rows by one walk (`variorum.evaluation.alignment`); texts are compared after
    `normalise`. Where the truth does not know its header rows (`has_headers`), they are taken three ways, and the best counts:
    those that it guesses (at least one) against the reading's own, the same number in both, and none at all, so that columns
    are told by their place. Where it is not verbatim, texts are compared by `normalise_loosely`, and wholly blank rows and
    columns left out on both sides.
    """
    reading = extracted if isinstance(extracted, TruthTable) else TruthTable.from_reading(extracted)
    if not truth.is_verbatim:
        truth, reading = truth.without_blanks(), reading.without_blanks()
    if truth.has_headers:
        return _compare(truth, reading)
    guessed = max(1, len(truth.header_rows))
    ways = dict.fromkeys([(guessed, len(reading.header_rows)), (guessed, guessed), (0, 0)])
    results = [_compare(truth.with_header_count(ours), reading.with_header_count(theirs)) for ours, theirs in ways]
    return max(results, key=lambda r: (r.score_pct, r.cell_accuracy_pct))


def _compare(truth: TruthTable, reading: TruthTable) -> ComparisonResult:
    clean = normalise if truth.is_verbatim else normalise_loosely
    headers = [clean(text) for text in truth.headers], [clean(text) for text in reading.headers]
    data = [[clean(c) for c in row] for row in truth.rows], [[clean(c) for c in row] for row in reading.rows]
    columns = align_columns(*headers)
    picked = _columns_of(data[0], [t for t, _ in columns.matched]), _columns_of(data[1], [e for _, e in columns.matched])
    rows = align_rows(*picked)
    diffs, comparable = [], 0
    for r, s in rows.matched:
        for c, d in columns.matched:
            expected, actual = data[0][r][c], data[1][s][d]
            comparable += bool(expected or actual)
            if expected != actual:
                diffs.append(CellDiff(r, c, truth.rows[r][c], reading.rows[s][d]))
    texts = sum(text != "" for row in data[0] for text in row)
    covered = sum(data[0][r][c] != "" for r, _ in rows.matched for c, _ in columns.matched)
    notes = [None if t.footnotes is None else clean(" ".join(t.footnotes)) for t in (truth, reading)]
    footnote_match = None if notes[0] is None else notes[0] == (notes[1] or "")
    return ComparisonResult(
        table_id=truth.table_id,
        gt_shape=(len(truth.rows), truth.n_cols),
        ext_shape=(len(reading.rows), reading.n_cols),
        matched_columns=columns.matched,
        extra_columns=columns.extra,
        missing_columns=columns.missing,
        column_splits=columns.splits,
        column_merges=columns.merges,
        matched_rows=rows.matched,
        extra_rows=rows.extra,
        missing_rows=rows.missing,
        row_splits=rows.splits,
        row_merges=rows.merges,
        cell_diffs=tuple(diffs),
        cell_accuracy_pct=_percent(comparable - len(diffs), comparable),
        structural_coverage_pct=_percent(covered, texts),
        header_diffs=tuple(
            HeaderDiff(c, truth.headers[c], reading.headers[d]) for c, d in columns.matched if headers[0][c] != headers[1][d]
        ),
        footnote_match=footnote_match,
        score_pct=_score(headers, data, columns, rows, notes),
    )


def _columns_of(rows: Sequence[Sequence[str]], columns: Sequence[int]) -> list[tuple[str, ...]]:
    return [tuple(row[c] for c in columns) for row in rows]


def _score(
    headers: tuple[list[str], list[str]],
    data: tuple[list[list[str]], list[list[str]]],
    columns: Alignment,
    rows: Alignment,
    notes: Sequence[str | None],
) -> float:
    """Return 200 × right / (texts of the truth + texts read), 0 without any text."""
    ordered = in_order(columns.matched)
    ours, theirs = _columns_of(data[0], [t for t, _ in ordered]), _columns_of(data[1], [e for _, e in ordered])
    right = sum(headers[0][t] == headers[1][e] != "" for t, e in ordered)
    right += sum(agreeing(ours[r], theirs[s]) for r, s in rows.matched)
    right += sum(max(agreeing(ours[r], theirs[s]) for s in parts) for r, parts in rows.splits)
    right += sum(max(agreeing(ours[r], theirs[s]) for r in parts) for parts, s in rows.merges)
    total = sum(text != "" for side in headers for text in side)
    total += sum(text != "" for side in data for row in side for text in row)
    if notes[0] is not None:
        right += notes[0] == notes[1] != ""
        total += sum(bool(note) for note in notes)
    return _percent(2 * right, total)


def _percent(part: int, whole: int) -> float:
    return PERCENT * part / whole if whole else 0.0
