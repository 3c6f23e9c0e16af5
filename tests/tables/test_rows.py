"""Which lines of writing begin a row."""

from __future__ import annotations

from dataclasses import replace

import pytest
from pictures import drawn, table

from variorum.geometry import Box
from variorum.page.model import Word
from variorum.tables.model import TableContext
from variorum.tables.rows import full_rule_positions, is_number_like, read_rows, row_groups


def rows(picture: str) -> list[list[int]]:
    """Return the lines of each row of a drawing."""
    return [list(g.lines) for g in row_groups(table(picture))]


def test_each_line_is_a_row() -> None:
    assert rows("Drug    Dose\nAlpha   12.5\nBeta    7.0") == [[0], [1], [2]]


def test_line_that_goes_on_with_one_cell_joins_the_row_above() -> None:
    picture = """
Drug                      Dose    Effect
Alpha                     12.5    0.81
The second of the two     7.0     0.64
drugs
Gamma                     3.2     0.17
"""
    assert rows(picture) == [[0], [1], [2, 3], [4]]


def test_numbers_below_numbers_are_never_joined() -> None:
    picture = """
Drug      Dose    Effect
Alpha     12.5    0.81
          7.0
Gamma     3.2     0.17
"""
    assert rows(picture) == [[0], [1], [2], [3]]


def test_word_that_would_have_fitted_above_begins_a_row() -> None:
    """The column is as wide as "The second of the two": after "Alpha" there was room for "Beta"."""
    picture = """
The second of the two     7.0     0.64
Alpha                     12.5    0.81
Beta
Gamma                     3.2     0.17
"""
    assert rows(picture) == [[0], [1], [2], [3]]


def test_rule_between_two_lines_parts_them() -> None:
    picture = """
Drug                      Dose    Effect
The second of the two     7.0     0.64
----------------------------------------
drugs
Gamma                     3.2     0.17
"""
    assert rows(picture) == [[0], [1], [2], [3]]


def test_line_that_fills_another_column_begins_a_row() -> None:
    picture = """
The second of the two     7.0
drugs                             0.64
Gamma                     3.2     0.17
"""
    assert rows(picture) == [[0], [1], [2]]


def test_lines_between_two_rules_are_one_row() -> None:
    picture = """
+------------------+------------------+
| Stage            | Symptom          |
+------------------+------------------+
| Evidence of the  | Rows were missed |
| first kind       | or merged        |
+------------------+------------------+
| Vote             | Dividers ran     |
|                  | through words of |
|                  | other columns    |
+------------------+------------------+
"""
    reading = read_rows(table(picture))
    assert [list(g.lines) for g in reading.groups] == [[0], [1, 2], [3, 4, 5]]
    assert reading.ruled_throughout


def test_rules_that_close_groups_of_rows_close_no_row() -> None:
    """Numbers stand below numbers between two rules: several rows, and the rules do not speak for the axis."""
    picture = """
------------------------
Drug      Dose    Effect
------------------------
Alpha     12.5    0.81
Beta      7.0     0.64
------------------------
Gamma     3.2     0.17
Delta     1.1     0.03
------------------------
"""
    reading = read_rows(table(picture))
    assert [list(g.lines) for g in reading.groups] == [[0], [1], [2], [3], [4]]
    assert not reading.ruled_throughout


def test_label_beside_two_rows_begins_none() -> None:
    body = drawn("          12.5    0.81\n          7.0     0.64", top=114)
    words = (*drawn("Drug      Dose    Effect").words, *body.words, *drawn("Alpha", top=121).words)
    reading = read_rows(TableContext(Box(60, 100, 210, 156), words))
    assert reading.anchored == (0, 1, 3)
    assert len(reading.groups) == 3


def test_full_row_in_the_middle_of_a_wrapped_cell_is_a_row_with_its_lines() -> None:
    """The last cell of the third row has two lines, and the other cells stand at their middle."""
    upper = drawn(
        "Drug      Dose    Made of\n-------------------------------\nAlpha     12.5    one part\nBeta      7.0     two parts or"
    )
    wrapped, beside = drawn("                  of no parts;"), drawn("Gamma     3.2")
    step = upper.words[-1].baseline - upper.words[5].baseline
    below = upper.words[-1].baseline + 14 - wrapped.words[0].baseline
    moved = [_lowered(w, below) for w in wrapped.words]
    moved += [_lowered(w, below + 7) for w in beside.words]
    moved += [_lowered(w, below + 14) for w in wrapped.words]
    last = [_lowered(w, 3 * 14) for w in upper.words[-5:]]
    assert step == 14
    ctx = TableContext(Box(60, 100, 260, 220), (*upper.words, *moved, *last), upper.rules)
    assert [list(g.lines) for g in row_groups(ctx)] == [[0], [1], [2], [3, 4, 5], [6]]


def _lowered(item: Word, by: float) -> Word:
    box = replace(item.box, y0=item.box.y0 + by, y1=item.box.y1 + by)
    chars = tuple(
        replace(c, box=replace(c.box, y0=c.box.y0 + by, y1=c.box.y1 + by), baseline=c.baseline + by) for c in item.chars
    )
    return replace(item, box=box, baseline=item.baseline + by, chars=chars)


def test_small_letters_say_nothing_where_all_entries_begin_so() -> None:
    picture = """
A of all       the first of its kind in the whole book
B              the second of its kind
C of the i     the third of its kind and the last one
k from all     the least of its kind
D              the fifth of its kind
"""
    assert rows(picture) == [[0], [1], [2], [3], [4]]


def test_lines_that_go_on_in_every_cell_join_the_row_above() -> None:
    picture = """
Alpha of all       The first of its kind in the book
trials held        of the whole year
Beta               The second of its kind
Gamma              The third of its kind
"""
    assert rows(picture) == [[0, 1], [2], [3]]


def test_centred_heading_in_another_face_begins_a_row() -> None:
    picture = "Drug      Dose    Effect\nAlpha     12.5    0.81\n         Women\nBeta      7.0     0.64\nGamma     3.2     0.17"
    ctx = table(picture)
    bold = tuple(replace(w, font="Courier-Bold") if w.text == "Women" else w for w in ctx.words)
    assert [list(g.lines) for g in row_groups(replace(ctx, words=bold))] == [[0], [1], [2], [3], [4]]


def test_every_line_is_in_exactly_one_row() -> None:
    picture = "Drug   Dose\nThe second of two   7.0\ndrugs\n\nGamma   3.2\n---\nNote"
    ctx = table(picture)
    lines = sorted(i for g in row_groups(ctx) for i in g.lines)
    assert lines == list(range(len(ctx.text_rows)))


def test_table_without_words_has_no_rows() -> None:
    assert row_groups(TableContext(Box(0, 0, 10, 10), ())) == ()


@pytest.mark.parametrize("text", ["7", "12.5", "-3", "(0.81)", "1,234", "12 mg", "p<.001", "1e5", "3a"])
def test_mostly_digits_are_number_like(text: str) -> None:
    assert is_number_like(text)


@pytest.mark.parametrize("text", ["", "Alpha", "Table 3", "n/a", "\u2014", "beta2 blockers"])
def test_mostly_letters_are_not(text: str) -> None:
    assert not is_number_like(text)


def test_rule_counts_as_full_when_its_pieces_cover_more_than_half() -> None:
    """Words from 60 to 240: two pieces of 8 characters are 96 pt of 180; one is 48."""
    assert len(full_rule_positions(table("--------   --------\nDrug                      Dose"))) == 1
    assert full_rule_positions(table("--------\nDrug                      Dose")) == []
