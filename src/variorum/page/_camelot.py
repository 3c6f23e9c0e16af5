"""The one door to camelot: imported lazily, asked about one page, its boxes turned into points of the page as displayed.

Its vector engine reads rules from the PDF itself: no page is rendered, no raster library works. Its messages go to nobody
unless the caller has set up logging.
"""

from __future__ import annotations

import logging
from functools import cache
from typing import Any, Final

from variorum.geometry import Box
from variorum.page.model import LibraryGrid
from variorum.thresholds import COORDINATE_DIGITS

FLAVORS: Final = ("lattice", "hybrid", "network")


@cache
def _camelot() -> Any:
    """Return the camelot module, without the handler that it hangs into the logging of the whole process."""
    import camelot

    logging.getLogger("camelot").removeHandler(camelot.handler)
    for name in ("camelot", "playa"):
        logging.getLogger(name).addHandler(logging.NullHandler())
    return camelot


def camelot_grids(data: bytes, flavor: str, width: float, height: float, region: Box | None = None) -> tuple[LibraryGrid, ...]:
    """Return the tables that camelot sees on the only page of a PDF, sorted by place; boxes as displayed.

    `flavor` is ``lattice``, ``hybrid`` or ``network``; `width` and `height` are the page's, in points. With a `region`
    (points, as displayed) it is told that the table lies there. camelot turns a page whose text is mostly sideways; what it
    finds there has no place on the page as displayed and is left out.
    """
    settings: dict[str, object] = {} if flavor == "network" else {"engine": "vector"}
    if region is not None:  # left, top, right, bottom, counted from the lower left corner
        corners = (region.x0, height - region.y0, region.x1, height - region.y1)
        settings["table_areas"] = [",".join(repr(round(float(v), COORDINATE_DIGITS)) for v in corners)]
    found = _camelot().read_pdf(data, pages="1", flavor=flavor, suppress_stdout=True, **settings)
    return tuple(sorted((_grid(t, width, height) for t in found if not t.rotation), key=lambda g: g.bbox))


def _grid(table: Any, width: float, height: float) -> LibraryGrid:
    wide, high = table.pdf_size

    def box(x0: float, y0: float, x1: float, y1: float) -> Box:
        across, down = width / wide, height / high
        return Box.of((x0 * across, (high - y0) * down, x1 * across, (high - y1) * down)).rounded(COORDINATE_DIGITS)

    rows = tuple(tuple(box(c.x1, c.y1, c.x2, c.y2) for c in row) for row in table.cells)
    return LibraryGrid(Box.around(c for row in rows for c in row), rows)
