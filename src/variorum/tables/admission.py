"""Which boundary points may vote: those that are numbers, lie inside the table, and do not cut more lines than they part.

Ranges are clipped to the region first. What is refused keeps its place in the trace, with the reason. A drawn rule is a
fact, but not every drawn rule is a divider: an underline or a bar through words is refused here, before the vote, where
the ruled-line override is unconditional.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from variorum.document.apparatus import Axis
from variorum.geometry import Box, Interval
from variorum.tables.model import BoundaryHypothesis, BoundaryPoint, RefusedPoint, TableContext
from variorum.tables.rows import read_rows


@dataclass(frozen=True, slots=True)
class Admission:
    """The hypotheses with their admitted points, and the refused points of each axis."""

    hypotheses: tuple[BoundaryHypothesis, ...]
    refused_columns: tuple[RefusedPoint, ...]
    refused_rows: tuple[RefusedPoint, ...]


def admit(hypotheses: Sequence[BoundaryHypothesis], ctx: TableContext) -> Admission:
    """Return the hypotheses without the points that may not vote; a hypothesis left without points is dropped."""
    around = Box.around(w.box for w in ctx.words) if ctx.words else ctx.bbox
    kept: list[BoundaryHypothesis] = []
    refused: dict[Axis, list[RefusedPoint]] = {"column": [], "row": []}
    for hypothesis in hypotheses:
        cols = _admitted(hypothesis.col_boundaries, around.x_interval, ctx, "column", refused["column"])
        rows = _admitted(hypothesis.row_boundaries, around.y_interval, ctx, "row", refused["row"])
        if cols or rows:
            kept.append(replace(hypothesis, col_boundaries=cols, row_boundaries=rows))
    return Admission(tuple(kept), tuple(refused["column"]), tuple(refused["row"]))


def _admitted(
    points: Sequence[BoundaryPoint], extent: Interval, ctx: TableContext, axis: Axis, refused: list[RefusedPoint]
) -> tuple[BoundaryPoint, ...]:
    kept: list[BoundaryPoint] = []
    for point in points:
        reason = _reason(point, extent)
        if not reason:
            clipped = replace(point, min_pos=max(point.min_pos, extent.start), max_pos=min(point.max_pos, extent.end))
            reason = _cuts(clipped, ctx, axis)
            if not reason:
                kept.append(clipped)
                continue
        refused.append(RefusedPoint(point, reason))
    return tuple(kept)


def _reason(point: BoundaryPoint, extent: Interval) -> str:
    numbers = (point.min_pos, point.max_pos, point.confidence)
    if not all(math.isfinite(v) for v in numbers):
        return "not a finite number"
    if point.min_pos > point.max_pos:
        return "its range ends before it begins"
    if point.confidence <= 0:
        return "its confidence is not above 0"
    if point.max_pos <= extent.start or point.min_pos >= extent.end:
        return "no words lie beyond it"
    return ""


def _cuts(point: BoundaryPoint, ctx: TableContext, axis: Axis) -> str:
    """Return why the point is refused as a cut, or an empty text. The middle of the range is what is tried."""
    middle = (point.min_pos + point.max_pos) / 2
    if axis == "row":
        anchored = [ctx.text_rows[i].band for i in read_rows(ctx).anchored]
        cut = sum(band.start < point.min_pos and point.max_pos < band.end for band in anchored)
        return f"runs through {cut} line{'s' if cut > 1 else ''} of text" if cut else ""
    cut = parted = 0
    for line in ctx.segments:
        if any(w.box.x0 < middle < w.box.x1 for s in line for w in s.words):
            cut += 1
        elif line[0].box.x0 < middle < line[-1].box.x1:
            parted += 1
    return f"cuts words in {cut} lines and parts {parted}" if cut > parted else ""
