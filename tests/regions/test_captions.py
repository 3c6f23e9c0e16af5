"""Captions: what counts as a label, where a caption ends, and that a sentence about a table is none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import pytest
from pictures import across, drawn, page

from variorum.page.model import PageEvidence, Word
from variorum.regions.captions import FoundCaption, find_captions

SPACE_EM = 0.6  # the drawings' single spaces


def found(evidence: PageEvidence) -> list[FoundCaption]:
    return list(find_captions(evidence, SPACE_EM))


def heads(picture: str) -> list[tuple[str, str, str]]:
    """Return kind, label and number of every caption of a drawing."""
    return [(c.kind, c.label, c.number) for c in found(page(picture))]


def restyled(words: Sequence[Word], count: int, **style: object) -> tuple[Word, ...]:
    """Return the words with the first few set in another style."""
    return tuple(replace(w, **style) if i < count else w for i, w in enumerate(words))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("line", "kind", "label", "number"),
    [
        ("Table 1: Effects of the drugs.", "table", "Table", "1"),
        ("Table 1. Effects of the drugs.", "table", "Table", "1"),
        ("Table 12 \u2014 Effects.", "table", "Table", "12"),
        ("TABLE IV. Effects.", "table", "TABLE", "IV"),
        ("Table A.1: Effects.", "table", "Table", "A.1"),
        ("Table S1. Effects.", "table", "Table", "S1"),
        ("Table B-2: Effects.", "table", "Table", "B-2"),
        ("Table 3.2: Effects.", "table", "Table", "3.2"),
        ("Table 2a: Effects.", "table", "Table", "2a"),
        ("Table A: Effects.", "table", "Table", "A"),
        ("Tab. 3: Effects.", "table", "Tab.", "3"),
        ("Table 3 | Effects.", "table", "Table", "3"),
        ("Tabelle 3: Wirkung.", "table", "Tabelle", "3"),
        ("Tableau 3: Effets.", "table", "Tableau", "3"),
        ("Figure 2: The curve.", "figure", "Figure", "2"),
        ("Fig. 2. The curve.", "figure", "Fig.", "2"),
        ("Figure A.1: The curve.", "figure", "Figure", "A.1"),
        ("FIGURE 2. The curve.", "figure", "FIGURE", "2"),
        ("Abbildung 2: Die Kurve.", "figure", "Abbildung", "2"),
        ("Algorithm 1: The steps.", "algorithm", "Algorithm", "1"),
    ],
)
def test_label_and_number_are_read(line: str, kind: str, label: str, number: str) -> None:
    assert heads(line) == [(kind, label, number)]


def test_label_glued_to_its_number_is_read() -> None:
    assert heads("Table\u00a01: Effects.".replace(" ", " ")) == [("table", "Table", "1")]
    assert heads("Fig.2: The curve.") == [("figure", "Fig.", "2")]


def test_label_on_its_own_line_takes_the_text_below_it() -> None:
    (caption,) = found(page("Table 1\nEffects of the drugs."))
    assert (caption.number, caption.text) == ("1", "Table 1 Effects of the drugs.")


def test_continued_table_is_a_caption_of_the_same_number() -> None:
    assert heads("Table 1: (continued)") == [("table", "Table", "1")]


@pytest.mark.parametrize(
    "line",
    [
        "Table of contents",
        "Tables are read by a vote.",
        "tables 1 and 2 show the effects.",
        "The effects are in Table 1: all of them.",
        "Figures of speech",
        "Tabular data: 3 rows.",
        "1 Table: effects",
    ],
)
def test_words_that_open_no_caption(line: str) -> None:
    assert heads(line) == []


def test_sentence_inside_a_paragraph_is_no_caption() -> None:
    """It stands at the beginning of a line, in the paragraph's own type, and goes on with a verb."""
    picture = """
The drugs were given for a week, as before.
Table 3 shows the effects of all of them on
the patients of both groups.
"""
    assert heads(picture) == []


def test_sentence_that_opens_a_paragraph_is_no_caption() -> None:
    assert heads("Table 3 shows the effects of all of them\non the patients of both groups.") == []


def test_label_without_a_sign_behind_it_is_one_when_it_opens_a_block_with_a_capital() -> None:
    assert heads("Table 3 Effects of the drugs") == [("table", "Table", "3")]


@pytest.mark.parametrize("style", [{"font": "Times-Bold"}, {"size": 8.0}], ids=["bold", "small capitals"])
def test_label_in_other_type_is_one_even_inside_a_block(style: dict[str, object]) -> None:
    evidence = page("Running text above it.\nTable 3 shows drugs and their effects")
    inside = restyled([w for w in evidence.words if w.text in ("Table", "3")], 2, **style)
    words = tuple({w.box: w for w in (*evidence.words, *inside)}.values())
    assert [c.number for c in found(replace(evidence, words=words))] == ["3"]


def test_caption_goes_on_over_its_lines() -> None:
    (caption,) = found(page("Table 1: Effects of the drugs on all of\nthe patients, by group."))
    assert caption.text == "Table 1: Effects of the drugs on all of the patients, by group."
    assert len(caption.words) == 13
    assert (caption.box.y0, caption.box.y1) == (100 + 2, 100 + 14 + 11)


def test_numbers_of_lines_in_the_margin_are_none_of_the_caption_and_do_not_end_it() -> None:
    evidence = page("Table 1: Effects of the        436\ndrugs that were given.        437")
    words = (replace(w, line=-w.line - 1) if w.text.isdigit() else w for w in evidence.words)
    (caption,) = found(replace(evidence, words=tuple(words)))
    assert caption.text == "Table 1: Effects of the drugs that were given."


def test_caption_ends_at_a_rule() -> None:
    evidence = page("Table 1: Effects of the drugs on all\nDrug and dose and day and effect and so")
    assert len(found(evidence)[0].words) == 17
    ruled = replace(evidence, rules=(across(100 + 14, 60, 300),))
    assert found(ruled)[0].text == "Table 1: Effects of the drugs on all"


def test_caption_ends_at_a_line_that_white_cuts_into_columns() -> None:
    (caption,) = found(page("Table 1: Effects of the drugs.\nDrug          Dose         Effect"))
    assert caption.text == "Table 1: Effects of the drugs."


def test_caption_ends_where_the_type_changes() -> None:
    evidence = page("Figure 1: Effects of the drugs\nThe text of the paper goes on here")
    words = tuple(replace(w, size=7.0) if w.line == 0 else w for w in evidence.words)
    assert found(replace(evidence, words=words))[0].text == "Figure 1: Effects of the drugs"


def test_caption_ends_at_the_next_caption() -> None:
    texts = [c.text for c in found(page("Figure 1: The curve.\nFigure 2: The other curve."))]
    assert texts == ["Figure 1: The curve.", "Figure 2: The other curve."]


def test_captions_come_from_top_to_bottom_then_left_to_right() -> None:
    right = drawn("Table 2: Right.", left=330)
    left = drawn("Table 1: Left.")
    low = drawn("Table 3: Low.", top=500)
    assert [c.number for c in found(page(low, right, left))] == ["1", "2", "3"]


def test_sideways_words_are_for_the_turned_view() -> None:
    evidence = page("Table 1: Effects.")
    assert found(replace(evidence, words=tuple(replace(w, angle=90) for w in evidence.words))) == []


def test_page_without_words_has_no_captions() -> None:
    assert found(page("")) == []


@pytest.mark.parametrize(
    ("line", "kind", "label", "number"),
    [
        ("Supplementary Table 3: Effects.", "table", "Supplementary Table", "S3"),
        ("Supporting Figure S1. The curve.", "figure", "Supporting Figure", "S1"),
        ("Extended Data Fig. 2. The curve.", "figure", "Extended Data Fig.", "ED2"),
        ("Figure 1 (Movie). The curve.", "figure", "Figure", "1"),
    ],
)
def test_label_with_words_around_it_is_read(line: str, kind: str, label: str, number: str) -> None:
    assert heads(line) == [(kind, label, number)]


def test_label_behind_its_number_is_one_where_something_is_drawn_beside_it() -> None:
    listed = page("S1 Table. Effects of the drugs.\n\nS2 Table. Effects of the food.")
    assert found(listed) == []
    ruled = replace(page("S1 Table. Effects of the drugs."), rules=(across(100 + 20, 60, 300),))
    assert [(c.kind, c.label, c.number) for c in found(ruled)] == [("table", "Table", "S1")]


def test_sentence_that_ends_with_a_label_at_the_head_of_a_line_is_no_caption() -> None:
    picture = """
The course of all the effects is shown in
Figure 3. As was to be seen, the drugs did
not do what they were given for at first.
"""
    assert heads(picture) == []


def test_caption_below_a_row_of_a_table_is_one() -> None:
    assert heads("Alpha      12.5      3\nTable 1: Effects of the drugs.") == [("table", "Table", "1")]


def test_mathematics_in_a_block_of_its_own_does_not_end_a_caption() -> None:
    evidence = page("Figure 1: The course of the effects at\nalpha or beta of the first group, and\nthose of the others.")
    words = tuple(replace(w, block=w.block + 1 + i) if w.line == 1 else w for i, w in enumerate(evidence.words))
    (caption,) = found(replace(evidence, words=words))
    assert caption.text.endswith("alpha or beta of the first group, and those of the others.")


def test_rule_within_a_line_does_not_end_a_caption() -> None:
    evidence = page("Figure 1: The course of the effects with\nthe root of alpha and beta")
    bar = across(100 + 14 + 4, 90, 110)  # as over a radicand: between the top and the foot of the second line
    assert found(replace(evidence, rules=(bar,)))[0].text.endswith("alpha and beta")


def test_bar_of_a_root_above_its_line_does_not_end_a_caption() -> None:
    evidence = page("Figure 1: The course of the effects with\nthe root √n and of beta")
    root = next(w for w in evidence.words if w.text == "√n")
    bar = across(100 + 13, root.box.x0 + 6, root.box.x1)  # in the white between the two lines
    assert found(replace(evidence, rules=(bar,)))[0].text.endswith("the root √n and of beta")
    wide = across(100 + 13, root.box.x0 + 6, root.box.x1 + 300)
    assert found(replace(evidence, rules=(wide,)))[0].text == "Figure 1: The course of the effects with"


def test_caption_of_a_part_in_a_block_of_its_own_is_none_of_the_whole() -> None:
    evidence = page("Table 5: The drugs of both groups\n(a) The first group.")
    assert found(evidence)[0].text.endswith("(a) The first group.")
    words = tuple(replace(w, block=w.block + w.line) for w in evidence.words)
    (caption,) = found(replace(evidence, words=words))
    assert caption.text == "Table 5: The drugs of both groups"
    assert [w.text for w in caption.part] == ["(a)", "The", "first", "group."]


HANGING = """
Table 7:      Those who took part in the courses
              of the first of the years
Total and     some more of it
"""


def apart(picture: str) -> PageEvidence:
    """Return a drawing in which white as wide as a tab cuts a line of the PDF in two."""
    evidence = page(picture)
    line, words = 0, [evidence.words[0]]
    for last, word in pairwise(evidence.words):
        line += word.line != last.line or word.box.x0 - last.box.x1 > 2 * word.size
        words.append(replace(word, line=line))
    return replace(evidence, words=tuple(words))


def test_label_before_a_hanging_indent_takes_its_title_and_what_hangs_below_it() -> None:
    (caption,) = found(apart(HANGING))
    assert caption.text == "Table 7: Those who took part in the courses of the first of the years"


def test_label_in_a_row_of_several_cells_takes_none_of_them() -> None:
    (caption,) = found(apart("Table 7:      The first cell      the second cell"))
    assert caption.text == "Table 7:"


def test_label_on_its_own_line_takes_centred_text_in_small_capitals() -> None:
    label, text = drawn("TABLE I", left=150), drawn("EFFECTS OF THE DRUGS", top=114, left=111)
    small = tuple(replace(w, size=8.0, block=1) for w in text.words)
    (caption,) = found(page(label, text._replace(words=small)))
    assert caption.text == "TABLE I EFFECTS OF THE DRUGS"


def test_label_set_as_a_heading_takes_the_title_in_smaller_type_below_it() -> None:
    label = drawn("Table 3")
    heading = label._replace(words=tuple(replace(w, size=14.0, font="Courier-Bold") for w in label.words))
    title, head = drawn("Doses of the drugs", top=116), drawn("Drug", top=138)
    (caption,) = found(page(heading, title, head))
    assert caption.text == "Table 3 Doses of the drugs"
    larger = title._replace(words=tuple(replace(w, size=14.0) for w in title.words))
    (alone,) = found(page(label, larger))
    assert alone.text == "Table 3"
