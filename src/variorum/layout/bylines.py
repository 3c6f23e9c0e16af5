"""The bylines of a paper: which of the lines around the title are one piece of text.

The PDF's blocks keep names, addresses and dates apart. A sentence that a block cuts in two goes on in small letters right
below, in the same type. A raised mark that an icon sets off from its name is a line of its own, and still raised.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from variorum.layout.model import PrintLine, is_size


def byline_groups(lines: Sequence[PrintLine]) -> tuple[tuple[PrintLine, ...], ...]:
    """Return the lines by byline, in their order; marks that stand alone behind a name are raised."""
    groups: list[list[PrintLine]] = []
    for line in lines:
        last = groups[-1][-1] if groups else None
        if last is not None and _belongs(line, last):
            groups[-1].append(_raised(line, last))
        else:
            groups.append([line])
    return tuple(map(tuple, groups))


def _belongs(line: PrintLine, last: PrintLine) -> bool:
    if line.page_index != last.page_index:
        return False
    return line.block == last.block or _is_sentence(line, last)


def _is_sentence(line: PrintLine, last: PrintLine) -> bool:
    """Return whether a line goes on with the sentence of the line above it."""
    step = line.baseline - last.baseline
    is_below = step > 0 and 2 * (step - line.size) < line.size and line.box.x_interval.overlap(last.box.x_interval) > 0
    is_alike = line.font == last.font and is_size(line.size, last.size)
    text, before = line.plain, last.plain
    return is_below and is_alike and text[:1].islower() and "@" not in text and "@" not in before and before[-1:] not in ".;:"


def _raised(line: PrintLine, last: PrintLine) -> PrintLine:
    """Return a line of a mark or number alone as raised where it is small type over the writing line of the one before it."""
    is_mark = not any(c.isalpha() for c in line.plain)
    is_small = line.size < last.size and not is_size(line.size, last.size)
    is_over = line.baseline < last.baseline and line.box.y_interval.overlap(last.box.y_interval) > 0
    if not (is_mark and is_small and is_over and line.box.x0 >= last.box.x1):
        return line
    return replace(line, runs=tuple(replace(run, script="sup") for run in line.runs))
