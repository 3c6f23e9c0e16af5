"""Algorithms between rules: a caption between two rules, lines of steps, and a rule of the same width that ends them.

This is how LaTeX's packages for algorithms set them. What stands between the rules is read line by line, with its indents; it
is neither running text nor mathematics set apart.
"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass

from variorum.geometry import Box
from variorum.layout.model import LineId, PagePrint, PrintCaption, PrintLine
from variorum.page.model import Rule


@dataclass(frozen=True, slots=True)
class FoundAlgorithm:
    """An algorithm: its caption, its box from the upper rule to the lowest, its lines and those of the caption in order."""

    caption: PrintCaption
    box: Box
    lines: tuple[PrintLine, ...]


def find_algorithms(page: PagePrint, claimed: Set[LineId]) -> tuple[FoundAlgorithm, ...]:
    """Return the algorithms of a page from top to bottom; `claimed` are lines that belong to something else."""
    found = []
    for caption in page.captions:
        if caption.kind != "algorithm" or any((page.page_index, i) in claimed for i in caption.lines):
            continue
        box = _frame(caption, page.lines[caption.lines[0]].size, page.rules)
        if box is None:
            continue
        inside = [line for line in page.lines if line.id not in claimed and box.contains_centre_of(line.box)]
        found.append(FoundAlgorithm(caption, box, tuple(sorted(inside, key=lambda line: (line.baseline, line.box.x0)))))
    return tuple(found)


def _frame(caption: PrintCaption, size: float, rules: tuple[Rule, ...]) -> Box | None:
    """Return the box from the rule right above the caption to the second of its width below it; None where they are not."""
    level = [r for r in rules if r.orientation == "horizontal" and r.start <= caption.box.x0 + size and r.end > caption.box.x0]
    above = [r for r in level if 0 <= caption.box.y0 - r.position <= size]
    if not above:
        return None
    top = max(above, key=lambda r: r.position)
    same = sorted(
        r.position
        for r in level
        if r.position > caption.box.y1 - size / 2 and abs(r.start - top.start) < size and abs(r.end - top.end) < size
    )
    if len(same) < 2 or same[0] - caption.box.y1 > size:
        return None
    return Box(top.start, top.position, top.end, same[1])
