"""What a voter on headings may look at, and what it gives back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from variorum.document.paper_model import HeadingVote
from variorum.layout.heading_candidates import Candidate, TypeScale
from variorum.layout.heading_numbers import NumberSequence
from variorum.layout.model import BodyStyle, PaperPrint
from variorum.page.bookmarks import OutlineEntry


@dataclass(frozen=True, slots=True)
class HeadingContext:
    """What the voters look at: the paper, how running text is set, all candidates in reading order, and what was made out of
    them before: the bookmark that each belongs to (with its level) and the sequence of numbers, by the candidate's `start`.

    `starts` are those of the candidates in lines of their own, `references`, `contents` and
    `abstracts` where lists of references, tables of contents and abstracts begin and end.
    `verdicts` says for each candidate, by `start`, what the other voters make of it: the sum of their
    confidences for a heading less that against one. It is empty for the voters of the first round.
    """

    paper: PaperPrint
    body: BodyStyle
    scale: TypeScale
    candidates: tuple[Candidate, ...]
    bookmarks: Mapping[int, tuple[OutlineEntry, int]]
    sequence: NumberSequence
    starts: frozenset[int] = frozenset()
    references: tuple[tuple[int, int], ...] = ()
    contents: tuple[tuple[int, int], ...] = ()
    abstracts: tuple[tuple[int, int], ...] = ()
    verdicts: Mapping[int, float] = field(default_factory=dict)


class HeadingVoter(Protocol):
    """One voice on headings; `round` is 1 for a voter that looks at the page alone, 2 for one that also hears the others."""

    name: str
    round: int

    def vote(self, candidate: Candidate, context: HeadingContext) -> HeadingVote | None:
        """Return what the voter says of a candidate, or None when it has no opinion."""
