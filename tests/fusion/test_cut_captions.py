"""Claims about captions that a source cut short: the float is found by its number all the same."""

from __future__ import annotations

import pytest
from paper_sources import source

from variorum.fusion.alignment import align

CAPTION = "Figure 1: A gull above the harbour of the largest island."
LONG = CAPTION + " It was seen at dusk on the last day of the second summer, when all boats had come home with their catch."


@pytest.mark.parametrize("cut", ["Figure 1.", "Figure 1: A gull above the har"])
def test_a_caption_cut_short_does_not_part_a_figure_from_itself(cut: str) -> None:
    alignment = align([source("latex", mend={CAPTION: LONG}), source("pdf", mend={CAPTION: cut})])
    assert [len(p.readings) for p in alignment.positions if p.type == "figure"] == [2]
