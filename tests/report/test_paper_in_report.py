"""What the report shows of a whole paper: every block in its place and order, links both ways, votes, and what was left out."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from paper_samples import paper, piece, two_pages_in
from report_samples import document, parted, table
from test_report import ATTACKS, data_of, read

from variorum.document import Document
from variorum.report import write_report
from variorum.report.data import view_of
from variorum.report.paper_data import paper_of


@pytest.fixture
def pdf(tmp_path: Path) -> Path:
    return two_pages_in(tmp_path)


def blocks_of(reading: Document) -> dict[str, Any]:
    view = paper_of(reading, {})
    assert view is not None
    return {block["id"]: block for block in view["blocks"]}


def places_of(html: str) -> list[tuple[int, int, str]]:
    """Return (order, block, outline) of every place, in the order of the file."""
    found = re.findall(r'data-block="(\d+)" data-order="(\d+)".*?<path d="([^"]+)"', html)
    return [(int(order), int(block), outline) for block, order, outline in found]


# ---- pages ----------------------------------------------------------------------------------------------------------


def test_every_page_is_shown_once_with_its_picture(pdf: Path) -> None:
    reader = read(write_report(paper(), pdf))
    assert [a["id"] for a in reader.every("image")] == ["p1-picture", "p2-picture"]
    drawings = [a["aria-label"] for a in reader.every("svg") if "page-of" in a.get("class", "")]
    assert drawings == ["Page 1 with its blocks", "Page 2 with its blocks"]


def test_blocks_are_numbered_in_the_order_of_reading_and_furniture_is_not(pdf: Path) -> None:
    blocks = blocks_of(paper())
    assert {name: b["order"] for name, b in blocks.items()} == {
        "title-1": 1, "sec-1": 2, "paper_table_1": 3, "cap-1": 4, "par-1": 5, "eq-3": 6, "fig-7": 7, "cap-2": 8,
        "note-1": 9, "ref-1": 10, "furniture-1": 0, "furniture-2": 0,
    }  # fmt: skip
    html = write_report(paper(), pdf)
    assert sorted(order for order, _, _ in places_of(html)) == [0, 0, 1, 2, 3, 4, 5, 5, 6, 7, 8, 9, 10]


def test_text_over_two_pages_is_drawn_on_both(pdf: Path) -> None:
    html = write_report(paper(), pdf)
    assert [outline for order, _, outline in places_of(html) if order == 5] == ["M20 182H300V192H20Z", "M20 22H60V32H20Z"]
    assert "5 paragraph, goes on here: Doses (Table 1)" in read(html).all_text


def test_level_of_a_heading_and_number_of_a_formula_stand_beside_them(pdf: Path) -> None:
    reader = read(write_report(paper(), pdf))
    assert {"H1", "(3)"} <= set(reader.texts)


def test_furniture_tells_its_evidence(pdf: Path) -> None:
    html = write_report(paper(), pdf)
    assert "furniture: running foot: the same words at this height of 2 pages" in read(html).all_text


def test_captions_are_tied_to_their_floats_on_the_same_page() -> None:
    view = paper_of(paper(), {})
    assert view is not None
    assert [(t["page_num"], t["start"], t["end"]) for t in view["ties"]] == [
        (1, (200, 86), (200, 110)),
        (2, (110, 126), (110, 100)),
    ]
    assert view["panels"] == {2: [[20, 60, 100, 110]]}


def test_caption_beside_its_float_is_tied_across() -> None:
    beside = replace(paper(), components=tuple(c for c in paper().components if c.id != "cap-2"))
    caption = piece("cap-2", "caption", "Figure 7. Growth", 2, (210, 70, 300, 90), target="fig-7")
    view = paper_of(replace(beside, components=(*beside.components, caption)), {})
    assert view is not None
    assert view["ties"][-1] == {"page_num": 2, "start": (255, 80), "end": (190, 80)}


def test_words_that_lie_in_no_block_are_shown(pdf: Path) -> None:
    html = write_report(paper(), pdf)
    assert "words in no block 1" in read(html).all_text
    assert len(re.findall(r'data-layer="outside">', html)) == 1


def test_numbers_of_blocks_that_begin_at_one_point_stand_above_each_other(pdf: Path) -> None:
    twice = replace(paper(), components=(*paper().components, piece("par-2", "paragraph", "More", 1, (20, 42, 90, 60))))
    html = write_report(twice, pdf)
    numbers = re.findall(r'translate\(20 42\)"><g class="px"><text x="-2" y="(-?\d+)" text-anchor="end">(\d+)', html)
    assert sorted(numbers) == [("-1", "2"), ("9", "11")]


def test_float_that_stands_nowhere_in_the_text_is_a_block_all_the_same() -> None:
    lonely = replace(paper(), components=tuple(c for c in paper().components if c.id not in ("at-fig", "cap-2")))
    assert blocks_of(lonely)["fig-7"]["order"] == 0


def test_table_in_parts_is_one_block_in_all_its_places_with_the_captions_of_later_parts() -> None:
    apart = replace(paper(), tables=(parted(),))
    assert blocks_of(apart)["paper_table_1"]["places"] == [(1, [100, 100, 300, 150]), (1, [310, 80, 390, 150])]


# ---- links ----------------------------------------------------------------------------------------------------------


def test_citations_and_mentions_lead_there_and_back() -> None:
    blocks = blocks_of(paper())
    at = {name: i for i, name in enumerate(blocks)}
    assert blocks["par-1"]["marks"] == [
        (7, 14, [at["paper_table_1"]]),
        (21, 24, [at["ref-1"]]),
        (30, 38, [at["fig-7"]]),
    ]
    for cited in ("paper_table_1", "ref-1", "fig-7"):
        assert blocks[cited]["cited_by"] == [at["par-1"]]
    assert blocks["cap-2"]["names"] == [at["fig-7"]]
    assert blocks["fig-7"]["names"] == [at["cap-2"]]


def test_data_for_the_script_has_text_facts_and_the_entry_of_a_table(pdf: Path) -> None:
    told = {b["id"]: b for b in data_of(write_report(paper(), pdf))["blocks"]}
    assert told["paper_table_1"]["anchor"] == "t1"
    assert told["par-1"]["pages"] == [1, 2]
    assert ["DOI", "10.1/x"] in told["ref-1"]["facts"]
    assert ["words inside", "days "] in told["fig-7"]["facts"]


def test_links_lead_to_blocks_that_are_there(pdf: Path) -> None:
    reader = read(write_report(paper(), pdf))
    ids = {a["id"] for _, a in reader.elements if "id" in a}
    assert {a["href"][1:] for a in reader.every("a")} <= ids
    names = [a["id"] for _, a in reader.elements if "id" in a]
    assert len(names) == len(set(names))


# ---- outline, votes, grade, what was left out --------------------------------------------------------------------------


def test_sections_have_label_and_confidence_and_doubt_is_marked(pdf: Path) -> None:
    reader = read(write_report(paper(), pdf))
    assert "preamble, without a heading" in reader.all_text
    assert "results .40" in reader.all_text
    labels = {a["title"]: a["class"] for a in reader.every("small") if "label" in a.get("class", "")}
    assert labels == {"it stands first": "label", "by its name": "label doubt"}


def test_every_vote_on_a_heading_is_told_with_the_decision(pdf: Path) -> None:
    words = read(write_report(paper(), pdf)).all_text
    for said in (
        "2 candidates: 1 accepted, 1 rejected", "accepted at level 1: 2 of 2 voters stand for it", "numbering says so",
        "rejected: 0 of 1 voters stand for it", "position says so",
    ):  # fmt: skip
        assert said in words


def test_grade_stands_with_reasons_and_gaps(pdf: Path) -> None:
    reader = read(write_report(paper(), pdf))
    assert "C: figures are missing" in reader.all_text
    assert "2 gaps" in reader.all_text
    assert "there is no abstract" in reader.all_text


def test_what_was_left_out_is_listed_by_its_evidence(pdf: Path) -> None:
    words = read(write_report(paper(), pdf)).all_text
    assert "running foot: the same words at this height of 2 pages 2 items" in words
    assert "its picture shows a table of data 1 item" in words


def test_summary_counts_what_was_read(pdf: Path) -> None:
    said = "1 table, 1 figure, 1 heading, 1 equation, 1 reference on 2 pages read"
    assert said in read(write_report(paper(), pdf)).all_text


def test_every_layer_of_blocks_has_a_switch(pdf: Path) -> None:
    reader = read(write_report(paper(), pdf))
    layers = {a["data-layer"]: "hidden" not in a for _, a in reader.elements if "data-layer" in a}
    assert {a["data-toggle"]: "checked" in a for a in reader.every("input")} == layers


# ---- what is missing, and what is hostile ------------------------------------------------------------------------------


def test_document_with_tables_alone_has_no_pages_of_a_paper(pdf: Path) -> None:
    assert view_of(document(table()), {})["paper"] is None
    assert 'class="paper"' not in write_report(document(table()), pdf)


def test_paper_whose_pdf_is_gone_shows_its_blocks_without_pictures(tmp_path: Path) -> None:
    html = write_report(paper(), tmp_path / "gone.pdf")
    assert "could not be opened again" in read(html).all_text
    assert len(places_of(html)) == 13
    assert "data:image" not in html


def test_page_without_a_size_is_named(tmp_path: Path) -> None:
    sizeless = replace(paper(), pages=tuple(replace(p, width=0.0, height=0.0) for p in paper().pages))
    html = write_report(sizeless, tmp_path / "gone.pdf")
    assert read(html).all_text.count("could not be opened again") > 2
    assert places_of(html) == []


def test_same_paper_gives_same_bytes(pdf: Path) -> None:
    assert write_report(paper(), pdf) == write_report(paper(), pdf)


@pytest.mark.parametrize("attack", ATTACKS)
def test_words_of_a_paper_are_never_markup(pdf: Path, attack: str) -> None:
    tame = read(write_report(paper("tame"), pdf))
    html = write_report(paper(attack), pdf)
    attacked = read(html)
    assert [tag for tag, _ in attacked.elements] == [tag for tag, _ in tame.elements]
    assert [list(a) for _, a in attacked.elements] == [list(a) for _, a in tame.elements]
    html.encode("utf-8")
