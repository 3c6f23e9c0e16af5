"""Algorithms between rules."""

from __future__ import annotations

from dataclasses import replace

from tests.layout.printed import line, page
from variorum.layout.algorithms import find_algorithms
from variorum.layout.model import PagePrint, PrintCaption
from variorum.page.model import Rule


def rule(y: float, start: float = 100.0, end: float = 400.0) -> Rule:
    return Rule("horizontal", y, start, end, 0.4)


def algorithm_page(*rules: Rule) -> PagePrint:
    lines = [
        line("Algorithm 1 Counting", y=110),
        line("for i in n do", y=126),
        line("add i", x=115, y=138),
        line("After it the text.", y=200),
    ]
    made = page(lines, rules=rules)
    caption = PrintCaption("algorithm", "Algorithm", "1", "Algorithm 1 Counting", made.lines[0].box, (0,))
    return replace(made, captions=(caption,))


def test_what_stands_between_the_rules_is_the_algorithm() -> None:
    found = find_algorithms(algorithm_page(rule(101), rule(114), rule(145)), frozenset())
    assert [[item.plain for item in one.lines] for one in found] == [["Algorithm 1 Counting", "for i in n do", "add i"]]


def test_without_the_lowest_rule_there_is_no_algorithm() -> None:
    assert find_algorithms(algorithm_page(rule(101), rule(114)), frozenset()) == ()


def test_a_rule_of_another_width_does_not_end_it() -> None:
    assert find_algorithms(algorithm_page(rule(101), rule(114), rule(145, 100, 150)), frozenset()) == ()


def test_lines_that_are_claimed_are_left_alone() -> None:
    assert find_algorithms(algorithm_page(rule(101), rule(114), rule(145)), frozenset({(0, 0)})) == ()
