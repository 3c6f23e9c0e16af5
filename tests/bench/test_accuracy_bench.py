"""The accuracy bench: peers as committed, figures that add up, failures that show."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from bench import accuracy
from bench._common import PEERS, ChildFailedError, DataSet, ask_child, corpus_folder, load_data_sets, load_referee, text_table

SUMMARY: dict[str, Any] = dict.fromkeys(accuracy.FIGURES, 0.5)


def result_with(adjacency: float) -> dict[str, Any]:
    """Return results of one choice with this adjacency F1."""
    return {"papers": {"end to end": {"figures": {"choice default": {**SUMMARY, "adj_F1": adjacency}}}}}


def test_peers_are_well_formed() -> None:
    peers = json.loads(PEERS.read_text(encoding="utf-8"))
    assert peers.pop("source")
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
    assert accuracy._default_target(accuracy.parse(["--docs", "2"]), part=True, committed=committed) is None
    assert accuracy._default_target(accuracy.parse(["--ci"]), part=False, committed=committed) is None
    assert accuracy._default_target(accuracy.parse(["--ci", "--accept"]), part=False, committed=committed) == committed


def test_document_that_crashes_is_counted_and_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    def crash(*_: object, **__: object) -> None:
        raise ChildFailedError("ended with code -11")

    monkeypatch.setattr(accuracy, "ask_child", crash)
    data = DataSet("papers", {"d": {"variants": [[]]}}, {"d": Path("d.pdf")})
    answers = accuracy.read_all(data, "end to end", configs=["default"], candidates_of=None, jobs=1)
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
    tables, winners = accuracy.oracle(referee, data.only([name]), halves)
    assert sorted(map(str, tables[name])) == sorted(map(str, truth))
    assert [winner for winner, _ in winners.values()] == ["first"] + ["rest"] * (len(truth) - 1)


@pytest.mark.corpus
def test_every_document_has_its_pdf(corpus: Path) -> None:
    data_sets = load_data_sets(corpus, load_referee(corpus))
    assert [data.name for data in data_sets] == ["papers", "icdar2013-eu"]
    assert all(pdf.is_file() for data in data_sets for pdf in data.pdfs.values())
    assert all(data.regions(name) for data in data_sets for name in data.graded())
