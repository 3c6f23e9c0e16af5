"""Display equations: what is one, what is not, and which lines share a number."""

from __future__ import annotations

from dataclasses import replace

from tests.layout.printed import STYLE, printed_column, printed_line
from variorum.layout.equations import FoundEquation, find_equations
from variorum.layout.formula_text import formula_text
from variorum.layout.model import PagePrint, PrintLine

PROSE = "Every line of this paragraph is as wide as its column of text is"
LEFT, WIDTH = 72.0, len(PROSE) * 5.0


def page_of(*lines: PrintLine) -> PagePrint:
    return PagePrint(page_index=0, width=612.0, height=792.0, label=None, lines=lines)


def found(*middle: PrintLine) -> tuple[FoundEquation, ...]:
    """Return what is found between two paragraphs of two lines each."""
    above = printed_column(f"{PROSE}\n{PROSE}", x0=LEFT, top=100.0)
    below = printed_column(f"{PROSE}\n{PROSE}", x0=LEFT, top=300.0, index=90)
    lines = (*above, *middle, *below)
    return find_equations(page_of(*lines), lines, STYLE)


def maths(text: str, baseline: float, index: int, x0: float = 150.0, size: float = 10.0, font: str = "CMMI10") -> PrintLine:
    return printed_line(text, x0=x0, baseline=baseline, index=index, size=size, font=font)


def number(text: str, baseline: float, index: int) -> PrintLine:
    return printed_line(text, x0=LEFT + WIDTH - len(text) * 5.0, baseline=baseline, index=index)


def test_a_number_at_the_edge_belongs_to_the_formula_beside_it() -> None:
    (equation,) = found(maths("a = b + c", 140.0, 10), number("(3)", 140.0, 11))
    assert (equation.number, equation.text) == ("3", "a = b + c")
    assert equation.lines == ((0, 10), (0, 11))
    assert equation.box.x1 == LEFT + WIDTH


def test_every_numbered_row_is_an_equation_of_its_own() -> None:
    rows = (maths("a = b", 140.0, 10), number("(1a)", 140.0, 11), maths("c = d", 156.0, 12), number("(1b)", 156.0, 13))
    assert [(e.number, e.text) for e in found(*rows)] == [("1a", "a = b"), ("1b", "c = d")]


def test_rows_that_go_on_share_the_number_beside_them() -> None:
    rows = (maths("a = b", 140.0, 10), number("(A.2)", 140.0, 11), maths("+ c", 156.0, 12))
    (equation,) = found(*rows)
    assert (equation.number, equation.text) == ("A.2", "a = b + c")


def test_a_row_goes_on_with_one_that_leaves_a_bracket_open() -> None:
    rows = (maths("a = (b", 140.0, 10), number("(4)", 140.0, 11), maths("c)", 156.0, 12))
    (equation,) = found(*rows)
    assert equation.text == "a = (b c)"


def test_limits_belong_to_the_sign_that_they_stand_under() -> None:
    sign = maths("∑", 140.0, 10, x0=150.0, font="CMEX10")
    (equation,) = found(sign, maths("k=1", 155.0, 11, x0=148.0, size=7.0), maths("a = c", 140.0, 12, x0=160.0))
    assert equation.text == "∑ₖ₌₁ a = c"


def test_a_formula_without_a_number_is_found_where_it_is_set_in() -> None:
    (equation,) = found(maths("a = b + c", 145.0, 10))
    assert equation.number is None


def test_prose_with_a_number_at_its_end_is_no_equation() -> None:
    assert found(printed_line(PROSE[:-4] + " (7)", x0=LEFT, baseline=124.0, index=10)) == ()


def test_a_year_at_the_edge_is_no_number() -> None:
    entry = printed_line(
        "a journal of trials, in which 316 of them are counted = (1998)", x0=LEFT + 12, baseline=124.0, index=10
    )
    assert all(e.number is None for e in found(entry))


def test_the_last_line_of_a_paragraph_is_no_equation() -> None:
    assert found(maths("a = 0.1.", 124.0, 10, x0=LEFT)) == ()


def test_a_step_of_an_algorithm_is_no_equation() -> None:
    step = printed_line("while", x0=150.0, baseline=140.0, index=10, font="Serif-Bold")
    assert found(step, maths("a < b", 140.0, 11, x0=190.0)) == ()


def test_labels_of_a_figure_are_no_equations() -> None:
    assert found(printed_line("x = 5", x0=150.0, baseline=150.0, index=10, size=6.0)) == ()


def test_a_brace_over_several_rows_is_read_once_behind_what_it_defines() -> None:
    brace = printed_line("{", x0=130.0, baseline=150.0, index=10, font="LMMathExtension10-Regular")
    rows = (
        maths("x =", 150.0, 11, x0=110.0),
        maths("1 if a > b,", 140.0, 12),
        maths("0 if a < b.", 160.0, 13),
    )
    assert formula_text((*rows, brace)) == "x = { 1 if a > b, 0 if a < b."


def test_a_stroke_made_of_two_pieces_is_one() -> None:
    line = printed_line("|", x0=100.0)
    again = replace(line.runs[0], box=replace(line.box, y0=line.box.y1, y1=line.box.y1 + 6.0))
    assert formula_text([replace(line, runs=(*line.runs, again))]) == "|"
