"""What every post-processor keeps, whatever it mends: asked of all, on grids that fit and grids that do not.

The grids are those of a table's own columns and lines, of thirds of its width, of no columns at all, and of rows that hold
two lines each; with and without texts that were repaired before.
"""

from __future__ import annotations

import itertools
import random
import unicodedata
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import pytest
from pictures import rows_of, table

from variorum.tables.cells.rawdict import Rawdict
from variorum.tables.config import DEFAULT_CONFIG
from variorum.tables.grid import build_grid
from variorum.tables.model import Abstain, BoundaryHypothesis, BoundaryPoint, CellGrid, StructureMethod, TableContext
from variorum.tables.pipeline import Pipeline
from variorum.tables.registry import post_processors
from variorum.tables.structure.baseline_rows import BaselineRows
from variorum.tables.structure.gap_span_hotspot import GapSpanHotspot

CANONICAL = (
    "absorbed_caption_strip",
    "header_detection",
    "header_data_split",
    "inline_header_fill",
    "continuation_merge",
    "footnote_strip",
    "cell_cleaning",
)
CAPTION = "Table 1. Effects of all drugs."
DRAWINGS = {
    "plain": """
Drug      Dose    Effect
Alpha     12.5    0.81
Beta      7.0     0.64
Gamma     3.2     0.17
""",
    "caption": """
Table 1. Effects of all drugs.
Drug      Dose    Effect
Alpha     12.5    0.81
Beta      7.0     \u22120.64
""",
    "panels": """
--------------------------------
Drug               Dose
               ---------------
               day     night
--------------------------------
Panel A: all men of both trials
Alpha          12.5    .81
Beta           7.0     -0.64
Gamma          1.1     -.7
Panel B: all women of both trials
Alpha          3.2     .5
Beta           0.4     .25
--------------------------------
Note: of three trials that were held
in one year.
""",
    "wrapped": """
--------------------------------
Drug      Given to          Dose
--------------------------------
Alpha     all of the men    12.5
          and some women
          (of both trials
          and one other)
Beta      no\ufb01ed pati-       7.0
          ents only
--------------------------------
""",
    "ruled": """
+---------+-------+--------+
| Drug    | Dose  | Effect |
+---------+-------+--------+
| Alpha   | 12.5  | 0.81   |
+---------+-------+--------+
| Beta    | 7.0   | 0.64   |
| two     |       |        |
+---------+-------+--------+
""",
    "one_word": "Alpha",
    "prose": """
The drug was given in four doses a day
and the effect was measured before all
of the meals by the nurse on duty.
""",
}


def at(*places: float) -> tuple[BoundaryPoint, ...]:
    return tuple(BoundaryPoint(p, p, 1.0, "by_hand") for p in places)


def asked(method: StructureMethod, ctx: TableContext) -> BoundaryHypothesis | None:
    try:
        return method.detect(ctx)
    except Abstain:
        return None


def grids(ctx: TableContext) -> Iterator[CellGrid]:
    """Yield grids of the table that fit more and less."""
    own_cols, own_rows = asked(GapSpanHotspot(), ctx), asked(BaselineRows(), ctx)
    white = [(a.band.end + b.band.start) / 2 for a, b in itertools.pairwise(ctx.text_rows)]
    thirds = at(ctx.bbox.x0 + ctx.bbox.width / 3, ctx.bbox.x0 + 2 * ctx.bbox.width / 3)
    columns = [own_cols.col_boundaries if own_cols else (), thirds, ()]
    rows = [own_rows.row_boundaries if own_rows else (), at(*white), at(*white[1::2]), ()]
    for cols, lines in itertools.product(columns, rows):
        yield build_grid(ctx, BoundaryHypothesis(cols, lines, "by_hand"), Rawdict())


def cases() -> Iterator[tuple[TableContext, CellGrid]]:
    for drawing in DRAWINGS.values():
        ctx = table(drawing, CAPTION)
        for grid in grids(ctx):
            yield ctx, grid
            for count in range(1, min(3, grid.n_rows)):
                marked = tuple(replace(c, is_header=c.row < count) for c in grid.cells)
                yield ctx, replace(grid, cells=marked, header_rows=count)
            yield ctx, replace(grid, cells=tuple(replace(c, raw_text=f"<{c.text}>") for c in grid.cells))


CASES = list(cases())


def letters(text: str) -> Counter[str]:
    """Return how often each sign stands in the text, but for white space, hyphens, dashes and signs that are not printed."""
    plain = unicodedata.normalize("NFKC", text)
    return Counter(c for c in plain if unicodedata.category(c) not in ("Zs", "Cc", "Cf", "Pd") and c != "\u2212")


def check_grid(grid: CellGrid) -> None:
    """Check that the cells lie inside the grid and apart, in order, with an edge on each side of every row and column."""
    held = [(r, c) for x in grid.cells for r in range(x.row, x.row + x.rowspan) for c in range(x.col, x.col + x.colspan)]
    assert len(held) == len(set(held))
    assert all(0 <= r < grid.n_rows and 0 <= c < grid.n_cols for r, c in held)
    assert all(x.rowspan >= 1 and x.colspan >= 1 for x in grid.cells)
    assert [(x.row, x.col) for x in grid.cells] == sorted((x.row, x.col) for x in grid.cells)
    assert (len(grid.col_edges), len(grid.row_edges)) == (grid.n_cols + 1, grid.n_rows + 1)
    assert list(grid.col_edges) == sorted(grid.col_edges)
    assert list(grid.row_edges) == sorted(grid.row_edges)
    assert 0 <= grid.header_rows <= grid.n_rows


@pytest.mark.parametrize("name", post_processors())
class TestEveryPostProcessor:
    def test_what_is_repaired_stays_repaired(self, name: str) -> None:
        for ctx, grid in CASES:
            once, _ = post_processors()[name]().process(grid, ctx)
            assert post_processors()[name]().process(once, ctx) == (once, "")

    def test_every_word_stays_in_the_cells_the_caption_or_the_footnotes(self, name: str) -> None:
        for ctx, grid in CASES:
            repaired, _ = post_processors()[name]().process(grid, ctx)
            before = letters("".join(c.text for c in grid.cells) + "".join(grid.footnotes))
            after = letters("".join(c.text for c in repaired.cells) + "".join(repaired.footnotes))
            assert before - after <= letters(CAPTION)
            assert after <= before

    def test_printed_text_that_is_kept_stays_as_it_is(self, name: str) -> None:
        for ctx, grid in CASES:
            repaired, _ = post_processors()[name]().process(grid, ctx)
            kept = [c.raw_text for c in repaired.cells if c.raw_text is not None]
            gone = letters("".join(repaired.footnotes) + CAPTION)
            for cell in grid.cells:
                if cell.raw_text is not None:
                    assert any(cell.raw_text in raw for raw in kept) or letters(cell.text) <= gone

    def test_changed_text_has_the_printed_one_beside_it(self, name: str) -> None:
        for ctx, grid in CASES:
            repaired, _ = post_processors()[name]().process(grid, ctx)
            known = {c.text for c in grid.cells}
            for cell in repaired.cells:
                if cell.text not in known and cell.raw_text is None:
                    pieces = "".join(c.text for c in grid.cells)
                    assert letters(cell.text) <= letters(pieces)

    def test_cells_stay_in_the_grid_and_apart(self, name: str) -> None:
        for ctx, grid in CASES:
            check_grid(post_processors()[name]().process(grid, ctx)[0])

    def test_says_what_it_did_and_nothing_else(self, name: str) -> None:
        for ctx, grid in CASES:
            repaired, said = post_processors()[name]().process(grid, ctx)
            assert bool(said) == (repaired != grid)

    def test_clean_table_is_left_byte_for_byte(self, name: str) -> None:
        for picture in ("plain", "ruled"):
            ctx = table(DRAWINGS[picture], CAPTION)
            grid = next(grids(ctx))
            clean = replace(grid, cells=tuple(replace(c, is_header=c.row == 0) for c in grid.cells), header_rows=1)
            assert repr(post_processors()[name]().process(clean, ctx)) == repr((clean, ""))

    def test_table_without_words_is_left(self, name: str) -> None:
        ctx, grid = CASES[0]
        bare = TableContext(ctx.bbox, ())
        repaired, _ = post_processors()[name]().process(grid, bare)
        assert [c.text for c in repaired.cells] == [c.text for c in grid.cells]


@pytest.mark.parametrize("seed", range(5))
def test_canonical_order_whatever_order_a_configuration_names(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    called: list[str] = []
    for name, cls in post_processors().items():
        process = cls.process

        def recorded(
            self: object, grid: CellGrid, ctx: TableContext, name: str = name, process: object = process
        ) -> tuple[CellGrid, str]:
            called.append(name)
            return process(self, grid, ctx)  # type: ignore[operator,no-any-return]

        monkeypatch.setattr(cls, "process", recorded)
    order = list(CANONICAL)
    random.Random(seed).shuffle(order)
    config = replace(DEFAULT_CONFIG, post_processors=tuple(order), structure_methods=("baseline_rows",))
    assert Pipeline(config).extract(table(DRAWINGS["plain"])).grid is not None
    assert tuple(called[: len(CANONICAL)]) == CANONICAL
    assert len(called) % len(CANONICAL) == 0


def test_all_repairs_together_read_a_table_of_panels() -> None:
    ctx = table(DRAWINGS["panels"], CAPTION)
    grid = next(grids(ctx))
    for cls in post_processors().values():
        grid, _ = cls().process(grid, ctx)
    assert list(rows_of(grid.matrix())) == [
        "Drug | Dose | ",
        " | day | night",
        "Panel A: all men of both trials |  | ",
        "Alpha | 12.5 | .81",
        "Beta | 7.0 | -0.64",
        "Gamma | 1.1 | -.7",
        "Panel B: all women of both trials |  | ",
        "Alpha | 3.2 | .5",
        "Beta | 0.4 | .25",
    ]
    assert grid.footnotes == ("Note: of three trials that were held in one year.",)
    assert grid.header_rows == 2
