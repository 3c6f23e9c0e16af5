"""The same paper gives the same bytes: twice, with any number of processes, whatever the order of sets and of methods."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import pytest
from journey_words import PACKAGE_PARENT

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
PLAIN = """
import sys
from dataclasses import replace
import variorum
print(replace(variorum.extract(sys.argv[1]), config={}).to_json())
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


def written(pdf: Path, folder: Path, jobs: int, hash_seed: str) -> dict[str, str]:
    """Return the digest of every file that the command writes for the PDF."""
    arguments = ["extract", str(pdf), "-o", str(folder), "--format", FORMATS, "--jobs", str(jobs), "--quiet"]
    run(["-m", "variorum", *arguments], hash_seed)
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def assert_written_alike(pdf: Path, folder: Path) -> None:
    first = written(pdf, folder / "one", 1, "1")
    assert {Path(name).suffix for name in first} >= {".md", ".json", ".html", ".csv", ".xlsx"}
    assert written(pdf, folder / "again", 1, "2") == first
    assert written(pdf, folder / "four", 4, "3") == first


def test_all_files_are_the_same_twice_and_in_any_number_of_processes(tmp_path: Path) -> None:
    assert_written_alike(REPORT, tmp_path)


@pytest.mark.corpus
def test_all_files_of_a_real_paper_are_the_same(corpus: Path, tmp_path: Path) -> None:
    papers = [path for path in sorted(corpus.glob("papers/*/paper.pdf")) if (path.parent / "truth.json").exists()]
    assert_written_alike(min(papers or sorted(corpus.glob("papers/*/paper.pdf")), key=page_count), tmp_path)


def page_count(pdf: Path) -> int:
    from variorum.page.reader import PdfFile

    with PdfFile(pdf) as file:
        return file.page_count


def test_order_of_registry_and_configuration_changes_nothing() -> None:
    plain = run(["-c", PLAIN, str(REPORT)])
    assert '"candidates"' in plain
    for seed in ("1", "2"):
        assert run(["-c", SHUFFLED, str(REPORT), seed]) == plain


def test_every_method_has_its_place_in_the_written_order() -> None:
    names = [*structure_methods(), *cell_methods(), *post_processors()]
    assert sorted(ORDER) == sorted(names)
    assert in_order(reversed(names)) == ORDER
