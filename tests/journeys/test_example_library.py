"""The library that ``make demo`` asks: three papers in a Zotero folder, from the folder to a passage, a table and a figure."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tools.example_library import ROOT
from variorum.search.retrieval import Searcher
from variorum.search.store import open_index


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *arguments], capture_output=True, text=True, cwd=ROOT, check=False)


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the index of the example library, made as ``make demo`` makes it, without vectors."""
    place = tmp_path_factory.mktemp("demo")
    made = run("tools/example_library.py", str(place / "Zotero"))
    assert made.returncode == 0, made.stderr
    options = ["--zotero", str(place / "Zotero"), "--index", str(place / "library.sqlite"), "--config", "fast", "--no-vectors"]
    indexed = run("-m", "variorum", "index", *options, "--json")
    assert indexed.returncode == 0, indexed.stderr
    assert json.loads(indexed.stdout)["indexed"] == 3
    return place / "library.sqlite"


def first(index: Path, *question: str) -> dict[str, Any]:
    """Return the first paper of an answer of the command."""
    answered = run("-m", "variorum", *question, "--index", str(index), "--json")
    assert answered.returncode == 0, answered.stderr
    paper: dict[str, Any] = json.loads(answered.stdout)["papers"][0]
    return paper


@pytest.mark.parametrize(
    ("question", "citation_key", "page_label", "number"),
    [
        (("search", "why does constant service time halve the wait?"), "variorum2026queue", "1", None),
        (("tables", "height of the noon sun by latitude"), "variorum2026daylight", "41", "1"),
        (("figures", "length of the day over the year"), "variorum2026daylight", "41", "1"),
    ],
)
def test_a_question_is_answered_with_the_citation_key_and_the_printed_page(
    index: Path, question: tuple[str, ...], citation_key: str, page_label: str, number: str | None
) -> None:
    paper = first(index, *question)
    hit = paper["hits"][0]
    assert paper["items"][0]["citation_key"] == citation_key
    assert (hit["page_label"], hit["number"]) == (page_label, number)
    assert hit["link"].startswith("zotero://open-pdf/library/items/")


def rows_of(index: Path, question: str) -> list[list[float]]:
    """Return the numbers of the first table that answers a question, row by row, without its headers."""
    with open_index(index) as opened:
        searcher = Searcher(opened)
        hit = searcher.search_tables(question).hits[0]
        assert hit.document is not None
        table = searcher.table(hit.document, hit.number or "")
    cells = {(cell.row, cell.col): cell.text for cell in table.cells if not cell.is_header}
    return [[float(cells[row, col]) for col in range(table.n_cols)] for row in sorted({row for row, _ in cells})]


def test_the_table_of_waits_says_what_the_formulas_of_its_paper_say(index: Path) -> None:
    rows = rows_of(index, "mean wait before service by load")
    assert len(rows) == 7
    for load, random, constant, stay in rows:
        assert random == pytest.approx(load / (1 - load), abs=0.051)
        assert constant == pytest.approx(load / (1 - load) / 2, abs=0.051)
        assert stay == pytest.approx(math.log(20) / (1 - load), abs=0.051)


def test_the_table_of_the_noon_sun_says_what_the_formulas_of_its_paper_say(index: Path) -> None:
    rows = rows_of(index, "height of the noon sun by latitude")
    assert len(rows) == 6
    for latitude, *heights, in_june, in_december in rows:
        assert heights == pytest.approx([90 - abs(latitude - d) for d in (0, 23.44, -23.44)], abs=0.051)
        for hours, declination in ((in_june, 23.44), (in_december, -23.44)):
            cosine = -math.tan(math.radians(latitude)) * math.tan(math.radians(declination))
            assert hours == pytest.approx(2 / 15 * math.degrees(math.acos(cosine)), abs=0.051)


def test_a_folder_that_the_script_did_not_make_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "own.txt").write_text("mine")
    refused = run("tools/example_library.py", str(tmp_path))
    assert refused.returncode == 1
    assert "To try: another folder" in refused.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["own.txt"]
