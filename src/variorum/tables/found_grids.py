"""Dividers read off the grids of a library, snapped to the white channel that holds them."""

from __future__ import annotations

from collections.abc import Sequence

from variorum.document.apparatus import Axis
from variorum.geometry import Box, Interval, gaps_between
from variorum.page.model import LibraryGrid
from variorum.page.reader import PageHandle
from variorum.tables.model import Abstain, BoundaryHypothesis, BoundaryPoint, TableContext


def hypothesis_of(
    grids: Sequence[LibraryGrid], ctx: TableContext, name: str, complete: Sequence[Axis] = ()
) -> BoundaryHypothesis:
    """Return the dividers of the library grids that lie in the table; raises Abstain when none does.

    Grids count when more than half of their area lies in the table's box. Confidence is the grid's overlap (IoU) with
    the box, in (0, 1].
    """
    inside = [g for g in grids if 2 * g.bbox.share_inside(ctx.bbox) > 1]
    if not inside:
        raise Abstain("the library sees no table here")
    around = Box.around(w.box for w in ctx.words) if ctx.words else ctx.bbox
    white_x = gaps_between(w.box.x_interval for w in ctx.words)
    white_y = gaps_between(r.band for r in ctx.text_rows)
    cols: list[BoundaryPoint] = []
    rows: list[BoundaryPoint] = []
    for grid in inside:
        confidence = max(grid.bbox.iou(ctx.bbox), grid.bbox.area / (grid.bbox.area + ctx.bbox.area))
        boxes = [c for row in grid.rows for c in row if c is not None]
        cols += _points(_inner_edges([b.x_interval for b in boxes], around.x_interval), white_x, confidence, name)
        rows += _points(_inner_edges([b.y_interval for b in boxes], around.y_interval), white_y, confidence, name)
    if not cols and not rows:
        raise Abstain("the library sees a single cell here")
    return BoundaryHypothesis(_in_order(cols), _in_order(rows), name, {"complete": complete})


def _in_order(points: Sequence[BoundaryPoint]) -> tuple[BoundaryPoint, ...]:
    """Return the points by place; where several grids have the same divider, the one with most confidence."""
    best = {(p.min_pos, p.max_pos): p for p in sorted(points, key=lambda p: p.confidence)}
    return tuple(best[place] for place in sorted(best))


def _inner_edges(extents: Sequence[Interval], words: Interval) -> list[float]:
    """Return the edges between the extents of cells, in order: without the outermost, and without those beyond the words (a
    frame around them is drawn as a cell of its own by some libraries)."""
    edges = sorted({e for i in extents for e in (i.start, i.end)})
    return [e for e in edges[1:-1] if words.start < e < words.end]


def _points(edges: Sequence[float], white: Sequence[Interval], confidence: float, name: str) -> list[BoundaryPoint]:
    out: dict[tuple[float, float], BoundaryPoint] = {}
    for edge in edges:
        channel = next((w for w in white if w.contains(edge)), Interval(edge, edge))
        out[channel.start, channel.end] = BoundaryPoint(channel.start, channel.end, confidence, name)
    return list(out.values())


def grids_of(ctx: TableContext, strategy: str, clip: Box | None = None) -> Sequence[LibraryGrid]:
    """Return the library's grids on the page of the table; raises Abstain without a live page."""
    return live_page(ctx).found_grids(strategy, clip)


def live_page(ctx: TableContext) -> PageHandle:
    """Return the page of the table, to ask a library about; raises Abstain without one, or without words in the region."""
    if ctx.handle is None:
        raise Abstain("the page is read in a rotated view; the library sees it unrotated")
    if not ctx.words:
        raise Abstain("no words in the region")
    return ctx.handle
