"""What is printed on pages and belongs to none of the text, with its evidence."""

from __future__ import annotations

from tests.layout.printed import BODY, line, paper
from variorum.layout.furniture import find_furniture
from variorum.layout.model import PaperPrint, PrintLine


def text(page: int) -> list[PrintLine]:
    """Return the lines of running text of a page, all different."""
    return [line(f"text {chr(97 + page)} and {chr(97 + i)} " + "w" * 40, y=120 + 12 * i) for i in range(10)]


def kinds(made: PaperPrint) -> dict[str, str]:
    by_id = {item.id: item for page in made.pages for item in page.lines}
    return {by_id[found.line].plain: found.kind for found in find_furniture(made, BODY)}


def test_the_same_words_at_the_same_height_are_a_running_head() -> None:
    made = paper(*[[line("Journal of Things 12", y=60), *text(i)] for i in range(3)])
    assert kinds(made) == {"Journal of Things 12": "running head"}


def test_a_number_that_is_the_same_on_every_page_belongs_to_the_foot() -> None:
    made = paper(*[[*text(i), line("Journal of Things, no.", y=750), line("00302.", y=762)] for i in range(3)])
    assert kinds(made) == {"Journal of Things, no.": "running foot", "00302.": "running foot"}


def test_digits_in_a_running_head_may_differ() -> None:
    made = paper(*[[line(f"Journal of Things {i}", y=60), *text(i)] for i in range(3)])
    assert set(kinds(made).values()) == {"running head"}
    assert len(kinds(made)) == 3


def test_numbers_that_count_with_the_pages_are_page_numbers() -> None:
    made = paper(*[[*text(i), line(str(i + 41), x=300, y=760)] for i in range(3)])
    assert kinds(made) == {"41": "page number", "42": "page number", "43": "page number"}


def test_roman_page_numbers_count_too() -> None:
    made = paper(*[[*text(i), line(n, x=300, y=760)] for i, n in enumerate(("ii", "iii", "iv"))])
    assert set(kinds(made)) == {"ii", "iii", "iv"}


def test_numbers_that_do_not_count_are_text() -> None:
    made = paper(*[[*text(i), line(n, x=300, y=320 + 100 * i)] for i, n in enumerate(("17", "305", "4"))])
    assert kinds(made) == {}


def test_heads_that_change_are_known_by_their_height() -> None:
    heads = ("Introduction to it", "Methods of it", "Results of it", "The end of it")
    made = paper(text(9), *[[line(head, y=60), *text(i)] for i, head in enumerate(heads)])
    assert set(kinds(made)) == set(heads)


def test_numbers_in_the_margin_that_count_lines() -> None:
    lines = text(0)
    numbers = [line(str(i + 1), x=60 - 3 * len(str(i + 1)), y=item.baseline, size=6.0) for i, item in enumerate(lines)]
    assert set(kinds(paper([*lines, *numbers])).values()) == {"line number"}


def test_a_stamp_written_upwards_beside_the_text() -> None:
    stamp = line("arXiv:2305.03393v1", x=20, y=400, width=12, angle=90)
    assert kinds(paper([*text(0), stamp])) == {"arXiv:2305.03393v1": "margin"}


def test_small_type_beside_the_text() -> None:
    assert kinds(paper([*text(0), line("Published", x=30, y=300, size=7.0)])) == {"Published": "margin"}


def test_small_type_below_a_table_that_reaches_as_far_out_is_no_furniture() -> None:
    """The notes of a table that is wider than the text; what stands farther down in the margin is beside the text."""
    row = line("Group 12.5 0.81 " + "w" * 30, x=30, y=300)
    notes = [line("t in brackets", x=30, y=311, size=7.0), line("N of 12", x=30, y=320, size=7.0)]
    made = paper([row, *notes, line("Published", x=30, y=400, size=7.0), *text(0)])
    found = find_furniture(made, BODY, frozenset({made.pages[0].lines[0].id}))
    assert [made.pages[0].lines[item.line[1]].plain for item in found] == ["Published"]


def test_a_page_of_text_alone_has_no_furniture() -> None:
    assert kinds(paper(text(0), text(1), text(2))) == {}


def test_lines_that_are_taken_are_not_looked_at() -> None:
    made = paper(*[[line("Journal of Things", y=60), *text(i)] for i in range(3)])
    taken = frozenset((i, 0) for i in range(3))
    assert find_furniture(made, BODY, taken) == ()


def test_pages_that_are_copies_have_no_running_heads() -> None:
    assert kinds(paper(text(0), text(0))) == {}


def test_each_item_has_its_evidence() -> None:
    made = paper(*[[line("Journal of Things", y=60), *text(i)] for i in range(3)])
    assert {item.evidence for item in find_furniture(made, BODY)} == {"the same words at this height of 3 pages"}
