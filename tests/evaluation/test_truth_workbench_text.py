"""A true table as text: what a person sees, what survives, and what is said of a slip."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from variorum.errors import SchemaError, UsageError
from variorum.evaluation.ground_truth import Span, TruthTable, load_truth
from variorum.evaluation.truth_text import TruthPlace, TruthText, parse_truth_text, read_truth_text, write_truth_text
from variorum.geometry import Box

TABLE = TruthTable(
    table_id="5SIZVS65_table_2",
    paper="smith-2020",
    number="2",
    caption="Table 2. Outcomes by group",
    page=3,
    bbox=Box(72, 100.5, 523.2, 220.1),
    header_rows=(("Group", "Outcome", ""), ("", "n", "%")),
    rows=(("Control", "12", "40"), ("Treatment", "18", "60")),
    spans=(Span(0, 0, 2, 1), Span(0, 1, 1, 2)),
    footnotes=("Percentages of all patients.",),
)
TEXT = """\
variorum truth 1
# compare
checked:  no
table:    5SIZVS65_table_2
paper:    smith-2020
page:     3
bbox:     72 100.5 523.2 220.1
number:   2
caption:  Table 2. Outcomes by group

| Group     | Outcome | <  |
| ^         | n       | %  |
============================
| Control   | 12      | 40 |
| Treatment | 18      | 60 |

note:     Percentages of all patients.
"""


def truth(table: TruthTable = TABLE, **fields: Any) -> TruthText:
    return TruthText(table=table, **{"is_checked": False, **fields})


def edited(old: str, new: str) -> str:
    assert TEXT.count(old) == 1
    return TEXT.replace(old, new)


def written_and_read(text: TruthText) -> TruthText:
    return read_truth_text(write_truth_text(text), "t.truth.txt")


# ---- what is written ------------------------------------------------------------------------------------------------


def test_the_text_is_the_table_as_a_person_sees_it() -> None:
    assert write_truth_text(truth(), ["compare"]) == TEXT
    assert read_truth_text(TEXT, "t") == truth()


def test_wide_signs_and_accents_do_not_push_the_bars() -> None:
    table = TruthTable(table_id="t", rows=(("表格", "1"), ("é", "2"), ("e\u0301", "3"), ("abcd", "4")))
    rows = [line for line in write_truth_text(truth(table)).splitlines() if line.startswith("|")]
    assert rows == ["| 表格 | 1 |", "| é    | 2 |", "| e\u0301    | 3 |", "| abcd | 4 |"]


def test_a_wide_table_has_a_cell_a_line() -> None:
    long = " ".join(["word"] * 60)
    table = TruthTable(table_id="t", header_rows=(("a", "b"),), rows=((long, "1"), ("", "")))
    text = write_truth_text(truth(table))
    assert max(map(len, text.splitlines())) < 130
    assert "\n| a\n  | b |\n====" in text
    assert read_truth_text(text, "t").table == table


# ---- what survives --------------------------------------------------------------------------------------------------

NASTY = ("", " ", "|", "\\", "<", "^", "\\<", "a|b", '"', "'", "\n", "a\n\nb", "\t", "\r", " a ", "a  b", "# no remark", "===")
CELLS = st.one_of(st.sampled_from(NASTY), st.text(max_size=12), st.text("ab |\\<^\n/{}#=:", max_size=300))
POINTS = st.floats(-1e4, 1e4, allow_nan=False)


@st.composite
def tables(draw: st.DrawFn) -> TruthTable:
    n_rows, n_cols = draw(st.integers(0, 5)), draw(st.integers(1, 5))
    rows = [[draw(CELLS) for _ in range(n_cols)] for _ in range(n_rows)]
    spans: list[Span] = []
    taken: set[tuple[int, int]] = set()
    for r in range(n_rows):
        for c in range(n_cols):
            down, right = draw(st.integers(1, n_rows - r)), draw(st.integers(1, n_cols - c))
            covered = {(r + i, c + j) for i in range(down) for j in range(right)}
            if len(covered) > 1 and not covered & taken and draw(st.booleans()):
                taken |= covered
                spans.append(Span(r, c, down, right))
                for i, j in covered - {(r, c)}:
                    rows[i][j] = ""
    heads = draw(st.integers(0, n_rows))
    kept = tuple(map(tuple, rows))
    corners = sorted(draw(st.lists(POINTS, min_size=2, max_size=2))), sorted(draw(st.lists(POINTS, min_size=2, max_size=2)))
    return TruthTable(
        table_id=draw(CELLS),
        paper=draw(CELLS),
        number=draw(CELLS),
        caption=draw(CELLS),
        page=draw(st.integers(0, 999)),
        bbox=draw(st.sampled_from([None, Box(corners[0][0], corners[1][0], corners[0][1], corners[1][1])])),
        header_rows=kept[:heads],
        rows=kept[heads:],
        spans=tuple(spans),
        footnotes=draw(st.none() | st.lists(CELLS, max_size=2).map(tuple)),
        has_headers=draw(st.booleans()),
        is_verbatim=draw(st.booleans()),
    )


@given(tables(), st.booleans(), st.lists(st.sampled_from(["w", "|", "\\", "\u2028x", "<"]), max_size=3))
def test_every_table_comes_back_as_it_was(table: TruthTable, is_checked: bool, accepted: list[str]) -> None:
    text = TruthText(table=table, is_checked=is_checked, accepted=tuple(accepted))
    assert written_and_read(text) == text


@given(tables())
def test_editors_may_change_line_ends_and_ends_of_lines(table: TruthTable) -> None:
    lines = write_truth_text(truth(table)).split("\n")
    assert read_truth_text("\r\n".join(lines), "t").table == table
    assert read_truth_text("\n".join(line.rstrip() for line in lines).rstrip(), "t").table == table


@given(st.text(max_size=300))
def test_any_text_is_a_truth_or_has_faults_with_lines(body: str) -> None:
    text = f"variorum truth 1\nchecked: no\ntable: t\n{body}"
    found, faults = parse_truth_text(text)
    assert (found is None) == bool(faults)
    assert all(0 <= fault.line <= text.count("\n") + 1 and fault.what for fault in faults)


def test_places_of_parts_and_accepted_words_come_back() -> None:
    text = truth(continues=(TruthPlace(4, Box(1, 2, 3, 4.25)), TruthPlace(5, Box(0, 0, 1, 1))), accepted=("x²", "ﬁ"))
    assert written_and_read(text) == text
    assert [place.page for place in text.places] == [3, 4, 5]


def test_text_under_a_span_cannot_be_written() -> None:
    with pytest.raises(SchemaError, match=r"spans\[0\]: covers the text 'x'"):
        write_truth_text(truth(TruthTable(table_id="t", rows=(("a", "x"),), spans=(Span(0, 0, 1, 2),))))


# ---- what a person may write ----------------------------------------------------------------------------------------


def test_a_row_needs_no_alignment_and_no_last_bar() -> None:
    assert read_truth_text(edited("| Control   | 12      | 40 |", "|Control|12 |40"), "t") == truth()


def test_a_long_line_may_go_on_indented() -> None:
    assert read_truth_text(edited("Outcomes by group", "Outcomes\n    by group"), "t") == truth()
    assert read_truth_text(edited("| Control   | 12      | 40 |", "| Control\n  | 12\n  | 40"), "t") == truth()


def test_a_cell_of_two_rows_and_columns_is_marked_either_way() -> None:
    for below in ("| ^ | ^ | c |", "| ^ | < | c |"):
        table = read_truth_text(f"variorum truth 1\nchecked: yes\ntable: t\n===\n| a | < | b |\n{below}\n", "t").table
        assert (table.rows, table.spans) == ((("a", "", "b"), ("", "", "c")), (Span(0, 0, 2, 2),))


def test_what_is_not_said_is_not_known() -> None:
    text = read_truth_text("variorum truth 1\nchecked: yes\ntable: t\n===\n| a |", "t")
    assert (text.table.page, text.table.bbox, text.table.footnotes, text.table.header_rows) == (0, None, None, ())


# ---- slips ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("variorum truth 1", "variorum truth 7", "t: line 1: does not begin with 'variorum truth 1'"),
        ("checked:  no\n", "", "t: has no line checked:"),
        ("checked:  no", "checked: maybe", "t: line 3: checked: must be yes or no, not 'maybe'"),
        ("number:   2", "numbr: 2", "t: line 8: unknown key 'numbr'. To try: did you mean number?"),
        ("number:   2", "page: 2", "t: line 8: page stands twice, first in line 6"),
        ("number:   2", "two", "t: line 8: is none of the lines of a truth: 'two'"),
        ("page:     3", "page: iii", "t: line 6: page: must be a whole number from 1 up, not 'iii'"),
        ("72 100.5 523.2 220.1", "72 100.5 523.2", "t: line 7: bbox: must be four numbers"),
        ("72 100.5 523.2 220.1", "72 100.5 20 220.1", "t: line 7: bbox: must be four numbers"),
        ("72 100.5 523.2 220.1", "72 nan 523.2 220.1", "t: line 7: bbox: must be four numbers"),
        ("============================\n", "", "t: line 11: no line of === in the grid"),
        ("| 18      | 60 |", "| 18 | 60 |\n====", "t: line 16: a second line of ==="),
        ("| 18      | 60 |", "| 18 |", "t: line 15: has 2 cells, most rows have 3. To try: 3 cells, each between two |"),
        ("| 18      | 60 |", "| 18|9 | 60 |", "t: line 15: has 4 cells, most rows have 3"),
        ("| 18      | 60 |", "| \\alpha | 60 |", "t: line 15: column 2: '\\\\a' is no escape. To try: \\\\ for a backslash"),
        ("| 18      | 60 |", "| \\{FFFFFF} | 60 |", "t: line 15: column 2: \\{FFFFFF} is no character"),
        ("| Group     |", "| ^         |", "t: line 11: ^ in the first row: nothing stands above it"),
        ("| Control   |", "| <         |", "t: line 14: < in the first column: nothing stands to its left"),
        ("| n       | %  |", "| ^       | %  |", "t: line 12: column 3: '%' stands in a hole of the cell 'Outcome' of line 11"),
        ("note:     Per", "notes: none\nnote: Per", "t: line 17: says notes: and has a note:"),
        ("Percentages of", "Percentages \\of", "t: line 17: '\\\\o' is no escape"),
    ],
)
def test_a_slip_is_told_with_its_line(old: str, new: str, message: str) -> None:
    with pytest.raises(SchemaError) as caught:
        read_truth_text(edited(old, new), "t")
    assert str(caught.value).startswith(message)


def test_a_slip_in_a_row_of_several_lines_has_the_line_of_its_cell() -> None:
    with pytest.raises(SchemaError, match="t: line 16: column 3"):
        read_truth_text(edited("| Control   | 12      | 40 |", "| Control\n  | 12\n  | \\x"), "t")


def test_all_slips_of_a_file_are_found_at_once() -> None:
    text = edited("page:     3", "page: x").replace("| 60 |", "|").replace("number:", "nummer:")
    found, faults = parse_truth_text(text)
    assert found is None
    assert [fault.line for fault in faults] == [6, 8, 15]


# ---- as truth of an extraction --------------------------------------------------------------------------------------


def test_truth_is_loaded_from_text_files_that_were_checked(tmp_path: Path) -> None:
    (tmp_path / "table-1.truth.txt").write_text(TEXT.replace("checked:  no", "checked: yes"), encoding="utf-8")
    (tmp_path / "table-2.truth.txt").write_text(TEXT.replace("_table_2", "_table_3"), encoding="utf-8")
    assert load_truth(tmp_path) == load_truth(tmp_path / "table-1.truth.txt") == (TABLE,)
    assert [t.table_id for t in load_truth(tmp_path, with_unchecked=True)] == ["5SIZVS65_table_2", "5SIZVS65_table_3"]


def test_a_truth_that_nobody_checked_is_none(tmp_path: Path) -> None:
    (tmp_path / "table-1.truth.txt").write_text(TEXT, encoding="utf-8")
    for place in (tmp_path, tmp_path / "table-1.truth.txt"):
        with pytest.raises(UsageError, match="no table is checked yet, of 1"):
            load_truth(place)


def test_folders_of_papers_may_mix_text_and_json(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "truth.json").write_text(f'[{{"table_id": "{name}", "rows": [["1"]]}}]', encoding="utf-8")
    (tmp_path / "b" / "table.truth.txt").write_text(TEXT.replace("checked:  no", "checked: yes"), encoding="utf-8")
    assert [t.table_id for t in load_truth(tmp_path)] == ["a", "5SIZVS65_table_2"]


@pytest.mark.corpus
def test_true_tables_of_real_papers_come_back_as_they_were(corpus: Path) -> None:
    tables = load_truth(corpus / "papers", grade="any") + load_truth(corpus / "icdar2013-eu")
    assert len(tables) > 100
    for table in tables:
        assert written_and_read(truth(table)).table == table
