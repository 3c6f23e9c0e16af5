"""What a proposer of table regions may look at and gives back, and what a region is. Boxes are PDF points, origin top-left."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol

from variorum.document.apparatus import RegionEdge
from variorum.geometry import Box
from variorum.page.model import PageEvidence
from variorum.page.reader import PageHandle
from variorum.page.turning import upright
from variorum.regions.captions import FoundCaption


@dataclass(frozen=True, slots=True)
class ProposerContext:
    """One view of a page: its evidence, all captions on it, the usual word space in em.

    The text of the view is upright at `angle` (degrees; 0: the page as displayed). `handle` is the page itself, for proposers
    that ask a library; its boxes are as displayed, and `upright` turns them into the view.
    """

    view: PageEvidence
    captions: tuple[FoundCaption, ...]
    space_em: float
    handle: PageHandle
    angle: int = 0

    def upright(self, box: Box) -> Box:
        """Return a box of the page as displayed as it lies in the view."""
        page = self.handle.evidence
        return upright(box, self.angle, page.width, page.height)


class RegionProposer(Protocol):
    """One voice on where tables lie.

    `family` names the kind of evidence: proposers of one family see the same thing in different ways, and share one voice.
    One that only `seconds` takes part in every vote, but a region that nobody else sees is none.
    """

    name: str
    family: str
    seconds: bool

    def propose(self, ctx: ProposerContext) -> list[Box]:
        """Return boxes around tables in the view; they may overlap, and the order says nothing."""


@dataclass(frozen=True, slots=True)
class TableRegion:
    """A region that holds a table: its box in points, its caption if any, and who proposed it (sorted names).

    `edges` are the four edges in the order top, bottom, left, right, with the votes on each; none when nobody voted. `set_as`
    says of a table without columns how it is set (``ruled``, ``list``, ``prose``; see `variorum.regions.gap_fill`).
    """

    box: Box
    caption: FoundCaption | None
    proposers: tuple[str, ...]
    edges: tuple[RegionEdge, ...] = ()
    set_as: Literal["", "ruled", "list", "prose"] = ""
