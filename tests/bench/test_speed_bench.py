"""The speed bench: a fixed sample, and figures that print."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from bench import speed
from bench._common import ask_child


def test_import_of_variorum_loads_no_heavy_library() -> None:
    assert ask_child("bench._measure", {"question": "heavy_modules", "help": False}, seconds=60) == []


def test_sample_is_every_third_in_order(tmp_path: Path) -> None:
    for i in range(10):
        (tmp_path / "papers" / f"p{i}").mkdir(parents=True)
        (tmp_path / "papers" / f"p{i}" / "paper.pdf").touch()
    assert [p.parent.name for p in speed.sample(tmp_path, ci=False)] == ["p0", "p3", "p6", "p9"]
    assert [p.parent.name for p in speed.sample(tmp_path, ci=True)] == ["p0", "p9"]
    assert len(speed.sample(tmp_path, ci=False, full=True)) == 10


def test_report_prints_ratios_and_names_heavy_libraries() -> None:
    seconds = {"find_tables": 2.0, "pymupdf4llm": 2.0, "fast": 1.0, "default": 6.0}
    result: dict[str, Any] = {
        "extract": {
            "pages": 4,
            "documents": 2,
            "cpu_s": seconds,
            "ratio": {n: s / 2 for n, s in seconds.items()},
            "peak_mb": seconds,
        },
        "memory": {
            "document": "p/paper.pdf",
            "pages": 9,
            "fast": {"imports_mb": 1.0, "peak_mb": 2.0},
            "default": {"imports_mb": 1.0, "peak_mb": 2.0},
        },
        "import": {
            "runs": 3,
            "cpu_s": dict.fromkeys(speed.PROGRAMS, 0.1),
            "ratio": dict.fromkeys(speed.PROGRAMS, 1.0),
            "heavy_modules": {"import variorum": ["pandas"], "variorum --help": []},
        },
    }
    lines = speed.report(result).splitlines()
    assert next(line for line in lines if "config default" in line).split()[-3:] == ["6.000", "3.000", "6.000"]
    assert next(line for line in lines if line.startswith("import variorum")).endswith("pandas")


def test_profile_prints_the_dearest_step_first_and_the_sum() -> None:
    found = {"documents": 1, "pages": 2, "fast": {"a": 0.2}, "default": {"a": 0.2, "b": 0.4}}
    lines = [line.split() for line in speed.profile_table(found).splitlines()]
    assert [line for line in lines if line and line[0] in ("a", "b", "all")] == [
        ["b", "0.000", "200.000"],
        ["a", "100.000", "100.000"],
        ["all", "100.000", "300.000"],
    ]
