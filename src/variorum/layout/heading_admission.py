"""Which candidates never come to a vote: what stands so that no heading can.

A list of references has no headings within it, a line that goes on from the one above is part of its paragraph, and the first
words of a theorem or of an item in a list are not those of a section.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from variorum.layout.heading_candidates import CLOSING, Candidate, begins_item, is_mathematical
from variorum.layout.heading_voters.model import HeadingContext
from variorum.layout.section_names import is_front_name
from variorum.thresholds import WORD_SPACES_PER_GAP

_FLOAT: Final = re.compile(
    r"(?:(?:supporting|supplementary|supplemental|extended data)\s+)?(?:table|tab|figure|fig|algorithm|listing|scheme|"
    r"box)\.?\s+[A-Z]?\.?\s?(?:\d|[IVX]+\b)",
    re.IGNORECASE,
)
_DATE: Final = re.compile(
    r"(?:\d{1,2}(?:st|nd|rd|th)?\.?\s+)?(?:january|february|march|april|may|june|july|august|september|october|november|december)"
    r"(?:\s+\d{1,2}(?:st|nd|rd|th)?)?,?\s+\d{4}$|(?:preprint |manuscript )?(?:submitted|accepted|received|published)\b.*$",
    re.IGNORECASE,
)
_IN_BRACKETS: Final = re.compile(r"\((?:\d+|[A-Za-z]|[ivx]+)\)")
_STATEMENT: Final = re.compile(
    r"(?:theorem|lemma|corollary|proposition|definition|remark|example|assumption|claim|conjecture|observation|hypothesis|"
    r"property|problem|exercise|equation|eq)\.?\s*[A-Z]?\.?(?:\d|[IVX]+\b)|"
    r"(?:proof|theorem|lemma|corollary|proposition|definition|remarks?|example|note|notation|sketch of proof)"
    r"\s*(?:$|[.:(]|of\b)|(?:inputs?|outputs?|require|ensure|result|data)\s*:",
    re.IGNORECASE,
)

_OPENERS: Final = frozenset(
    (
        "A",
        "An",
        "The",
        "This",
        "These",
        "In",
        "On",
        "At",
        "By",
        "For",
        "From",
        "To",
        "With",
        "We",
        "Our",
        "It",
        "As",
        "If",
        "When",
    )
)
"""Words that begin a sentence: what stands before them is closed off even without a mark."""


def why_refused(candidate: Candidate, context: HeadingContext) -> str:
    """Return why the candidate cannot be a heading, or an empty text."""
    return next(_reasons(candidate, context), "")


def _reasons(candidate: Candidate, context: HeadingContext) -> Iterator[str]:
    if any(a < candidate.start < b for a, b in context.references):
        yield "it stands within the list of references"
    if any(a < candidate.start < b for a, b in context.contents):
        yield "it stands within the table of contents"
    if _is_mathematics(candidate):
        yield "it is mathematics"
    if candidate.text.rstrip(" .,:").endswith("et al"):
        yield "it is a citation"
    if _FLOAT.match(candidate.text):
        yield "it names a float"
    yield from _run_in_reasons(candidate, context) if candidate.is_run_in else _own_line_reasons(candidate, context)


def _own_line_reasons(candidate: Candidate, context: HeadingContext) -> Iterator[str]:
    text = candidate.text
    if candidate.begins_small and not candidate.numbers:
        yield "it begins with a small letter"
    if text.endswith((",", ";", "-")):
        yield f"it ends with “{text[-1]}”"
    if text.endswith(".") and candidate.n_rows > 1:
        yield "it is a sentence of several lines"
    if text.endswith(":") and is_front_name(text):
        yield "it names a line of keywords or credits"
    if _DATE.match(text):
        yield "it is a date or a note on the publication"
    if _is_content_line(candidate):
        yield "it is a line of a table of contents"
    if _goes_on_from_above(candidate, context):
        yield "it goes on from the line above"
    if _goes_on_below(candidate, context):
        yield "it goes on in the line below"


def _run_in_reasons(candidate: Candidate, context: HeadingContext) -> Iterator[str]:
    if _STATEMENT.match(candidate.text):
        yield "statements and algorithms begin so"
    if _IN_BRACKETS.match(candidate.text):
        yield "a number in brackets is that of an item of a list"
    if is_front_name(candidate.text):
        yield "it names a line of keywords or credits"
    if any(a < candidate.start < b for a, b in context.abstracts):
        yield "it stands within the abstract"
    is_wide = candidate.separation > WORD_SPACES_PER_GAP * context.body.word_space
    is_closed = candidate.text.endswith(CLOSING) or candidate.rest.startswith(CLOSING) or is_wide
    if not is_closed and candidate.rest.split()[0] not in _OPENERS:
        yield "neither a mark nor white closes it off"
    if candidate.begins_small:
        yield "it begins with a small letter"
    if not _opens_paragraph(candidate, context):
        yield "it does not open a paragraph"
    if _is_item(candidate, context):
        yield "the lines below are indented, as those of an item in a list are"


def _is_mathematics(candidate: Candidate) -> bool:
    runs = [r for line in candidate.lines for r in line.runs]
    total = sum(len(r.text) for r in runs)
    return 2 * sum(len(r.text) for r in runs if is_mathematical(r.font)) > total or any(c in candidate.text for c in "=\ufffd")


def _is_content_line(candidate: Candidate) -> bool:
    """Return whether the number of a page ends the line, at the right edge of the column behind wide white or dots."""
    runs = candidate.last.runs
    if len(runs) < 2 or not runs[-1].text.isdigit():
        return False
    return runs[-1].box.x0 - runs[-2].box.x1 > candidate.last.size or runs[-2].text.endswith((". .", "..", "…"))


def _goes_on_from_above(candidate: Candidate, context: HeadingContext) -> bool:
    """Return whether the line above fills the column and no white is between."""
    before, above = candidate.before, candidate.above
    if before is None or above is None or before.main.baseline >= candidate.first.baseline:
        return False
    is_tight = 2 * (above - context.body.leading) <= context.body.size / 2
    return is_tight and candidate.column.end - before.box.x1 < context.body.size and before.start not in context.starts


def _goes_on_below(candidate: Candidate, context: HeadingContext) -> bool:
    """Return whether the last line fills the column from its left edge and no white is below."""
    if candidate.below is None or candidate.last.box.x0 - candidate.column.start > context.body.size:
        return False
    is_tight = 2 * (candidate.below - context.body.leading) <= context.body.size / 2
    return is_tight and candidate.column.end - candidate.last.box.x1 < context.body.word_space


def _opens_paragraph(candidate: Candidate, context: HeadingContext) -> bool:
    """Return whether white, an indent, a short line or a heading is before the line."""
    before, above = candidate.before, candidate.above
    if before is None or above is None or before.main.baseline >= candidate.first.baseline:
        return True
    if 2 * (above - context.body.leading) > context.body.size / 2:
        return True
    if candidate.first.box.x0 - candidate.column.start > context.body.word_space:
        return True
    return candidate.column.end - before.box.x1 > context.body.size or before.start in context.starts


def _is_item(candidate: Candidate, context: HeadingContext) -> bool:
    after = candidate.after
    if after is None or after.main.baseline <= candidate.first.baseline or begins_item(after.text):
        return False
    return after.box.x0 - candidate.first.box.x0 > context.body.word_space and after.start not in context.starts
