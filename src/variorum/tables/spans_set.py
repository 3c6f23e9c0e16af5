"""Spans that the setting of the text shows: heads centred over columns, labels beside rows, headings of panels.

Rectangles are (first row, first column, last row, last column).
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import median

from variorum.geometry import Box, Interval
from variorum.page.lines import TextRow
from variorum.tables.model import TableContext
from variorum.tables.pieces import Piece, Rect, column_hulls
from variorum.tables.rows import full_rule_positions, is_number_like


def floating_labels(pieces: Sequence[Piece], lines: Sequence[TextRow]) -> tuple[list[Piece], list[Rect]]:
    """Return the pieces, and the spans over rows of those whose line stands between the lines of two rows: texts centred
    beside several rows.

    Such a line overlaps lines of both rows and either lies half-way between two of them that are apart, or has no more
    pieces than they have. Its pieces belong to the upper of the rows.
    """
    counts: dict[int, int] = {}
    rows_of: dict[int, dict[int, int]] = {}
    for p in pieces:
        counts[p.line] = counts.get(p.line, 0) + 1
        tally = rows_of.setdefault(p.line, {})
        tally[p.row] = tally.get(p.row, 0) + 1
    home = {line: max(sorted(tally), key=lambda row: tally[row]) for line, tally in rows_of.items()}
    between = {line for line in home if _is_half_way(line, home, lines)}
    reach: dict[int, tuple[int, int]] = {}
    for line, row in home.items():
        beside = sorted(
            home[other]
            for other in home
            if other != line
            and other not in between
            and abs(home[other] - row) <= 1
            and lines[other].band.overlap(lines[line].band) > 0
            and (line in between or counts[other] >= counts[line])
        )
        if beside and beside[0] < beside[-1]:
            reach[line] = (beside[0], beside[-1])
    out: list[Piece] = []
    rects: list[Rect] = []
    for p in pieces:
        if p.line in reach:
            first, last = reach[p.line]
            rects.append((first, p.first, last, p.last))
            p = replace(p, row=first)
        out.append(p)
    return out, rects


def _is_half_way(line: int, home: Mapping[int, int], lines: Sequence[TextRow]) -> bool:
    """Return whether a line lies in the middle between two lines of different rows that it overlaps and that are apart."""
    here = lines[line].band
    near = [other for other in home if other != line and lines[other].band.overlap(here) > 0]
    for a in near:
        for b in near:
            upper, lower = lines[a].band, lines[b].band
            if home[a] < home[b] and upper.overlap(lower) == 0:
                step = lower.middle - upper.middle
                if 2 * abs(here.middle - (upper.middle + lower.middle) / 2) < step / 2:
                    return True
    return False


def lone_rows(pieces: Sequence[Piece], n_cols: int, head_rows: int) -> list[Rect]:
    """Return the spans of texts that stand alone in a row below the head and run through a divider: headings of a panel."""
    rows: dict[int, list[Piece]] = {}
    for p in pieces:
        rows.setdefault(p.row, []).append(p)
    return [
        (row, 0, row, n_cols - 1)
        for row, parts in sorted(rows.items())
        if row >= head_rows and len(parts) == 1 and parts[0].first < parts[0].last
    ]


def centred_spans(
    pieces: Sequence[Piece], col_edges: Sequence[float], head_rows: int, drawn: Sequence[Sequence[int]]
) -> list[Rect]:
    """Return the spans of head texts that stand centred over several columns whose other places in the row are empty.

    Where the widest centred spans of a row are apart and together cover all columns (or all behind the stub), they are
    meant: heads of groups tile the table. Else a text widens over empty neighbours only while that brings the middle of
    what it covers nearer to its own, to less than half its type's size.
    """
    n_cols = len(col_edges) - 1
    columns = _Columns(tuple(column_hulls([p for p in pieces if p.row >= head_rows] or pieces, n_cols)), tuple(col_edges))
    widening = _widening(pieces, n_cols)
    period = _label_period(pieces, head_rows, n_cols)
    out: list[Rect] = []
    for row in range(head_rows + _sub_head_rows(pieces, head_rows)):
        parts = sorted((p for p in pieces if p.row == row), key=lambda p: (p.box.centre[0], p.line))
        held = {c for p in parts for c in range(p.first, p.last + 1)}
        below = {c for p in pieces if row < p.row < head_rows for c in range(p.first, p.last + 1)}
        spans = (
            _between_rules(parts, columns, drawn[row])
            or _in_periods(parts, columns, period)
            or _tiling(parts, columns, period, widening)
            or _over_all_below(parts, columns, below)
        )
        if not spans and row < head_rows:
            spans = [_widened(p, held, columns, alone=len(parts) == 1) for p in parts]
        out += [
            (row, first, row, last)
            for p, (first, last) in zip(parts, spans, strict=False)
            if (first, last) != (p.first, p.last)
        ]
    return out


@dataclass(frozen=True, slots=True)
class _Columns:
    """The columns of a grid: the extent of what each holds (None when nothing), and their edges, in points."""

    hulls: tuple[Interval | None, ...]
    edges: tuple[float, ...]

    @property
    def count(self) -> int:
        return len(self.hulls)

    def off_centre(self, box: Box, first: int, last: int) -> float | None:
        """Return how far the middle of a text is from that of the columns, by content or edges; None for columns without
        content."""
        a, b = self.hulls[first], self.hulls[last]
        if a is None or b is None:
            return None
        middle = box.centre[0]
        return min(abs((a.start + b.end) / 2 - middle), abs((self.edges[first] + self.edges[last + 1]) / 2 - middle))


def _between_rules(parts: Sequence[Piece], columns: _Columns, drawn: Sequence[int]) -> list[tuple[int, int]]:
    """Return the columns between vertical rules over which the pieces stand, each alone and centred between two; else nothing.

    A piece that stands between rules with others, or off their middle, keeps its columns; indices and exponents that are
    lines of their own are one text with what they touch. `drawn` are the inner edges of the grid at which a rule is drawn
    beside the row.
    """
    edges = [0, *drawn, columns.count]
    spans: list[tuple[int, int]] = []
    for p in parts:
        first, last = max(k for k in edges if k <= p.first), min(k for k in edges if k > p.last) - 1
        beside = [o for o in parts if o.last >= first and o.first <= last]
        off = columns.off_centre(Box.around(o.box for o in beside), first, last)
        centred = off is not None and 2 * off < max(o.words[0].size for o in beside)
        spans.append((first, last) if drawn and _is_one_text(beside) and centred else (p.first, p.last))
    return spans if any(span != (p.first, p.last) for p, span in zip(parts, spans, strict=True)) else []


def _is_one_text(pieces: Sequence[Piece]) -> bool:
    """Return whether the pieces hang together from left to right, less than half an em apart, and no two are of one line."""
    order = sorted(pieces, key=lambda p: (p.box.x0, p.box.x1))
    end = order[0].box.x1
    for p in order[1:]:
        if 2 * (p.box.x0 - end) >= p.words[0].size:
            return False
        end = max(end, p.box.x1)
    return len({p.line for p in pieces}) == len(pieces)


@dataclass(frozen=True, slots=True)
class _Period:
    """Labels that repeat in a head row: they begin at column `first`, `length` of them make a group, up to the last column."""

    first: int
    length: int

    def parts(self, first: int, last: int) -> bool:
        """Return whether the columns cut a group: they hold more than one column and are no whole number of groups."""
        return (
            last > first
            and last >= self.first
            and bool((first - self.first) % self.length or (last + 1 - self.first) % self.length)
        )


def _label_period(pieces: Sequence[Piece], head_rows: int, n_cols: int) -> _Period | None:
    """Return the groups in which the labels of a head row repeat (P, R, F, P, R, F), or None where none does."""
    for row in range(head_rows):
        labels: dict[int, str] = {}
        for p in sorted((p for p in pieces if p.row == row), key=lambda p: (p.first, p.line)):
            if p.first == p.last:
                labels[p.first] = " ".join([labels.get(p.first, ""), *(w.text for w in p.words)])
        texts = [labels.get(c, "") for c in range(n_cols)]
        for first in range(n_cols):
            rest = texts[first:]
            for length in range(2, len(rest) // 2 + 1):
                group = rest[:length]
                if len(set(group)) == length and all(group) and rest == group * (len(rest) // length):
                    return _Period(first, length)
    return None


def _in_periods(parts: Sequence[Piece], columns: _Columns, period: _Period | None) -> list[tuple[int, int]]:
    """Return the groups of repeated labels over which the pieces stand, one a group, each in the middle; else nothing."""
    if period is None or len(parts) != (columns.count - period.first) // period.length:
        return []
    spans = [(first, first + period.length - 1) for first in range(period.first, columns.count, period.length)]
    offs = [columns.off_centre(p.box, *span) for p, span in zip(parts, spans, strict=True)]
    inside = all(first <= p.first and p.last <= last for p, (first, last) in zip(parts, spans, strict=True))
    return (
        spans
        if inside and all(off is not None and 2 * off < p.words[0].size for off, p in zip(offs, parts, strict=True))
        else []
    )


def _sub_head_rows(pieces: Sequence[Piece], head_rows: int) -> int:
    """Return 1 when the row below the head holds heads of groups: several texts, none in the stub, one over two columns."""
    parts = [p for p in pieces if p.row == head_rows]
    heads = len(parts) > 1 and min(p.first for p in parts) > 0 and any(p.last > p.first for p in parts)
    return int(heads and not any(is_number_like(" ".join(w.text for w in p.words)) for p in parts))


def _widening(pieces: Sequence[Piece], n_cols: int) -> set[Piece]:
    """Return the texts of one column that make it wider than all else in it, and still keep the usual distance from both
    neighbours: a text over several columns would not have widened the one in their middle."""
    by_column: dict[int, list[Piece]] = {}
    for p in pieces:
        if p.first == p.last:
            by_column.setdefault(p.first, []).append(p)
    hulls = column_hulls(pieces, n_cols)
    gaps = [b.start - a.end for a, b in itertools.pairwise(hulls) if a is not None and b is not None]
    if not gaps:
        return set()
    usual = median(gaps)
    out: set[Piece] = set()
    for column in range(1, n_cols - 1):
        widest = sorted(by_column.get(column, ()), key=lambda p: (-p.box.width, p.row, p.line))
        left, right = hulls[column - 1], hulls[column + 1]
        if len(widest) <= 1 or left is None or right is None:
            continue
        piece, size = widest[0], widest[0].words[0].size
        own = piece.box.width - widest[1].box.width > size
        apart = min(piece.box.x0 - left.end, right.start - piece.box.x1)
        if own and 2 * (usual - apart) < size:
            out.add(piece)
    return out


def _tiling(parts: Sequence[Piece], columns: _Columns, period: _Period | None, widening: set[Piece]) -> list[tuple[int, int]]:
    """Return the spans, in order of the pieces, that cover the columns without gap up to the last and each centre their piece.

    They begin at the first column, or as far left as can be behind columns that the row leaves empty. Of several
    tilings the one with the least distance from centres is returned; an empty list when there is none, or when no piece spans.
    """
    if len(parts) <= 1:
        return []
    for start in range(min(p.first for p in parts) + 1):
        found = _tiling_from(start, parts, columns)
        if found:
            meant = any(last > first for first, last in found) and not any(
                last > first and p in widening for p, (first, last) in zip(parts, found, strict=True)
            )
            return found if meant and not (period and any(period.parts(*span) for span in found)) else []
    return []


def _over_all_below(parts: Sequence[Piece], columns: _Columns, below: set[int]) -> list[tuple[int, int]]:
    """Return the widest columns over which a text alone in its row is centred, all of them headed by a row below; else
    nothing."""
    if len(parts) != 1:
        return []
    piece = parts[0]
    fits = [
        (first, last)
        for first in range(1, piece.first + 1)
        for last in range(max(piece.last, first + 1), columns.count)
        if set(range(first, last + 1)) <= below
        and (off := columns.off_centre(piece.box, first, last)) is not None
        and 2 * off < piece.words[0].size
    ]
    return [max(fits, key=lambda f: (f[1] - f[0], -f[0]))] if fits else []


def _tiling_from(start: int, parts: Sequence[Piece], columns: _Columns) -> list[tuple[int, int]]:
    best: dict[int, tuple[float, list[tuple[int, int]]]] = {start: (0.0, [])}
    for piece in parts:
        nearer: dict[int, tuple[float, list[tuple[int, int]]]] = {}
        for first, (cost, spans) in sorted(best.items()):
            for last in range(first, columns.count):
                off = columns.off_centre(piece.box, first, last)
                if off is None:
                    continue
                stays = first == last == piece.first == piece.last  # over one column a head may be set left or right
                if not stays and 2 * off >= piece.words[0].size:
                    continue
                if last + 1 not in nearer or cost + off < nearer[last + 1][0]:
                    nearer[last + 1] = (cost + off, [*spans, (first, last)])
        best = nearer
    return best.get(columns.count, (0.0, []))[1]


def _widened(piece: Piece, held: set[int], columns: _Columns, *, alone: bool) -> tuple[int, int]:
    """Return the columns that a head text between columns is centred over: its own, or more of the empty ones beside it.

    The nearest to its middle, to a point; of those as near, for a text alone in its row, the widest.
    """
    size = piece.words[0].size
    best, best_off = (piece.first, piece.last), columns.off_centre(piece.box, piece.first, piece.last)
    own = columns.hulls[piece.first]
    at_home = piece.first == piece.last and own is not None and own.overlap(piece.box.x_interval) > 0
    if best_off is None or at_home or (not alone and 2 * best_off < size):
        return best
    lows = [piece.first]
    while lows[-1] > (0 if alone else 1) and lows[-1] - 1 not in held:
        lows.append(lows[-1] - 1)
    highs = [piece.last]
    while highs[-1] < columns.count - 1 and highs[-1] + 1 not in held:
        highs.append(highs[-1] + 1)
    for low in lows:
        for high in highs:
            value = columns.off_centre(piece.box, low, high)
            if value is None or 2 * value >= size:
                continue
            nearer, as_near = round(value) < round(best_off), round(value) == round(best_off)
            if nearer or (alone and as_near and high - low > best[1] - best[0]):
                best, best_off = (low, high), value
    return best


def group_labels(
    pieces: Sequence[Piece], ctx: TableContext, row_positions: Sequence[float], lines: Sequence[TextRow], head_rows: int
) -> list[Rect]:
    """Return the spans over rows of stub texts that stand alone, centred, beside the rows of a group: labels of the group.

    Groups are parted by rules across the table; where that shows no labels, by white wider than between the table's rows,
    and then every group of more rows than one must have its label in its middle. Columns are tried from the left, as long as
    the one before had such labels only.
    """
    bands: dict[int, list[float]] = {}
    for p in pieces:
        bands.setdefault(p.row, []).append(lines[p.line].band.middle)
    middles = {row: sum(bands[row]) / len(bands[row]) for row in range(head_rows, len(row_positions) + 1) if row in bands}
    rules = full_rule_positions(ctx)
    by_rules = _grouped(middles, rules)
    out = [rect for rows in by_rules for rect in _labels_of(rows, pieces, lines)]
    if out:
        return out
    groups = [rows for rows in _grouped(middles, [*rules, *_wide_gaps(middles, lines, pieces)]) if len(rows) > 1]
    if len(groups) <= 1:
        return []
    labels = [_labels_of(rows, pieces, lines) for rows in groups]
    return [rect for rects in labels for rect in rects] if all(labels) else []


def _grouped(middles: Mapping[int, float], cuts: Sequence[float]) -> list[list[int]]:
    """Return the rows between the cuts, from top to bottom."""
    groups: dict[int, list[int]] = {}
    for row, middle in sorted(middles.items()):
        groups.setdefault(sum(y < middle for y in cuts), []).append(row)
    return list(groups.values())


def _wide_gaps(middles: Mapping[int, float], lines: Sequence[TextRow], pieces: Sequence[Piece]) -> list[float]:
    """Return the heights at which two rows stand further apart than usual, by more than half a line."""
    rows = sorted(middles)
    steps = [middles[b] - middles[a] for a, b in itertools.pairwise(rows)]
    if not steps:
        return []
    usual = median(steps)
    half = median(lines[p.line].band.length for p in pieces) / 2
    return [middles[a] + step / 2 for a, step in zip(rows, steps, strict=False) if step > usual + half]


def _labels_of(rows: Sequence[int], pieces: Sequence[Piece], lines: Sequence[TextRow]) -> list[Rect]:
    """Return the spans over the rows of a group of the stub texts that stand alone in its middle."""
    if len(rows) <= 1:
        return []
    out: list[Rect] = []
    own = set(rows)
    inside = [p for p in pieces if p.row in own]
    extent = Interval(min(lines[p.line].band.start for p in inside), max(lines[p.line].band.end for p in inside))
    for col in range(max((p.last for p in inside), default=0)):
        parts = [p for p in inside if p.first <= col <= p.last]
        if len(parts) != 1 or parts[0].last != col:
            break
        label = lines[parts[0].line].band
        if 2 * abs(label.middle - extent.middle) > label.length:
            break
        out.append((rows[0], col, rows[-1], col))
    return out


def count_head_rows(ctx: TableContext, row_positions: Sequence[float], pieces: Sequence[Piece]) -> int:
    """Return how many rows of the grid begin above the first rule across the table that has words above it.

    Without such a rule those above the first row with numbers; at least 1.
    """
    top = min((w.box.y1 for w in ctx.words), default=0.0)
    first = next((y for y in full_rule_positions(ctx) if y > top), None)
    if first is not None:
        return 1 + sum(p < first - 1 for p in row_positions)
    numbers = {p.row for p in pieces if is_number_like(" ".join(w.text for w in p.words))}
    return max(1, min(numbers, default=1))
