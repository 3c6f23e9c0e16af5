"""What a run of the indexing did: each paper once, and numbers that add up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

Outcome = Literal["indexed", "unchanged", "skipped", "failed"]
OUTCOMES: Final[tuple[Outcome, ...]] = ("indexed", "unchanged", "skipped", "failed")


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperOutcome:
    """What became of one PDF, or of an item without one: ``indexed``, ``unchanged``, ``skipped`` or ``failed``, and why.

    `item` is its library and key, `attachment` the key of the PDF ('' without one); `title` is, of a file in a folder, the path
    in it.
    """

    item: str
    attachment: str
    title: str
    outcome: Outcome
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexReport:
    """What a run did. Every PDF of the items that were asked for, and every item without one, stands once in `papers`.

    `removed` counts the PDFs and items that were in the index and are in the library no more, `vectors` those made in this run,
    `waiting` the chunks that have none yet.
    """

    papers: tuple[PaperOutcome, ...]
    removed: int
    vectors: int
    waiting: int
    notices: tuple[str, ...] = ()

    @property
    def found(self) -> int:
        """How many there were: indexed + unchanged + skipped + failed."""
        return len(self.papers)

    def count(self, outcome: Outcome) -> int:
        """Return how many papers had this outcome."""
        return len(self.having(outcome))

    def having(self, outcome: Outcome) -> Sequence[PaperOutcome]:
        """Return the papers with this outcome, in the order of the library."""
        return [paper for paper in self.papers if paper.outcome == outcome]


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run is: items looked at, papers read of those to be read, vectors made of those missing."""

    stage: Literal["items", "papers", "vectors"]
    done: int
    total: int
    what: str = ""
