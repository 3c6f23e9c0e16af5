"""Words that say that a table goes on, and sentences that only have such a word."""

from __future__ import annotations

import pytest
from pictures import drawn, page

from variorum.geometry import Box
from variorum.regions.captions import FoundCaption
from variorum.regions.continuing import caption_title, continuation_note, is_continued, lines_of

BOX = Box(0, 0, 1, 1)


def caption(text: str, label: str = "Table", number: str = "2") -> FoundCaption:
    return FoundCaption("table", label, number, text, BOX, (), BOX)


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("Table 2 continued", "2"),
        ("Table 2 (continued)", "2"),
        ("TABLE IV—Continued", "IV"),
        ("Table A.1 cont.", "A.1"),
        ("Supporting Table 1 – Continued from previous page", "1"),
        ("Tabelle 3 (Fortsetzung)", "3"),
        ("Tableau 4 (suite)", "4"),
        ("Continued on next page", None),
        ("(Cont’d.)", None),
        ("continued on page 12", None),
        ("Fortsetzung auf der nächsten Seite", None),
        ("suite à la page suivante", None),
    ],
)
def test_line_that_says_only_that_a_table_goes_on_is_a_note(text: str, number: str | None) -> None:
    note = continuation_note(text)
    assert note is not None
    assert note.number == number


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Table 2",
        "The study continued",
        "as Table 2 continued",
        "Table 2 shows the next page",
        "Continued growth",
        "next page",
    ],
)
def test_other_line_is_no_note(text: str) -> None:
    assert continuation_note(text) is None


@pytest.mark.parametrize(
    "text",
    [
        "Table 2 (continued)",
        "Table 2. Continued.",
        "Table 2 – continued from previous page",
        "Table 2: Doses of the drugs (continued)",
        "Table 2. Continued. Doses of the drugs.",
        "Table 2. Doses of the drugs, continued.",
        "Table 2. Doses — Continued",
        "Table 2 (Fortsetzung)",
    ],
)
def test_caption_of_a_later_part_says_so(text: str) -> None:
    assert is_continued(caption(text))


@pytest.mark.parametrize(
    "text",
    [
        "Table 2",
        "Table 2. Doses of the drugs.",
        "Table 2. Continued decline of the species.",
        "Table 2. Continued fractions, and more",
        "Table 2. Why the trial continued",
    ],
)
def test_caption_with_the_word_in_its_title_is_that_of_a_whole_table(text: str) -> None:
    assert not is_continued(caption(text))


def test_title_is_what_stands_behind_label_and_number() -> None:
    assert caption_title(caption("Tab. 2: Two doses", label="Tab.")) == ": Two doses"


def test_lines_of_a_view_are_its_lines_of_text() -> None:
    found = lines_of(page(drawn("First line\n\nSecond line")), 90, 0.6)
    assert [(n.text, n.angle) for n in found] == [("First line", 90), ("Second line", 90)]
