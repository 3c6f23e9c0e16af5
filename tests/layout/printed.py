"""Lines of print made by hand: a drawing in text becomes the lines of a column.

A character is half an em wide, also the blanks before a line; an empty row is half a line of white.
"""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import dedent

from variorum.geometry import Box
from variorum.layout.model import BodyStyle, PagePrint, PaperPrint, PrintLine, Run
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


BODY = BodyStyle(size=10.0, font="Serif", leading=12.0, word_space=5.0)
"""Running text of 10 points, a character 5 points wide, a line every 12 points."""


def line(
    text: str,
    x: float = 100.0,
    y: float = 100.0,
    *,
    size: float = 10.0,
    font: str = "Serif",
    page: int = 0,
    index: int = 0,
    block: int = 0,
    width: float | None = None,
    angle: int = 0,
) -> PrintLine:
    """Return a line with its writing line at y; its words are counted, its width is half an em a character unless given."""
    wide = len(text) * size / 2 if width is None else width
    box = Box(x, y - ASCENT_EM * size, x + wide, y + DESCENT_EM * size)
    runs = (Run(text, box, font, size),)
    words = tuple(range(index * 1000, index * 1000 + len(text.split())))
    return PrintLine(page, index, box, y, size, font, runs, words, block, angle)


def typed(*parts: tuple[str, str], x: float = 100.0, y: float = 100.0, size: float = 10.0, **kwargs: object) -> PrintLine:
    """Return a line of stretches in several fonts, each a (text, font); a text that begins with a space stands apart."""
    whole = line("".join(text for text, _ in parts), x, y, size=size, **kwargs)  # type: ignore[arg-type]
    runs = []
    for text, font in parts:
        wide, own = len(text) * size / 2, text.lstrip()
        left = x + (len(text) - len(own)) * size / 2
        runs.append(Run(own, Box(left, whole.box.y0, x + wide, whole.box.y1), font, size, "", text != own))
        x += wide
    counts = {font: sum(len(text) for text, f in parts if f == font) for _, font in parts}
    font = max(counts, key=lambda f: counts[f])
    return PrintLine(
        whole.page_index, whole.index, whole.box, y, size, font, tuple(runs), whole.words, whole.block, whole.angle
    )


def marked(text: str, mark: str, x: float = 100.0, y: float = 100.0, **kwargs: object) -> PrintLine:
    """Return a line that opens with a raised mark."""
    plain = line(mark + text, x, y, **kwargs)  # type: ignore[arg-type]
    size = plain.size
    raised = Run(mark, Box(x, plain.box.y0 - size / 2, x + len(mark) * size / 2, y - size / 4), plain.font, size * 0.7, "sup")
    rest = Run(text, plain.box, plain.font, size)
    return PrintLine(plain.page_index, plain.index, plain.box, y, size, plain.font, (raised, rest), plain.words, plain.block)


def page(
    lines: Sequence[PrintLine], index: int = 0, *, width: float = 600.0, height: float = 800.0, **kwargs: object
) -> PagePrint:
    """Return a page with the lines, numbered in the order given."""
    own = tuple(renumbered(item, index, i) for i, item in enumerate(lines))
    words = sum(len(item.words) for item in own)
    return PagePrint(index, width, height, None, own, n_words=words, space_em=0.5, **kwargs)  # type: ignore[arg-type]


def renumbered(item: PrintLine, page_index: int, index: int) -> PrintLine:
    """Return the line as the one at this position of this page."""
    words = tuple(range(index * 1000, index * 1000 + len(item.words)))
    return PrintLine(page_index, index, item.box, item.baseline, item.size, item.font, item.runs, words, item.block, item.angle)


def paper(*pages: Sequence[PrintLine]) -> PaperPrint:
    """Return a paper of pages with these lines."""
    return PaperPrint(tuple(page(lines, i) for i, lines in enumerate(pages)))
