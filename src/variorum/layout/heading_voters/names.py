"""Names: the whole text is what a part of a paper is usually called (``Abstract``, ``References``, ``Acknowledgements``)."""

from __future__ import annotations

from variorum.document.paper_model import HeadingVote
from variorum.layout.heading_candidates import Candidate
from variorum.layout.heading_voters.model import HeadingContext
from variorum.layout.section_names import is_known_name, label_of_name


class Names:
    """The voter `names`."""

    name = "names"
    round = 1

    def vote(self, candidate: Candidate, context: HeadingContext) -> HeadingVote | None:
        """Return a vote for a known name; other names say nothing."""
        texts = {candidate.text, *(candidate.text[n.end :] for n in candidate.numbers)}
        if not any(is_known_name(text) for text in texts):
            return None
        labels = {label_of_name(text) for text in texts}
        level = 1 if labels & {"abstract", "references"} else None
        reason = "parts of papers bear this name"
        return HeadingVote(voter=self.name, is_heading=True, confidence=1.0, reason=reason, level=level)
