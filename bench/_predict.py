"""Read one document in a process of its own, in all the ways that bench.accuracy asks for (request on stdin, see `answer`)."""

from __future__ import annotations

import json
import sys
import time
import traceback
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar

if TYPE_CHECKING:
    from variorum.document import Table
    from variorum.extraction import PaperEvidence
    from variorum.tables.config import PipelineConfig

Result = TypeVar("Result")
LIBRARIES = ("pymupdf", "numpy", "pandas", "pdfplumber", "camelot")
WEIGHTS = ("out-of-fold", "shipped", "none")
Tables = list[dict[str, Any]]


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """Return the tables of one PDF in the referee's form.

    Of the request: `pdf`, `regions` (or null for end to end), `configs` (a choice for each), `weights`, and `is_whole`: then
    the first configuration's methods are held against each other, votes and elections side by side. With `debug_db`, `run_id`,
    `truth` and `name` its reading goes into that database.

    The answer has `choices` (by configuration or rival, see `rivals_of`) and `candidates` (``structure:cell``, the consensus
    of a strategy as ``consensus STRATEGY:cell``), each name -> tables; `completed`, for each structure method the ids of
    the tables on which it is silent on an axis, which the consensus completed; `cpu_s` of each configuration; and
    `failures`: what failed or, as the document's own notices say, was lost. A reading that fails has no tables.
    """
    import variorum

    for library in LIBRARIES:  # so that their import is not part of the first reading's seconds
        with suppress(ImportError):
            import_module(library)
    pdf, regions = request["pdf"], request["regions"]
    failures: list[dict[str, str]] = []
    cpu_s: dict[str, float] = {}
    out: dict[str, Any] = {"choices": {}, "candidates": {}, "completed": {}, "cpu_s": cpu_s, "failures": failures}
    if regions == []:  # nothing is graded in this document: there is nothing to read
        return out

    def attempt(name: str, work: Callable[[], Result]) -> Result | None:
        start = time.process_time()
        try:
            return work()
        except Exception as error:
            traceback.print_exc()
            failures.append({"reading": name, "error": f"{type(error).__name__}: {error}"})
            return None
        finally:
            cpu_s[name] = round(time.process_time() - start, 3)

    main, *others = request["configs"]
    measured = partial(multipliers_for, request["weights"], pdf)
    rivals: dict[str, PipelineConfig] = {}
    if request["is_whole"]:
        rivals = rivals_of(main, others, request["weights"], pdf)
        only: Literal["all", "tables"] = "all" if request.get("debug_db") else "tables"  # the database holds the text, too
        evidence = attempt(main, partial(_evidence, pdf, main, measured(), regions, rivals, only))
        if evidence is not None:
            shared = sum(r.cpu_s for t in evidence.tables for r in t.rivals.values())
            cpu_s[main] = round(cpu_s[main] - shared, 3)
            failures += _losses(main, evidence.document)
            out |= _side_by_side(main, evidence)
            if request.get("debug_db"):
                attempt("debug database", partial(_write, request, evidence))
    for config in request["configs"]:
        if config in rivals or config in out["choices"] or (config == main and request["is_whole"]):
            continue
        settings = _configured(config, measured())
        document = attempt(config, partial(variorum.extract, pdf, config=settings, regions=regions, jobs=1, only="tables"))
        out["choices"][config] = [] if document is None else _tables(document.tables)
        failures += [] if document is None else _losses(config, document)
    return out


def _losses(name: str, document: Any) -> list[dict[str, str]]:
    return [{"reading": name, "error": f"notice: {n.what}"} for n in document.notices if n.severity == "error"]


# ---- configurations ---------------------------------------------------------------------------------------------------


def multipliers_for(weights: str, pdf: str) -> Mapping[str, float]:
    """Return the measured multipliers for one document: those of all other papers, those that are shipped, or none."""
    from variorum.document.keys import file_sha256, paper_key
    from variorum.tables.weights import shipped_weights

    if weights == "none":
        return {}
    shipped = shipped_weights()
    return shipped.confidence_multipliers if weights == "shipped" else shipped.weights_without(paper_key(pdf, file_sha256(pdf)))


def _configured(name: str, measured: Mapping[str, float]) -> PipelineConfig:
    from variorum.tables.config import load_config
    from variorum.tables.weights import in_effect

    return in_effect(load_config(name), measured)


def rivals_of(main: str, others: Iterable[str], weights: str, pdf: str) -> dict[str, PipelineConfig]:
    """Return by name what decides, too, on what the methods of `main` said.

    Every other strategy of combination and of selection under its name, ``weights NAME`` for the other choices of weights, and
    those of the other configurations that ask the same methods about the same regions.
    """
    from variorum.tables.config import COMBINATION_STRATEGIES, SELECTION_STRATEGIES, load_config
    from variorum.tables.weights import in_effect

    base, measured = load_config(main), multipliers_for(weights, pdf)
    found = {
        **{s: in_effect(replace(base, combination_strategy=s), measured) for s in COMBINATION_STRATEGIES},
        **{s: in_effect(replace(base, selection_strategy=s), measured) for s in SELECTION_STRATEGIES},
        **{f"weights {w}": in_effect(base, multipliers_for(w, pdf)) for w in WEIGHTS if w != weights},
        **{name: _configured(name, measured) for name in others if _asks_the_same(load_config(name), base)},
    }
    return {n: c for n, c in found.items() if n not in (base.combination_strategy, base.selection_strategy)}


def _asks_the_same(one: PipelineConfig, other: PipelineConfig) -> bool:
    asked = ("structure_methods", "activation_rules", "region_proposers", "max_segments")
    return all(getattr(one, name) == getattr(other, name) for name in asked)


# ---- readings ---------------------------------------------------------------------------------------------------------


def _evidence(
    pdf: str, config: str, measured: Mapping[str, float], regions: Any, rivals: Any, only: Literal["all", "tables"]
) -> PaperEvidence:
    from variorum.extraction import extract_evidence

    settings = _configured(config, measured)
    return extract_evidence(pdf, config=settings, regions=regions, jobs=1, rivals=rivals, only=only)


def _tables(tables: Iterable[Table]) -> Tables:
    """Return the tables in the referee's form."""
    from variorum.document import Document
    from variorum.document.referee import to_referee

    shell = Document(key="bench", source_name="", sha256="", page_count=0, pages=(), tables=tuple(tables))
    found: Any = to_referee(shell)["tables"]
    return list(found)


def _side_by_side(main: str, evidence: PaperEvidence) -> dict[str, Any]:
    """Return choices, candidates and completed tables of one reading with its rivals."""
    from variorum.tables.combination import CONSENSUS
    from variorum.tables.config import SELECTION_STRATEGIES

    choices: dict[str, list[Table]] = {main: list(evidence.document.tables)}
    candidates: dict[str, list[Table]] = {}
    completed: dict[str, list[str]] = {}
    for whole, parts in zip(evidence.document.tables, evidence.by_table(), strict=True):
        chosen: dict[str, list[Table]] = {}
        stood: dict[str, list[Table]] = {}
        silent: dict[str, None] = {}
        for item in parts:
            apparatus = item.table.apparatus
            strategy = apparatus.combination_strategy if apparatus else ""
            for table in item.candidates:
                structure, _, cell = table.provenance.method.partition(":")
                name = f"{CONSENSUS} {strategy}:{cell}" if structure == CONSENSUS else f"{structure}:{cell}"
                stood.setdefault(name, []).append(table)
            for rival, reading in item.rivals.items():
                chosen.setdefault(rival, []).extend([reading.table] if reading.table else [])
                for table in reading.candidates:
                    structure, _, cell = table.provenance.method.partition(":")
                    if structure == CONSENSUS and rival not in SELECTION_STRATEGIES:  # those elect from the same consensus
                        stood.setdefault(f"{CONSENSUS} {rival}:{cell}", []).append(table)
            for hypothesis in item.result.boundary_hypotheses:
                if not (hypothesis.col_boundaries and hypothesis.row_boundaries):
                    silent[hypothesis.method] = None
        for found, tables_of in ((choices, chosen), (candidates, stood)):
            for name, tables in tables_of.items():
                found.setdefault(name, []).extend([_joined(tables, whole.id)] if tables else [])
        for method in silent:
            completed.setdefault(method, []).append(whole.id)
    return {
        "choices": {name: _tables(tables) for name, tables in choices.items()},
        "candidates": {name: _tables(tables) for name, tables in candidates.items()},
        "completed": completed,
    }


def _joined(parts: Sequence[Table], name: str) -> Table:
    """Return one reading of a table out of its readings of the parts; a part that it did not read is missing."""
    from variorum.tables.joining import joined

    return replace(joined(parts), id=name)


def _write(request: Mapping[str, Any], evidence: PaperEvidence) -> None:
    """Write one reading, compared with its truth, into the debug database."""
    from variorum.evaluation.debug_db import open_debug_db, write_paper
    from variorum.evaluation.ground_truth import load_truth

    connection = open_debug_db(request["debug_db"])
    try:
        truths = load_truth(request["truth"])
        write_paper(connection, evidence, run_id=request["run_id"], truths=truths, short_name=request["name"])
    finally:
        connection.close()


if __name__ == "__main__":
    asked = json.load(sys.stdin)
    Path(asked["answer"]).write_text(json.dumps(answer(asked)), encoding="utf-8")
