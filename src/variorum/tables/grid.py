"""From dividers and words to a grid of cells with spans.

The words of a line that stand together with nothing but word spaces between them are one piece of a cell. A piece that
a divider cannot part without cutting a word spans the columns it touches. Where dividers are drawn as rules, cells
whose common side has no rule are one cell; a rule that runs below only some columns makes the text above it span them.
What spans must be a rectangle; wholly empty rows and columns are dropped.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import is_

from variorum.document import Cell
from variorum.geometry import Box
from variorum.page.lines import join_words, text_rows
from variorum.page.model import Word
from variorum.tables.answers import check_pieces
from variorum.tables.fractions import with_fractions
from variorum.tables.model import BoundaryHypothesis, CellGrid, CellMethod, TableContext
from variorum.tables.pieces import Piece, Rect, cut_pieces, held_to_hulls
from variorum.tables.spans_ruled import crosses_rule, drawn_edges, ruled_merges, stub_merges, underlined_spans
from variorum.tables.spans_set import centred_spans, count_head_rows, floating_labels, group_labels, lone_rows
from variorum.tables.text import join_lines


def build_grid(ctx: TableContext, structure: BoundaryHypothesis, cell_method: CellMethod) -> CellGrid:
    """Return the grid of the structure's dividers filled by the cell method; edges in points, spans recognised, empty
    lines dropped."""
    col_positions = sorted(p.position for p in structure.col_boundaries)
    row_positions = sorted(p.position for p in structure.row_boundaries)
    words = check_pieces(cell_method.pieces(ctx, col_positions), ctx)
    as_they_are = len(words) == len(ctx.words) and all(map(is_, words, ctx.words))
    lines = ctx.text_rows if as_they_are else text_rows(words)
    n_rows, n_cols = len(row_positions) + 1, len(col_positions) + 1
    pieces = held_to_hulls(cut_pieces(lines, ctx, col_positions, row_positions), n_cols, col_positions)
    around = Box.around([w.box for w in words] or [ctx.bbox])
    row_edges = (min(ctx.bbox.y0, around.y0), *row_positions, max(ctx.bbox.y1, around.y1))
    col_edges = (min(ctx.bbox.x0, around.x0), *col_positions, max(ctx.bbox.x1, around.x1))
    rects = [(p.row, p.first, p.row, p.last) for p in pieces if p.last > p.first]
    rects += ruled_merges(ctx.rules, col_edges, row_edges, pieces)
    rects += underlined_spans(ctx.rules, col_edges, row_edges, pieces, lines)
    pieces, floating = floating_labels(pieces, lines)
    rects += floating
    head_rows = count_head_rows(ctx, row_positions, pieces)
    groups = group_labels(pieces, ctx, row_positions, lines, head_rows)
    rects += groups
    rects += stub_merges(ctx.rules, col_edges, row_edges, pieces, lines, head_rows, [*floating, *groups])
    rects += lone_rows(pieces, n_cols, head_rows)
    rects += [
        r
        for r in centred_spans(pieces, col_edges, head_rows, drawn_edges(ctx.rules, col_edges, row_edges))
        if not crosses_rule(r, ctx.rules, col_edges, row_edges)
    ]
    rects = _disjoint(rects)
    return _assemble(pieces, rects, n_rows, n_cols, col_edges, row_edges, ctx, structure.method, cell_method.name)


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
    rows, cols = sorted({rect[0] for rect in held}), sorted({rect[1] for rect in held})  # those in which some cell begins
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


def _kept_edges(edges: Sequence[float], kept: Sequence[int]) -> tuple[float, ...]:
    if not kept:
        return (edges[0], edges[-1])
    return (edges[0], *(edges[k] for k in kept[1:]), edges[-1])


def _text(parts: Sequence[Piece], ctx: TableContext) -> str:
    by_line: dict[int, list[Word]] = {}
    for p in parts:
        by_line.setdefault(p.line, []).extend(p.words)
    space = ctx.word_space_em
    lines = [join_words(with_fractions(words, ctx.rules, space), space) for _, words in sorted(by_line.items())]
    return join_lines(lines, ctx.vocabulary)
