"""One document read in all the ways that the accuracy bench asks for, on the example paper."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bench._predict import answer
from variorum.evaluation.debug_db import begin_run, open_debug_db
from variorum.extraction import PaperEvidence, extract_evidence
from variorum.tables.config import COMBINATION_STRATEGIES, SELECTION_STRATEGIES, PipelineConfig, load_config

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "technical-report"
PDF = str(EXAMPLE / "report.pdf")
CONFIG = "fast"


# ---- rivals ---------------------------------------------------------------------------------------------------------


def rivals() -> dict[str, PipelineConfig]:
    config = load_config(CONFIG)
    fewer = replace(config, structure_methods=config.structure_methods[1:])
    return {"same": config, "fewer": fewer, "median": replace(config, combination_strategy="median_votes")}


@pytest.fixture(scope="module")
def evidence() -> PaperEvidence:
    return extract_evidence(PDF, config=CONFIG, rivals=rivals())


def test_rival_of_the_same_configuration_decides_the_same(evidence: PaperEvidence) -> None:
    assert evidence.tables
    for item in evidence.tables:
        rival = item.rivals["same"]
        assert rival.table is not None
        assert rival.table.cells == item.table.cells
        assert [(t.provenance.method, t.cells) for t in rival.candidates] == [
            (t.provenance.method, t.cells) for t in item.candidates
        ]


def test_rival_hears_only_the_methods_that_it_has(evidence: PaperEvidence) -> None:
    gone = load_config(CONFIG).structure_methods[0]
    names = {t.provenance.method.partition(":")[0] for item in evidence.tables for t in item.rivals["fewer"].candidates}
    assert names
    assert gone not in names


def test_rivals_in_other_processes_decide_the_same(evidence: PaperEvidence) -> None:
    parallel = extract_evidence(PDF, config=CONFIG, rivals=rivals(), jobs=2)
    for one, other in zip(evidence.tables, parallel.tables, strict=True):
        assert {n: r.table for n, r in one.rivals.items()} == {n: r.table for n, r in other.rivals.items()}


# ---- the answer -----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("debug") / "debug.db"


@pytest.fixture(scope="module")
def whole(database: Path) -> dict[str, Any]:
    """Return the answer with rivals, written into a debug database."""
    with closing(open_debug_db(database)) as connection:
        run_id = begin_run(connection, "test")
    request = {"pdf": PDF, "regions": None, "configs": [CONFIG, "minimal"], "weights": "none", "is_whole": True}
    debug = {"debug_db": str(database), "run_id": run_id, "truth": str(EXAMPLE / "truth.json"), "name": "report"}
    return answer({**request, **debug})


@pytest.fixture
def connection(whole: dict[str, Any], database: Path) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(database)) as opened:
        yield opened


def test_every_strategy_has_its_choice(whole: dict[str, Any]) -> None:
    config = load_config(CONFIG)
    strategies = {*COMBINATION_STRATEGIES, *SELECTION_STRATEGIES} - {config.combination_strategy, config.selection_strategy}
    assert set(whole["choices"]) == {CONFIG, "minimal", "weights shipped", "weights out-of-fold", *strategies}
    assert whole["failures"] == []
    assert set(whole["cpu_s"]) == {CONFIG, "minimal", "debug database"}


def test_candidates_are_single_methods_and_each_consensus(whole: dict[str, Any]) -> None:
    config = load_config(CONFIG)
    structures = {name.partition(":")[0] for name in whole["candidates"]}
    single = {s for s in structures if not s.startswith("consensus")}
    assert single <= set(config.structure_methods)
    assert structures - single >= {f"consensus {s}" for s in COMBINATION_STRATEGIES}
    assert not [s for s in structures if s.removeprefix("consensus ") in SELECTION_STRATEGIES]


def test_method_of_rows_alone_is_completed_on_every_table(whole: dict[str, Any]) -> None:
    ids = [table["table_id"] for table in whole["choices"][CONFIG]]
    assert whole["completed"]["baseline_rows"] == ids


def test_choice_alone_is_that_of_the_whole_answer(whole: dict[str, Any]) -> None:
    request = {"pdf": PDF, "regions": None, "configs": [CONFIG], "weights": "none", "is_whole": False}
    alone = answer(request)
    assert alone["choices"] == {CONFIG: whole["choices"][CONFIG]}
    assert alone["candidates"] == {}


def test_debug_database_holds_the_reading_and_its_truth(connection: sqlite3.Connection) -> None:
    tables = connection.execute("SELECT COUNT(*) FROM extracted_tables").fetchone()[0]
    compared = connection.execute("SELECT COUNT(*) FROM ground_truth_diffs").fetchone()[0]
    assert connection.execute("SELECT short_name FROM papers").fetchall() == [("report",)]
    assert tables > 0
    assert compared >= tables


def test_document_without_graded_tables_is_not_read() -> None:
    request = {"pdf": "missing.pdf", "regions": [], "configs": [CONFIG], "weights": "none", "is_whole": True}
    assert answer(request)["failures"] == []


def test_failed_reading_is_told_and_has_no_tables(tmp_path: Path) -> None:
    (tmp_path / "x.pdf").write_bytes(b"no pdf at all")
    request = {"pdf": str(tmp_path / "x.pdf"), "regions": None, "configs": [CONFIG], "weights": "none", "is_whole": False}
    found = answer(request)
    assert found["choices"] == {CONFIG: []}
    assert [failure["reading"] for failure in found["failures"]] == [CONFIG]
