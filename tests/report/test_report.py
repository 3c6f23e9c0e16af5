"""What the report holds, and that it holds together: escaping, sameness, missing parts, sideways tables."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pymupdf
import pytest
from report_samples import apparatus, document, hostile, parted, pdf_in, region_edges, table

from variorum.document import Provenance, Table
from variorum.geometry import Box
from variorum.page.reader import PageHandle
from variorum.report import write_report
from variorum.report.data import view_of
from variorum.report.markup import script_json, siglum
from variorum.report.pages import PageSight
from variorum.report.pictures import compact

VOID = {"meta", "input", "br", "wbr"}
ATTACKS = (
    "<script>document.title='taken'</script>",
    "</script><script>document.title='taken'</script>",
    "<!--<script>",
    '\'" onmouseover=alert(1) x="',
    "</style></title><img src=x onerror=alert(1)>",
    "]]> &amp; \u2028 $title \x00 \ud800",
)


class Reader(HTMLParser):
    """Reads the report as a browser does, and fails when an element is closed that is not open."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.texts: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)

    def every(self, tag: str, **attributes: str) -> Iterator[dict[str, str]]:
        for name, attrs in self.elements:
            if name == tag and all(attrs.get(k.rstrip("_").replace("_", "-")) == v for k, v in attributes.items()):
                yield attrs

    @property
    def all_text(self) -> str:
        return " ".join("".join(self.texts).split())


def read(html: str) -> Reader:
    reader = Reader()
    reader.feed(html)
    reader.close()
    assert reader.open == []
    return reader


def data_of(html: str) -> Any:
    found = re.search(r'<script type="application/json" id="apparatus">(.*?)</script>', html, re.DOTALL)
    assert found is not None
    return json.loads(found.group(1))


@pytest.fixture
def pdf(tmp_path: Path) -> Path:
    return pdf_in(tmp_path)


# ---- what it holds --------------------------------------------------------------------------------------------------


def test_report_shows_page_table_and_apparatus(pdf: Path) -> None:
    html = write_report(document(table()), pdf)
    reader = read(html)
    assert next(reader.every("image"))["href"].startswith("data:image/png;base64,")
    layers = {a["data-layer"] for tag, a in reader.elements if "data-layer" in a}
    assert layers == {
        "words", "rules", "cells", "accepted", "rejected", "refused", "method-0", "method-1", "method-2",
    }  # fmt: skip
    assert {a["data-divider"] for a in reader.every("g", role="button")} == {"t1:c1", "t1:cx1", "t1:cx2", "t1:r1"}
    for words in (
        "Table 1. Doses", "read by consensus:rawdict", "agreement .75", "1 ligature resolved", "refused: cuts a word",
        "a ruled line stands there", "ValueError: no", "Traceback of <lattice>", "2 grids, ranked by 2 metrics",
    ):  # fmt: skip
        assert words in reader.all_text


def test_edges_of_the_region_stand_with_their_places_votes_and_moves(pdf: Path) -> None:
    reader = read(write_report(document(table(apparatus=apparatus(region_edges=region_edges()))), pdf))
    layers = {a["data-layer"]: "hidden" not in a for tag, a in reader.elements if "data-layer" in a}
    assert (layers["edges"], layers["edge-places"]) == (True, False)
    assert layers == {a["data-toggle"]: "checked" in a for a in reader.every("input")}
    drawn = {a["data-divider"]: a["aria-label"] for a in reader.every("g", role="button")}
    assert {name for name in drawn if not name.startswith(("t1:c", "t1:r"))} == {"t1:top", "t1:topx1", "t1:left"}
    assert drawn["t1:top"].startswith("top edge: accepted, 1 proposer; weight 1.50 of 1.50")
    assert [a["data-show"] for a in reader.every("button") if "top" in a.get("data-show", "")] == ["t1:topx1", "t1:top"]
    for words in ("from 102.0; to 100.0, grown to a rule", "2 accepted of 3 places", "too few reach so far"):
        assert words in reader.all_text


def test_accepted_edge_is_drawn_where_it_is_in_the_end(pdf: Path) -> None:
    sample = document(table(apparatus=apparatus(region_edges=region_edges())))
    told = data_of(write_report(sample, pdf))["tables"]["t1"]
    assert (told["top"]["line"], told["top"]["position"]) == ([100, 100, 300, 100], 100)
    assert told["left"]["line"] == [100, 100, 100, 150]
    assert told["topx1"]["line"] == [100, 85, 300, 85]


def test_every_layer_has_a_toggle_and_every_toggle_a_layer(pdf: Path) -> None:
    reader = read(write_report(document(table()), pdf))
    layers = {a["data-layer"]: "hidden" not in a for tag, a in reader.elements if "data-layer" in a}
    toggles = {a["data-toggle"]: "checked" in a for a in reader.every("input")}
    assert toggles == layers


def test_cells_of_table_and_page_are_linked(pdf: Path) -> None:
    reader = read(write_report(document(table()), pdf))
    on_page = [a["data-cell"] for a in reader.every("path") if "data-cell" in a]
    in_table = [a["data-cell"] for tag, a in reader.elements if tag in ("td", "th") and "data-cell" in a]
    assert on_page == in_table == ["t1-0-0", "t1-0-1", "t1-1-0", "t1-1-1"]


def test_spans_and_headers_stand_in_the_table(pdf: Path) -> None:
    plain = table()
    wide = replace(plain, cells=(replace(plain.cells[0], colspan=2), *plain.cells[2:]))
    reader = read(write_report(document(wide), pdf))
    assert list(reader.every("th", data_cell="t1-0-0")) == [
        {"scope": "col", "colspan": "2", "data-cell": "t1-0-0", "tabindex": "-1"}
    ]
    place = next(a for a in reader.every("path", data_cell="t1-0-0"))
    assert place["d"] == "M100 100H300V125H100Z"


def test_table_in_parts_has_a_picture_a_part_and_is_named_once(pdf: Path) -> None:
    html = write_report(document(parted(), table(id="t2", number="2")), pdf)
    reader = read(html)
    assert [a["id"] for a in reader.every("article")] == ["t1", "t1p2", "t2"]
    assert [a["href"] for a in reader.every("a")][:2] == ["#t1", "#t2"]
    assert {a["data-divider"] for a in reader.every("g", role="button") if a["data-divider"].startswith("t1p2")} == {"t1p2:c1"}
    assert set(data_of(html)["tables"]["t1p2"]) == {"c1"}
    for words in (
        "2 tables on 1 page", "3 rows × 2 columns in 2 parts · part 1 of 2: rows 1 to 2 of the table; part 2 on page 1",
        "Table 1, part 2", "part 2 of 2: row 3 of the table; part 1 on page 1", "agreement .25", "Table 1 (continued)",
        "Row 1 here, the head again: Drug Dose",
    ):  # fmt: skip
        assert words in reader.all_text


def test_cells_of_a_part_are_drawn_in_its_picture_and_linked_to_the_whole(pdf: Path) -> None:
    view = view_of(document(parted()), {}, "")
    whole, later = view["pages"][0]["tables"]
    assert {(c["row"], c["col"]): c["box"] for c in whole["cells"]}[2, 0] is None
    assert [(c["row"], c["box"]) for c in later["cells"]] == [(2, [310, 125, 350, 150]), (2, [350, 125, 390, 150])]
    reader = read(write_report(document(parted()), pdf))
    places = [a["data-cell"] for a in reader.every("path") if "data-cell" in a]
    texts = [a["data-cell"] for tag, a in reader.elements if tag in ("td", "th") and "data-cell" in a]
    assert sorted(places) == sorted(set(texts))
    assert [name for name in texts if texts.count(name) > 1] == ["t1-2-0", "t1-2-1"] * 2


def test_data_for_the_script_has_every_vote(pdf: Path) -> None:
    data = data_of(write_report(document(table()), pdf))
    assert [m["name"] for m in data["methods"]] == ["lines", "text", "hotspot", "lattice"]
    c1 = data["tables"]["t1"]["c1"]
    assert (c1["state"], c1["count"], c1["threshold"], c1["start"], c1["end"]) == ("accepted", 2, 2.0, 180.0, 200.0)
    assert [(v["method"], v["raw"], v["scaled"]) for v in c1["votes"]] == [(1, 0.8, 0.4), (2, 1, 1)]
    assert c1["band"] == [180, 100, 200, 150]


def test_same_reading_gives_same_bytes(pdf: Path) -> None:
    assert write_report(document(table()), pdf) == write_report(document(table()), pdf)


def test_report_asks_nothing_of_a_network(pdf: Path) -> None:
    html = write_report(document(table()), pdf)
    for tag, attrs in read(html).elements:
        for name in ("src", "href", "action", "data", "poster"):
            value = attrs.get(name, "#")
            assert value.startswith(("#", "data:")), f"<{tag} {name}={value[:60]!r}>"
    assert not re.search(r"@import|url\(|fetch\(|XMLHttpRequest|WebSocket|sendBeacon", html)
    assert "default-src 'none'" in html


# ---- what comes from a document is words, never mark-up ----------------------------------------------------------------


@pytest.mark.parametrize("attack", ATTACKS)
def test_words_of_a_document_are_never_markup(pdf: Path, attack: str) -> None:
    tame = read(write_report(hostile("tame"), pdf))
    html = write_report(hostile(attack), pdf)
    hostile_reader = read(html)
    assert [tag for tag, _ in hostile_reader.elements] == [tag for tag, _ in tame.elements]
    assert [list(a) for _, a in hostile_reader.elements] == [list(a) for _, a in tame.elements]
    html.encode("utf-8")


@pytest.mark.parametrize("attack", ATTACKS)
def test_words_survive_in_the_data(attack: str) -> None:
    written = script_json({"text": attack})
    assert not re.search(r"[<>&\u2028\u2029]", written)
    assert json.loads(written)["text"] == attack.replace("\ud800", "?")


def test_cell_text_is_shown_as_it_is(pdf: Path) -> None:
    reader = read(write_report(hostile("<b>5 & 6</b>"), pdf))
    assert reader.texts.count("<b>5 & 6</b>") >= 4


# ---- what is missing is said -------------------------------------------------------------------------------------------


def test_document_without_tables_says_so(pdf: Path) -> None:
    assert "No tables were found" in read(write_report(document(), pdf)).all_text


def test_table_without_apparatus_says_who_gave_it(pdf: Path) -> None:
    given = table(apparatus=None, provenance=Provenance(source="ar5iv", method="", page_num=1, bbox=Box(100, 100, 300, 150)))
    reader = read(write_report(document(given), pdf))
    assert "This table has no apparatus: it was taken as its source gives it (table 1 on page 1: ar5iv)" in reader.all_text
    assert list(reader.every("g", role="button")) == []


def test_table_without_page_has_no_picture(pdf: Path) -> None:
    given = table(apparatus=None, caption=None, provenance=Provenance(source="latex", method=""))
    reader = read(write_report(document(given, pages=()), pdf))
    assert "The source of this table has no pages to show." in reader.all_text
    assert "Tables without a page" in reader.all_text


def test_missing_pdf_costs_the_pictures_only(tmp_path: Path) -> None:
    reader = read(write_report(document(table()), tmp_path / "gone.pdf"))
    assert "The PDF could not be opened again" in reader.all_text
    assert list(reader.every("image")) == []
    assert len(list(reader.every("g", role="button"))) == 4


def test_page_that_cannot_be_drawn_costs_its_picture_only(pdf: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(self: PageHandle, dpi: int) -> bytes:
        raise RuntimeError("no such <font>")

    monkeypatch.setattr(PageHandle, "render_png", fail)
    reader = read(write_report(document(table()), pdf))
    assert "The page could not be drawn (RuntimeError: no such <font>)." in reader.all_text
    assert len(list(reader.every("g", role="button"))) == 4


def test_page_outside_the_pdf_is_said(pdf: Path) -> None:
    lost = table(provenance=Provenance(source="pdf", method="x", page_num=7, bbox=Box(1, 1, 9, 9)), caption=None)
    assert "The page could not be read (page 7 is outside the document" in read(write_report(document(lost), pdf)).all_text


def test_changed_pdf_is_said(pdf: Path) -> None:
    assert "The PDF has changed since it was read" in read(write_report(document(table()), pdf)).all_text


def test_table_without_dividers_or_candidates(pdf: Path) -> None:
    bare = table(apparatus=apparatus(dividers=(), outcomes=(), candidates=(), repairs=(), winner="", methods=()))
    text = read(write_report(document(bare), pdf)).all_text
    for words in ("no divider", "none recorded", "nothing is recorded", "no candidate"):
        assert words in text


# ---- sideways ---------------------------------------------------------------------------------------------------------


def sideways(angle: int) -> Table:
    """Return a table of 50 × 200 points at (30, 60) of the displayed page with sideways text; upright it is 200 × 50."""
    return table(
        angle=angle,
        caption=None,
        provenance=Provenance(source="pdf", method="x", page_num=1, bbox=Box(30, 60, 80, 260)),
        column_edges=(40.0, 130.0, 240.0) if angle == 90 else (60.0, 150.0, 260.0),
        row_edges=(30.0, 55.0, 80.0) if angle == 90 else (320.0, 345.0, 370.0),
    )


def test_dividers_of_text_that_reads_upwards_are_turned_back() -> None:
    """Upright x runs up the displayed page: x = 180 lies at y = 300 - 180; upright y is displayed x."""
    view = view_of(document(sideways(90)), {1: PageSight(page_num=1)})
    dividers = view["pages"][0]["tables"][0]["apparatus"]["dividers"]  # type: ignore[index]
    c1 = next(d for d in dividers if d["id"] == "c1")
    assert c1["band"] == [30, 100, 80, 120]
    assert c1["line"] == [30, 110, 80, 110]
    assert (c1["mark"], c1["tail"]) == ((30, 110), (80, 110))
    r1 = next(d for d in dividers if d["id"] == "r1")
    assert r1["band"] == [120, 60, 130, 260]
    assert (r1["mark"], r1["tail"]) == ((125, 260), (125, 60))
    first = view["pages"][0]["tables"][0]["cells"][0]
    assert first["box"] == [30, 170, 55, 260]


def test_dividers_of_text_that_reads_downwards_are_turned_back() -> None:
    """Upright x runs down the displayed page; upright y = 120 lies at displayed x = 400 - 120."""
    view = view_of(document(sideways(270)), {1: PageSight(page_num=1)})
    dividers = view["pages"][0]["tables"][0]["apparatus"]["dividers"]  # type: ignore[index]
    c1 = next(d for d in dividers if d["id"] == "c1")
    assert c1["band"] == [30, 180, 80, 200]
    assert (c1["mark"], c1["tail"]) == ((80, 190), (30, 190))
    r1 = next(d for d in dividers if d["id"] == "r1")
    assert r1["band"] == [270, 60, 280, 260]
    first = view["pages"][0]["tables"][0]["cells"][0]
    assert first["box"] == [55, 60, 80, 150]


def test_view_of_a_sideways_table_is_turned_upright(pdf: Path) -> None:
    reader = read(write_report(document(sideways(90)), pdf))
    turned = next(a for a in reader.every("button", aria_pressed="true") if "data-view" in a)
    assert turned["data-turn"] == "matrix(0 1 -1 0 300 0)"
    x, y, width, height = map(float, turned["data-view"].split())
    assert x < 40
    assert y < 30
    assert width > 200
    assert height > 50


# ---- pictures and signs ------------------------------------------------------------------------------------------------


def pixels(width: int, height: int, colour: tuple[int, int, int]) -> bytes:
    pixmap = pymupdf.Pixmap(pymupdf.csRGB, pymupdf.IRect(0, 0, width, height), False)
    pixmap.set_rect(pixmap.irect, (255, 255, 255))
    pixmap.set_rect(pymupdf.IRect(1, 1, width - 1, 2), colour)
    return bytes(pixmap.tobytes("png"))


@pytest.mark.parametrize("width", [8, 9])
@pytest.mark.parametrize("colour", [(0, 0, 0), (136, 136, 136), (255, 0, 0)])
def test_picture_keeps_every_pixel_of_sixteen_shades(width: int, colour: tuple[int, int, int]) -> None:
    picture = compact(pixels(width, 4, colour))
    assert picture.media_type == "image/png"
    shown = pymupdf.Pixmap(pymupdf.csRGB, pymupdf.Pixmap(picture.data))
    assert (shown.width, shown.height) == (width, 4)
    for x in range(width):
        for y in range(4):
            inside = 1 <= x < width - 1 and y == 1
            assert tuple(shown.pixel(x, y)) == (colour if inside else (255, 255, 255))


def test_letters_of_methods_never_repeat() -> None:
    letters = [siglum(i) for i in range(800)]
    assert letters[:2] == ["A", "B"]
    assert letters[25:28] == ["Z", "AA", "AB"]
    assert len(set(letters)) == 800
