"""A run that may skip nothing fails when something is skipped, and says what."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SKIPPING_TEST = "import pytest\ndef test_x():\n    pytest.skip('no moon')\n"
SKIPPING_FILE = "import pytest\npytest.skip('no sun', allow_module_level=True)\n"
EXPECTED_FAILURE = "import pytest\n@pytest.mark.xfail\ndef test_x():\n    raise ValueError\n"
NEEDS_CORPUS = "import pytest\n@pytest.mark.corpus\ndef test_x():\n    pass\n"


def run(tmp_path: Path, code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the code as a test file under the project's conftest."""
    (tmp_path / "conftest.py").write_text((ROOT / "tests" / "conftest.py").read_text(encoding="utf-8"), encoding="utf-8")
    (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers = corpus: x\n", encoding="utf-8")
    (tmp_path / "test_planted.py").write_text(code, encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-rs", "-p", "no:cacheprovider", "-p", "no:randomly", str(tmp_path)]
    inherited = {k: v for k, v in os.environ.items() if k not in ("VARIORUM_NO_SKIPS", "VARIORUM_CORPUS", "PYTEST_ADDOPTS")}
    return subprocess.run(command, capture_output=True, text=True, check=False, env=inherited | environment, cwd=tmp_path)


@pytest.mark.parametrize(("code", "reason"), [(SKIPPING_TEST, "no moon"), (SKIPPING_FILE, "no sun")])
def test_skip_fails_only_where_nothing_may_skip(tmp_path: Path, code: str, reason: str) -> None:
    strict = run(tmp_path, code, VARIORUM_NO_SKIPS="1")
    assert strict.returncode not in (0, 5)
    assert reason in strict.stdout
    assert run(tmp_path, code).returncode in (0, 5)


def test_expected_failure_is_no_skip(tmp_path: Path) -> None:
    assert run(tmp_path, EXPECTED_FAILURE, VARIORUM_NO_SKIPS="1").returncode == 0


def test_missing_corpus_is_named_as_the_reason(tmp_path: Path) -> None:
    shown = run(tmp_path, NEEDS_CORPUS, VARIORUM_CORPUS=str(tmp_path / "absent")).stdout
    assert "no corpus of real papers at" in shown
    assert "VARIORUM_CORPUS=FOLDER" in shown
