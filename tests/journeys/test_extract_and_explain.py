"""The main journey by the real command: a paper in, its tables and votes out, the same again, and why."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from journey_words import PACKAGE_PARENT, ROWS, Command, MakePdf


def files_in(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def test_default_writes_document_tables_and_report(command: Command, make_pdf: MakePdf, tmp_path: Path) -> None:
    make_pdf("paper.pdf", captions=["Table 1. Effects of the drugs.", ""])
    run = command("extract", "paper.pdf")
    assert (run.code, run.err) == (0, "")
    assert "paper.pdf: 1 table on 2 pages, written to paper.variorum" in run.out
    assert "4×3" in run.out
    assert "Effects of the drugs" in run.out
    assert f"report: paper.variorum{os.sep}report.html" in run.out
    assert set(files_in(tmp_path / "paper.variorum")) == {
        "document.html",
        "document.json",
        "document.md",
        "report.html",
        "tables/table-1.csv",
        "tables/table-1.html",
        "variorum-manifest.json",
    }


def test_every_format_and_the_cells_themselves(command: Command, make_pdf: MakePdf, tmp_path: Path) -> None:
    make_pdf("paper.pdf")
    run = command("extract", "paper.pdf", "-o", "out", "--format", "md,json,html,csv,xlsx,referee", "--json")
    assert (run.code, run.err) == (0, "")
    (result,) = json.loads(run.out)
    assert result["output"] == "out"
    assert sorted([*result["files"], "variorum-manifest.json"]) == sorted(files_in(tmp_path / "out"))
    (table,) = result["tables"]
    assert (table["number"], table["position"], table["page"], table["rows"], table["columns"]) == ("1", 1, 1, 4, 3)
    assert table["caption"] == "Table 1. Effects of the drugs."
    assert ":" in table["winner"]
    assert 0 <= table["agreement"] <= 1
    lines = (tmp_path / "out" / "tables" / "table-1.csv").read_text().splitlines()
    assert lines == [",".join(row) for row in ROWS]
    referee = json.loads((tmp_path / "out" / "referee.json").read_text())
    assert referee["tables"][0]["rows"] == [list(row) for row in ROWS]


def test_second_run_gives_the_same_bytes(command: Command, make_pdf: MakePdf, tmp_path: Path) -> None:
    make_pdf("paper.pdf")
    formats = "md,json,html,csv,xlsx,referee,report"
    assert command("extract", "paper.pdf", "--format", formats).code == 0
    first = files_in(tmp_path / "paper.variorum")
    assert command("extract", "paper.pdf", "--format", formats, "--quiet").out == ""
    assert files_in(tmp_path / "paper.variorum") == first


def test_folder_gives_a_result_folder_for_each_paper(command: Command, make_pdf: MakePdf, tmp_path: Path) -> None:
    make_pdf("papers/a.pdf")
    make_pdf("papers/sub/b.pdf")
    make_pdf("papers/storage/ABCD2345/b.pdf", captions=["Table 9. Another."])
    assert command("extract", "papers", "-o", "out", "--format", "csv").code == 0
    folders = sorted(path.name for path in (tmp_path / "out").iterdir())
    assert len(folders) == 3
    assert folders[0] == "a.variorum"
    assert "b-ABCD2345.variorum" in folders


def test_pages_choose_what_is_read(command: Command, make_pdf: MakePdf) -> None:
    make_pdf("paper.pdf", captions=["Table 1. First.", "Table 2. Second.", "Table 3. Third."])
    for ranges, numbers in (("2-", ["2", "3"]), (" 1 , 3", ["1", "3"])):
        run = command("extract", "paper.pdf", "--format", "csv", "--json", "--pages", ranges)
        assert run.code == 0, run.err
        assert [table["number"] for table in json.loads(run.out)[0]["tables"]] == numbers


def test_regions_choose_what_is_read(command: Command, make_pdf: MakePdf, tmp_path: Path) -> None:
    make_pdf("paper.pdf", captions=["Table 1. First.", "Table 2. Second."])
    (tmp_path / "regions.json").write_text('[{"page": 2, "bbox": [72, 160, 402, 232]}]')
    run = command("extract", "paper.pdf", "--format", "csv", "--json", "--regions", "regions.json")
    assert run.code == 0, run.err
    assert [table["page"] for table in json.loads(run.out)[0]["tables"]] == [2]


def test_table_that_is_gone_takes_its_files_along(command: Command, make_pdf: MakePdf, tmp_path: Path) -> None:
    make_pdf("paper.pdf", captions=["Table 1. First.", "Table 2. Second."])
    assert command("extract", "paper.pdf", "--format", "csv").code == 0
    (tmp_path / "paper.variorum" / "tables" / "mine.csv").write_text("mine")
    assert command("extract", "paper.pdf", "--format", "csv", "--pages", "2").code == 0
    names = sorted(path.name for path in (tmp_path / "paper.variorum" / "tables").iterdir())
    assert names == ["mine.csv", "table-2.csv"]


def test_explain_says_the_same_of_the_pdf_and_of_its_document(command: Command, make_pdf: MakePdf) -> None:
    make_pdf("paper.pdf")
    assert command("extract", "paper.pdf", "--format", "json").code == 0
    of_pdf = command("explain", "paper.pdf", "--table", "1")
    of_json = command("explain", "paper.variorum/document.json", "--table", "#1")
    assert (of_pdf.code, of_pdf.err) == (0, "")
    assert of_pdf.out == of_json.out
    assert "ruled_lines" in of_pdf.out
    divider = command("explain", "paper.variorum/document.json", "--table", "1", "--divider", "c1")
    assert divider.code == 0
    assert divider.out.startswith("divider c1")


@pytest.mark.parametrize("config", ["default", "fast", "ruled", "minimal"])
def test_named_configs_read_a_ruled_table(config: str, command: Command, make_pdf: MakePdf, tmp_path: Path) -> None:
    make_pdf("paper.pdf")
    run = command("extract", "paper.pdf", "--config", config, "--format", "csv")
    assert (run.code, run.err) == (0, "")
    lines = (tmp_path / "paper.variorum" / "tables" / "table-1.csv").read_text().splitlines()
    assert lines == [",".join(row) for row in ROWS]


def test_interrupted_run_leaves_no_half_file(make_pdf: MakePdf, tmp_path: Path) -> None:
    """Ctrl-C after the first of many papers: 130, one line, and every file there is whole."""
    for i in range(20):
        make_pdf(f"papers/{i:02}.pdf", captions=["Table 1. First."] * 3)
    process = subprocess.Popen(
        [sys.executable, "-m", "variorum.apps.cli.main", "extract", "papers", "-o", "out", "--format", "json,html,csv"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": PACKAGE_PARENT},
    )
    deadline = time.monotonic() + 120
    while not (tmp_path / "out" / "00.variorum" / "document.json").exists():
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < deadline
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    assert err == "variorum: interrupted; every file written so far is whole\n"
    written = [path for path in (tmp_path / "out").rglob("*") if path.is_file()]
    assert not [path.name for path in written if path.name.startswith(".")]
    for path in written:
        if path.suffix == ".json":
            json.loads(path.read_text())
        if path.suffix == ".html":
            assert path.read_text().rstrip().endswith("</html>") or path.parent.name == "tables"
