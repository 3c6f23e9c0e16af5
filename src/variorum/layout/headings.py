"""The headings of a paper, by vote: which lines are headings, and of which level.

Candidates are lines in a type of their own, lines with a number, and lines that a bookmark or a known name points to; also the
first words of a paragraph in a type of their own. The voters in `heading_voters` say for each whether it is one. It is accepted
when two or more stand for it and their confidences outweigh those against. Levels are voted as well: by the bookmarks, the
depth of the number, and the rank of the type among the types of headings.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from variorum.document.paper_model import HeadingDecision, HeadingVote
from variorum.layout.heading_admission import why_refused
from variorum.layout.heading_bookmarks import bookmark_levels, key_of, match_bookmarks
from variorum.layout.heading_candidates import Candidate, find_candidates, type_scale
from variorum.layout.heading_levels import TypeRank, elected_level, type_ranks
from variorum.layout.heading_numbers import Numbered, NumberSequence, find_sequence
from variorum.layout.heading_voters.model import HeadingContext
from variorum.layout.heading_voters.registry import heading_voters
from variorum.layout.model import BodyStyle, LineId, PaperPrint, PrintLine
from variorum.layout.section_names import is_known_name, label_of_name, plain_name

_WITNESSES: Final = ("outline", "numbering", "names")


@dataclass(frozen=True, slots=True)
class FoundHeading:
    """A heading: its lines, its text as printed, its number (None without one) and the words behind it, its level from 1.

    `runs` is None for a heading in lines of its own; else that many runs at the beginning of the last line are the heading's,
    and the rest of the line begins the paragraph.
    """

    lines: tuple[LineId, ...]
    runs: int | None
    text: str
    number: str | None
    title: str
    level: int
    decision: HeadingDecision


@dataclass(frozen=True, slots=True)
class HeadingReading:
    """The headings of a paper in reading order, and the decisions on all candidates that at least one voter stood for."""

    headings: tuple[FoundHeading, ...]
    decisions: tuple[HeadingDecision, ...]


def decide_headings(paper: PaperPrint, lines: Sequence[PrintLine], style: BodyStyle) -> HeadingReading:
    """Return the headings among the lines, and how each was decided.

    `lines` are the lines of running text of the whole paper in reading order, without furniture, floats, equations, the paper's
    title and its byline. The decisions bear no ids of components.
    """
    lines = [line for line in lines if line.angle == 0]
    if not lines:
        return HeadingReading((), ())
    scale = type_scale(paper, style)
    titles = {key_of(e.title) for e in paper.outline}
    named = frozenset(i for i, line in enumerate(lines) if is_known_name(line.plain) or key_of(line.plain) in titles)
    candidates = find_candidates(paper, lines, style, scale, named)
    matched = match_bookmarks(paper.outline, candidates)
    raw = {start: (entry, entry.level) for start, entry in matched.items()}
    starts = frozenset(c.start for c in candidates if not c.is_run_in)
    context = HeadingContext(paper, style, scale, candidates, raw, NumberSequence({}, {}), starts)
    verdicts = _verdicts(context)
    context = replace(
        context,
        references=_references(candidates, verdicts, len(lines)),
        contents=_contents(candidates, lines),
        abstracts=_abstracts(candidates, verdicts, len(lines)),
    )
    verdicts = _verdicts(context)
    sequence = find_sequence([_numbered(c, verdicts[c.start]) for c in candidates if c.numbers])
    levels = bookmark_levels(paper.outline, matched, candidates, sequence)
    context = replace(
        context,
        bookmarks={start: (entry, levels[start]) for start, entry in matched.items()},
        sequence=sequence,
        verdicts=verdicts,
    )
    votes = {c.start: _votes(c, context, 2) for c in candidates}
    refusals = {c.start: why_refused(c, context) for c in candidates}
    for candidate in candidates:
        if not refusals[candidate.start] and _is_stress(candidate, votes[candidate.start], context):
            refusals[candidate.start] = "it may be a stressed word at the head of a paragraph: no other paragraph begins so"
    accepted = [c for c in candidates if not refusals[c.start] and _is_accepted(votes[c.start])]
    ranks = type_ranks(accepted, votes)
    headings: list[FoundHeading] = []
    decisions: list[HeadingDecision] = []
    word: Candidate | None = None
    for candidate in candidates:
        own = votes[candidate.start]
        if not any(v.is_heading for v in own):
            continue
        decision = _decision(candidate, own, refusals[candidate.start], ranks.get(candidate.start))
        if decision.accepted:
            heading = _heading(candidate, decision, sequence)
            if word is not None and word.stop == candidate.start and heading.number and not heading.number[0].isdigit():
                heading = _with_word(word, heading)
                headings.pop()
                decisions[-1] = replace(decisions[-1], accepted=False, level=None, reason="joined to the heading below it")
                decision = heading.decision
            headings.append(heading)
            word = candidate if plain_name(candidate.text) in ("appendix", "appendices", "annex") else None
        decisions.append(decision)
    return HeadingReading(tuple(headings), tuple(decisions))


def _with_word(word: Candidate, heading: FoundHeading) -> FoundHeading:
    """Return a lettered heading with the word ``Appendix`` that stands alone above it."""
    text = f"{word.text} {heading.text}"
    lines = tuple(line.id for line in word.lines) + heading.lines
    return replace(heading, lines=lines, text=text, decision=replace(heading.decision, text=text))


def _votes(candidate: Candidate, context: HeadingContext, last_round: int) -> tuple[HeadingVote, ...]:
    given = (voter.vote(candidate, context) for voter in heading_voters().values() if voter.round <= last_round)
    return tuple(vote for vote in given if vote is not None)


def _verdicts(context: HeadingContext) -> dict[int, float]:
    """Return the balance of the first round for each candidate; one that is refused has none."""
    return {c.start: 0.0 if why_refused(c, context) else _balance(_votes(c, context, 1)) for c in context.candidates}


def _balance(votes: Sequence[HeadingVote]) -> float:
    return sum(v.confidence if v.is_heading else -v.confidence for v in votes)


def _is_accepted(votes: Sequence[HeadingVote]) -> bool:
    return sum(v.is_heading for v in votes) > 1 and _balance(votes) > 0


def _is_stress(candidate: Candidate, votes: Sequence[HeadingVote], context: HeadingContext) -> bool:
    """Return whether nothing but its type and place speaks for words that run in: no bookmark, number or name, and no other
    words in the same type that may be a heading."""
    if not candidate.is_run_in or any(v.is_heading and v.voter in _WITNESSES for v in votes):
        return False
    others = (c for c in context.candidates if c.is_run_in and c.style == candidate.style and c.start != candidate.start)
    return not any(context.verdicts[c.start] > 0 for c in others)


def _decision(candidate: Candidate, votes: tuple[HeadingVote, ...], refusal: str, rank: TypeRank | None) -> HeadingDecision:
    standing = [v for v in votes if v.is_heading]
    given, held = sum(v.confidence for v in standing), sum(v.confidence for v in votes if not v.is_heading)
    counts = f"{len(standing)} of {len(votes)} voters stand for it, {given:.2f} to {held:.2f}"
    accepted = not refusal and _is_accepted(votes)
    alone = "; one voter alone is not enough" if not accepted and len(standing) == 1 and given > held else ""
    level = None
    if rank is not None:
        level = elected_level(rank, votes)
        vote = HeadingVote(voter="type_rank", is_heading=True, confidence=rank.confidence, reason=rank.reason, level=rank.level)
        votes = (*votes, vote)
    return HeadingDecision(
        text=candidate.text,
        page_num=candidate.first.page_index + 1,
        accepted=accepted,
        reason=f"not put to the vote: {refusal}" if refusal else counts + alone,
        votes=votes,
        level=level,
    )


def _heading(candidate: Candidate, decision: HeadingDecision, sequence: NumberSequence) -> FoundHeading:
    reading = sequence.readings.get(candidate.start)
    return FoundHeading(
        lines=tuple(line.id for line in candidate.lines),
        runs=candidate.runs,
        text=candidate.text,
        number=reading.printed if reading else None,
        title=candidate.text[reading.end :] if reading else candidate.text,
        level=decision.level or 1,
        decision=decision,
    )


def _numbered(candidate: Candidate, verdict: float) -> Numbered:
    """Return the number of a candidate for the sequence; whole numbers before words that run in are those of lists."""
    readings = tuple(n for n in candidate.numbers if not (candidate.is_run_in and n.kind == "arabic" and len(n.parts) < 2))
    return Numbered(candidate.start, readings, max(0.0, verdict))


def _contents(candidates: Sequence[Candidate], lines: Sequence[PrintLine]) -> tuple[tuple[int, int], ...]:
    """Return where tables of contents lie: below their heading, as long as one of two lines ends with the number of a page."""
    found = []
    for candidate in candidates:
        if plain_name(candidate.text) not in ("contents", "table of contents"):
            continue
        end = candidate.stop
        while any(line.plain[-1:].isdigit() for line in lines[end : end + 2]):
            end += 1
        found.append((candidate.start, end))
    return tuple(found)


def _abstracts(candidates: Sequence[Candidate], verdicts: Mapping[int, float], end: int) -> tuple[tuple[int, int], ...]:
    """Return where abstracts with a heading lie: up to the next heading in lines of its own."""
    found = []
    for k, candidate in enumerate(candidates):
        if plain_name(candidate.name) != "abstract" or verdicts[candidate.start] <= 0:
            continue
        later = (c.start for c in candidates[k + 1 :] if not c.is_run_in and verdicts[c.start] > 0)
        found.append((candidate.start, next(later, end)))
    return tuple(found)


def _references(candidates: Sequence[Candidate], verdicts: Mapping[int, float], end: int) -> tuple[tuple[int, int], ...]:
    """Return where lists of references lie: from their heading to the next that is as prominent or bears a known name."""
    found = []
    for k, candidate in enumerate(candidates):
        if candidate.is_run_in or label_of_name(candidate.name) != "references" or verdicts[candidate.start] <= 0:
            continue
        later = (
            c.start
            for c in candidates[k + 1 :]
            if not c.is_run_in
            and verdicts[c.start] > 0
            and (c.style == candidate.style or c.style.size > candidate.style.size or is_known_name(c.name))
        )
        found.append((candidate.start, next(later, end)))
    return tuple(found)
