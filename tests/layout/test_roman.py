"""Roman numbers."""

from __future__ import annotations

import pytest

from variorum.layout.roman import roman, roman_value


@pytest.mark.parametrize(("text", "value"), [("i", 1), ("IV", 4), ("ix", 9), ("xiv", 14), ("XXXIX", 39), ("xlix", 49)])
def test_numbers_are_read_as_they_are_written(text: str, value: int) -> None:
    assert roman_value(text) == value
    assert roman(value) == text.casefold()


@pytest.mark.parametrize("text", ["", "iiii", "mix", "civil", "l", "12", "a"])
def test_other_texts_are_no_numbers(text: str) -> None:
    assert roman_value(text) is None
