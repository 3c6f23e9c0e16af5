"""Numbers: a heading's number follows from that of the heading before it, and its depth is the heading's level.

A number that fits into no sequence speaks against a heading: it is that of an item of a list, or the beginning of a sentence.
"""

from __future__ import annotations

from variorum.document.paper_model import HeadingVote
from variorum.layout.heading_candidates import Candidate
from variorum.layout.heading_voters.model import HeadingContext


class Numbering:
    """The voter `numbering`."""

    name = "numbering"
    round = 2

    def vote(self, candidate: Candidate, context: HeadingContext) -> HeadingVote | None:
        """Return a vote for a number within the paper's sequence, against one outside it, none without a number."""
        sequence = context.sequence
        reading = sequence.readings.get(candidate.start)
        if reading is None:
            closed = [n for n in candidate.numbers if n.kind != "letter" or n.is_closed or n.word]
            if not closed:
                return None
            reason = f"“{closed[0].printed}” fits into no sequence of numbered headings"
            return HeadingVote(voter=self.name, is_heading=False, confidence=1 / 2, reason=reason)
        level = sequence.levels[candidate.start]
        confidence = sequence.length / (sequence.length + 1)
        reason = f"“{reading.printed}” is one of {sequence.length} numbers that follow each other"
        return HeadingVote(voter=self.name, is_heading=True, confidence=confidence, reason=reason, level=level)
