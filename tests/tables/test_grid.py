"""From dividers to cells: what spans, what is one cell, and which row a label belongs to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from pictures import across, drawn, table, word, words_by_text

from variorum.document import Cell
from variorum.geometry import Box
from variorum.tables.cells.rawdict import Rawdict
from variorum.tables.cells.word_assignment import WordAssignment
from variorum.tables.grid import build_grid
from variorum.tables.model import BoundaryHypothesis, BoundaryPoint, CellGrid, TableContext


def dividers(ctx: TableContext, columns: Sequence[str], rows: Sequence[str]) -> BoundaryHypothesis:
    """Return dividers half-way between each word named and the next."""
    find = words_by_text(ctx.words)

    def points(names: Sequence[str], high: str, low: str) -> tuple[BoundaryPoint, ...]:
        words = [find(name) for name in names]
        middles = [(getattr(a.box, high) + getattr(b.box, low)) / 2 for a, b in zip(words, words[1:], strict=False)]  # noqa: RUF007
        return tuple(BoundaryPoint(m, m, 1.0, "by_hand") for m in middles)

    return BoundaryHypothesis(points(columns, "x1", "x0"), points(rows, "y1", "y0"), "by_hand")


def grid(picture: str, columns: str, rows: str, cell_method: type = Rawdict) -> CellGrid:
    """Return the grid of a drawing with dividers between the words of `columns` and `rows`, which name one in each."""
    ctx = table(picture)
    return build_grid(ctx, dividers(ctx, columns.split(), rows.split()), cell_method())


def cell(found: CellGrid, text: str) -> Cell:
    (one,) = [c for c in found.cells if c.text == text]
    return one


def place(found: CellGrid, text: str) -> tuple[int, int, int, int]:
    """Return row, column, and extent in rows and columns of the cell with this text."""
    one = cell(found, text)
    return (one.row, one.col, one.rowspan, one.colspan)


PLAIN = """
Drug      Dose    Effect
Alpha     12.5    0.81
Beta              0.64
"""


def test_every_text_stands_in_its_cell() -> None:
    found = grid(PLAIN, "Alpha 12.5 0.81", "Drug Alpha Beta")
    assert found.matrix() == [["Drug", "Dose", "Effect"], ["Alpha", "12.5", "0.81"], ["Beta", "", "0.64"]]
    assert all(c.rowspan == c.colspan == 1 for c in found.cells)
    assert (found.name, found.header_rows) == ("by_hand:rawdict", 0)


def test_edges_are_the_table_and_its_dividers() -> None:
    """24 characters wide, 3 lines high; between the columns 5 and 4 characters of white, between the lines 5 pt."""
    found = grid(PLAIN, "Alpha 12.5 0.81", "Drug Alpha Beta")
    assert found.col_edges == (60, 60 + 7.5 * 6, 60 + 16 * 6, 60 + 24 * 6)
    assert found.row_edges == (100, 100 + 13.5, 100 + 27.5, 100 + 42)


def test_box_of_a_cell_is_where_its_text_stands() -> None:
    assert cell(grid(PLAIN, "Alpha 12.5 0.81", "Drug Alpha Beta"), "12.5").bbox == Box(120, 116, 144, 125)


def test_empty_rows_and_columns_are_dropped() -> None:
    """Two dividers in one white: the column between them holds nothing."""
    ctx = table(PLAIN)
    cols = tuple(BoundaryPoint(x, x, 1.0, "by_hand") for x in (95, 115, 155))
    rows = tuple(BoundaryPoint(y, y, 1.0, "by_hand") for y in (112, 115, 127))
    found = build_grid(ctx, BoundaryHypothesis(cols, rows, "by_hand"), Rawdict())
    assert (found.n_rows, found.n_cols) == (3, 3)
    assert found.matrix()[1] == ["Alpha", "12.5", "0.81"]


def test_header_with_a_rule_under_it_spans_what_the_rule_does() -> None:
    """A short "Dose" over the left of its two columns: the rule, not the word, says how far it reaches."""
    picture = """
            Dose
            -------------
Drug        day     night    Effect
Alpha       12.5    7.0      0.81
Beta        3.2     1.1      0.64
"""
    found = grid(picture, "Alpha 12.5 7.0 0.81", "Dose Drug Alpha Beta")
    assert place(found, "Dose") == (0, 1, 1, 2)
    assert place(found, "day") == (1, 1, 1, 1)


def test_two_rules_side_by_side_make_two_spans() -> None:
    picture = """
            Dose             Effect
            -------------    ------------
Drug        day     night    day    night
Alpha       12.5    7.0      0.81   0.77
Beta        3.2     1.1      0.64   0.52
"""
    found = grid(picture, "Alpha 12.5 7.0 0.81 0.77", "Dose Drug Alpha Beta")
    assert [place(found, t) for t in ("Dose", "Effect")] == [(0, 1, 1, 2), (0, 3, 1, 2)]


@pytest.mark.parametrize("rule", ["", "--------------------------"], ids=["no rule", "rule below the head"])
def test_header_centred_over_columns_spans_them(rule: str) -> None:
    """ "Dose" stands over the first of the two, 18 pt off its middle, and in the middle of both."""
    picture = f"""
                 Dose
Drug        measured   day
{rule}
Alpha       12.5       7.0
Beta        3.2        1.1
"""
    assert place(grid(picture, "Alpha measured day", "Dose Drug Alpha Beta"), "Dose") == (0, 1, 1, 2)


def test_header_that_a_divider_would_cut_spans_both_columns() -> None:
    picture = """
            Dose per day
Drug        day     night
Alpha       12.5    7.0
Beta        3.2     1.1
"""
    assert place(grid(picture, "Alpha 12.5 7.0", "Dose Drug Alpha Beta"), "Dose per day") == (0, 1, 1, 2)


def test_label_longer_than_its_column_spans_nothing() -> None:
    """It reaches past the divider into white, but not over what the next column holds."""
    picture = """
Drug              Dose
Alpha             12.5
Beta and gamma     7.0
"""
    ctx = table(picture)
    low = BoundaryPoint(130, 130, 1.0, "by_hand")  # through the white between "and" and "gamma"
    rows = dividers(ctx, (), ("Drug", "Alpha", "Beta")).row_boundaries
    found = build_grid(ctx, BoundaryHypothesis((low,), rows, "by_hand"), Rawdict())
    assert place(found, "Beta and gamma") == (2, 0, 1, 1)


def test_missing_stretch_of_a_drawn_divider_joins_the_cells_across() -> None:
    picture = """
+---------+-------+--------+
| Drug    | Dose  | Effect |
+---------+-------+--------+
| Alpha   | 12.5  | 0.81   |
+---------+-------+--------+
| Beta      none  | 0.64   |
+---------+-------+--------+
| Gamma   | 3.2   | 0.17   |
+---------+-------+--------+
"""
    found = grid(picture.replace("Beta      none ", "Beta was lost  "), "Alpha 12.5 0.81", "Drug Alpha Beta Gamma")
    assert place(found, "Beta was lost") == (2, 0, 1, 2)
    assert place(found, "0.64") == (2, 2, 1, 1)


def test_missing_stretch_between_rows_joins_the_cells_down() -> None:
    picture = """
+---------+-------+--------+
| Drug    | Dose  | Effect |
+---------+-------+--------+
| Alpha   | 12.5  | 0.81   |
|         +-------+--------+
|         | 7.0   | 0.64   |
+---------+-------+--------+
"""
    found = grid(picture, "Alpha 12.5 0.81", "Drug 12.5 7.0")
    assert place(found, "Alpha") == (1, 0, 2, 1)
    assert place(found, "7.0") == (2, 1, 1, 1)


def test_table_with_few_rules_has_no_cells_joined_by_their_absence() -> None:
    """Booktabs: one rule below the head says nothing about the rows that have none."""
    picture = """
------------------------
Drug      Dose    Effect
------------------------
Alpha     12.5    0.81
Beta              0.64
------------------------
"""
    found = grid(picture, "Alpha 12.5 0.81", "Drug Alpha Beta")
    assert all(c.rowspan == c.colspan == 1 for c in found.cells)


def test_heading_of_a_panel_spans_all_columns() -> None:
    picture = """
Drug            Dose    Effect
Panel A: trials of last year
Alpha           12.5    0.81
Beta            7.0     0.64
"""
    found = grid(picture, "Alpha 12.5 0.81", "Drug Panel Alpha Beta")
    assert place(found, "Panel A: trials of last year") == (1, 0, 1, 3)


def test_label_alone_in_its_row_that_reaches_no_divider_spans_nothing() -> None:
    picture = """
Drug            Dose    Effect
Others
Alpha           12.5    0.81
Beta            7.0     0.64
"""
    assert place(grid(picture, "Alpha 12.5 0.81", "Drug Others Alpha Beta"), "Others") == (1, 0, 1, 1)


def test_label_centred_beside_two_rows_belongs_to_the_upper_and_spans_both() -> None:
    rows = drawn("          12.5    0.81\n          7.0     0.64\n          3.2     0.17", top=114)
    head, label, last = drawn("Drug      Dose    Effect"), drawn("Alpha", top=121), drawn("Beta", top=142)
    words = (*head.words, *rows.words, *label.words, *last.words)
    ctx = TableContext(Box(60, 100, 210, 156), words)
    found = build_grid(ctx, dividers(ctx, ("Alpha", "12.5", "0.81"), ("Drug", "12.5", "7.0", "3.2")), Rawdict())
    assert place(found, "Alpha") == (1, 0, 2, 1)
    assert place(found, "Beta") == (3, 0, 1, 1)
    assert [place(found, t)[:2] for t in ("12.5", "7.0", "3.2")] == [(1, 1), (2, 1), (3, 1)]


def test_labels_centred_beside_two_rows_stay_apart_where_rules_leave_them_out() -> None:
    """A rule below all columns but the first parts the pairs of rows; none is drawn within a pair."""
    rows = drawn("\n".join(f"          1{i}.5    0.8{i}" for i in range(6)), top=114)
    head = drawn("Drug      Dose    Effect")
    labels = [drawn(name, top=top) for name, top in (("Alpha", 121), ("Beta", 149), ("Gamma", 177))]
    ctx = TableContext(
        Box(60, 100, 210, 198),
        (*head.words, *rows.words, *(w for label in labels for w in label.words)),
        (across(114, 60, 210), across(142, 120, 210), across(170, 120, 210), across(198, 60, 210)),
    )
    found = build_grid(ctx, dividers(ctx, ("Alpha", "10.5", "0.80"), ("Drug", *(f"1{i}.5" for i in range(6)))), Rawdict())
    assert [place(found, name) for name in ("Alpha", "Beta", "Gamma")] == [(1, 0, 2, 1), (3, 0, 2, 1), (5, 0, 2, 1)]


def test_lines_of_one_cell_are_joined_and_hyphens_mended() -> None:
    picture = """
Drug            Dose
Alpha and its   12.5
compo-
nents
"""
    found = grid(picture, "Drug Dose", "Drug Alpha")
    assert cell(found, "Alpha and its components").row == 1


def test_glued_words_are_cut_by_characters_and_kept_whole_by_words() -> None:
    """ "7.012.5" is two numbers with 1 pt between them, and one word of the PDF."""
    ctx = table("Drug   aaa bbbb\nAlpha  7.0012.5")
    find = words_by_text(ctx.words)
    glued = find("7.0012.5")
    apart = tuple(
        c if i < 4 else type(c)(c.text, Box(c.box.x0 + 1, c.box.y0, c.box.x1 + 1, c.box.y1), c.baseline, c.size, c.font)
        for i, c in enumerate(glued.chars)
    )
    word = type(glued)(glued.text, Box(102, 116, 151, 125), glued.baseline, 10.0, "Courier", 0, 0, 1, apart)
    ctx = TableContext(ctx.bbox, tuple(word if w is glued else w for w in ctx.words))
    at = BoundaryPoint(126.5, 126.5, 1.0, "by_hand")
    assert [w.text for w in Rawdict().pieces(ctx, [at.position]) if w.line == 1] == ["Alpha", "7.00", "12.5"]
    assert [w.text for w in WordAssignment().pieces(ctx, [at.position]) if w.line == 1] == ["Alpha", "7.0012.5"]


def test_word_without_white_at_the_divider_is_never_cut() -> None:
    ctx = table("Measurements")
    assert [w.text for w in Rawdict().pieces(ctx, [60 + 4 * 6.0])] == ["Measurements"]


def crowded(last: tuple[str, str, str, str]) -> CellGrid:
    """Return the grid of centred columns 13 characters wide, one apart, whose last line is given."""
    rows = [("Full", "n+m", "k+m", "1"), ("Light", "n+y", "k+y", "3"), ("Old", "n+k", "k", "1"), ("New", "n", "k+z", "2"), last]
    ctx = table("\n".join(f"{a:<9}{b:^13} {c:^13} {d}" for a, b, c, d in rows))
    cols = tuple(BoundaryPoint(x, x, 1.0, "by_hand") for x in (60 + 6 * 8.5, 60 + 6 * 22.5, 60 + 6 * 36.5))
    lines = tuple(BoundaryPoint(y, y, 1.0, "by_hand") for y in (100 + 14 * k - 0.5 for k in range(1, len(rows))))
    return build_grid(ctx, BoundaryHypothesis(cols, lines, "by_hand"), Rawdict())


def test_texts_that_all_but_touch_stand_in_their_columns() -> None:
    """Both fill their columns: nothing but a word space is between them, and each stands in the middle as all others do."""
    last = ("Both", "log n + k + m", "log k + n + m", "1")
    assert crowded(last).matrix()[-1] == list(last)


def test_a_sentence_whose_gaps_meet_dividers_stays_whole() -> None:
    """One of its parts stands as no other text of the column does."""
    found = crowded(("Note", "all are of m", "nodes and of k", ""))
    assert place(found, "all are of m nodes and of k") == (4, 1, 1, 2)


def test_a_fraction_is_one_word_of_its_cell() -> None:
    """Read from left to right without its bar a half of PP is PP2."""
    ctx = table("Method   Bubble\nDual     (")
    parts = (word("PP", 120, 119, size=6), word("2", 121.8, 126, size=6), word("-", 128, 123), word("1)", 134, 123))
    ctx = replace(ctx, words=(*ctx.words, *parts), bbox=Box(60, 100, 160, 130), rules=(across(120.5, 120, 127.2),))
    column, row = BoundaryPoint(105, 105, 1.0, "by_hand"), BoundaryPoint(113, 113, 1.0, "by_hand")
    assert build_grid(ctx, BoundaryHypothesis((column,), (row,), "by_hand"), Rawdict()).matrix()[1] == ["Dual", "(PP/2-1)"]


@pytest.mark.parametrize("index", [True, False], ids=["with an index", "without"])
def test_head_between_vertical_rules_spans_what_is_between_them(index: bool) -> None:
    """An index so low that it is a line of its own belongs to the word that it touches."""
    picture = """
      |     Guess     |          Way of y
Name  | first  second | third  fourth  fifth  sixth
Alpha | 12.5   7.0    | 19.5   6.1     4.4    0.5
Beta  | 3.2    1.1    | 4.3    2.2     7.0    1.2
"""
    ctx = table(picture)
    if index:
        ctx = replace(ctx, words=(*ctx.words, word("k", 60 + 6 * 41, 113.5, size=4)))
    rows = dividers(ctx, (), ("Guess", "Name", "Alpha", "Beta")).row_boundaries
    columns = dividers(ctx, ("Name", "first", "second", "third", "fourth", "fifth", "sixth"), ()).col_boundaries
    found = build_grid(ctx, BoundaryHypothesis(columns, rows, "by_hand"), Rawdict())
    assert [(c.col, c.colspan) for c in found.cells if c.row == 0] == [(1, 2), (3, 4)]
