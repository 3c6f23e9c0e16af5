"""The order in which the pieces of a page are read."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tests.layout.printed import line
from variorum.geometry import Box
from variorum.layout.order import Item, reading_order

PAGE = Box(0.0, 0.0, 600.0, 800.0)


def item(name: str, x0: float, y: float, x1: float) -> Item:
    made = line(name, x0, y, width=x1 - x0)
    return Item(made.box, name, made)


def column(prefix: str, x0: float, x1: float, first: int, last: int) -> list[Item]:
    return [item(f"{prefix}{i}", x0, 100.0 + 12 * i, x1) for i in range(first, last)]


def names(items: list[Item]) -> list[object]:
    return [placed.item.key for placed in reading_order(items, PAGE, 12.0)]


def test_one_column_is_read_from_top_to_bottom() -> None:
    lines = column("a", 100, 400, 0, 9)
    assert names(lines[::-1]) == [f"a{i}" for i in range(9)]


def test_the_left_column_is_read_before_the_right_one() -> None:
    left, right = column("l", 50, 290, 0, 9), column("r", 310, 550, 0, 9)
    assert names([*right, *left]) == [*(f"l{i}" for i in range(9)), *(f"r{i}" for i in range(9))]


def test_three_columns_are_read_one_after_the_other() -> None:
    parts = [column(c, x, x + 150, 0, 6) for c, x in (("a", 50), ("b", 220), ("c", 390))]
    assert names([i for part in parts for i in part]) == [f"{c}{i}" for c in "abc" for i in range(6)]


def test_a_title_over_both_columns_comes_first() -> None:
    left, right = column("l", 50, 290, 2, 9), column("r", 310, 550, 2, 9)
    title = item("title", 60, 100, 540)
    assert names([*right, *left, title])[0] == "title"


def test_what_reaches_over_both_columns_parts_them() -> None:
    upper = [*column("l", 50, 290, 0, 5), *column("r", 310, 550, 0, 5)]
    lower = [*column("l", 50, 290, 10, 15), *column("r", 310, 550, 10, 15)]
    wide = Item(Box(50, 165, 550, 205), "table")
    found = names([*lower, wide, *upper])
    assert found == [
        *(f"l{i}" for i in range(5)),
        *(f"r{i}" for i in range(5)),
        "table",
        *(f"l{i}" for i in range(10, 15)),
        *(f"r{i}" for i in range(10, 15)),
    ]


def test_a_line_that_runs_out_of_its_column_stays_in_it() -> None:
    left, right = column("l", 50, 290, 0, 9), column("r", 310, 550, 0, 9)
    left[4] = item("l4", 50, 148, 420)
    assert names([*right, *left]) == [*(f"l{i}" for i in range(9)), *(f"r{i}" for i in range(9))]


def test_a_number_beside_a_formula_is_no_column() -> None:
    lines = column("a", 50, 400, 0, 9)
    number = item("(1)", 500, 148, 515)
    found = names([*lines, number])
    assert found.index("(1)") == 5


def test_the_page_numbers_of_a_list_of_contents_stay_with_their_lines() -> None:
    titles = [item(f"t{i}", 50, 100 + 12 * i, 200 + 17 * (i % 5)) for i in range(8)]
    numbers = [item(f"n{i}", 500, 100 + 12 * i, 510) for i in range(8)]
    assert names([*numbers, *titles]) == [name for i in range(8) for name in (f"t{i}", f"n{i}")]


@given(st.permutations(range(18)))
def test_the_order_does_not_depend_on_how_the_pieces_come(order: list[int]) -> None:
    lines = [*column("l", 50, 290, 0, 9), *column("r", 310, 550, 0, 9)]
    assert names([lines[i] for i in order]) == names(lines)


@given(st.lists(st.tuples(st.integers(0, 500), st.integers(0, 700), st.integers(5, 90)), max_size=30))
def test_every_piece_is_read_once(places: list[tuple[int, int, int]]) -> None:
    items = [item(str(i), x, y, x + w) for i, (x, y, w) in enumerate(places)]
    assert sorted(map(str, names(items))) == sorted(str(i) for i in range(len(places)))
