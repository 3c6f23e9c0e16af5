"""The structure of a table that is set as a list under its caption: one column, a row an item.

Nobody votes on it: what methods see are lines, and an item may have several. The list itself says where its items begin
(`variorum.regions.gap_fill`).
"""

from __future__ import annotations

from itertools import pairwise
from typing import Final

from variorum.geometry import Interval
from variorum.page.lines import text_rows
from variorum.regions.gap_fill import is_item
from variorum.tables.model import BoundaryHypothesis, BoundaryPoint, TableContext

NAME: Final = "item_list"


def items_of(ctx: TableContext) -> BoundaryHypothesis | None:
    """Return the dividers between the items of a list; None where the words are no list of two items or more."""
    rows = text_rows(ctx.words)
    if not rows:
        return None
    left = min(row.box.x0 for row in rows)
    starts = [is_item(row, left) for row in rows]
    if not starts[0] or sum(starts) < 2:
        return None
    between = [
        Interval(min(above.band.end, below.band.start), max(above.band.end, below.band.start))
        for (above, below), begins in zip(pairwise(rows), starts[1:], strict=True)
        if begins
    ]
    return BoundaryHypothesis((), tuple(BoundaryPoint(gap.start, gap.end, 1.0, NAME) for gap in between), NAME)
