"""Lines that two table regions, one below the other, both hold: each line belongs to one table.

They go with the region to whose other lines they stand nearer; the other is cut back to them.
"""

from __future__ import annotations

from collections.abc import Sequence

from variorum.geometry import Box
from variorum.page.lines import TextRow, text_rows
from variorum.page.model import PageEvidence
from variorum.regions.edge_moves import moved
from variorum.regions.model import TableRegion

Lines = tuple[TextRow, ...]


def without_shared_lines(regions: Sequence[TableRegion], page: PageEvidence) -> list[TableRegion]:
    """Return the regions, in their order, those that share lines with one above or below cut back where the lines stand
    nearer to the rest of the other."""
    out = list(regions)
    places = sorted(range(len(out)), key=lambda i: (out[i].box.y0, out[i].box.x0))
    for at, i in enumerate(places):
        for j in places[at + 1 :]:
            upper, lower = out[i].box, out[j].box
            if not upper.y0 < lower.y0 < upper.y1 < lower.y1:
                continue
            first, shared, last = _lines(page, upper, lower)
            if not first or not shared or not last:
                continue
            if shared[0].band.start - first[-1].band.end > last[0].band.start - shared[-1].band.end:
                box = Box(upper.x0, upper.y0, upper.x1, min(lower.y0, shared[0].band.start))
                out[i] = moved(out[i], box, "cut back to the table below, to whose lines its last ones stand nearer")
            else:
                box = Box(lower.x0, max(upper.y1, shared[-1].band.end), lower.x1, lower.y1)
                out[j] = moved(out[j], box, "cut back to the table above, to whose lines its first ones stand nearer")
    return out


def _lines(page: PageEvidence, upper: Box, lower: Box) -> tuple[Lines, Lines, Lines]:
    """Return the lines of the upper box alone, of both boxes, and of the lower alone, each from top to bottom."""
    held = [(w, upper.contains_centre_of(w.box), lower.contains_centre_of(w.box)) for w in page.words if w.angle == 0]
    return (
        text_rows(w for w, above, below in held if above and not below),
        text_rows(w for w, above, below in held if above and below),
        text_rows(w for w, above, below in held if below and not above),
    )
