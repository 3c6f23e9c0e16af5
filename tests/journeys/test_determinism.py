"""The same paper gives the same bytes: twice in a row, with one process or two, whatever the order of Python's sets."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path

from journey_words import PACKAGE_PARENT

REPORT = Path(__file__).resolve().parents[2] / "examples" / "technical-report" / "report.pdf"
PROGRAM = """
import sys
import variorum

if __name__ == "__main__":
    report, jobs, times = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    for _ in range(times):
        print(variorum.extract(report, jobs=jobs).to_json())
        print("----")
"""


def documents(program: Path, hash_seed: str, *, jobs: int, times: int) -> list[str]:
    """Return the JSON of each extraction, in a process of its own."""
    done = subprocess.run(
        [sys.executable, str(program), str(REPORT), str(jobs), str(times)],
        capture_output=True,
        text=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONPATH": PACKAGE_PARENT, "PYTHONHASHSEED": hash_seed, "PYTHONIOENCODING": "utf-8"},
        check=True,
        timeout=300,
    )
    assert done.stderr == ""
    return done.stdout.split("----\n")[:-1]


def test_same_bytes_twice_in_a_row_and_in_any_number_of_processes(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    first, again = documents(program, "1", jobs=1, times=2)
    (parallel,) = documents(program, "2", jobs=2, times=1)
    assert '"tables"' in first
    digests = {hashlib.sha256(text.encode()).hexdigest() for text in (first, again, parallel)}
    assert len(digests) == 1
