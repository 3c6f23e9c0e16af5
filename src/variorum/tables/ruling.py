"""For which axes the rules of a table speak throughout, so that their silence denies a divider.

Rules close every row when the lines between two rules read as one row (see ``variorum.tables.rows``). They close every
column too when, besides, vertical rules part the words: such a table is a full grid. Elsewhere rules say where dividers
are, never where there are none.
"""

from __future__ import annotations

from variorum.document.apparatus import Axis
from variorum.geometry import Box
from variorum.tables.model import TableContext
from variorum.tables.rows import read_rows


def ruled_axes(ctx: TableContext) -> tuple[Axis, ...]:
    """Return the axes on which rules speak throughout: none, rows, or both."""
    if not ctx.words or not read_rows(ctx).ruled_throughout:
        return ()
    around = Box.around(w.box for w in ctx.words)
    inner = [
        r
        for r in ctx.rules
        if r.orientation == "vertical"
        and around.x0 < r.position < around.x1
        and 2 * r.box.y_interval.overlap(around.y_interval) > around.height
    ]
    return ("column", "row") if inner else ("row",)
