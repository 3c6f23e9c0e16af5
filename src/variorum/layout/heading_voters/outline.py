"""Bookmarks of the PDF: a line whose words are those of a bookmark to its page is a heading of the bookmark's level.

A line that is no bookmark says nothing: outlines leave out what has no number.
"""

from __future__ import annotations

from variorum.document.paper_model import HeadingVote
from variorum.layout.heading_candidates import Candidate
from variorum.layout.heading_voters.model import HeadingContext


class Outline:
    """The voter `outline`."""

    name = "outline"
    round = 1

    def vote(self, candidate: Candidate, context: HeadingContext) -> HeadingVote | None:
        """Return a vote for a candidate that a bookmark names, with the bookmark's level."""
        if candidate.start not in context.bookmarks:
            return None
        entry, level = context.bookmarks[candidate.start]
        here = "" if level == entry.level else f", which is {level} among the headings,"
        return HeadingVote(
            voter=self.name,
            is_heading=True,
            confidence=1.0,
            reason=f"a bookmark of level {entry.level}{here} leads to “{entry.title}” on this page",
            level=level,
        )
