"""What is left to do with true tables is found: faults of form, contradictions, and words that the page has otherwise."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from variorum.evaluation.ground_truth import Span, TruthTable
from variorum.evaluation.truth_text import TruthPlace, TruthText, write_truth_text
from variorum.evaluation.truth_workbench_check import KINDS, CheckedTruth, check_truth
from variorum.geometry import Box

ROWS = (("Group", "n", "Mean age"), ("Control", "12", "41.5"), ("Treated", "12", "0.41"))
BOX = Box(70, 90, 400, 170)
TABLE = TruthTable(
    table_id="k_table_1",
    paper="p",
    number="1",
    caption="Table 1. Groups",
    page=1,
    bbox=BOX,
    header_rows=ROWS[:1],
    rows=ROWS[1:],
    footnotes=(),
)


def page_of(folder: Path, rows: Sequence[Sequence[str]] = ROWS, pages: int = 1, rotation: int = 0) -> Path:
    """Return a PDF with the rows on each page, from 72, 110 on, a row every 20 points, a column every 100."""
    import pymupdf

    pdf = pymupdf.open()
    for _ in range(pages):
        page = pdf.new_page(width=595, height=842)
        page.insert_text((72, 60), "Text above the table with 77 words.", fontsize=10)
        for r, row in enumerate(rows):
            for c, text in enumerate(row):
                page.insert_text((72 + 100 * c, 110 + 20 * r), text, fontsize=10)
        page.set_rotation(rotation)
    path = folder / "paper.pdf"
    pdf.save(path)
    return path


def checked(folder: Path, *tables: TruthTable, pdf: Path | None = None, **fields: Any) -> CheckedTruth:
    files = []
    for at, table in enumerate(tables, start=1):
        file = folder / f"table-{at}.truth.txt"
        file.write_text(write_truth_text(TruthText(table=table, **{"is_checked": True, **fields}), []), encoding="utf-8")
        files.append(file)
    return check_truth(files, lambda _: pdf)


def told(result: CheckedTruth) -> list[tuple[str, int, str]]:
    return [(finding.kind, finding.line, finding.what) for finding in result.findings]


# ---- by itself ------------------------------------------------------------------------------------------------------


def test_a_table_that_is_checked_and_agrees_with_its_page_leaves_nothing_to_do(tmp_path: Path) -> None:
    result = checked(tmp_path, TABLE, pdf=page_of(tmp_path))
    assert (result.findings, result.table_count, result.checked_count, result.compared_count) == ((), 1, 1, 1)


def test_a_table_that_nobody_checked_is_named(tmp_path: Path) -> None:
    result = checked(tmp_path, TABLE, is_checked=False)
    assert told(result) == [("unchecked", 0, "is not checked yet")]
    assert result.checked_count == 0


def test_every_slip_of_a_file_is_named_with_its_line(tmp_path: Path) -> None:
    file = tmp_path / "t.truth.txt"
    file.write_text("variorum truth 1\nchecked: yes\ntabel: t\n===\n| \\x |\n| a | b |\n", encoding="utf-8")
    result = check_truth([file], lambda _: None)
    assert [(f.kind, f.line) for f in result.findings] == [("form", 0), ("form", 3), ("form", 6)]
    assert str(result.findings[1]) == f"{file}: line 3: unknown key 'tabel'. To try: did you mean table?"


def test_a_file_that_cannot_be_read_costs_only_itself(tmp_path: Path) -> None:
    (tmp_path / "bad.json").write_text('{"tables": [{"table_id": "t"}]}', encoding="utf-8")
    (tmp_path / "latin.truth.txt").write_bytes(b"variorum truth 1\n\xff")
    (tmp_path / "good.json").write_text(json.dumps([TABLE.to_dict()]), encoding="utf-8")
    result = check_truth([tmp_path / n for n in ("bad.json", "latin.truth.txt", "good.json", "gone.json")], lambda _: None)
    assert [finding.kind for finding in result.findings] == ["form"] * 3
    assert result.findings[0].what == "tables[0].rows: the key 'rows' is missing"
    assert result.table_count == 1


@pytest.mark.parametrize(
    ("change", "kind", "what"),
    [
        ({"table_id": ""}, "form", "has no id behind table:"),
        ({"page": 0}, "place", "has a box and no page"),
        ({"number": "2"}, "number", "is number 2, and its caption says 1"),
        ({"rows": (("", "", ""), *ROWS[1:])}, "blank", "row 2 is blank"),
        ({"header_rows": (("a", "", "b"),), "rows": (("c", "", "d"),)}, "blank", "column 2 is blank"),
        ({"header_rows": (("", "", ""),), "rows": ()}, "blank", "has no text in any cell"),
    ],
)
def test_what_is_wrong_with_a_table_is_said(tmp_path: Path, change: dict[str, Any], kind: str, what: str) -> None:
    result = checked(tmp_path, replace(TABLE, **change))
    assert [(finding.kind, finding.what) for finding in result.findings] == [(kind, what)]


def test_a_row_that_a_span_covers_is_not_blank(tmp_path: Path) -> None:
    spanned = replace(TABLE, header_rows=(("a", ""), ("", "")), rows=(("1", "2"),), spans=(Span(0, 0, 2, 2),))
    assert checked(tmp_path, spanned).findings == ()


def test_a_caption_with_another_label_says_nothing_of_the_number(tmp_path: Path) -> None:
    assert checked(tmp_path, replace(TABLE, caption="Outcomes 7 days later", number="3")).findings == ()


def test_two_tables_of_one_id_or_number_are_told(tmp_path: Path) -> None:
    result = checked(tmp_path, TABLE, TABLE, replace(TABLE, paper="q"))
    assert told(result) == [
        ("double", 0, "has the id k_table_1 of table-1.truth.txt"),
        ("double", 0, "has the number 1 of table-1.truth.txt"),
    ]


# ---- against the page -----------------------------------------------------------------------------------------------


def test_a_wrong_figure_is_told_with_its_line_and_what_the_page_has(tmp_path: Path) -> None:
    wrong = replace(TABLE, rows=(("Control", "12", "42.5"), ROWS[2]))
    assert told(checked(tmp_path, wrong, pdf=page_of(tmp_path))) == [
        ("words", 0, "in no cell, and inside the box on page 1: “41.5”"),
        ("words", 12, "row 2, column 3: not inside the box on page 1: “42.5”"),
    ]


def test_a_figure_that_stands_elsewhere_in_the_table_is_no_excuse(tmp_path: Path) -> None:
    wrong = replace(TABLE, rows=(("Control", "12", "0.41"), ROWS[2]))
    assert [what for _, _, what in told(checked(tmp_path, wrong, pdf=page_of(tmp_path)))] == [
        "in no cell, and inside the box on page 1: “41.5”",
        "row 3, column 3: not inside the box on page 1: “0.41”",
    ]


def test_a_row_that_was_left_out_and_words_from_outside_the_box_are_told(tmp_path: Path) -> None:
    wrong = replace(TABLE, rows=(("Control 77", "12", "41.5"),))
    assert [what for _, _, what in told(checked(tmp_path, wrong, pdf=page_of(tmp_path)))] == [
        "in no cell, and inside the box on page 1: “Treated”, “12”, “0.41”",
        "row 2, column 1: not inside the box on page 1: “77”",
    ]


def test_ligatures_dashes_and_words_divided_at_a_line_end_decide_nothing(tmp_path: Path) -> None:
    pdf = page_of(tmp_path, [("Group", "pre-", "5 - 7"), ("fin", "trained and eval-", "x"), ("", "uation", "")])
    table = replace(TABLE, header_rows=(), rows=(("Group", "pre-trained and evaluation", "5–7"), ("ﬁn", "", "x")))
    assert checked(tmp_path, table, pdf=pdf).findings == ()


def test_accepted_words_are_not_asked_for_again(tmp_path: Path) -> None:
    wrong = replace(TABLE, rows=(("Control", "12", "42.5"), ROWS[2]))
    assert checked(tmp_path, wrong, pdf=page_of(tmp_path), accepted=("42.5", "41.5")).findings == ()


def test_caption_and_notes_inside_the_box_belong_to_the_table(tmp_path: Path) -> None:
    table = replace(TABLE, bbox=Box(70, 40, 400, 170), footnotes=("Text above the table with 77 words.",))
    assert checked(tmp_path, table, pdf=page_of(tmp_path)).findings == ()


def test_a_header_repeated_on_the_next_page_is_none_too_many(tmp_path: Path) -> None:
    table = replace(TABLE, rows=(*ROWS[1:], *ROWS[1:]))
    pdf = page_of(tmp_path, pages=2)
    assert checked(tmp_path, table, pdf=pdf, continues=(TruthPlace(2, BOX),)).findings == ()
    assert checked(tmp_path, table, pdf=pdf).findings != ()


def test_boxes_are_those_of_the_page_as_displayed(tmp_path: Path) -> None:
    pdf = page_of(tmp_path, rotation=90)
    sideways = replace(TABLE, bbox=Box(842 - 170, 70, 842 - 90, 400))
    assert checked(tmp_path, sideways, pdf=pdf).findings == ()


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ({"page": 3}, "is on page 3; paper.pdf has 1"),
        ({"bbox": None}, "does not say where it stands: its words were not looked for"),
        ({"bbox": Box(900, 90, 950, 170)}, "its box lies outside page 1 (595 × 842 points)"),
    ],
)
def test_a_place_that_is_not_on_the_pdf_is_told(tmp_path: Path, change: dict[str, Any], what: str) -> None:
    result = checked(tmp_path, replace(TABLE, **change), pdf=page_of(tmp_path))
    assert told(result) == [("place", 0, what)]
    assert result.compared_count == 0


def test_a_box_without_text_is_not_taken_for_agreement(tmp_path: Path) -> None:
    result = checked(tmp_path, replace(TABLE, bbox=Box(70, 500, 400, 600)), pdf=page_of(tmp_path))
    assert [what.partition(":")[0] for _, _, what in told(result)] == ["paper.pdf has no text inside the box on page 1"]


def test_a_long_list_of_words_is_cut_and_counted(tmp_path: Path) -> None:
    table = replace(TABLE, rows=((" ".join(f"w{n}" for n in range(20)), "12 12", "41.5"), ROWS[2]))
    (finding,) = (f for f in checked(tmp_path, table, pdf=page_of(tmp_path)).findings if "column 1" in f.what)
    assert finding.what.count("“") == 12
    assert finding.what.endswith("and 8 more")


def test_a_table_of_several_in_a_file_is_named(tmp_path: Path) -> None:
    file = tmp_path / "truth.json"
    file.write_text(json.dumps([TABLE.to_dict(), {**TABLE.to_dict(), "table_id": "other"}]), encoding="utf-8")
    (finding,) = check_truth([file], lambda _: None).findings
    assert str(finding).startswith(f"{file}: other: has the number 1 of truth.json")


def test_every_kind_of_finding_is_told_apart() -> None:
    assert list(KINDS) == ["form", "unchecked", "double", "place", "blank", "number", "words"]
