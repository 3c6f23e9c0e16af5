"""A table is found by what a person reads on the page, by its position, or by its id."""

from __future__ import annotations

import pytest
from document_samples import caption, document_of, table_of

from variorum.document import Document, PageInfo, find_table
from variorum.errors import UsageError


def paper() -> Document:
    return document_of(
        table_of([], id="first", number="2"),
        table_of([], id="second", number="A.1"),
        table_of([], id="third", caption=caption("Table IV: Ends", "IV", 9)),
        table_of([], id="fourth"),
    )


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ("2", "first"),
        (" Table 2. ", "first"),
        ("TABLE 2", "first"),
        ("Tab. 2", "first"),
        ("tab.2", "first"),
        ("A.1", "second"),
        ("a.1", "second"),
        ("table a.1:", "second"),
        ("IV", "third"),
        ("iv", "third"),
        ("#1", "first"),
        ("#4", "fourth"),
        ("# 04", "fourth"),
        ("fourth", "fourth"),  # its id
    ],
)
def test_table_is_found(wanted: str, found: str) -> None:
    assert find_table(paper(), wanted).id == found
    assert paper().find_table(wanted).id == found


@pytest.mark.parametrize("wanted", ["3", "#0", "#5", "#-1", "#x", "", "Table", "firs", "4"])
def test_table_that_is_not_there_lists_what_there_is(wanted: str) -> None:
    with pytest.raises(UsageError) as caught:
        find_table(paper(), wanted)
    assert "'#1' (page 7: Table 2, no caption)" in caught.value.hint
    assert "'#3' (page 7: Table IV: Ends)" in caught.value.hint
    assert "'#4' (page 7: no number, no caption)" in caught.value.hint


def test_number_borne_twice_lists_the_choices_only() -> None:
    document = document_of(
        table_of([], number="1", caption=caption("Table 1. " + "word " * 30, "1")),
        table_of([], number="2"),
        table_of([], number="1"),
    )
    with pytest.raises(UsageError) as caught:
        find_table(document, "1")
    assert caught.value.what == "2 tables are called '1'"
    assert caught.value.hint.startswith("'#1' (page 7: Table 1. word word")
    assert "…), '#3' (page 7: Table 1, no caption)" in caught.value.hint
    assert "'#2'" not in caught.value.hint


def test_document_without_tables_says_so() -> None:
    with pytest.raises(UsageError, match=r"the document has none"):
        find_table(document_of(page_count=1), "1")


def test_table_of_a_page_that_was_not_read_is_not_said_to_be_missing() -> None:
    pages = tuple(PageInfo(page_num=n, width=612, height=792) for n in (1, 2, 3, 8))
    with pytest.raises(UsageError, match=r"no table '1': there is none on pages 1-3, 8 of 9") as caught:
        find_table(document_of(pages=pages), "1")
    assert caught.value.hint == "other pages"
    with pytest.raises(UsageError, match=r"no table '2' on page 1 of 9") as caught:
        find_table(document_of(table_of([], number="1")), "2")
    assert caught.value.hint.endswith(", or other pages")


def test_table_found_by_its_whole_number_only() -> None:
    document = document_of(table_of([], id="one", number="1"), table_of([], id="eleven", number="11"))
    assert find_table(document, "1").id == "one"
