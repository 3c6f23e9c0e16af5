"""Mathematics within lines: fractions, roots, accents and indices are read where they stand, and every word once."""

from __future__ import annotations

from collections.abc import Sequence

from variorum.geometry import Box
from variorum.layout.prints import page_print
from variorum.page.model import Char, PageEvidence, Rule, Word
from variorum.thresholds import ASCENT_EM, DESCENT_EM


def char(text: str, x: float, baseline: float, size: float, font: str, width: float | None = None) -> Char:
    end = x + (size / 2 if width is None else width)
    return Char(text, Box(x, baseline - ASCENT_EM * size, end, baseline + DESCENT_EM * size), baseline, size, font)


def word(line: int, *chars: Char) -> Word:
    main = max(chars, key=lambda c: c.size)
    box = Box.around(c.box for c in chars)
    return Word("".join(c.text for c in chars), box, main.baseline, main.size, main.font, 0, 0, line, tuple(chars))


def plain(line: int, text: str, x: float, baseline: float = 100.0, size: float = 10.0, font: str = "Serif") -> Word:
    return word(line, *(char(c, x + i * size / 2, baseline, size, font) for i, c in enumerate(text)))


def bar(position: float, start: float, end: float) -> Rule:
    return Rule("horizontal", position, start, end, 0.4)


def texts(words: Sequence[Word], *rules: Rule) -> list[str]:
    page = PageEvidence(0, 600.0, 800.0, tuple(words), tuple(rules), (), (), ())
    made = page_print(page)
    assert sorted(i for line in made.lines for i in line.words) == list(range(len(words)))
    return [line.text for line in made.lines]


def test_a_small_fraction_is_one_piece_of_its_line() -> None:
    words = [
        plain(0, "by", 100.0),
        plain(1, "1", 116.0, 96.0, 7.0),
        plain(2, "2k", 114.25, 104.0, 7.0),
        plain(0, "of", 125.0),
    ]
    assert texts(words, bar(97.5, 114.0, 121.5)) == ["by 1/2k of"]


def test_brackets_show_how_far_a_fraction_reaches() -> None:
    words = [plain(0, "x=", 100.0), plain(1, "a+b", 114.0, 95.0), plain(2, "c", 119.0, 107.5)]
    assert texts(words, bar(97.5, 114.0, 129.0)) == ["x= (a+b)/c"]


def test_a_rule_under_the_head_of_a_table_is_no_bar() -> None:
    words = [plain(0, "one", 100.0), plain(0, "two", 160.0), plain(1, "1", 105.0, 112.0), plain(1, "2", 165.0, 112.0)]
    assert texts(words, bar(103.0, 95.0, 180.0)) == ["one two", "1 2"]


def test_what_stands_under_the_bar_of_a_root_is_in_brackets() -> None:
    root = word(
        0, char("√", 100.0, 100.0, 10.0, "CMSY10"), *(char(c, 105.0 + 5 * i, 100.0, 10.0, "CMR10") for i, c in enumerate("a+b"))
    )
    assert texts([root], bar(93.0, 105.0, 120.0)) == ["√(a+b)"]


def test_an_index_that_is_a_line_of_its_own_joins_the_line_with_room_for_it() -> None:
    words = [
        word(0, char("c", 100.0, 100.0, 10.0, "CMMI10"), char("t", 105.0, 102.0, 7.0, "CMMI7")),
        plain(0, "is", 112.0),
        plain(1, "Q", 105.0, 96.0, 7.0, "CMMI7"),
        plain(2, "next", 100.0, 112.0),
    ]
    assert texts(words) == ["cₜ^Q is", "next"]


def test_an_index_of_an_index_is_told_from_it() -> None:
    chars = [("R", 100.0, 100.0, 10.0), ("d", 105.0, 96.0, 7.0), ("k", 108.5, 97.2, 5.0)]
    assert texts([word(0, *(char(t, x, y, s, "CMMI10") for t, x, y, s in chars))]) == ["R^{dₖ}"]


def test_accents_are_put_on_letters_of_another_font_or_word() -> None:
    words = [plain(0, "x", 100.0, font="CMMI10"), plain(1, "˜", 100.0, 97.0, font="CMR10"), plain(0, "=", 110.0, font="CMR10")]
    assert texts(words) == ["x̃ ="]


def test_a_stroke_through_a_sign_negates_it() -> None:
    stroke = char("\u0338", 110.0, 100.0, 10.0, "CMSY10", width=0.0)
    words = [plain(0, "a", 100.0), word(0, stroke, char("=", 110.0, 100.0, 10.0, "CMR10")), plain(0, "b", 120.0)]
    assert texts(words) == ["a ≠ b"]


def test_a_stroke_set_before_the_space_of_a_relation_negates_the_relation() -> None:
    words = [
        word(0, char("R", 100.0, 100.0, 10.0, "LMMathSymbols10"), char("\u0338", 105.0, 100.0, 10.0, "LMMathSymbols10", 0.0)),
        word(0, char("=", 108.0, 100.0, 10.0, "LMRoman10")),
        word(0, char("∅", 116.0, 100.0, 10.0, "LMMathSymbols10")),
    ]
    assert texts(words) == ["R ≠ ∅"]
