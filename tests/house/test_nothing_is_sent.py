"""What variorum uses tells nobody that it is used, and leaves nothing in the home folder."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

EXAMPLE = Path(__file__).parents[2] / "examples" / "technical-report" / "report.pdf"


def test_reading_a_paper_leaves_nothing_in_the_home_folder(tmp_path: Path) -> None:
    """The layout model runs on onnxruntime, which would write an id of the machine there, to send it along with events."""
    reading = f"import variorum; variorum.extract({str(EXAMPLE)!r}, pages=[1]); import onnxruntime"
    home = {"HOME": str(tmp_path), "USERPROFILE": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    variables = {name: value for name, value in os.environ.items() if name != "ORT_DISABLE_TELEMETRY"}
    subprocess.run([sys.executable, "-c", reading], env={**variables, **home}, check=True, cwd=tmp_path)
    assert list(tmp_path.rglob("*")) == []
