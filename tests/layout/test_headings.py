"""Which lines are headings, and of which level: claims on papers of a page or two, set by hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tests.layout.printed import BODY, line, paper, typed
from variorum.geometry import Box
from variorum.layout.headings import HeadingReading, decide_headings
from variorum.layout.model import PaperPrint, PrintLine, Run
from variorum.page.bookmarks import OutlineEntry

WIDE = 60
"""Characters that fill a line of running text: a column from x = 100 to x = 400."""


class Sheet:
    """Lines set one below the other: paragraphs of running text, headings with white around them."""

    def __init__(self) -> None:
        self.y = 100.0
        self.lines: list[PrintLine] = []

    def text(self, n: int = 4) -> Sheet:
        """Add n full lines of running text and a short one, with a small letter first, as text goes on."""
        for i in range(n):
            self.put(line(f"and so it goes on in line {chr(97 + i)} ".ljust(WIDE, "w"), y=self.y))
        return self.put(line("until the paragraph ends.", y=self.y))

    def put(self, item: PrintLine, leading: float = 12.0) -> Sheet:
        """Add a line at its own height, and go on below it."""
        self.lines.append(item)
        self.y = item.baseline + leading
        return self

    def heading(self, text: str, *, size: float = 10.0, font: str = "Serif-Bold", x: float = 100.0) -> Sheet:
        """Add a heading with a line of white above and half a line below."""
        return self.put(line(text, x=x, y=self.y + 12, size=size, font=font), leading=18.0)


def read(sheet: Sheet | Sequence[PrintLine], **outline: Sequence[OutlineEntry]) -> HeadingReading:
    lines = sheet.lines if isinstance(sheet, Sheet) else sheet
    made = replace(paper(lines), outline=tuple(outline.get("outline", ())))
    return decide_headings(made, made.pages[0].lines, BODY)


def found(reading: HeadingReading) -> list[tuple[int, str]]:
    return [(h.level, h.text) for h in reading.headings]


def test_a_bold_line_with_white_around_it_is_a_heading() -> None:
    reading = read(Sheet().heading("Results").text().heading("Discussion").text())
    assert found(reading) == [(1, "Results"), (1, "Discussion")]


def test_the_decision_names_its_voters_with_reasons() -> None:
    decision = read(Sheet().text().heading("Results").text().heading("Discussion").text()).headings[0].decision
    reasons = {vote.voter: vote.reason for vote in decision.votes}
    assert reasons["type_face"] == "bold"
    assert reasons["names"] == "parts of papers bear this name"
    assert decision.accepted
    assert decision.reason.startswith("5 of 5 voters stand for it")


def test_running_text_has_no_headings() -> None:
    assert read(Sheet().text().text()).decisions == ()


def test_numbers_give_the_levels() -> None:
    sheet = Sheet()
    for heading in ("1 First thing", "1.1 Part of it", "1.1.1 Part of the part", "1.2 Other part", "2 Second thing"):
        sheet.heading(heading).text()
    assert [h.level for h in read(sheet).headings] == [1, 2, 3, 2, 1]
    assert [h.number for h in read(sheet).headings] == ["1", "1.1", "1.1.1", "1.2", "2"]
    assert read(sheet).headings[1].title == "Part of it"


def test_a_number_of_its_own_line_belongs_to_the_heading() -> None:
    sheet = Sheet().heading("1 First thing").text()
    y = sheet.y + 12
    sheet.put(line("1.1", y=y, font="Serif-Bold")).put(line("Part of it", x=130, y=y, font="Serif-Bold"), leading=18).text()
    second = read(sheet).headings[1]
    assert (second.number, second.title, len(second.lines)) == ("1.1", "Part of it", 2)


def test_larger_type_is_a_higher_level_without_any_number() -> None:
    sheet = Sheet().heading("Great", size=14.0).text().heading("Small").text().heading("Also great", size=14.0).text()
    sheet.heading("Small again").text()
    assert [h.level for h in read(sheet).headings] == [1, 2, 1, 2]


def test_a_heading_of_two_lines_is_one() -> None:
    sheet = Sheet().text()
    sheet.put(line("A heading so long that it fills the whole of the first linee", y=sheet.y + 12, font="Serif-Bold"))
    sheet.put(line("and goes on in a second", y=sheet.y, font="Serif-Bold"), leading=18.0).text()
    (heading,) = read(sheet).headings
    assert heading.text.endswith("first linee and goes on in a second")
    assert len(heading.lines) == 2


def test_a_heading_whose_word_spaces_are_stretched_is_one() -> None:
    sheet = Sheet().heading("1 First").text().heading("Measuring, and what others reach").text()
    k = next(i for i, item in enumerate(sheet.lines) if item.plain.startswith("Measuring"))
    runs: list[Run] = []
    x = 100.0
    for text in sheet.lines[k].plain.split():
        box = replace(sheet.lines[k].box, x0=x, x1=x + 5.0 * len(text))
        runs.append(replace(sheet.lines[k].runs[0], text=text, box=box, space_before=bool(runs)))
        x = box.x1 + 3 * BODY.word_space
    stretched = replace(sheet.lines[k], runs=tuple(runs), box=replace(sheet.lines[k].box, x1=runs[-1].box.x1))
    sheet.lines[k] = stretched
    assert "Measuring, and what others reach" in [text for _, text in found(read(sheet))]


def test_two_headings_below_each_other_are_two() -> None:
    sheet = Sheet().heading("1 First thing").put(line("1.1 Part of it", y=142.0, font="Serif-Bold"), leading=18.0).text()
    sheet.heading("1.2 Other part").text()
    assert [h.number for h in read(sheet).headings] == ["1", "1.1", "1.2"]


def test_bookmarks_give_levels_and_their_shift_is_taken_away() -> None:
    outline = [OutlineEntry(1, "The paper", 0), OutlineEntry(2, "Great", 0), OutlineEntry(3, "Less great", 0)]
    reading = read(Sheet().text().heading("Great").text().heading("Less great").text(), outline=outline)
    assert [h.level for h in reading.headings] == [1, 2]


def test_bookmarks_below_their_first_sister_have_her_level() -> None:
    sheet = (
        Sheet().heading("Content", size=13.0).text().heading("Fires").text().heading("Floods").text().heading("Storms").text()
    )
    names = [(1, "Content"), (2, "Fires"), (3, "Floods"), (3, "Storms"), (1, "Experience")]
    outline = [OutlineEntry(level, name, 0) for level, name in names]
    reading = read(sheet.heading("Experience", size=13.0).text(), outline=outline)
    assert [h.level for h in reading.headings] == [1, 2, 2, 2, 1]
    (reason,) = (v.reason for v in reading.headings[2].decision.votes if v.voter == "outline")
    assert reason == "a bookmark of level 3, which is 2 among the headings, leads to “Floods” on this page"


def test_bookmarks_below_another_keep_their_level_where_the_type_tells_them_apart() -> None:
    sheet = Sheet().heading("Content", size=13.0).text().heading("Fires").text().heading("Floods", font="Serif-Italic").text()
    outline = [OutlineEntry(1, "Content", 0), OutlineEntry(2, "Fires", 0), OutlineEntry(3, "Floods", 0)]
    assert [h.level for h in read(sheet, outline=outline).headings] == [1, 2, 3]


def test_words_that_open_paragraphs_in_bold_are_headings_that_run_in() -> None:
    sheet = Sheet().heading("Methods").text()
    for name in ("Data.", "Samples."):
        sheet.put(
            typed((name, "Serif-Bold"), (" We look at these things".ljust(WIDE - len(name), "w"), "Serif"), y=sheet.y + 4)
        )
        sheet.text()
    assert found(read(sheet)) == [(1, "Methods"), (2, "Data."), (2, "Samples.")]


def test_a_heading_that_runs_in_says_how_many_runs_are_its_own() -> None:
    sheet = Sheet().heading("Methods").text()
    for name in ("First samples.", "Second samples."):
        sheet.put(
            typed((name, "Serif-Bold"), (" We look at these things".ljust(WIDE - len(name), "w"), "Serif"), y=sheet.y + 4)
        )
        sheet.text()
    runs_in = [h for h in read(sheet).headings if h.runs is not None]
    assert [(h.text, h.runs, h.level) for h in runs_in] == [("First samples.", 1, 2), ("Second samples.", 1, 2)]


def test_one_stressed_word_at_the_head_of_a_paragraph_is_no_heading() -> None:
    sheet = Sheet().heading("Methods").text()
    sheet.put(
        typed(("Never.", "Serif-Italic"), (" We look at these things".ljust(WIDE - 6, "w"), "Serif"), y=sheet.y + 4)
    ).text()
    assert [h.text for h in read(sheet).headings] == ["Methods"]


def test_theorems_are_no_headings() -> None:
    sheet = Sheet().heading("Methods").text()
    for name in ("Theorem 1.", "Theorem 2."):
        sheet.put(
            typed((name, "Serif-Bold"), (" All of this is so".ljust(WIDE - len(name), "w"), "Serif"), y=sheet.y + 4)
        ).text()
    reading = read(sheet)
    assert [h.text for h in reading.headings] == ["Methods"]
    refused = [d for d in reading.decisions if not d.accepted]
    assert {d.reason for d in refused} == {"not put to the vote: statements and algorithms begin so"}


def test_items_of_a_list_are_no_headings() -> None:
    sheet = Sheet().heading("Methods").text()
    for name in ("Slow:", "Fast:"):
        sheet.put(typed((name, "Serif-Bold"), (" it takes its time".ljust(WIDE - len(name), "w"), "Serif"), y=sheet.y + 4))
        sheet.put(line("which is indented below the label", x=120, y=sheet.y))
    assert [h.text for h in read(sheet).headings] == ["Methods"]


def test_what_stands_within_the_references_is_no_heading() -> None:
    sheet = Sheet().heading("Introduction").text().heading("References")
    for i in range(3):
        sheet.put(line(f"{i + 1}. Author, A.", y=sheet.y + 6))
    assert [h.text for h in read(sheet).headings] == ["Introduction", "References"]


def test_lines_of_a_table_of_contents_are_no_headings() -> None:
    sheet = Sheet().heading("Contents")
    for entry in ("1 First thing 2", "1.1 Part of it 2", "2 Second thing 3"):
        sheet.put(line(entry, y=sheet.y, font="Serif-Bold"))
    sheet.heading("1 First thing").text().heading("2 Second thing").text()
    assert [h.text for h in read(sheet).headings] == ["Contents", "1 First thing", "2 Second thing"]


def test_mathematics_is_no_heading() -> None:
    sheet = Sheet().heading("Methods").text().heading("E = mc", font="Serif-Italic").text()
    assert [h.text for h in read(sheet).headings] == ["Methods"]


def test_a_lone_word_appendix_joins_the_lettered_heading_below() -> None:
    sheet = Sheet().heading("1 First thing").text().heading("APPENDIX")
    sheet.put(line("A. MORE OF IT", y=sheet.y + 6, font="Serif-Bold"), leading=18.0).text()
    last = read(sheet).headings[-1]
    assert (last.text, last.number, last.level, len(last.lines)) == ("APPENDIX A. MORE OF IT", "A", 1, 2)


def test_the_layout_model_is_heard() -> None:
    sheet = Sheet().text().heading("Some odd words").text()
    made = paper(sheet.lines)
    box = next(item.box for item in sheet.lines if "odd" in item.plain)
    page = replace(made.pages[0], layout_boxes=(("section-header", Box(box.x0 - 1, box.y0 - 1, box.x1 + 1, box.y1 + 1)),))
    (heading,) = decide_headings(replace(made, pages=(page,)), page.lines, BODY).headings
    assert {v.voter: v.reason for v in heading.decision.votes}["layout_model"] == "the layout model sees a section header"


def test_the_same_paper_gives_the_same_reading() -> None:
    sheet = Sheet().heading("1 First thing").text().heading("1.1 Part of it").text()
    assert read(sheet) == read(sheet)


def test_an_empty_paper_has_no_headings() -> None:
    assert decide_headings(PaperPrint(()), (), BODY) == HeadingReading((), ())
