"""Repairs: what they take out, what they mark, and what they leave as the paper has it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from pictures import rows_of, table, word

from variorum.document import Cell
from variorum.geometry import Box
from variorum.tables.cells.rawdict import Rawdict
from variorum.tables.grid import build_grid
from variorum.tables.model import BoundaryHypothesis, CellGrid, TableContext
from variorum.tables.post.absorbed_caption_strip import AbsorbedCaptionStrip
from variorum.tables.post.cell_cleaning import CellCleaning
from variorum.tables.post.footnote_strip import FootnoteStrip
from variorum.tables.post.header_detection import HeaderDetection
from variorum.tables.registry import post_processors
from variorum.tables.structure.baseline_rows import BaselineRows
from variorum.tables.structure.gap_span_hotspot import GapSpanHotspot


def read(ctx: TableContext) -> CellGrid:
    """Return the grid with the columns of the white channels and a row for each line."""
    cols = GapSpanHotspot().detect(ctx)
    rows = BaselineRows().detect(ctx)
    assert cols is not None
    assert rows is not None
    return build_grid(ctx, BoundaryHypothesis(cols.col_boundaries, rows.row_boundaries, "by_hand"), Rawdict())


def grid_of(rows: Sequence[Sequence[str]], header_rows: int = 0) -> CellGrid:
    cells = tuple(Cell(row=r, col=c, text=text) for r, row in enumerate(rows) for c, text in enumerate(row) if text)
    n_rows, n_cols = len(rows), len(rows[0])
    edges = tuple(map(float, range(n_cols + 1))), tuple(map(float, range(n_rows + 1)))
    return CellGrid(n_rows, n_cols, cells, *edges, "by_hand", "by_hand", header_rows)


NOWHERE = TableContext(Box(0, 0, 10, 10), ())


CANONICAL = [
    "absorbed_caption_strip",
    "header_detection",
    "header_data_split",
    "inline_header_fill",
    "continuation_merge",
    "footnote_strip",
    "cell_cleaning",
]


def test_canonical_order() -> None:
    """The caption goes before heads are looked for, panel headings are known before wrapped lines are joined, and notes go
    before the texts of columns are judged."""
    assert list(post_processors()) == CANONICAL


# ---- cell_cleaning --------------------------------------------------------------------------------------------------


def cleaned(*column: str) -> list[Cell]:
    """Return the cells of a column with a header, cleaned."""
    grid, _ = CellCleaning().process(grid_of([["Head"], *([text] for text in column)], header_rows=1), NOWHERE)
    return [c for c in grid.cells if c.row > 0]


@pytest.mark.parametrize("text", [".05", "-.05", "< .001", ".05*", "1.", "007", "1,234", "0,5", "12\u201315", "x\u2013y"])
def test_numbers_stay_as_the_paper_has_them(text: str) -> None:
    (cell,) = cleaned(text)
    assert (cell.text, cell.raw_text) == (text, None)


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        ("e\ufb03cient", "efficient"),
        ("\ufb01t and \ufb02at", "fit and flat"),
        ("a\u00adb", "ab"),
        ("a\u200bb", "ab"),
        ("a\x07b", "ab"),
        ("a  b\u00a0c", "a b c"),
        ("\u22120.5", "-0.5"),
        ("\u2212.5", "-.5"),
    ],
)
def test_signs_that_are_no_letters_are_mended_and_the_raw_text_is_kept(raw: str, text: str) -> None:
    (cell,) = cleaned(raw)
    assert (cell.text, cell.raw_text) == (text, raw)


def test_minus_that_is_no_sign_of_a_number_is_kept() -> None:
    (cell,) = cleaned("a \u2212 b")
    assert cell.text == "a \u2212 b"


def test_parted_sign_joins_its_number_in_a_column_of_numbers_only() -> None:
    assert [c.text for c in cleaned("- 3.2", "7.0", "1.1")] == ["-3.2", "7.0", "1.1"]
    assert [c.text for c in cleaned("- 3.2", "Alpha", "Beta")] == ["- 3.2", "Alpha", "Beta"]


def test_first_raw_text_is_kept_when_a_text_is_changed_again() -> None:
    grid = replace(grid_of([["\ufb01t"]]), cells=(Cell(row=0, col=0, text="\ufb01t", raw_text="first"),))
    assert CellCleaning().process(grid, NOWHERE)[0].cells[0].raw_text == "first"


def test_cleaning_says_how_many_cells_it_changed() -> None:
    grid = grid_of([["\ufb01t", "x"], ["\ufb02at", "y"]])
    assert CellCleaning().process(grid, NOWHERE)[1] == "2 cells cleaned"


# ---- header_detection -----------------------------------------------------------------------------------------------


def head_rows(picture: str) -> int:
    ctx = table(picture)
    grid, _ = HeaderDetection().process(read(ctx), ctx)
    assert all(c.is_header == (c.row < grid.header_rows) for c in grid.cells)
    return grid.header_rows


BODY = "Alpha     12.5    0.81\nBeta      7.0     0.64\nGamma     3.2     0.17"
RULE = "------------------------"


def test_rows_above_the_first_rule_are_the_head() -> None:
    assert head_rows(f"{RULE}\nDrug      Dose    Effect\n{RULE}\n{BODY}\n{RULE}") == 1
    assert head_rows(f"{RULE}\nDrug      Dose    Effect\n          mg      share\n{RULE}\n{BODY}\n{RULE}") == 2


def test_words_above_numbers_are_a_head_without_a_rule() -> None:
    assert head_rows(f"Drug      Dose    Effect\n{BODY}") == 1


def test_numbers_above_numbers_are_no_head() -> None:
    assert head_rows(BODY) == 0


def test_grid_of_words_in_one_face_has_no_head() -> None:
    assert head_rows("one       two     three\nfour      five    six\nseven     eight   nine") == 0


def test_bold_row_above_roman_words_is_the_head() -> None:
    ctx = table("one       two     three\nfour      five    six\nseven     eight   nine")
    bold = tuple(replace(w, font="Courier-Bold") if w.line == 0 else w for w in ctx.words)
    ctx = TableContext(ctx.bbox, bold)
    assert HeaderDetection().process(read(ctx), ctx)[0].header_rows == 1


def test_head_does_not_end_in_a_row_that_still_spans() -> None:
    picture = """
            Dose per day    Effect
Drug        day     night   day
Alpha       12.5    7.0     0.81
Beta        3.2     1.1     0.64
"""
    assert head_rows(picture) == 2


def test_rule_below_every_row_says_nothing_about_the_head() -> None:
    rows = ("Drug      Dose    Effect", *BODY.split("\n"))
    assert head_rows("\n".join(f"{RULE}\n{row}" for row in rows) + f"\n{RULE}") == 1


def test_single_row_is_no_head() -> None:
    grid = grid_of([["Drug", "Dose"]])
    assert HeaderDetection().process(grid, NOWHERE) == (grid, "")


# ---- footnote_strip -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "note",
    [
        "Note: of three trials.",
        "Notes. Of three trials.",
        "Source: the trials of last year.",
        "* of three trials",
        "\u2020 one trial",
    ],
)
def test_note_below_the_table_becomes_its_footnote(note: str) -> None:
    ctx = table(f"{RULE}\nDrug      Dose    Effect\n{RULE}\n{BODY}\n{RULE}\n{note}")
    grid, words = FootnoteStrip().process(read(ctx), ctx)
    assert (grid.footnotes, words, grid.n_rows) == ((note,), "1 note row", 4)
    assert list(rows_of(grid.matrix()))[-1] == "Gamma | 3.2 | 0.17"
    assert len(grid.row_edges) == 5


def test_several_notes_keep_their_order() -> None:
    ctx = table(f"Drug      Dose    Effect\n{BODY}\n* of three trials\nNote: one trial was lost.")
    assert FootnoteStrip().process(read(ctx), ctx)[0].footnotes == ("* of three trials", "Note: one trial was lost.")


def test_text_below_the_closing_rule_that_begins_raised_is_a_note() -> None:
    ctx = table(f"{RULE}\nDrug      Dose    Effect\n{RULE}\n{BODY}\n{RULE}\n of three trials of last year")
    mark = word("a", 60, 100 + 3 * 4 + 4 * 14 + 9 - 4, size=7, line=9)
    last = [w for w in ctx.words if w.text == "of"][-1]
    glued = replace(last, text="aof", box=Box(60, last.box.y0, last.box.x1, last.box.y1), chars=(*mark.chars, *last.chars))
    ctx = TableContext(ctx.bbox, tuple(glued if w is last else w for w in ctx.words), ctx.rules)
    grid, _ = FootnoteStrip().process(read(ctx), ctx)
    assert grid.footnotes == ("aof three trials of last year",)


def test_last_row_of_data_is_no_note() -> None:
    ctx = table(f"{RULE}\nDrug      Dose    Effect\n{RULE}\n{BODY}\n{RULE}")
    grid = read(ctx)
    assert FootnoteStrip().process(grid, ctx) == (grid, "")


def test_single_word_in_the_last_row_is_no_note() -> None:
    ctx = table(f"Drug      Dose    Effect\n{BODY}\nOthers")
    grid = read(ctx)
    assert FootnoteStrip().process(grid, ctx) == (grid, "")


# ---- absorbed_caption_strip -----------------------------------------------------------------------------------------


def stripped(rows: Sequence[Sequence[str]], caption: str) -> tuple[list[str], str]:
    grid, words = AbsorbedCaptionStrip().process(grid_of(rows), replace(NOWHERE, caption=caption))
    return list(rows_of(grid.matrix())), words


DATA = [["Drug", "Dose"], ["Alpha", "12.5"]]
CAPTION = "Table 1. Effects of the drugs on all patients."


def test_caption_above_is_taken_out() -> None:
    assert stripped([["Table 1. Effects of the drugs", ""], ["on all patients.", ""], *DATA], CAPTION) == (
        ["Drug | Dose", "Alpha | 12.5"],
        "2 caption rows taken out",
    )


def test_caption_below_is_taken_out() -> None:
    assert stripped([*DATA, [CAPTION, ""]], CAPTION)[0] == ["Drug | Dose", "Alpha | 12.5"]


def test_caption_cut_into_columns_is_taken_out() -> None:
    assert stripped([["Table 1. Effects of the", "drugs on all patients."], *DATA], CAPTION)[0] == [
        "Drug | Dose",
        "Alpha | 12.5",
    ]


def test_head_in_words_of_the_caption_stays() -> None:
    rows = [["all patients", ""], *DATA]
    assert stripped(rows, CAPTION) == ([" | ".join(r) for r in rows], "")
    rows = [["the drugs", ""], *DATA]
    assert stripped(rows, CAPTION) == ([" | ".join(r) for r in rows], "")


def test_end_of_a_caption_that_was_cut_off_is_taken_out() -> None:
    assert stripped([["of the drugs on all patients.", ""], *DATA], CAPTION)[0] == ["Drug | Dose", "Alpha | 12.5"]


def test_row_that_says_more_than_the_caption_stays() -> None:
    rows = [["Table 1. Effects of the drugs, revised", ""], *DATA]
    assert stripped(rows, CAPTION) == ([" | ".join(r) for r in rows], "")


def test_table_without_a_caption_is_left_as_it_is() -> None:
    assert stripped(DATA, "") == (["Drug | Dose", "Alpha | 12.5"], "")


def test_numbers_that_the_caption_mentions_stay() -> None:
    rows = [["2", "3"], ["4", "5"]]
    assert stripped(rows, "Table 1. Effects in 2 of 3 groups, 4 of 5 days.") == (["2 | 3", "4 | 5"], "")


def test_grid_that_is_all_caption_is_left() -> None:
    assert stripped([["Effects of the drugs"]], CAPTION) == (["Effects of the drugs"], "")
