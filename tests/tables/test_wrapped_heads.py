"""Which lines above the rule below the head are one row."""

from __future__ import annotations

from pictures import table

from variorum.tables.rows import row_groups


def rows(picture: str) -> list[list[int]]:
    """Return the lines of each row of a drawing."""
    return [list(g.lines) for g in row_groups(table(picture))]


WRAPPED_BODY = """
Alpha     Estimate of the dose        Low
Beta      Estimate of the dose that   High
          works
Gamma     Estimate of the effect      Low
-----------------------------------------
"""


def test_head_wrapped_as_the_body_is_one_row() -> None:
    picture = f"""
-----------------------------------------
                                      Dose
Name      Purpose of it               class
-----------------------------------------{WRAPPED_BODY}"""
    assert rows(picture)[0] == [0, 1]


def test_head_that_ends_on_several_lines_is_one_row_when_all_begin_on_the_first() -> None:
    picture = f"""
-----------------------------------------
Name      Purpose of it               Dose
                                      class
-----------------------------------------{WRAPPED_BODY}"""
    assert rows(picture)[0] == [0, 1]


def test_head_lines_above_a_body_without_wrapped_cells_are_rows() -> None:
    picture = """
-----------------------------------------
                                      Dose
Name      Purpose of it               class
-----------------------------------------
Alpha     Estimate of the dose        Low
Beta      Estimate of the effect      High
-----------------------------------------
"""
    assert rows(picture)[:2] == [[0], [1]]


def test_labels_under_labels_in_every_column_are_rows() -> None:
    picture = f"""
-----------------------------------------
(1)       (2)                         (3)
Name      Purpose of it               Class
-----------------------------------------{WRAPPED_BODY}"""
    assert rows(picture)[:2] == [[0], [1]]


def test_head_over_several_columns_makes_its_line_a_row() -> None:
    picture = f"""
-----------------------------------------
                 What was asked
Name      Purpose of it               class
-----------------------------------------{WRAPPED_BODY}"""
    assert rows(picture)[:2] == [[0], [1]]


def test_text_that_would_have_fitted_on_the_line_above_is_of_another_row() -> None:
    picture = f"""
-----------------------------------------
          Purpose
Name      Aim                         Class
-----------------------------------------{WRAPPED_BODY}"""
    assert rows(picture)[:2] == [[0], [1]]


def test_texts_that_fill_other_columns_line_by_line_are_rows() -> None:
    picture = f"""
-----------------------------------------
Name                                  Dose
          Purpose of it               class
-----------------------------------------{WRAPPED_BODY}"""
    assert rows(picture)[:2] == [[0], [1]]
