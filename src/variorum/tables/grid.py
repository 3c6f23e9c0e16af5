"""From dividers and words to a grid of cells with spans.

The words of a line that stand together with nothing but word spaces between them are one piece of a cell. A piece that
a divider cannot part without cutting a word spans the columns it touches. Where dividers are drawn as rules, cells
whose common side has no rule are one cell; a rule that runs below only some columns makes the text above it span them.
What spans must be a rectangle; wholly empty rows and columns are dropped.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from variorum.document import Cell
from variorum.geometry import Box, Interval
from variorum.page.lines import Segment, TextRow, join_words, segments, text_rows
from variorum.page.model import Rule, Word
from variorum.tables.model import BoundaryHypothesis, CellGrid, CellMethod, TableContext
from variorum.tables.rows import full_rule_positions
from variorum.tables.text import join_lines

Rect = tuple[int, int, int, int]  # first row, first column, last row, last column


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of words of one line inside one row of the grid, and the columns `first..last` that it stands in."""

    words: tuple[Word, ...]
    line: int
    row: int
    first: int
    last: int

    @property
    def box(self) -> Box:
        """Return the box around the words, in points."""
        return Box.around(w.box for w in self.words)


def build_grid(ctx: TableContext, structure: BoundaryHypothesis, cell_method: CellMethod) -> CellGrid:
    """Return the grid of the structure's dividers filled by the cell method; edges in points, spans recognised, empty
    lines dropped."""
    col_positions = sorted(p.position for p in structure.col_boundaries)
    row_positions = sorted(p.position for p in structure.row_boundaries)
    words = cell_method.pieces(ctx, col_positions)
    lines = text_rows(words)
    n_rows, n_cols = len(row_positions) + 1, len(col_positions) + 1
    pieces = _held_to_hulls(_pieces(lines, ctx, col_positions, row_positions), n_cols, col_positions)
    around = Box.around([w.box for w in words] or [ctx.bbox])
    row_edges = (min(ctx.bbox.y0, around.y0), *row_positions, max(ctx.bbox.y1, around.y1))
    col_edges = (min(ctx.bbox.x0, around.x0), *col_positions, max(ctx.bbox.x1, around.x1))
    rects = [(p.row, p.first, p.row, p.last) for p in pieces if p.last > p.first]
    rects += _ruled_merges(ctx.rules, col_edges, row_edges, pieces)
    rects += _underlined_spans(ctx.rules, col_edges, row_edges, pieces, lines)
    pieces, floating = _floating(pieces, lines)
    rects += floating
    head_rows = _head_rows(ctx, row_positions)
    rects += _lone_rows(pieces, n_cols, head_rows)
    rects += _centred_spans(pieces, col_edges, head_rows)
    rects += _group_labels(pieces, ctx, row_positions, lines, head_rows)
    rects = _disjoint(rects)
    return _assemble(pieces, rects, n_rows, n_cols, col_edges, row_edges, ctx, structure.method, cell_method.name)


# ---- pieces ---------------------------------------------------------------------------------------------------------


def _pieces(
    lines: Sequence[TextRow], ctx: TableContext, col_positions: Sequence[float], row_positions: Sequence[float]
) -> list[Piece]:
    cut = [segments(line, ctx.word_space_em, ctx.verticals) for line in lines]
    white = {p: _white_around(p, cut) for p in col_positions}
    out: list[Piece] = []
    for i, line in enumerate(cut):
        for segment in line:
            for words in _split(segment, col_positions, white, ctx.word_space_em):
                box = Box.around(w.box for w in words)
                first, last = _columns(words, box, col_positions)
                row = sum(p < box.centre[1] for p in row_positions)
                out.append(Piece(tuple(words), i, row, first, last))
    return out


def _columns(words: Sequence[Word], box: Box, col_positions: Sequence[float]) -> tuple[int, int]:
    """Return the first and last column that a piece touches; a single word without characters stays on its middle's side."""
    if len(words) == 1 and not words[0].chars:
        column = sum(p < box.centre[0] for p in col_positions)
        return column, column
    first, last = sum(p <= box.x0 for p in col_positions), sum(p < box.x1 for p in col_positions)
    return first, max(first, last)


def _held_to_hulls(pieces: Sequence[Piece], n_cols: int, col_positions: Sequence[float]) -> list[Piece]:
    """Return the pieces, those over several columns cut back to the columns over whose own content they stand.

    A text wider than its column reaches past the divider into white; it spans the neighbour only if it stands over what
    that column holds elsewhere.
    """
    hulls = _column_hulls(pieces, n_cols)
    out: list[Piece] = []
    for p in pieces:
        first, last = p.first, p.last
        while first < last and not _stands_over(p, hulls[first]):
            first += 1
        while first < last and not _stands_over(p, hulls[last]):
            last -= 1
        if p.last > p.first and first == last and not _stands_over(p, hulls[first]):
            first = last = sum(x < p.box.centre[0] for x in col_positions)
        out.append(replace(p, first=first, last=last))
    return out


def _stands_over(piece: Piece, hull: Interval | None) -> bool:
    return hull is None or hull.overlap(piece.box.x_interval) > 0


def _floating(pieces: Sequence[Piece], lines: Sequence[TextRow]) -> tuple[list[Piece], list[Rect]]:
    """Return the pieces, and the spans over rows of those whose line overlaps lines of two rows: labels centred beside
    several rows.

    Such a piece belongs to the upper of its rows.
    """
    in_row: dict[int, set[int]] = {}
    for p in pieces:
        in_row.setdefault(p.row, set()).add(p.line)
    counts: dict[int, int] = {}
    for p in pieces:
        counts[p.line] = counts.get(p.line, 0) + 1
    out: list[Piece] = []
    rects: list[Rect] = []
    for p in pieces:
        rows = [
            row
            for row in (p.row - 1, p.row, p.row + 1)
            if any(
                line != p.line and lines[line].band.overlap(lines[p.line].band) > 0 and counts[line] >= counts[p.line]
                for line in in_row.get(row, ())
            )
        ]
        if len(rows) > 1:
            rects.append((rows[0], p.first, rows[-1], p.last))
            p = replace(p, row=rows[0])
        out.append(p)
    return out, rects


def _lone_rows(pieces: Sequence[Piece], n_cols: int, head_rows: int) -> list[Rect]:
    """Return the spans of texts that stand alone in a row below the head and run through a divider: headings of a panel."""
    rows: dict[int, list[Piece]] = {}
    for p in pieces:
        rows.setdefault(p.row, []).append(p)
    return [
        (row, 0, row, n_cols - 1)
        for row, parts in sorted(rows.items())
        if row >= head_rows and len(parts) == 1 and parts[0].first < parts[0].last
    ]


def _centred_spans(pieces: Sequence[Piece], col_edges: Sequence[float], head_rows: int) -> list[Rect]:
    """Return the spans of head texts that stand centred over several columns whose other places in the row are empty.

    Where the widest centred spans of a row are apart and together cover all columns (or all behind the stub), they are
    meant: heads of groups tile the table. Else a text widens over empty neighbours only while that brings the middle of
    what it covers nearer to its own, to less than half its type's size.
    """
    n_cols = len(col_edges) - 1
    columns = _Columns(tuple(_column_hulls([p for p in pieces if p.row >= head_rows] or pieces, n_cols)), tuple(col_edges))
    out: list[Rect] = []
    for row in range(head_rows):
        parts = sorted((p for p in pieces if p.row == row), key=lambda p: (p.box.centre[0], p.line))
        held = {c for p in parts for c in range(p.first, p.last + 1)}
        below = {c for p in pieces if row < p.row < head_rows for c in range(p.first, p.last + 1)}
        spans = _tiling(parts, columns) or _over_all_below(parts, columns, below)
        spans = spans or [_widened(p, held, columns, alone=len(parts) == 1) for p in parts]
        out += [
            (row, first, row, last) for p, (first, last) in zip(parts, spans, strict=True) if (first, last) != (p.first, p.last)
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

    def off_centre(self, piece: Piece, first: int, last: int) -> float | None:
        """Return how far the piece's middle is from that of the columns, by content or edges; None for columns without
        content."""
        a, b = self.hulls[first], self.hulls[last]
        if a is None or b is None:
            return None
        middle = piece.box.centre[0]
        return min(abs((a.start + b.end) / 2 - middle), abs((self.edges[first] + self.edges[last + 1]) / 2 - middle))


def _tiling(parts: Sequence[Piece], columns: _Columns) -> list[tuple[int, int]]:
    """Return the spans, in order of the pieces, that cover the columns without gap up to the last and each centre their piece.

    They begin at the first column, or as far left as can be behind columns that the row leaves empty. Of several
    tilings the one with the least distance from centres is returned; an empty list when there is none, or when no piece spans.
    """
    if len(parts) <= 1:
        return []
    for start in range(min(p.first for p in parts) + 1):
        found = _tiling_from(start, parts, columns)
        if found:
            return found if any(last > first for first, last in found) else []
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
        and (off := columns.off_centre(piece, first, last)) is not None
        and 2 * off < piece.words[0].size
    ]
    return [max(fits, key=lambda f: (f[1] - f[0], -f[0]))] if fits else []


def _tiling_from(start: int, parts: Sequence[Piece], columns: _Columns) -> list[tuple[int, int]]:
    best: dict[int, tuple[float, list[tuple[int, int]]]] = {start: (0.0, [])}
    for piece in parts:
        nearer: dict[int, tuple[float, list[tuple[int, int]]]] = {}
        for first, (cost, spans) in sorted(best.items()):
            for last in range(first, columns.count):
                off = columns.off_centre(piece, first, last)
                if off is None or 2 * off >= piece.words[0].size:
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
    best, best_off = (piece.first, piece.last), columns.off_centre(piece, piece.first, piece.last)
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
            value = columns.off_centre(piece, low, high)
            if value is None or 2 * value >= size:
                continue
            nearer, as_near = round(value) < round(best_off), round(value) == round(best_off)
            if nearer or (alone and as_near and high - low > best[1] - best[0]):
                best, best_off = (low, high), value
    return best


def _group_labels(
    pieces: Sequence[Piece], ctx: TableContext, row_positions: Sequence[float], lines: Sequence[TextRow], head_rows: int
) -> list[Rect]:
    """Return the spans over rows of stub texts that stand alone, centred, beside the rows between two rules: labels of
    the group.

    Columns are tried from the left, as long as the one before had such labels only.
    """
    rules = full_rule_positions(ctx)
    n_rows = len(row_positions) + 1
    groups: dict[int, list[int]] = {}
    for row in range(head_rows, n_rows):
        middle = _row_middle(row, pieces, lines)
        if middle is not None:
            groups.setdefault(sum(y < middle for y in rules), []).append(row)
    out: list[Rect] = []
    for rows in groups.values():
        if len(rows) <= 1:
            continue
        inside = [p for p in pieces if p.row in rows]
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


def _row_middle(row: int, pieces: Sequence[Piece], lines: Sequence[TextRow]) -> float | None:
    bands = [lines[p.line].band for p in pieces if p.row == row]
    return sum(b.middle for b in bands) / len(bands) if bands else None


def _white_around(position: float, cut: Sequence[Sequence[Segment]]) -> Interval:
    """Return the white that all segments which do not run through the position leave around it."""
    lefts = [s.box.x1 for line in cut for s in line if s.box.x1 <= position]
    rights = [s.box.x0 for line in cut for s in line if s.box.x0 >= position]
    return Interval(max(lefts, default=position), min(rights, default=position))


def _split(
    segment: Segment, col_positions: Sequence[float], white: Mapping[float, Interval], space_em: float
) -> list[list[Word]]:
    """Return the words of a segment cut at the dividers that run through one of its gaps and whose whole white that gap
    holds."""
    parts: list[list[Word]] = [[segment.words[0]]]
    for left, right in zip(segment.words, segment.words[1:], strict=False):
        slack = space_em * max(left.size, right.size) / 2
        divided = any(
            left.box.x1 <= p <= right.box.x0 and left.box.x1 <= white[p].start + slack and white[p].end - slack <= right.box.x0
            for p in col_positions
        )
        if divided:
            parts.append([right])
        else:
            parts[-1].append(right)
    return parts


def _head_rows(ctx: TableContext, row_positions: Sequence[float]) -> int:
    """Return how many rows of the grid begin above the first rule across the table that has words above it; 1 without rules."""
    top = min((w.box.y1 for w in ctx.words), default=0.0)
    first = next((y for y in full_rule_positions(ctx) if y > top), None)
    return 1 if first is None else 1 + sum(p < first - 1 for p in row_positions)


# ---- spans ----------------------------------------------------------------------------------------------------------


def _ruled_merges(
    rules: Sequence[Rule], col_edges: Sequence[float], row_edges: Sequence[float], pieces: Sequence[Piece]
) -> list[Rect]:
    """Return the cells that a ruled grid leaves without a rule between them.

    Only where a divider is drawn for most of its length: then a missing stretch is meant. Along a row, cells that no
    rule parts are one when a single text stands in them; two that stand over each other are one cell of several lines.
    """
    n_rows, n_cols = len(row_edges) - 1, len(col_edges) - 1
    held = {(p.row, c) for p in pieces for c in range(p.first, p.last + 1)}
    vertical = [r for r in rules if r.orientation == "vertical"]
    out = _undivided_runs(vertical, col_edges, row_edges, pieces)
    horizontal = [r for r in rules if r.orientation == "horizontal"]
    for k in range(1, n_rows):
        near = _near(horizontal, row_edges, k)
        bare = [c for c in range(n_cols) if not _covers(near, (col_edges[c] + col_edges[c + 1]) / 2)]
        if not vertical or len(bare) == n_cols:
            continue
        # a rule below some columns only parts the head of a group from its columns; a text of two lines beside it is one cell
        both = [c for c in bare if (k - 1, c) in held and (k, c) in held]
        out += [(k - 1, c, k, c) for c in (bare if 2 * len(bare) < n_cols else both)]
    return out


def _undivided_runs(
    vertical: Sequence[Rule], col_edges: Sequence[float], row_edges: Sequence[float], pieces: Sequence[Piece]
) -> list[Rect]:
    """Return the runs of a row's cells between which the vertical rules are missing, where they hold a single text."""
    n_rows, n_cols = len(row_edges) - 1, len(col_edges) - 1
    middles = [(row_edges[r] + row_edges[r + 1]) / 2 for r in range(n_rows)]
    open_at: list[set[int]] = [set() for _ in range(n_rows)]
    for k in range(1, n_cols):
        near = _near(vertical, col_edges, k)
        bare = [r for r in range(n_rows) if not _covers(near, middles[r])]
        if 2 * len(bare) < n_rows:
            for r in bare:
                open_at[r].add(k)
    out: list[Rect] = []
    for r in range(n_rows):
        first = 0
        for k in range(1, n_cols + 1):
            if k in open_at[r]:
                continue
            inside = [p for p in pieces if p.row == r and first <= p.first and p.last < k]
            if k - first > 1 and inside and len({p.line for p in inside}) == len(inside):
                out.append((r, first, r, k - 1))
            first = k
    return out


def _near(rules: Sequence[Rule], edges: Sequence[float], k: int) -> list[Rule]:
    """Return the rules nearer to edge k than half-way to its neighbours."""
    low, high = (edges[k - 1] + edges[k]) / 2, (edges[k] + edges[k + 1]) / 2
    return [r for r in rules if low < r.position < high]


def _covers(rules: Sequence[Rule], position: float) -> bool:
    return any(r.start <= position <= r.end for r in rules)


def _underlined_spans(
    rules: Sequence[Rule],
    col_edges: Sequence[float],
    row_edges: Sequence[float],
    pieces: Sequence[Piece],
    lines: Sequence[TextRow],
) -> list[Rect]:
    """Return the spans of texts that stand alone above a rule which runs below several columns but not the whole table."""
    out: list[Rect] = []
    n_cols = len(col_edges) - 1
    hulls = _column_hulls(pieces, n_cols)
    for rule in rules:
        if rule.orientation != "horizontal":
            continue
        under = [c for c in range(n_cols) if hulls[c] is not None and _is_under(rule, hulls[c])]
        if not 1 < len(under) < sum(h is not None for h in hulls):
            continue
        above = [p for p in pieces if lines[p.line].band.middle < rule.position]
        if not above:
            continue
        line = max(p.line for p in above)
        row = next(p.row for p in above if p.line == line)
        within = [p for p in pieces if p.row == row and p.first >= under[0] and p.last <= under[-1] and p.line == line]
        crossing = [
            p
            for p in pieces
            if p.row == row and p not in within and p.last >= under[0] and p.first <= under[-1] and p.line == line
        ]
        if len(within) == 1 and not crossing:
            out.append((row, under[0], row, under[-1]))
    return out


def _column_hulls(pieces: Sequence[Piece], n_cols: int) -> list[Interval | None]:
    hulls: list[Interval | None] = [None] * n_cols
    for p in pieces:
        if p.first == p.last:
            extent = Interval(p.words[0].box.x0, max(w.box.x1 for w in p.words))
            old = hulls[p.first]
            hulls[p.first] = extent if old is None else old.hull(extent)
    return hulls


def _is_under(rule: Rule, hull: Interval | None) -> bool:
    return hull is not None and rule.start <= hull.middle <= rule.end


def _disjoint(rects: Sequence[Rect]) -> list[Rect]:
    """Return the rectangles with overlapping ones joined to their hull until all are apart."""
    pool = sorted(set(rects))
    changed = True
    while changed:
        changed = False
        out: list[Rect] = []
        for rect in pool:
            for i, other in enumerate(out):
                if rect[0] <= other[2] and other[0] <= rect[2] and rect[1] <= other[3] and other[1] <= rect[3]:
                    out[i] = (min(rect[0], other[0]), min(rect[1], other[1]), max(rect[2], other[2]), max(rect[3], other[3]))
                    changed = True
                    break
            else:
                out.append(rect)
        pool = sorted(set(out))
    return pool


# ---- assembly -------------------------------------------------------------------------------------------------------


def _assemble(
    pieces: Sequence[Piece],
    rects: Sequence[Rect],
    n_rows: int,
    n_cols: int,
    col_edges: tuple[float, ...],
    row_edges: tuple[float, ...],
    ctx: TableContext,
    structure: str,
    cell: str,
) -> CellGrid:
    owner = {(r, c): rect for rect in rects for r in range(rect[0], rect[2] + 1) for c in range(rect[1], rect[3] + 1)}
    held: dict[Rect, list[Piece]] = {}
    for p in pieces:
        rect = owner.get((p.row, p.first), (p.row, p.first, p.row, p.first))
        held.setdefault(rect, []).append(p)
    rows = sorted({r for rect in held for r in range(rect[0], rect[2] + 1) if _anchors(r, held, 0)})
    cols = sorted({c for rect in held for c in range(rect[1], rect[3] + 1) if _anchors(c, held, 1)})
    row_at, col_at = {r: i for i, r in enumerate(rows)}, {c: i for i, c in enumerate(cols)}
    cells = []
    for rect, parts in sorted(held.items()):
        inner_rows = [row_at[r] for r in range(rect[0], rect[2] + 1) if r in row_at]
        inner_cols = [col_at[c] for c in range(rect[1], rect[3] + 1) if c in col_at]
        if not inner_rows or not inner_cols:
            continue
        cells.append(
            Cell(
                row=inner_rows[0],
                col=inner_cols[0],
                rowspan=len(inner_rows),
                colspan=len(inner_cols),
                text=_text(parts, ctx),
                bbox=Box.around(w.box for p in parts for w in p.words),
            )
        )
    return CellGrid(
        len(rows),
        len(cols),
        tuple(sorted(cells, key=lambda c: (c.row, c.col))),
        _kept_edges(col_edges, cols),
        _kept_edges(row_edges, rows),
        structure,
        cell,
    )


def _anchors(index: int, held: Mapping[Rect, Sequence[Piece]], axis: int) -> bool:
    """Return whether some cell begins in this row or column, or a cell of one row or column alone stands there."""
    return any(rect[axis] == index for rect in held)


def _kept_edges(edges: Sequence[float], kept: Sequence[int]) -> tuple[float, ...]:
    if not kept:
        return (edges[0], edges[-1])
    return (edges[0], *(edges[k] for k in kept[1:]), edges[-1])


def _text(parts: Sequence[Piece], ctx: TableContext) -> str:
    by_line: dict[int, list[Word]] = {}
    for p in parts:
        by_line.setdefault(p.line, []).extend(p.words)
    lines = [
        join_words(sorted(words, key=lambda w: (w.box.x0, w.box.x1)), ctx.word_space_em) for _, words in sorted(by_line.items())
    ]
    return join_lines(lines, ctx.vocabulary)
