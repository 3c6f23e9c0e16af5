"""Siblings: what is set in the same type, and what the other voters made of it. Headings come in families.

A lone line in its type says nothing, a lone heading that runs in is more likely an emphasis.
"""

from __future__ import annotations

from variorum.document.paper_model import HeadingVote
from variorum.layout.heading_candidates import Candidate
from variorum.layout.heading_voters.model import HeadingContext


class Siblings:
    """The voter `siblings`."""

    name = "siblings"
    round = 2

    def vote(self, candidate: Candidate, context: HeadingContext) -> HeadingVote | None:
        """Return a vote with the majority of the candidates in the same type and of the same kind, own lines or run in."""
        others = [
            c
            for c in context.candidates
            if c.start != candidate.start and c.style == candidate.style and c.is_run_in == candidate.is_run_in
        ]
        runs_in = candidate.is_run_in
        good = sum(context.verdicts.get(c.start, 0.0) > 0 for c in others)
        if not others and not runs_in:
            return None
        if not good and runs_in:
            reason = "no other heading runs in so"
            return HeadingVote(voter=self.name, is_heading=False, confidence=1.0, reason=reason)
        bad = len(others) - good
        what = "paragraphs that begin so" if runs_in else "lines in this type"
        if good == bad:
            return None
        reason = f"{max(good, bad)} of {len(others)} other {what} are {'' if good > bad else 'no '}headings"
        return HeadingVote(
            voter=self.name, is_heading=good > bad, confidence=abs(good - bad) / (len(others) + 1), reason=reason
        )
