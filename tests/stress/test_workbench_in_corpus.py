"""Papers that a user adds with the truth workbench are papers of the stress test, with their truth."""

from __future__ import annotations

from pathlib import Path

from variorum.evaluation.ground_truth import TruthTable
from variorum.evaluation.truth_text import TruthText, write_truth_text
from variorum.stress.corpus import StressPaper, papers_of_corpus, with_truths
from variorum.stress.truths import truth_for

TABLE = TruthTable(table_id="t", paper="mine", page=1, header_rows=(("a", "b"),), rows=(("1", "2"),))


def workbench(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, is_checked in (("table-1", True), ("table-2", False)):
        text = write_truth_text(TruthText(table=TABLE, is_checked=is_checked))
        (folder / f"{name}.truth.txt").write_text(text, encoding="utf-8")


def test_files_in_the_folder_of_a_paper_are_its_truth(tmp_path: Path) -> None:
    workbench(tmp_path / "mine")
    (tmp_path / "mine" / "paper.pdf").write_bytes(b"%PDF-1.4")
    (paper,) = papers_of_corpus(tmp_path).papers
    truth = truth_for(paper)
    assert truth is not None
    assert (paper.key, paper.truth, truth.tables) == ("mine", tmp_path / "mine", (TABLE,))


def test_a_folder_beside_a_pdf_is_its_truth(tmp_path: Path) -> None:
    workbench(tmp_path / "mine.truth")
    (tmp_path / "mine.pdf").write_bytes(b"%PDF-1.4")
    (paper,) = papers_of_corpus(tmp_path).papers
    truth = truth_for(paper)
    assert truth is not None
    assert (paper.key, truth.tables) == ("mine", (TABLE,))


def test_a_truth_json_comes_before_text_files(tmp_path: Path) -> None:
    workbench(tmp_path / "mine")
    for name, data in (("paper.pdf", b"%PDF-1.4"), ("truth.json", b"{}")):
        (tmp_path / "mine" / name).write_bytes(data)
    (paper,) = papers_of_corpus(tmp_path).papers
    assert paper.truth == tmp_path / "mine" / "truth.json"


def test_a_folder_of_the_workbench_is_the_truth_of_the_paper_that_it_is_called_by(tmp_path: Path) -> None:
    workbench(tmp_path / "truths" / "mine.truth")
    paper = StressPaper(key="papers/mine", short_name="mine", pdf=tmp_path / "paper.pdf", folder=tmp_path)
    (found,) = with_truths([paper], tmp_path / "truths")
    assert found.truth == tmp_path / "truths" / "mine.truth"
