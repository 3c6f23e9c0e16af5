"""The numbers of headings and the sequences that they make."""

from __future__ import annotations

import pytest

from variorum.layout.heading_numbers import Numbered, find_sequence, numbers_at_start


def sequence(*texts: str) -> dict[int, tuple[str, int]]:
    """Return for each place in the sequence its number as printed and its level."""
    numbered = [Numbered(i, numbers_at_start(text), 1.0) for i, text in enumerate(texts)]
    made = find_sequence(numbered)
    return {place: (made.readings[place].printed, made.levels[place]) for place in made.readings}


@pytest.mark.parametrize(
    ("text", "kind", "parts"),
    [
        ("3.2 Methods", "arabic", (3, 2)),
        ("3. Methods", "arabic", (3,)),
        ("IV. METHODS", "roman", (4,)),
        ("B Proofs", "letter", (2,)),
        ("A.1 Proofs", "letter", (1, 1)),
        ("Appendix C", "letter", (3,)),
        ("S2 More data", "supplement", (2,)),
        ("2) Details", "arabic)", (2,)),
    ],
)
def test_a_number_is_read(text: str, kind: str, parts: tuple[int, ...]) -> None:
    assert (kind, parts) in [(n.kind, n.parts) for n in numbers_at_start(text)]


@pytest.mark.parametrize("text", ["Methods", "2019 was a year", "12.5% of them", "S1 Fig. What is seen", "3D printing"])
def test_what_is_no_number_is_not_read(text: str) -> None:
    assert numbers_at_start(text) == ()


def test_i_is_a_roman_number_and_a_letter() -> None:
    assert {n.kind for n in numbers_at_start("I. Introduction")} == {"roman", "letter"}


def test_a_sequence_goes_down_and_up() -> None:
    made = sequence("1 a", "1.1 b", "1.2 c", "2 d", "2.1 e")
    assert [level for _, level in made.values()] == [1, 2, 2, 1, 2]


def test_a_number_out_of_order_is_left_out() -> None:
    assert sorted(sequence("1 a", "2 b", "7 x", "3 c")) == [0, 1, 3]


def test_an_appendix_follows_with_letters() -> None:
    made = sequence("1 a", "2 b", "A c", "A.1 d", "B e")
    assert [printed for printed, _ in made.values()] == ["1", "2", "A", "A.1", "B"]
    assert [level for _, level in made.values()] == [1, 1, 1, 2, 1]


def test_letters_below_roman_numbers_begin_anew() -> None:
    made = sequence("I. a", "A. b", "B. c", "II. d", "A. e", "B. f", "III. g")
    assert [level for _, level in made.values()] == [1, 2, 2, 1, 2, 2, 1]


def test_numbers_in_brackets_are_one_level_deeper() -> None:
    made = sequence("1 a", "1.1 b", "1) c", "2) d", "1.2 e", "2 f")
    assert [level for _, level in made.values()] == [1, 2, 3, 3, 2, 1]


def test_a_number_that_nothing_else_speaks_for_is_left_out() -> None:
    numbered = [Numbered(0, numbers_at_start("1 a"), 0.0)]
    assert find_sequence(numbered).length == 0
