"""What pdfminer reads takes the place of what the words say, character by character, and nothing is moved, lost or doubled."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import pytest
from pictures import table

from variorum.page.model import Char, PlainChar
from variorum.tables.cells.pdfminer import Pdfminer
from variorum.tables.config import DEFAULT_CONFIG
from variorum.tables.model import Abstain, TableContext
from variorum.tables.pipeline import Pipeline

DRAWING = """
Drug   Dose
Alpha  0.81
"""


@dataclass(frozen=True)
class Page:
    """A live page as far as the method looks at it."""

    pdfminer_chars: tuple[PlainChar, ...]


def as_read(char: Char, text: str | None = None, *, is_level: bool = True) -> PlainChar:
    """Return the character as pdfminer would give it: its box a whole type size high, from somewhere below its line."""
    box = replace(char.box, y0=char.baseline - char.size, y1=char.baseline)
    return PlainChar(char.text if text is None else text, box, char.baseline, is_level)


def with_page(chars: list[PlainChar], drawing: str = DRAWING) -> TableContext:
    handle: Any = Page(tuple(chars))
    return replace(table(drawing), handle=handle)


def read(chars: list[PlainChar], columns: tuple[float, ...] = ()) -> list[str]:
    return [w.text for w in Pdfminer().pieces(with_page(chars), columns)]


def all_chars() -> list[Char]:
    return [c for w in table(DRAWING).words for c in w.chars]


def test_text_of_pdfminer_takes_the_place_of_the_words() -> None:
    assert read([as_read(c, c.text.swapcase()) for c in all_chars()]) == ["dRUG", "dOSE", "aLPHA", "0.81"]


def test_order_of_its_characters_does_not_matter() -> None:
    assert read([as_read(c, c.text.swapcase()) for c in reversed(all_chars())]) == ["dRUG", "dOSE", "aLPHA", "0.81"]


@pytest.mark.parametrize(
    "chars",
    [
        [],
        [as_read(c, "") for c in all_chars()],
        [as_read(c, "x", is_level=False) for c in all_chars()],
        [replace(as_read(c, "x"), baseline=c.baseline + 14 * 9) for c in all_chars()],
    ],
    ids=["nothing read", "glyphs without a text", "sideways text", "text of other lines"],
)
def test_words_keep_their_text_where_pdfminer_says_nothing(chars: list[PlainChar]) -> None:
    assert read(chars) == ["Drug", "Dose", "Alpha", "0.81"]


def test_one_character_missing_leaves_the_others() -> None:
    first = table(DRAWING).words[0]
    assert read([as_read(c, c.text.upper()) for c in first.chars if c.text != "u"])[0] == "DRuG"


def test_character_printed_twice_over_itself_counts_once() -> None:
    twice = [as_read(c) for c in all_chars() for _ in range(2)]
    assert read(twice) == ["Drug", "Dose", "Alpha", "0.81"]


def test_glyph_of_several_letters_is_not_doubled() -> None:
    """pdfminer reads one glyph over three characters of the word."""
    word = table(DRAWING).words[0]
    whole = replace(as_read(word.chars[0], "Dru"), box=replace(word.chars[0].box, x1=word.chars[2].box.x1))
    assert read([whole, as_read(word.chars[3])])[0] == "Drug"


def test_places_stay_those_of_the_words() -> None:
    before = table(DRAWING).words
    after = Pdfminer().pieces(with_page([as_read(c, "x") for c in all_chars()]), ())
    assert [(w.box, w.baseline, [c.box for c in w.chars]) for w in after] == [
        (w.box, w.baseline, [c.box for c in w.chars]) for w in before
    ]


def test_without_a_live_page_it_abstains_and_says_so_once() -> None:
    with pytest.raises(Abstain, match="rotated view"):
        Pdfminer().pieces(table(DRAWING), ())
    config = replace(DEFAULT_CONFIG, cell_methods=("rawdict", "pdfminer"))
    result = Pipeline(config).extract(table(DRAWING))
    assert [(o.status, "rotated view" in o.detail) for o in result.apparatus.outcomes if o.method == "pdfminer"] == [
        ("abstained", True)
    ]
    assert result.grid is not None
    assert result.grid.cell_method == "rawdict"
