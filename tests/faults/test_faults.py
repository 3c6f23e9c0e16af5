"""A method that fails, says what is no answer, takes its process with it or never answers costs its vote, and nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

import variorum
from variorum.document import Document, MethodOutcome, Table
from variorum.document.model import Notice
from variorum.errors import ConfigError
from variorum.tables.config import FAST_CONFIG, PipelineConfig
from variorum.tables.pipeline import Pipeline

PATIENCE_S = 12  # for a step that never answers; all others here take a few hundredths, more on a machine under load
HEAD = ("Drug", "Dose", "Effect")
HARMLESS = (HEAD, ("Alpha", "12.5", "0.81"), ("Beta", "7.0", "0.64"), ("Delta", "3.2", "0.17"))
MARKED = (HEAD, ("Alpha", "12.5", "0.81"), ("Beta", "7.0", "0.64"), ("Gamma", "3.2", "0.17"))


@pytest.fixture(scope="module")
def paper(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a PDF of two pages: two tables on the first, of which the upper one is marked, and one on the second."""
    import pymupdf

    path = tmp_path_factory.mktemp("faults") / "paper.pdf"
    pdf = pymupdf.open()
    number = 0
    for tables in ((MARKED, HARMLESS), (HARMLESS,)):
        page = pdf.new_page(width=595, height=842)
        for place, rows in enumerate(tables):
            number += 1
            top = 160 + 300 * place
            page.insert_text((72, top - 14), f"Table {number}. Effects of the drugs.", fontsize=10)
            for r, row in enumerate(rows):
                for c, text in enumerate(row):
                    page.insert_text((78 + c * 110, top + 13 + r * 18), text, fontsize=10)
            for r in range(len(rows) + 1):
                page.draw_line((72, top + r * 18), (72 + 330, top + r * 18), width=0.6)
            for c in range(len(HEAD) + 1):
                page.draw_line((72 + c * 110, top), (72 + c * 110, top + 18 * len(rows)), width=0.6)
    pdf.save(path)
    pdf.close()
    return path


def config_with(
    structure: str = "", cells: str = "", post: str = "", proposer: str = "", patience_s: int = 300
) -> PipelineConfig:
    """Return the configuration `fast` with one faulty method more."""

    def more(names: Sequence[str], name: str) -> tuple[str, ...]:
        return (*names, f"fault_methods:{name}") if name else tuple(names)

    return replace(
        FAST_CONFIG,
        structure_methods=more(FAST_CONFIG.structure_methods, structure),
        cell_methods=more(FAST_CONFIG.cell_methods, cells),
        post_processors=more(FAST_CONFIG.post_processors, post),
        region_proposers=more(FAST_CONFIG.region_proposers, proposer),
        max_step_seconds=patience_s,
    )


def read(paper: Path, config: PipelineConfig, *, isolated: bool) -> Document:
    return variorum.extract(paper, config=config, isolated=isolated)


def assert_all_tables_are_right(document: Document) -> None:
    assert [table.matrix() for table in document.tables] == [
        [list(row) for row in rows] for rows in (MARKED, HARMLESS, HARMLESS)
    ]
    assert Document.from_json(document.to_json()) == document


def outcomes(table: Table, name: str) -> list[MethodOutcome]:
    """Return what became of the method, alone or on the grids of others."""
    assert table.apparatus is not None
    return [o for o in table.apparatus.outcomes if name in o.method.split(":")]


FAILURES = [
    ("Raises", "LookupError: no such thing"),
    ("Leaves", "SystemExit: 3"),
    ("Recurses", "RecursionError: "),
    ("SaysNothingAtAll", "WrongAnswerError: returned a list of 3, no BoundaryHypothesis"),
    ("SaysWords", "WrongAnswerError: one of its dividers is no number"),
    ("SaysAMillion", "WrongAnswerError: returned 1,000,000 column dividers for a table of "),
    ("SpeaksAsAnother", "WrongAnswerError: one of its dividers speaks under another name: 'ruled_lines'"),
]


@pytest.mark.parametrize(("method", "detail"), FAILURES)
def test_failure_costs_the_vote_on_this_table_only(paper: Path, method: str, detail: str) -> None:
    document = read(paper, config_with(structure=method), isolated=False)
    assert_all_tables_are_right(document)
    marked, beside, behind = document.tables
    (outcome,) = outcomes(marked, "faulty")
    assert outcome.status == "failed"
    assert outcome.detail.startswith(detail)
    assert "Traceback" in outcome.traceback
    assert [o.status for t in (beside, behind) for o in outcomes(t, "faulty")] == ["voted", "voted"]
    assert document.incomplete == ()


@pytest.mark.parametrize("method", ["SaysNan", "SaysInfinite", "SaysNanConfidence", "SaysOutside"])
def test_places_that_are_none_are_refused_before_the_vote(paper: Path, method: str) -> None:
    document = read(paper, config_with(structure=method), isolated=False)
    assert_all_tables_are_right(document)
    apparatus = document.tables[0].apparatus
    assert apparatus is not None
    refused = [d for d in apparatus.dividers if d.reason == "refused" and d.votes[0].method == "faulty"]
    assert refused
    assert all(d.note for d in refused)


@pytest.mark.parametrize(
    ("method", "how"),
    [("Exits", "ended with code 7"), ("KillsItself", "killed by SIGKILL"), ("Segfaults", "killed by SIGSEGV")],
)
def test_method_that_takes_its_process_with_it_costs_its_vote_only(paper: Path, method: str, how: str) -> None:
    document = read(paper, config_with(structure=method), isolated=True)
    assert_all_tables_are_right(document)
    marked, beside, behind = document.tables
    (outcome,) = outcomes(marked, "faulty")
    assert (outcome.status, outcome.detail) == ("failed", f"its process was lost ({how})")
    assert [o.status for t in (beside, behind) for o in outcomes(t, "faulty")] == ["voted", "voted"]
    assert document.incomplete == ()


def test_method_that_never_answers_costs_its_vote_and_marks_the_document(paper: Path) -> None:
    document = read(paper, config_with(structure="Hangs", patience_s=PATIENCE_S), isolated=True)
    assert_all_tables_are_right(document)
    marked, beside, behind = document.tables
    (outcome,) = outcomes(marked, "faulty")
    assert (outcome.status, outcome.detail) == ("failed", f"timeout: no answer within {PATIENCE_S} s")
    assert [o.status for t in (beside, behind) for o in outcomes(t, "faulty")] == ["voted", "voted"]
    marks = [table.apparatus.incomplete for table in document.tables if table.apparatus]
    assert marks == [f"timeout: faulty: no answer within {PATIENCE_S} s", "", ""]
    assert len(document.incomplete) == 1
    assert document.incomplete[0].endswith(f"faulty: no answer within {PATIENCE_S} s")
    assert [n.page_num for n in document.notices if n.what.startswith("incomplete")] == [1]


@pytest.mark.parametrize("jobs", [1, 2])
def test_what_is_lost_does_not_depend_on_the_number_of_processes(paper: Path, jobs: int) -> None:
    config = config_with(structure="Exits")
    assert variorum.extract(paper, config=config, jobs=jobs, isolated=True) == read(paper, config, isolated=True)


@pytest.mark.parametrize(
    ("method", "detail"),
    [
        ("CellsRaise", "ZeroDivisionError: of cells"),
        ("CellsSayAMillion", "WrongAnswerError: returned 1,000,000 pieces of text"),
        ("CellsSayNothing", "WrongAnswerError: returned nothing, no tuple of words"),
    ],
)
def test_cell_method_that_fails_costs_its_grids_only(paper: Path, method: str, detail: str) -> None:
    document = read(paper, config_with(cells=method), isolated=False)
    assert_all_tables_are_right(document)
    lost = outcomes(document.tables[0], "faulty_cells")
    assert lost
    assert all(o.status == "failed" and o.detail.startswith(detail) for o in lost)


def test_cell_method_that_takes_its_process_with_it_costs_its_grids_only(paper: Path) -> None:
    document = read(paper, config_with(cells="CellsExit"), isolated=True)
    assert_all_tables_are_right(document)
    lost = outcomes(document.tables[0], "faulty_cells")
    assert lost
    assert all((o.status, o.detail) == ("failed", "its process was lost (ended with code 8)") for o in lost)


@pytest.mark.parametrize(("method", "isolated"), [("Overlaps", False), ("RepairExits", True)])
def test_repair_that_fails_leaves_the_grid_as_it_was(paper: Path, method: str, isolated: bool) -> None:
    document = read(paper, config_with(post=method), isolated=isolated)
    assert_all_tables_are_right(document)
    assert {o.status for o in outcomes(document.tables[0], "faulty_repair")} == {"failed"}


def notices(document: Document, page_num: int) -> list[Notice]:
    return [n for n in document.notices if n.page_num == page_num]


def test_region_proposer_that_proposes_too_much_is_not_heard(paper: Path) -> None:
    document = read(paper, config_with(proposer="propose_million"), isolated=False)
    assert_all_tables_are_right(document)
    assert "fault_methods:propose_million failed (ValueError: it proposes 1,000,000 tables" in notices(document, 1)[0].what


def test_region_proposer_that_takes_its_process_with_it_costs_its_proposals_only(paper: Path) -> None:
    document = read(paper, config_with(proposer="propose_exit"), isolated=True)
    assert_all_tables_are_right(document)
    (notice,) = notices(document, 1)
    assert notice.what.endswith("fault_methods:propose_exit was left out: its process was lost (ended with code 10)")


def test_region_proposer_that_never_answers_marks_the_document(paper: Path) -> None:
    document = read(paper, config_with(proposer="propose_hang", patience_s=PATIENCE_S), isolated=True)
    assert_all_tables_are_right(document)
    assert document.incomplete == (f"page 1: fault_methods:propose_hang: no answer within {PATIENCE_S} s",)


def test_method_that_is_none_is_refused_before_anything_is_read() -> None:
    with pytest.raises(ConfigError, match="no method of the name 'fault_methods:Missing'"):
        Pipeline(config_with(structure="Missing"))
