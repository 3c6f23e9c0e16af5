"""Rows from lines of writing: which lines begin a row, and which go on with the one above.

Three readings, the first that has evidence holds:

* *Bands.* Where rules run below every row, what stands between two rules is one row, however many lines it has. That is
  so when no band holds numbers below numbers in one column, and those that look like several rows (a text would still
  have fitted on the line above, or every column is filled afresh) are the smaller part.
* *Wrapped cells.* A line goes on with the row above when no rule parts the two; it fills only columns that the row
  above fills too; none of its entries would have fitted on the line above within its column's width; it brings no entry
  to a column of numbers; it is no heading (alone in its line, in another face, in the first column or centred over the
  table, without a small letter at its beginning); and it either fills fewer columns, or all its entries read on: they
  begin with a small letter, in columns whose rows do not usually begin so.
* Each line is a row, but for lines of numbers in brackets below numbers that wrapped labels hold to them
  (`bracketed_lines`).

Above the rule that closes the head, lines at the distance of rows are rows: heads are broken by hand, and their wrapped
lines stand closer. A head whose texts are wrapped as those of the body are is one row all the same (`wrapped_heads`). Of
lines whose bands overlap, the one with most segments is the row; the others are labels centred beside several rows.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from statistics import median

from variorum.geometry import Interval, merge_intervals
from variorum.page.lines import Segment, TextRow
from variorum.page.model import Rule
from variorum.tables.bracketed_lines import joined_with_brackets
from variorum.tables.columns import Channel, channels, column_of
from variorum.tables.model import TableContext
from variorum.tables.wrapped_heads import Fits, has_divided_words, is_wrapped

Cells = dict[int, list[Segment]]


@dataclass(frozen=True, slots=True)
class RowGroup:
    """Lines of writing that make one row: their indices, first to last, and the band from the first line's top to the
    last's bottom."""

    lines: tuple[int, ...]
    band: Interval


@dataclass(frozen=True, slots=True)
class RowReading:
    """The rows of a table, whether its rules close every row (then rules speak for the whole axis), and the lines that
    are no labels centred beside others."""

    groups: tuple[RowGroup, ...]
    ruled_throughout: bool
    anchored: tuple[int, ...]


def row_groups(ctx: TableContext) -> tuple[RowGroup, ...]:
    """Return the rows of the table as groups of its lines of writing, top to bottom."""
    return read_rows(ctx).groups


def read_rows(ctx: TableContext) -> RowReading:
    """Return the rows of the table and how they were read; computed once per table."""
    return ctx.once("row_reading", lambda: _read_rows(ctx))


def table_channels(ctx: TableContext) -> list[Channel]:
    """Return the white channels between the table's columns, labels that float beside a line counted with it; computed once."""
    return ctx.once("channels", lambda: channels(whole_lines(ctx)))


def whole_lines(ctx: TableContext) -> list[list[Segment]]:
    """Return the segments of every line that can begin a row, with those of the labels that float beside it; computed once."""
    return ctx.once("whole_lines", lambda: _whole_lines(ctx))


def _whole_lines(ctx: TableContext) -> list[list[Segment]]:
    """Return the segments of every line that can begin a row, with those of the labels that float beside it."""
    rows = ctx.text_rows
    anchored = _anchored(rows, ctx)
    out: list[list[Segment]] = []
    for i in anchored:
        beside = [k for k in range(len(rows)) if k not in anchored and rows[k].band.overlap(rows[i].band) > 0]
        out.append(sorted((s for k in (i, *beside) for s in ctx.segments[k]), key=lambda s: (s.box.x0, s.box.x1)))
    return out


def _read_rows(ctx: TableContext) -> RowReading:
    rows = ctx.text_rows
    found = table_channels(ctx)
    cells = [_cells(line, found) for line in ctx.segments]
    widths = _column_widths(cells)
    numeric = _numeric_columns(cells)
    bands = _bands(ctx, rows)
    anchored = _anchored(rows, ctx)
    firm = [[i for i in band if i in anchored] or band for band in bands]
    ruled = _in_ruled_columns(ctx, cells, found)
    beside = {i for i in range(len(rows)) if i not in anchored}
    if _closed_by_rules(firm, ruled, widths, ctx.word_space_em, rows, beside):
        return RowReading(tuple(_group(band, rows, anchored) for band in bands), True, tuple(anchored))
    cells = _without_group_labels(cells, bands, rows)
    leading = _row_leading(rows, cells)
    head_end = _head_end(ctx)
    small = _begin_small(cells)
    groups: list[list[int]] = []
    for i in anchored:
        if groups and _continues(ctx, rows, cells, groups[-1], i, widths, numeric, leading, head_end, small):
            groups[-1].append(i)
        else:
            groups.append([i])

    def fits(column: int, above: Sequence[Segment], here: Sequence[Segment]) -> bool:
        return not _would_not_fit(above, here, widths[column], ctx.word_space_em)

    groups = joined_with_brackets(_with_one_head(ctx, rows, cells, groups, head_end, fits), cells, partial(fits, 0))
    out = [_group(g, rows, anchored) for g in groups]
    firm_bands = [g.band for g in out]
    for i in range(len(rows)):
        if i not in anchored:
            near = [k for k, g in enumerate(firm_bands) if g.overlap(rows[i].band) > 0]
            home = max(range(len(out)), key=lambda k: (firm_bands[k].overlap(rows[i].band), -k))
            band = out[home].band.hull(rows[i].band) if near == [home] else out[home].band
            out[home] = RowGroup(tuple(sorted((*out[home].lines, i))), band)
    return RowReading(tuple(out), False, tuple(anchored))


def _with_one_head(
    ctx: TableContext,
    rows: Sequence[TextRow],
    cells: Sequence[Cells],
    groups: list[list[int]],
    head_end: float | None,
    fits: Fits,
) -> list[list[int]]:
    """Return the groups, those of the head as one where its lines are wrapped texts (see `wrapped_heads`)."""
    head = [g for g in groups if head_end is not None and rows[g[-1]].band.middle < head_end]
    body = groups[len(head) :]
    lines = [i for g in head for i in g]
    if len(head) <= 1 or any(column < 0 for i in lines for column in cells[i]):
        return groups
    if any(rule_between(ctx.rules, rows[i], rows[j]) for i, j in itertools.pairwise(lines)):
        return groups
    texts = [cells[i] for i in lines]
    steps = [rows[j].band.start - rows[i].band.start for g in body for i, j in itertools.pairwise(g)]
    if has_divided_words(texts) or is_wrapped(texts, [rows[i] for i in lines], steps, fits):
        return [lines, *body]
    return groups


def _anchored(rows: Sequence[TextRow], ctx: TableContext) -> list[int]:
    """Return the lines that can begin rows: of lines whose bands overlap, those with most segments; the others float
    beside them.

    A line floats too when a rule across most of the table passes at its height, beside it.
    """
    kept: list[int] = []
    positions = full_rule_positions(ctx)
    beside = [i for i, row in enumerate(rows) if any(row.band.start < y < row.band.end for y in positions)]
    between = _between_rows(rows, [len(line) for line in ctx.segments], _head_end(ctx))
    for i in sorted(range(len(rows)), key=lambda k: (k in beside, -len(ctx.segments[k]), k)):
        if (i in beside and len(beside) < len(rows)) or i in between:
            continue
        if not any(rows[k].band.overlap(rows[i].band) > 0 for k in kept):
            kept.append(i)
    return sorted(kept)


def _without_group_labels(cells: Sequence[Cells], bands: Sequence[Sequence[int]], rows: Sequence[TextRow]) -> list[Cells]:
    """Return the cells without the stub texts that stand alone, centred, beside the lines between two rules.

    Such a label belongs to all rows of its band; that a line beside its middle has it says nothing about that line.
    """
    out = [dict(c) for c in cells]
    for band in bands:
        labelled = [i for i in band if 0 in cells[i]]
        if len(labelled) != 1 or labelled[0] == band[0]:
            continue
        extent = Interval(min(rows[i].band.start for i in band), max(rows[i].band.end for i in band))
        label = rows[labelled[0]].band
        if 2 * abs(label.middle - extent.middle) <= label.length:
            del out[labelled[0]][0]
    return out


def _between_rows(rows: Sequence[TextRow], counts: Sequence[int], head_end: float | None) -> list[int]:
    """Return the lines that overlap the line above and the line below, where those two stand as far apart as the
    table's lines do.

    `counts` has the number of segments of each line: below the head, one that has more than either of them is a row, and
    they are the lines of a cell wrapped beside it.
    """
    steps = [b.band.start - a.band.start for a, b in itertools.pairwise(rows) if a.band.overlap(b.band) == 0]
    if not steps:
        return []
    usual = median(steps)
    out: list[int] = []
    for i in range(1, len(rows) - 1):
        above, here, below = rows[i - 1].band, rows[i].band, rows[i + 1].band
        if above.overlap(here) > 0 and here.overlap(below) > 0 and above.overlap(below) == 0 and i - 1 not in out:
            apart = below.start - above.start
            in_head = head_end is None or here.middle < head_end
            fuller = counts[i] > max(counts[i - 1], counts[i + 1])
            if 2 * abs(apart - usual) < here.length / 2 and (in_head or not fuller):
                out.append(i)
    return out


def _head_end(ctx: TableContext) -> float | None:
    """Return the y of the first rule across the table below its first words, or None."""
    top = min((w.box.y1 for w in ctx.words), default=0.0)
    return next((y for y in full_rule_positions(ctx) if y > top), None)


def _group(lines: Sequence[int], rows: Sequence[TextRow], anchored: Sequence[int]) -> RowGroup:
    """Return the lines as a row; its band is that of the lines that do not float beside others, where it has any."""
    firm = [i for i in lines if i in anchored] or list(lines)
    return RowGroup(tuple(lines), Interval(min(rows[i].band.start for i in firm), max(rows[i].band.end for i in firm)))


# ---- cells of lines -------------------------------------------------------------------------------------------------


def _cells(line: Sequence[Segment], found: Sequence[Channel]) -> Cells:
    """Return the segments of a line by column; a spanning segment under its first column, negative to mark it."""
    out: Cells = {}
    for segment in line:
        covered = column_of(segment.box.x0, segment.box.x1, found)
        key = covered[0] if len(covered) == 1 else -1 - covered[0]
        out.setdefault(key, []).append(segment)
    return out


def _column_widths(cells: Sequence[Cells]) -> dict[int, float]:
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


def _text(parts: Sequence[Segment]) -> str:
    return " ".join(p.text for p in parts)


def _numeric_columns(cells: Sequence[Cells]) -> set[int]:
    counts: dict[int, list[bool]] = {}
    for line in cells:
        for column, parts in line.items():
            counts.setdefault(column, []).append(is_number_like(_text(parts)))
    return {c for c, flags in counts.items() if 2 * sum(flags) > len(flags)}


# ---- bands between rules --------------------------------------------------------------------------------------------


def _bands(ctx: TableContext, rows: Sequence[TextRow]) -> list[list[int]]:
    """Return the lines of writing grouped by the rules that run across most of the table's words."""
    positions = full_rule_positions(ctx)
    bands: list[list[int]] = []
    previous: int | None = None
    for i, row in enumerate(rows):
        here = sum(p < row.band.middle for p in positions)
        if here == previous:
            bands[-1].append(i)
        else:
            bands.append([i])
        previous = here
    return bands


def full_rule_positions(ctx: TableContext) -> list[float]:
    """Return the y of horizontal rules that together cover more than half of the width of the table's words, top to bottom."""
    return [line[0].position for line in _full_rules(ctx)]


def _full_rules(ctx: TableContext) -> list[list[Rule]]:
    """Return the horizontal rules, those at one height together, that cover more than half of the words' width."""
    if not ctx.words:
        return []
    whole = Interval(min(w.box.x0 for w in ctx.words), max(w.box.x1 for w in ctx.words))
    lines: list[list[Rule]] = []
    for rule in sorted((r for r in ctx.rules if r.orientation == "horizontal"), key=lambda r: (r.position, r.start)):
        if lines and rule.position - lines[-1][-1].position <= max(rule.thickness, lines[-1][-1].thickness, 1):
            lines[-1].append(rule)
        else:
            lines.append([rule])
    return [
        line
        for line in lines
        if 2 * sum(whole.overlap(i) for i in merge_intervals(Interval(r.start, r.end) for r in line)) > whole.length
    ]


def _in_ruled_columns(ctx: TableContext, cells: Sequence[Cells], found: Sequence[Channel]) -> list[Cells]:
    """Return the cells of the columns under which every rule between rows runs; all cells when there is no such column.

    A column that some of the rules leave out holds labels of several rows.
    """
    edges = [ctx.bbox.x0, *(c.interval.middle for c in found), ctx.bbox.x1]
    kept = set(range(len(found) + 1))
    for line in _full_rules(ctx):
        drawn = merge_intervals(Interval(r.start, r.end) for r in line)
        for column in range(len(found) + 1):
            extent = Interval(edges[column], edges[column + 1])
            if 2 * sum(extent.overlap(i) for i in drawn) < extent.length:
                kept.discard(column)
    return [{c: parts for c, parts in line.items() if c in kept} for line in cells] if kept else list(cells)


def _closed_by_rules(
    bands: Sequence[Sequence[int]],
    cells: Sequence[Cells],
    widths: dict[int, float],
    space_em: float,
    rows: Sequence[TextRow],
    beside: set[int],
) -> bool:
    """Return whether rules close every row: no numbers stand below numbers within a band, and bands that look like
    several rows are few.

    Two lines are one cell when a line of at least as many cells stands beside them, half-way (`beside` are such lines).
    """
    if len(bands) <= 2:
        return False
    columns = {c for line in cells for c in line if c >= 0}
    several = [band for band in bands if len(band) > 1]
    doubtful = fresh = 0
    for band in several:
        pairs = [
            (cells[i], cells[j])
            for i, j in itertools.pairwise(band)
            if not any(
                len(cells[k]) >= max(len(cells[i]), len(cells[j]), 1)
                and not set(cells[k]) & {*cells[i], *cells[j]}
                and rows[k].band.overlap(rows[i].band) > 0 < rows[k].band.overlap(rows[j].band)
                for k in beside
            )
        ]
        if any(_numbers_below(upper, lower) for upper, lower in pairs):
            return False
        looks_new = [p for p in pairs if _are_two_rows(*p, columns, widths, space_em)]
        doubtful += 2 * len(looks_new) > len(pairs)
        fresh += any(len(lower) > len(upper) for upper, lower in looks_new)
    return 2 * doubtful < len(bands) and (2 * fresh < len(several) or not several)


def _numbers_below(upper: Cells, lower: Cells) -> bool:
    return any(_is_figure(_text(upper[c])) and _is_figure(_text(lower[c])) for c in set(upper) & set(lower))


def _is_figure(text: str) -> bool:
    """Return whether a text is a number and no words: digits, and no letter."""
    return any(c.isdigit() for c in text) and not any(c.isalpha() for c in text)


def _are_two_rows(upper: Cells, lower: Cells, columns: set[int], widths: dict[int, float], space_em: float) -> bool:
    """Return whether two lines look like different rows: a text would still have fitted above, or both fill every
    column afresh."""
    shared = set(upper) & set(lower)
    if any(not _would_not_fit(upper[c], lower[c], widths[c], space_em) for c in shared):
        return True
    return columns <= shared and len(columns) > 1 and not all(_reads_on(upper[c], lower[c]) for c in shared)


# ---- wrapped cells --------------------------------------------------------------------------------------------------


def _row_leading(rows: Sequence[TextRow], cells: Sequence[Cells]) -> float | None:
    """Return the usual distance between lines that surely begin rows (both fill as many columns as any line does), or None."""
    most = max((len(c) for c in cells), default=0)
    steps = [
        rows[i].band.start - rows[i - 1].band.start for i in range(1, len(rows)) if len(cells[i]) == most == len(cells[i - 1])
    ]
    return median(steps) if steps else None


def _continues(
    ctx: TableContext,
    rows: Sequence[TextRow],
    cells: Sequence[Cells],
    group: Sequence[int],
    i: int,
    widths: dict[int, float],
    numeric: set[int],
    leading: float | None,
    head_end: float | None,
    small: set[int],
) -> bool:
    above: Cells = {}
    for g in group:
        above.update(cells[g])
    here = cells[i]
    if not here or rule_between(ctx.rules, rows[group[-1]], rows[i]):
        return False
    if not set(here) <= set(above) or any(c in numeric and is_number_like(_text(here[c])) for c in here):
        return False
    step = rows[i].band.start - rows[group[-1]].band.start
    slack = rows[i].band.length / 2
    if leading is not None and step > leading + slack:
        return False
    if head_end is not None and rows[i].band.middle < head_end and (leading is None or step > leading - slack / 2):
        return False
    if not all(_would_not_fit(above[c], here[c], widths[c], ctx.word_space_em) for c in here):
        return False
    if _is_heading(ctx, i, above):
        return False
    last = set(cells[group[-1]])
    if len(here) < len(above):
        return bool(set(here) & last)
    return set(here) <= last and all(_reads_on(above[c], here[c]) for c in here) and not set(here) & small


def _is_heading(ctx: TableContext, i: int, above: Cells) -> bool:
    """Return whether a line is one text set as a heading: in another face than the row above, first or centred, with a
    capital or sign at its beginning."""
    if len(ctx.segments[i]) != 1:
        return False
    segment = ctx.segments[i][0]
    faces = {w.font for parts in above.values() for s in parts for w in s.words}
    if segment.text[:1].islower() or any(w.font in faces for w in segment.words):
        return False
    left, right = min(w.box.x0 for w in ctx.words), max(w.box.x1 for w in ctx.words)
    size = segment.words[0].size
    first = 2 * (segment.box.x0 - left) < size
    return first or 2 * abs(segment.box.centre[0] - (left + right) / 2) < size


def _begin_small(cells: Sequence[Cells]) -> set[int]:
    """Return the columns whose entries begin with a small letter in most lines where another column's entry does not.

    There a small letter says nothing about whether a line goes on.
    """
    counts: dict[int, list[bool]] = {}
    for line in cells:
        small = {c: parts[0].words[0].text[:1].islower() for c, parts in line.items()}
        for column, begins in small.items():
            if not all(s for c, s in small.items() if c != column):
                counts.setdefault(column, []).append(begins)
    return {c for c, flags in counts.items() if 2 * sum(flags) > len(flags)}


def _would_not_fit(above: Sequence[Segment], here: Sequence[Segment], width: float, space_em: float) -> bool:
    """Return whether the first word of the line would not have fitted after the text above within the column's width."""
    first = here[0].words[0]
    used = above[-1].box.x1 - above[0].box.x0
    return used + space_em * first.size + first.box.width > width


def _reads_on(above: Sequence[Segment], here: Sequence[Segment]) -> bool:
    """Return whether the lower text goes on with the upper one: the upper has several words, the lower begins with a
    small letter."""
    return len([w for s in above for w in s.words]) > 1 and here[0].words[0].text[:1].islower()


def rule_between(rules: Sequence[Rule], upper: TextRow, lower: TextRow) -> bool:
    """Return whether a horizontal rule lies between the two lines, over some of the words of both."""
    return any(
        rule.orientation == "horizontal"
        and upper.band.middle < rule.position < lower.band.middle
        and Interval(rule.start, rule.end).overlap(lower.box.x_interval) > 0
        for rule in rules
    )
