"""Reading one paper for the stress test, in a worker process: what it gives is ready to be written, and nothing is raised."""

from __future__ import annotations

import os
import time
import traceback
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from variorum.errors import (
    DamagedInputError,
    EncryptedInputError,
    InputNotFoundError,
    PageRangeError,
    VariorumError,
)
from variorum.evaluation._debug_rows import cells_right
from variorum.evaluation.debug_db import PaperRows, rows_of_paper
from variorum.evaluation.ground_truth import TruthTable, compare_extraction
from variorum.evaluation.pairing import pair_tables, truths_read
from variorum.execution import WorkerLost
from variorum.extraction import extract, extract_evidence
from variorum.page.reader import load_library
from variorum.search.paper_reading import limit_memory
from variorum.tables.config import PipelineConfig

_BAD_INPUT = (DamagedInputError, EncryptedInputError, InputNotFoundError, PageRangeError)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadTask:
    """A PDF to read: the SHA-256 it must have, how it is read, its true tables, its limit of memory.

    `run_id` and `short_name` are those of its rows. With `isolated` pages are read in processes of their own, where a method
    that crashes or hangs costs its vote alone.
    """

    pdf: Path
    sha256: str
    config: PipelineConfig
    truths: tuple[TruthTable, ...]
    run_id: int
    short_name: str
    memory_mb: int
    isolated: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """What a reading took: seconds of processors, of this process and those it began, and of the clock."""

    cpu_seconds: float
    wall_seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperRead:
    """A paper that was read: its rows for the debug database, its document as JSON, the faults of single pages and steps."""

    rows: PaperRows
    document: bytes
    page_count: int
    cost: Cost


@dataclass(frozen=True, slots=True, kw_only=True)
class NotRead:
    """A paper that was not read: ``unreadable`` where its file is at fault, ``crash`` where variorum is, with the traceback."""

    status: Literal["unreadable", "crash"]
    reason: str
    traceback: str = ""
    cost: Cost | None = None


def read_evidence(task: ReadTask) -> PaperRead | NotRead:
    """Return all that was read of a paper, or why there is nothing; nothing is raised."""
    limit_memory(task.memory_mb)
    load_library()  # once a process, and not at the cost of its first paper
    start = _clocks()
    try:
        evidence = extract_evidence(task.pdf, config=task.config, isolated=task.isolated)
        document = evidence.document
        if document.sha256 != task.sha256:
            return NotRead(status="unreadable", reason="the file changed while it was read", cost=_cost_since(start))
        cost = _cost_since(start)
        rows = rows_of_paper(evidence, run_id=task.run_id, truths=task.truths, short_name=task.short_name)
        return PaperRead(rows=rows, document=document.to_json().encode(), page_count=document.page_count, cost=cost)
    except Exception as error:  # whatever it is, it costs this paper only
        return replace(_why(error, task.memory_mb), cost=_cost_since(start))


def _why(error: Exception, memory_mb: int) -> NotRead:
    if isinstance(error, _BAD_INPUT):
        return NotRead(status="unreadable", reason=error.what)
    trace = "".join(traceback.format_exception(error))
    if isinstance(error, MemoryError):
        return NotRead(status="crash", reason=f"needs more than {memory_mb} MB of memory", traceback=trace)
    reason = error.what if isinstance(error, VariorumError) else f"{type(error).__name__}: {error}"
    return NotRead(status="crash", reason=reason, traceback=trace)


def lost(loss: WorkerLost) -> NotRead:
    """Return what the loss of a worker says of the paper that it read."""
    how = f"{loss} ({loss.how})" if not loss.is_timeout else str(loss)
    return NotRead(status="crash", reason=how, traceback=f"last step: {loss.step}" if loss.step is not None else "")


def apart(task: ReadTask, loss: WorkerLost) -> ReadTask | None:
    """Return how a paper is read again whose process died or took too long: each method where it can be stopped alone."""
    return None if task.isolated else replace(task, isolated=True)


# ---- the named configurations ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class VariantRead:
    """How one configuration read the true tables of a paper: a row of `variant_results` each, without paper and name."""

    results: tuple[Mapping[str, object], ...]
    page_count: int
    cost: Cost


def read_variant(task: ReadTask) -> VariantRead | NotRead:
    """Return how the task's configuration read the true tables of a paper, or why it read nothing; nothing is raised."""
    limit_memory(task.memory_mb)
    load_library()  # once a process, and not at the cost of its first paper
    start = _clocks()
    try:
        document = extract(task.pdf, config=task.config, isolated=task.isolated)
        cost = _cost_since(start)
        truths = truths_read(task.truths, document)
        pairs = pair_tables(truths, document.tables)
        results = []
        for i, truth in enumerate(truths):
            table = document.tables[pairs[i]] if i in pairs else None
            found = compare_extraction(truth, TruthTable(table_id="", rows=()) if table is None else table)
            right, total = cells_right(truth, found)
            results.append(
                {
                    "table_id": table.id if table is not None else f"{truth.table_id or 'truth'}_missed_{i}",
                    "truth_id": truth.table_id,
                    "score_pct": found.score_pct,
                    "cell_accuracy_pct": found.cell_accuracy_pct,
                    "cells_right": right,
                    "cells_total": total,
                    "is_perfect": found.is_perfect,
                    "is_missed": table is None,
                }
            )
        return VariantRead(results=tuple(results), page_count=document.page_count, cost=cost)
    except Exception as error:
        return replace(_why(error, task.memory_mb), cost=_cost_since(start))


def _clocks() -> tuple[float, float]:
    spent = os.times()
    return spent.user + spent.system + spent.children_user + spent.children_system, time.monotonic()


def _cost_since(start: tuple[float, float]) -> Cost:
    now = _clocks()
    return Cost(cpu_seconds=now[0] - start[0], wall_seconds=now[1] - start[1])
