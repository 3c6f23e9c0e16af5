"""Who may lend what a winner lacks: the other readings of its position, from the highest score to the lowest."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeVar

from variorum.document import Figure, Table, TextComponent
from variorum.fusion.evidence import PaperEvidence
from variorum.fusion.model import Borrowed, Candidate, Position, Reading, SourceKind

PLACED: Final[tuple[SourceKind, ...]] = ("pdf", "docling")
"""The sources that read pages, the surer first."""
Part = TypeVar("Part")


class Lenders:
    """The readings of a position that a winner may borrow from: the others, from the highest score to the lowest."""

    def __init__(self, position: Position, candidates: Sequence[Candidate], paper: PaperEvidence) -> None:
        """Take the readings of the position in the order of the candidates."""
        readings = {reading.source: reading for reading in position.readings}
        self.paper = paper
        self.winner = candidates[0].source
        self.readings: tuple[Reading, ...] = tuple(readings[c.source] for c in candidates)
        self.others = self.readings[1:]

    def from_sources(self, sources: Sequence[SourceKind]) -> list[Reading]:
        """Return the readings of these sources other than the winner's, in their order."""
        return [r for source in sources for r in self.others if r.source == source]

    def texts(self, reading: Reading) -> tuple[TextComponent, ...]:
        """Return the text components of a reading."""
        return self.paper.indexes[reading.source].texts_of(reading)

    def has_section_of(self, text: str) -> bool:
        """Return whether the winner's source has these words as a heading and the text under it."""
        return self.paper.indexes[self.winner].has_section_of(text)

    def floats(self, reading: Reading) -> tuple[Table | Figure, ...]:
        """Return the tables and figures of a reading."""
        return self.paper.indexes[reading.source].floats_of(reading)


def lent(attribute: str, reading: Reading, value: str) -> Borrowed:
    """Return the record of an attribute that a reading lends."""
    return Borrowed(attribute=attribute, source=reading.source, components=reading.components, value=value)


def paired(parts: Sequence[Part], index: int, count: int) -> Sequence[Part]:
    """Return a lender's parts that belong to the winner's part of this index: one where both have as many, else all."""
    return parts[index : index + 1] if len(parts) == count else parts
