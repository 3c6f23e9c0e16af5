"""Rows from lines of writing: which lines begin a row, and which go on with the one above.

A line goes on with the row above when it can be read as the rest of wrapped cells: no rule parts the two; it fills only columns that the row
above fills too, and fewer of them; none of its entries would still have fitted on the line above within its column's width; and it brings no
entry to the columns of numbers that the row above fills. Tighter leading than between rows that surely begin anew speaks for it, wider
against. A line whose band overlaps its neighbour's is a label centred over several rows, never a row of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from variorum.geometry import Interval
from variorum.page.lines import Segment, TextRow
from variorum.page.model import Rule
from variorum.tables.columns import Channel, channels, column_of
from variorum.tables.model import TableContext


@dataclass(frozen=True, slots=True)
class RowGroup:
    """Lines of writing that make one row: their indices, first to last, and the band from the first line's top to the last's bottom."""

    lines: tuple[int, ...]
    band: Interval


def row_groups(ctx: TableContext) -> list[RowGroup]:
    """Return the rows of the table as groups of its lines of writing, top to bottom."""
    return ctx.once("row_groups", lambda: _row_groups(ctx))


def _row_groups(ctx: TableContext) -> list[RowGroup]:
    rows = ctx.text_rows
    found = channels(ctx.segments)
    cells = [_cells(line, found) for line in ctx.segments]
    widths = _column_widths(cells)
    numeric = _numeric_columns(cells)
    groups: list[list[int]] = []
    leading = _row_leading(rows, cells)
    for i, row in enumerate(rows):
        if groups and _floats(rows, groups[-1], i):
            groups[-1].append(i)
        elif groups and _continues(ctx, rows, cells, groups[-1], i, widths, numeric, leading):
            groups[-1].append(i)
        else:
            groups.append([i])
    return [RowGroup(tuple(g), Interval(min(rows[i].band.start for i in g), max(rows[i].band.end for i in g))) for g in groups]


def _cells(line: Sequence[Segment], found: Sequence[Channel]) -> dict[int, list[Segment]]:
    """Return the segments of a line by column; a spanning segment under its first column, negative to mark it."""
    out: dict[int, list[Segment]] = {}
    for segment in line:
        covered = column_of(segment.box.x0, segment.box.x1, found)
        key = covered[0] if len(covered) == 1 else -1 - covered[0]
        out.setdefault(key, []).append(segment)
    return out


def _column_widths(cells: Sequence[dict[int, list[Segment]]]) -> dict[int, float]:
    widths: dict[int, float] = {}
    for line in cells:
        for column, parts in line.items():
            width = parts[-1].box.x1 - parts[0].box.x0
            widths[column] = max(widths.get(column, 0.0), width)
    return widths


def is_number_like(text: str) -> bool:
    """Return whether at least half of the letters and digits of a text are digits."""
    digits, letters = sum(c.isdigit() for c in text), sum(c.isalpha() for c in text)
    return digits > 0 and digits >= letters


def _numeric_columns(cells: Sequence[dict[int, list[Segment]]]) -> set[int]:
    counts: dict[int, list[bool]] = {}
    for line in cells:
        for column, parts in line.items():
            counts.setdefault(column, []).append(is_number_like(" ".join(p.text for p in parts)))
    return {c for c, flags in counts.items() if 2 * sum(flags) > len(flags)}


def _row_leading(rows: Sequence[TextRow], cells: Sequence[dict[int, list[Segment]]]) -> float | None:
    """Return the usual distance between lines that surely begin rows (both fill as many columns as any line does), or None."""
    most = max((len(c) for c in cells), default=0)
    steps = [
        rows[i].band.start - rows[i - 1].band.start for i in range(1, len(rows)) if len(cells[i]) == most == len(cells[i - 1])
    ]
    return median(steps) if steps else None


def _floats(rows: Sequence[TextRow], group: Sequence[int], i: int) -> bool:
    """Return whether the line's band overlaps the one of the group: a label centred over rows, or the row beside it."""
    return any(rows[g].band.overlap(rows[i].band) > 0 for g in group)


def _continues(
    ctx: TableContext,
    rows: Sequence[TextRow],
    cells: Sequence[dict[int, list[Segment]]],
    group: Sequence[int],
    i: int,
    widths: dict[int, float],
    numeric: set[int],
    leading: float | None,
) -> bool:
    above: dict[int, list[Segment]] = {}
    for g in group:
        above.update(cells[g])
    here = cells[i]
    if not here or rule_between(ctx.rules, rows[group[-1]], rows[i]):
        return False
    if not set(here) <= set(above) or len(here) >= len(above):
        return False
    if any(column in numeric for column in here):
        return False
    step = rows[i].band.start - rows[group[-1]].band.start
    if leading is not None and step > leading + ctx.text_rows[i].band.length / 2:
        return False
    return all(_would_not_fit(above[c], here[c], widths[c], ctx.word_space_em) for c in here)


def _would_not_fit(above: Sequence[Segment], here: Sequence[Segment], width: float, space_em: float) -> bool:
    """Return whether the first word of the line would not have fitted after the text above within the column's width."""
    first = here[0].words[0]
    used = above[-1].box.x1 - above[0].box.x0
    return used + space_em * first.size + first.box.width > width


def rule_between(rules: Sequence[Rule], upper: TextRow, lower: TextRow) -> bool:
    """Return whether a horizontal rule lies between the two lines, over some of the words of both."""
    return any(
        rule.orientation == "horizontal"
        and upper.band.middle < rule.position < lower.band.middle
        and Interval(rule.start, rule.end).overlap(lower.box.x_interval) > 0
        for rule in rules
    )
