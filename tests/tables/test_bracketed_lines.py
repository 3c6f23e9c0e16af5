"""Numbers in brackets below numbers: rows of their own, or the second lines of cells."""

from __future__ import annotations

from pictures import table

from variorum.tables.rows import row_groups


def rows(picture: str) -> list[list[int]]:
    """Return the lines of each row of a drawing."""
    return [list(g.lines) for g in row_groups(table(picture))]


def test_brackets_beside_a_label_that_goes_on_are_second_lines_of_their_cells() -> None:
    picture = """
                      Poor     Good     Total
---------------------------------------------
Introduction to the   2        35       37
methods               (5%)     (95%)
Classification by a   4        34       38
neural network with   (11%)    (89%)
examples
Monitoring of your    0        38       38
process               (0%)     (100%)
---------------------------------------------
"""
    assert rows(picture) == [[0], [1, 2], [3, 4, 5], [6, 7]]


def test_brackets_without_a_label_are_a_row() -> None:
    """The standard error below a coefficient."""
    picture = """
                      Model 1  Model 2
--------------------------------------
Age of the person     0.31     0.35
                      (0.05)   (0.04)
Income                0.22     0.27
                      (0.11)   (0.12)
--------------------------------------
"""
    assert rows(picture) == [[0], [1], [2], [3], [4]]


def test_brackets_beside_labels_of_their_own_are_rows() -> None:
    """Those labels would have fitted on the line above."""
    picture = """
                      Poor     Good     Total
---------------------------------------------
Introduction to the   2        35       37
Share                 (5%)     (95%)
Classification        4        34       38
Share                 (11%)    (89%)
---------------------------------------------
"""
    assert rows(picture) == [[0], [1], [2], [3], [4]]


def test_brackets_are_rows_where_no_label_runs_on_below_them() -> None:
    """Labels as wide as their column, one a line."""
    picture = """
                      Poor     Good     Total
---------------------------------------------
Introduction, persons 2        35       37
Introduction, shares  (5%)     (95%)
Classification, heads 4        34       38
Classification, share (11%)    (89%)
---------------------------------------------
"""
    assert rows(picture) == [[0], [1], [2], [3], [4]]


def test_brackets_below_brackets_are_rows() -> None:
    picture = """
                      Poor     Good     Total
---------------------------------------------
Introduction to the   2        35       37
methods               (5%)     (95%)
Classification by a   (4%)     (34%)
neural network with   (11%)    (89%)
examples
---------------------------------------------
"""
    assert [3, 4] not in [group[:2] for group in rows(picture)]
