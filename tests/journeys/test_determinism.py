"""The same paper gives the same bytes: twice, with any number of processes, whatever the order of sets and of methods."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from journey_words import PACKAGE_PARENT

from variorum.document import Document
from variorum.tables.registry import ORDER, cell_methods, in_order, post_processors, structure_methods

REPORT = Path(__file__).resolve().parents[2] / "examples" / "technical-report" / "report.pdf"
FORMATS = "md,json,html,csv,xlsx,referee,report"

SHUFFLED = """
import random
import sys
from dataclasses import replace
import variorum
from variorum.tables import config, pipeline, registry

order = random.Random(int(sys.argv[2]))

def shuffled(names):
    return tuple(order.sample(list(names), len(names)))

def shuffle_registry(name):
    known = getattr(registry, name)()
    mixed = {key: known[key] for key in shuffled(known)}
    for module in (registry, pipeline):
        setattr(module, name, lambda: mixed)

for name in ("structure_methods", "cell_methods", "post_processors"):
    shuffle_registry(name)
settings = replace(
    config.DEFAULT_CONFIG,
    structure_methods=shuffled(config.DEFAULT_CONFIG.structure_methods),
    cell_methods=shuffled(config.DEFAULT_CONFIG.cell_methods),
    post_processors=shuffled(config.DEFAULT_CONFIG.post_processors),
    region_proposers=shuffled(config.DEFAULT_CONFIG.region_proposers),
)
print(replace(variorum.extract(sys.argv[1], config=settings), config={}).to_json())
"""


def run(arguments: list[str], hash_seed: str = "0") -> str:
    """Return what a run of Python prints, in a process of its own."""
    done = subprocess.run(
        [sys.executable, *arguments],
        capture_output=True,
        text=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONPATH": PACKAGE_PARENT, "PYTHONHASHSEED": hash_seed, "PYTHONIOENCODING": "utf-8"},
        check=True,
        timeout=600,
    )
    return done.stdout


def written(pdf: Path, folder: Path, jobs: int, hash_seed: str, pages: str = "1-") -> dict[str, str]:
    """Return the digest of every file that the command writes for the PDF."""
    arguments = ["extract", str(pdf), "-o", str(folder), "--format", FORMATS, "--jobs", str(jobs), "--pages", pages, "--quiet"]
    run(["-m", "variorum", *arguments], hash_seed)
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


@dataclass(frozen=True, slots=True)
class Reading:
    """The folder of the report's first reading, and the digests of its files."""

    folder: Path
    files: dict[str, str]


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> Reading:
    """Return the report as one process read it; what the other readings are held against."""
    folder = tmp_path_factory.mktemp("first") / "one"
    return Reading(folder, written(REPORT, folder, 1, "1"))


def test_all_files_are_the_same_twice_and_in_any_number_of_processes(first: Reading, tmp_path: Path) -> None:
    assert {Path(name).suffix for name in first.files} >= {".md", ".json", ".html", ".csv", ".xlsx"}
    assert written(REPORT, tmp_path / "again", 1, "2") == first.files
    assert written(REPORT, tmp_path / "four", 4, "3") == first.files


@pytest.mark.corpus
def test_all_files_of_a_real_paper_are_the_same(corpus: Path, tmp_path: Path) -> None:
    """Of the shortest paper with tables, from the first of them on, a page for each of the four processes."""
    truths = {path: path.parent / "truth.json" for path in sorted(corpus.glob("papers/*/paper.pdf"))}
    paper = min((path for path, truth in truths.items() if truth.exists()), key=page_count)
    tables = [table["page"] for table in json.loads(truths[paper].read_text(encoding="utf-8"))["tables"]]
    start = max(1, min(*tables, page_count(paper) - 3))
    pages = f"{start}-{min(start + 3, page_count(paper))}"
    one = written(paper, tmp_path / "one", 1, "1", pages)
    assert any(name.endswith(".csv") for name in one)
    assert written(paper, tmp_path / "four", 4, "2", pages) == one


def page_count(pdf: Path) -> int:
    from variorum.page.reader import PdfFile

    with PdfFile(pdf) as file:
        return file.page_count


def test_order_of_registry_and_configuration_changes_nothing(first: Reading) -> None:
    document = Document.from_json((first.folder / "document.json").read_text(encoding="utf-8"))
    plain = replace(document, config={}).to_json()
    assert '"candidates"' in plain
    for seed in ("1", "2"):
        assert run(["-c", SHUFFLED, str(REPORT), seed]) == plain + "\n"


def test_every_method_has_its_place_in_the_written_order() -> None:
    names = [*structure_methods(), *cell_methods(), *post_processors()]
    assert sorted(ORDER) == sorted(names)
    assert in_order(reversed(names)) == ORDER
