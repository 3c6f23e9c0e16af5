"""Lists of contents, boxes about the article and what is drawn in a figure are told apart from the paper's tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from variorum.document import Caption, Cell, Document, Figure, PageInfo, Provenance, Table, TextComponent
from variorum.geometry import Box
from variorum.layout.artifacts import artifact_of, tagged

BOX = Box(100, 100, 300, 200)


def place(page: int = 1, box: Box = BOX) -> Provenance:
    return Provenance(source="pdf", method="hand", page_num=page, bbox=box)


def table(*rows: Sequence[str], page: int = 1) -> Table:
    cells = tuple(Cell(row=r, col=c, text=text) for r, row in enumerate(rows) for c, text in enumerate(row))
    return Table(id="t", n_rows=len(rows), n_cols=len(rows[0]), cells=cells, provenance=place(page))


def paper(own: Table, *before: str, headings: Sequence[str] = (), figures: Sequence[Figure] = ()) -> Document:
    lines = [TextComponent(id=f"p{i}", kind="paragraph", text=text, provenance=place()) for i, text in enumerate(before)]
    marker = TextComponent(id="at-t", kind="table", text="", provenance=place(), target="t")
    heads = [TextComponent(id=f"h{i}", kind="heading", text=h, provenance=place(), level=1) for i, h in enumerate(headings)]
    return Document(
        key="k",
        source_name="p.pdf",
        sha256="0" * 64,
        page_count=9,
        pages=(PageInfo(page_num=1, width=612, height=792),),
        tables=(own,),
        components=(*lines, marker, *heads),
        figures=tuple(figures),
    )


LIST = (("Words", "1"), ("More words", "2"), ("Last words", "7"))


def test_list_of_titles_and_rising_page_numbers_below_its_name_is_a_contents_list() -> None:
    assert artifact_of(table(*LIST), paper(table(*LIST), "Table of Contents")) == "contents_list"
    own = table(("Contents", ""), *LIST)
    assert artifact_of(own, paper(own)) == "contents_list"


def test_list_whose_lines_are_the_headings_of_the_paper_is_a_contents_list() -> None:
    assert artifact_of(table(*LIST), paper(table(*LIST), headings=["Words", "More  Words"])) == "contents_list"


def test_leaders_are_no_words() -> None:
    own = table(("Contents",), ("Words . . . . . ii",), ("More words ..... 4",), ("Last words ....... 7",))
    assert artifact_of(own, paper(own)) == "contents_list"


@pytest.mark.parametrize(
    "rows",
    [
        LIST,  # nothing says that it is one
        (("Contents", "No"), ("Words", "7"), ("More words", "2")),  # numbers fall
        (("Contents", "No"), ("Words", "2"), ("More words", "2")),  # numbers do not rise
        (("Contents", "%"), ("Words", "2.5"), ("More words", "3.5")),
        (("Contents", "No"), ("1999", "2"), ("2000", "3")),  # lines without words
    ],
)
def test_table_of_counts_is_a_table(rows: tuple[tuple[str, ...], ...]) -> None:
    assert artifact_of(table(*rows), paper(table(*rows), "As it shows.")) is None


def test_box_of_dates_and_keywords_on_the_first_page_is_about_the_article() -> None:
    rows = (("Article history:\nReceived 3 May 2020\nAccepted 4 June 2020", "Keywords: words, more words"),)
    assert artifact_of(table(*rows), paper(table(*rows))) == "article_info"
    assert artifact_of(table(*rows, page=2), paper(table(*rows, page=2))) is None


def test_one_such_word_is_not_enough() -> None:
    rows = (("Received", "5"), ("Sent", "6"))
    assert artifact_of(table(*rows), paper(table(*rows))) is None


def test_table_drawn_in_a_figure_is_data_of_the_figure() -> None:
    caption = Caption(text="Figure 1: Words.", label="Figure", number="1", page_num=1, bbox=Box(100, 310, 300, 320))
    around = Figure(id="f", provenance=place(box=Box(90, 90, 310, 300)), kind="vector", caption=caption)
    own = table(("a", "1"), ("b", "2"))
    assert artifact_of(own, paper(own, figures=[around])) == "figure_data"
    beside = replace(around, provenance=place(box=Box(250, 90, 510, 300)))
    assert artifact_of(own, paper(own, figures=[beside])) is None


def test_table_with_a_caption_of_its_own_is_never_an_artifact() -> None:
    caption = Caption(text="Table 1: Contents.", label="Table", number="1", page_num=1, bbox=Box(100, 80, 300, 90))
    own = replace(table(("Contents", ""), *LIST), caption=caption)
    assert tagged(paper(own)).tables == (own,)
    bare = replace(own, caption=None)
    assert [t.artifact for t in tagged(paper(bare)).tables] == ["contents_list"]
