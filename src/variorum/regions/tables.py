"""Table regions of a page: several proposers, one choice per table.

Proposals are made ready for the vote (`cutting`), one region a table is elected and its edges voted on (`election`), the
edges move to what they must hold or leave out (`edge_moves`), a line that two regions hold goes to one of them
(`shared_lines`), and captions are matched (`caption_matching`). A caption that no region answers to is given the cut-up lines
next to it, or what else is set there as a table (`gap_fill`), where the proposer `captions` was asked. Whether a region
without a caption is a table is for the document to decide: papers that caption their tables caption all of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from variorum.geometry import Box
from variorum.page.model import PageEvidence
from variorum.regions.caption_matching import with_captions
from variorum.regions.captions import FoundCaption
from variorum.regions.cutting import ready_for_the_vote
from variorum.regions.edge_moves import grown, without_captions
from variorum.regions.election import Election
from variorum.regions.gap_fill import stretch_beside, with_their_rest
from variorum.regions.model import TableRegion
from variorum.regions.proposers.captions import Captions, lines_around, lines_beside
from variorum.regions.shared_lines import without_shared_lines

__all__ = ["TableRegion", "table_regions"]


def table_regions(
    page: PageEvidence,
    proposals: Mapping[str, Sequence[Box]],
    captions: Sequence[FoundCaption],
    space_em: float,
) -> list[TableRegion]:
    """Return the table regions of a page from top to bottom, then left to right.

    `proposals` are boxes by proposer (those who see nothing with none), `captions` all captions of the page. Boxes are in
    points of the page as displayed.
    """
    tables = [c for c in captions if c.kind == "table"]
    election = Election(ready_for_the_vote(proposals, page, captions, space_em), page)
    bare = [without_captions(r, captions, page) for r in election.regions()]
    regions = without_shared_lines([grown(r, captions, page, space_em) for r in bare if r is not None], page)
    matched = with_their_rest(with_captions(regions, tables, [c for c in captions if c.kind != "table"], page), page)
    for caption in tables:
        if Captions.name in proposals and caption not in [r.caption for r in matched]:
            taken = [r.box for r in matched]
            found = lines_beside(caption, page, taken, captions, space_em)
            if found is not None:
                matched.append(replace(election.alone(found, Captions.name), caption=caption))
                continue
            stretch = stretch_beside(caption, page, *lines_around(caption, page, taken, captions))
            if stretch is not None:
                box, set_as = stretch
                matched.append(replace(election.alone(box, Captions.name), caption=caption, set_as=set_as))
    return sorted(matched, key=lambda r: (r.box.y0, r.box.x0))
