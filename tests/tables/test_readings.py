"""Whole tables read by the methods that need words and rules only: what people mean by how they set a table."""

from __future__ import annotations

from pictures import rows_of, table

from variorum.tables.config import DEFAULT_CONFIG
from variorum.tables.model import CellGrid
from variorum.tables.pipeline import Pipeline


def read(picture: str) -> CellGrid:
    grid = Pipeline(DEFAULT_CONFIG).extract(table(picture)).grid
    assert grid is not None
    return grid


def spans(grid: CellGrid) -> dict[str, tuple[int, int, int, int]]:
    """Return row, column, rowspan and colspan of the cells that span, by text."""
    return {c.text: (c.row, c.col, c.rowspan, c.colspan) for c in grid.cells if c.rowspan > 1 or c.colspan > 1}


JUSTIFIED = """
-----------------------------------------------
Run      Description of it all         Score
-----------------------------------------------
One      alpha    and    beta    and   0.91
         gamma with delta and some
Two      alpha    and    beta    and   0.82
         omega
Three    alpha with beta but no rest   0.73
-----------------------------------------------
"""


def test_stretched_lines_of_a_justified_cell_are_one_text() -> None:
    assert list(rows_of(read(JUSTIFIED).matrix())) == [
        "Run | Description of it all | Score",
        "One | alpha and beta and gamma with delta and some | 0.91",
        "Two | alpha and beta and omega | 0.82",
        "Three | alpha with beta but no rest | 0.73",
    ]


EVEN = """
A    B    C    D
1    2    3    4
5    6    7    8
9
"""


def test_evenly_set_columns_stay_columns() -> None:
    assert list(rows_of(read(EVEN).matrix()))[:2] == ["A | B | C | D", "1 | 2 | 3 | 4"]


RULED_HEADS = """
+---------------+---------------+
|Left           |Right          |
+-------+-------+-------+-------+
|one    |two    |three  |four   |
+-------+-------+-------+-------+
|1.5    |2.5    |3.5    |4.5    |
+-------+-------+-------+-------+
"""


def test_heads_end_where_a_vertical_rule_is_drawn() -> None:
    assert spans(read(RULED_HEADS)) == {"Left": (0, 0, 1, 2), "Right": (0, 2, 1, 2)}


REPEATED = """
-----------------------------------------
             One             Two
Name      mean     sd     mean     sd
-----------------------------------------
Alpha      1.5    0.2      2.5    0.3
Beta       1.7    0.1      2.7    0.4
-----------------------------------------
"""


def test_heads_stand_over_whole_groups_of_repeated_labels() -> None:
    grid = read(REPEATED)
    assert all(place[3] in {1, 2} for place in spans(grid).values())
    assert [c.text for c in grid.cells if c.row == 1] == ["Name", "mean", "sd", "mean", "sd"]


GROUPS = """
---------------------
n    s      Rate
---------------------
     5      0.97
5    10     0.93
     25     0.85

     5      0.94
10   10     0.91
     25     0.79
---------------------
"""


def test_label_in_the_middle_of_a_group_parted_by_white_spans_it() -> None:
    assert spans(read(GROUPS)) == {"5": (1, 0, 3, 1), "10": (4, 0, 3, 1)}


TOP_LABELS = """
---------------------
n    s      Rate
---------------------
5    5      0.97
     10     0.93
     25     0.85

10   5      0.94
     10     0.91
     25     0.79
---------------------
"""


def test_label_in_the_first_row_of_a_group_spans_nothing() -> None:
    assert spans(read(TOP_LABELS)) == {}


PARTLY_RULED = """
------------------------------
Sender   Message     Comment
------------------------------
         Start       first one
         ---------------------
One      Stop        last one
         ---------------------
         Wait        between
------------------------------
Two      Go          at once
------------------------------
"""


def test_rules_that_leave_the_stub_out_make_its_label_span_their_rows() -> None:
    grid = read(PARTLY_RULED)
    assert spans(grid) == {"One": (1, 0, 3, 1)}
    assert list(rows_of(grid.matrix()))[4] == "Two | Go | at once"


SEPARATED = """
--------------------------------
Train    Test        A      B
--------------------------------
Red      Wine        0.5    0.1
         -----------------------
Blue     Beer        0.4    0.9
         -----------------------
Green    Milk        0.3    0.2
--------------------------------
"""


def test_rule_between_full_rows_joins_no_cells() -> None:
    grid = read(SEPARATED)
    assert spans(grid) == {}
    assert list(rows_of(grid.matrix()))[2] == "Blue | Beer | 0.4 | 0.9"


GLUED = """
--------------------------------------
Function        Field          Level
--------------------------------------
sim()           Biology        Low
simulateBirths  Evolution      High
count()         Genetics       Low
tree()          Evolution      High
--------------------------------------
"""


def test_long_text_that_nearly_meets_the_next_column_is_cut_where_that_begins() -> None:
    assert list(rows_of(read(GLUED).matrix()))[2] == "simulateBirths | Evolution | High"


HYPHENATED = """
---------------------------------
          Dis-      Un-
          agree     decided
---------------------------------
First     0.5       1.5
Second    0.7       1.7
---------------------------------
"""


def test_head_of_words_divided_by_hyphens_is_one_row() -> None:
    assert next(iter(rows_of(read(HYPHENATED).matrix()))) == " | Disagree | Undecided"


ADDRESS = """
-----------------------------------------------
Data      Where it is to be found        Kind
-----------------------------------------------
Whales    see https://example.org/all/   new
          things
Birds     in the cupboard                old
-----------------------------------------------
"""


def test_web_address_broken_after_a_slash_is_whole() -> None:
    assert read(ADDRESS).matrix()[1][1] == "see https://example.org/all/things"
