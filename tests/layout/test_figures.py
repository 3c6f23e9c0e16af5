"""Figures: which pictures belong to which caption, what is inside a figure, and what is none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from printed import printed_column, printed_line

from variorum.geometry import Box
from variorum.layout.figures import Figures, find_figures
from variorum.layout.model import PagePrint, PaperPrint, PrintCaption, PrintLine
from variorum.page.model import Rule

PROSE = "The drugs were given for a week to all of the patients of both groups\n" * 4


def sheet(
    lines: Sequence[PrintLine],
    captions: Sequence[PrintCaption] = (),
    *,
    images: Sequence[Box] = (),
    drawings: Sequence[Box] = (),
    fills: Sequence[Box] = (),
    rules: Sequence[Rule] = (),
    page_index: int = 0,
) -> PagePrint:
    """Return a page of 600 x 800 pt; the lines get their positions as numbers."""
    return PagePrint(
        page_index=page_index,
        width=600.0,
        height=800.0,
        label=None,
        lines=tuple(replace(line, index=i, page_index=page_index) for i, line in enumerate(lines)),
        captions=tuple(captions),
        rules=tuple(rules),
        images=tuple((box, 100, 100) for box in images),
        drawings=tuple(drawings),
        fills=tuple(fills),
        space_em=0.25,
    )


def caption(line: PrintLine, position: int, number: str, kind: str = "figure") -> PrintCaption:
    return PrintCaption(kind, kind.capitalize(), number, line.plain, line.box, (position,))


def found(page: PagePrint, tables: Sequence[Box] = ()) -> Figures:
    return find_figures(PaperPrint((page,)), {0: tables})


def captioned(number: str, baseline: float, x0: float = 72.0) -> PrintLine:
    return printed_line(f"Figure {number}: The course.", x0=x0, baseline=baseline)


def numbers(figures: Figures) -> list[str | None]:
    return [f.caption.number if f.caption else None for f in figures.figures]


def test_picture_above_its_caption_is_a_figure() -> None:
    line = captioned("1", 320)
    page = sheet([line, *printed_column(PROSE, top=400)], [caption(line, 0, "1")], images=[Box(80, 100, 300, 300)])
    (figure,) = found(page).figures
    assert (figure.kind, figure.caption, figure.box) == ("raster", page.captions[0], Box(80, 100, 300, 300))
    assert found(page).orphans == ()


def test_caption_without_a_picture_is_an_orphan() -> None:
    line = captioned("1", 320)
    page = sheet([line, *printed_column(PROSE, top=400)], [caption(line, 0, "1")])
    assert found(page) == Figures((), ((0, page.captions[0]),))


def test_two_captions_side_by_side_keep_their_own_pictures() -> None:
    left, right = captioned("1", 320), captioned("2", 320, x0=320)
    captions = [caption(left, 0, "1"), caption(right, 1, "2")]
    pictures = [Box(80, 100, 250, 300), Box(330, 100, 500, 300)]
    page = sheet([left, right, *printed_column(PROSE, top=400)], captions, images=pictures)
    assert [(f.box, f.caption) for f in found(page).figures] == list(zip(pictures, captions, strict=True))


def test_pictures_whose_frames_touch_are_parted_among_the_captions_side_by_side() -> None:
    left, right = captioned("1", 320), captioned("2", 320, x0=320)
    captions = [caption(left, 0, "1"), caption(right, 1, "2")]
    frames = [Box(72, 100, 291, 300), Box(290, 100, 510, 300)]
    curves = [Box(90, 140, 270, 260), Box(310, 140, 490, 260)]
    labels = [printed_line("0.5", x0=x0, baseline=130, size=7) for x0 in (278, 293)]
    page = sheet([left, right, *labels, *printed_column(PROSE, top=400)], captions, drawings=[*frames, *curves])
    assert [(f.box, f.caption) for f in found(page).figures] == list(zip(frames, captions, strict=True))
    assert [f.lines for f in found(page).figures] == [((0, 2),), ((0, 3),)]


def test_pictures_are_parted_among_the_captions_above_them_too() -> None:
    left, right = captioned("1", 90), captioned("2", 90, x0=320)
    captions = [caption(left, 0, "1"), caption(right, 1, "2")]
    frames = [Box(72, 100, 291, 300), Box(290, 100, 510, 300)]
    page = sheet([left, right, *printed_column(PROSE, top=400)], captions, drawings=frames)
    assert [(f.box, f.caption) for f in found(page).figures] == list(zip(frames, captions, strict=True))


def test_picture_with_a_mark_over_both_captions_stays_whole() -> None:
    left, right = captioned("1", 320), captioned("2", 320, x0=320)
    page = sheet(
        [left, right, *printed_column(PROSE, top=40)],
        [caption(left, 0, "1"), caption(right, 1, "2")],
        drawings=[Box(72, 100, 510, 300), Box(90, 140, 270, 260)],
    )
    assert [f.box for f in found(page).figures] == [Box(72, 100, 510, 300)]


def noted(note_size: float, picture_top: float) -> Figures:
    """Return the figures of a page with a caption, two lines of a note below it, and a picture below the note."""
    line = captioned("1", 100)
    note = printed_column(PROSE, top=114, size=note_size)[:2]
    picture = Box(72, picture_top, 400, picture_top + 200)
    text = printed_column(PROSE, top=600)
    return found(sheet([line, *note, *text], [caption(line, 0, "1")], images=[picture]))


def test_note_in_smaller_type_under_a_caption_does_not_part_it_from_its_picture() -> None:
    figures = noted(8, 130)
    assert numbers(figures) == ["1"]
    assert figures.figures[0].lines == ()  # the note stays text


def test_text_under_a_caption_that_leads_to_no_picture_or_is_no_smaller_parts_them() -> None:
    assert [c.number for figures in (noted(8, 160), noted(10, 135)) for _, c in figures.orphans] == ["1", "1"]


def test_two_figures_one_below_the_other_are_parted_by_the_caption_between_them() -> None:
    upper, lower = captioned("1", 215), captioned("2", 335)
    captions = [caption(upper, 0, "1"), caption(lower, 1, "2")]
    page = sheet(
        [upper, lower, *printed_column(PROSE, top=400)], captions, images=[Box(72, 100, 300, 205), Box(72, 221, 300, 325)]
    )
    assert [(f.box.y0, f.caption) for f in found(page).figures] == [(100, captions[0]), (221, captions[1])]


def test_pictures_that_no_text_parts_are_one_figure_of_their_caption() -> None:
    line = captioned("1", 420)
    page = sheet(
        [line], [caption(line, 0, "1")], images=[Box(80, 100, 250, 200), Box(80, 300, 250, 400), Box(330, 100, 500, 400)]
    )
    (figure,) = found(page).figures
    assert figure.box == Box(80, 100, 500, 400)


def test_text_between_a_picture_and_a_caption_keeps_them_apart() -> None:
    line = captioned("1", 400)
    page = sheet([*printed_column(PROSE, top=310), line], [caption(line, 4, "1")], images=[Box(80, 100, 300, 300)])
    assert numbers(found(page)) == []  # on the first page, above all text: a logo
    assert [c.number for _, c in found(page).orphans] == ["1"]


def test_labels_of_a_picture_are_its_lines_and_the_text_below_is_not() -> None:
    line = captioned("1", 340)
    inside = printed_line("dose", x0=150, baseline=150, size=7.0, font="Sans")
    tick = printed_line("0.5", x0=60, baseline=200, size=7.0, font="Sans")
    axis = printed_line("Time in days", x0=150, baseline=312, size=7.0, font="Sans")
    lines = [inside, tick, axis, line, *printed_column(PROSE, top=365)]
    page = sheet(lines, [caption(line, 3, "1")], drawings=[Box(80, 100, 300, 300)])
    (figure,) = found(page).figures
    assert figure.kind == "vector"
    assert figure.lines == ((0, 0), (0, 1), (0, 2))
    assert figure.box == Box(60, 100, 300, axis.box.y1)


def test_claimed_lines_stay_where_they_belong() -> None:
    line, inside = captioned("1", 320), printed_line("7", x0=150, baseline=150, size=7.0)
    page = sheet([line, inside, *printed_column(PROSE, top=400)], [caption(line, 0, "1")], images=[Box(80, 100, 300, 300)])
    (figure,) = find_figures(PaperPrint((page,)), {}, frozenset({(0, 1)})).figures
    assert figure.lines == ()


def test_picture_beside_running_text_does_not_swallow_it() -> None:
    line = captioned("1", 320, x0=430)
    text = printed_column(PROSE, top=200)
    page = sheet([line, *text], [caption(line, 0, "1")], images=[Box(425, 100, 560, 300)])
    (figure,) = found(page).figures
    assert figure.lines == ()


def test_shading_and_highlights_under_text_are_no_pictures() -> None:
    lines = printed_column(PROSE, top=200)
    page = sheet(lines, fills=[Box(60, 180, 500, 260), lines[0].box])
    assert found(page).figures == ()


def test_rules_of_a_head_are_no_picture() -> None:
    line = captioned("1", 320)
    page = sheet([line], [caption(line, 0, "1")], rules=[Rule("horizontal", 100, 60, 540, 0.5)])
    assert numbers(found(page)) == []


def test_what_stands_in_the_same_place_on_the_pages_is_furniture() -> None:
    logo = Box(20, 10, 170, 70)
    pages = tuple(sheet(printed_column(PROSE, top=200), images=[logo], page_index=i) for i in range(4))
    assert find_figures(PaperPrint(pages), {}).figures == ()


def test_picture_of_a_tables_or_an_algorithms_caption_is_no_figure() -> None:
    for kind in ("table", "algorithm"):
        line = captioned("1", 90)
        page = sheet([line, *printed_column(PROSE, top=400)], [caption(line, 0, "1", kind)], drawings=[Box(80, 100, 300, 300)])
        assert found(page) == Figures((), ())


def test_picture_without_a_caption_is_a_figure_without_one() -> None:
    page = sheet(printed_column(PROSE, top=100), images=[Box(80, 200, 300, 400)])
    assert numbers(found(page)) == [None]


def test_icon_without_a_caption_is_none() -> None:
    page = sheet(printed_column(PROSE, top=100), images=[Box(80, 200, 92, 212)])
    assert found(page).figures == ()


def test_what_was_read_as_a_table_inside_a_picture_is_a_part_of_the_figure() -> None:
    line, table = captioned("1", 320), Box(90, 110, 290, 290)
    words = [printed_line("0.5  0.7", x0=100, baseline=120 + 20 * i, size=7.0) for i in range(8)]
    page = sheet([line, *words, *printed_column(PROSE, top=400)], [caption(line, 0, "1")], fills=[Box(80, 100, 300, 300)])
    (figure,) = found(page, [table]).figures
    assert (figure.tables, figure.is_data_table) == ((table,), True)


def test_table_with_a_caption_of_its_own_is_no_part_of_a_figure() -> None:
    line, other = captioned("1", 320), printed_line("Table 1: Effects.", baseline=345)
    table = Box(72, 355, 300, 420)
    captions = [caption(line, 0, "1"), caption(other, 1, "1", "table")]
    rules = [Rule("horizontal", 356, 72, 300, 0.5), Rule("vertical", 100, 356, 420, 0.5)]
    page = sheet([line, other], captions, images=[Box(80, 100, 300, 300)], rules=rules)
    (figure,) = found(page, [table]).figures
    assert (figure.box, figure.tables) == (Box(80, 100, 300, 300), ())


def test_text_in_a_frame_with_a_caption_is_a_figure() -> None:
    line, inside = captioned("1", 320), printed_column(PROSE, top=240)
    page = sheet([*inside, line, *printed_column(PROSE, top=400)], [caption(line, 4, "1")], fills=[Box(60, 220, 500, 300)])
    (figure,) = found(page).figures
    assert figure.lines == tuple((0, i) for i in range(4))


def test_parts_with_labels_are_panels() -> None:
    line = captioned("1", 340)
    labels = [printed_line("(a) before", x0=140, baseline=315), printed_line("(b) after", x0=390, baseline=315)]
    pictures = [Box(80, 100, 250, 300), Box(330, 100, 500, 300)]
    page = sheet([*labels, line, *printed_column(PROSE, top=400)], [caption(line, 2, "1")], images=pictures)
    (figure,) = found(page).figures
    assert [(label, box.x0, box.x1) for label, box in figure.panels] == [("a", 80, 250), ("b", 330, 500)]
    assert figure.lines == ((0, 0), (0, 1))


def test_one_picture_with_labels_is_parted_evenly() -> None:
    line = captioned("1", 340)
    labels = [printed_line("(a)", x0=165, baseline=315, size=7.0), printed_line("(b)", x0=385, baseline=315, size=7.0)]
    page = sheet([*labels, line], [caption(line, 2, "1")], images=[Box(80, 100, 500, 300)])
    (figure,) = found(page).figures
    assert [(label, box.x0, box.x1) for label, box in figure.panels] == [("a", 80, 290), ("b", 290, 500)]


def test_paper_without_text_has_no_figures() -> None:
    assert find_figures(PaperPrint((sheet([]),)), {}) == Figures((), ())
