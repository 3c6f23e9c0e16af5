"""Whether the confidence of a divider can be believed: of those with a confidence, how many are where the truth has one.

A divider's confidence is the mean of the scaled confidences of the votes for it, as the vote has it. It is right where its
position lies in a channel of the true table; that is known where some candidate grid agrees with the truth in every cell
(`reference_dividers`). Dividers that were refused before the vote are left out.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

CONFIDENCE_BINS: Final = 10
"""Bins of equal width from 0 to 1: a tenth each is as fine as a few thousand dividers allow."""

_DIVIDERS: Final = """
    SELECT AVG(v.scaled_confidence), v.accepted, EXISTS (SELECT 1 FROM reference_dividers r WHERE r.table_id = v.table_id
        AND r.axis = v.axis AND r.reference = 'truth' AND v.position BETWEEN r.channel_start AND r.channel_end)
    FROM divider_votes v
    WHERE v.stance = 'for' AND v.reason <> 'refused' AND v.reference = 'truth' AND v.scaled_confidence IS NOT NULL
    GROUP BY v.table_id, v.axis, v.divider_id"""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfidenceBin:
    """The dividers with a confidence from `low` to `high` (the last bin has those above 1, too).

    `accepted` of them the vote accepted, of which `accepted_right` are right; the same of those that it rejected.
    `total_confidence` is the sum of the confidences of all.
    """

    low: float
    high: float
    accepted: int
    accepted_right: int
    rejected: int
    rejected_right: int
    total_confidence: float

    @property
    def dividers(self) -> int:
        """Return how many dividers are in the bin."""
        return self.accepted + self.rejected

    @property
    def right(self) -> int:
        """Return how many of them are right, accepted or not."""
        return self.accepted_right + self.rejected_right

    @property
    def share_right(self) -> float | None:
        """Return the share that is right, in [0, 1]; None for an empty bin."""
        return self.right / self.dividers if self.dividers else None

    @property
    def mean_confidence(self) -> float | None:
        """Return the mean confidence in the bin; None for an empty one."""
        return self.total_confidence / self.dividers if self.dividers else None


def confidence_bins(connection: sqlite3.Connection) -> tuple[ConfidenceBin, ...]:
    """Return the bins of confidence in order, empty ones too; nothing where no divider is known to be right or wrong."""
    found = connection.execute(_DIVIDERS).fetchall()
    if not found:
        return ()
    members: list[list[tuple[float, int, int]]] = [[] for _ in range(CONFIDENCE_BINS)]
    for confidence, accepted, is_right in found:
        at = min(max(int(confidence * CONFIDENCE_BINS), 0), CONFIDENCE_BINS - 1)
        members[at].append((confidence, accepted, is_right))
    return tuple(_bin(at, inside) for at, inside in enumerate(members))


def calibration_error(bins: Sequence[ConfidenceBin]) -> float | None:
    """Return the expected calibration error: the mean distance of confidence and share right, weighted by dividers.

    In [0, 1] where confidences are; None without dividers. Naeini et al. 2015, doi:10.1609/aaai.v29i1.9602.
    """
    total = sum(b.dividers for b in bins)
    return sum(abs(b.total_confidence - b.right) for b in bins) / total if total else None


def _bin(at: int, inside: Sequence[tuple[float, int, int]]) -> ConfidenceBin:
    accepted = [right for _, is_accepted, right in inside if is_accepted]
    rejected = [right for _, is_accepted, right in inside if not is_accepted]
    return ConfidenceBin(
        low=at / CONFIDENCE_BINS,
        high=(at + 1) / CONFIDENCE_BINS,
        accepted=len(accepted),
        accepted_right=sum(accepted),
        rejected=len(rejected),
        rejected_right=sum(rejected),
        total_confidence=sum(confidence for confidence, _, _ in inside),
    )
