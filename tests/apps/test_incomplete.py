"""A document for which a method gave no answer in time says so in the summary and in the exit code."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import variorum.extraction
from variorum.apps.cli.main import main
from variorum.errors import PartialFailureError

REPORT = Path(__file__).resolve().parents[2] / "examples" / "technical-report" / "report.pdf"
LATE = ("page 2: the table at (1, 2, 3, 4): slow: no answer within 300 s",)


@pytest.mark.parametrize(("incomplete", "code"), [((), 0), (LATE, PartialFailureError.exit_code)])
def test_summary_and_exit_code_say_that_something_is_missing(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    incomplete: tuple[str, ...],
    code: int,
) -> None:
    document = replace(variorum.extract(REPORT, config="fast", pages=2), incomplete=incomplete)

    def extract(*_: Any, **__: Any) -> Any:
        return document

    monkeypatch.setattr(variorum.extraction, "extract", extract)
    assert main(["extract", str(REPORT), "-o", str(tmp_path / "out"), "--format", "json", "--json"]) == code
    (summary,) = json.loads(capsys.readouterr().out)
    assert summary["incomplete"] == list(incomplete)
    written = json.loads((tmp_path / "out" / "document.json").read_text(encoding="utf-8"))
    assert written["incomplete"] == list(incomplete)
