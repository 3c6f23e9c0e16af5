"""Regions that rules frame."""

from __future__ import annotations

from pictures import drawn, page

from variorum.geometry import Box
from variorum.regions.captions import find_captions
from variorum.regions.proposers.rules import rule_regions

SPACE_EM = 0.6
BOOKTABS = """
------------------------------
Drug          Dose      Effect
------------------------------
Alpha         12.5      0.81
Beta          7.0       0.64
------------------------------
"""


def regions(*drawings: object) -> list[Box]:
    evidence = page(*drawings)  # type: ignore[arg-type]
    return rule_regions(evidence, find_captions(evidence, SPACE_EM), SPACE_EM)


def test_booktabs_table_is_one_region_from_first_rule_to_last() -> None:
    """30 characters of 6 pt wide; the first rule 2 pt below the top, the last below lines of 4, 14, 4, 14 and 14 pt."""
    assert regions(BOOKTABS) == [Box(60, 100 + 2, 60 + 30 * 6, 100 + 4 + 14 + 4 + 28 + 2)]


def test_rule_below_a_spanning_header_belongs_to_the_region() -> None:
    picture = BOOKTABS.replace("------------------------------\nAlpha", "              ----------------\nAlpha", 1)
    assert regions(picture) == [Box(60, 100 + 2, 60 + 30 * 6, 100 + 4 + 14 + 4 + 28 + 2)]


def test_two_tables_with_a_paragraph_between_them_are_two_regions() -> None:
    prose = "\n".join(["The drugs were given for a week"] * 4)
    assert len(regions(BOOKTABS + prose + BOOKTABS)) == 2


def test_two_tables_with_a_caption_between_them_are_two_regions() -> None:
    assert len(regions(BOOKTABS + "Table 2: Effects." + BOOKTABS)) == 2


def test_tables_side_by_side_are_two_regions() -> None:
    found = regions(drawn(BOOKTABS, left=60), drawn(BOOKTABS, left=330))
    assert [b.x0 for b in found] == [60, 330]


def test_single_rule_frames_nothing() -> None:
    assert regions("Drug     Dose\n-------------\nAlpha    12.5") == []


def test_rules_around_a_paragraph_are_no_table() -> None:
    prose = "\n".join(["The drugs were given for a week"] * 4)
    assert regions(f"-------------------------------\n{prose}\n-------------------------------") == []


def test_strokes_shorter_than_two_signs_are_no_rules() -> None:
    """Minus signs and fraction bars: 2 characters are 12 pt, less than twice the size of the type."""
    assert regions("--\nDrug     Dose\n--") == []


def test_page_without_words_has_no_regions() -> None:
    assert regions("") == []
