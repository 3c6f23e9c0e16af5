"""Claims about the summary: a line a table, every column whole but the caption, which is cut to fit."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from variorum.apps.cli.summary import summarise_tables, summary_as_data, summary_as_text
from variorum.document import Caption, Completeness, Document, Gap, PageInfo, Provenance, Table
from variorum.geometry import Box


def document(*captions: str, number: str | None = "1") -> Document:
    tables = tuple(
        Table(
            id=f"t{i}",
            n_rows=5,
            n_cols=4,
            cells=(),
            provenance=Provenance(source="pdf", method="consensus:word_assignment", page_num=i),
            number=number,
            caption=Caption(text=text, label="Table", number=number, page_num=i, bbox=Box(0, 0, 1, 1)) if text else None,
        )
        for i, text in enumerate(captions, start=1)
    )
    page = PageInfo(page_num=1, width=595, height=842)
    return Document(key="K", source_name="a.pdf", sha256="0" * 64, page_count=1, pages=(page,), tables=tables)


def lines(paper: Document) -> list[str]:
    return summary_as_text(Path("a.pdf"), Path("a.variorum"), paper, ["report.html"]).splitlines()


def test_says_what_where_and_how_much() -> None:
    first, heading, _, row, last = lines(document("Table 1. Results."))
    assert first == "a.pdf: 1 table on 1 page, written to a.variorum"
    assert heading.split() == ["table", "page", "shape", "caption", "winner", "agreement"]
    assert row.split() == ["1", "1", "5×4", "Table", "1.", "Results.", "consensus:word_assignment"]
    assert last == f"report: {Path('a.variorum/report.html')}"


def test_table_without_number_has_its_position() -> None:
    assert [line.split()[0] for line in lines(document("", "", number=None))[3:5]] == ["#1", "#2"]


@pytest.mark.parametrize("caption", ["word " * 100, "表" * 200, "e\u0301" * 300, "a\nb\tc"])
def test_only_the_caption_gives_way(caption: str) -> None:
    from rich.cells import cell_len

    _, heading, rule, row, _ = lines(document(caption))
    assert row.rstrip().endswith("consensus:word_assignment")
    assert cell_len(row) <= cell_len(rule) <= 120
    assert cell_len(heading) <= 120


def test_signs_that_a_terminal_acts_on_are_shown_as_escapes() -> None:
    paper = document("Table 1. \x1b[31mRed\x07")
    text = summary_as_text(Path("new\nline\udcff.pdf"), Path("out"), paper, [])
    assert text.splitlines()[0] == "new\\nline\\udcff.pdf: 1 table on 1 page, written to out"
    assert "Table 1. \\x1b[31mRed\\x07" in text


def test_paper_without_tables_has_one_line_and_the_report() -> None:
    assert lines(document()) == [
        "a.pdf: no tables on 1 page, written to a.variorum",
        f"report: {Path('a.variorum/report.html')}",
    ]


def test_summary_of_a_table_names_its_files() -> None:
    (item,) = summarise_tables(document("Table 1. Results."))
    assert (item.file, item.position, item.winner, item.agreement) == ("table-1", 1, "consensus:word_assignment", None)


def test_grade_and_its_reasons_stand_below_the_tables_each_on_one_line() -> None:
    reasons = ("C: Table 2 is left out before Table 3.", "B: 40 of 90 mentions lead nowhere: " + "Section 12, " * 40)
    paper = replace(document(), completeness=Completeness(grade="C", reasons=reasons))
    first, second = lines(paper)[1:3]
    assert first == "completeness C: Table 2 is left out before Table 3."
    assert second.startswith("completeness B: 40 of 90 mentions lead nowhere: Section 12, ")
    assert second.endswith("…")
    assert len(second) == 120


def test_data_of_the_summary_have_the_gaps() -> None:
    gap = Gap(kind="numbering", what="Table 2 is left out before Table 3", page_num=4)
    found = Completeness(grade="C", reasons=("C: Table 2 is left out before Table 3.",), gaps=(gap,))
    data = summary_as_data(Path("a.pdf"), Path("a.variorum"), replace(document(), completeness=found), [])
    assert data["completeness"] == {
        "grade": "C",
        "reasons": ("C: Table 2 is left out before Table 3.",),
        "gaps": ({"kind": "numbering", "what": "Table 2 is left out before Table 3", "page_num": 4, "component": None},),
    }
    assert summary_as_data(Path("a.pdf"), Path("a.variorum"), document(), [])["completeness"] is None


def test_list_of_contents_is_shown_and_not_counted() -> None:
    paper = document("Table 1. Results.", "")
    listed = replace(paper, tables=(paper.tables[0], replace(paper.tables[1], artifact="contents_list")))
    shown = lines(listed)
    assert shown[0] == "a.pdf: 1 table, 1 contents list on 1 page, written to a.variorum"
    assert "(contents list)" in shown[4]
