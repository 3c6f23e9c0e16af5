"""Type: headings are set larger, bolder, slanted, in capitals or in another face than running text, and little is set so.

The confidence grows with the number of differences and shrinks with the share of the paper that is set in the same type.
"""

from __future__ import annotations

from variorum.document.paper_model import HeadingVote
from variorum.layout.heading_candidates import Candidate
from variorum.layout.heading_voters.model import HeadingContext
from variorum.layout.model import is_size


class TypeFace:
    """The voter `type_face`."""

    name = "type_face"
    round = 1

    def vote(self, candidate: Candidate, context: HeadingContext) -> HeadingVote | None:
        """Return a vote for type that stands out from running text, against type that does not or is smaller."""
        own, body = candidate.style, context.scale.body
        share = context.scale.shares.get(own, 0.0)
        found = []
        if own.size > body.size and not is_size(own.size, body.size):
            found.append(f"larger than running text ({own.size:.1f} pt, {body.size:.1f} pt)")
        if own.is_bold and not body.is_bold:
            found.append("bold")
        if own.is_italic and not body.is_italic:
            found.append("italic")
        if own.is_caps:
            found.append("in capitals")
        if not found and own.font != body.font and is_size(own.size, body.size):
            found.append("in another face than running text")
        if not found:
            smaller = own.size < body.size and not is_size(own.size, body.size)
            what = "smaller than running text" if smaller else "set as running text"
            return HeadingVote(voter=self.name, is_heading=False, confidence=1 - share / 2 if smaller else 1.0, reason=what)
        confidence = len(found) / (len(found) + 1) * (1 - share)
        return HeadingVote(voter=self.name, is_heading=True, confidence=confidence, reason=" and ".join(found))
