"""Claims about the labels of captions: what is printed is told apart from the number, whatever the number looks like."""

from __future__ import annotations

import pytest

from variorum.sources.gathering import split_caption


@pytest.mark.parametrize(
    ("text", "label", "number"),
    [
        ("TABLE II: Doses", "TABLE", "II"),
        ("TABLE IV", "TABLE", "IV"),
        ("Table S1: Genes", "Table", "S1"),
        ("Table A.1: Genes", "Table", "A.1"),
        ("Figure A1: A gull", "Figure", "A1"),
        ("Fig.3 A gull", "Fig", "3"),
        ("Table1: Doses", "Table", "1"),
        ("Supplementary Figure S2. A gull", "Supplementary Figure", "S2"),
        ("Table A: Doses", "Table", "A"),
        ("Tables are many", "", None),
        ("Table is a word", "", None),
    ],
)
def test_a_caption_is_split_into_label_and_number(text: str, label: str, number: str | None) -> None:
    assert split_caption(text) == (label, number)
