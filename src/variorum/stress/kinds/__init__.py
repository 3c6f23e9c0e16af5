"""The kinds of assertions of the stress test: what a researcher would assert, each in a module of its group."""

from __future__ import annotations

from typing import Final

from variorum.stress.kinds import (
    boolean,
    captions,
    context,
    filters,
    float_search,
    passages,
    readable,
    structure,
    table_truth,
    tables_alone,
    text_truth,
    weights,
)
from variorum.stress.model import Kind

KINDS: Final[tuple[Kind, ...]] = (
    *table_truth.KINDS,
    *captions.KINDS,
    *tables_alone.KINDS,
    *structure.KINDS,
    *text_truth.KINDS,
    *readable.KINDS,
    *passages.KINDS,
    *float_search.KINDS,
    *filters.KINDS,
    *context.KINDS,
    *boolean.KINDS,
    *weights.KINDS,
)
"""All kinds, in the order in which reports name them: of papers first, then of the library."""
