"""HTML says what the table says, and nothing in a paper can become markup."""

from __future__ import annotations

from html.parser import HTMLParser

from document_samples import caption, document_of, documents, figure_of, spanned_table, table_of, tables, text
from hypothesis import given, settings

from variorum.document import BibliographyEntry, Cell, Citation, Document, Mention, PaperIdentity, Table

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
    assert (
        '<h1 id="title-T">T</h1>\n<h3 id="heading-H">H</h3>\n'
        '<ul>\n<li id="list_item-one">one</li>\n<li id="list_item-two">two</li>\n</ul>\n</body>'
    ) in html


def body(html: str) -> str:
    return html.partition("<body>\n")[2].partition("\n</body>")[0]


def test_citations_and_mentions_are_links_to_elements_of_the_page() -> None:
    entries = [text("bibliography_entry", f"Doe {n}", id=f"ref-{n}", number=f"[{n}]") for n in (3, 5)]
    words = "As <b> [3,5–7] and Doe (2020) say, Table 2 has it."
    document = document_of(
        spanned_table(),
        components=[text("paragraph", words, id="p"), *entries],
        bibliography=tuple(BibliographyEntry(id=f"ref-{n}", label=str(n)) for n in (3, 5)),
        citations=(
            Citation(component="p", start=7, end=14, text="[3,5–7]", style="numeric", targets=("ref-3", "ref-5")),
            Citation(component="p", start=19, end=29, text="Doe (2020)", style="author-year", targets=("ref-5",)),
            Citation(component="p", start=0, end=2, text="As", style="author-year"),
        ),
        mentions=(Mention(component="p", start=35, end=42, text="Table 2", kind="table", number="2", target="t1"),),
    )
    html = document.to_html()
    assert (
        '<p id="p">As &lt;b&gt; [<a class="citation" href="#ref-3">3</a>,<a class="citation" href="#ref-5">5</a>–7] and '
        '<a class="citation" href="#ref-5">Doe (2020)</a> say, <a class="mention" href="#t1">Table 2</a> has it.</p>'
    ) in html
    assert all(f'id="{name}"' in html for name in ("ref-3", "ref-5", "t1"))


def test_marks_that_overlap_give_one_link() -> None:
    document = document_of(
        spanned_table(),
        components=[text("paragraph", "Table 2", id="p")],
        mentions=tuple(
            Mention(component="p", start=s, end=7, text="Table 2"[s:], kind="table", number="2", target="t1") for s in (0, 6)
        ),
    )
    assert '<p id="p"><a class="mention" href="#t1">Table 2</a></p>' in document.to_html()


def test_lists_keep_their_numbers_and_different_lists_stay_apart() -> None:
    items = [("one", "•"), ("two", "3."), ("three", "4."), ("four", "(a)")]
    document = document_of(components=[text("list_item", words, number=mark, id=words) for words, mark in items])
    assert body(document.to_html()).splitlines() == [
        "<ul>",
        '<li id="one">one</li>',
        "</ul>",
        "<ol>",
        '<li id="two" value="3">two</li>',
        '<li id="three" value="4">three</li>',
        "</ol>",
        '<ul class="labelled">',
        '<li id="four"><span class="label">(a)</span> four</li>',
        "</ul>",
    ]


def test_figure_has_its_picture_and_its_caption_once() -> None:
    document = document_of(
        figures=(figure_of(),),
        components=[text("figure", "", target="fig-3"), text("caption", "Figure 3: A bird.", target="fig-3")],
    )
    assert body(document.to_html({"fig-3": "figures/figure-3.png"})) == (
        '<figure id="fig-3">\n<img src="figures/figure-3.png" alt="Figure 3">\n'
        "<figcaption>Figure 3: A bird.</figcaption>\n</figure>"
    )
    assert "<img" not in document.to_html()


def test_code_keeps_its_lines_and_an_equation_its_number() -> None:
    document = document_of(
        components=[
            text("code", "if a < b:\n    pass", id="c"),
            text("equation", "a = b\n+ c", id="e", number="3"),
        ]
    )
    assert body(document.to_html()) == (
        '<pre id="c"><code>if a &lt; b:\n    pass</code></pre>\n'
        '<p id="e" class="equation">a = b<br>+ c <span class="number">(3)</span></p>'
    )


def test_title_of_the_paper_heads_the_page_where_no_component_has_it() -> None:
    document = document_of(identity=PaperIdentity(title="A paper"))
    assert "<title>A paper</title>" in document.to_html()
    assert body(document.to_html()) == "<h1>A paper</h1>"
