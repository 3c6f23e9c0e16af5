"""A caption that a page break parts from its table finds it; others keep theirs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from variorum.document import TableApparatus
from variorum.geometry import Box
from variorum.layout.captions_over_pages import captions_over_pages
from variorum.regions.captions import FoundCaption
from variorum.regions.continuing import PageLine
from variorum.regions.model import TableRegion
from variorum.tables.continuation import Place
from variorum.tables.model import AxisTrace, BoundaryHypothesis, CellGrid, CombinationTrace, ExtractionResult
from variorum.tables.page_tables import PageReading, PageTable

HEAD, FOOT = ("A running head 1", 20.0), ("Page 7", 780.0)


def caption(number: str, top: float) -> FoundCaption:
    box = Box(50, top, 550, top + 10)
    return FoundCaption("table", "Table", number, f"Table {number}: Words.", box, (), box)


def table(top: float, bottom: float, own: FoundCaption | None = None) -> PageTable:
    grid = CellGrid(1, 1, (), (50, 550), (top, bottom), "consensus", "rawdict", 0)
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
    return PageTable(TableRegion(Box(50, top, 550, bottom), own, ("rules",)), 0, result)


def page(
    number: int, *tables: PageTable, captions: Sequence[FoundCaption] = (), lines: Sequence[tuple[str, float]] = ()
) -> PageReading:
    own = tuple(t.region.caption for t in tables if t.region.caption is not None)
    texts = [PageLine(text, Box(50, top, 550, top + 10), 0) for text, top in (HEAD, *lines, FOOT)]
    texts += [PageLine(c.text, c.box, 0) for c in (*own, *captions)]
    return PageReading(number, 600, 800, None, tables, (*own, *captions), (), (), tuple(texts))


def given(*pages: PageReading) -> dict[tuple[int, int], tuple[int, str]]:
    """Return by (page, table), from 0, on which page its caption stands and with what number."""
    found = captions_over_pages(pages, lambda item: True)
    return {(p.reading, p.table): (at.reading, at.caption.number) for p, at in found.items()}


def test_caption_at_the_head_of_a_page_is_of_the_table_that_ends_the_page_before() -> None:
    assert given(page(1, table(600, 760)), page(2, captions=[caption("1", 60)])) == {(0, 0): (1, "1")}


def test_captions_below_their_tables_all_move_on_where_the_last_stands_on_the_next_page() -> None:
    between = caption("1", 410)
    first = page(1, table(200, 390), table(440, 760, between))
    assert given(first, page(2, captions=[caption("2", 60)])) == {(0, 0): (0, "1"), (0, 1): (1, "2")}


def test_table_that_would_lose_its_caption_for_nothing_keeps_it() -> None:
    above = caption("1", 410)
    assert given(page(1, table(440, 760, above)), page(2, captions=[caption("2", 60)])) == {}
    parted = page(1, table(200, 390), table(440, 760, above), lines=[("Text between.", 395)])
    assert given(parted, page(2, captions=[caption("2", 60)])) == {}


def test_caption_at_the_foot_of_a_page_is_of_the_table_that_begins_the_next() -> None:
    assert given(page(1, captions=[caption("1", 760)]), page(2, table(60, 200))) == {(1, 0): (0, "1")}


def test_text_between_a_caption_and_a_table_parts_them() -> None:
    assert given(page(1, table(600, 700), lines=[("Text.", 740)]), page(2, captions=[caption("1", 60)])) == {}
    lower = page(2, captions=[caption("1", 90)], lines=[("Text.", 60)])
    assert given(page(1, table(600, 760)), lower) == {}


def test_page_that_was_not_read_lies_between() -> None:
    assert given(page(1, table(600, 760)), page(3, captions=[caption("1", 60)])) == {}


def test_regions_that_are_no_tables_are_given_nothing() -> None:
    pages = (page(1, table(600, 760)), page(2, captions=[caption("1", 60)]))
    assert captions_over_pages(pages, lambda item: False) == {}
    sideways = replace(pages[0], tables=(replace(pages[0].tables[0], angle=90),))
    assert given(sideways, pages[1]) == {}
    assert list(captions_over_pages(pages, lambda item: True)) == [Place(0, 0)]
