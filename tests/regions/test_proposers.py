"""Every proposer of regions on drawn pages: what it must find, and what it must leave alone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from pictures import HEIGHT, WIDTH, pdf_of

from variorum.geometry import Box
from variorum.page.reader import PageHandle, PdfFile
from variorum.page.turning import turned
from variorum.regions.captions import find_captions
from variorum.regions.model import ProposerContext
from variorum.regions.registry import family_of, only_seconds, region_proposers
from variorum.tables.config import DEFAULT_CONFIG, REGION_PROPOSERS

SPACE_EM = 0.6
BARE = """
Drug          Dose      Effect
Alpha         12.5      0.81
Beta          7.0       0.64
Gamma         3.2       0.17
Delta         5.1       0.33
"""
BOOKTABS = """
------------------------------
Drug          Dose      Effect
------------------------------
Alpha         12.5      0.81
Beta          7.0       0.64
Gamma         3.2       0.17
------------------------------
"""
RULED = """
+----------+------+--------+
| Drug     | Dose | Effect |
+----------+------+--------+
| Alpha    | 12.5 | 0.81   |
+----------+------+--------+
| Beta     | 7.0  | 0.64   |
+----------+------+--------+
"""
PROSE = """
The drugs were given for a week to all of the patients
and the effect was measured by the nurse who was there
on duty then, and then again in the week that followed
"""
FRAMED_PROSE = """
+------------------------------------------------------+
|The drugs were given for a week to all of the patients|
|and the effect was measured by the nurse who was there|
|on duty then, and then again in the week that followed|
+------------------------------------------------------+
"""
CAPTIONED = "Table 1: Effects of the drugs.\n\n" + BARE.strip("\n")

Ask = Callable[[str, str], tuple[list[Box], Box]]


def context(handle: PageHandle) -> ProposerContext:
    return ProposerContext(handle.evidence, find_captions(handle.evidence, SPACE_EM), SPACE_EM, handle)


@pytest.fixture
def ask(tmp_path: Path) -> Ask:
    """Return what gives the boxes that a proposer sees on a page with one drawing, and the drawing's box."""

    def asked(proposer: str, picture: str) -> tuple[list[Box], Box]:
        area = pdf_of(picture, tmp_path / "page.pdf")
        with PdfFile(tmp_path / "page.pdf") as pdf:
            return region_proposers()[proposer].propose(context(pdf.page(0))), area

    return asked


@pytest.mark.parametrize(
    ("proposer", "picture"),
    [
        ("rules", BOOKTABS),
        ("rules", RULED),
        ("find_tables_lines", RULED),
        ("find_tables_lines_strict", RULED),
        ("find_tables_text", BARE),
        ("layout_boxes", BARE),
        ("layout_boxes", RULED),
        ("captions", CAPTIONED),
        ("text_density", BARE),
        ("text_density", BOOKTABS),
    ],
)
def test_finds_the_table_whole(proposer: str, picture: str, ask: Ask) -> None:
    boxes, area = ask(proposer, picture)
    table = Box(area.x0, area.y0 + 28, area.x1, area.y1) if picture == CAPTIONED else area  # below caption and empty line
    assert len(boxes) == 1
    assert boxes[0].iou(table) > 1 / 2


@pytest.mark.parametrize(
    ("proposer", "picture"),
    [
        ("rules", BARE),
        ("rules", FRAMED_PROSE),
        ("find_tables_lines", BOOKTABS),
        ("find_tables_lines", FRAMED_PROSE),
        ("find_tables_lines_strict", BOOKTABS),
        ("find_tables_lines_strict", FRAMED_PROSE),
        ("find_tables_text", PROSE),
        ("layout_boxes", PROSE),
        ("layout_boxes", FRAMED_PROSE),
        ("captions", BARE),
        ("captions", "Table 1: Effects of the drugs.\n" + PROSE),
        ("text_density", PROSE),
        ("text_density", PROSE.replace("a week", "a    week")),
    ],
)
def test_leaves_alone_what_is_no_table_to_it(proposer: str, picture: str, ask: Ask) -> None:
    assert ask(proposer, picture)[0] == []


def test_lines_of_which_nothing_stands_under_anything_are_no_table(ask: Ask) -> None:
    ragged = """
aaaaa       bbbbbbbbb
  cccccc       dddddddddd
    eeeeeee      ff
      gggggggg      hhhh
"""
    assert ask("text_density", ragged)[0] == []
    assert len(ask("text_density", ragged.replace("  c", "c").replace("    e", "e"))[0]) == 1


def test_captions_of_figures_find_nothing(ask: Ask) -> None:
    assert ask("captions", CAPTIONED.replace("Table 1", "Figure 1"))[0] == []


def shaded(path: Path, *, curve: bool = False) -> PageHandle:
    """Return a page with a shaded grid of numbers without strokes; or, with `curve`, a frame around a curve with two labels."""
    import pymupdf

    pdf = pymupdf.open()
    page = pdf.new_page(width=WIDTH, height=HEIGHT)
    if curve:
        page.draw_rect((60, 100, 300, 260), width=0.5)
        page.draw_bezier((80, 240), (140, 120), (200, 240), (280, 120), width=1)
        for y, (left, right) in ((115, ("low", "high")), (250, ("0.0", "1.0"))):
            page.insert_text((70, y), left, fontsize=8)
            page.insert_text((270, y), right, fontsize=8)
    else:
        for r in range(4):
            for c in range(3):
                box = (60 + c * 80, 100 + r * 20, 60 + c * 80 + 80, 100 + r * 20 + 20)
                page.draw_rect(box, color=None, fill=(0.9, 0.9, 0.9 - 0.1 * ((r + c) % 2)))
                page.insert_text((66 + c * 80, 114 + r * 20), f"{r}.{c}", fontsize=10)
    pdf.save(path)
    pdf.close()
    return PdfFile(path).page(0)


def test_shading_without_strokes_is_no_grid_to_the_strict_strategy(tmp_path: Path) -> None:
    ctx = context(shaded(tmp_path / "page.pdf"))
    assert region_proposers()["find_tables_lines_strict"].propose(ctx) == []
    assert len(region_proposers()["find_tables_lines"].propose(ctx)) == 1


def test_frame_around_a_curve_is_no_table(tmp_path: Path) -> None:
    assert region_proposers()["rules"].propose(context(shaded(tmp_path / "page.pdf", curve=True))) == []


def test_library_boxes_are_turned_into_the_view(tmp_path: Path) -> None:
    pdf_of(RULED, tmp_path / "page.pdf")
    handle = PdfFile(tmp_path / "page.pdf").page(0)
    (level,) = region_proposers()["find_tables_lines"].propose(context(handle))
    ctx = ProposerContext(turned(handle.evidence, 90), (), SPACE_EM, handle, 90)
    (box,) = region_proposers()["find_tables_lines"].propose(ctx)
    assert (round(box.width), round(box.height)) == (round(level.height), round(level.width))
    assert region_proposers()["find_tables_text"].propose(ctx) == []


def test_strategies_of_one_library_share_one_voice() -> None:
    assert {family_of(f"find_tables_{s}") for s in ("lines", "lines_strict", "text")} == {"find_tables"}
    assert family_of("captions") == family_of("text_density")
    assert family_of("another_package:boxes") == "another_package:boxes"


def test_words_alone_make_no_region() -> None:
    assert {name for name in region_proposers() if only_seconds(name)} == {"captions", "text_density", "find_tables_text"}


def test_every_proposer_can_be_configured_and_the_text_strategy_is_left_out_by_default() -> None:
    assert set(REGION_PROPOSERS) == set(region_proposers())
    assert set(DEFAULT_CONFIG.region_proposers) == set(REGION_PROPOSERS) - {"find_tables_text"}
