"""Where a line of writing is cut when the jump in its gap widths, not their size, tells column gaps from word spaces.

Sorted by width, the gaps of a table are word spaces first and column gaps after, with a cliff between the two: the largest
jump from one width to the next, as a ratio. Widths are in em. The page's own word space is in the list, so that a table of
single words has a cliff too; gaps below half of it are inside a word.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence

from variorum.page.lines import Segment, TextRow
from variorum.page.model import Word
from variorum.tables.columns import channels
from variorum.tables.model import BoundaryPoint
from variorum.thresholds import WORD_SPACES_PER_GAP


def cliff_of(widths: Iterable[float], space_em: float) -> float | None:
    """Return the narrowest width (em) above the cliff, or None when no width is twice the one before it.

    Widths at or below the word space are word spaces whatever jumps there are among them.
    """
    wide = sorted({space_em, *(w for w in widths if w > space_em)})
    jumps = [(upper / lower, -upper) for lower, upper in itertools.pairwise(wide) if upper >= WORD_SPACES_PER_GAP * lower]
    return -max(jumps)[1] if jumps else None


def gap_widths(row: TextRow, space_em: float) -> list[float]:
    """Return the gaps between neighbouring words of a line in em, from left to right; those inside a word left out."""
    gaps = [_width(a, b) for a, b in itertools.pairwise(row.words)]
    return [g for g in gaps if 2 * g >= space_em]


def cut_line(row: TextRow, narrowest: float | None) -> tuple[Segment, ...]:
    """Return the line cut at the gaps of at least the width (em), from left to right; in one piece without a width."""
    parts: list[list[Word]] = []
    for word in row.words:
        if parts and (narrowest is None or _width(parts[-1][-1], word) < narrowest):
            parts[-1].append(word)
        else:
            parts.append([word])
    return tuple(Segment(tuple(p)) for p in parts)


def channel_points(lines: Sequence[Sequence[Segment]], name: str) -> tuple[BoundaryPoint, ...]:
    """Return the white channels that more of the lines leave free than cross, as dividers.

    Confidence is the share of the lines with something to say at a channel that leave it free, in (0, 1].
    """
    found = channels(lines)
    return tuple(BoundaryPoint(c.interval.start, c.interval.end, c.confidence, name) for c in found)


def _width(left: Word, right: Word) -> float:
    size = max(left.size, right.size)
    return (right.box.x0 - left.box.x1) / size if size > 0 else 0.0
