"""One table, from its region to a grid with an apparatus.

The order of work: ask the structure methods, admit their dividers to the vote, combine, complete what speaks of one
axis only with the consensus of the other, fill every structure with every cell method, repair, rank, choose. A method
that raises is recorded with its traceback and costs its own vote, nothing else.
"""

from __future__ import annotations

import traceback
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from time import process_time
from types import MappingProxyType

from variorum.document import Candidate, Divider, MethodOutcome, MetricValue, Notice, Repair, TableApparatus, Vote
from variorum.document.apparatus import Axis
from variorum.geometry import Box
from variorum.page.reader import PageHandle
from variorum.page.turning import DOWNWARDS, UPWARDS, turned
from variorum.regions.captions import FoundCaption
from variorum.regions.continuing import PageLine
from variorum.tables.admission import Admission, admit
from variorum.tables.answers import check_hypothesis, check_repair
from variorum.tables.combination import CONSENSUS, combine_hypotheses
from variorum.tables.config import PipelineConfig
from variorum.tables.grid import build_grid
from variorum.tables.item_lists import items_of
from variorum.tables.majority import combine_by_majority
from variorum.tables.model import (
    Abstain,
    AxisTrace,
    BoundaryHypothesis,
    BoundaryPoint,
    CellGrid,
    CombinationTrace,
    ExtractionResult,
    RefusedPoint,
    TableContext,
)
from variorum.tables.page_tables import PageReading, PageTable, context_of, fault_notice, find_regions, page_lines
from variorum.tables.registry import LIBRARY_METHODS, cell_methods, class_of, in_order, post_processors, structure_methods
from variorum.tables.scoring import METRICS, Contender, Ranking, select
from variorum.tables.steps import UNWATCHED, UNWATCHED_TABLE, Step, TableWatch, Watch
from variorum.tables.weighing import combine_by_weight
from variorum.tables.weights import in_effect
from variorum.thresholds import MAX_LIBRARY_WORDS


def has_ruled_lines(ctx: TableContext) -> bool:
    """Return whether rules part the words of the table: a horizontal and a vertical one inside it."""
    return len({r.orientation for r in ctx.rules}) > 1


class Pipeline:
    """The table engine under one configuration. Stateless between tables; may be used in several processes.

    With `keep_contexts` the tables of a page keep the words and rules they were read from, for later analysis. `rivals` are
    configurations by name that decide, too, on what this one's methods said; they ask none themselves.
    """

    def __init__(
        self,
        config: PipelineConfig,
        *,
        keep_contexts: bool = False,
        rivals: Mapping[str, PipelineConfig] = MappingProxyType({}),
    ) -> None:
        self._config = config = in_effect(config)
        self._keep_contexts = keep_contexts
        self._rivals = {name: Pipeline(rival) for name, rival in rivals.items()}
        self._structure = [class_of(name, structure_methods())() for name in in_order(config.structure_methods)]
        self._cells = [class_of(name, cell_methods())() for name in in_order(config.cell_methods)]
        self._post = [class_of(name, post_processors())() for name in in_order(config.post_processors)]

    @property
    def config(self) -> PipelineConfig:
        """Return the configuration in effect: its multipliers are the measured weights times its own (`weights.in_effect`)."""
        return self._config

    def extract(
        self, ctx: TableContext, *, angle: int = 0, watch: Watch = UNWATCHED, told: BoundaryHypothesis | None = None
    ) -> ExtractionResult:
        """Return the grid of the table in the context with all candidates and the apparatus; never raises for a faulty
        method.

        The `watch` is told of every step, and says which are left out; `angle` names the view of the page to it. Where the
        structure is `told`, no method is asked for it.
        """
        cpu_seconds: dict[str, float] = {}
        steps = TableWatch(watch, ctx.page.page_num if ctx.page else 1, angle, ctx.bbox)
        asked, outcomes = self._ask(ctx, cpu_seconds, steps) if told is None else ([told], self._not_needed(told))
        result = self._decide(ctx, asked, outcomes, cpu_seconds, steps)
        late = watch.timeouts(ctx.bbox, angle)
        if late:
            result = replace(result, apparatus=replace(result.apparatus, incomplete=f"timeout: {'; '.join(late)}"))
        return result

    def decide(self, ctx: TableContext, hypotheses: Sequence[BoundaryHypothesis]) -> ExtractionResult:
        """Return what this configuration makes of hypotheses, as their methods gave them; no method is asked.

        Those of methods that the configuration does not have are left out. The apparatus has no outcomes of structure methods;
        the processor time of the whole decision stands in `cpu_seconds` under ``decision``.
        """
        cpu_seconds: dict[str, float] = {}
        with _clocked("decision", cpu_seconds):
            known = [h for h in hypotheses if h.method in self._config.structure_methods]
            return self._decide(ctx, known, [], cpu_seconds)

    def consensus_of(
        self, ctx: TableContext, hypotheses: Sequence[BoundaryHypothesis]
    ) -> tuple[BoundaryHypothesis, CombinationTrace]:
        """Return what the vote makes of these hypotheses, as their methods gave them, and its trace; no method is asked.

        For analysis: the vote without one of its voters.
        """
        return self._combine(admit(hypotheses, ctx).hypotheses, ctx)

    def grids_of(self, ctx: TableContext, structure: BoundaryHypothesis) -> tuple[CellGrid, ...]:
        """Return the repaired grid of each cell method for the structure, those that are empty or that failed left out."""
        return tuple(c.grid for c in self._fill(ctx, [structure], structure, {})[0])

    def _decide(
        self,
        ctx: TableContext,
        asked: Sequence[BoundaryHypothesis],
        outcomes: list[MethodOutcome],
        cpu_seconds: dict[str, float],
        watch: TableWatch = UNWATCHED_TABLE,
    ) -> ExtractionResult:
        """Return the result of the vote and the election among what the methods said."""
        watch.enter("table")
        admission = admit(asked, ctx)
        consensus, trace = self._combine(admission.hypotheses, ctx)
        structures = _complete(consensus, admission.hypotheses)
        contenders, repairs, failures = self._fill(ctx, structures, consensus, cpu_seconds, watch)
        outcomes += failures
        watch.enter("table")
        if not contenders:
            apparatus = self._apparatus(trace, admission, outcomes, [], [], None, ())
            return ExtractionResult(None, (), tuple(asked), consensus, trace, apparatus, cpu_seconds)
        winner, rankings = select(contenders, ctx, CONSENSUS, self._config.selection_strategy)
        grid = contenders[winner].grid
        apparatus = self._apparatus(trace, admission, outcomes, contenders, rankings, winner, repairs[winner])
        candidates = tuple(c.grid for c in contenders)
        return ExtractionResult(grid, candidates, tuple(asked), consensus, trace, apparatus, cpu_seconds)

    def extract_page(self, handle: PageHandle, given: Sequence[Box] | None = None, *, watch: Watch = UNWATCHED) -> PageReading:
        """Return the tables of a page; with `given` boxes (points, as displayed) only those are read, found or not.

        A region or table that cannot be read becomes a notice with its traceback; the others are read all the same. The `watch`
        is told of every step, and says which are left out.
        """
        watch.enter(Step("page", handle.page_index + 1))
        page = handle.evidence
        incomplete = watch.timeouts(None, 0)
        notices = [Notice(severity="warning", what=w, page_num=page.page_num) for w in page.warnings]
        tables: list[PageTable] = []
        captions: list[FoundCaption] = []
        lines: list[PageLine] = []
        for angle in (0, UPWARDS, DOWNWARDS):
            if angle and not any(w.angle == angle for w in page.words):
                continue
            view = turned(page, angle) if angle else page
            try:
                found, regions = find_regions(handle, view, angle, self._config, notices, given, watch)
            except Exception as error:  # the other views and pages are read all the same
                notices.append(fault_notice("its table regions could not be found", error, page.page_num))
                continue
            captions += [c for c in found if c.kind == "table"]
            lines += page_lines(view, angle) if regions or any(c.kind == "table" for c in found) else ()
            for region in regions:
                where = region.box.rounded().as_tuple()
                incomplete += [f"the table at {where}: {late}" for late in watch.timeouts(region.box, angle)]
                left_out = TableWatch(watch, page.page_num, angle, region.box).enter("table")
                if left_out:
                    what = f"the table at {where} could not be read: {left_out}"
                    notices.append(Notice(severity="error", what=what, page_num=page.page_num))
                    continue
                try:
                    ctx = context_of(region, view, None if angle else handle)
                    told = items_of(ctx) if region.set_as == "list" else None
                    result = self.extract(ctx, angle=angle, watch=watch, told=told)
                except Exception as error:
                    notices.append(fault_notice(f"the table at {where} could not be read", error, page.page_num))
                    continue
                kept = replace(ctx, page=None, handle=None) if self._keep_contexts else None
                rivals = {name: rival.decide(ctx, result.boundary_hypotheses) for name, rival in self._rivals.items()}
                tables.append(PageTable(region, angle, result, kept, rivals))
        if incomplete:
            what = f"incomplete, for want of an answer in time: {'; '.join(incomplete)}"
            notices.append(Notice(severity="warning", what=what, page_num=page.page_num))
        return PageReading(
            page.page_num,
            page.width,
            page.height,
            page.label,
            tuple(tables),
            tuple(captions),
            tuple(notices),
            tuple(f"page {page.page_num}: {what}" for what in incomplete),
            tuple(lines),
        )

    # ---- asking ------------------------------------------------------------------------------------------------

    def _ask(
        self, ctx: TableContext, cpu_seconds: dict[str, float], watch: TableWatch
    ) -> tuple[list[BoundaryHypothesis], list[MethodOutcome]]:
        hypotheses: list[BoundaryHypothesis] = []
        outcomes: list[MethodOutcome] = []
        for method in self._structure:
            reason = self._not_asked(method.name, ctx)
            if reason:
                outcomes.append(MethodOutcome(method=method.name, status="not_asked", detail=reason))
                continue
            left_out = watch.enter("structure method", method.name)
            if left_out:
                outcomes.append(MethodOutcome(method=method.name, status="failed", detail=left_out))
                continue
            try:
                with _clocked(method.name, cpu_seconds):
                    answer = method.detect(ctx)
                hypothesis = None if answer is None else check_hypothesis(answer, method.name, ctx)
            except Abstain as why:
                outcomes.append(MethodOutcome(method=method.name, status="abstained", detail=str(why)))
                continue
            except (
                Exception,
                SystemExit,
            ) as error:  # recorded as a failure with its traceback; it is no vote and no abstention
                outcomes.append(_failure(method.name, error))
                continue
            if hypothesis is None:
                outcomes.append(MethodOutcome(method=method.name, status="abstained", detail="gave no reason"))
                continue
            hypotheses.append(hypothesis)
            outcomes.append(
                MethodOutcome(
                    method=method.name,
                    status="voted",
                    column_count=len(hypothesis.col_boundaries),
                    row_count=len(hypothesis.row_boundaries),
                )
            )
        return hypotheses, outcomes

    def _not_needed(self, told: BoundaryHypothesis) -> list[MethodOutcome]:
        """Return the outcomes where the structure is told: every method is not asked."""
        said = MethodOutcome(
            method=told.method, status="voted", column_count=len(told.col_boundaries), row_count=len(told.row_boundaries)
        )
        why = f"the structure is told by {told.method}"
        return [said, *(MethodOutcome(method=method.name, status="not_asked", detail=why) for method in self._structure)]

    def _not_asked(self, name: str, ctx: TableContext) -> str:
        rule = self._config.activation_rule(name)
        if rule == "ruled" and not has_ruled_lines(ctx):
            return "asked for ruled tables only"
        if rule == "unruled" and has_ruled_lines(ctx):
            return "asked for tables without rules only"
        count = ctx.page.segment_count if ctx.page else 0
        if name in LIBRARY_METHODS and count > self._config.max_segments:
            return f"the page has {count:,} line segments, the limit is {self._config.max_segments:,}"
        if name in LIBRARY_METHODS and len(ctx.words) > MAX_LIBRARY_WORDS:
            return f"the table has {len(ctx.words):,} words, the limit is {MAX_LIBRARY_WORDS:,}"
        return ""

    def _combine(
        self, hypotheses: Sequence[BoundaryHypothesis], ctx: TableContext
    ) -> tuple[BoundaryHypothesis, CombinationTrace]:
        multipliers = self._config.confidence_multipliers
        match self._config.combination_strategy:
            case "median_votes":
                return combine_hypotheses(hypotheses, ctx, confidence_multipliers=multipliers, trace=True)
            case "plain_majority":
                return combine_by_majority(hypotheses, ctx, confidence_multipliers=multipliers, trace=True)
            case _:
                return combine_by_weight(hypotheses, ctx, confidence_multipliers=multipliers)

    # ---- grids -------------------------------------------------------------------------------------------------

    def _fill(
        self,
        ctx: TableContext,
        structures: Sequence[BoundaryHypothesis],
        consensus: BoundaryHypothesis,
        cpu_seconds: dict[str, float],
        watch: TableWatch = UNWATCHED_TABLE,
    ) -> tuple[list[Contender], list[tuple[Repair, ...]], list[MethodOutcome]]:
        contenders: list[Contender] = []
        repairs: list[tuple[Repair, ...]] = []
        failures: list[MethodOutcome] = []
        silent: dict[str, MethodOutcome] = {}
        built: dict[tuple[object, ...], tuple[CellGrid, tuple[Repair, ...], list[MethodOutcome]]] = {}
        for structure in structures:
            for cell in self._cells:
                name = f"{structure.method}:{cell.name}"
                places = (cell.name, _positions(structure.col_boundaries), _positions(structure.row_boundaries))
                if places in built:  # other methods put the same dividers there: the same grid under their name
                    grid, done, _ = built[places]
                    grid = replace(grid, structure_method=structure.method)
                else:
                    left_out = watch.enter("cell method", cell.name, structure.method)
                    if left_out:
                        failures.append(MethodOutcome(method=name, status="failed", detail=left_out))
                        continue
                    with _clocked(name, cpu_seconds):
                        try:
                            grid = build_grid(ctx, structure, cell)
                        except Abstain as why:  # the same for every structure: said once
                            silent.setdefault(cell.name, MethodOutcome(method=cell.name, status="abstained", detail=str(why)))
                            continue
                        except (Exception, SystemExit) as error:
                            failures.append(_failure(name, error))
                            continue
                        built[places] = grid, done, failed = self._repair(grid, ctx, watch)
                    failures += failed
                if grid.n_rows and grid.n_cols:
                    contenders.append(Contender(grid, structure, consensus))
                    repairs.append(done)
        return contenders, repairs, [*silent.values(), *failures]

    def _repair(
        self, grid: CellGrid, ctx: TableContext, watch: TableWatch
    ) -> tuple[CellGrid, tuple[Repair, ...], list[MethodOutcome]]:
        done: list[Repair] = []
        failures: list[MethodOutcome] = []
        for post in self._post:
            left_out = watch.enter("post-processor", post.name, grid.name)
            if left_out:
                failures.append(MethodOutcome(method=post.name, status="failed", detail=left_out))
                continue
            try:
                grid, detail = check_repair(post.process(grid, ctx), grid)
            except (Exception, SystemExit) as error:
                failures.append(_failure(post.name, error))
                continue
            if detail:
                done.append(Repair(name=post.name, detail=detail))
        return grid, tuple(done), failures

    # ---- apparatus ---------------------------------------------------------------------------------------------

    def _apparatus(
        self,
        trace: CombinationTrace,
        admission: Admission,
        outcomes: Sequence[MethodOutcome],
        contenders: Sequence[Contender],
        rankings: Sequence[Ranking],
        winner: int | None,
        repairs: tuple[Repair, ...],
    ) -> TableApparatus:
        multipliers = self._config.confidence_multipliers
        dividers = (
            *_dividers(trace.col_trace, admission.refused_columns, "column", multipliers),
            *_dividers(trace.row_trace, admission.refused_rows, "row", multipliers),
        )
        speaking = {
            "column": len(set(trace.col_trace.input_provenances)),
            "row": len(set(trace.row_trace.input_provenances)),
        }
        shares = [d.method_count / speaking[d.axis] for d in dividers if d.accepted and speaking[d.axis]]
        return TableApparatus(
            methods=tuple(method.name for method in self._structure),
            cell_methods=tuple(method.name for method in self._cells),
            combination_strategy=self._config.combination_strategy,
            selection_strategy=self._config.selection_strategy,
            spatial_precision=trace.spatial_precision,
            agreement=sum(shares) / len(shares) if shares else 0.0,
            winner=contenders[winner].grid.name if winner is not None else "",
            dividers=dividers,
            outcomes=tuple(outcomes),
            candidates=tuple(
                _candidate(c, r, i == winner, i) for i, (c, r) in enumerate(zip(contenders, rankings, strict=True))
            ),
            repairs=repairs,
        )


@contextmanager
def _clocked(name: str, cpu_seconds: dict[str, float]) -> Iterator[None]:
    """Note the processor time that the block takes under the name; it never decides anything."""
    start = process_time()
    try:
        yield
    finally:
        cpu_seconds[name] = process_time() - start


def _positions(points: Sequence[BoundaryPoint]) -> tuple[float, ...]:
    return tuple(sorted(p.position for p in points))


def _failure(name: str, error: BaseException) -> MethodOutcome:
    text = "".join(traceback.format_exception(error))
    return MethodOutcome(method=name, status="failed", detail=f"{type(error).__name__}: {error}", traceback=text)


def _complete(consensus: BoundaryHypothesis, hypotheses: Sequence[BoundaryHypothesis]) -> list[BoundaryHypothesis]:
    """Return the consensus and every hypothesis, an axis on which one is silent taken from the consensus; equal ones once."""
    out = [replace(consensus, method=CONSENSUS)]
    for hypothesis in hypotheses:
        out.append(
            replace(
                hypothesis,
                col_boundaries=hypothesis.col_boundaries or consensus.col_boundaries,
                row_boundaries=hypothesis.row_boundaries or consensus.row_boundaries,
            )
        )
    return out


def _candidate(contender: Contender, ranking: Ranking, chosen: bool, position: int) -> Candidate:
    return Candidate(
        name=contender.grid.name,
        n_rows=contender.grid.n_rows,
        n_cols=contender.grid.n_cols,
        metrics=tuple(MetricValue(metric=m, value=ranking.values[m], rank=ranking.ranks[m]) for m in METRICS),
        rank_sum=ranking.rank_sum,
        chosen=chosen,
        position=position,
    )


def _dividers(trace: AxisTrace, refused: Sequence[RefusedPoint], axis: Axis, multipliers: Mapping[str, float]) -> list[Divider]:
    letter = axis[0]
    out: list[Divider] = []
    accepted = rejected = 0
    for cluster in trace.clusters:
        if cluster.accepted:
            accepted += 1
            name = f"{letter}{accepted}"
        else:
            rejected += 1
            name = f"{letter}x{rejected}"
        votes = tuple(
            Vote(method=p.provenance, start=p.min_pos, end=p.max_pos, confidence=p.confidence, scaled_confidence=s.confidence)
            for p, s in zip(cluster.unscaled_points or cluster.points, cluster.points, strict=True)
        )
        out.append(
            Divider(
                id=name,
                axis=axis,
                start=cluster.min_pos,
                end=cluster.max_pos,
                position=cluster.position,
                accepted=cluster.accepted,
                reason=cluster.acceptance_reason,
                confidence=cluster.confidence,
                method_count=cluster.distinct_methods,
                threshold=trace.acceptance_threshold if cluster.opposition is None else cluster.opposition,
                votes=votes,
            )
        )
    for item in (*trace.refused, *refused):
        rejected += 1
        point = item.point
        finite = point.min_pos == point.min_pos and abs(point.min_pos) < float("inf") and abs(point.max_pos) < float("inf")
        start, end = sorted((point.min_pos, point.max_pos)) if finite and point.max_pos == point.max_pos else (0.0, 0.0)
        confidence = point.confidence if point.confidence == point.confidence and abs(point.confidence) < float("inf") else 0.0
        scaled = confidence * multipliers.get(point.provenance, 1.0)
        out.append(
            Divider(
                id=f"{letter}x{rejected}",
                axis=axis,
                start=start,
                end=end,
                position=(start + end) / 2,
                accepted=False,
                reason="refused",
                confidence=confidence,
                method_count=1,
                threshold=trace.acceptance_threshold,
                votes=(Vote(method=point.provenance, start=start, end=end, confidence=confidence, scaled_confidence=scaled),),
                note=item.reason,
            )
        )
    return out
