"""What a Markdown reader shows is what was read."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import pytest
from document_samples import caption, document_of, figure_of, spanned_table, table_of, tables, text
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from variorum.document import PaperIdentity, Table, TextComponent
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


def markdown(*components: TextComponent, **fields: Any) -> str:
    return document_of(components=components, **fields).to_markdown()


def test_whole_paper_reads_from_top_to_bottom() -> None:
    written = markdown(
        text("title", "A paper"),
        text("byline", "Ann Author¹, Bob Writer²"),
        text("heading", "1 Model", level=1, number="1"),
        text("paragraph", "We set", id="p1"),
        text("equation", "x_{max} = y_{min}", number="3"),
        text("paragraph", "and go on."),
        text("furniture", "Journal of X 7"),
        text("code", "for a in b:\n    print(a_b)"),
        text("heading", "References", level=1),
        text("bibliography_entry", "Doe, J. (2020). Birds.", number="[1]"),
        text("bibliography_entry", "Roe, R. (2021). Bees.", number="[2]", id="b2"),
    )
    assert written == (
        "# A paper\n\nAnn Author¹, Bob Writer²\n\n## 1 Model\n\nWe set\n\nx_{max} = y_{min} (3)\n\nand go on.\n\n"
        "```\nfor a in b:\n    print(a_b)\n```\n\n## References\n\n"
        "- [1] Doe, J. (2020). Birds.\n- [2] Roe, R. (2021). Bees.\n"
    )


def test_number_of_an_equation_stands_once() -> None:
    assert markdown(text("equation", "a = b (3)", number="3")) == "a = b (3)\n"


def test_figure_is_its_picture_and_its_caption_once() -> None:
    document = document_of(
        figures=(figure_of(),),
        components=[
            text("figure", "", target="fig-3"),
            text("caption", "Figure 3: A bird.", target="fig-3"),
            text("paragraph", "After."),
        ],
    )
    assert document.to_markdown() == "Figure 3: A bird.\n\nAfter.\n"
    assert document.to_markdown({"fig-3": "figures/figure 3.png"}) == (
        "![Figure 3](figures/figure%203.png)\n\nFigure 3: A bird.\n\nAfter.\n"
    )


def test_figure_that_no_component_places_stands_after_its_page() -> None:
    written = markdown(
        text("paragraph", "On four.", page_num=4), text("paragraph", "On five.", page_num=5), figures=(figure_of(),)
    )
    assert written == "On four.\n\nFigure 3: A bird.\n\nOn five.\n"


def test_float_and_footnote_break_no_list_and_no_text() -> None:
    document = document_of(
        table_of([["1"]]),
        components=[
            text("paragraph", "Before.¹"),
            text("footnote", "¹ A note.", number="1"),
            text("list_item", "one", number="•"),
            text("table", "", target="t1"),
            text("list_item", "two", number="•"),
            text("paragraph", "After."),
            text("heading", "Next", level=1),
        ],
    )
    assert document.to_markdown() == ("Before.¹\n\n- one\n- two\n\n|  |\n| --- |\n| 1 |\n\nAfter.\n\n¹ A note.\n\n## Next\n")


def test_lists_keep_their_numbers_and_letters() -> None:
    written = markdown(
        text("list_item", "one", number="2."),
        text("list_item", "two", number="3."),
        text("paragraph", "Between."),
        text("list_item", "three", number="(a)"),
        text("list_item", "1. four", number="–"),
    )
    assert written == "2. one\n3. two\n\nBetween.\n\n- (a) three\n- 1\\. four\n"


def test_list_behind_another_one_is_a_list_of_its_own() -> None:
    written = markdown(text("list_item", "a", number="1."), text("bibliography_entry", "b", number="1."))
    assert READER.render(written).count("<ol>") == 2


def test_fence_is_longer_than_any_in_the_code() -> None:
    assert markdown(text("code", "````\na")) == "`````\n````\na\n`````\n"


@pytest.mark.parametrize("words", ["x_{max} and y_{min}", "__init__ of snake_case", "p*, q*", "2 * 3 * 4", "a _ b _ c"])
def test_reader_shows_what_was_read_and_plain_text_has_no_backslash(words: str) -> None:
    written = escape_block(words)
    assert shown(READER.render(written)) == words
    assert words.startswith("__") or "\\" not in written


def test_title_of_the_paper_heads_it_where_no_component_has_it() -> None:
    assert markdown(identity=PaperIdentity(title="A paper")) == "# A paper\n"
