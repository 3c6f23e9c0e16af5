"""The vote on a heading is told in sentences, and a heading is found by what a reader calls it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from document_samples import document_of

from variorum.document import Document, HeadingDecision, HeadingVote, Provenance, Section, TextComponent
from variorum.document.explain_headings import explain_heading, find_heading, list_headings
from variorum.errors import UsageError


def vote(voter: str, confidence: float, *, is_heading: bool = True, level: int | None = None) -> HeadingVote:
    return HeadingVote(voter=voter, is_heading=is_heading, confidence=confidence, reason=f"as {voter} sees it", level=level)


def decision(text: str, *votes: HeadingVote, component: str | None = None, **fields: Any) -> HeadingDecision:
    return HeadingDecision(
        **{
            "text": text,
            "page_num": 3,
            "accepted": component is not None,
            "reason": "2 of 3 voters stand for it, 1.50 to 0.40",
            "votes": votes,
            "component": component,
            "level": 2 if component else None,
            **fields,
        }
    )


def heading(name: str, text: str, number: str | None = None) -> TextComponent:
    return TextComponent(
        id=name, kind="heading", text=text, provenance=Provenance(source="pdf", method="heading_vote"), level=2, number=number
    )


@pytest.fixture
def paper() -> Document:
    """Return a paper with the headings 3.2, 3.20 and A.1, two of the same name, and a candidate that was rejected."""
    texts = [("sec-3.2", "3.2 Doses", "3.2"), ("sec-3.20", "3.20 Doses of drugs", "3.20"), ("sec-A.1", "A.1. Setup", "A.1.")]
    texts += [("sec-9", "Limits", ""), ("sec-10", "Limits", "")]
    strong = (vote("spacing", 0.5), vote("numbering", 1.0, level=2), vote("names", 0.4, is_heading=False))
    return document_of(
        components=tuple(heading(name, text, number or None) for name, text, number in texts),
        headings=(
            *(decision(text, *strong, component=name) for name, text, _ in texts),
            decision("d = 2", reason="not put to the vote: it is mathematics"),
        ),
        sections=(
            Section(label="methods", confidence=0.75, reason="by its name", first="sec-3.2", last="sec-10", heading="sec-3.2"),
        ),
    )


def test_accepted_heading_names_who_is_for_and_against_surest_first(paper: Document) -> None:
    assert explain_heading(paper, "3.2") == (
        "heading '3.2 Doses' on page 3 (#1): accepted at level 2: 2 of 3 voters stand for it, 1.50 to 0.40\n"
        "  it is sec-3.2 of the document; its section is labelled methods (.75: by its name)\n"
        "  for:      numbering  1.00  level 2  as numbering sees it\n"
        "            spacing    .50            as spacing sees it\n"
        "  against:  names  .40  as names sees it\n"
    )


def test_rejected_candidate_has_its_reason_and_no_votes(paper: Document) -> None:
    assert explain_heading(paper, "d = 2") == (
        "heading 'd = 2' on page 3 (#6): rejected: not put to the vote: it is mathematics\n"
    )


@pytest.mark.parametrize(
    ("wanted", "position"),
    [
        ("3.2", 1),
        (" 3.2. ", 1),
        ("section 3.2", 1),
        ("§3.2", 1),
        ("3.2 doses", 1),
        ("Doses", 1),
        ("doses of", 2),
        ("sec-3.20", 2),
        ("a.1", 3),
        ("Appendix A.1", 3),
        ("setup", 3),
        ("#5", 5),
        ("# 06", 6),
        ("sec-10", 5),
    ],
)
def test_heading_is_found_by_number_words_id_or_position(paper: Document, wanted: str, position: int) -> None:
    assert find_heading(paper, wanted) == (position, paper.headings[position - 1])


def test_accepted_heading_is_meant_before_a_rejected_candidate_of_the_same_words(paper: Document) -> None:
    more = replace(paper, headings=(decision("Setup"), *paper.headings))
    assert find_heading(more, "setup")[0] == 4


def test_several_headings_are_listed(paper: Document) -> None:
    with pytest.raises(UsageError, match="2 headings fit 'Limits'") as caught:
        explain_heading(paper, "Limits")
    assert caught.value.hint == "'#4' (page 3: Limits), '#5' (page 3: Limits)"


@pytest.mark.parametrize("wanted", ["3.9", "nothing of that name", "#7", "#0", ""])
def test_heading_that_is_not_there_is_refused_with_choices(paper: Document, wanted: str) -> None:
    with pytest.raises(UsageError, match="no heading") as caught:
        explain_heading(paper, wanted)
    assert "'#1' (page 3: 3.2 Doses)" in str(caught.value.hint)


def test_document_without_a_vote_says_so() -> None:
    with pytest.raises(UsageError, match="nothing was put to the vote"):
        explain_heading(document_of(), "1")
    assert list_headings(document_of()).startswith("headings: none")


def test_list_has_a_line_a_candidate_and_the_counts(paper: Document) -> None:
    lines = list_headings(paper).splitlines()
    assert lines[0] == "headings: 6 candidates, 5 accepted, 1 rejected"
    assert lines[1] == "#1  level 2   page 3  3.2 Doses            2 of 3 voters stand for it, 1.50 to 0.40"
    assert lines[6].startswith("#6  rejected  page 3  d = 2")


def test_line_breaks_of_a_heading_do_not_break_the_list(paper: Document) -> None:
    broken = replace(paper, headings=(decision("On\nlines\u2028and", component=None),))
    assert len(list_headings(broken).splitlines()) == 2
