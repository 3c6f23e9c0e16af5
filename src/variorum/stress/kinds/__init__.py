"""The kinds of assertions of the stress test: what a researcher would assert, each in a module of its group."""

from __future__ import annotations

from typing import Final

from variorum.stress.kinds import table_truth
from variorum.stress.model import Kind

KINDS: Final[tuple[Kind, ...]] = (*table_truth.KINDS,)
"""All kinds, in the order in which reports name them."""
