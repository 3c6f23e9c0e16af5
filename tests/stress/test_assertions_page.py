"""The page of assertions says what the kinds say, all of them and no others."""

from __future__ import annotations

from pathlib import Path

from variorum.stress.faults import FAULT_KINDS
from variorum.stress.kinds import KINDS

PAGE = "docs/reference/assertions.md"


def test_the_page_lists_every_kind_with_its_severity_and_what_it_asserts(project_root: Path) -> None:
    lines = (project_root / PAGE).read_text(encoding="utf-8").splitlines()
    rows = [line for line in lines if line.startswith("| ") and not line.startswith("| kind |")]
    assert sorted(rows) == sorted(f"| {kind.name} | {kind.severity} | {kind.asserts} |" for kind in (*FAULT_KINDS, *KINDS))
