"""No assertion without a test that plants its fault: one that cannot fail says nothing."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from variorum.stress.kinds import KINDS

HERE = Path(__file__).resolve().parent


def planted() -> Iterator[str]:
    """Yield the kinds whose faults are planted, by the decorators in the tests of kinds."""
    for path in sorted(HERE.glob("test_kinds_of_*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "plants":
                yield from (value.value for value in node.args if isinstance(value, ast.Constant))


def test_the_fault_of_every_kind_is_planted() -> None:
    assert {kind.name for kind in KINDS} == set(planted())


def test_kinds_have_names_of_their_own_and_say_what_they_assert() -> None:
    assert [name for name, count in Counter(kind.name for kind in KINDS).items() if count > 1] == []
    assert all(kind.asserts.endswith(".") and len(kind.asserts) < 128 for kind in KINDS)
