"""Which tables are parts of one: on evidence only, and never because their columns happen to be alike."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from variorum.document import Cell, TableApparatus
from variorum.geometry import Box
from variorum.regions.captions import FoundCaption
from variorum.regions.continuing import PageLine
from variorum.regions.tables import TableRegion
from variorum.tables.continuation import Place, find_continuations
from variorum.tables.model import AxisTrace, BoundaryHypothesis, CellGrid, CombinationTrace, ExtractionResult
from variorum.tables.page_tables import PageReading, PageTable

HEAD = ("Drug", "Dose", "Effect")
FIRST = (HEAD, ("Alpha", "10", ".31"), ("Beta", "20", ".45"))
LATER = (HEAD, ("Gamma", "30", ".62"), ("Delta", "40", ".80"))
HEADLESS = LATER[1:]
OTHER = (("Group", "Mean", "n"), *LATER[1:])
WIDTH, HEIGHT = 600.0, 800.0
LEFT, RIGHT, FULL = (50.0, 290.0), (310.0, 550.0), (50.0, 550.0)
Rows = Sequence[Sequence[str]]


def caption(text: str, box: Box, number: str = "2", label: str = "Table") -> FoundCaption:
    return FoundCaption("table", label, number, text, Box(box.x0, box.y0 - 20, box.x1, box.y0 - 8), (), box)


def part(
    rows: Rows,
    says: str = "",
    *,
    top: float = 100,
    column: tuple[float, float] = FULL,
    head: int = 1,
    number: str = "2",
    edges: Sequence[float] = (),
    angle: int = 0,
) -> PageTable:
    """Return a table whose rows are 20 pt high; `says` is its caption, empty without one."""
    box = Box(column[0], top, column[1], top + 20 * len(rows))
    n_cols = len(rows[0])
    shares = edges or [i / n_cols for i in range(n_cols + 1)]
    cells = tuple(Cell(row=r, col=c, text=text) for r, row in enumerate(rows) for c, text in enumerate(row) if text)
    places = tuple(box.x0 + share * box.width for share in shares)
    heights = tuple(top + 20 * r for r in range(len(rows) + 1))
    grid = CellGrid(len(rows), n_cols, cells, places, heights, "consensus", "rawdict", head)
    axis = AxisTrace((), (), (), (), 0, 0, ())
    said = TableApparatus(
        methods=(),
        cell_methods=(),
        combination_strategy="",
        selection_strategy="",
        spatial_precision=1,
        agreement=1,
        winner="consensus:rawdict",
    )
    nothing = BoundaryHypothesis((), (), "consensus")
    result = ExtractionResult(grid, (grid,), (), nothing, CombinationTrace(axis, axis, 1, []), said)
    return PageTable(TableRegion(box, caption(says, box, number) if says else None, ("rules",)), angle, result)


def page(number: int, *tables: PageTable, lines: Sequence[tuple[str, float]] = ()) -> PageReading:
    """Return a page with tables and other lines (text, top), each over the whole width."""
    texts = tuple(PageLine(text, Box(50, top, 550, top + 10), 0) for text, top in lines)
    captions = tuple(t.region.caption for t in tables if t.region.caption)
    return PageReading(number, WIDTH, HEIGHT, None, tables, captions, (), (), texts)


def after(*pages: PageReading, kept: Sequence[PageTable] | None = None) -> dict[Place, Place]:
    found = find_continuations(pages, lambda item: kept is None or any(item is k for k in kept))
    return dict(found.after)


ONE_AND_NEXT = {Place(0, 0): Place(1, 0)}


class TestCaptionSaysContinued:
    def test_on_the_next_page(self) -> None:
        assert after(page(1, part(FIRST, "Table 2. Drugs.")), page(2, part(LATER, "Table 2 (continued)"))) == ONE_AND_NEXT

    def test_in_the_next_column_though_it_stands_higher(self) -> None:
        later, first = part(LATER, "Table 2 (continued)", column=RIGHT), part(FIRST, "Table 2. Drugs.", column=LEFT, top=500)
        assert after(page(1, later, first)) == {Place(0, 1): Place(0, 0)}

    def test_with_another_head_or_none(self) -> None:
        for rows in (OTHER, HEADLESS):
            assert after(page(1, part(FIRST, "Table 2. Drugs.")), page(2, part(rows, "Table 2 (continued)"))) == ONE_AND_NEXT

    def test_over_three_pages(self) -> None:
        later = "Table 2 (continued)"
        pages = page(1, part(FIRST, "Table 2. Drugs.")), page(2, part(LATER, later)), page(3, part(LATER, later))
        assert after(*pages) == {Place(0, 0): Place(1, 0), Place(1, 0): Place(2, 0)}

    def test_over_a_page_that_was_read_and_has_no_part_but_not_over_one_that_was_not(self) -> None:
        first, later = page(1, part(FIRST, "Table 2. Drugs.")), page(3, part(LATER, "Table 2 (continued)"))
        assert after(first, page(2), later) == {Place(0, 0): Place(2, 0)}
        assert after(first, later) == {}

    def test_another_number_or_label_is_another_table(self) -> None:
        first = page(1, part(FIRST, "Table 2. Drugs."))
        assert after(first, page(2, part(LATER, "Table 3 (continued)", number="3"))) == {}
        other = part(LATER, "Tableau 2 (continued)")
        assert other.region.caption is not None
        named = replace(other, region=replace(other.region, caption=replace(other.region.caption, label="Tableau")))
        assert after(first, page(2, named)) == {}

    def test_part_before_its_table_goes_on_with_nothing(self) -> None:
        assert after(page(1, part(LATER, "Table 2 (continued)")), page(2, part(FIRST, "Table 2. Drugs."))) == {}

    def test_sideways_part_goes_on_with_a_sideways_one_only(self) -> None:
        later = page(2, part(LATER, "Table 2 (continued)", angle=90))
        assert after(page(1, part(FIRST, "Table 2. Drugs.")), later) == {}
        assert after(page(1, part(FIRST, "Table 2. Drugs.", angle=90)), later) == ONE_AND_NEXT

    def test_other_number_of_columns_stays_apart_and_is_told(self) -> None:
        pages = page(1, part(FIRST, "Table 2. Drugs.")), page(2, part([row[:2] for row in LATER], "Table 2 (continued)"))
        found = find_continuations(pages, lambda _: True)
        assert found.after == {}
        assert found.refused == {
            Place(1, 0): "Table 2 goes on here, but with 2 columns as read, not 3: the parts stay apart",
        }

    def test_table_without_its_middle_is_no_table(self) -> None:
        says, narrow = "Table 2 (continued)", [row[:2] for row in LATER]
        pages = page(1, part(FIRST, "Table 2. Drugs.")), page(2, part(narrow, says)), page(3, part(LATER, says))
        found = find_continuations(pages, lambda _: True)
        assert found.after == {}
        assert sorted(p.reading for p in found.refused) == [1, 2]


class TestCaptionRepeated:
    @pytest.mark.parametrize("says", ["Table 2", "Table 2.", "Table 2. Drugs."])
    def test_with_the_same_head_and_title_or_none(self, says: str) -> None:
        assert after(page(1, part(FIRST, "Table 2. Drugs.")), page(2, part(LATER, says))) == ONE_AND_NEXT

    def test_with_another_title_or_head_is_another_table(self) -> None:
        first = page(1, part(FIRST, "Table 2. Drugs."))
        assert after(first, page(2, part(LATER, "Table 2. More drugs."))) == {}
        assert after(first, page(2, part(OTHER, "Table 2. Drugs."))) == {}

    def test_not_beyond_the_next_page(self) -> None:
        assert after(page(1, part(FIRST, "Table 2. Drugs.")), page(2), page(3, part(LATER, "Table 2. Drugs."))) == {}

    def test_two_tables_under_one_caption_are_two(self) -> None:
        one, other = part(FIRST, "Table 2. Drugs.", column=LEFT), part(LATER, "Table 2. Drugs.", column=RIGHT)
        shared = replace(other, region=replace(other.region, caption=one.region.caption))
        assert after(page(1, one, shared)) == {}

    def test_parts_of_a_float_with_numbers_of_their_own_are_two(self) -> None:
        one = part(FIRST, "Table 2a. Drugs.", column=LEFT, number="2a")
        other = part(LATER, "Table 2b. Drugs.", column=RIGHT, number="2b")
        assert after(page(1, one, other)) == {}


class TestWithoutCaption:
    first = part(FIRST, "Table 2. Drugs.", top=700)
    later = part(LATER, top=60)

    def test_same_head_at_the_top_of_the_next_page_goes_on(self) -> None:
        assert after(page(1, self.first), page(2, self.later)) == ONE_AND_NEXT

    def test_region_that_is_no_table_in_its_own_right_goes_on_too(self) -> None:
        assert after(page(1, self.first), page(2, self.later), kept=[self.first]) == ONE_AND_NEXT

    def test_nothing_goes_on_with_a_region_that_is_no_table(self) -> None:
        assert after(page(1, self.first), page(2, self.later), kept=[self.later]) == {}

    def test_other_head_does_not_go_on_however_alike_the_columns(self) -> None:
        assert after(page(1, self.first), page(2, part(OTHER, top=60))) == {}
        assert after(page(1, self.first), page(2, part(HEADLESS, top=60, head=0))) == {}

    def test_running_heads_and_page_numbers_stand_between_and_part_nothing(self) -> None:
        heads = [("Drugs of 1999", 30.0), ("12", 790.0)], [("Drugs of 2001", 32.0), ("13", 790.0)]
        assert after(page(1, self.first, lines=heads[0]), page(2, self.later, lines=heads[1])) == ONE_AND_NEXT

    def test_text_between_parts_them(self) -> None:
        assert after(page(1, self.first), page(2, self.later, lines=[("More drugs", 30.0)])) == {}
        assert after(page(1, self.first, lines=[("A sentence below.", 770.0)]), page(2, self.later)) == {}

    @pytest.mark.parametrize("rows", [LATER, OTHER, HEADLESS])
    def test_note_below_or_above_is_evidence_whatever_the_head(self, rows: Rows) -> None:
        later = part(rows, top=60)
        text = ("More text", 20.0)
        below = page(1, self.first, lines=[("Table 2 continued", 770.0)]), page(2, later, lines=[text])
        above = page(1, self.first), page(2, later, lines=[text, ("continued from previous page", 40.0)])
        inside = page(1, self.first), page(2, part([("Continued", "", ""), *rows], top=60), lines=[text])
        assert [after(*pages) for pages in (below, above, inside)] == [ONE_AND_NEXT] * 3

    def test_note_on_another_table_is_none(self) -> None:
        assert after(page(1, self.first, lines=[("Table 3 continued", 770.0)]), page(2, self.later)) == {}

    def test_other_columns_do_not_go_on(self) -> None:
        notes = [("Table 2 continued", 770.0)]
        for later in (part([row[:2] for row in LATER], top=60), part(LATER, top=60, edges=(0, 0.1, 0.2, 1))):
            assert after(page(1, self.first, lines=notes), page(2, later)) == {}

    def test_columns_may_be_set_a_little_otherwise_and_elsewhere(self) -> None:
        later = part(LATER, top=60, column=(70, 560), edges=(0, 0.3, 0.7, 1))
        assert after(page(1, self.first), page(2, later)) == ONE_AND_NEXT

    def test_table_between_parts_them(self) -> None:
        between = part(FIRST, "Table 3. Others.", top=60, number="3")
        assert after(page(1, self.first), page(2, between, part(LATER, top=300))) == {}

    def test_next_column_of_the_page(self) -> None:
        first, later = part(FIRST, "Table 2. Drugs.", top=700, column=LEFT), part(LATER, top=60, column=RIGHT)
        assert after(page(1, first, later)) == {Place(0, 0): Place(0, 1)}


def test_words_before_the_label_are_in_the_number_and_make_no_other_label() -> None:
    first, later = part(FIRST, "S2 Table. Doses.", number="S2"), part(LATER, "Supporting Table 2 – Continued", number="S2")
    assert later.region.caption is not None
    renamed = replace(later.region, caption=replace(later.region.caption, label="Supporting Table"))
    assert after(page(1, first), page(2, replace(later, region=renamed))) == ONE_AND_NEXT


def test_order_of_tables_on_their_page_does_not_matter() -> None:
    tables = [
        part(FIRST, "Table 2. Drugs.", column=LEFT, top=500),
        part(LATER, "Table 2 (continued)", column=RIGHT),
        part(FIRST, "Table 3. Doses.", column=RIGHT, top=500, number="3"),
    ]
    end = page(2, part(LATER, "Table 3 (continued)", number="3"))
    for order in ([0, 1, 2], [2, 1, 0], [1, 2, 0]):
        found = after(page(1, *(tables[i] for i in order)), end)
        assert found == {
            Place(0, order.index(0)): Place(0, order.index(1)),
            Place(0, order.index(2)): Place(1, 0),
        }


def test_chain_tells_all_parts_in_order() -> None:
    later = "Table 2 (continued)"
    pages = page(1, part(FIRST, "Table 2. Drugs.")), page(2, part(LATER, later)), page(3, part(LATER, later))
    found = find_continuations(pages, lambda _: True)
    assert found.chain(Place(0, 0)) == (Place(0, 0), Place(1, 0), Place(2, 0))
    assert found.later == {Place(1, 0), Place(2, 0)}
