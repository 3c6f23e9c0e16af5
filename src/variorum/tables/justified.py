"""Stretched lines of justified cells: white between their words that parts no columns.

A line of a justified paragraph is stretched until it ends at the edge of its column; in a narrow column its word spaces
grow wider than any gap between cells. What tells them from columns: all gaps of the line are equally wide, the line ends
where no line of its column reaches further, the text goes on below at the same left edge, and no other line of the table
has a gap at those places with writing of the same column on both sides.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

from variorum.geometry import Box
from variorum.page.lines import Segment

Line = tuple[Segment, ...]


@dataclass(frozen=True, slots=True)
class _Run:
    """Neighbouring segments of a line that may be one stretched text: the line, its first and last segment, and the box."""

    line: int
    first: int
    last: int
    box: Box


def with_stretched_joined(lines: Sequence[Line], space_em: float) -> tuple[Line, ...]:
    """Return the lines of segments, those of each stretched line of a justified cell joined to one; boxes in points.

    `lines` are in order from top to bottom, `space_em` is the usual word space in em.
    """
    runs = [run for i, line in enumerate(lines) for run in _runs(i, line, space_em) if _goes_on(run, lines, space_em)]
    runs = [run for run in runs if _ends_its_column(run, lines, space_em)]
    meant = [run for run in runs if _is_no_columns(run, runs, lines, space_em)]
    out = [list(line) for line in lines]
    for run in sorted(meant, key=lambda r: (r.line, -r.first)):
        parts = out[run.line][run.first : run.last + 1]
        out[run.line][run.first : run.last + 1] = [Segment(tuple(w for s in parts for w in s.words))]
    return tuple(tuple(line) for line in out)


def _runs(index: int, line: Line, space_em: float) -> list[_Run]:
    """Return the longest runs of two or more segments of a line between whose three or more words all gaps are as wide."""
    found: list[_Run] = []
    first = 0
    while first < len(line):
        last = first
        while last + 1 < len(line) and _evenly_set(line[first : last + 2], space_em):
            last += 1
        if last > first and len(_gaps(line[first : last + 1], space_em)) > 1:
            found.append(_Run(index, first, last, Box.around(s.box for s in line[first : last + 1])))
            first = last
        first += 1
    return found


def _slack(segment: Segment, space_em: float) -> float:
    return space_em * max(w.size for w in segment.words) / 2


def _gaps(parts: Sequence[Segment], space_em: float) -> list[float]:
    """Return the white between the words of the segments, without that below half a word space (indices, signs)."""
    words = [w for s in parts for w in s.words]
    slack = _slack(parts[0], space_em)
    return [gap for a, b in itertools.pairwise(words) if (gap := b.box.x0 - a.box.x1) > slack]


def _evenly_set(parts: Sequence[Segment], space_em: float) -> bool:
    gaps = _gaps(parts, space_em)
    return bool(gaps) and max(gaps) - min(gaps) <= _slack(parts[0], space_em)


def _goes_on(run: _Run, lines: Sequence[Line], space_em: float) -> bool:
    """Return whether the next line has one text below the run, at its left edge."""
    if run.line + 1 >= len(lines):
        return False
    slack = _slack(lines[run.line][run.first], space_em)
    below = [s for s in lines[run.line + 1] if s.box.x1 > run.box.x0 and s.box.x0 < run.box.x1]
    if not below or abs(below[0].box.x0 - run.box.x0) > slack or below[0].box.y0 < run.box.centre[1]:
        return False
    return len(below) == 1 or (below[-1].box.x1 <= run.box.x1 + slack and _evenly_set(below, space_em))


def _ends_its_column(run: _Run, lines: Sequence[Line], space_em: float) -> bool:
    """Return whether no text that begins at the run's left edge reaches further than the run."""
    slack = _slack(lines[run.line][run.first], space_em)
    return all(s.box.x1 <= run.box.x1 + slack for line in lines for s in line if abs(s.box.x0 - run.box.x0) <= slack)


def _is_no_columns(run: _Run, runs: Sequence[_Run], lines: Sequence[Line], space_em: float) -> bool:
    """Return whether each gap of the run is crossed by a text of another line, and no other line leaves it free between
    texts.

    Lines that are stretched to the same extent say nothing about it.
    """
    slack = _slack(lines[run.line][run.first], space_em)
    alike = {r.line for r in runs if abs(r.box.x0 - run.box.x0) <= slack and abs(r.box.x1 - run.box.x1) <= slack}
    parts = lines[run.line][run.first : run.last + 1]
    for left, right in itertools.pairwise(parts):
        middle = (left.box.x1 + right.box.x0) / 2
        crossed = False
        for i, line in enumerate(lines):
            if i in alike:
                continue
            inside = [s.box for s in line if s.box.x1 > run.box.x0 and s.box.x0 < run.box.x1]
            here = any(b.x0 < middle < b.x1 for b in inside)
            crossed = crossed or here
            if not here and any(b.x1 <= middle for b in inside) and any(b.x0 >= middle for b in inside):
                return False
        if not crossed:
            return False
    return True
