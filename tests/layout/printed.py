"""Lines of print made by hand: a drawing in text becomes the lines of a column.

A character is half an em wide, also the blanks before a line; an empty row is half a line of white.
"""

from __future__ import annotations

from textwrap import dedent

from variorum.geometry import Box
from variorum.layout.model import BodyStyle, PrintLine, Run
from variorum.thresholds import ASCENT_EM, DESCENT_EM

SIZE = 10.0
LEADING = 12.0
STYLE = BodyStyle(size=SIZE, font="Serif", leading=LEADING, word_space=2.5)


def printed_line(
    text: str,
    *,
    x0: float = 72.0,
    baseline: float = 100.0,
    size: float = SIZE,
    page_index: int = 0,
    index: int = 0,
    font: str = "Serif",
) -> PrintLine:
    """Return one level line of one run, beginning at x0."""
    box = Box(x0, baseline - ASCENT_EM * size, x0 + len(text) * size / 2, baseline + DESCENT_EM * size)
    return PrintLine(
        page_index=page_index,
        index=index,
        box=box,
        baseline=baseline,
        size=size,
        font=font,
        runs=(Run(text, box, font, size),),
        words=(index,),
        block=0,
    )


def printed_column(
    drawing: str,
    *,
    x0: float = 72.0,
    top: float = 100.0,
    size: float = SIZE,
    page_index: int = 0,
    index: int = 0,
    font: str = "Serif",
) -> list[PrintLine]:
    """Return the lines of a column whose left edge is x0; the first has its baseline at `top`, and the number `index`."""
    lines: list[PrintLine] = []
    baseline = top
    for row in dedent(drawing).strip("\n").splitlines():
        if not row.strip():
            baseline += LEADING / 2
            continue
        indent = len(row) - len(row.lstrip())
        lines.append(
            printed_line(
                row.strip(),
                x0=x0 + indent * size / 2,
                baseline=baseline,
                size=size,
                page_index=page_index,
                index=index + len(lines),
                font=font,
            )
        )
        baseline += LEADING * size / SIZE
    return lines
