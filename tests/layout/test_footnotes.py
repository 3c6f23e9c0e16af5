"""Notes at the foot of a column."""

from __future__ import annotations

from tests.layout.printed import BODY, line, marked, page
from variorum.geometry import Interval
from variorum.layout.footnotes import find_footnotes
from variorum.layout.model import PrintLine
from variorum.layout.paragraphs import FlowLine
from variorum.page.model import Rule

COLUMN = Interval(100.0, 400.0)


def notes(lines: list[PrintLine], *rules: Rule) -> list[tuple[str, list[str]]]:
    made = page(lines, rules=rules)
    flow = [FlowLine(item, COLUMN, 0) for item in made.lines]
    return [(note.mark, [item.plain for item in note.lines]) for note in find_footnotes(made, [flow], BODY)]


def test_small_type_behind_a_mark_at_the_foot_is_a_note() -> None:
    lines = [line("text " * 10, y=500), marked("a note", "1", y=700, size=8.0), line("that goes on", y=710, size=8.0)]
    assert notes(lines) == [("1", ["1a note", "that goes on"])]


def test_every_mark_begins_a_note() -> None:
    lines = [line("text " * 10, y=500), marked("one", "1", y=700, size=8.0), marked("two", "2", y=710, size=8.0)]
    assert [mark for mark, _ in notes(lines)] == ["1", "2"]


def test_a_short_rule_announces_notes_without_marks() -> None:
    rule = Rule("horizontal", 690.0, 100.0, 180.0, 0.4)
    lines = [line("text " * 10, y=500), line("Permission is granted", y=700, size=8.0)]
    assert notes(lines, rule) == [("", ["Permission is granted"])]
    assert notes(lines) == []


def test_small_type_above_running_text_is_no_note() -> None:
    lines = [marked("a quotation", "1", y=500, size=8.0), line("text " * 10, y=700)]
    assert notes(lines) == []


def test_running_text_to_the_foot_has_no_notes() -> None:
    assert notes([line("text " * 10, y=100 + 12 * i) for i in range(5)]) == []


def test_a_line_behind_white_is_no_part_of_the_note_above() -> None:
    lines = [
        line("text " * 10, y=500),
        marked("a note", "1", y=700, size=8.0),
        line("Proceedings of a meeting", y=730, size=8.0),
    ]
    assert notes(lines) == [("1", ["1a note"]), ("", ["Proceedings of a meeting"])]
