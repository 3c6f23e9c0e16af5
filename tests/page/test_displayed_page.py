"""Everything is told in points of the page as displayed: rotation and crop box are applied, as a viewer applies them.

The judge is the rendering: dark pixels lie where the word is said to be.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pictures import across, down, page, pdf_of, word

from variorum.geometry import Box
from variorum.page._pymupdf import pymupdf
from variorum.page.model import PageEvidence, Word
from variorum.page.reader import PdfFile, _read_evidence
from variorum.page.turning import DOWNWARDS, UPWARDS, displayed, turned, upright

DPI = 144  # two pixels a point
CROP = (50.0, 60.0, 450.0, 560.0)


def sheet(path: Path, *, rotation: int = 0, crop: tuple[float, float, float, float] | None = None) -> None:
    """Write a page of 500 x 700 pt with a word at (100, 200), a rule at y = 300 from 80 to 280, and a word near its foot."""
    mu = pymupdf()
    pdf = mu.open()
    live = pdf.new_page(width=500, height=700)
    live.insert_text((100, 200), "HHHHH", fontsize=20)
    live.insert_text((100, 650), "foot", fontsize=10)
    live.draw_line((80, 300), (280, 300), width=1)
    if crop:
        live.set_cropbox(mu.Rect(*crop))
    if rotation:
        live.set_rotation(rotation)
    pdf.save(path)
    pdf.close()


def dark(path: Path) -> Box:
    """Return the box around the dark pixels that the word of 20 pt leaves on the page as a viewer shows it, in points."""
    with pymupdf().open(path) as pdf:
        pixels = pdf[0].get_pixmap(dpi=DPI, colorspace="gray")
    scale = DPI / 72
    spots = [(i % pixels.w, i // pixels.w) for i, value in enumerate(pixels.samples) if value < 100]
    xs, ys = [x for x, _ in spots], [y for _, y in spots]
    return Box(min(xs) / scale, min(ys) / scale, (max(xs) + 1) / scale, (max(ys) + 1) / scale)


def one_word(path: Path, *, rotation: int, frame: str, turn: int) -> None:
    """Write a page of 500 x 700 pt with nothing but a word; `frame` says what is shown of it."""
    mu = pymupdf()
    pdf = mu.open()
    live = pdf.new_page(width=500, height=700)
    live.insert_text((100, 200), "HHHHH", fontsize=20, rotate=turn)
    if frame == "cropped":
        live.set_cropbox(mu.Rect(*CROP))
    if frame == "origin elsewhere":
        pdf.xref_set_key(live.xref, "MediaBox", "[20 30 520 730]")
    live.set_rotation(rotation)
    pdf.save(path)
    pdf.close()


@pytest.mark.parametrize("turn", [0, 90, 270])
@pytest.mark.parametrize("frame", ["whole", "cropped", "origin elsewhere"])
@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
def test_word_is_where_it_is_seen(rotation: int, frame: str, turn: int, tmp_path: Path) -> None:
    one_word(tmp_path / "page.pdf", rotation=rotation, frame=frame, turn=turn)
    seen = dark(tmp_path / "page.pdf")
    with PdfFile(tmp_path / "page.pdf") as pdf:
        evidence = pdf.page(0).evidence
    (found,) = evidence.words
    assert found.text == "HHHHH"
    assert found.angle == (turn - rotation) % 360
    # the letters are 0.7 em high; the box goes on by 0.2 em below them, and by the white of the letters beside them
    assert found.box.grown(1).intersection(seen) == seen
    assert found.box.width - seen.width < 0.2 * 20 + 3
    assert found.box.height - seen.height < 0.2 * 20 + 3
    wide, high = (400, 500) if frame == "cropped" else (500, 700)
    assert (evidence.width, evidence.height) == ((high, wide) if rotation in (90, 270) else (wide, high))


@pytest.mark.parametrize(
    ("rotation", "orientation", "position", "start", "end"),
    [
        (0, "horizontal", 300, 80, 280),
        (90, "vertical", 400, 80, 280),
        (180, "horizontal", 400, 220, 420),
        (270, "vertical", 300, 220, 420),
    ],
)
def test_rules_turn_with_the_page(
    rotation: int, orientation: str, position: float, start: float, end: float, tmp_path: Path
) -> None:
    """A rule at y = 300 from 80 to 280 of a page of 500 x 700: turned by 90 it lies 700 - 300 from the left."""
    sheet(tmp_path / "page.pdf", rotation=rotation)
    with PdfFile(tmp_path / "page.pdf") as pdf:
        (rule,) = pdf.page(0).evidence.rules
    assert (rule.orientation, rule.thickness) == (orientation, 1)
    assert (rule.position, rule.start, rule.end) == pytest.approx((position, start, end), abs=0.01)


def test_what_the_crop_box_hides_is_not_read(tmp_path: Path) -> None:
    sheet(tmp_path / "page.pdf", crop=CROP)
    with PdfFile(tmp_path / "page.pdf") as pdf:
        evidence = pdf.page(0).evidence
    assert [w.text for w in evidence.words] == ["HHHHH"]  # the foot lies at 650, the crop box ends at 560
    (rule,) = evidence.rules
    assert (rule.position, rule.start, rule.end) == (300 - 60, 80 - 50, 280 - 50)


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
def test_found_grids_lie_where_their_rules_do(rotation: int, tmp_path: Path) -> None:
    pdf_of("+-----+-----+\n| A   | B   |\n+-----+-----+\n| C   | D   |\n+-----+-----+", tmp_path / "upright.pdf")
    with pymupdf().open(tmp_path / "upright.pdf") as pdf:
        pdf[0].set_rotation(rotation)
        pdf.save(tmp_path / "page.pdf")
    with PdfFile(tmp_path / "page.pdf") as pdf:
        handle = pdf.page(0)
        (grid,) = handle.found_grids("lines")
        # rules go on by half a character, 3 pt, past the corners at both ends: 72 x 36 pt of 78 x 36.5 pt
        assert grid.bbox.iou(Box.around(r.box for r in handle.evidence.rules)) > 0.9
        assert all(grid.bbox.contains_centre_of(w.box) for w in handle.evidence.words)


def test_image_is_told_with_its_place_and_pixels(tmp_path: Path) -> None:
    mu = pymupdf()
    pdf = mu.open()
    pixels = mu.Pixmap(mu.csGRAY, mu.IRect(0, 0, 4, 2))
    pixels.clear_with(0)
    pdf.new_page(width=500, height=700).insert_image(mu.Rect(100, 200, 300, 300), pixmap=pixels)
    pdf.save(tmp_path / "page.pdf")
    with PdfFile(tmp_path / "page.pdf") as file:
        (image,) = file.page(0).evidence.images
    assert (image.box, image.width_px, image.height_px) == (Box(100, 200, 300, 300), 4, 2)


def test_pages_carry_the_labels_that_are_printed_on_them(tmp_path: Path) -> None:
    pdf = pymupdf().open()
    for _ in range(3):
        pdf.new_page()
    pdf.set_page_labels([{"startpage": 0, "style": "r", "firstpagenum": 1}, {"startpage": 2, "prefix": "A-", "style": "D"}])
    pdf.save(tmp_path / "page.pdf")
    with PdfFile(tmp_path / "page.pdf") as file:
        assert [(h.evidence.page_num, h.evidence.label) for h in file.pages()] == [(1, "i"), (2, "ii"), (3, "A-1")]


def test_page_without_labels_has_none(tmp_path: Path) -> None:
    sheet(tmp_path / "page.pdf")
    with PdfFile(tmp_path / "page.pdf") as file:
        assert file.page(0).evidence.label is None


# ---- damage ---------------------------------------------------------------------------------------------------------


class Torn:
    """A page of which nothing but the size can be read."""

    rect = type("Rect", (), {"width": 500.0, "height": 700.0})()

    def __getattr__(self, name: str) -> Any:
        def read(*_: object, **__: object) -> Any:
            raise RuntimeError(f"no {name}")

        return read


def test_page_that_cannot_be_read_gives_warnings_and_no_exception() -> None:
    evidence = _read_evidence(Torn(), 4)
    assert (evidence.page_num, evidence.width, evidence.words, evidence.rules, evidence.images) == (5, 500.0, (), (), ())
    assert evidence.label is None
    assert [w.partition(" could")[0] for w in evidence.warnings] == [
        "the text of the page",
        "the graphics of the page",
        "the images of the page",
    ]
    assert all("RuntimeError: no get_" in w for w in evidence.warnings)


def test_page_with_a_broken_stream_leaves_the_others_whole(tmp_path: Path) -> None:
    pdf = pymupdf().open()
    for text in ("first", "second"):
        pdf.new_page().insert_text((72, 72), text)
    pdf.update_stream(pdf[0].get_contents()[0], b"BT /helv 11 Tf (unclosed [ 1 2 << q q q \xff\xfe Do ET")
    pdf.save(tmp_path / "page.pdf")
    with PdfFile(tmp_path / "page.pdf") as file:
        pages = [h.evidence for h in file.pages()]
    assert pages[0].rules == ()
    assert [w.text for w in pages[1].words] == ["second"]


# ---- turning --------------------------------------------------------------------------------------------------------

thousandths = st.integers(0, 400_000).map(lambda n: n / 1000)
boxes = st.tuples(thousandths, thousandths, thousandths, thousandths).map(Box.of)


@given(boxes, st.sampled_from([0, UPWARDS, DOWNWARDS]))
def test_turning_there_and_back_gives_the_same_box(box: Box, angle: int) -> None:
    assert displayed(upright(box, angle, 400, 600), angle, 400, 600) == box


@given(boxes, st.sampled_from([UPWARDS, DOWNWARDS]))
def test_turned_box_lies_on_the_turned_page_with_its_sides_swapped(box: Box, angle: int) -> None:
    turned_box = upright(box, angle, 400, 600)
    assert Box(0, 0, 600, 400).intersection(turned_box) == turned_box
    assert (turned_box.width, turned_box.height) == pytest.approx((box.height, box.width))


def test_text_upwards_is_upright_after_turning() -> None:
    """A word at the left edge, read from bottom to top: in the turned view its first letter is left, its line at the top."""
    up = Word("ab", Box(20, 480, 29, 492), 27, 10, "Times", UPWARDS, 0, 0)
    seen = turned(PageEvidence(0, 400, 600, (up,), (down(30, 100, 500),), (), (), ()), UPWARDS)
    (found,) = seen.words
    assert (seen.width, seen.height) == (600, 400)
    assert (found.box, found.baseline, found.angle) == (Box(600 - 492, 20, 600 - 480, 29), 27, 0)
    (rule,) = seen.rules
    assert (rule.orientation, rule.position, rule.start, rule.end) == ("horizontal", 30, 600 - 500, 600 - 100)


def test_turned_view_holds_only_the_words_of_its_direction() -> None:
    both = page()
    level, up = word("level", 10, 100), word("up", 10, 200, angle=UPWARDS)
    view = turned(PageEvidence(0, both.width, both.height, (level, up), (across(50, 10, 90),), (), (), ()), UPWARDS)
    assert [w.text for w in view.words] == ["up"]
    assert len(view.rules) == 1


@pytest.mark.parametrize("angle", [UPWARDS, DOWNWARDS])
def test_sideways_lines_of_a_pdf_read_from_top_to_bottom_when_turned(angle: int, tmp_path: Path) -> None:
    pdf = pymupdf().open()
    live = pdf.new_page(width=400, height=600)
    for i, text in enumerate(("first", "second", "third")):
        x = 100 + 20 * i if angle == UPWARDS else 300 - 20 * i
        live.insert_text((x, 300), text, fontsize=10, rotate=angle)
    pdf.save(tmp_path / "page.pdf")
    with PdfFile(tmp_path / "page.pdf") as file:
        view = turned(file.page(0).evidence, angle)
    words = sorted(view.words, key=lambda w: w.baseline)
    assert [w.text for w in words] == ["first", "second", "third"]
    assert [round(w.baseline - words[0].baseline) for w in words] == [0, 20, 40]
    assert len({round(w.box.x0) for w in words}) == 1
    for found in words:
        assert found.box.y1 - found.baseline == pytest.approx(2, abs=0.01)  # 0.2 em below the line
        assert [c.text for c in sorted(found.chars, key=lambda c: c.box.x0)] == list(found.text)
