"""HTML says what the table says, and nothing in a paper can become markup."""

from __future__ import annotations

from html.parser import HTMLParser

from document_samples import caption, document_of, documents, spanned_table, table_of, tables, text
from hypothesis import given, settings

from variorum.document import Cell, Document, Table

VOID = ("meta", "br")


class Reader(HTMLParser):
    """Collects cells and checks that every element is closed in order."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[str] = []
        self.rows: list[list[tuple[int, int, str]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append(tag)
        if tag not in VOID:
            self.open.append(tag)
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            sizes = dict(attrs)
            self.rows[-1].append((int(sizes.get("rowspan") or 1), int(sizes.get("colspan") or 1), ""))
        if tag == "br":
            self.handle_data("\n")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] in ("td", "th"):
            rowspan, colspan, before = self.rows[-1][-1]
            self.rows[-1][-1] = (rowspan, colspan, before + data)


def read(html: str) -> Reader:
    reader = Reader()
    reader.feed(html)
    reader.close()
    assert reader.open == []
    return reader


def grid_of(rows: list[list[tuple[int, int, str]]]) -> dict[tuple[int, int], int]:
    """Return how many cells cover each position, by the rule of HTML: a cell takes the next free place of its row."""
    covered: dict[tuple[int, int], int] = {}
    for r, row in enumerate(rows):
        c = 0
        for rowspan, colspan, _ in row:
            while (r, c) in covered:
                c += 1
            for place in ((y, x) for y in range(r, r + rowspan) for x in range(c, c + colspan)):
                covered[place] = covered.get(place, 0) + 1
    return covered


@settings(deadline=None)
@given(tables())
def test_cells_tile_the_grid_exactly(table: Table) -> None:
    rows = read(table.to_html()).rows[: table.n_rows]
    places = {(r, c) for r in range(table.n_rows) for c in range(table.n_cols)}
    assert grid_of(rows) == dict.fromkeys(places, 1)


@settings(deadline=None, max_examples=50)
@given(documents)
def test_page_is_well_formed_whatever_the_paper_says(document: Document) -> None:
    assert read(document.to_html()).seen[:3] == ["html", "head", "meta"]


def test_headers_have_a_scope_and_spans_their_size() -> None:
    assert spanned_table().to_html() == (
        '<table id="t1">\n'
        "<caption>Table 2. Outcomes</caption>\n"
        "<thead>\n"
        '<tr><th scope="col" rowspan="2">Group</th><th scope="col" colspan="2">Outcome</th></tr>\n'
        '<tr><th scope="col">b</th><th scope="col">se</th></tr>\n'
        "</thead>\n"
        "<tbody>\n"
        '<tr><td rowspan="2">A</td><td>1</td><td>2</td></tr>\n'
        "<tr><td>3</td><td>4</td></tr>\n"
        '<tr><td colspan="3">Panel B</td></tr>\n'
        "</tbody>\n"
        "</table>\n"
    )


def test_header_cell_in_the_body_is_a_row_header() -> None:
    table = table_of([["A", "1"]])
    cells = (Cell(row=0, col=0, text="A", is_header=True), table.cells[1])
    assert '<tr><th scope="row">A</th><td>1</td></tr>' in table_of([["A", "1"]], cells=cells).to_html()


def test_cell_from_the_header_into_the_body_is_not_cut() -> None:
    html = table_of([["a", "b"], [None, "1"]], {(0, 0): (2, 1)}, header_rows=1).to_html()
    assert "<thead>" not in html
    assert '<th scope="col" rowspan="2">a</th>' in html


def test_everything_is_escaped() -> None:
    nasty = "<script>alert('x')</script>&\""
    table = table_of([[nasty]], id=nasty, caption=caption(nasty), footnotes=(nasty,))
    document = document_of(table, components=[text(kind, nasty) for kind in ("title", "heading", "paragraph", "equation")])
    assert "script" not in read(document.to_html()).seen
    assert "<script>" not in table.to_html()


def test_line_ends_in_a_cell_are_kept() -> None:
    assert "<td>a<br>b</td>" in table_of([["a\nb"]]).to_html()


def test_footnotes_span_the_foot() -> None:
    html = table_of([["1", "2"]], footnotes=("Note.",)).to_html()
    assert '<tfoot>\n<tr><td colspan="2">Note.</td></tr>\n</tfoot>' in html


def test_page_says_its_encoding_and_title() -> None:
    html = spanned_table().to_html(standalone=True)
    assert html.startswith('<!DOCTYPE html>\n<html>\n<head>\n<meta charset="utf-8">')
    assert "<title>Table 2. Outcomes</title>" in html


def test_page_asks_for_no_other_file() -> None:
    html = document_of(spanned_table()).to_html()
    assert "http" not in html
    assert "src=" not in html


def test_document_in_reading_order_with_its_structure() -> None:
    html = document_of(
        components=[text("title", "T"), text("heading", "H", level=2), text("list_item", "one"), text("list_item", "two")]
    ).to_html()
    assert "<h1>T</h1>\n<h3>H</h3>\n<ul>\n<li>one</li>\n<li>two</li>\n</ul>\n</body>" in html
