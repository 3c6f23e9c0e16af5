"""The words in which the journeys are told: a call's outcome, the two fixtures' types, the table that their PDFs hold."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import variorum

PACKAGE_PARENT = str(Path(variorum.__file__).resolve().parents[1])
ROWS = (("Drug", "Dose", "Effect"), ("Alpha", "12.5", "0.81"), ("Beta", "7.0", "0.64"), ("Gamma", "3.2", "0.17"))


@dataclass(frozen=True, slots=True)
class Run:
    """How a call of the command ended."""

    code: int
    out: str
    err: str

    @property
    def err_lines(self) -> list[str]:
        """Return the lines on stderr."""
        return self.err.splitlines()


Command = Callable[..., Run]
MakePdf = Callable[..., Path]
