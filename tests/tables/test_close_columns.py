"""Texts of neighbouring columns that stand as near to each other as words do."""

from __future__ import annotations

from pictures import table


def texts(picture: str) -> list[list[str]]:
    """Return the texts of each line of a drawing."""
    return [[s.text for s in line] for line in table(picture).segments]


def test_head_texts_of_two_columns_are_two_where_both_begin_with_their_columns() -> None:
    picture = """
Name       Strongly Total
Alpha      12       38
Beta       7        38
Gamma      3        37
"""
    assert texts(picture)[0] == ["Name", "Strongly", "Total"]


def test_head_over_two_columns_that_begins_with_neither_is_one_text() -> None:
    picture = """
Name         Strongly Total
Alpha      12       38
Beta       7        38
Gamma      3        37
"""
    assert texts(picture)[0] == ["Name", "Strongly Total"]


def test_words_of_one_column_are_one_text() -> None:
    picture = """
Name       Strongly agreed
Alpha      12
Beta       7
Gamma      3
"""
    assert texts(picture)[0] == ["Name", "Strongly agreed"]


def test_words_that_begin_where_other_lines_have_writing_across_are_one_text() -> None:
    """The third line runs through the place."""
    picture = """
Name       Strongly Total
Alpha      12       38
Beta       an entry runs on
Gamma      3        37
Delta      3        37
"""
    assert texts(picture)[0] == ["Name", "Strongly Total"]


def test_text_alone_on_its_line_is_one_text() -> None:
    """A heading of a panel, one of whose words happens to begin where a column does."""
    picture = """
Name       Strongly Total
Alpha      12       38
The second part
Beta       7        38
Gamma      3        37
"""
    assert texts(picture)[2] == ["The second part"]
