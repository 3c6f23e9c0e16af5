"""The rows of a list of references: pieces of lines on one baseline put together, and the stacks (columns) they stand in.

A justified line with wide white between its words comes as several lines of print; in a list of references they are one row.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from variorum.layout.model import LineId, PrintLine


@dataclass(frozen=True, slots=True)
class EntryRow:
    """One row of a list: its pieces from left to right, its place in points, and its `stack`: rows that follow each other
    downwards in one column of one page have the same number."""

    lines: tuple[PrintLine, ...]
    stack: int

    @property
    def ids(self) -> tuple[LineId, ...]:
        """Return the ids of its lines."""
        return tuple(line.id for line in self.lines)

    @property
    def x0(self) -> float:
        """Return where it begins."""
        return self.lines[0].box.x0

    @property
    def x1(self) -> float:
        """Return where it ends."""
        return max(line.box.x1 for line in self.lines)

    @property
    def baseline(self) -> float:
        """Return the baseline of its first piece."""
        return self.lines[0].baseline

    @property
    def size(self) -> float:
        """Return the font size of its longest piece."""
        return max(self.lines, key=lambda line: len(line.plain)).size

    @property
    def text(self) -> str:
        """Return the text, with a space between its pieces."""
        return " ".join(line.text for line in self.lines)


def rows_of(lines: Sequence[PrintLine]) -> list[EntryRow]:
    """Return the rows of lines that stand in reading order."""
    groups: list[list[PrintLine]] = []
    starts = _usual_starts(lines)
    for line in lines:
        if groups and _goes_on(groups[-1][-1], line) and not _is_column_start(line, starts):
            groups[-1].append(line)
        else:
            groups.append([line])
    rows: list[EntryRow] = []
    stack = 0
    for group in groups:
        if rows and _is_new_stack(rows[-1], group):
            stack += 1
        rows.append(EntryRow(tuple(group), stack))
    return rows


def by_columns(lines: Sequence[PrintLine]) -> list[PrintLine]:
    """Return the lines page by page and on each page column by column, from top to bottom; a line belongs to the column in
    which it begins, however far it reaches."""
    out: list[PrintLine] = []
    for _, page in groupby(lines, key=lambda line: line.page_index):
        own = list(page)
        split = _column_start(own)
        key = {line.id: split is not None and 2 * (line.box.x0 - split) > -line.size for line in own}
        for column in (False, True):
            out.extend(sorted((x for x in own if key[x.id] is column), key=lambda x: (x.baseline, x.box.x0)))
    return out


def _column_start(lines: Sequence[PrintLine]) -> float | None:
    """Return where the right of two columns begins: the edge with most lines on either side of it and fewest across; None where
    all stand in one column."""
    best, most = None, 0
    for edge in sorted({round(line.box.x0) for line in lines}):
        right = [line for line in lines if line.box.x0 > edge - line.size / 2]
        across = sum(line.box.x0 <= edge - line.size / 2 and line.box.x1 > edge for line in lines)
        gain = min(len(right), len(lines) - len(right) - across) - across
        if gain > most:
            best, most = float(edge), gain
    return best


def _is_level(above: PrintLine, line: PrintLine) -> bool:
    shared = above.box.y_interval.overlap(line.box.y_interval)
    return above.page_index == line.page_index and 2 * shared > min(above.box.height, line.box.height)


def _goes_on(last: PrintLine, line: PrintLine) -> bool:
    return _is_level(last, line) and line.box.x0 >= last.box.x1 - line.size / 2


def _usual_starts(lines: Sequence[PrintLine]) -> list[PrintLine]:
    """Return the lines that begin a row whatever stands beside them: those that have nothing on their level before them."""
    return [line for i, line in enumerate(lines) if i == 0 or not _is_level(lines[i - 1], line)]


def _is_column_start(line: PrintLine, starts: Sequence[PrintLine]) -> bool:
    """Return whether rows of the page begin above one another where this line begins: then it is the first of a column."""
    same = [s for s in starts if s.page_index == line.page_index and 2 * abs(s.box.x0 - line.box.x0) < line.size]
    return len(same) >= 2


def _is_new_stack(above: EntryRow, group: Sequence[PrintLine]) -> bool:
    first = group[0]
    if first.page_index != above.lines[0].page_index or first.baseline <= above.baseline:
        return True
    x1 = max(line.box.x1 for line in group)
    return first.box.x0 > above.x1 or x1 < above.x0
