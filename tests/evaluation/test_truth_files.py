"""Truth from files: what is read, and that every fault names its file and place."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.document.document_samples import document_of, provenance, spanned_table, table_of
from variorum.document import Document, Notice, PageInfo, Provenance
from variorum.errors import DamagedInputError, InputNotFoundError, SchemaError, UsageError, VariorumError
from variorum.evaluation.ground_truth import (
    Span,
    TruthTable,
    compare_extraction,
    load_truth,
    make_table_id,
    pair_tables,
    truth_of_paper,
)
from variorum.evaluation.pairing import is_truth_of, truths_read
from variorum.geometry import Box

PLAIN: dict[str, Any] = {"table_id": "t1", "headers": ["a", "b"], "rows": [["1", "2"]]}


def written(folder: Path, data: object, name: str = "truth.json") -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(data if isinstance(data, str) else json.dumps(data), encoding="utf-8")
    return path


# ---- the project's own form -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("data", [PLAIN, [PLAIN], {"tables": [PLAIN]}])
def test_one_table_a_list_and_an_object_are_read(tmp_path: Path, data: object) -> None:
    (table,) = load_truth(written(tmp_path, data))
    assert (table.headers, table.rows, table.footnotes) == (("a", "b"), (("1", "2"),), None)


def test_paper_of_the_file_counts_for_its_tables(tmp_path: Path) -> None:
    data = {"paper": "p", "tables": [PLAIN, {**PLAIN, "table_id": "t2", "paper": "q"}]}
    assert [t.paper for t in load_truth(written(tmp_path, data))] == ["p", "q"]


def test_what_is_written_is_read_back() -> None:
    table = TruthTable(
        table_id="t",
        header_rows=(("", "x", ""), ("", "n", "%")),
        rows=(("a", "1", "2"),),
        spans=(Span(0, 1, 1, 2),),
        footnotes=("n",),
        page=3,
        bbox=Box(1, 2, 3, 4),
        paper="p",
    )
    assert TruthTable.from_dict(json.loads(json.dumps(table.to_dict()))) == table


@pytest.mark.parametrize(
    ("change", "where"),
    [
        ({"rows": [["1"]]}, "rows[0]"),
        ({"rows": "1"}, "rows"),
        ({"rows": [["1", 2]]}, "rows[0][1]"),
        ({"headers": "a"}, "headers"),
        ({"headers": ["a"], "header_rows": [["a"]]}, "headers"),
        ({"spans": [[0, 0, 1]]}, "spans[0]"),
        ({"spans": [[0, 0, 1, 3]]}, "spans[0]"),
        ({"spans": [[0, 0, 1, 2], [0, 1, 2, 1]]}, "spans[1]"),
        ({"spans": [[-1, 0, 1, 1]]}, "spans[0]"),
        ({"page": "1"}, "page"),
        ({"bbox": [1, 2, 3]}, "bbox"),
        ({"bbox": [1, 2, 3, "4"]}, "bbox"),
        ({"footnotes": 3}, "footnotes"),
        ({"colour": "red"}, "colour"),
        ({"has_headers": 1}, "has_headers"),
    ],
)
def test_fault_is_named_by_file_and_path(tmp_path: Path, change: dict[str, Any], where: str) -> None:
    path = written(tmp_path, [PLAIN, {**PLAIN, **change}])
    with pytest.raises(SchemaError) as error:
        load_truth(path)
    assert error.value.where == f"{path}: [1].{where}"


def test_missing_key_is_named(tmp_path: Path) -> None:
    with pytest.raises(SchemaError, match="'rows' is missing"):
        load_truth(written(tmp_path, {"table_id": "t"}))


@pytest.mark.parametrize("data", ["{", "", "{}", "null", '{"table": []}', '{"tables": 3}', "3", "[1]", "[" * 100_000])
def test_file_that_is_no_truth_is_refused(tmp_path: Path, data: str) -> None:
    path = written(tmp_path, data)
    with pytest.raises(VariorumError) as error:
        load_truth(path)
    assert str(path) in error.value.where
    assert error.value.hint.startswith("a table is {")


def test_text_that_is_not_utf8_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "truth.json"
    path.write_bytes(b'{"table_id": "\xff"}')
    with pytest.raises(DamagedInputError, match="byte 14"):
        load_truth(path)


def test_missing_file_and_empty_folder_are_refused(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "none.json"):
        with pytest.raises(InputNotFoundError, match="To try: "):
            load_truth(path)
    with pytest.raises(UsageError):
        load_truth(written(tmp_path, PLAIN), grade="fair")


# ---- truth with cells -----------------------------------------------------------------------------------------------

CELLS: dict[str, Any] = {
    "id": "T1",
    "page": 2,
    "bbox": [1, 2, 3, 4],
    "n_rows": 2,
    "n_cols": 2,
    "header_rows": 1,
    "caption": "Table 1",
    "cells": [
        {"row": 0, "col": 0, "rowspan": 1, "colspan": 2, "text": "h"},
        {"row": 1, "col": 0, "rowspan": 1, "colspan": 1, "text": "a"},
        {"row": 1, "col": 1, "rowspan": 1, "colspan": 1, "text": "b"},
    ],
    "exact": True,
}


def test_cells_become_rows_and_spans(tmp_path: Path) -> None:
    (table,) = load_truth(written(tmp_path, {"id": "p", "tables": [CELLS, {**CELLS, "exact": False}]}))
    assert (table.header_rows, table.rows, table.spans) == ((("h", ""),), (("a", "b"),), ((0, 0, 1, 2),))
    assert (table.paper, table.page, table.bbox, table.caption) == ("p", 2, Box(1, 2, 3, 4), "Table 1")
    assert (table.has_headers, table.is_verbatim) == (False, False)
    assert len(load_truth(tmp_path / "truth.json", grade="any")) == 2


@pytest.mark.parametrize(
    ("cell", "where"),
    [
        ({"row": 2}, "cells[1]"),
        ({"row": 0}, "cells[1]"),
        ({"row": -1}, "cells[1].row"),
        ({"colspan": 0}, "cells[1].colspan"),
        ({"text": None}, "cells[1].text"),
        ({"row": True}, "cells[1].row"),
    ],
)
def test_faulty_cell_is_named(tmp_path: Path, cell: dict[str, Any], where: str) -> None:
    cells = [CELLS["cells"][0], {**CELLS["cells"][1], **cell}]
    path = written(tmp_path, {"id": "p", "tables": [{**CELLS, "cells": cells}]})
    with pytest.raises(SchemaError) as error:
        load_truth(path)
    assert error.value.where == f"{path}: tables[0].{where}"


@pytest.mark.parametrize("key", ["n_rows", "n_cols"])
def test_more_rows_or_columns_than_a_table_can_have_are_a_slip_that_is_named(tmp_path: Path, key: str) -> None:
    path = written(tmp_path, {"id": "p", "tables": [{**CELLS, key: 10**11}]})
    with pytest.raises(SchemaError, match="has 100000000000 ") as error:
        load_truth(path)
    assert error.value.where == f"{path}: tables[0]"


def test_folder_of_papers_is_read_in_order(tmp_path: Path) -> None:
    for name in ("b", "a"):
        written(tmp_path, {"id": name, "tables": [CELLS]}, f"{name}/truth.json")
    assert [t.paper for t in load_truth(tmp_path)] == ["a", "b"]


# ---- ICDAR-2013 -----------------------------------------------------------------------------------------------------

STRUCTURE = """<?xml version="1.0" encoding="UTF-8"?>
<document filename="x"><table id="1"><region id="1" page="2" col-increment="0" row-increment="0">
<cell id="1" start-row="3" start-col="1" end-col="2"><content>head</content></cell>
<cell id="2" start-row="4" start-col="1"><content>a</content></cell></region>
<region id="2" page="2" col-increment="1" row-increment="0">
<cell id="3" start-row="4" start-col="1"><content>b</content></cell></region></table></document>"""
REGIONS = """<document><table id="1"><region id="1" page="2"><bounding-box x1="10" y1="100" x2="50" y2="300"/></region>
<region id="2" page="2"><bounding-box x1="50" y1="90" x2="70" y2="300"/></region></table></document>"""


def test_competition_xml_is_read_with_its_regions(tmp_path: Path) -> None:
    path = written(tmp_path, STRUCTURE, "x-str.xml")
    (bare,) = load_truth(path)
    assert bare.all_rows == (("head", ""), ("a", "b"))
    assert (bare.spans, bare.page, bare.bbox, bare.paper) == (((0, 0, 1, 2),), 2, None, "x")
    written(tmp_path, REGIONS, "x-reg.xml")
    written(tmp_path, {"x": {"2": [600, 800, 0]}}, "pages.json")
    (placed,) = load_truth(tmp_path)
    assert placed.bbox == Box(10, 500, 70, 710)


@pytest.mark.parametrize(
    "text",
    [
        "<document",
        "<document><table/></document>",
        STRUCTURE.replace('start-row="3"', 'start-row="x"'),
        STRUCTURE.replace('end-col="2"', 'end-col="0"'),
        '<!DOCTYPE d [<!ENTITY a "aa">]>' + STRUCTURE.split("?>", 1)[1],
    ],
)
def test_faulty_xml_is_refused_with_its_file(tmp_path: Path, text: str) -> None:
    path = written(tmp_path, text, "x-str.xml")
    with pytest.raises(VariorumError) as error:
        load_truth(path)
    assert str(path) in error.value.where


def test_xml_of_another_name_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        load_truth(written(tmp_path, STRUCTURE, "x.xml"))


# ---- from readings, pairs, ids --------------------------------------------------------------------------------------


def test_reading_becomes_the_same_form() -> None:
    table = spanned_table(header_rows=2, footnotes=("n",))
    same = TruthTable.from_reading(table)
    assert same.headers == tuple(table.headers())
    assert [list(row) for row in same.rows] == table.data_rows()
    assert (same.table_id, same.page, same.footnotes) == (table.id, 7, ("n",))
    assert compare_extraction(same, table).is_perfect


def test_blank_rows_and_columns_go_and_spans_follow() -> None:
    table = TruthTable(table_id="t", rows=(("", "", ""), ("", "x", ""), ("", "a", "b")), spans=(Span(1, 1, 1, 2),))
    kept = table.without_blanks()
    assert (kept.rows, kept.spans) == ((("x", ""), ("a", "b")), (Span(0, 0, 1, 2),))


def test_tables_are_paired_by_id_then_content_then_place() -> None:
    tables = [
        table_of([["x", "y"]], id="other"),
        table_of([["a", "b"]], id="t1"),
        table_of([["q"]], id="placed", provenance=Provenance(source="pdf", method="m", page_num=7, bbox=Box(0, 0, 10, 10))),
    ]
    truths = [
        TruthTable(table_id="content", rows=(("x", "z"),), page=7),
        TruthTable(table_id="t1", rows=(("x", "y"),), page=7),
        TruthTable(table_id="place", rows=(("r",),), page=7, bbox=Box(5, 0, 15, 10)),
        TruthTable(table_id="elsewhere", rows=(("x", "y"),), page=8),
    ]
    assert pair_tables(truths, tables) == {0: 0, 1: 1, 2: 2}


def test_true_table_on_a_page_that_was_not_read_is_left_out() -> None:
    def of(*pages: int, **more: object) -> Document:
        infos = tuple(PageInfo(page_num=n, width=612, height=792) for n in pages)
        return document_of(table_of([["a", "b"]], id="t7"), page_count=9, pages=infos, **more)

    truths = [TruthTable(table_id=i, rows=(), page=p) for i, p in (("t3", 3), ("t4", 4), ("t0", 0), ("t7", 4))]
    assert [t.table_id for t in truths_read(truths, of(3, 7))] == ["t3", "t7"]
    lost = (Notice(severity="error", what="the page could not be read", page_num=4),)
    assert [t.table_id for t in truths_read(truths, of(3, 7, notices=lost))] == ["t3", "t4", "t7"]
    assert truths_read(truths, of(*range(1, 10))) == tuple(truths)


def test_truth_of_another_paper_is_told_by_its_words() -> None:
    read = document_of(table_of([["Drug", "Mean dose"], ["Alpha", "1.5"]], id="x"), page_count=9)
    right = TruthTable(table_id="1", rows=(("Drug", "Mean"), ("Alpha", "1.5")), page=7)
    other = TruthTable(table_id="2", rows=(("City", "Mean dose"), ("Rome", "Milan")), page=7)
    assert is_truth_of([right], read)
    assert is_truth_of([other, right], read)
    assert not is_truth_of([other], read)
    assert not is_truth_of([], read)


def test_truth_of_one_paper_is_picked_by_name() -> None:
    truths = [TruthTable(table_id=p, rows=(), paper=p) for p in ("a", "b", "")]
    assert [t.paper for t in truth_of_paper(truths, "b", "key")] == ["b", ""]
    assert truth_of_paper(truths[:1], "x") == tuple(truths[:1])


def test_table_ids_are_those_of_the_document() -> None:
    assert make_table_id("KEY", "1", 3, 0) == "KEY_table_1"
    assert provenance().page_num == 7


# ---- with the corpus ------------------------------------------------------------------------------------------------


@pytest.mark.corpus
@pytest.mark.parametrize(("folder", "count"), [("papers", 90), ("icdar2013-eu", 77)])
def test_truth_of_the_corpus_is_perfect_against_itself(corpus: Path, folder: str, count: int) -> None:
    truths = load_truth(corpus / folder)
    assert len(truths) == count
    for truth in truths:
        result = compare_extraction(truth, truth)
        assert result.is_perfect
        assert (result.cell_accuracy_pct, result.structural_coverage_pct, result.score_pct) == (100.0, 100.0, 100.0)


# ---- the page about it ----------------------------------------------------------------------------------------------


def test_example_of_the_reference_page_is_read() -> None:
    page = (Path(__file__).resolve().parents[2] / "docs" / "reference" / "true-tables.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"```json\n(.*?)```", page, re.DOTALL)
    table = TruthTable.from_dict(json.loads(example))
    assert table.headers == ("Group", "Outcome n", "Outcome %")
    assert compare_extraction(table, table).is_perfect


def test_error_of_the_reference_page_is_what_is_said(tmp_path: Path) -> None:
    tables = [PLAIN, PLAIN, {"table_id": "t", "rows": [["1"] * 6] * 4 + [["1"] * 5]}]
    path = written(tmp_path, {"tables": tables})
    with pytest.raises(SchemaError) as error:
        load_truth(path)
    said = f"tables[2].rows[4]: has 5 cells, the first row 6. To try: {error.value.hint}"
    assert str(error.value) == f"{path}: {said}"
    assert said in (Path(__file__).resolve().parents[2] / "docs" / "reference" / "true-tables.md").read_text(encoding="utf-8")
