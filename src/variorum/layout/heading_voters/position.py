"""Position: a heading begins at the left edge of its column or stands in its middle, leaves its last line short, and is
followed by text; it begins with a capital or a number and does not end as a sentence does.

A heading that runs in begins a paragraph, and its words are closed by a mark or by white.
"""

from __future__ import annotations

from collections.abc import Iterator

from variorum.document.paper_model import HeadingVote
from variorum.layout.heading_candidates import CLOSING, Candidate
from variorum.layout.heading_voters.model import HeadingContext
from variorum.layout.model import is_size
from variorum.thresholds import WORD_SPACES_PER_GAP


class Position:
    """The voter `position`."""

    name = "position"
    round = 1

    def vote(self, candidate: Candidate, context: HeadingContext) -> HeadingVote | None:
        """Return a vote for a place where headings stand, or against one, with all that speaks against it."""
        faults = list(_faults(candidate, context) if candidate.runs is None else _run_in_faults(candidate, context))
        if faults:
            weight = sum(w for w, _ in faults)
            reason = ", ".join(text for _, text in faults)
            return HeadingVote(voter=self.name, is_heading=False, confidence=min(1.0, weight), reason=reason)
        if candidate.runs is None:
            return HeadingVote(voter=self.name, is_heading=True, confidence=1 / 2, reason="in lines of its own above text")
        return HeadingVote(voter=self.name, is_heading=True, confidence=1 / 2, reason="opens a paragraph, and is closed off")


def _faults(candidate: Candidate, context: HeadingContext) -> Iterator[tuple[float, str]]:
    first, last, column = candidate.first, candidate.last, candidate.column
    em = context.body.size
    at_left = first.box.x0 - column.start <= em / 2
    is_centred = abs(candidate.box.x_interval.middle - column.middle) <= em
    if not at_left and not is_centred:
        yield 1 / 2, "neither at the left edge of the column nor in its middle"
    if column.end - last.box.x1 < context.body.word_space and not is_centred:
        yield 1 / 2, "its last line fills the column"
    words = candidate.text
    if words.endswith((".", ",", ";", "-")):
        yield 1 / 2 if words.endswith(".") else 1.0, f"ends with “{words[-1]}”"
    if _begins_small(candidate):
        yield 1.0, "begins with a small letter"
    after = candidate.after
    if after is not None and not is_size(after.style.size, context.body.size) and after.start not in _starts(context):
        yield 1 / 2, "followed by smaller or larger type than that of running text"
    if _in_references(candidate, context):
        yield 1.0, "within the list of references"


def _run_in_faults(candidate: Candidate, context: HeadingContext) -> Iterator[tuple[float, str]]:
    text = candidate.text
    is_wide = candidate.separation > WORD_SPACES_PER_GAP * context.body.word_space
    if not text.endswith(CLOSING) and not candidate.rest.startswith(CLOSING) and not is_wide:
        yield 1.0, "neither a mark nor white closes it"
    if _begins_small(candidate):
        yield 1.0, "begins with a small letter"
    if not _opens_paragraph(candidate, context):
        yield 1.0, "does not open a paragraph"
    after, first = candidate.after, candidate.first
    if after is not None and after.line.box.x0 - first.box.x0 > context.body.word_space and after.box.x0 < candidate.column.end:
        yield 1.0, "the lines below are indented: a list"
    if _in_references(candidate, context):
        yield 1.0, "within the list of references"


def _begins_small(candidate: Candidate) -> bool:
    number = candidate.numbers[0] if candidate.numbers else None
    text = candidate.text[number.end :] if number else candidate.text
    letter = next((c for c in text if c.isalpha()), "")
    return letter.islower() and not (number and number.is_closed)


def _opens_paragraph(candidate: Candidate, context: HeadingContext) -> bool:
    before, first = candidate.before, candidate.first
    if before is None or before.start + 1 < 1:
        return True
    if before.line.baseline >= first.baseline:  # the top of the next column
        return True
    if candidate.above is not None and 2 * (candidate.above - context.body.leading) > context.body.size / 2:
        return True
    if first.box.x0 - candidate.column.start > context.body.word_space:
        return True
    return candidate.column.end - before.box.x1 > context.body.size or before.start in _starts(context)


def _starts(context: HeadingContext) -> set[int]:
    return {c.start for c in context.candidates if c.runs is None}


def _in_references(candidate: Candidate, context: HeadingContext) -> bool:
    return any(a < candidate.start < b for a, b in context.references)
