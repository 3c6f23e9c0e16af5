"""What every structure method, cell method and post-processor keeps, whatever its idea: asked of all that are registered."""

from __future__ import annotations

import copy
import importlib
import itertools
import math
import pickle
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from pictures import pdf_of, rows_of, table

from variorum.page.reader import PdfFile
from variorum.tables import registry
from variorum.tables.config import DEFAULT_CONFIG, PipelineConfig
from variorum.tables.grid import build_grid
from variorum.tables.model import (
    Abstain,
    BoundaryHypothesis,
    BoundaryPoint,
    CellGrid,
    CellMethod,
    PostProcessor,
    StructureMethod,
    TableContext,
    Word,
)
from variorum.tables.pipeline import Pipeline
from variorum.tables.registry import cell_methods, post_processors, structure_methods

PLAIN = """
Drug      Dose    Effect
Alpha     12.5    0.81
Beta      7.0     0.64
Gamma     3.2     0.17
"""
BOOKTABS = """
--------------------------------
Drug               Dose
               ---------------
               day     night
--------------------------------
Alpha          12.5    .81
Beta one       7.0     -0.64
Gamma          3.2
--------------------------------
Note: of three trials.
"""
RULED = """
+---------+-------+--------+
| Drug    | Dose  | Effect |
+---------+-------+--------+
| Alpha   | 12.5  | 0.81   |
+---------+-------+--------+
| Beta    | 7.0   | 0.64   |
| two     |       |        |
+---------+-------+--------+
"""
ONE_WORD = "Alpha"
PROSE = """
The drug was given in four doses a day
and the effect was measured before all
of the meals by the nurse on duty.
"""
DRAWINGS = {"plain": PLAIN, "booktabs": BOOKTABS, "ruled": RULED, "one_word": ONE_WORD, "prose": PROSE}
TABLES = ("plain", "booktabs", "ruled")


@pytest.fixture(scope="module", params=DRAWINGS)
def ctx(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[TableContext]:
    """Yield a table on a live page."""
    path = tmp_path_factory.mktemp("drawings") / f"{request.param}.pdf"
    box = pdf_of(DRAWINGS[request.param], path)
    with PdfFile(path) as pdf:
        handle = pdf.page(0)
        page = handle.evidence
        yield TableContext(box, page.words, page.rules, page, handle, caption="Table 1. Effects.")


def asked(method: StructureMethod, ctx: TableContext) -> BoundaryHypothesis | None:
    """Return the method's hypothesis; None when it abstains."""
    try:
        return method.detect(ctx)
    except Abstain as why:
        if not str(why):
            raise AssertionError(f"{method.name} abstains without a reason") from why
        return None


def evidence(ctx: TableContext) -> tuple[object, ...]:
    """Return a deep copy of all that a method may look at."""
    return copy.deepcopy((ctx.bbox, ctx.words, ctx.rules, ctx.page, ctx.caption, ctx.vocabulary, ctx.page_word_space_em))


def fresh(ctx: TableContext) -> TableContext:
    """Return the context as it was before anybody was asked."""
    return replace(ctx)


@pytest.mark.parametrize("name", structure_methods())
class TestStructureMethod:
    def test_answers_to_its_name(self, name: str) -> None:
        assert structure_methods()[name].name == name

    def test_input_is_unchanged(self, name: str, ctx: TableContext) -> None:
        before = evidence(ctx)
        asked(structure_methods()[name](), ctx)
        assert evidence(ctx) == before

    def test_same_table_same_answer(self, name: str, ctx: TableContext) -> None:
        method = structure_methods()[name]()
        first = asked(method, fresh(ctx))
        assert asked(method, fresh(ctx)) == first
        assert asked(structure_methods()[name](), fresh(ctx)) == first

    def test_order_of_words_and_rules_does_not_matter(self, name: str, ctx: TableContext) -> None:
        turned = replace(ctx, words=ctx.words[::-1], rules=ctx.rules[::-1])
        assert asked(structure_methods()[name](), turned) == asked(structure_methods()[name](), ctx)

    def test_method_and_answer_can_be_sent_to_another_process(self, name: str, ctx: TableContext) -> None:
        method = structure_methods()[name]()
        answer = asked(pickle.loads(pickle.dumps(method)), ctx)
        assert pickle.loads(pickle.dumps(answer)) == answer == asked(method, ctx)

    def test_table_without_words_and_rules_abstains(self, name: str, tmp_path: Path) -> None:
        box = pdf_of(ONE_WORD, tmp_path / "page.pdf").grown(50)
        below = replace(box, y0=box.y1 + 100, y1=box.y1 + 300)
        with PdfFile(tmp_path / "page.pdf") as pdf:
            handle = pdf.page(0)
            assert asked(structure_methods()[name](), TableContext(below, (), (), handle.evidence, handle)) is None
        assert asked(structure_methods()[name](), TableContext(below, ())) is None

    def test_a_page_that_is_not_at_hand_is_no_failure(self, name: str) -> None:
        for drawing in DRAWINGS.values():
            asked(structure_methods()[name](), table(drawing))

    def test_dividers_are_places_inside_the_table(self, name: str, ctx: TableContext) -> None:
        answer = asked(structure_methods()[name](), ctx)
        if answer is None:
            return
        assert answer.method == name
        assert answer.col_boundaries or answer.row_boundaries
        for points, extent in ((answer.col_boundaries, ctx.bbox.x_interval), (answer.row_boundaries, ctx.bbox.y_interval)):
            assert list(points) == sorted(points, key=lambda p: (p.min_pos, p.max_pos))
            for point in points:
                assert all(map(math.isfinite, (point.min_pos, point.max_pos, point.confidence)))
                assert extent.start <= point.min_pos <= point.max_pos <= extent.end
                assert 0 < point.confidence <= 1
                assert point.provenance == name

    def test_edges_of_the_table_are_no_dividers(self, name: str, ctx: TableContext) -> None:
        answer = asked(structure_methods()[name](), ctx)
        if answer is None:
            return
        for points, low, high in ((answer.col_boundaries, "x0", "x1"), (answer.row_boundaries, "y0", "y1")):
            for point in points:
                assert any(getattr(w.box, low) < point.position for w in ctx.words)
                assert any(getattr(w.box, high) > point.position for w in ctx.words)

    def test_docstring_says_idea_evidence_and_abstention(self, name: str) -> None:
        text = importlib.import_module(structure_methods()[name].__module__).__doc__ or ""
        idea, _, rest = text.strip().partition("\n")
        assert idea.endswith(".")
        assert re.search(r"evidence|library", rest, re.IGNORECASE)
        assert re.search(r"\babstains\b", rest, re.IGNORECASE)
        assert "points" in rest


# ---- cell methods ---------------------------------------------------------------------------------------------------


def structure_of(ctx: TableContext) -> BoundaryHypothesis:
    """Return dividers that fit badly on purpose: thirds of the width and between all lines, some through words."""
    box = ctx.bbox
    cols = tuple(BoundaryPoint(x, x, 1.0, "by_hand") for x in (box.x0 + box.width / 3, box.x0 + 2 * box.width / 3))
    bands = [row.band for row in ctx.text_rows]
    rows = tuple(BoundaryPoint(a.end, b.start, 1.0, "by_hand") for a, b in itertools.pairwise(bands) if a.end <= b.start)
    return BoundaryHypothesis(cols, rows, "by_hand")


def check_grid(grid: CellGrid) -> None:
    """Check that the cells lie inside the grid and apart, and that every row and column has an edge on each side."""
    held = [(r, c) for x in grid.cells for r in range(x.row, x.row + x.rowspan) for c in range(x.col, x.col + x.colspan)]
    assert len(held) == len(set(held))
    assert all(0 <= r < grid.n_rows and 0 <= c < grid.n_cols for r, c in held)
    assert all(x.rowspan >= 1 and x.colspan >= 1 for x in grid.cells)
    assert [(x.row, x.col) for x in grid.cells] == sorted((x.row, x.col) for x in grid.cells)
    assert len(grid.col_edges) == grid.n_cols + 1
    assert len(grid.row_edges) == grid.n_rows + 1
    assert list(grid.col_edges) == sorted(grid.col_edges)
    assert list(grid.row_edges) == sorted(grid.row_edges)
    assert 0 <= grid.header_rows <= grid.n_rows


def letters(texts: list[str]) -> list[str]:
    return sorted("".join("".join(texts).split()))


@pytest.mark.parametrize("name", cell_methods())
class TestCellMethod:
    def test_answers_to_its_name(self, name: str) -> None:
        assert cell_methods()[name].name == name

    def test_input_is_unchanged(self, name: str, ctx: TableContext) -> None:
        before, structure = evidence(ctx), structure_of(ctx)
        build_grid(ctx, structure, cell_methods()[name]())
        assert evidence(ctx) == before
        assert structure == structure_of(ctx)

    def test_same_table_same_grid(self, name: str, ctx: TableContext) -> None:
        first = build_grid(fresh(ctx), structure_of(ctx), cell_methods()[name]())
        assert build_grid(fresh(ctx), structure_of(ctx), pickle.loads(pickle.dumps(cell_methods()[name]()))) == first

    def test_cells_lie_in_the_grid_and_apart(self, name: str, ctx: TableContext) -> None:
        check_grid(build_grid(ctx, structure_of(ctx), cell_methods()[name]()))

    def test_no_character_is_lost_or_doubled(self, name: str, ctx: TableContext) -> None:
        pieces = cell_methods()[name]().pieces(ctx, [p.position for p in structure_of(ctx).col_boundaries])
        assert letters([w.text for w in pieces]) == letters([w.text for w in ctx.words])
        grid = build_grid(ctx, structure_of(ctx), cell_methods()[name]())
        assert letters([c.text for c in grid.cells]) == letters([w.text for w in ctx.words])

    def test_table_without_words_has_an_empty_grid(self, name: str) -> None:
        empty = TableContext(table(PLAIN).bbox, ())
        grid = build_grid(empty, BoundaryHypothesis((), (), "by_hand"), cell_methods()[name]())
        assert (grid.n_rows, grid.n_cols, grid.cells) == (0, 0, ())

    def test_docstring_says_idea_and_evidence(self, name: str) -> None:
        text = importlib.import_module(cell_methods()[name].__module__).__doc__ or ""
        assert text.strip().partition("\n")[0].endswith(".")
        assert "Evidence" in text


# ---- post-processors ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", post_processors())
class TestPostProcessor:
    def grid(self, ctx: TableContext) -> CellGrid:
        return build_grid(ctx, structure_of(ctx), cell_methods()["rawdict"]())

    def test_answers_to_its_name(self, name: str) -> None:
        assert post_processors()[name].name == name

    def test_input_is_unchanged(self, name: str, ctx: TableContext) -> None:
        grid, before = self.grid(ctx), evidence(ctx)
        kept = copy.deepcopy(grid)
        post_processors()[name]().process(grid, ctx)
        assert grid == kept
        assert evidence(ctx) == before

    def test_same_grid_same_repair(self, name: str, ctx: TableContext) -> None:
        first = post_processors()[name]().process(self.grid(ctx), fresh(ctx))
        assert pickle.loads(pickle.dumps(post_processors()[name]())).process(self.grid(ctx), fresh(ctx)) == first

    def test_cells_lie_in_the_grid_and_apart(self, name: str, ctx: TableContext) -> None:
        check_grid(post_processors()[name]().process(self.grid(ctx), ctx)[0])

    def test_what_is_repaired_stays_repaired(self, name: str, ctx: TableContext) -> None:
        once, _ = post_processors()[name]().process(self.grid(ctx), ctx)
        assert post_processors()[name]().process(once, ctx)[0] == once

    def test_changed_grid_has_words_for_it(self, name: str, ctx: TableContext) -> None:
        grid = self.grid(ctx)
        repaired, words = post_processors()[name]().process(grid, ctx)
        assert bool(words) == (repaired != grid)

    def test_empty_grid_stays_empty(self, name: str) -> None:
        empty = CellGrid(0, 0, (), (60.0,), (100.0,), "by_hand", "by_hand")
        assert post_processors()[name]().process(empty, TableContext(table(PLAIN).bbox, ())) == (empty, "")

    def test_docstring_says_idea_and_evidence(self, name: str) -> None:
        text = importlib.import_module(post_processors()[name].__module__).__doc__ or ""
        assert text.strip().partition("\n")[0].endswith((".", ":")) or "." in text
        assert re.search("evidence", text, re.IGNORECASE)


# ---- faults ---------------------------------------------------------------------------------------------------------


class Crashes:
    """A method that raises, whatever it is asked."""

    name = "crashes"

    def detect(self, ctx: TableContext) -> BoundaryHypothesis | None:
        raise ZeroDivisionError("planted")

    def pieces(self, ctx: TableContext, col_positions: object) -> tuple[Word, ...]:
        raise ZeroDivisionError("planted")

    def process(self, grid: CellGrid, ctx: TableContext) -> tuple[CellGrid, str]:
        raise ZeroDivisionError("planted")


class Silent:
    """A method that gives no hypothesis and no reason."""

    name = "silent"

    def detect(self, ctx: TableContext) -> BoundaryHypothesis | None:
        return None


class Nonsense:
    """A method whose dividers are no places."""

    name = "nonsense"

    def detect(self, ctx: TableContext) -> BoundaryHypothesis | None:
        points = tuple(
            BoundaryPoint(low, high, 1.0, self.name) for low, high in ((math.nan, 1), (0, math.inf), (9, 1), (-9e9, -8e9))
        )
        return BoundaryHypothesis(points, points, self.name)


EXPECTED = ["Drug | Dose | Effect", "Alpha | 12.5 | 0.81", "Beta | 7.0 | 0.64", "Gamma | 3.2 | 0.17"]


def planted(monkeypatch: pytest.MonkeyPatch, room: str, cls: type, **changes: object) -> Pipeline:
    """Return a pipeline of the default configuration whose registry has one more method in this room."""
    known: dict[str, type] = getattr(registry, room)()
    more = {cls.name: cls, **known}  # type: ignore[attr-defined]
    monkeypatch.setattr(f"variorum.tables.pipeline.{room}", lambda: more)
    config: PipelineConfig = replace(DEFAULT_CONFIG, **changes)  # type: ignore[arg-type]
    return Pipeline(config)


class TestFaults:
    def test_structure_method_that_raises_costs_its_own_vote_only(self, monkeypatch: pytest.MonkeyPatch) -> None:
        names = ("crashes", *DEFAULT_CONFIG.structure_methods)
        result = planted(monkeypatch, "structure_methods", Crashes, structure_methods=names).extract(table(PLAIN))
        assert result.grid is not None
        assert list(rows_of(result.grid.matrix())) == EXPECTED
        (outcome,) = [o for o in result.apparatus.outcomes if o.method == "crashes"]
        assert (outcome.status, outcome.detail) == ("failed", "ZeroDivisionError: planted")
        assert "Traceback" in outcome.traceback
        assert "in detect" in outcome.traceback
        assert "crashes" not in {v.method for d in result.apparatus.dividers for v in d.votes}

    def test_cell_method_that_raises_leaves_the_grids_of_the_others(self, monkeypatch: pytest.MonkeyPatch) -> None:
        names = ("crashes", *DEFAULT_CONFIG.cell_methods)
        result = planted(monkeypatch, "cell_methods", Crashes, cell_methods=names).extract(table(PLAIN))
        assert result.grid is not None
        assert list(rows_of(result.grid.matrix())) == EXPECTED
        failed = [o for o in result.apparatus.outcomes if o.status == "failed"]
        assert failed
        assert all(o.method.endswith(":crashes") and "in pieces" in o.traceback for o in failed)
        assert not any(c.name.endswith(":crashes") for c in result.apparatus.candidates)

    def test_post_processor_that_raises_leaves_the_grid_as_it_was(self, monkeypatch: pytest.MonkeyPatch) -> None:
        names = ("crashes", *DEFAULT_CONFIG.post_processors)
        result = planted(monkeypatch, "post_processors", Crashes, post_processors=names).extract(table(PLAIN))
        assert result.grid is not None
        assert list(rows_of(result.grid.matrix())) == EXPECTED
        assert result.grid.header_rows == 1  # those after it did their work
        failed = [o for o in result.apparatus.outcomes if o.status == "failed"]
        assert {o.method for o in failed} == {"crashes"}
        assert all("in process" in o.traceback for o in failed)

    def test_no_method_left_gives_no_grid_and_the_reasons(self, monkeypatch: pytest.MonkeyPatch) -> None:
        pipeline = planted(monkeypatch, "cell_methods", Crashes, cell_methods=("crashes",))
        result = pipeline.extract(table(PLAIN))
        assert result.grid is None
        assert any(o.status == "failed" for o in result.apparatus.outcomes)

    def test_answer_of_nothing_counts_as_abstention(self, monkeypatch: pytest.MonkeyPatch) -> None:
        names = ("silent", *DEFAULT_CONFIG.structure_methods)
        result = planted(monkeypatch, "structure_methods", Silent, structure_methods=names).extract(table(PLAIN))
        (outcome,) = [o for o in result.apparatus.outcomes if o.method == "silent"]
        assert (outcome.status, outcome.traceback) == ("abstained", "")

    def test_dividers_that_are_no_places_are_refused_with_a_reason(self, monkeypatch: pytest.MonkeyPatch) -> None:
        names = ("nonsense", *DEFAULT_CONFIG.structure_methods)
        result = planted(monkeypatch, "structure_methods", Nonsense, structure_methods=names).extract(table(PLAIN))
        assert result.grid is not None
        assert list(rows_of(result.grid.matrix())) == EXPECTED
        refused = [d for d in result.apparatus.dividers if any(v.method == "nonsense" for v in d.votes)]
        assert len(refused) == 2 * 4
        assert all(d.reason == "refused" and d.note for d in refused)


def test_protocols_are_those_of_the_registry() -> None:
    """The planted method would do as any of the three."""
    methods: tuple[StructureMethod, CellMethod, PostProcessor] = (Crashes(), Crashes(), Crashes())
    assert len({m.name for m in methods}) == 1
