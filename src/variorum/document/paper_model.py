"""What a paper has beside its tables and the text in order: figures, references, citations, sections, headings' votes, gaps.

All data is frozen. Components of the text are named by their ids; pages are 1-based; boxes are PDF points of the page as
displayed, origin top-left.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from variorum.document.placing import Caption, Provenance
from variorum.geometry import Box

SectionLabel = Literal[
    "preamble",
    "abstract",
    "introduction",
    "background",
    "methods",
    "results",
    "discussion",
    "conclusion",
    "references",
    "appendix",
    "unknown",
]
Grade = Literal["A", "B", "C", "D", "F"]


@dataclass(frozen=True, slots=True, kw_only=True)
class FigurePanel:
    """A part of a figure with a label of its own (``a``, ``b``), and its box; the label is empty where none is printed."""

    label: str
    bbox: Box


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A figure: its printed number, caption, place, what it is drawn with, and its panels.

    `kind` is ``raster`` (images), ``vector`` (paths and text) or ``mixed``. `is_data_table` says that the picture shows a table
    of data: it is a figure by its caption and not counted among the tables. `text` are the words inside it, in reading order.
    """

    id: str
    provenance: Provenance
    kind: Literal["raster", "vector", "mixed"]
    number: str | None = None
    caption: Caption | None = None
    panels: tuple[FigurePanel, ...] = ()
    is_data_table: bool = False
    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadingVote:
    """What one voter says of a heading: whether it is one, its level from 1 (None: no opinion), how sure in [0, 1], and why."""

    voter: str
    is_heading: bool
    confidence: float
    reason: str
    level: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadingDecision:
    """The vote on one candidate for a heading: the text, where it stands, whether and why it was accepted, and every vote.

    `component` is the id of the heading, None where it was rejected.
    """

    text: str
    page_num: int
    accepted: bool
    reason: str
    votes: tuple[HeadingVote, ...]
    component: str | None = None
    level: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A stretch of the text: what it is (`label`), how sure in [0, 1] and why, its heading's id, first and last component.

    Sections follow each other without a gap and do not overlap; `heading` is None for what stands before the first heading, and
    for an abstract without one.
    """

    label: SectionLabel
    confidence: float
    reason: str
    first: str
    last: str
    heading: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BibliographyEntry:
    """What could be read from one entry of the list of references; its whole text is that of the component of the same id."""

    id: str
    label: str | None = None
    authors: tuple[str, ...] = ()
    year: str | None = None
    title: str | None = None
    doi: str | None = None
    arxiv_id: str | None = None
    url: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Citation:
    """A mark in the text that cites entries: characters `start` to `end` of the component's text, as printed, and the entries'
    ids.

    `targets` is empty where no entry fits; `style` is ``numeric``, ``superscript`` or ``author-year``.
    """

    component: str
    start: int
    end: int
    text: str
    style: Literal["numeric", "superscript", "author-year"]
    targets: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class InlineEquation:
    """Mathematics inside a text: characters `start` to `end` of the component's text, that text, and the TeX where the source
    has it."""

    component: str
    start: int
    end: int
    text: str
    tex: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Mention:
    """A place in the text that names a table, figure, equation or section by its number, and the id of what it names.

    Characters `start` to `end` of the component's text; `target` is None where the paper as read has none of that number.
    """

    component: str
    start: int
    end: int
    text: str
    kind: Literal["table", "figure", "equation", "section"]
    number: str
    target: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperIdentity:
    """Title, authors and identifiers as the pages show them; what they do not show is empty."""

    title: str = ""
    authors: tuple[str, ...] = ()
    doi: str | None = None
    arxiv_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Gap:
    """Something that may be missing: of what kind, what, and where.

    `kind`: ``numbering`` (Table 4 follows Table 2), ``duplicate_number`` (two tables are called 3), ``orphan_caption`` (a
    caption without its float), ``uncaptioned`` (a float without its caption), ``unreadable_page``, ``no_abstract``,
    ``no_sections``, ``no_references``, ``unresolved_citation``, ``unresolved_mention``; of a fused paper ``lost_words`` (two
    independent sources have words that the chosen one lacks).
    """

    kind: Literal[
        "numbering",
        "duplicate_number",
        "orphan_caption",
        "uncaptioned",
        "unreadable_page",
        "no_abstract",
        "no_sections",
        "no_references",
        "unresolved_citation",
        "unresolved_mention",
        "lost_words",
    ]
    what: str
    page_num: int | None = None
    component: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Completeness:
    """How complete the reading is: a grade from A (nothing is known to be missing) to F, a sentence for every reason, worst
    first, and the gaps that were found.

    `variorum.layout.completeness` has the rules. Each reason begins with the grade that it allows; the lowest of them is the
    grade.
    """

    grade: Grade
    reasons: tuple[str, ...]
    gaps: tuple[Gap, ...] = ()
