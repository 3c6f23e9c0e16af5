"""What the report of a stress test knows: the run, its papers, its assertions, the comparison of each table, the variants.

Papers are called by their short name, and by their key in the test where several share a name.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from variorum.evaluation.chain import Oracle, TableDelta, Winner
from variorum.evaluation.divider_confidence import ConfidenceBin
from variorum.stress.model import Assertion, Severity
from variorum.tables.config import NAMED_CONFIGS
from variorum.tables.weights import MethodRecord

WHOLE_LIBRARY: Final = "all papers together"
"""What an assertion about the library names as its paper."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """The last stress test of the database: what was called, with what, when, and what each stage took (clock seconds)."""

    run_id: int
    command: str
    software: str
    versions: Mapping[str, str]
    started_at: str
    finished_at: str | None
    corpus: str
    config: str
    jobs: int
    stages: tuple[tuple[str, float | None], ...]
    chunks: int | None
    vectors: int | None
    vector_model: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Paper:
    """A paper of the test. What only a reading tells is None where it was not read; seconds are those of its reading."""

    key: str
    name: str
    item_key: str | None
    status: str
    reason: str
    pdf_path: str
    sha256: str
    pages: int | None
    cpu_seconds: float | None
    wall_seconds: float | None
    true_tables: int | None
    grade: str | None
    sections: int | None
    tables: int | None
    tables_captioned: int | None
    tables_missing: int | None
    figures: int | None
    figures_captioned: int | None
    figures_missing: int | None
    chunks: int | None
    has_abstract: bool | None
    has_references: bool | None
    unmatched: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """An assertion, with the name of its paper, the table it is about and the traceback where one was kept."""

    said: Assertion
    paper: str
    table_id: str | None
    traceback: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """A kind of assertion, and one sentence on what it asserts."""

    name: str
    severity: Severity
    asserts: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """A true table and what became of it: the measures of `ComparisonResult`, whose plain data is `diff`.

    `page` is that of the reading, of the truth where it was not found; None where neither says it.
    """

    table_id: str
    paper: str
    item_key: str
    page: int | None
    caption: str
    is_missed: bool
    is_perfect: bool
    accuracy: float
    coverage: float
    score: float
    right: int
    total: int
    splits: int
    merges: int
    cell_diffs: int
    gt_shape: tuple[int, int]
    ext_shape: tuple[int, int]
    winner: str
    diff: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedTable:
    """A table that a failed assertion names, and that does not differ from a truth."""

    table_id: str
    paper: str
    item_key: str
    page: int | None
    caption: str


@dataclass(frozen=True, slots=True, kw_only=True)
class VariantTable:
    """A true table as a named configuration read it; `truth_id` is the same for all configurations."""

    config: str
    paper: str
    truth_id: str
    score: float
    right: int
    total: int
    is_perfect: bool
    is_missed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class VariantPaper:
    """A paper that a named configuration read: processor seconds of its tables, pages, and why it failed ('' where not)."""

    config: str
    paper: str
    cpu_seconds: float | None
    pages: int
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MethodTime:
    """What a structure method took on all tables on which it was asked, and how often it failed.

    `seconds` of the processor are those of the method and of the quickest of its cell methods, which are kept together.
    """

    name: str
    tables: int
    seconds: float
    failed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MethodScore:
    """The scores of a structure method, its best cell method on each table, over the tables that were compared."""

    name: str
    tables: int
    mean: float
    perfect: int


@dataclass(frozen=True, slots=True, kw_only=True)
class StressData:
    """All that the report says."""

    run: Run
    papers: tuple[Paper, ...]
    kinds: tuple[Kind, ...]
    judged: tuple[Judged, ...]
    compared: tuple[Compared, ...]
    named: tuple[NamedTable, ...]
    wins: Mapping[str, MethodRecord]
    method_scores: tuple[MethodScore, ...]
    method_times: tuple[MethodTime, ...]
    chain: tuple[TableDelta, ...]
    oracle: Oracle | None
    winners: tuple[Winner, ...]
    confidence: tuple[ConfidenceBin, ...]
    variants: tuple[VariantTable, ...]
    variant_papers: tuple[VariantPaper, ...]

    @property
    def failures(self) -> tuple[Judged, ...]:
        """Return the assertions that do not hold."""
        return tuple(j for j in self.judged if not j.said.passed)

    @property
    def differing(self) -> tuple[Compared, ...]:
        """Return the true tables of which a reading differs, the worst first."""
        return tuple(t for t in self.compared if not t.is_perfect)

    @property
    def configs(self) -> tuple[str, ...]:
        """Return the configurations that were compared, the named ones in their order first."""
        found = {p.config for p in self.variant_papers} | {t.config for t in self.variants}
        return tuple(c for c in (*NAMED_CONFIGS, *sorted(found.difference(NAMED_CONFIGS))) if c in found)
