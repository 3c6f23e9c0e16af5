"""Position: a heading begins at the left edge of its column or stands in its middle, leaves its last line short, and is
followed by text; it begins with a capital or a number and does not end as a sentence does.

A heading that runs in begins a paragraph, and its words are closed by a mark or by white: others are not admitted.
"""

from __future__ import annotations

from collections.abc import Iterator

from variorum.document.paper_model import HeadingVote
from variorum.layout.heading_candidates import Candidate
from variorum.layout.heading_voters.model import HeadingContext
from variorum.layout.model import is_size


class Position:
    """The voter `position`."""

    name = "position"
    round = 1

    def vote(self, candidate: Candidate, context: HeadingContext) -> HeadingVote | None:
        """Return a vote for a place where headings stand, or against one, with all that speaks against it."""
        if candidate.is_run_in:
            return HeadingVote(
                voter=self.name, is_heading=True, confidence=1 / 2, reason="opens a paragraph, and is closed off from it"
            )
        faults = list(_faults(candidate, context))
        if faults:
            weight = sum(w for w, _ in faults)
            reason = ", ".join(text for _, text in faults)
            return HeadingVote(voter=self.name, is_heading=False, confidence=min(1.0, weight), reason=reason)
        return HeadingVote(voter=self.name, is_heading=True, confidence=1 / 2, reason="in lines of its own above text")


def _faults(candidate: Candidate, context: HeadingContext) -> Iterator[tuple[float, str]]:
    column, em = candidate.column, context.body.size
    at_left = candidate.first.box.x0 - column.start <= em / 2
    is_centred = abs(candidate.box.x_interval.middle - column.middle) <= em
    if not at_left and not is_centred:
        yield 1 / 2, "neither at the left edge of the column nor in its middle"
    if column.end - candidate.last.box.x1 < context.body.word_space and not is_centred:
        yield 1 / 2, "its last line fills the column"
    if candidate.text.endswith("."):
        yield 1 / 2 if candidate.numbers else 1.0, "ends with a full stop"
    if candidate.text.endswith(":"):
        yield 1 / 2, "ends with a colon"
    if candidate.begins_small:
        yield 1 / 2, "begins with a small letter"
    after = candidate.after
    if after is not None and not is_size(after.style.size, context.body.size) and after.start not in context.starts:
        yield 1 / 2, "followed by smaller or larger type than that of running text"
