"""Lines of writing and the segments that white cuts them into."""

from __future__ import annotations

from dataclasses import replace

import pytest
from pictures import across, down, drawn, table, word

from variorum.page.lines import join_words, segments, text_rows, word_space
from variorum.page.model import Rule, Word


def lines_of(*words: Word) -> list[str]:
    return [row.text for row in text_rows(words)]


def parts(picture: str, space_em: float = 0.6) -> list[list[str]]:
    words, rules, _ = drawn(picture)
    upright = [r for r in rules if r.orientation == "vertical"]
    return [[s.text for s in segments(row, space_em, upright)] for row in text_rows(words)]


def test_words_on_one_baseline_are_a_line_from_left_to_right() -> None:
    assert lines_of(word("b", 200, 100), word("a", 100, 100)) == ["a b"]


def test_lines_come_from_top_to_bottom() -> None:
    assert lines_of(word("second", 100, 112), word("first", 100, 100)) == ["first", "second"]


@pytest.mark.parametrize("baseline", [96, 102])
def test_superscript_and_subscript_stay_in_their_line(baseline: float) -> None:
    """Type of 7 pt, raised by 4 pt or lowered by 2 pt beside type of 10 pt: more than half of it lies in the band."""
    assert lines_of(word("x", 100, 100), word("2", 106, baseline, size=7)) == ["x 2"]


def test_superscripts_of_the_next_line_stay_in_theirs() -> None:
    words = [word("a", 100, 100), word("b", 100, 111), word("2", 106, 107, size=7), word("3", 106, 96, size=7)]
    assert lines_of(*words) == ["a 3", "b 2"]


def test_band_of_a_line_is_that_of_its_large_type() -> None:
    (row,) = text_rows([word("2", 106, 96, size=7), word("x", 100, 100)])
    assert (row.band.start, row.band.end) == (93, 102)


def test_tight_leading_keeps_lines_apart() -> None:
    """Type of 10 pt on lines 9 pt apart is set solid and less: the bands, 9 pt high, touch."""
    assert lines_of(word("a", 100, 100), word("b", 100, 109)) == ["a", "b"]


def test_lines_do_not_depend_on_the_order_of_words() -> None:
    words = [word("x", 100, 100), word("2", 106, 96, size=7), word("y", 100, 112), word("tall", 130, 106, size=10)]
    assert [r.text for r in text_rows(words[::-1])] == [r.text for r in text_rows(words)]


def test_word_space_is_the_median_of_gaps_below_an_em() -> None:
    """Gaps of 6, 6 and 18 pt between words of 10 pt: the last is no word space."""
    assert word_space(table("aa bb cc   dd").text_rows) == 6 / 10


def test_words_without_a_gap_have_no_word_space() -> None:
    assert word_space(table("aa").text_rows) is None
    assert word_space(()) is None


def test_segments_are_cut_where_the_gap_is_more_than_twice_a_word_space() -> None:
    """Two spaces (12 pt) are twice the word space of 6 pt: no cut. Three are."""
    assert parts("one two  three   four") == [["one two three", "four"]]


def test_inside_brackets_white_may_be_twice_as_wide() -> None:
    """Four spaces (24 pt) are a gap; between a bracket and the one that closes it they are not, five are."""
    assert parts("(a    b)    c") == [["(a b)", "c"]]
    assert parts("(a     b)") == [["(a", "b)"]]
    assert parts("(a    b") == [["(a", "b"]]
    assert parts("a)    (b") == [["a)", "(b"]]


def test_vertical_rule_cuts_however_narrow_the_gap_is() -> None:
    assert parts("one two|three") == [["one two", "three"]]


def test_vertical_rule_of_other_lines_cuts_nothing() -> None:
    assert parts("one|two\none two") == [["one", "two"], ["one two"]]


def test_rule_through_a_word_cuts_nothing() -> None:
    (row,) = text_rows([word("one", 100, 100), word("two", 124, 100)])
    assert [s.text for s in segments(row, 0.6, [down(110, 80, 120)])] == ["one two"]


@pytest.mark.parametrize("rules", [(), (across(100, 0, 600),)], ids=["no rule", "horizontal"])
def test_segments_of_a_table_hold_each_word_once(rules: tuple[Rule, ...]) -> None:
    ctx = replace(table("Drug one   Dose\nAlpha   12.5   .8"), rules=rules)
    assert [[s.text for s in line] for line in ctx.segments] == [["Drug one", "Dose"], ["Alpha", "12.5", ".8"]]


def test_joined_words_have_a_space_where_the_pdf_leaves_half_a_word_space() -> None:
    """With a word space of 0.6 em, type of 10 pt: a gap of 3 pt is a space, one of 2 pt is none."""
    assert join_words([word("CO", 100, 100), word("2", 112 + 2, 100)], 0.6) == "CO2"
    assert join_words([word("CO", 100, 100), word("2", 112 + 3, 100)], 0.6) == "CO 2"
