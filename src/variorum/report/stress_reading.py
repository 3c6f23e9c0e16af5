"""The last stress test of a debug database, read: plain queries, what they give stands in the data of `stress_data`."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Mapping
from typing import Final

from variorum.errors import UsageError
from variorum.evaluation.chain import deltas, oracle, winners
from variorum.evaluation.divider_confidence import confidence_bins
from variorum.evaluation.tuning import count_wins, read_scores
from variorum.report.stress_data import (
    WHOLE_LIBRARY,
    Compared,
    Judged,
    Kind,
    MethodScore,
    MethodTime,
    NamedTable,
    Paper,
    Run,
    StressData,
    VariantPaper,
    VariantTable,
)
from variorum.stress.model import LIBRARY, Assertion, Severity

STAGES: Final = ("reading the papers", "making the index", "reading them by the other configurations", "judging")


def read_stress(connection: sqlite3.Connection, where: str = "debug database") -> StressData:
    """Return the last stress test of the database; raises UsageError that names the file when it holds none."""
    run = _run(connection)
    if run is None:
        raise UsageError("holds no stress test", where=where, hint="variorum stress --corpus DIR -o OUT")
    names = _names(connection)
    by_item = _names_by_item(connection, names)
    return StressData(
        run=run,
        papers=_papers(connection, names),
        kinds=_kinds(connection),
        judged=_judged(connection, run.run_id, names),
        compared=_compared(connection, by_item),
        named=_named(connection, run.run_id, by_item),
        wins=count_wins(read_scores(connection)),
        method_scores=_method_scores(connection),
        method_times=_method_times(connection),
        chain=deltas(connection),
        oracle=oracle(connection),
        winners=winners(connection),
        confidence=confidence_bins(connection),
        variants=_variants(connection, by_item),
        variant_papers=_variant_papers(connection, by_item),
    )


def _run(connection: sqlite3.Connection) -> Run | None:
    row = connection.execute(
        "SELECT run_id, command, software, versions_json, started_at, finished_at, corpus, config, jobs, num_chunks,"
        " num_vectors, vector_model, read_seconds, index_seconds, variant_seconds, assertion_seconds"
        " FROM stress_runs JOIN run_metadata USING (run_id) ORDER BY run_id DESC LIMIT 1"
    ).fetchone()
    if row is None:
        return None
    run_id, command, software, versions, started, finished, corpus, config, jobs, *more = row
    chunks, vectors, model, *stages = more
    return Run(
        run_id=run_id,
        command=command,
        software=software,
        versions=json.loads(versions),
        started_at=started,
        finished_at=finished,
        corpus=corpus,
        config=config,
        jobs=jobs,
        stages=tuple(zip(STAGES, stages, strict=True)),
        chunks=chunks,
        vectors=vectors,
        vector_model=model,
    )


# ---- papers ---------------------------------------------------------------------------------------------------------


def _names(connection: sqlite3.Connection) -> dict[str, str]:
    """Return what each paper of the test is called, by its key."""
    found = connection.execute("SELECT key, short_name FROM stress_papers").fetchall()
    count = Counter(short for _, short in found)
    return {key: short if short and count[short] == 1 else key for key, short in found}


def _names_by_item(connection: sqlite3.Connection, names: Mapping[str, str]) -> dict[str, str]:
    """Return what the papers that were read are called, by their key in the database."""
    by_item = dict(connection.execute("SELECT item_key, short_name FROM papers"))
    rows = connection.execute("SELECT item_key, key FROM stress_papers WHERE status = 'read' ORDER BY key DESC")
    return by_item | {item: names[key] for item, key in rows}


def _papers(connection: sqlite3.Connection, names: Mapping[str, str]) -> tuple[Paper, ...]:
    rows = connection.execute(
        """
        SELECT s.key, s.item_key, s.status, s.reason, s.pdf_path, s.sha256, s.num_pages, s.cpu_seconds, s.wall_seconds,
            s.num_true_tables, p.quality_grade, p.tables_found, p.tables_with_captions, p.tables_missing, p.figures_found,
            p.figures_with_captions, p.figures_missing, p.num_chunks, p.has_abstract, p.has_references,
            p.unmatched_table_captions, p.unmatched_figure_captions,
            (SELECT COUNT(*) FROM sections x WHERE x.item_key = p.item_key)
        FROM stress_papers s LEFT JOIN papers p ON p.item_key = s.item_key AND s.status = 'read' ORDER BY s.key
        """
    )
    return tuple(
        Paper(
            key=key,
            name=names[key],
            item_key=item,
            status=status,
            reason=reason,
            pdf_path=pdf,
            sha256=sha256 or "",
            pages=pages,
            cpu_seconds=cpu,
            wall_seconds=wall,
            true_tables=true,
            grade=grade,
            tables=tables,
            tables_captioned=captioned,
            tables_missing=missing,
            figures=figures,
            figures_captioned=figures_captioned,
            figures_missing=figures_missing,
            chunks=chunks,
            has_abstract=None if abstract is None else bool(abstract),
            has_references=None if references is None else bool(references),
            unmatched=tuple(json.loads(loose_tables or "[]")) + tuple(json.loads(loose_figures or "[]")),
            sections=None if tables is None else sections,
        )
        for (
            key, item, status, reason, pdf, sha256, pages, cpu, wall, true, grade, tables, captioned, missing, figures,
            figures_captioned, figures_missing, chunks, abstract, references, loose_tables, loose_figures, sections,
        ) in rows
    )  # fmt: skip


# ---- assertions -----------------------------------------------------------------------------------------------------


def _kinds(connection: sqlite3.Connection) -> tuple[Kind, ...]:
    rows = connection.execute("SELECT kind, severity, asserts FROM test_kinds ORDER BY position, kind")
    return tuple(Kind(name=name, severity=Severity(severity), asserts=asserts) for name, severity, asserts in rows)


def _judged(connection: sqlite3.Connection, run_id: int, names: Mapping[str, str]) -> tuple[Judged, ...]:
    rows = connection.execute(
        "SELECT kind, test_name, paper, passed, severity, detail, page, component, table_id, traceback FROM test_results"
        " WHERE run_id = ? ORDER BY rowid",
        (run_id,),
    )
    return tuple(
        Judged(
            said=Assertion(
                kind=kind,
                name=name.removeprefix(f"{kind}: "),
                paper=paper,
                passed=bool(passed),
                severity=Severity(severity or Severity.MAJOR),
                detail=detail or "",
                page=page,
                component=component,
            ),
            paper=WHOLE_LIBRARY if paper == LIBRARY else names.get(paper, paper),
            table_id=table,
            traceback=traceback,
        )
        for kind, name, paper, passed, severity, detail, page, component, table, traceback in rows
    )


# ---- tables ---------------------------------------------------------------------------------------------------------


def _compared(connection: sqlite3.Connection, names: Mapping[str, str]) -> tuple[Compared, ...]:
    rows = connection.execute(
        """
        SELECT g.table_id, g.item_key, COALESCE(t.page_num, NULLIF(json_extract(g.truth_json, '$.page'), 0)),
            COALESCE(t.caption, json_extract(g.truth_json, '$.caption')), g.is_missed, g.is_perfect, g.cell_accuracy_pct,
            g.structural_coverage_pct, g.score_pct, g.cells_right, g.cells_total, g.num_splits, g.num_merges,
            g.num_cell_diffs, g.gt_shape, g.ext_shape, COALESCE(r.winning_method, ''), g.diff_json
        FROM ground_truth_diffs g LEFT JOIN extracted_tables t USING (table_id) LEFT JOIN pipeline_runs r USING (table_id)
        ORDER BY g.score_pct, g.cell_accuracy_pct, g.table_id
        """
    )
    return tuple(
        Compared(
            table_id=table,
            paper=names[item],
            item_key=item,
            page=page,
            caption=caption or "",
            is_missed=bool(missed),
            is_perfect=bool(perfect),
            accuracy=accuracy,
            coverage=coverage,
            score=score,
            right=right,
            total=total,
            splits=splits,
            merges=merges,
            cell_diffs=diffs,
            gt_shape=tuple(json.loads(true_shape)),
            ext_shape=tuple(json.loads(shape)),
            winner=winner,
            diff=json.loads(diff),
        )
        for (
            table, item, page, caption, missed, perfect, accuracy, coverage, score, right, total, splits, merges, diffs,
            true_shape, shape, winner, diff,
        ) in rows
    )  # fmt: skip


def _named(connection: sqlite3.Connection, run_id: int, names: Mapping[str, str]) -> tuple[NamedTable, ...]:
    rows = connection.execute(
        """
        SELECT table_id, item_key, page_num, caption FROM extracted_tables
        WHERE table_id IN (SELECT table_id FROM test_results WHERE NOT passed AND run_id = ?)
            AND table_id NOT IN (SELECT table_id FROM ground_truth_diffs WHERE NOT is_perfect)
        ORDER BY item_key, table_index
        """,
        (run_id,),
    )
    return tuple(
        NamedTable(table_id=table, paper=names[item], item_key=item, page=page, caption=caption or "")
        for table, item, page, caption in rows
    )


def _method_scores(connection: sqlite3.Connection) -> tuple[MethodScore, ...]:
    rows = connection.execute(
        """
        SELECT structure_method, COUNT(*), AVG(score), SUM(perfect) FROM (
            SELECT structure_method, MAX(score_pct) AS score, MAX(is_perfect) AS perfect FROM method_results
            WHERE quality_kind = 'truth' AND table_id IN (SELECT table_id FROM ground_truth_diffs)
            GROUP BY table_id, structure_method)
        GROUP BY structure_method ORDER BY AVG(score) DESC, structure_method
        """
    )
    return tuple(MethodScore(name=name, tables=n, mean=mean, perfect=perfect) for name, n, mean, perfect in rows)


def _method_times(connection: sqlite3.Connection) -> tuple[MethodTime, ...]:
    rows = connection.execute(
        """
        SELECT structure_method, COUNT(*), TOTAL(ms) / 1000.0, SUM(failed) FROM (
            SELECT structure_method, MIN(execution_time_ms) AS ms, MAX(status = 'failed') AS failed FROM method_results
            WHERE status <> 'not_asked' GROUP BY table_id, structure_method)
        GROUP BY structure_method ORDER BY TOTAL(ms) DESC, structure_method
        """
    )
    return tuple(MethodTime(name=name, tables=n, seconds=seconds, failed=failed) for name, n, seconds, failed in rows)


def _variants(connection: sqlite3.Connection, names: Mapping[str, str]) -> tuple[VariantTable, ...]:
    rows = connection.execute(
        "SELECT config, item_key, truth_id, score_pct, cells_right, cells_total, is_perfect, is_missed FROM variant_results"
        " ORDER BY config, item_key, truth_id"
    )
    return tuple(
        VariantTable(
            config=config,
            paper=names[item],
            truth_id=truth,
            score=score,
            right=right,
            total=total,
            is_perfect=bool(perfect),
            is_missed=bool(missed),
        )
        for config, item, truth, score, right, total, perfect, missed in rows
    )


def _variant_papers(connection: sqlite3.Connection, names: Mapping[str, str]) -> tuple[VariantPaper, ...]:
    rows = connection.execute(
        "SELECT config, item_key, cpu_seconds, pages, status, reason FROM variant_runs ORDER BY config, item_key"
    )
    return tuple(
        VariantPaper(
            config=config,
            paper=names[item],
            cpu_seconds=seconds,
            pages=pages,
            reason="" if status == "read" else reason or "no reason was kept",
        )
        for config, item, seconds, pages, status, reason in rows
    )
