"""Claims about numbers as they are printed: what cannot be counted with is no number, and never an error."""

from __future__ import annotations

import pytest

from variorum.layout.whole_numbers import whole_number


@pytest.mark.parametrize(("printed", "value"), [("0", 0), ("12", 12), ("007", 7), ("٣", 3)])
def test_decimal_digits_are_a_number(printed: str, value: int) -> None:
    assert whole_number(printed) == value


@pytest.mark.parametrize("printed", ["", "²", "1¹", "-1", "1.5", "IV", "9" * 5000], ids=lambda p: p[:8])
def test_what_cannot_be_counted_with_is_none(printed: str) -> None:
    assert whole_number(printed) is None
