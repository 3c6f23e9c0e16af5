"""Parts of a table put together: all rows, the head once, and what every part was."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from variorum.document import Caption, Cell, DroppedRow, Provenance, Table
from variorum.geometry import Box
from variorum.tables.joining import joined, repeated_head

HEAD = ("Drug", "Dose", "Effect")
ALPHA, BETA, GAMMA, DELTA = ("Alpha", "10", ".31"), ("Beta", "20", ".45"), ("Gamma", "30", ".62"), ("Delta", "40", ".80")


def part(
    rows: Sequence[Sequence[str]],
    page_num: int = 1,
    spans: Mapping[tuple[int, int], tuple[int, int]] | None = None,
    **fields: Any,
) -> Table:
    sizes = spans or {}
    head = fields.get("header_rows", 1)
    cells = tuple(
        Cell(
            row=r,
            col=c,
            text=text,
            rowspan=sizes.get((r, c), (1, 1))[0],
            colspan=sizes.get((r, c), (1, 1))[1],
            is_header=r < head,
            bbox=Box(c * 50, r * 20, c * 50 + 40, r * 20 + 10),
        )
        for r, row in enumerate(rows)
        for c, text in enumerate(row)
        if text
    )
    where = Provenance(source="pdf", method="consensus:rawdict", page_num=page_num, bbox=Box(0, 0, 150, 20 * len(rows)))
    caption = Caption(text="Table 2", label="Table", number="2", page_num=page_num, bbox=Box(0, 0, 9, 9))
    given = {"id": f"t_p{page_num}", "header_rows": head, "row_edges": tuple(20.0 * r for r in range(len(rows) + 1)), **fields}
    return Table(
        n_rows=len(rows), n_cols=max(map(len, rows)), cells=cells, provenance=where, number="2", caption=caption, **given
    )


def test_repeated_head_stands_once() -> None:
    whole = joined([part([HEAD, ALPHA]), part([HEAD, BETA, GAMMA], 2), part([HEAD, DELTA], 3)])
    assert whole.matrix() == [list(r) for r in (HEAD, ALPHA, BETA, GAMMA, DELTA)]
    assert (whole.header_rows, whole.id, whole.provenance.page_num) == (1, "t_p1", 1)
    assert [(p.id, p.page_num, p.first_row, p.n_rows) for p in whole.parts] == [
        ("t_p1", 1, 0, 2),
        ("t_p2", 2, 2, 2),
        ("t_p3", 3, 4, 1),
    ]
    again = DroppedRow(row=0, reason="repeated_head", text="Drug Dose Effect")
    assert [p.dropped for p in whole.parts] == [(), (again,), (again,)]
    assert whole.page_nums() == (1, 2, 3)


def test_part_in_one_place_is_itself() -> None:
    alone = part([HEAD, ALPHA])
    assert joined([alone]) is alone


def test_part_without_the_head_keeps_all_rows_and_none_of_them_is_a_header() -> None:
    whole = joined([part([HEAD, ALPHA]), part([BETA, GAMMA], 2)])
    assert whole.matrix() == [list(r) for r in (HEAD, ALPHA, BETA, GAMMA)]
    assert [c.text for c in whole.cells if c.is_header] == list(HEAD)


def test_head_that_is_cut_into_cells_otherwise_is_the_same_head() -> None:
    later = part([("Drug Dose", "", "Effect"), BETA], 2)
    assert repeated_head(part([HEAD, ALPHA]), later) == 1


def test_head_whose_cells_lie_in_other_rows_is_the_same_head() -> None:
    first = part([("", "Size", ""), ("Drug", "Dose", "Effect"), ALPHA], header_rows=2)
    later = part([("Drug", "Size", "Effect"), ("", "Dose", ""), BETA], 2, header_rows=2)
    assert repeated_head(first, later) == 2


def test_half_a_head_is_no_head() -> None:
    first = part([("", "Size", ""), HEAD, ALPHA], header_rows=2)
    later = part([("", "Size", ""), ("Group", "Mean", "n"), BETA], 2, header_rows=2)
    assert repeated_head(first, later) == 0


def test_head_of_which_one_part_was_told_more_rows_is_dropped_as_far_as_it_is_common() -> None:
    first = part([("", "Size", ""), HEAD, ("Panel A", "", ""), ALPHA], header_rows=3)
    later = part([("", "Size", ""), HEAD, ("Panel B", "", ""), BETA], 2, header_rows=2)
    whole = joined([first, later])
    assert [row[0] for row in whole.matrix()] == ["", "Drug", "Panel A", "Alpha", "Panel B", "Beta"]


def test_head_of_an_earlier_part_than_the_first_is_repeated_too() -> None:
    whole = joined([part([ALPHA], header_rows=0), part([HEAD, BETA], 2), part([HEAD, GAMMA], 3)])
    assert [row[0] for row in whole.matrix()] == ["Alpha", "Drug", "Beta", "Gamma"]


def test_data_row_that_comes_again_is_not_dropped() -> None:
    whole = joined([part([HEAD, ALPHA, BETA]), part([HEAD, ALPHA], 2)])
    assert [row[0] for row in whole.matrix()] == ["Drug", "Alpha", "Beta", "Alpha"]


def test_note_is_no_row() -> None:
    first = part([HEAD, ALPHA, ("Table 2 continued", "", "")])
    later = part([("Table 2 – continued from previous page", "", ""), HEAD, BETA], 2, header_rows=2)
    whole = joined([first, later])
    assert whole.matrix() == [list(r) for r in (HEAD, ALPHA, BETA)]
    assert [[(d.row, d.reason) for d in p.dropped] for p in whole.parts] == [
        [(2, "note")],
        [(0, "note"), (1, "repeated_head")],
    ]
    assert [p.own_rows() for p in whole.parts] == [[0, 1], [2]]


def test_cells_keep_their_spans_and_places() -> None:
    spans = {(1, 0): (2, 1)}
    whole = joined([part([HEAD, ALPHA]), part([HEAD, BETA, ("", "25", ".50")], 2, spans)])
    (cell,) = (c for c in whole.cells if c.rowspan == 2)
    assert (cell.row, cell.text, cell.bbox) == (2, "Beta", Box(0, 20, 40, 30))
    place = whole.part_at(cell.row)
    assert place is not None
    assert place.page_num == 2
    assert whole.part_at(1) is whole.parts[0]


def test_head_under_which_a_cell_reaches_is_not_cut() -> None:
    spans = {(0, 0): (2, 1)}
    whole = joined([part([HEAD, ALPHA]), part([HEAD, ("", "20", ".45")], 2, spans)])
    assert whole.parts[1].dropped == ()


def test_notes_of_all_parts_stand_once_and_none_says_that_the_table_goes_on() -> None:
    notes = ("Table 2 continued", "n = 12"), ("n = 12", "a: adjusted")
    whole = joined([part([HEAD, ALPHA], footnotes=notes[0]), part([HEAD, BETA], 2, footnotes=notes[1])])
    assert whole.footnotes == ("n = 12", "a: adjusted")


def test_edges_and_votes_stand_in_the_parts() -> None:
    whole = joined([part([HEAD, ALPHA]), part([HEAD, BETA], 2)])
    assert (whole.row_edges, whole.column_edges, whole.apparatus) == ((), (), None)
    assert [p.row_edges for p in whole.parts] == [(0, 20, 40), (0, 20, 40)]


def test_method_is_named_once_and_several_all() -> None:
    later = part([HEAD, BETA], 2)
    other = replace(later, provenance=replace(later.provenance, method="pymupdf_lines:rawdict"))
    assert joined([part([HEAD, ALPHA]), later]).provenance.method == "consensus:rawdict"
    assert joined([part([HEAD, ALPHA]), other]).provenance.method == "consensus:rawdict, pymupdf_lines:rawdict"
