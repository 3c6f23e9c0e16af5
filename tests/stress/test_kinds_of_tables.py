"""Faults planted in tables are seen, each by its kind and with its severity; a sound reading has none."""

from __future__ import annotations

from dataclasses import replace

import pytest
from kinds_samples import failed, ice_table, judged, plants, pond, pond_paper, pond_truth, the_fault

from tests.document.document_samples import table_of
from variorum.document import Cell, Table
from variorum.evaluation.calibration_truth import PassedOver
from variorum.evaluation.ground_truth import TruthTable
from variorum.geometry import Box
from variorum.stress.kinds import table_truth, tables_alone
from variorum.stress.kinds.saying import called
from variorum.stress.model import Severity

KINDS = [kind.name for kind in (*table_truth.KINDS, *tables_alone.KINDS)]
UNVERIFIED = pond_truth(unverified=frozenset({"T1"}))


def with_cell(row: int, col: int, **fields: object) -> Table:
    table = ice_table()
    cells = tuple(replace(c, **fields) if (c.row, c.col) == (row, col) else c for c in table.cells)
    return replace(table, cells=cells)


@pytest.mark.parametrize("kind", KINDS)
def test_a_sound_table_has_no_fault(kind: str) -> None:
    assert failed(kind, pond()) == []


@plants("table found")
def test_a_table_that_was_not_read_is_missed() -> None:
    lost = the_fault("table found", pond(replace(pond_paper(), tables=())))
    assert lost.name == "table T1"
    assert "5 × 3" in lost.detail


@plants("table invented")
def test_a_table_that_the_paper_does_not_have_is_seen() -> None:
    more = table_of([["Nine", "days"], ["of", "frost"]], id="tab-9")
    assert the_fault("table invented", pond(pond_paper(ice_table(), more))).component == "tab-9"


def test_a_table_that_the_truth_passed_over_is_not_called_invented() -> None:
    more = table_of([["Nine", "days"], ["of", "frost"]], id="tab-9", number="2")
    truth = pond_truth(passed_over=(PassedOver(number="2"),))
    assert failed("table invented", pond(pond_paper(ice_table(), more), truth)) == []
    assert failed("table count", pond(pond_paper(ice_table(), more), truth)) == []


@plants("table shape")
def test_a_lost_row_is_told() -> None:
    table = ice_table()
    short = replace(table, n_rows=4, cells=tuple(c for c in table.cells if c.row < 4))
    fault = the_fault("table shape", pond(pond_paper(short)))
    assert "expected 5 rows × 3 columns, found 4 × 3" in fault.detail
    assert "rows 3 not found" in fault.detail


@plants("table cells")
def test_a_wrong_value_is_told_with_its_place() -> None:
    fault = the_fault("table cells", pond(pond_paper(with_cell(3, 2, text="90"))))
    assert fault.detail == "Table 1: row 4, column 3: expected “9”, found “90”"
    assert (fault.page, fault.component) == (7, "tab-1")


def test_a_wrong_value_is_minor_where_the_truth_is_not_verified() -> None:
    fault = the_fault("table cells", pond(pond_paper(with_cell(3, 2, text="90")), UNVERIFIED), Severity.MINOR)
    assert fault.detail.endswith("the truth is not verified here")


def test_a_value_in_the_wrong_cell_is_two_faults_in_one() -> None:
    table = ice_table()
    swapped = {(2, 1): "12", (2, 2): "31"}
    cells = tuple(replace(c, text=swapped.get((c.row, c.col), c.text)) for c in table.cells)
    fault = the_fault("table cells", pond(pond_paper(replace(table, cells=cells))))
    assert "row 3, column 2: expected “31”, found “12”" in fault.detail
    assert "row 3, column 3: expected “12”, found “31”" in fault.detail


@plants("table headers")
def test_a_header_row_taken_for_data_is_seen() -> None:
    fault = the_fault("table headers", pond(pond_paper(replace(ice_table(), header_rows=1))), Severity.MINOR)
    assert fault.detail == "Table 1: expected 2 header rows, found 1"


@plants("table spans")
def test_a_span_that_was_not_read_is_seen_and_is_no_wrong_value() -> None:
    table = ice_table()
    cells = (*(replace(c, rowspan=1, colspan=1) for c in table.cells), Cell(row=0, col=2, text=""), Cell(row=1, col=0, text=""))
    flat = replace(table, cells=tuple(sorted(cells, key=lambda c: (c.row, c.col))))
    fault = the_fault("table spans", pond(pond_paper(flat)), Severity.MINOR)
    assert "“Ice in mm” at row 1, column 2 over 1 × 2 is not read so" in fault.detail
    assert failed("table cells", pond(pond_paper(flat))) == []


@plants("table notes")
def test_a_lost_note_is_seen() -> None:
    fault = the_fault("table notes", pond(pond_paper(replace(ice_table(), footnotes=()))), Severity.MINOR)
    assert "measured once" in fault.detail


@plants("table caption")
def test_the_caption_of_another_table_is_seen() -> None:
    table = ice_table()
    assert table.caption is not None
    other = replace(table, caption=replace(table.caption, text="Table 1: Depth of all ponds in the county."))
    fault = the_fault("table caption", pond(pond_paper(other)))
    assert "expected “Ice by pond and month.”, found “Depth of all ponds in the county.”" in fault.detail


def test_heads_in_more_lines_than_the_truth_guesses_are_no_other_shape() -> None:
    rows = [["Pond", "Ice in", "Days"], ["", "January", ""], ["Mill", "31", "12"], ["Goose", "27", "9"]]
    table = table_of(rows, id="tab-1", header_rows=2)
    known = TruthTable(
        table_id="T1",
        rows=(("Mill", "31", "12"), ("Goose", "27", "9")),
        header_rows=(("Pond", "Ice in January", "Days"),),
        has_headers=False,
        is_verbatim=False,
    )
    subject = pond(pond_paper(table), pond_truth(tables=(known,)))
    assert [failed(kind, subject) for kind in ("table shape", "table cells", "fill")] == [[], [], []]


def test_a_head_read_in_two_lines_is_a_fault_of_the_headers_and_not_of_the_shape() -> None:
    rows = [["", "Ice in", ""], ["Pond", "January", "Days"], ["Mill", "31", "12"], ["Goose", "27", "9"]]
    table = table_of(rows, id="tab-1", header_rows=2)
    known = TruthTable(
        table_id="T1", rows=(("Mill", "31", "12"), ("Goose", "27", "9")), header_rows=(("Pond", "Ice in January", "Days"),)
    )
    subject = pond(pond_paper(table), pond_truth(tables=(known,)))
    assert [failed(kind, subject) for kind in ("table shape", "table cells", "fill")] == [[], [], []]
    assert the_fault("table headers", subject, Severity.MINOR).detail.endswith("expected 1 header rows, found 2")


def test_other_heads_in_more_lines_are_another_shape() -> None:
    rows = [["", "Snow on", ""], ["Pond", "January", "Days"], ["Mill", "31", "12"], ["Goose", "27", "9"]]
    known = TruthTable(
        table_id="T1", rows=(("Mill", "31", "12"), ("Goose", "27", "9")), header_rows=(("Pond", "Ice in January", "Days"),)
    )
    subject = pond(pond_paper(table_of(rows, id="tab-1", header_rows=2)), pond_truth(tables=(known,)))
    assert "columns 2 not found" in the_fault("table shape", subject).detail


@pytest.mark.parametrize(
    ("kind", "name", "told"),
    [
        ("table", "5e12_table_2", "table 2"),
        ("table", "5e12_table_S1", "table S1"),
        ("table", "5e12_table_2_p5", "table 2, page 5"),
        ("table", "5e12_table_2_p5_t1", "table 2, page 5, place 2"),
        ("table", "5e12_orphan_p3_t0", "table 1 of page 3"),
        ("table", "table_5", "table 5"),
        ("table", "tab-1", "table 1"),
        ("table", "eu-001#2", "table eu-001#2"),
        ("table", "T1", "table T1"),
        ("figure", "fig-3", "figure 3"),
        ("figure", "fig-3-2", "figure 3-2"),
    ],
)
def test_places_are_called_as_people_call_them(kind: str, name: str, told: str) -> None:
    assert called(kind, name, "5e12") == told


def test_notes_that_the_source_sets_as_rows_are_no_lost_rows() -> None:
    table = replace(ice_table(), footnotes=("Frost in italics.",))
    read = TruthTable.from_reading(table)
    known = replace(read, table_id="T1", rows=(*read.rows, ("Frost in italics.", "", "")), footnotes=None, is_verbatim=False)
    assert failed("table shape", pond(pond_paper(table), pond_truth(tables=(known,)))) == []


@plants("dimensions")
def test_a_table_of_one_column_is_seen() -> None:
    list_of_words = table_of([["frost"], ["thaw"], ["rain"]], id="tab-2")
    fault = the_fault("dimensions", pond(pond_paper(ice_table(), list_of_words)))
    assert fault.component == "tab-2"
    truth = replace(TruthTable.from_reading(list_of_words), table_id="T2", page=0)
    both = pond_truth(tables=(*pond_truth().tables, truth))
    assert failed("dimensions", pond(pond_paper(ice_table(), list_of_words), both)) == []


@plants("fill")
def test_a_fill_that_is_not_the_truths_is_seen() -> None:
    table = ice_table()
    wide = replace(table, n_cols=5)
    fault = the_fault("fill", pond(pond_paper(replace(wide, cells=(*table.cells, Cell(row=4, col=4, text="x"))))))
    assert "of the truth" in fault.detail


def sparse_table(*cells: Cell) -> Table:
    edges = {"column_edges": (0.0, 100.0, 200.0, 300.0), "row_edges": (0.0, 20.0, 40.0, 60.0)}
    return replace(table_of([[]], id="tab-1", **edges), n_rows=3, n_cols=3, cells=cells)


def test_a_sparse_table_whose_blanks_are_blank_on_the_page_is_sound() -> None:
    cells = (
        Cell(row=0, col=0, text="a", bbox=Box(10, 5, 30, 15)),
        Cell(row=0, col=1, text="b", bbox=Box(110, 5, 130, 15)),
        Cell(row=1, col=1, text="c", bbox=Box(110, 25, 130, 35)),
        Cell(row=1, col=2, text="d", bbox=Box(210, 25, 230, 35)),
        Cell(row=2, col=0, text="e", bbox=Box(10, 45, 30, 55)),
    )
    subject = pond(pond_paper(sparse_table(*cells)), is_known=False)
    assert failed("fill", subject) == []
    moved = (*cells[:-1], replace(cells[-1], bbox=Box(210, 45, 230, 55)))
    fault = the_fault("fill", pond(pond_paper(sparse_table(*moved)), is_known=False))
    assert "“e” stands in row 3, column 3, which was read as blank" in fault.detail


def test_a_column_read_as_two_is_seen_without_truth() -> None:
    rows = [["Pond", "Ice", None], ["Mill", "31", None], ["Goose", None, "27"], ["Deep", None, "18"], ["Old", "4", None]]
    table = table_of(rows, id="tab-1", header_rows=1)
    wrong = the_fault("fill", pond(pond_paper(replace(table, n_rows=6, n_cols=3)), is_known=False))
    assert "columns 2 and 3 are never filled in the same row" in wrong.detail


@plants("readable cells")
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("3\ufffd1", "U+FFFD"),
        ("\ue0123", "U+E012"),
        ("3\x021", "U+0002"),
        ("\ufb01rst", "ligature"),
        ("(cid:31)", "number of a glyph"),
        ("themeanthicknessoftheiceofthemillpond", "words run together"),
    ],
)
def test_a_cell_that_cannot_be_read_is_seen(text: str, said: str) -> None:
    fault = the_fault("readable cells", pond(pond_paper(with_cell(2, 1, text=text))))
    assert "row 3, column 2" in fault.detail
    assert said in fault.detail


def test_names_tell_places_apart_and_stay() -> None:
    twice = [[a.name for a in judged("table cells", pond())] for _ in range(2)]
    assert twice[0] == twice[1] == ["table T1"]
