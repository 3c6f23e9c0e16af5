"""The models of the table engine, under the founding documents' names.

Positions are PDF points of the page as displayed, origin top-left. A boundary is a *range*: the whole white channel between two
columns (or rows) is equally right, so points carry `min_pos..max_pos`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from statistics import median
from typing import TYPE_CHECKING, Literal, Protocol, TypeVar

from variorum.document import Cell, TableApparatus
from variorum.geometry import Box, gaps_between
from variorum.page.lines import Segment, TextRow, segments, text_rows, word_space
from variorum.page.model import PageEvidence, Rule, Word
from variorum.tables.close_columns import with_columns_parted
from variorum.tables.justified import with_stretched_joined
from variorum.thresholds import USUAL_WORD_SPACE_EM
from variorum.voting import BoundaryPoint, PointExpansion, RefusedPoint

if TYPE_CHECKING:
    from variorum.page.reader import PageHandle

__all__ = [
    "Abstain",
    "AcceptanceReason",
    "AxisTrace",
    "BoundaryHypothesis",
    "BoundaryPoint",
    "CellGrid",
    "CellMethod",
    "ClusterRecord",
    "CombinationTrace",
    "ExtractionResult",
    "PointExpansion",
    "PostProcessor",
    "RefusedPoint",
    "StructureMethod",
    "TableContext",
]

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class BoundaryHypothesis:
    """What one method says about a table: its inner column and row dividers, left to right and top to bottom.

    Outer edges are not dividers. An empty axis means that the method says nothing about it, unless `speaks_for` names the axis:
    then it says that there is no divider.
    """

    col_boundaries: tuple[BoundaryPoint, ...]
    row_boundaries: tuple[BoundaryPoint, ...]
    method: str
    metadata: Mapping[str, object] = field(default_factory=dict)


# ---- traces ---------------------------------------------------------------------------------------------------------

AcceptanceReason = Literal["above_threshold", "ruled_line_override", "rejected"]


@dataclass(frozen=True, slots=True)
class ClusterRecord:
    """One cluster of overlapping points, and what the vote said about it.

    `opposition` is the weight that spoke against the cluster, where the strategy weighs each place by itself.
    `points` carry the scaled confidences, `unscaled_points` are the same points, in the same order, as their methods gave them.
    `min_pos..max_pos` is the hull of the points (not of their expansions), `position` their confidence-weighted mean,
    `confidence` the mean of their scaled confidences.
    """

    points: tuple[BoundaryPoint, ...]
    min_pos: float
    max_pos: float
    position: float
    confidence: float
    distinct_methods: int
    method_names: list[str]
    accepted: bool
    acceptance_reason: AcceptanceReason
    unscaled_points: tuple[BoundaryPoint, ...] = ()
    opposition: float | None = None


@dataclass(frozen=True, slots=True)
class AxisTrace:
    """The vote on one axis, from left to right or top to bottom.

    `input_points` are all points as the methods gave them, `input_provenances` their methods, in the same order.
    `acceptance_threshold` is the number of distinct methods a cluster needed; under the median rule it is
    `median_method_count`.
    """

    input_points: tuple[BoundaryPoint, ...]
    input_provenances: tuple[str, ...]
    expansions: tuple[PointExpansion, ...]
    clusters: tuple[ClusterRecord, ...]
    acceptance_threshold: float
    median_method_count: float
    accepted_positions: tuple[float, ...]
    refused: tuple[RefusedPoint, ...] = ()


@dataclass(frozen=True, slots=True)
class CombinationTrace:
    """The vote on both axes, the merge tolerance in points, and the methods that took part, sorted by name."""

    col_trace: AxisTrace
    row_trace: AxisTrace
    spatial_precision: float
    source_methods: list[str]


# ---- context --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class TableContext:
    """Everything a method may look at: the table's region and the page's words and rules inside it.

    `words` have their middle in `bbox`; `rules` cross it and are clipped to it. `handle` is the door to the live page for
    methods that ask a library; None for a page that is not at hand (rotated views, tests).
    """

    bbox: Box
    words: tuple[Word, ...]
    rules: tuple[Rule, ...] = ()
    page: PageEvidence | None = None
    handle: PageHandle | None = None
    caption: str = ""
    vocabulary: frozenset[str] = frozenset()
    page_word_space_em: float | None = None

    @cached_property
    def rule_thickness(self) -> float | None:
        """Return the median thickness of the rules in points, or None without rules (or when all are without thickness)."""
        thick = [rule.thickness for rule in self.rules if rule.thickness > 0]
        return median(thick) if thick else None

    @cached_property
    def median_word_gap(self) -> float | None:
        """Return the median white gap between neighbouring words of one writing line in points, or None without such a gap.

        Words are of one line when the middle of the one lies within the height of the other: that holds sub- and superscripts
        in, and the next line out however tight the leading is.
        """
        lines: list[list[Word]] = []
        for word in sorted(self.words, key=lambda w: (w.baseline, w.box)):
            here, last = word.box.y_interval, lines[-1][-1].box.y_interval if lines else None
            if last is not None and (last.contains(here.middle) or here.contains(last.middle)):
                lines[-1].append(word)
            else:
                lines.append([word])
        gaps = [gap.length for line in lines for gap in gaps_between(word.box.x_interval for word in line)]
        return median(gaps) if gaps else None

    @cached_property
    def median_word_height(self) -> float | None:
        """Return the median height of the words in points, or None without words."""
        return median(w.box.height for w in self.words) if self.words else None

    @cached_property
    def _memo(self) -> dict[str, object]:
        return {}

    def once(self, key: str, compute: Callable[[], T]) -> T:
        """Return what `compute` gives, computed once per context under the key: evidence shared by several methods."""
        if key not in self._memo:
            self._memo[key] = compute()
        return self._memo[key]  # type: ignore[return-value]

    @cached_property
    def text_rows(self) -> tuple[TextRow, ...]:
        """Return the lines of writing in the table, top to bottom."""
        return text_rows(self.words)

    @cached_property
    def word_space_em(self) -> float:
        """Return the usual space between words in em: that of the whole page where it is known, else of the table."""
        measured = word_space(self.text_rows) if self.page_word_space_em is None else self.page_word_space_em
        return USUAL_WORD_SPACE_EM if measured is None else measured

    @cached_property
    def verticals(self) -> tuple[Rule, ...]:
        """Return the vertical rules in the table."""
        return tuple(r for r in self.rules if r.orientation == "vertical")

    @cached_property
    def segments(self) -> tuple[tuple[Segment, ...], ...]:
        """Return for every line of writing its segments: runs of words with nothing but word spaces between them.

        The stretched lines of justified cells are one segment (see `justified`); texts of columns that stand no farther apart
        than words do are several (see `close_columns`).
        """
        cut = tuple(segments(row, self.word_space_em, self.verticals) for row in self.text_rows)
        return with_columns_parted(with_stretched_joined(cut, self.word_space_em), self.word_space_em)


# ---- grids ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class CellGrid:
    """A grid with text.

    `cells` in row-major order (a spanning cell once, at its top-left place), edges in points, and who made it.
    """

    n_rows: int
    n_cols: int
    cells: tuple[Cell, ...]
    col_edges: tuple[float, ...]
    row_edges: tuple[float, ...]
    structure_method: str
    cell_method: str
    header_rows: int = 0
    footnotes: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """Return the key of the grid, ``structure:cell``."""
        return f"{self.structure_method}:{self.cell_method}"

    def matrix(self) -> list[list[str]]:
        """Return all rows as lists of text, header rows first."""
        rows = [[""] * self.n_cols for _ in range(self.n_rows)]
        for cell in self.cells:
            rows[cell.row][cell.col] = cell.text
        return rows

    @property
    def headers(self) -> tuple[str, ...]:
        """Return one header text per column, the header rows joined by a space."""
        top = self.matrix()[: self.header_rows]
        return tuple(" ".join(row[c] for row in top if row[c]) for c in range(self.n_cols))

    @property
    def rows(self) -> tuple[tuple[str, ...], ...]:
        """Return the data rows."""
        return tuple(tuple(row) for row in self.matrix()[self.header_rows :])


@dataclass(frozen=True, slots=True)
class ExtractionResult:
    """What the engine makes of one table: the chosen grid, all candidate grids, the hypotheses, and the apparatus.

    `grid` is None when no method could make one; the apparatus says why. `cpu_seconds` is the processor time by name of the
    structure method or of the grid (``structure:cell``); it is no part of the result's value and never reaches a document.
    """

    grid: CellGrid | None
    candidates: tuple[CellGrid, ...]
    boundary_hypotheses: tuple[BoundaryHypothesis, ...]
    consensus: BoundaryHypothesis
    trace: CombinationTrace
    apparatus: TableApparatus
    cpu_seconds: Mapping[str, float] = field(default_factory=dict, compare=False)


_UNTRACED = AxisTrace((), (), (), (), 0.0, 0.0, ())


def decision_of(result: ExtractionResult) -> ExtractionResult:
    """Return the grid and the apparatus of the result, without what led to them: all that a document needs."""
    return replace(
        result,
        candidates=(),
        boundary_hypotheses=(),
        consensus=replace(result.consensus, col_boundaries=(), row_boundaries=()),
        trace=CombinationTrace(_UNTRACED, _UNTRACED, result.trace.spatial_precision, result.trace.source_methods),
    )


# ---- protocols ------------------------------------------------------------------------------------------------------


class StructureMethod(Protocol):
    """A voter on dividers: `detect` returns a hypothesis, or raises `Abstain` with the reason.

    Anything else raised is a failure.
    """

    name: str

    def detect(self, ctx: TableContext) -> BoundaryHypothesis | None:
        """Return what the method says about the table, or None."""


class CellMethod(Protocol):
    """A reader of text: which words, or parts of words, stand between the column dividers."""

    name: str

    def pieces(self, ctx: TableContext, col_positions: Sequence[float]) -> tuple[Word, ...]:
        """Return the words of the table, cut where the method holds that a divider (points) parts them."""


class PostProcessor(Protocol):
    """A repair of a finished grid."""

    name: str

    def process(self, grid: CellGrid, ctx: TableContext) -> tuple[CellGrid, str]:
        """Return the grid, repaired or as it was, and what was done in words (empty when nothing was)."""


class Abstain(Exception):  # noqa: N818 (not an error)
    """Raised by a method that has nothing to say, with the reason. Not an error and not a vote."""
