"""Heads whose lines are one row: texts wrapped in their columns, all ending on one line or all beginning on one.

Two readings, either suffices. No rule parts the lines of the head and no text in it spans columns.

* *Divided words.* Words of two columns or more end in a hyphen and go on below.
* *Columns of a set width.* The body has wrapped cells, its lines as far apart as those of the head. Then the columns that
  fewer lines of the head fill are among those that more lines do, all at the foot of the head or all at its top, and some
  column is filled once. Every text below another begins where that does, and it either would not have fitted on the line
  above or begins with a small letter where the other has a capital. Where every line fills every column, the lines are rows:
  labels under labels.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence

from variorum.page.lines import Segment, TextRow
from variorum.tables.text import HYPHENS

Cells = Mapping[int, Sequence[Segment]]
Fits = Callable[[int, Sequence[Segment], Sequence[Segment]], bool]


def has_divided_words(head: Sequence[Cells]) -> bool:
    """Return whether words of two columns or more of a head end in a hyphen and go on, small, on the line below."""
    divided: set[int] = set()
    for upper_line, lower_line in itertools.pairwise(head):
        for column in set(upper_line) & set(lower_line):
            upper, lower = _text(upper_line[column]), _text(lower_line[column])
            if len(upper) > 1 and upper[-1] in HYPHENS and upper[-2].isalpha() and lower[:1].islower():
                divided.add(column)
    return len(divided) > 1


def is_wrapped(head: Sequence[Cells], bands: Sequence[TextRow], body_steps: Sequence[float], fits: Fits) -> bool:
    """Return whether the lines of a head are the wrapped texts of columns of a set width.

    `body_steps` are the distances, in points, from line to line within the wrapped cells of the body. `fits` says of a column,
    a text and the text below it whether the lower would have begun on the line of the upper.
    """
    if len(head) <= 1 or not body_steps:
        return False
    steps = [lower.band.start - upper.band.start for upper, lower in itertools.pairwise(bands)]
    slack = min(row.band.length for row in bands) / 2
    if any(step > max(body_steps) + slack for step in steps):
        return False
    filled = [set(line) for line in head]
    at_foot = all(upper <= lower for upper, lower in itertools.pairwise(filled))
    at_top = all(upper >= lower for upper, lower in itertools.pairwise(filled))
    if not (at_foot or at_top) or filled[0] == filled[-1]:
        return False
    return all(
        _goes_on(upper[column], lower[column], would_fit=fits(column, upper[column], lower[column]))
        for upper, lower in itertools.pairwise(head)
        for column in set(upper) & set(lower)
    )


def _goes_on(upper: Sequence[Segment], lower: Sequence[Segment], *, would_fit: bool) -> bool:
    """Return whether the lower text can be the rest of the upper one."""
    reads_on = upper[0].text[:1].isupper() and lower[0].text[:1].islower()
    return _is_below(upper, lower) and (reads_on or not would_fit)


def _is_below(upper: Sequence[Segment], lower: Sequence[Segment]) -> bool:
    """Return whether two texts begin at the same left edge, but for less than half their type's size."""
    first = lower[0].words[0]
    return 2 * abs(upper[0].box.x0 - first.box.x0) < first.size


def _text(parts: Sequence[Segment]) -> str:
    return " ".join(p.text for p in parts)
