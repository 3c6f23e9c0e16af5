"""Claims about page ranges as people write them."""

from __future__ import annotations

import pytest

from variorum.apps.cli.pages import expand_page_ranges, parse_page_ranges
from variorum.errors import PageRangeError, UsageError


@pytest.mark.parametrize(
    ("text", "pages"),
    [
        ("3", [3]),
        ("3-5,8", [3, 4, 5, 8]),
        ("8-", [8, 9, 10]),
        (" 3 - 5 , 8 ", [3, 4, 5, 8]),
        ("8,3-5,4", [3, 4, 5, 8]),
        ("1-", list(range(1, 11))),
        ("10", [10]),
    ],
)
def test_ranges_name_their_pages_once_in_order(text: str, pages: list[int]) -> None:
    assert expand_page_ranges(parse_page_ranges(text), 10) == pages


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        ",",
        "3,",
        "3,,4",
        "a",
        "3-a",
        "-3",
        "3--5",
        "3-5-7",
        "3 5",
        "3.5",
        "0",
        "0-3",
        "5-3",
        "１",
        "²",
        "9" * 5000,
        "3;4",
    ],
)
def test_malformed_ranges_are_refused(text: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse_page_ranges(text)
    assert caught.value.where == "--pages"
    assert caught.value.hint


def test_swapped_ends_are_offered_in_order() -> None:
    with pytest.raises(UsageError, match="ends before it begins") as caught:
        parse_page_ranges("5-3")
    assert caught.value.hint == "--pages 3-5"


@pytest.mark.parametrize(
    ("text", "what", "hint"),
    [
        ("4-999999999", "pages 4-999999999 go past the end of the document, which has 5 pages", "--pages 4-"),
        ("1,8-", "pages 8- are outside the document, which has 5 pages", "--pages 1-5"),
        ("6-7", "pages 6-7 are outside the document, which has 5 pages", "--pages 1-5"),
        ("7", "page 7 is outside the document, which has 5 pages", "--pages 1-5"),
    ],
)
def test_range_past_the_end_is_refused_as_it_was_written(text: str, what: str, hint: str) -> None:
    with pytest.raises(PageRangeError) as caught:
        expand_page_ranges(parse_page_ranges(text), 5, where="a.pdf")
    assert (caught.value.what, caught.value.where, caught.value.hint) == (what, "a.pdf", hint)
