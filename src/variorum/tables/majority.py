"""Plain majority, the voter to beat: a divider stands when more than half of the methods that speak on its axis stand for it.

Clusters are made exactly as in `combination`; only the counting differs. There is no median, no privilege for ruled lines, and
multipliers move positions and confidences only. A method speaks on an axis when it has a point there, or when its hypothesis
says in its metadata (``speaks_for``: a sequence of ``column`` and ``row``) that an empty axis means "no divider".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, overload

from variorum.tables.combination import hold_vote
from variorum.tables.model import AcceptanceReason, BoundaryHypothesis, CombinationTrace, TableContext
from variorum.voting import Cluster


@overload
def combine_by_majority(
    hypotheses: Sequence[BoundaryHypothesis],
    ctx: TableContext,
    *,
    confidence_multipliers: Mapping[str, float] | None = None,
    trace: Literal[False] = False,
) -> BoundaryHypothesis: ...


@overload
def combine_by_majority(
    hypotheses: Sequence[BoundaryHypothesis],
    ctx: TableContext,
    *,
    confidence_multipliers: Mapping[str, float] | None = None,
    trace: Literal[True],
) -> tuple[BoundaryHypothesis, CombinationTrace]: ...


def combine_by_majority(
    hypotheses: Sequence[BoundaryHypothesis],
    ctx: TableContext,
    *,
    confidence_multipliers: Mapping[str, float] | None = None,
    trace: bool = False,
) -> BoundaryHypothesis | tuple[BoundaryHypothesis, CombinationTrace]:
    """Return the dividers that more than half of the speaking methods share, with `trace=True` the pair (consensus, trace).

    Parameters, units, passthrough of a single hypothesis, refused points and errors are those of `combine_hypotheses`.
    """
    consensus, record = hold_vote(hypotheses, ctx, accept_by_majority, confidence_multipliers)
    return (consensus, record) if trace else consensus


def accept_by_majority(clusters: Sequence[Cluster], speakers: frozenset[str]) -> tuple[list[AcceptanceReason], float]:
    """Return a reason per cluster and the smallest whole number of methods that is more than half of the speakers."""
    needed = len(speakers) // 2 + 1
    reasons: list[AcceptanceReason] = ["above_threshold" if len(c.method_names) >= needed else "rejected" for c in clusters]
    return reasons, float(needed) if clusters else 0.0
