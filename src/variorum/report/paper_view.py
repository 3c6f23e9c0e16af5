"""The shape of what the report shows of a whole paper: its blocks with their links, sections, votes on headings, grade."""

from __future__ import annotations

from typing import Literal, TypedDict

from variorum.report.placed import Corners

Layer = Literal["front", "headings", "text", "equations", "floats", "notes", "references", "furniture"]
LAYERS: tuple[Layer, ...] = ("furniture", "floats", "text", "references", "notes", "equations", "front", "headings")
"""The layers of blocks, each drawn over those before it."""


class BlockView(TypedDict):
    """One block: a component of the text, a table or a figure. Other blocks are named by their positions among all blocks.

    `order` is its position in the order of reading, from 1; 0 for furniture, and for a float that stands nowhere in the text.
    `places` are (page, box) in the order of reading. `marks` are (start, end, blocks) of the text: what it cites and names
    there. `sign` is what stands beside it on the page: the level of a heading, the number of an equation. `names` are the
    floats that a caption belongs to, or the caption of a float; `cited_by` the blocks that cite or name it. `facts` are
    (what, value) pairs; `anchor` is the entry of a table further down, or ''.
    """

    id: str
    kind: str
    layer: Layer
    title: str
    sign: str
    order: int
    text: str
    note: str
    places: list[tuple[int, Corners]]
    marks: list[tuple[int, int, list[int]]]
    names: list[int]
    cited_by: list[int]
    facts: list[tuple[str, str]]
    anchor: str


class TieView(TypedDict):
    """The line from a caption to its float, on one page: from the caption's point to the float's."""

    page_num: int
    start: tuple[float, float]
    end: tuple[float, float]


class SectionView(TypedDict):
    """One section: label, how sure and why, its heading as printed ('' without), level from 1, page, and its first block."""

    label: str
    confidence: float
    reason: str
    title: str
    level: int
    page_num: int
    block: int | None


class BallotView(TypedDict):
    """One vote on a heading."""

    voter: str
    is_heading: bool
    confidence: float
    level: int | None
    reason: str


class DecisionView(TypedDict):
    """The decision on one candidate for a heading, with its votes, surest first; `block` is the heading where it is one."""

    text: str
    page_num: int
    accepted: bool
    level: int | None
    verdict: str
    votes: list[BallotView]
    block: int | None


class GapView(TypedDict):
    """Something that may be missing: of what kind, what, and where."""

    kind: str
    what: str
    page_num: int | None
    block: int | None


class PaperView(TypedDict):
    """A whole paper. `panels` and `outside` are boxes by page: parts of figures, and words that lie in no block."""

    title: str
    grade: str
    reasons: list[str]
    gaps: list[GapView]
    blocks: list[BlockView]
    ties: list[TieView]
    panels: dict[int, list[Corners]]
    outside: dict[int, list[Corners]]
    sections: list[SectionView]
    headings: list[DecisionView]
