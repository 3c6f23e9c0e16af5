"""Ctrl-C while several processes read: it reaches all of them, and one line comes back."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from journey_words import PACKAGE_PARENT, MakePdf


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_interrupted_jobs_end_with_one_line(jobs: str, make_pdf: MakePdf, tmp_path: Path) -> None:
    for i in range(8):
        make_pdf(f"papers/{i}.pdf", captions=["Table 1. First.", "Table 2. Second.", "Table 3. Third.", "Table 4. Fourth."])
    process = subprocess.Popen(
        [sys.executable, "-m", "variorum.apps.cli.main", "extract", "papers", "-o", "out", "--format", "json", "--jobs", jobs],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": PACKAGE_PARENT},
        start_new_session=True,
    )
    deadline = time.monotonic() + 120
    while not (tmp_path / "out" / "0.variorum" / "document.json").exists():
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < deadline
        time.sleep(0.01)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does it: to the command and its workers
    _, err = process.communicate(timeout=30)  # returns when nobody holds the pipes any more: no worker is left
    assert (process.returncode, err) == (130, "variorum: interrupted; every file written so far is whole\n")
