"""The literal check finds what the rule forbids and lets pass what it allows."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools import check_literals
from variorum import thresholds

FORBIDDEN = [
    "if ratio > 2.0:\n    pass",
    "if fill < 0.55:\n    pass",
    "if len(rows) < 6:\n    pass",
    "def close(a, b, tolerance=5): ...",
    "MIN_GAP = 3.5",
    "gap = -3",
    "limit = 2 * median if gap > 2 * median else 0",
    "wide = gap >= height ** 2",
    "for i in range(5):\n    pass",
    "share = total / 4",
    "share = float('0.3')",
    "most = len('abcdefgh')",
    "share = Fraction('3/10')",
    "size = 1 + 2",
    "share = 1 / 4",
    "cut(gap, factor=1.5)",
    "weights = {'ruled_lines': 3.0}",
    "x = row[0.5]",
    "x = round(value, 2) * 3",
]
ALLOWED = [
    "x = rows[0] + rows[-1]",
    "x = bbox[3]; y = digest[:8]",
    "if len(rows) < 2:\n    pass",
    "middle = (a + b) / 2",
    "middle = (a + b) / 2.0",
    "half = 1 / 2",
    "if 2 * part > whole:\n    pass",
    "if gap > height / 2:\n    pass",
    "if gap > max(2 * half_line(row), 0):\n    pass",
    "x = round(value, 3)",
    "text = f'{value:6.3f}'",
    "kind: Literal[0, 90, 180, 270] = turn",
    "is_there = True",
    "x = -1.0",
    "from variorum.thresholds import SPLIT_MERGE_SPAN\nif span > SPLIT_MERGE_SPAN:\n    pass",
    "bare = name[len('prefix') :]",
    "n = int(text)",
    "n = float('inf')",
]


def findings(tmp_path: Path, code: str) -> list[check_literals.Finding]:
    """Return what the check says about the code."""
    path = tmp_path / "planted.py"
    path.write_text(code + "\n", encoding="utf-8")
    return check_literals.findings_in(path)


@pytest.mark.parametrize("code", FORBIDDEN)
def test_planted_literal_is_found(tmp_path: Path, code: str) -> None:
    assert findings(tmp_path, code)


@pytest.mark.parametrize("code", ALLOWED)
def test_index_step_and_half_pass(tmp_path: Path, code: str) -> None:
    assert not findings(tmp_path, code)


def test_finding_names_file_and_line(tmp_path: Path) -> None:
    (found,) = findings(tmp_path, "a = 0\nb = 0.55")
    assert str(found).endswith("planted.py:2: 0.55: not computed from the page and not in the registry")


def test_planted_literal_fails_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "planted.py").write_text("limit = 0.55\n", encoding="utf-8")
    assert check_literals.main([str(tmp_path)]) == 1
    assert "1 literals outside it" in capsys.readouterr().out


def test_rise_of_the_count_needs_a_note() -> None:
    assert not check_literals.count_faults(4, "# note\n4  the first\n")
    assert not check_literals.count_faults(3, "4  the first\n")
    assert "grew from 4 to 5" in check_literals.count_faults(5, "4  the first\n")[0]
    assert check_literals.count_faults(4, "4\n")
    assert check_literals.count_faults(1, "")


def test_registry_is_sound() -> None:
    assert check_literals.registry_faults() == []


def test_founding_numbers_are_registered() -> None:
    values = {name: entry.value for name, entry in thresholds.registry().items()}
    assert values["GARBLED_WORD_LENGTH"] == 25
    assert values["HEADER_SIMILARITY"] == pytest.approx(0.8)
    assert values["SPLIT_MERGE_SPAN"] == 3
    assert values["WEIGHT_FLOOR"] == pytest.approx(0.1)
