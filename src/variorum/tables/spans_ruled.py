"""Spans that rules show: cells between which a drawn grid leaves the rule out, and texts above a rule that runs below
some columns only.

Rectangles are (first row, first column, last row, last column).
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from variorum.geometry import Interval, merge_intervals
from variorum.page.lines import TextRow
from variorum.page.model import Rule
from variorum.tables.pieces import Piece, Rect, column_hulls


def ruled_merges(
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
        bare = [c for c in range(n_cols) if not _spans_most(near, Interval(col_edges[c], col_edges[c + 1]))]
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
    drawn_in = [_covers(vertical, y) for y in middles]  # a row beside which no rule runs is outside the drawn grid
    open_at: list[set[int]] = [set() for _ in range(n_rows)]
    for k in range(1, n_cols):
        near = _near(vertical, col_edges, k)
        bare = [r for r in range(n_rows) if not _covers(near, middles[r])]
        if 2 * len(bare) < n_rows:
            for r in bare:
                if drawn_in[r]:
                    open_at[r].add(k)
    by_row: dict[int, list[Piece]] = {}
    for p in pieces:
        by_row.setdefault(p.row, []).append(p)
    out: list[Rect] = []
    for r in range(n_rows):
        first = 0
        for k in range(1, n_cols + 1):
            if k in open_at[r]:
                continue
            inside = [p for p in by_row.get(r, ()) if first <= p.last and p.first < k]
            whole = all(first <= p.first and p.last < k for p in inside)
            if k - first > 1 and inside and whole and len({p.line for p in inside}) == len(inside):
                out.append((r, first, r, k - 1))
            first = k
    return out


def stub_merges(
    rules: Sequence[Rule],
    col_edges: Sequence[float],
    row_edges: Sequence[float],
    pieces: Sequence[Piece],
    lines: Sequence[TextRow],
    head_rows: int,
    beside: Sequence[Rect],
) -> list[Rect]:
    """Return the cells of the first columns over rows between which the rules begin further right, where one text stands
    in them.

    `beside` are the spans of texts that stand beside several rows: a cell that holds one of them in part is none.
    """
    n_rows, n_cols = len(row_edges) - 1, len(col_edges) - 1
    horizontal = [r for r in rules if r.orientation == "horizontal"]
    open_at: dict[int, set[int]] = {}
    for k in range(head_rows + 1, n_rows):
        near = _near(horizontal, row_edges, k)
        drawn = [c for c in range(n_cols) if _spans_most(near, Interval(col_edges[c], col_edges[c + 1]))]
        if drawn and drawn[-1] == n_cols - 1 and drawn == list(range(drawn[0], n_cols)):
            open_at[k] = set(range(drawn[0]))
    by_row: dict[int, list[Piece]] = {}
    for p in pieces:
        by_row.setdefault(p.row, []).append(p)
    out: list[Rect] = []
    for col in range(n_cols - 1):
        first = head_rows
        for k in range(head_rows + 1, n_rows + 1):
            if k < n_rows and col in open_at.get(k, ()):
                continue
            rows = range(first, k) if k - first > 1 else ()
            inside = [p for row in rows for p in by_row.get(row, ()) if p.first <= col <= p.last]
            cell = (first, col, k - 1, col)
            whole = not any(_cuts(cell, rect) for rect in beside)
            if inside and whole and all(p.first == p.last for p in inside) and _is_one_text(inside, lines):
                out.append(cell)
            first = k
    return out


def _cuts(cell: Rect, rect: Rect) -> bool:
    """Return whether a cell of one column holds some of the rows of a span in that column, but not all."""
    if not rect[1] <= cell[1] <= rect[3] or rect[2] < cell[0] or cell[2] < rect[0]:
        return False
    return rect[0] < cell[0] or cell[2] < rect[2]


def _is_one_text(pieces: Sequence[Piece], lines: Sequence[TextRow]) -> bool:
    """Return whether the pieces are lines of one text: one a line, with less than a line between two."""
    bands = sorted((lines[p.line].band for p in pieces), key=lambda b: b.start)
    apart = all(0 <= b.start - a.end < a.length for a, b in itertools.pairwise(bands))
    return apart and len({p.line for p in pieces}) == len(pieces)


def drawn_edges(rules: Sequence[Rule], col_edges: Sequence[float], row_edges: Sequence[float]) -> list[list[int]]:
    """Return for each row the inner column edges (by index) at which a vertical rule runs past its middle."""
    vertical = [r for r in rules if r.orientation == "vertical"]
    near = {k: _near(vertical, col_edges, k) for k in range(1, len(col_edges) - 1)}
    middles = [(a + b) / 2 for a, b in itertools.pairwise(row_edges)]
    return [[k for k in near if _covers(near[k], y)] for y in middles]


def crosses_rule(rect: Rect, rules: Sequence[Rule], col_edges: Sequence[float], row_edges: Sequence[float]) -> bool:
    """Return whether a vertical rule parts two of the rectangle's columns at the middle of one of its rows."""
    vertical = [r for r in rules if r.orientation == "vertical"]
    return any(
        _covers(_near(vertical, col_edges, k), (row_edges[r] + row_edges[r + 1]) / 2)
        for r in range(rect[0], rect[2] + 1)
        for k in range(rect[1] + 1, rect[3] + 1)
    )


def _near(rules: Sequence[Rule], edges: Sequence[float], k: int) -> list[Rule]:
    """Return the rules nearer to edge k than half-way to its neighbours."""
    low, high = (edges[k - 1] + edges[k]) / 2, (edges[k] + edges[k + 1]) / 2
    return [r for r in rules if low < r.position < high]


def _spans_most(rules: Sequence[Rule], extent: Interval) -> bool:
    """Return whether the rules together run along more than half of the extent; bars over letters do not."""
    covered = sum(extent.overlap(i) for i in merge_intervals(Interval(r.start, r.end) for r in rules))
    return 2 * covered > extent.length


def _covers(rules: Sequence[Rule], position: float) -> bool:
    return any(r.start <= position <= r.end for r in rules)


def underlined_spans(
    rules: Sequence[Rule],
    col_edges: Sequence[float],
    row_edges: Sequence[float],
    pieces: Sequence[Piece],
    lines: Sequence[TextRow],
) -> list[Rect]:
    """Return the spans of texts that stand alone above a rule which runs below several columns but not the whole table."""
    out: list[Rect] = []
    n_cols = len(col_edges) - 1
    hulls = column_hulls(pieces, n_cols)
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
        over = [p for p in pieces if p.row == row and p.last >= under[0] and p.first <= under[-1]]
        alone = len({p.line for p in over}) == len(over)  # one text, of one line or more
        stacked = bool(over) and max(p.box.x0 for p in over) < min(p.box.x1 for p in over)
        if stacked and alone and all(p.first >= under[0] and p.last <= under[-1] for p in over):
            out.append((row, under[0], row, under[-1]))
    return out


def _is_under(rule: Rule, hull: Interval | None) -> bool:
    return hull is not None and rule.start <= hull.middle <= rule.end
