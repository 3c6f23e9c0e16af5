"""What the engine worked on and made, as JSON text and back: words and rules of a table, hypotheses, grids.

With these a vote can be held again from the debug database, without the PDF. Numbers keep every digit; one that is not
finite (a faulty method's) is null.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any

from variorum.document import Table
from variorum.geometry import Box
from variorum.page.model import Char, Rule, Word
from variorum.tables.model import BoundaryHypothesis, BoundaryPoint, CellGrid, TableContext

Plain = dict[str, Any]


def to_text(value: object) -> str:
    """Return the value as compact JSON text, the same for the same value."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str)


# ---- contexts -------------------------------------------------------------------------------------------------------


def context_to_json(ctx: TableContext) -> str:
    """Return the words, characters, rules and settings of a table's context as JSON text; the page is not kept."""
    fonts = sorted({w.font for w in ctx.words} | {c.font for w in ctx.words for c in w.chars})
    at = {font: i for i, font in enumerate(fonts)}

    def chars_of(word: Word) -> list[list[object]]:
        return [[c.text, *c.box.as_tuple(), c.baseline, c.size, at[c.font]] for c in word.chars]

    return to_text(
        {
            "bbox": ctx.bbox.as_tuple(),
            "fonts": fonts,
            "words": [
                [w.text, *w.box.as_tuple(), w.baseline, w.size, at[w.font], w.angle, w.block, w.line, chars_of(w)]
                for w in ctx.words
            ],
            "rules": [[r.orientation, r.position, r.start, r.end, r.thickness] for r in ctx.rules],
            "caption": ctx.caption,
            "vocabulary": sorted(ctx.vocabulary),
            "page_word_space_em": ctx.page_word_space_em,
        }
    )


def context_from_json(text: str) -> TableContext:
    """Return the context that `context_to_json` wrote, without page."""
    plain: Plain = json.loads(text)
    fonts = plain["fonts"]

    def char(item: Sequence[Any]) -> Char:
        letter, x0, y0, x1, y1, baseline, size, font = item
        return Char(letter, Box(x0, y0, x1, y1), baseline, size, fonts[font])

    def word(item: Sequence[Any]) -> Word:
        letters, x0, y0, x1, y1, baseline, size, font, angle, block, line, chars = item
        return Word(
            letters, Box(x0, y0, x1, y1), baseline, size, fonts[font], angle, block, line, tuple(char(c) for c in chars)
        )

    return TableContext(
        bbox=Box(*plain["bbox"]),
        words=tuple(word(w) for w in plain["words"]),
        rules=tuple(Rule(*r) for r in plain["rules"]),
        caption=plain["caption"],
        vocabulary=frozenset(plain["vocabulary"]),
        page_word_space_em=plain["page_word_space_em"],
    )


# ---- hypotheses -----------------------------------------------------------------------------------------------------


def hypothesis_to_json(hypothesis: BoundaryHypothesis) -> str:
    """Return a hypothesis as JSON text: ``method``, ``columns`` and ``rows`` of [from, to, confidence, anchor, provenance]."""
    return to_text(
        {
            "method": hypothesis.method,
            "columns": [_point(p) for p in hypothesis.col_boundaries],
            "rows": [_point(p) for p in hypothesis.row_boundaries],
            "metadata": dict(hypothesis.metadata),
        }
    )


def hypothesis_from_json(text: str) -> BoundaryHypothesis:
    """Return the hypothesis that `hypothesis_to_json` wrote; lists in its metadata are tuples."""
    plain: Plain = json.loads(text)
    metadata: Mapping[str, object] = {k: tuple(v) if isinstance(v, list) else v for k, v in plain["metadata"].items()}
    columns, rows = (tuple(_as_point(p) for p in plain[axis]) for axis in ("columns", "rows"))
    return BoundaryHypothesis(columns, rows, plain["method"], metadata)


def _point(point: BoundaryPoint) -> list[object]:
    numbers = (point.min_pos, point.max_pos, point.confidence)
    return [*(n if math.isfinite(n) else None for n in numbers), point.anchor, point.provenance]


def _as_point(plain: Sequence[Any]) -> BoundaryPoint:
    low, high, confidence = (math.nan if n is None else n for n in plain[:3])
    return BoundaryPoint(low, high, confidence, plain[4], plain[3])


# ---- grids ----------------------------------------------------------------------------------------------------------


def grid_to_json(grid: CellGrid | Table) -> str:
    """Return a grid as JSON text: its shape, edges, footnotes and ``cells`` of [row, col, rowspan, colspan, text]."""
    col_edges, row_edges = (
        (grid.col_edges, grid.row_edges) if isinstance(grid, CellGrid) else (grid.column_edges, grid.row_edges)
    )
    return to_text(
        {
            "n_rows": grid.n_rows,
            "n_cols": grid.n_cols,
            "header_rows": grid.header_rows,
            "cells": [[c.row, c.col, c.rowspan, c.colspan, c.text] for c in grid.cells],
            "column_edges": col_edges,
            "row_edges": row_edges,
            "footnotes": grid.footnotes,
        }
    )
