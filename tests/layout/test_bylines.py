"""Which lines around the title are one byline."""

from __future__ import annotations

from tests.layout.printed import line
from variorum.layout.bylines import byline_groups
from variorum.layout.model import PrintLine


def texts(*lines: PrintLine) -> list[str]:
    return [" ".join(item.text for item in group) for group in byline_groups(lines)]


def test_blocks_keep_names_apart() -> None:
    assert texts(line("Ada Lovelace", block=1), line("Analytical Society", y=112.0, block=2)) == [
        "Ada Lovelace",
        "Analytical Society",
    ]


def test_a_sentence_goes_on_in_the_next_block() -> None:
    assert texts(line("Permission is granted for use in", block=1), line("scholarly works.", y=112.0, block=2)) == [
        "Permission is granted for use in scholarly works."
    ]


def test_an_address_of_mail_is_no_rest_of_a_sentence() -> None:
    assert len(texts(line("Analytical Society", block=1), line("ada@example.org", y=112.0, block=2))) == 1 + 1


def test_a_mark_behind_an_icon_is_raised() -> None:
    name, mark = line("Ada Lovelace", block=1), line("1", x=180.0, y=96.0, size=7.0, block=1)
    assert texts(name, mark) == ["Ada Lovelace ¹"]
