"""The contest at a position: every reading with its weight, what lowers it, its score; and the reason in one sentence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import prod

from variorum.document import Table
from variorum.document._codec import FLOAT_DIGITS
from variorum.fusion.evidence import Evidence, PaperEvidence
from variorum.fusion.model import SOURCES, Candidate, Position
from variorum.fusion.signals import signals_of
from variorum.fusion.tenants import DASH, Tenant


def candidates_of(position: Position, paper: PaperEvidence, tenant: Tenant) -> tuple[Candidate, ...]:
    """Return all readings of a position as candidates, the winner first.

    The highest score wins; ties fall to the source that comes first in `SOURCES`. A score is the weight times the factors of
    all signals, rounded as it is recorded, so that the record decides as the fusion did. A weight of ``—`` comes last.
    """
    found = []
    for reading in position.readings:
        weight = tenant.weight(reading.source, position.type)
        evidence = Evidence(position=position, reading=reading, paper=paper)
        signals = signals_of(evidence, tenant.signals) if tenant.signals else ()
        score = None if weight is None else round(weight * prod(signal.factor for signal in signals), FLOAT_DIGITS)
        tables = evidence.index.tables_of(reading) if position.type == "table" else ()
        found.append(
            Candidate(
                source=reading.source,
                components=reading.components,
                weight=weight,
                score=score,
                text=evidence.index.said(position, reading),
                signals=signals,
                table=_bare(tables[0]) if tables else None,
            )
        )
    return tuple(sorted(found, key=lambda c: (c.score is None, -(c.score or 0.0), SOURCES.index(c.source))))


def reason_of(candidates: Sequence[Candidate]) -> str:
    """Return in one sentence why the first candidate won over the others."""
    winner, others = candidates[0], candidates[1:]
    if not others:
        return f"Only {winner.source} has it, with {_score(winner)}."
    ties = [c.source for c in others if c.score == winner.score]
    tie = f"; the tie with {' and '.join(ties)} falls to the order {', '.join(SOURCES)}" if ties else ""
    return f"{_said(winner)}, before {' and '.join(map(_said, others))}{tie}."


def _said(candidate: Candidate) -> str:
    """Return a candidate with its score."""
    return f"{candidate.source}, {_score(candidate)}"


def _score(candidate: Candidate) -> str:
    """Return the score of a candidate, and how it came about where signals lowered it."""
    if candidate.weight is None or candidate.score is None:
        return DASH
    if not candidate.signals:
        return f"{candidate.score:.2f}"
    lowered = ", ".join(f"{s.name} × {s.factor:.2f} ({s.reason})" for s in candidate.signals)
    return f"{candidate.score:.2f} lowered from {candidate.weight:.2f} by {lowered}"


def _bare(table: Table) -> Table:
    """Return a table without the apparatus of its own reading."""
    return replace(table, apparatus=None, parts=tuple(replace(part, apparatus=None) for part in table.parts))
