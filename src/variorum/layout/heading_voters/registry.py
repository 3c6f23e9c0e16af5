"""The voters on headings by name, in the order in which their votes are listed."""

from __future__ import annotations

from functools import cache

from variorum.layout.heading_voters.model import HeadingVoter


@cache
def heading_voters() -> dict[str, HeadingVoter]:
    """Return the voters by name."""
    from variorum.layout.heading_voters.layout_model import LayoutModel
    from variorum.layout.heading_voters.names import Names
    from variorum.layout.heading_voters.numbering import Numbering
    from variorum.layout.heading_voters.outline import Outline
    from variorum.layout.heading_voters.position import Position
    from variorum.layout.heading_voters.siblings import Siblings
    from variorum.layout.heading_voters.spacing import Spacing
    from variorum.layout.heading_voters.type_face import TypeFace

    found: tuple[HeadingVoter, ...] = (
        Outline(),
        TypeFace(),
        Numbering(),
        Spacing(),
        LayoutModel(),
        Position(),
        Names(),
        Siblings(),
    )
    return {voter.name: voter for voter in found}
