"""Tables side by side, one above the other, over both columns, turned, in a float with notes: found whole and apart.

Drawn pages are asked of all proposers of the default configuration, through a real PDF; so are pages of real papers, whose
tables are known.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from pictures import pdf_of

from variorum.document import Notice
from variorum.geometry import Box
from variorum.page.reader import PageHandle, PdfFile
from variorum.page.turning import displayed, turned
from variorum.regions.model import TableRegion
from variorum.tables.config import DEFAULT_CONFIG
from variorum.tables.page_tables import find_regions

SIDEWAYS = (90, 270)
BODY = """
------------------------------
Drug          Dose      Effect
------------------------------
Alpha         12.5      0.81
Beta          7.0       0.64
Gamma         3.2       0.17
------------------------------
"""


def regions_of(handle: PageHandle, angle: int = 0) -> list[TableRegion]:
    notices: list[Notice] = []
    view = turned(handle.evidence, angle) if angle else handle.evidence
    _, regions = find_regions(handle, view, angle, DEFAULT_CONFIG, notices, None)
    assert notices == []
    return regions


def found(picture: str, path: Path) -> tuple[list[TableRegion], Box]:
    """Return the regions of a page with the drawing, and the drawing's box."""
    area = pdf_of(picture, path / "page.pdf")
    with PdfFile(path / "page.pdf") as pdf:
        return regions_of(pdf.page(0)), area


def words_in(region: TableRegion, path: Path) -> str:
    with PdfFile(path / "page.pdf") as pdf:
        return " ".join(w.text for w in pdf.page(0).evidence.words if region.box.contains_centre_of(w.box))


def beside(left: str, right: str, gap: int = 8) -> str:
    """Return two drawings beside each other."""
    lines = zip(left.strip("\n").split("\n"), right.strip("\n").split("\n"), strict=True)
    return "\n".join(a.ljust(30) + " " * gap + b for a, b in lines)


def test_side_by_side_under_their_own_captions(tmp_path: Path) -> None:
    both = beside("Table 1: The first.\n\n" + BODY.strip("\n"), "Table 2: The second.\n\n" + BODY.strip("\n"))
    regions, area = found(both, tmp_path)
    assert [r.caption.number for r in regions if r.caption] == ["1", "2"]
    assert [(round(r.box.x0 - area.x0), round(r.box.width)) for r in regions] == [(0, 180), (228, 180)]


def test_side_by_side_at_different_heights(tmp_path: Path) -> None:
    shifted = beside("Table 1: The first.\n\n" + BODY.strip("\n") + "\n\n", "\n\nTable 2: The second.\n\n" + BODY.strip("\n"))
    regions, _ = found(shifted, tmp_path)
    assert {r.caption.number: words_in(r, tmp_path).split()[0] for r in regions if r.caption} == {"1": "Drug", "2": "Drug"}


def test_one_above_the_other_without_a_gap_in_frames_of_different_extent(tmp_path: Path) -> None:
    upper = """
+----------+------+--------+
| Drug     | Dose | Effect |
+----------+------+--------+
| Alpha    | 12.5 | 0.81   |
+----------+------+--------+
| Beta     | 7.0  | 0.64   |
+----------+------+--------+"""
    lower = """
 +----------+------+--------+-------+
 | Plant    | Size | Colour | Fruit |
 +----------+------+--------+-------+
 | Rose     | 12.5 | red    | none  |
 +----------+------+--------+-------+
 | Apple    | 70.0 | green  | some  |
 +----------+------+--------+-------+"""
    regions, _ = found(upper + lower, tmp_path)
    assert [words_in(r, tmp_path).split()[0] for r in regions] == ["Drug", "Plant"]
    assert [words_in(r, tmp_path).split()[-1] for r in regions] == ["0.64", "some"]


def test_one_above_the_other_with_only_a_caption_between_them(tmp_path: Path) -> None:
    regions, _ = found("Table 1: The first." + BODY + "Table 2: The second." + BODY, tmp_path)
    assert [r.caption.number for r in regions if r.caption] == ["1", "2"]
    assert [words_in(r, tmp_path).split()[-1] for r in regions] == ["0.17", "0.17"]


def test_over_both_columns_of_the_page(tmp_path: Path) -> None:
    column = "The drugs were given for a week\nand the effect was measured by\nthe nurse who was on duty then\n"
    prose = "\n".join(f"{line.ljust(34)} {line}" for line in (column * 4).strip().split("\n"))
    wide = """
Table 1: Effects of all the drugs.

------------------------------------------------------------------
Drug             Dose             Effect            Week of it
------------------------------------------------------------------
Alpha            12.5             0.81              11
Beta             7.0              0.64              12
Gamma            3.2              0.17              13
------------------------------------------------------------------

"""
    regions, area = found(wide.lstrip("\n") + prose, tmp_path)
    (region,) = regions
    assert (round(region.box.x0), round(region.box.x1)) == (area.x0, area.x0 + 66 * 6)
    assert words_in(region, tmp_path).split()[-1] == "13"


def test_notes_below_the_closing_rule_are_left_out(tmp_path: Path) -> None:
    notes = "Note. The effect is that of the\nlast week; a dose is one gram.\n"
    (region,) = found("Table 1: The first." + BODY + notes, tmp_path)[0]
    assert words_in(region, tmp_path).split()[-1] == "0.17"
    assert region.edges[1].position == region.box.y1


# ---- real papers ----------------------------------------------------------------------------------------------------


def real_pages(corpus: Path) -> list[tuple[Path, int, list[Box]]]:
    """Return the pages of the papers on which the place of every table is known and verified: file, page index, boxes."""
    pages: list[tuple[Path, int, list[Box]]] = []
    for truth in sorted((corpus / "papers").glob("*/truth.json")):
        tables = json.loads(truth.read_text(encoding="utf-8"))["tables"]
        for page in sorted({t["page"] for t in tables}):
            here = [t for t in tables if t["page"] == page]
            if all(t["ok"] and t["bbox"] for t in here):
                pages.append((truth.parent / "paper.pdf", page - 1, [Box(*t["bbox"]) for t in here]))
    return pages


def assert_each_has_its_own(handle: PageHandle, tables: Sequence[Box], paper: Path) -> None:
    page = handle.evidence
    angles = (0, *(a for a in SIDEWAYS if any(w.angle == a for w in page.words)))
    boxes = [displayed(r.box, a, page.width, page.height) for a in angles for r in regions_of(handle, a)]
    owners = [max(range(len(boxes)), key=lambda i: boxes[i].iou(table), default=-1) for table in tables]
    assert all(boxes[i].iou(table) > 1 / 2 for i, table in zip(owners, tables, strict=True) if i >= 0), (
        paper,
        handle.page_index,
    )
    assert len(set(owners)) == len(tables), (paper, handle.page_index)
    assert -1 not in owners, (paper, handle.page_index)


@pytest.mark.corpus
def test_neighbours_on_real_pages_are_found_apart(corpus: Path) -> None:
    """Of each paper the page with the most tables, where that is more than one."""
    crowded: dict[Path, tuple[int, list[Box]]] = {}
    for paper, index, tables in real_pages(corpus):
        if len(tables) > max(1, len(crowded[paper][1]) if paper in crowded else 0):
            crowded[paper] = index, tables
    assert crowded
    for paper, (index, tables) in crowded.items():
        with PdfFile(paper) as pdf:
            assert_each_has_its_own(pdf.page(index), tables, paper)


@pytest.mark.corpus
def test_tables_on_real_rotated_pages_are_found_whole(corpus: Path) -> None:
    """Of each paper the first page with tables of each rotation."""
    seen: set[tuple[Path, int]] = set()
    for paper, index, tables in real_pages(corpus):
        with PdfFile(paper) as pdf:
            turn = paper, pdf.live[index].rotation
            if turn[1] and turn not in seen:
                assert_each_has_its_own(pdf.page(index), tables, paper)
                seen.add(turn)
    assert seen
