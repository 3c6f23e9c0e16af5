"""White: headings are set off from the text above and below by more than the leading."""

from __future__ import annotations

from variorum.document.paper_model import HeadingVote
from variorum.layout.heading_candidates import Candidate
from variorum.layout.heading_voters.model import HeadingContext


class Spacing:
    """The voter `spacing`."""

    name = "spacing"
    round = 1

    def vote(self, candidate: Candidate, context: HeadingContext) -> HeadingVote | None:
        """Return a vote for white above or below, against a line that stands within the text; of a heading that runs in only
        white above is looked at, and its absence says nothing."""
        leading = context.body.leading
        above, below = candidate.above, candidate.below if not candidate.is_run_in else None
        extra = [max(0.0, step - leading) for step in (above, below) if step is not None]
        if not extra:
            return None
        total = sum(extra)
        if 2 * total > context.body.size / 2:
            places = [where for where, step in (("above", above), ("below", below)) if step is not None and step > leading]
            white = f"{total:.1f} pt more than the leading {' and '.join(places)}"
            return HeadingVote(voter=self.name, is_heading=True, confidence=total / (total + leading), reason=white)
        if candidate.is_run_in or above is None:
            return None
        return HeadingVote(voter=self.name, is_heading=False, confidence=1 / 2, reason="no white above or below")
