"""PyMuPDF's layout model: a box of the class `section-header` or `title` around the lines, or one of another class."""

from __future__ import annotations

from typing import Final

from variorum.document.paper_model import HeadingVote
from variorum.layout.heading_candidates import Candidate
from variorum.layout.heading_voters.model import HeadingContext

_HEADINGS: Final = ("section-header", "title")


class LayoutModel:
    """The voter `layout_model`."""

    name = "layout_model"
    round = 1

    def vote(self, candidate: Candidate, context: HeadingContext) -> HeadingVote | None:
        """Return a vote for the class of the box that covers most of the lines; for a heading that runs in, a box of text says
        nothing."""
        page = next(p for p in context.paper.pages if p.page_index == candidate.first.page_index)
        own = candidate.box
        area = own.width * own.height
        shares: dict[str, float] = {}
        for kind, box in page.layout_boxes:
            shared = own.intersection(box)
            if shared is not None and area > 0:
                shares[kind] = max(shares.get(kind, 0.0), shared.width * shared.height / area)
        if not shares:
            return None
        kind = max(shares, key=lambda k: (shares[k], k in _HEADINGS, k))
        if 2 * shares[kind] <= 1:
            return None
        reason = f"the layout model sees {'an' if kind[0] in 'aeiou' else 'a'} {kind.replace('-', ' ')}"
        if kind in _HEADINGS:
            return HeadingVote(voter=self.name, is_heading=True, confidence=min(shares[kind], 1.0), reason=reason)
        is_text = kind in ("text", "list-item")
        if candidate.is_run_in and is_text:
            return None
        confidence = min(shares[kind], 1.0)
        return HeadingVote(
            voter=self.name, is_heading=False, confidence=confidence / 2 if is_text else confidence, reason=reason
        )
