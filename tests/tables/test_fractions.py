"""Fractions in cells: a bar within a line of text, what stands above it and what below."""

from __future__ import annotations

from pictures import across, word

from variorum.page.lines import join_words
from variorum.page.model import Rule, Word
from variorum.tables.fractions import with_fractions


def read(words: list[Word], *rules: Rule) -> str:
    return join_words(with_fractions(words, rules, 0.6), 0.6)


HALF = [word("(", 100, 120), word("PP", 106, 117, size=7), word("2", 108, 125, size=7), word("-1)", 114.4, 120)]


def test_what_stands_above_and_below_a_bar_is_a_fraction() -> None:
    assert read(HALF, across(118.6, 106, 114.4)) == "(PP/2-1)"


def test_without_a_bar_the_line_is_read_as_it_stands() -> None:
    assert read(HALF) == "(PP2 -1)"


def test_a_rule_of_the_table_is_no_bar() -> None:
    """It is far longer than what stands above and below it."""
    assert read(HALF, across(118.6, 60, 300)) == "(PP2 -1)"


def test_a_line_under_a_word_is_no_bar() -> None:
    assert read([word("mean", 100, 120), word("4", 130, 120)], across(121, 100, 124)) == "mean 4"


def test_a_side_of_several_signs_stands_in_brackets() -> None:
    words = [word("a+b", 100, 117, size=7), word("c", 104.2, 125, size=7)]
    assert read(words, across(118.6, 100, 112.6)) == "(a+b)/c"


def test_a_fraction_in_a_fraction_is_made_first() -> None:
    words = [word("a", 103, 110, size=7), word("b", 103, 118, size=7), word("cde", 100, 126, size=7)]
    assert read(words, across(111.6, 103, 107.2), across(119.6, 100, 112.6)) == "(a/b)/cde"
