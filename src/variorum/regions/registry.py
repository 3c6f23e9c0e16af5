"""The proposers of table regions by name, in the order in which they are asked."""

from __future__ import annotations

from functools import cache

from variorum.regions.model import RegionProposer


@cache
def region_proposers() -> dict[str, RegionProposer]:
    """Return the proposers by name."""
    from variorum.regions.proposers.captions import Captions
    from variorum.regions.proposers.find_tables_lines import FindTablesLines
    from variorum.regions.proposers.find_tables_lines_strict import FindTablesLinesStrict
    from variorum.regions.proposers.find_tables_text import FindTablesText
    from variorum.regions.proposers.layout_boxes import LayoutBoxes
    from variorum.regions.proposers.rules import Rules
    from variorum.regions.proposers.text_density import TextDensity

    found: tuple[RegionProposer, ...] = (
        Rules(),
        FindTablesLines(),
        FindTablesLinesStrict(),
        FindTablesText(),
        LayoutBoxes(),
        Captions(),
        TextDensity(),
    )
    return {proposer.name: proposer for proposer in found}


def family_of(proposer: str) -> str:
    """Return the family of a proposer; one from outside is a family of its own."""
    known = region_proposers().get(proposer)
    return proposer if known is None else known.family


def only_seconds(proposer: str) -> bool:
    """Return whether what the proposer sees counts only where another sees it too."""
    known = region_proposers().get(proposer)
    return known is not None and known.seconds
