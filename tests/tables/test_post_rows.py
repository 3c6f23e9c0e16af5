"""Repairs that move lines between rows: heads parted from data, panel headings spread, wrapped rows joined."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import replace

import pytest
from pictures import rows_of, table

from variorum.document import Cell
from variorum.tables.cells.rawdict import Rawdict
from variorum.tables.grid import build_grid
from variorum.tables.grid_edits import join_row_to_above, split_row
from variorum.tables.model import BoundaryHypothesis, BoundaryPoint, CellGrid, TableContext
from variorum.tables.post.continuation_merge import ContinuationMerge
from variorum.tables.post.footnote_strip import FootnoteStrip
from variorum.tables.post.header_data_split import HeaderDataSplit
from variorum.tables.post.header_detection import HeaderDetection
from variorum.tables.post.inline_header_fill import InlineHeaderFill


def points(places: Sequence[float]) -> tuple[BoundaryPoint, ...]:
    return tuple(BoundaryPoint(p, p, 1.0, "by_hand") for p in places)


def grid_of(ctx: TableContext, columns: Sequence[int], undivided: Sequence[int] = (), head: int = 0) -> CellGrid:
    """Return the grid with column dividers before these characters of the drawing and a row for each line.

    The lines of `undivided` share a row with the line above them; the first `head` rows are marked as the head.
    """
    pairs = enumerate(itertools.pairwise(ctx.text_rows), 1)
    rows = [(a.band.end + b.band.start) / 2 for i, (a, b) in pairs if i not in undivided]
    cols = [ctx.bbox.x0 + 6 * c - 3 for c in columns]
    grid = build_grid(ctx, BoundaryHypothesis(points(cols), points(rows), "by_hand"), Rawdict())
    return replace(grid, cells=tuple(replace(c, is_header=c.row < head) for c in grid.cells), header_rows=head)


def in_face(ctx: TableContext, font: str, *texts: str) -> TableContext:
    """Return the table with the words of these texts in another font."""
    return replace(ctx, words=tuple(replace(w, font=font) if w.text in texts else w for w in ctx.words))


def lines(grid: CellGrid) -> list[str]:
    return list(rows_of(grid.matrix()))


BODY = "Alpha     12.5    0.81\nBeta      7.0     0.64\nGamma     3.2     0.17\nDelta     1.1     0.02"
RULE = "------------------------"
COLUMNS = (10, 18)


# ---- header_data_split ----------------------------------------------------------------------------------------------


def test_head_that_swallowed_the_first_row_of_data_is_parted() -> None:
    ctx = table(f"Drug      Dose    Effect\n{BODY}")
    grid = grid_of(ctx, COLUMNS, undivided=[1], head=1)
    assert lines(grid)[0] == "Drug Alpha | Dose 12.5 | Effect 0.81"
    parted, said = HeaderDataSplit().process(grid, ctx)
    assert lines(parted) == [
        "Drug | Dose | Effect",
        "Alpha | 12.5 | 0.81",
        "Beta | 7.0 | 0.64",
        "Gamma | 3.2 | 0.17",
        "Delta | 1.1 | 0.02",
    ]
    assert (parted.header_rows, said) == (1, "1 row of data parted from the head")
    assert all(c.is_header == (c.row == 0) for c in parted.cells)
    assert len(parted.row_edges) == 6


def test_several_rows_of_data_are_parted() -> None:
    ctx = table(f"Drug      Dose    Effect\n{BODY}")
    parted, said = HeaderDataSplit().process(grid_of(ctx, COLUMNS, undivided=[1, 2], head=1), ctx)
    assert lines(parted)[:3] == ["Drug | Dose | Effect", "Alpha | 12.5 | 0.81", "Beta | 7.0 | 0.64"]
    assert said == "2 rows of data parted from the head"


def test_first_row_is_parted_though_it_was_not_taken_for_a_head() -> None:
    ctx = table(f"Drug      Dose    Effect\n{BODY}")
    parted, _ = HeaderDataSplit().process(grid_of(ctx, COLUMNS, undivided=[1]), ctx)
    assert (lines(parted)[0], parted.header_rows) == ("Drug | Dose | Effect", 1)


def test_head_of_two_lines_is_no_data() -> None:
    ctx = table(f"Drug      Dose    Effect\n          mg      share\n{BODY}")
    grid = grid_of(ctx, COLUMNS, undivided=[1], head=1)
    assert HeaderDataSplit().process(grid, ctx) == (grid, "")


def test_numbers_in_the_last_line_of_a_head_stay_when_its_first_line_has_numbers_too() -> None:
    ctx = table(f"Drug      2010    2011\n          12      13\n{BODY}")
    grid = grid_of(ctx, COLUMNS, undivided=[1], head=1)
    assert HeaderDataSplit().process(grid, ctx) == (grid, "")


def test_data_counted_as_head_leave_it() -> None:
    """The rule above the total is the first of the table."""
    ctx = table(
        f"Drug      Dose    Effect\n{BODY}\n{RULE}\nTotal     23.8    1.64\nMean      5.95    0.41\nMax       12.5    0.81"
    )
    grid = grid_of(ctx, COLUMNS, head=5)
    mended, said = HeaderDataSplit().process(grid, ctx)
    assert (mended.header_rows, said) == (1, "4 rows of data taken out of the head")
    assert lines(mended) == lines(grid)


def test_years_above_a_rule_stay_in_the_head() -> None:
    ctx = table(
        f"Country   Income  Tax\nin        2010    2011\n{RULE}\nAlpha     1250    2081\nBeta      7000    1064\n{RULE}"
    )
    grid = grid_of(ctx, COLUMNS, head=2)
    assert HeaderDataSplit().process(grid, ctx) == (grid, "")


def test_numbers_below_a_spanning_head_stay_in_the_head() -> None:
    ctx = table(
        "Drug       Share of all\nused      0.5     1.0\nAlpha     0.1     0.2\nBeta      0.3     0.4\nGamma     0.7     0.8"
    )
    grid = grid_of(ctx, COLUMNS, head=2)
    assert any(c.text == "Share of all" and c.colspan == 2 for c in grid.cells)
    assert HeaderDataSplit().process(grid, ctx)[0].header_rows == 2


# ---- inline_header_fill ---------------------------------------------------------------------------------------------

PANELS = """
Drug      Dose    Effect
Panel A: all of the men
Alpha     12.5    0.81
Beta      7.0     0.64
Gamma     3.2     0.17
Panel B: all of the women
Alpha     1.1     0.02
Beta      2.2     0.03
Gamma     9.9     0.99
"""


def cut(grid: CellGrid, row: int, texts: Sequence[str]) -> CellGrid:
    """Return the grid with a row of these texts, one a column, as a library gives it that cuts through words' spaces."""
    old = [c for c in grid.cells if c.row == row]
    box = old[0].bbox
    assert box is not None
    parts, x = [], box.x0
    for col, text in enumerate(texts):
        if text:
            parts.append(Cell(row=row, col=col, text=text, bbox=replace(box, x0=x, x1=x + 6 * len(text))))
            x += 6 * (len(text) + 1)
    kept = [c for c in grid.cells if c.row != row]
    return replace(grid, cells=tuple(sorted((*kept, *parts), key=lambda c: (c.row, c.col))))


def test_heading_that_dividers_cut_becomes_one_cell_over_all_columns() -> None:
    ctx = table(PANELS)
    grid = cut(grid_of(ctx, COLUMNS, head=1), 1, ["Panel A:", "all of", "the men"])
    filled, said = InlineHeaderFill().process(grid, ctx)
    (heading,) = [c for c in filled.cells if c.row == 1]
    assert (heading.text, heading.col, heading.colspan, heading.rowspan) == ("Panel A: all of the men", 0, 3, 1)
    assert said == "1 panel heading spread over all columns"
    assert (filled.header_rows, heading.is_header) == (1, False)


def test_heading_in_the_column_where_it_begins_is_spread() -> None:
    ctx = table(PANELS)
    grid = cut(grid_of(ctx, COLUMNS, head=1), 5, ["Panel B: all of the women", "", ""])
    filled, _ = InlineHeaderFill().process(grid, ctx)
    assert [(c.text, c.colspan) for c in filled.cells if c.row == 5] == [("Panel B: all of the women", 3)]


def test_heading_centred_in_a_middle_column_is_spread() -> None:
    ctx = in_face(table(f"Drug      Dose    Effect\n{BODY}\n         Women\n{BODY}"), "Courier-Bold", "Women")
    grid = grid_of(ctx, (9, 18), head=1)
    assert [(c.col, c.colspan) for c in grid.cells if c.text == "Women"] == [(1, 1)]
    filled, _ = InlineHeaderFill().process(grid, ctx)
    assert [(c.col, c.colspan) for c in filled.cells if c.text == "Women"] == [(0, 3)]


def test_label_that_fits_the_first_column_is_left() -> None:
    ctx = in_face(table(f"Drug      Dose    Effect\n{BODY}\nWomen\n{BODY}"), "Courier-Bold", "Women")
    grid = grid_of(ctx, COLUMNS, head=1)
    assert InlineHeaderFill().process(grid, ctx) == (grid, "")


def test_lone_number_in_the_middle_is_no_heading() -> None:
    ctx = table(f"Drug      Dose    Effect\n{BODY}\n          (1.16)\n{BODY}")
    grid = grid_of(ctx, (9, 18), head=1)
    assert InlineHeaderFill().process(grid, ctx) == (grid, "")


def test_two_texts_in_a_row_are_no_heading() -> None:
    ctx = table(f"Drug      Dose    Effect\n{BODY}\nPanel of men    all\n{BODY}")
    grid = grid_of(ctx, COLUMNS, head=1)
    assert InlineHeaderFill().process(grid, ctx) == (grid, "")


def test_line_that_goes_on_with_the_row_above_is_no_heading() -> None:
    ctx = table(
        "Drug      Given to\nAlpha     all of the men who\n          came\nBeta      all of the women\nGamma     no one"
    )
    grid = grid_of(ctx, (10,), head=1)
    assert InlineHeaderFill().process(grid, ctx) == (grid, "")


# ---- continuation_merge ---------------------------------------------------------------------------------------------

WRAPPED = """
Drug      Given to          Dose
Alpha     all of the men    12.5
          and the women
Beta      all of the men    7.0
Gamma     some of them      3.2
"""
WIDE = (10, 28)


def test_wrapped_cell_is_joined_to_its_row() -> None:
    ctx = table(WRAPPED)
    joined, said = ContinuationMerge().process(grid_of(ctx, WIDE, head=1), ctx)
    assert lines(joined) == [
        "Drug | Given to | Dose",
        "Alpha | all of the men and the women | 12.5",
        "Beta | all of the men | 7.0",
        "Gamma | some of them | 3.2",
    ]
    assert said == "1 continuation row joined to the row above"
    assert (len(joined.row_edges), joined.header_rows) == (5, 1)
    assert [c.raw_text for c in joined.cells if c.row == 1] == [None, None, None]


def test_divided_word_is_mended_and_the_printed_text_kept() -> None:
    ctx = table(WRAPPED.replace("all of the men    12.5\n          and the women", "for the pati-     12.5\n          ents"))
    joined, _ = ContinuationMerge().process(grid_of(ctx, WIDE, head=1), ctx)
    (cell,) = [c for c in joined.cells if c.row == 1 and c.col == 1]
    assert (cell.text, cell.raw_text) == ("for the patients", "for the pati- ents")


def test_open_parenthesis_is_closed_in_its_cell() -> None:
    ctx = table(WRAPPED.replace("all of the men    12.5\n          and the women", "men (not       12.5\n          Women)"))
    joined, _ = ContinuationMerge().process(grid_of(ctx, WIDE, head=1), ctx)
    assert lines(joined)[1] == "Alpha | men (not Women) | 12.5"


def test_cell_of_three_lines_is_joined() -> None:
    ctx = table(WRAPPED.replace("          and the women", "          and the women\n          of both towns"))
    joined, said = ContinuationMerge().process(grid_of(ctx, WIDE, head=1), ctx)
    assert lines(joined)[1] == "Alpha | all of the men and the women of both towns | 12.5"
    assert said == "2 continuation rows joined to the row above"


def test_row_with_a_number_in_a_column_of_numbers_stays() -> None:
    ctx = table(WRAPPED.replace("and the women", "and the women     11.0"))
    grid = grid_of(ctx, WIDE, head=1)
    assert ContinuationMerge().process(grid, ctx) == (grid, "")


def test_rows_parted_by_a_rule_stay() -> None:
    ctx = table(WRAPPED.replace("          and the women", "--------------------------------\n          and the women"))
    grid = grid_of(ctx, WIDE, head=1)
    assert ContinuationMerge().process(grid, ctx) == (grid, "")


def test_panel_heading_is_joined_to_nothing_and_nothing_to_it() -> None:
    ctx = table(PANELS)
    grid, _ = InlineHeaderFill().process(cut(grid_of(ctx, COLUMNS, head=1), 1, ["Panel A:", "all of", "the men"]), ctx)
    assert ContinuationMerge().process(grid, ctx) == (grid, "")


def test_label_in_another_face_is_joined_to_nothing() -> None:
    picture = (
        "Drug      Dose    Effect\nAlpha     12.5    0.81\nof all who came\nBeta      7.0     0.64\nGamma     3.2     0.17"
    )
    ctx = in_face(table(picture), "Courier-Bold", "of", "all", "who", "came")
    grid = cut(grid_of(ctx, COLUMNS, head=1), 2, ["of all who came", "", ""])
    assert ContinuationMerge().process(grid, ctx) == (grid, "")


# ---- footnote_strip -------------------------------------------------------------------------------------------------


def test_note_of_two_lines_is_one_footnote() -> None:
    ctx = table(f"Drug      Dose    Effect\n{BODY}\nNote: of the trials held\nin one year.")
    stripped, said = FootnoteStrip().process(grid_of(ctx, COLUMNS, head=1), ctx)
    assert (stripped.footnotes, said) == (("Note: of the trials held in one year.",), "2 note rows")
    assert stripped.n_rows == 5


def test_label_below_a_short_note_is_no_part_of_it() -> None:
    ctx = table(f"Drug      Dose    Effect\n{BODY}\nNote: one.\nOthers")
    grid = grid_of(ctx, COLUMNS, head=1)
    assert FootnoteStrip().process(grid, ctx) == (grid, "")


# ---- header_detection -----------------------------------------------------------------------------------------------


def test_head_of_two_lines_without_a_rule() -> None:
    ctx = table(f"Drug      Dose    Effect\n          mg      share\n{BODY}")
    assert HeaderDetection().process(grid_of(ctx, COLUMNS), ctx)[0].header_rows == 2


def test_row_of_words_with_a_label_of_its_own_is_data() -> None:
    ctx = table(f"Drug      Dose    Effect\nNone      n.a.    n.a.\n{BODY}")
    assert HeaderDetection().process(grid_of(ctx, COLUMNS), ctx)[0].header_rows == 1


# ---- edits ----------------------------------------------------------------------------------------------------------


def plain(rows: Sequence[Sequence[str]], *more: Cell) -> CellGrid:
    cells = [Cell(row=r, col=c, text=text) for r, row in enumerate(rows) for c, text in enumerate(row) if text]
    n_rows, n_cols = len(rows), len(rows[0])
    edges = tuple(map(float, range(n_cols + 1))), tuple(map(float, range(n_rows + 1)))
    cells = sorted((*cells, *more), key=lambda c: (c.row, c.col))
    return CellGrid(n_rows, n_cols, tuple(cells), *edges, "by_hand", "by_hand")


def both(upper: Cell, lower: Cell) -> Cell:
    return replace(upper, text=f"{upper.text} {lower.text}")


def test_joined_row_leaves_what_spans_shorter_and_moves_the_rest_up() -> None:
    grid = plain([["", "a", ""], ["", "b", "c"], ["d", "e", "f"]], Cell(row=0, col=0, text="label", rowspan=2))
    joined = join_row_to_above(grid, 1, both)
    assert [(c.row, c.col, c.rowspan, c.text) for c in joined.cells] == [
        (0, 0, 1, "label"),
        (0, 1, 1, "a b"),
        (0, 2, 1, "c"),
        (1, 0, 1, "d"),
        (1, 1, 1, "e"),
        (1, 2, 1, "f"),
    ]
    assert joined.row_edges == (0.0, 2.0, 3.0)


@pytest.mark.parametrize("row", [-1, 0, 2])
def test_row_without_one_above_cannot_be_joined(row: int) -> None:
    with pytest.raises(ValueError, match="has none above"):
        join_row_to_above(plain([["a"], ["b"]]), row, both)


def test_parted_row_makes_what_spans_longer_and_moves_the_rest_down() -> None:
    grid = plain([["", "a b"], ["c", "d"]], Cell(row=0, col=0, text="x"))
    parted = split_row(
        grid,
        0,
        {0: (Cell(row=0, col=0, text="x"), None), 1: (Cell(row=0, col=0, text="a"), Cell(row=0, col=0, text="b"))},
        (0.5,),
    )
    assert lines(parted) == ["x | a", " | b", "c | d"]
    assert parted.row_edges == (0.0, 0.5, 1.0, 2.0)


def test_cell_without_parts_cannot_be_parted() -> None:
    with pytest.raises(ValueError, match="cannot be parted into 2 rows"):
        split_row(plain([["a", "b"]]), 0, {0: (None, None)}, (0.5,))
