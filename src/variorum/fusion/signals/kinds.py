"""What a signal is: its name, for which types it speaks, what it says in the documentation, and the function that finds it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from variorum.document._codec import FLOAT_DIGITS
from variorum.fusion.evidence import Evidence
from variorum.fusion.model import ComponentType, Signal
from variorum.fusion.signals.differences import Differences

Finding = tuple[float, str]
"""The share in [0, 1] that is damaged, and a reason in words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SignalKind:
    """One kind of signal.

    `find` gets a reading with its evidence and how it differs from the others; it returns the damaged share and why, None where
    there is nothing to say. `idea` is its line in the documentation.
    """

    name: str
    types: tuple[ComponentType, ...]
    idea: str
    find: Callable[[Evidence, Differences], Finding | None]

    def signal(self, evidence: Evidence, differences: Differences) -> Signal | None:
        """Return the signal of a reading, its factor one less the damaged share; None where there is none."""
        if evidence.position.type not in self.types:
            return None
        found = self.find(evidence, differences)
        if found is None or found[0] <= 0:
            return None
        factor = round(max(0.0, 1 - found[0]), FLOAT_DIGITS)
        return Signal(name=self.name, factor=factor, reason=found[1]) if factor < 1 else None
