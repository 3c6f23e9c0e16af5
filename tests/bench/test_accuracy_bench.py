"""The accuracy bench: peers as committed, figures that add up, failures that show."""

from __future__ import annotations

import json
from inspect import signature
from pathlib import Path
from typing import Any

import pytest

from bench import _predict, accuracy
from bench._candidates import oracle, readings_of
from bench._common import (
    PEERS,
    ChildFailedError,
    DataSet,
    ask_child,
    corpus_folder,
    default_target,
    load_data_sets,
    load_referee,
    text_table,
)
from bench._positional import POSITIONAL, Positional
from variorum import extraction
from variorum.document.keys import file_sha256, paper_key
from variorum.tables import pipeline
from variorum.tables.config import COMBINATION_STRATEGIES, DEFAULT_CONFIG, SELECTION_STRATEGIES
from variorum.tables.pipeline import Pipeline
from variorum.tables.weights import Weights

SUMMARY: dict[str, Any] = dict.fromkeys(accuracy.FIGURES, 0.5)


def result_with(adjacency: float) -> dict[str, Any]:
    """Return results of one choice with this adjacency F1."""
    return {"papers": {"end to end": {"figures": {"choice default": {**SUMMARY, "adj_F1": adjacency}}}}}


def test_peers_are_well_formed() -> None:
    peers = json.loads(PEERS.read_text(encoding="utf-8"))
    assert peers.pop("source")
    peers.pop("documents")
    assert set(peers) == {"papers", "icdar2013-eu"}
    for rows in peers.values():
        for peer in rows:
            figures = {k: v for k, v in peer.items() if k not in {"tool", "version", "setting", "predicted", "cpu_s"}}
            assert peer["tool"]
            assert set(figures) <= set(accuracy.FIGURES)
            assert all(0 <= value <= 1 for value in figures.values())


def test_best_cell_method_has_most_cells() -> None:
    scores = {
        "lines:rawdict": {"cell_F1": 0.5, "adj_F1": 0.9},
        "lines:words": {"cell_F1": 0.6, "adj_F1": 0.1},
        "text:rawdict": {"cell_F1": 0.4, "adj_F1": 0.2},
        "text:words": {"cell_F1": 0.4, "adj_F1": 0.2},
    }
    assert accuracy.best_cell_methods(scores) == {"lines": "lines:words", "text": "text:rawdict"}


def test_fall_within_tolerance_is_no_fall() -> None:
    assert accuracy.falls(result_with(0.5), result_with(0.5 - accuracy.TOLERANCE / 2)) == []
    assert accuracy.falls(result_with(0.5), result_with(0.9)) == []


def test_fall_beyond_tolerance_is_named() -> None:
    assert accuracy.falls(result_with(0.5), result_with(0.4)) == [
        "papers, end to end, choice default: adj_F1 fell from 0.5 to 0.4"
    ]


def test_figure_that_is_gone_is_a_fall() -> None:
    assert len(accuracy.falls(result_with(0.5), {})) == len(accuracy.RANKED)


def test_ci_part_is_every_third_graded_document() -> None:
    truth = {f"d{i}": {"variants": [[{"id": "t"}] if i != 1 else []]} for i in range(8)}
    data = DataSet("papers", truth, {name: Path(name) for name in truth})
    assert sorted(accuracy.chosen_documents(data, accuracy.parse(["--ci"])).truth) == ["d0", "d4", "d7"]


def test_quick_look_and_ci_overwrite_nothing() -> None:
    committed = Path("accuracy-ci.json")
    for part, asked, target in (
        (True, ["--docs", "2"], None),
        (False, ["--ci"], None),
        (False, ["--ci", "--accept"], committed),
    ):
        options = accuracy.parse(asked)
        assert default_target(options, is_part=part, committed=committed, whole="accuracy.json") == target


def test_document_that_crashes_is_counted_and_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    def crash(*_: object, **__: object) -> None:
        raise ChildFailedError("ended with code -11")

    monkeypatch.setattr(accuracy, "ask_child", crash)
    data = DataSet("papers", {"d": {"variants": [[]]}}, {"d": Path("d.pdf")})
    answers = accuracy.read_all(data, "end to end", accuracy.parse(["--ci"]))
    failures = [{"document": name, **f} for name, a in answers.items() for f in a["failures"]]
    result = {"documents": 1, "graded_tables": 0, "figures": {}, "failures": failures, "tables": []}
    text = accuracy.report({"papers": {"end to end": result}}, whole=False)
    assert text.endswith("failed readings: 1\n  papers, end to end: d: process: ended with code -11")


def test_child_that_dies_says_how() -> None:
    with pytest.raises(ChildFailedError, match="No module named"):
        ask_child("bench.no_such_module", {}, seconds=60)


def test_run_without_corpus_fails_in_ci_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in ([], ["--ci"]):
        with pytest.raises(SystemExit) as end:
            accuracy.main([*arguments, "--corpus", str(tmp_path)])
        assert end.value.code == 3
    assert "--corpus" in capsys.readouterr().err


def test_corpus_option_comes_before_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("mine", "theirs"):
        (tmp_path / name / "papers").mkdir(parents=True)
    monkeypatch.setenv("VARIORUM_CORPUS", str(tmp_path / "theirs"))
    assert corpus_folder() == (tmp_path / "theirs").resolve()
    assert corpus_folder(tmp_path / "mine") == (tmp_path / "mine").resolve()
    assert corpus_folder(tmp_path / "nowhere") is None


def test_text_table_lines_up() -> None:
    lines = text_table("title", ["a", "figure"], [("first", [1, 0.5]), ("second row", [None, 0.25])]).splitlines()
    assert lines[0] == "title"
    assert len({len(line) for line in lines[1:]}) == 1
    assert lines[-1].split() == ["second", "row", "-", "0.250"]


def test_no_figure_is_made_with_a_truth_at_hand() -> None:
    """No part of a reading takes a truth, and the child that reads hands none in: it knows one for the debug database only."""
    for reading in (extraction.extract, extraction.extract_evidence, Pipeline.__init__, Pipeline.extract, Pipeline.decide):
        assert not [name for name in signature(reading).parameters if "truth" in name]
    sources = [Path(module.__file__ or "").read_text(encoding="utf-8") for module in (accuracy, _predict, extraction, pipeline)]
    assert not [text for text in sources if "ground_truth_fn" in text]


def test_weights_of_a_paper_come_from_the_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pdf = tmp_path / "paper.pdf"
    pdf.write_bytes(b"a paper")
    key = paper_key(pdf, file_sha256(pdf))
    measured = Weights(confidence_multipliers={"ruled_lines": 0.5}, out_of_fold={key: {"ruled_lines": 0.25}})
    monkeypatch.setattr("variorum.tables.weights.shipped_weights", lambda: measured)
    factors = {name: dict(_predict.multipliers_for(name, str(pdf))) for name in _predict.WEIGHTS}
    assert factors == {"out-of-fold": {"ruled_lines": 0.25}, "shipped": {"ruled_lines": 0.5}, "none": {}}


def test_every_strategy_and_choice_of_weights_is_a_rival(tmp_path: Path) -> None:
    pdf = tmp_path / "paper.pdf"
    pdf.write_bytes(b"a paper")
    rivals = _predict.rivals_of("default", ["fast", "ruled"], "none", str(pdf))
    strategies = {*COMBINATION_STRATEGIES, *SELECTION_STRATEGIES}
    own = {DEFAULT_CONFIG.combination_strategy, DEFAULT_CONFIG.selection_strategy}
    assert set(rivals) == (strategies - own) | {"weights shipped", "weights out-of-fold", "ruled"}
    assert {c.combination_strategy for c in rivals.values()} == set(COMBINATION_STRATEGIES)


def test_debug_database_is_refused_where_no_candidates_are_read() -> None:
    with pytest.raises(SystemExit):
        accuracy.parse(["--ci", "--debug-db", "x.db"])


# ---- with the corpus ------------------------------------------------------------------------------------------------


def perfect_predictions(truth: Path) -> list[dict[str, Any]]:
    """Return the exact tables of a truth file in the form of predictions."""
    tables = [t for t in json.loads(truth.read_text(encoding="utf-8"))["tables"] if t["exact"]]
    predictions = []
    for table in tables:
        rows = [[""] * table["n_cols"] for _ in range(table["n_rows"])]
        for cell in table["cells"]:
            rows[cell["row"]][cell["col"]] = cell["text"]
        spans = [[c["row"], c["col"], c["rowspan"], c["colspan"]] for c in table["cells"] if c["rowspan"] * c["colspan"] > 1]
        predictions.append({"page": table["page"], "bbox": table["bbox"], "rows": rows, "spans": spans})
    return predictions


@pytest.fixture(scope="module")
def papers(corpus: Path) -> tuple[Any, DataSet]:
    """Return the referee and the papers."""
    referee = load_referee(corpus)
    return referee, load_data_sets(corpus, referee)[0]


@pytest.mark.corpus
def test_prediction_equal_to_truth_scores_one(papers: tuple[Any, DataSet]) -> None:
    referee, data = papers
    tables = {name: perfect_predictions(pdf.with_name("truth.json")) for name, pdf in data.pdfs.items()}
    summary = accuracy.figures(accuracy.score(referee, data, tables))
    assert {summary[name] for name in accuracy.FIGURES if name != "predicted"} == {1.0}


@pytest.mark.corpus
def test_oracle_takes_the_best_of_each_table(papers: tuple[Any, DataSet]) -> None:
    referee, data = papers
    name = next(n for n in data.graded() if len(data.truth[n]["variants"][0]) > 1)
    truth = perfect_predictions(data.pdfs[name].with_name("truth.json"))
    halves = {"first": {name: truth[:1]}, "rest": {name: truth[1:]}, "nothing": {name: []}}
    readings = readings_of(referee, data.only([name]), halves)
    tables = oracle(readings)
    assert sorted(map(str, tables[name])) == sorted(map(str, truth))
    best = [found[0] for key in readings.cells if (found := readings.best(key))]
    assert best == ["first"] + ["rest"] * (len(truth) - 1)


@pytest.mark.corpus
def test_prediction_equal_to_truth_has_grits_and_teds_of_one(papers: tuple[Any, DataSet]) -> None:
    referee, data = papers
    data = data.only(data.graded()[:4])
    tables = {name: perfect_predictions(pdf.with_name("truth.json")) for name, pdf in data.pdfs.items()}
    readings = readings_of(referee, data, {"perfect": tables, "nothing": {}})
    means = Positional(data).means(readings, "perfect")
    assert means == dict.fromkeys(POSITIONAL, 1.0)
    assert Positional(data).means(readings, "nothing") == dict.fromkeys(POSITIONAL, 0.0)


@pytest.mark.corpus
def test_every_document_has_its_pdf(corpus: Path) -> None:
    data_sets = load_data_sets(corpus, load_referee(corpus))
    assert [data.name for data in data_sets] == ["papers", "icdar2013-eu"]
    assert all(pdf.is_file() for data in data_sets for pdf in data.pdfs.values())
    assert all(data.regions(name) for data in data_sets for name in data.graded())


@pytest.mark.corpus
def test_grits_and_teds_of_nearly_right_tables_are_below_one(papers: tuple[Any, DataSet]) -> None:
    referee, data = papers
    data = data.only(data.graded()[:2])
    tables = {name: perfect_predictions(pdf.with_name("truth.json")) for name, pdf in data.pdfs.items()}
    for table in (t for found in tables.values() for t in found):
        table["rows"] = table["rows"][:-1]
        table["spans"] = [s for s in table["spans"] if s[0] + s[2] <= len(table["rows"])]
    means = Positional(data).means(readings_of(referee, data, {"short": tables}), "short")
    assert all(0.5 < value < 1.0 for value in means.values())
