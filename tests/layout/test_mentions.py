"""Which passages name a table, figure, equation or section."""

from __future__ import annotations

import pytest

from variorum.layout.mentions import find_mentions

TABLES = [("1", "t1"), ("2", "t2"), ("3", "t3"), ("IV", "t4"), ("S1", "ts1")]
FIGURES = [("1", "f1"), ("2", "f2"), ("3", "f3"), ("4", "f4"), ("A.1", "fa1"), (None, "none")]
EQUATIONS = [("(4)", "q4"), ("5", "q5"), ("3.1", "q31")]
SECTIONS = [("3.2", "s32"), ("4", "s4"), ("B", "sb"), ("Appendix C", "sc")]


def named(text: str) -> list[tuple[str, str, str | None]]:
    return [(m.kind, m.number, m.target) for m in find_mentions([("p", text)], TABLES, FIGURES, EQUATIONS, SECTIONS)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("see Table 3.", [("table", "3", "t3")]),
        ("Tables 1 and 2 show", [("table", "1", "t1"), ("table", "2", "t2")]),
        ("TABLE IV, Tab. S1", [("table", "IV", "t4"), ("table", "S1", "ts1")]),
        ("Figs. 2–4", [("figure", "2", "f2"), ("figure", "3", "f3"), ("figure", "4", "f4")]),
        ("Figs. 1-3", [("figure", "1", "f1"), ("figure", "2", "f2"), ("figure", "3", "f3")]),
        ("Figures 1, 2, and 4", [("figure", "1", "f1"), ("figure", "2", "f2"), ("figure", "4", "f4")]),
        ("Figure A.1 and Fig. 3(b)", [("figure", "A.1", "fa1"), ("figure", "3", "f3")]),
        ("Fig. 2a,b", [("figure", "2", "f2")]),
        ("Eq. (4) and Eqs. (4)–(5)", [("equation", "4", "q4"), ("equation", "4", "q4"), ("equation", "5", "q5")]),
        ("Section 3.2, § 4 and Appendix B", [("section", "3.2", "s32"), ("section", "4", "s4"), ("section", "B", "sb")]),
        ("Appendix C", [("section", "C", "sc")]),
        ("Table 9", [("table", "9", None)]),
        ("a table of 3 rows; Section A room; notable 3", []),
    ],
)
def test_what_is_named(text: str, expected: list[tuple[str, str, str | None]]) -> None:
    assert named(text) == expected


def test_places_are_those_of_the_text() -> None:
    text = "In Tables 1 and 2 we"
    found = find_mentions([("p", text)], TABLES)
    assert [(m.text, text[m.start : m.end]) for m in found] == [("Tables 1", "Tables 1"), ("2", "2")]


def test_range_that_is_longer_than_the_paper_has_is_not_filled() -> None:
    assert len(find_mentions([("p", "Tables 1–99999999")], TABLES)) == 2


def test_a_bracket_that_closes_what_stands_around_is_no_part_of_it() -> None:
    mentions = find_mentions([("p", "as shown (see Figure 2) and in Eq. (4).")], (), FIGURES, EQUATIONS)
    assert [m.text for m in mentions] == ["Figure 2", "Eq. (4)"]


@pytest.mark.parametrize(
    "text",
    [
        "Section 23 of the Wall Street Journal",
        "Section 7.3.1 of Smith et al. says so",
        "by Table 9 in Smith (2010)",
        "see Table 9 (Smith, 2010)",
        "as in [12, Section 7]",
        "in Section 22 it says",
    ],
)
def test_parts_of_other_works_are_not_lost(text: str) -> None:
    assert named(text) == []


def test_the_next_number_of_a_series_may_be_lost() -> None:
    assert named("in Section 5 and Table 9 of this paper") == [("section", "5", None), ("table", "9", None)]


def test_a_subsection_of_a_roman_section_is_named_with_its_letter() -> None:
    known = [("II", "sec-2"), ("II-C", "sec-2c"), ("II-D", "sec-2d"), ("C", "sec-c")]
    found = find_mentions([("p", "Sections II-C and II-D, and Section II")], (), headings=known)
    assert [(m.text, m.target) for m in found] == [
        ("Sections II-C", "sec-2c"),
        ("II-D", "sec-2d"),
        ("Section II", "sec-2"),
    ]
