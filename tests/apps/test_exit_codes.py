"""The documented exit codes are those of the exception family and of the command, no more and no fewer."""

from __future__ import annotations

import re
from pathlib import Path

from variorum import errors
from variorum.apps.cli.console import CLOSED_PIPE_EXIT_CODE, INTERRUPTED_EXIT_CODE

PAGE = Path(__file__).resolve().parents[2] / "docs" / "reference" / "exit-codes.md"
SUCCESS, BUG = 0, 1
WITHOUT_ERROR = {SUCCESS, BUG, INTERRUPTED_EXIT_CODE, CLOSED_PIPE_EXIT_CODE}


def documented() -> list[tuple[int, str | None]]:
    """Return (code, name of the error or None) of every row of the page."""
    rows = re.findall(r"^\| (\d+) \| (?:`(\w+)`|–) \| \S.* \|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    return [(int(code), name or None) for code, name in rows]


def family() -> set[tuple[int, str | None]]:
    """Return (code, name) of every error that is raised; the base itself stands for none of them."""
    members = [cls for cls in vars(errors).values() if isinstance(cls, type) and issubclass(cls, errors.VariorumError)]
    return {(cls.exit_code, cls.__name__) for cls in members if cls is not errors.VariorumError}


def test_page_and_family_agree() -> None:
    assert {row for row in documented() if row[1] is not None} == family()


def test_codes_without_an_error_are_documented_once() -> None:
    assert sorted(code for code, name in documented() if name is None) == sorted(WITHOUT_ERROR)


def test_no_code_of_an_error_means_something_else() -> None:
    assert {code for code, name in family()} & WITHOUT_ERROR == set()


def test_base_of_the_family_is_an_internal_failure() -> None:
    assert errors.VariorumError.exit_code == BUG
