"""What the debug database says of a paper, as rows of its tables: pure data, nothing is written here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import count
from pathlib import Path
from types import MappingProxyType
from typing import Final

from variorum.document import Table
from variorum.document.apparatus import Axis, Divider, TableApparatus
from variorum.document.voices import speakers
from variorum.evaluation._debug_text import paper_columns, text_rows
from variorum.evaluation.ground_truth import ComparisonResult, TruthTable, compare_extraction
from variorum.evaluation.pairing import pair_tables
from variorum.evaluation.reference_dividers import AXES, dividers_of, is_at
from variorum.evaluation.stored import context_to_json, grid_to_json, hypothesis_to_json, to_text
from variorum.extraction import PaperEvidence, TableEvidence
from variorum.geometry import Interval
from variorum.tables.combination import CONSENSUS
from variorum.tables.joining import joined
from variorum.tables.model import BoundaryHypothesis, CellGrid

_PERCENT: Final = 100.0
_MILLISECONDS: Final = 1000.0

Row = tuple[str, Mapping[str, object]]
"""The name of a table of the database, and a row of it."""


def paper_rows(
    evidence: PaperEvidence,
    truths: Sequence[TruthTable],
    run_id: int,
    short_name: str,
    pictures: Mapping[str, str] = MappingProxyType({}),
) -> Iterator[Row]:
    """Yield every row of a paper, its own first; `truths` are the true tables of this paper, `pictures` the files of its
    figures by their ids."""
    document = evidence.document
    pairs = pair_tables(truths, document.tables)
    truth_of = {j: truths[i] for i, j in pairs.items()}
    yield "papers", _paper_row(evidence, run_id, short_name)
    yield from text_rows(document, pictures)
    for index, items in enumerate(evidence.by_table()):
        for part, item in enumerate(items):
            base = _Base(run_id, document.key, item.table.id)
            rows = _TableRows(document.tables[index], items, part, base, truth_of.get(index))
            yield from rows.rows(index, document.config)
    taken = {item.table.id for item in evidence.tables}
    for i, truth in enumerate(truths):
        if i not in pairs:
            yield from _missed_rows(truth, run_id, document.key, taken)


def _paper_row(evidence: PaperEvidence, run_id: int, short_name: str) -> dict[str, object]:
    document = evidence.document
    return {
        "item_key": document.key,
        "run_id": run_id,
        "short_name": short_name or Path(document.source_name).stem,
        "source_name": document.source_name,
        "sha256": document.sha256,
        "num_pages": document.page_count,
        "num_pages_read": len(document.pages),
        "tables_found": len(document.tables),
        "tables_with_captions": sum(t.caption is not None for t in document.tables),
        "tables_missing": len(evidence.unmatched_captions),
        "unmatched_table_captions": to_text(evidence.unmatched_captions),
        "notices_json": to_text([asdict(n) for n in document.notices]),
        **paper_columns(document),
    }


def fill_rate(table: Table) -> float:
    """Return the share of positions of the grid that a cell with text covers, in [0, 1]; 0 for an empty grid."""
    total = table.n_rows * table.n_cols
    return sum(bool(text) for row in table.filled_matrix() for text in row) / total if total else 0.0


@dataclass(frozen=True, slots=True)
class _Base:
    run_id: int
    item_key: str
    table_id: str

    def row(self, **more: object) -> dict[str, object]:
        return {"run_id": self.run_id, "item_key": self.item_key, "table_id": self.table_id, **more}


def _missed_rows(truth: TruthTable, run_id: int, item_key: str, taken: set[str]) -> Iterator[Row]:
    """Yield the comparison of a table that was not found with nothing, under its own id or, where that is taken, a new one."""
    names = (f"{truth.table_id or 'truth'}{f'_missed{n}' if n else ''}" for n in count())
    name = next(n for n in names if n not in taken)
    taken.add(name)
    result = compare_extraction(truth, TruthTable(table_id=name, rows=()))
    yield "ground_truth_diffs", _Base(run_id, item_key, name).row(**_diff_columns(truth, result), is_missed=True)


def _diff_columns(truth: TruthTable, result: ComparisonResult) -> dict[str, object]:
    return {
        "truth_id": truth.table_id,
        "truth_json": to_text(truth.to_dict()),
        "diff_json": to_text(result.to_dict()),
        "cell_accuracy_pct": result.cell_accuracy_pct,
        "num_splits": result.num_splits,
        "num_merges": result.num_merges,
        "num_cell_diffs": len(result.cell_diffs),
        "gt_shape": to_text(result.gt_shape),
        "ext_shape": to_text(result.ext_shape),
        **_measures(truth, result),
    }


def _measures(truth: TruthTable, result: ComparisonResult) -> dict[str, object]:
    right, total = cells_right(truth, result)
    return {
        "score_pct": result.score_pct,
        "structural_coverage_pct": result.structural_coverage_pct,
        "cells_right": right,
        "cells_total": total,
        "is_perfect": result.is_perfect,
    }


def cells_right(truth: TruthTable, result: ComparisonResult) -> tuple[int, int]:
    """Return how many data cells of the truth that hold text were read right, and how many there are."""
    known = truth if truth.is_verbatim else truth.without_blanks()
    data = known.all_rows[known.n_rows - result.gt_shape[0] :]
    total = sum(bool(text.strip()) for row in data for text in row)
    wrong = sum(bool(d.expected.strip()) for d in result.cell_diffs)
    return round(result.structural_coverage_pct * total / _PERCENT) - wrong, total


# ---- tables ---------------------------------------------------------------------------------------------------------


class _TableRows:
    """The rows of one table, or of one part of it, in all extended tables; the first part has those of the whole, too.

    A part is compared with the truth in its table: the other parts as they were chosen.
    """

    def __init__(self, whole: Table, items: Sequence[TableEvidence], part: int, base: _Base, truth: TruthTable | None) -> None:
        item = items[part]
        if item.table.apparatus is None:
            raise ValueError("a table that was read by vote has an apparatus")
        self.whole, self.part, self.item, self.base, self.truth = whole, part, item, base, truth
        self.before = [other.table for other in items[:part]]
        self.after = [other.table for other in items[part + 1 :]]
        self.apparatus: TableApparatus = item.table.apparatus
        self._known: dict[str, ComparisonResult] = {}

    def rows(self, index: int, config: Mapping[str, object]) -> Iterator[Row]:
        if self.part == 0:
            yield "extracted_tables", self._extracted(index)
        if self.whole.parts:
            yield "table_parts", self._part()
        yield from self._results()
        yield "pipeline_runs", self._run(config)
        if self.truth is not None and self.part == 0:
            diff = _diff_columns(self.truth, self._compared(self.item.table))
            yield "ground_truth_diffs", self.base.row(**diff, is_missed=False)
        yield from self._votes()

    def _extracted(self, index: int) -> dict[str, object]:
        table = self.whole
        box = table.provenance.bbox
        return {
            "table_id": table.id,
            "item_key": self.base.item_key,
            "table_index": index,
            "page_num": table.provenance.page_num,
            "caption": table.caption.text if table.caption else None,
            "headers_json": to_text(table.headers()),
            "rows_json": to_text(table.data_rows()),
            "num_rows": table.n_rows,
            "num_cols": table.n_cols,
            "fill_rate": fill_rate(table),
            "bbox": None if box is None else to_text(box.as_tuple()),
            "artifact_type": table.artifact,
            "footnotes_json": to_text(table.footnotes),
            "agreement": table.provenance.confidence if table.parts else self.apparatus.agreement,
            "markdown": table.to_markdown(),
        }

    def _part(self) -> dict[str, object]:
        part = self.whole.parts[self.part]
        return {
            "part_id": part.id,
            "item_key": self.base.item_key,
            "table_id": self.whole.id,
            "part_index": self.part,
            "page_num": part.page_num,
            "caption": part.caption.text if part.caption else None,
            "bbox": None if part.bbox is None else to_text(part.bbox.as_tuple()),
            "first_row": part.first_row,
            "num_rows": part.n_rows,
            "dropped_json": to_text([asdict(d) for d in part.dropped]),
        }

    def _compared(self, table: Table) -> ComparisonResult:
        """Return the comparison with the truth; candidates of the same text are compared once."""
        if self.truth is None:
            raise ValueError("there is no truth to compare with")
        spans = [(c.row, c.col, c.rowspan, c.colspan) for c in table.cells]
        key = to_text([table.matrix(), spans, table.header_rows, table.footnotes])
        if key not in self._known:
            self._known[key] = compare_extraction(self.truth, joined([*self.before, table, *self.after]))
        return self._known[key]

    def _quality(self, table: Table) -> dict[str, object]:
        if self.truth is None:
            return {"quality_score": _PERCENT * fill_rate(table), "quality_kind": "fill_rate"}
        result = self._compared(table)
        return {
            "quality_score": result.cell_accuracy_pct,
            "quality_kind": "truth",
            **_measures(self.truth, result),
        }

    def _results(self) -> Iterator[Row]:
        """Yield a row per candidate grid, and one for each method that has no grid."""
        said = {h.method: hypothesis_to_json(h) for h in self.item.result.boundary_hypotheses}
        said[CONSENSUS] = hypothesis_to_json(self.item.result.consensus)
        seconds = self.item.result.cpu_seconds
        with_grid: set[str] = set()
        for candidate, grid, table in zip(
            self.apparatus.candidates, self.item.result.candidates, self.item.candidates, strict=True
        ):
            structure, cell = grid.structure_method, grid.cell_method
            with_grid.add(structure)
            spent = [seconds[n] for n in (structure, f"{structure}:{cell}") if n in seconds]
            row = self.base.row(
                method_name=f"{structure}+{cell}",
                cell_method=cell,
                boundary_hypotheses_json=said.get(structure),
                cell_grid_json=grid_to_json(grid),
                rank_sum=candidate.rank_sum,
                is_chosen=candidate.chosen,
                execution_time_ms=_MILLISECONDS * sum(spent) if spent else None,
                **self._quality(table),
            )
            if structure == CONSENSUS:
                yield "consensus_results", {**row, "combination_strategy": self.apparatus.combination_strategy}
            else:
                yield "method_results", {**row, "structure_method": structure, "status": "voted", "detail": ""}
        for outcome in self.apparatus.outcomes:
            name = outcome.method
            if name in with_grid or name not in self.apparatus.methods:
                continue
            row = self.base.row(
                method_name=f"{name}+",
                structure_method=name,
                cell_method="",
                status=outcome.status,
                detail=outcome.detail,
                boundary_hypotheses_json=said.get(name),
                is_chosen=False,
                execution_time_ms=_MILLISECONDS * seconds[name] if name in seconds else None,
            )
            yield "method_results", row

    def _run(self, config: Mapping[str, object]) -> dict[str, object]:
        apparatus = self.apparatus
        result = None if self.truth is None else self._compared(self.item.table)
        return self.base.row(
            pipeline_config_json=to_text(config),
            winning_method=apparatus.winner,
            final_score=None if result is None else result.cell_accuracy_pct,
            final_score_pct=None if result is None else result.score_pct,
            combination_strategy=apparatus.combination_strategy,
            selection_strategy=apparatus.selection_strategy,
            spatial_precision=apparatus.spatial_precision,
            outcomes_json=to_text([asdict(o) for o in apparatus.outcomes]),
            candidates_json=to_text([asdict(c) for c in apparatus.candidates]),
            repairs_json=to_text([asdict(r) for r in apparatus.repairs]),
            region_votes_json=to_text(apparatus.region_votes),
            incomplete=apparatus.incomplete,
            context_json=context_to_json(self.item.context),
        )

    # ---- votes ------------------------------------------------------------------------------------------------------

    def _reference(self) -> tuple[CellGrid | None, str]:
        """Return the grid that shows where the dividers are, and how that is known."""
        if self.truth is None:
            return self.item.result.grid, "chosen"
        pairs = zip(self.item.candidates, self.item.result.candidates, strict=True)
        return next((grid for table, grid in pairs if self._compared(table).is_perfect), None), "truth"

    def _votes(self) -> Iterator[Row]:
        grid, reference = self._reference()
        known = dividers_of(grid) if grid is not None else {}
        for axis, channels in known.items():
            for index, channel in enumerate(channels):
                yield (
                    "reference_dividers",
                    {
                        "item_key": self.base.item_key,
                        "table_id": self.base.table_id,
                        "axis": axis,
                        "divider_index": index,
                        "channel_start": channel.start,
                        "channel_end": channel.end,
                        "reference": reference,
                    },
                )
        complete = _complete_axes(self.item.result.boundary_hypotheses)
        speaking: dict[Axis, list[str]] = {axis: speakers(axis, self.apparatus) for axis in AXES}
        for divider in self.apparatus.dividers:
            for voice in _voices(divider, speaking[divider.axis], complete):
                row = self.base.row(
                    axis=divider.axis,
                    divider_id=divider.id,
                    position=divider.position,
                    accepted=divider.accepted,
                    reason=divider.reason,
                    **asdict(voice),
                )
                if divider.axis in known:
                    place = voice.place or Interval(divider.position, divider.position)
                    row |= {"is_true": is_at(place.start, place.end, known[divider.axis]), "reference": reference}
                yield "divider_votes", row


def _complete_axes(hypotheses: Sequence[BoundaryHypothesis]) -> set[tuple[str, str]]:
    """Return (method, axis) for each method that claims to see the whole axis, so that its silence denies a divider."""
    out = set()
    for hypothesis in hypotheses:
        axes = hypothesis.metadata.get("complete", ())
        out |= {(hypothesis.method, str(axis)) for axis in (axes if isinstance(axes, tuple | list) else (axes,))}
    return out


@dataclass(frozen=True, slots=True, kw_only=True)
class _Voice:
    """What one method says of one divider: where, how surely, or its silence."""

    method: str
    stance: str
    vote_start: float | None = None
    vote_end: float | None = None
    confidence: float | None = None
    scaled_confidence: float | None = None

    @property
    def place(self) -> Interval | None:
        return None if self.vote_start is None or self.vote_end is None else Interval(self.vote_start, self.vote_end)


def _voices(divider: Divider, speaking: Sequence[str], complete: set[tuple[str, str]]) -> Iterator[_Voice]:
    """Yield each vote for the divider, and the silence of each method that speaks on the axis and not for it."""
    for vote in divider.votes:
        yield _Voice(
            method=vote.method,
            stance="for",
            vote_start=vote.start,
            vote_end=vote.end,
            confidence=vote.confidence,
            scaled_confidence=vote.scaled_confidence,
        )
    if divider.reason == "refused":  # before the vote: nobody else was asked
        return
    voters = {v.method for v in divider.votes}
    for method in speaking:
        if method not in voters:
            yield _Voice(method=method, stance="denies" if (method, divider.axis) in complete else "silent")
