"""What a Markdown reader shows is what was read."""

from __future__ import annotations

import re
from html import unescape

import pytest
from document_samples import caption, document_of, spanned_table, table_of, tables, text
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from variorum.document import Table
from variorum.document.export_markdown import escape_block

MARKS = st.text(alphabet=r"\`*_{}[]()#+-.!|<>&~$=:;'\"ab1 ", max_size=14)
READER = MarkdownIt("commonmark").enable(["table", "strikethrough"])


def shown(html: str) -> str:
    """Return the text that HTML shows, white space collapsed."""
    return " ".join(unescape(re.sub(r"<(?!br)[^>]*>", "", html).replace("<br />", "\n").replace("<br>", "\n")).split())


def cells_shown(markdown: str) -> list[list[str]]:
    rows = re.findall(r"<tr>(.*?)</tr>", READER.render(markdown), re.DOTALL)
    return [[shown(cell) for cell in re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.DOTALL)] for row in rows]


@settings(deadline=None, max_examples=300)
@given(tables(MARKS))
def test_reader_shows_every_cell_as_it_was_read(table: Table) -> None:
    assume(table.n_cols > 0)
    bare = table_of(table.matrix())
    expected = [[" ".join(cell.split()) for cell in row] for row in bare.matrix()]
    assert cells_shown(bare.to_markdown())[1:] == expected


@settings(deadline=None, max_examples=300)
@given(MARKS)
def test_reader_shows_a_paragraph_as_it_was_read(words: str) -> None:
    html = READER.render(escape_block(words))
    assert shown(html) == " ".join(words.split())
    assert html == "" or (html.startswith("<p>") and html.count("<p>") == 1)


def test_header_rows_are_joined_per_column_and_spans_in_the_body_stand_once() -> None:
    assert spanned_table().to_markdown() == (
        "Table 2. Outcomes\n\n"
        "| Group | Outcome / b | Outcome / se |\n"
        "| --- | --- | --- |\n"
        "| A | 1 | 2 |\n"
        "|  | 3 | 4 |\n"
        "| Panel B |  |  |\n"
    )


def test_table_without_header_rows_gets_an_empty_one() -> None:
    assert table_of([["1", "2"]]).to_markdown() == "|  |  |\n| --- | --- |\n| 1 | 2 |\n"


@pytest.mark.parametrize(
    ("read", "written"),
    [
        ("a|b", r"a\|b"),
        ("a\nb", "a<br>b"),
        ("*a*", r"\*a\*"),
        ("<b>", r"\<b>"),
        ("[a](b)", r"\[a](b)"),
        ("&lt;", r"\&lt;"),
        ("a\\", r"a\\"),
    ],
)
def test_marks_are_escaped(read: str, written: str) -> None:
    assert table_of([[read]]).to_markdown().splitlines()[-1] == f"| {written} |"


@pytest.mark.parametrize("words", ["0.05***", "p < .01", "snake_case", "[12]", "R&D", "-0.3", "C:\\data", "a*b"])
def test_what_cannot_be_a_mark_is_left_readable(words: str) -> None:
    assert table_of([[words]]).to_markdown().splitlines()[-1] == f"| {words} |"


@pytest.mark.parametrize("words", ["# a", "### a", "- a", "1. a", "> a", "---", "***", "~~~", "+ a", "2) a"])
def test_paragraph_does_not_begin_with_a_block_mark(words: str) -> None:
    assert READER.render(escape_block(words)).startswith("<p>")


def test_footnotes_follow_the_table() -> None:
    assert table_of([["1"]], footnotes=("*** p < .01",)).to_markdown().endswith("| 1 |\n\n\\*** p < .01\n")


def test_document_is_written_in_reading_order() -> None:
    document = document_of(
        spanned_table(caption=caption("Table 2. Late")),
        components=[
            text("title", "A paper"),
            text("furniture", "Journal of X"),
            text("heading", "Methods", level=1),
            text("heading", "Data", level=2),
            text("list_item", "one"),
            text("list_item", "two"),
            text("paragraph", "Words\nover lines."),
            text("citation", "[3]"),
            text("paragraph", "Same page.", page_num=7),
            text("paragraph", "Last page.", page_num=9),
        ],
    )
    blocks = document.to_markdown().split("\n\n")
    assert blocks[:5] == ["# A paper", "## Methods", "### Data", "- one\n- two", "Words over lines."]
    assert blocks[5:7] == ["Same page.", "Table 2. Late"]
    assert blocks[-1] == "Last page.\n"


def test_table_stands_where_a_component_names_it() -> None:
    document = document_of(
        spanned_table(),
        components=[
            text("table", "", page_num=7, target="t1"),
            text("caption", "Table 2. Outcomes", page_num=7, target="t1"),
            text("paragraph", "After."),
        ],
    )
    assert document.to_markdown().count("Table 2. Outcomes") == 1
    assert document.to_markdown().endswith("| Panel B |  |  |\n\nAfter.\n")
