"""Faults planted in captions, headings, references and prose are seen; a sound reading has none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from kinds_samples import failed, ice_table, plants, pond, pond_paper, pond_truth, retold, the_fault, without

from variorum.document import Document
from variorum.evaluation.calibration_truth import TrueEntry, TrueFigure
from variorum.stress.kinds import captions, readable, structure, text_truth
from variorum.stress.kinds.captions_read import parted
from variorum.stress.kinds.numbering import left_out
from variorum.stress.model import Severity

KINDS = [kind.name for kind in (*captions.KINDS, *structure.KINDS, *text_truth.KINDS, *readable.KINDS)]


def without_the_figure() -> Document:
    """Return the paper whose figure was not read: its caption stands in the text and belongs to nothing."""
    read = replace(pond_paper(), figures=())
    return retold(read, "cap-2", target=None)


def other_caption(name: str, words: str) -> Document:
    read = pond_paper()
    figures = tuple(replace(f, caption=replace(f.caption, text=words)) for f in read.figures if f.caption is not None)
    return replace(retold(read, name, text=words), figures=figures)


@pytest.mark.parametrize("kind", KINDS)
def test_a_sound_paper_has_no_fault(kind: str) -> None:
    assert failed(kind, pond()) == []


# ---- captions -------------------------------------------------------------------------------------------------------


@plants("caption found")
def test_a_caption_that_was_cut_is_seen() -> None:
    fault = the_fault("caption found", pond(other_caption("cap-2", "Figure 1: Days until the")))
    assert fault.name == "figure 1"
    assert fault.detail == "expected “Days until the thaw of each pond.”, found “Days until the”"


@plants("figure found", "figure count", "orphan caption")
def test_a_figure_that_was_not_read_is_missed_by_all_who_look() -> None:
    subject = pond(without_the_figure())
    assert the_fault("figure found", subject).name == "figure 1"
    assert the_fault("orphan caption", subject).name == "Figure 1"
    assert the_fault("figure count", subject).detail == "expected 1, found 0; not read: figure 1"
    assert failed("caption found", subject) == []


def test_a_table_that_was_not_read_leaves_its_caption_alone() -> None:
    read = retold(replace(pond_paper(), tables=()), "cap-1", target=None)
    assert the_fault("orphan caption", pond(read, is_known=False)).component == "cap-1"
    assert the_fault("table count", pond(read, is_known=False)).detail == "captions name 1, 0 were read; not read: 1"


def test_a_figure_whose_page_draws_nothing_is_minor(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(captions, "draws_nothing", lambda subject, page: True)
    for kind in ("figure found", "orphan caption", "figure count"):
        fault = the_fault(kind, pond(without_the_figure()), Severity.MINOR)
        assert kind == "figure count" or fault.detail.endswith("the page draws no picture")


def test_a_pdf_of_text_alone_draws_nothing_and_one_with_a_picture_does(tmp_path: Path) -> None:
    import pymupdf

    from variorum.stress.kinds.page_pictures import draws_nothing

    bare, drawn = pymupdf.open(), pymupdf.open()
    for pdf in (bare, drawn):
        page = pdf.new_page()
        page.insert_text((72, 300), "Figure 1: Days until the thaw.")
    page.draw_circle((200, 200), 40, fill=(0, 0, 1))
    found = []
    for name, pdf in (("bare.pdf", bare), ("drawn.pdf", drawn)):
        pdf.save(tmp_path / name)
        truth = pond_truth(sources={"pdf": tmp_path / name})
        found.append(draws_nothing(pond(truth=truth), 1))
    assert found == [True, False]
    assert not draws_nothing(pond(truth=pond_truth(sources={"pdf": tmp_path / "none.pdf"})), 1)
    assert not draws_nothing(pond(), 1)


@plants("caption missing")
def test_a_table_without_the_caption_that_others_have_is_seen() -> None:
    bare = replace(ice_table(), id="tab-2", caption=None, number=None)
    fault = the_fault("caption missing", pond(pond_paper(ice_table(), bare)), Severity.MINOR)
    assert fault.component == "tab-2"


def test_a_table_may_go_without_a_caption_where_one_of_the_truth_has_none() -> None:
    bare = replace(ice_table(), id="tab-2", caption=None, number=None)
    (known,) = pond_truth().tables
    truth = pond_truth(tables=(known, replace(known, table_id="T2", caption="")))
    assert failed("caption missing", pond(pond_paper(ice_table(), bare), truth)) == []


@plants("table count")
def test_one_table_too_many_is_counted() -> None:
    more = replace(ice_table(), id="tab-2", caption=None, number=None)
    assert the_fault("table count", pond(pond_paper(ice_table(), more))).detail == "expected 1, found 2"


def test_a_figure_read_twice_is_counted_once() -> None:
    read = pond_paper()
    (own,) = read.figures
    assert own.caption is not None
    again = replace(own, id="fig-9", caption=replace(own.caption, text="Figure 1: Days until the thaw of each."))
    assert "read twice: 1" in the_fault("figure count", pond(replace(read, figures=(own, again)))).detail


def test_a_number_that_is_printed_twice_is_no_fault_of_the_reading() -> None:
    read = pond_paper()
    (own,) = read.figures
    assert own.caption is not None
    other = replace(own, id="fig-9", caption=replace(own.caption, text="Figure 1: Wind over the ponds by hour of the day."))
    assert failed("figure count", pond(replace(read, figures=(own, other)))) == []


def test_a_true_caption_that_lost_a_sentence_itself_is_the_beginning_of_what_was_read() -> None:
    truth = pond_truth(figures=(TrueFigure(number="1", caption="Days until the thaw. ."),))
    assert failed("caption found", pond(truth=truth)) == []


@plants("numbering gap")
def test_a_number_that_is_left_out_is_named() -> None:
    table = replace(ice_table(), number="3")
    assert table.caption is not None
    third = replace(table, caption=replace(table.caption, text="Table 3: Ice by pond and month.", number="3"))
    fault = the_fault("numbering gap", pond(pond_paper(third), is_known=False))
    assert (fault.name, fault.detail) == ("tables", "not there: 2")  # the caption of Table 1 is still in the text


def test_a_gap_of_sections_is_minor() -> None:
    read = retold(pond_paper(), "sec-3", number="3", text="3 Results")
    assert the_fault("numbering gap", pond(read), Severity.MINOR).name == "sections"


@pytest.mark.parametrize(
    ("numbers", "gaps"),
    [
        (("1", "2", "4"), ["3"]),
        (("2", "3"), ["1"]),
        (("I", "III"), ["2"]),
        (("A.1", "A.3"), ["A.2"]),
        (("1", "2", "A3", "A4"), []),
        (("3a", "3b", "1", "2"), []),
    ],
)
def test_numbers_that_are_left_out(numbers: Sequence[str], gaps: Sequence[str]) -> None:
    assert left_out(numbers) == gaps


def test_a_year_beside_a_formula_is_no_number_of_the_series_and_a_part_of_a_paper_may_begin_anywhere() -> None:
    assert left_out(("(1)", "(2)", "(2019)"), may_stray=True) == []
    assert left_out(("7", "9"), from_first=True) == ["8"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Table 3: Ice.", ("table", "3", "Ice.")),
        ("TABLE IV\nIce by pond", ("table", "IV", "Ice by pond")),
        ("Fig. A.1. Days", ("figure", "A.1", "Days")),
        ("Supplementary Figure S2 | Days", ("figure", "S2", "Days")),
        ("Tabular data are kept.", (None, "", "Tabular data are kept.")),
    ],
)
def test_a_caption_is_parted_into_label_number_and_text(text: str, said: tuple[object, ...]) -> None:
    assert parted(text) == said


# ---- sections and headings ------------------------------------------------------------------------------------------


@plants("sections found")
def test_a_paper_without_sections_is_seen() -> None:
    read = pond_paper()
    bare = replace(read, sections=tuple(replace(s, heading=None) for s in read.sections))
    the_fault("sections found", pond(bare), Severity.MINOR)
    the_fault("sections found", pond(bare, is_known=False), Severity.MINOR)


@plants("abstract found")
def test_an_abstract_that_was_cut_or_not_found_is_seen() -> None:
    short = retold(pond_paper(), "par-1", text="We measured how thick the ice of forty ponds became in one winter.")
    assert "of its letters were read" in the_fault("abstract found", pond(short), Severity.MINOR).detail
    read = pond_paper()
    lost = replace(read, sections=tuple(replace(s, label="unknown") if s.label == "abstract" else s for s in read.sections))
    assert the_fault("abstract found", pond(lost), Severity.MINOR).detail == "no section of the text is an abstract"
    unknown = the_fault("abstract found", pond(lost, is_known=False), Severity.MINOR)
    assert unknown.detail == "“Abstract” is not taken for the abstract"


@plants("heading found")
def test_a_heading_that_was_read_as_text_is_seen() -> None:
    fault = the_fault("heading found", pond(retold(pond_paper(), "sec-4", kind="paragraph", level=None)), Severity.MINOR)
    assert fault.name == "“Days until the thaw”"


@plants("heading level")
def test_a_heading_of_the_wrong_level_is_seen() -> None:
    truth = pond_truth()
    more = (*truth.headings, truth.headings[0].__class__(level=2, text="References"))
    read = retold(pond_paper(), "sec-5", level=1)
    fault = the_fault("heading level", pond(read, pond_truth(headings=more)), Severity.MINOR)
    assert "found" in fault.detail


@plants("heading invented")
def test_a_paragraph_taken_for_a_heading_is_seen() -> None:
    fault = the_fault("heading invented", pond(retold(pond_paper(), "par-3", kind="heading", level=1)), Severity.MINOR)
    assert fault.component == "par-3"


def test_a_numbered_heading_that_the_truth_lacks_is_none_of_the_readings_faults() -> None:
    truth = pond_truth(headings=pond_truth().headings[:2])
    assert failed("heading invented", pond(pond_paper(), truth)) == []


# ---- equations, references, citations -------------------------------------------------------------------------------


@plants("equation number")
def test_an_equation_that_lost_its_number_is_seen() -> None:
    assert the_fault("equation number", pond(retold(pond_paper(), "eq-1", number=None)), Severity.MINOR).name == "equation (1)"


@plants("reference")
def test_an_entry_that_was_lost_and_one_that_was_read_otherwise_are_seen() -> None:
    lost = the_fault("reference", pond(without(pond_paper(), "ref-2")), Severity.MINOR)
    assert lost.detail.endswith("is no entry of the reading")
    cut = retold(pond_paper(), "ref-2", text="Bo Thaw. On days without frost and what they do to ice.")
    assert the_fault("reference", pond(cut), Severity.MINOR).detail.endswith("was read otherwise")


def test_an_entry_known_by_its_parts_is_found_however_it_is_printed() -> None:
    parts = TrueEntry(
        id="bib1", text="Frost Ada x y z", title="How ponds freeze from their edges to the middle", year="2019", doi=""
    )
    assert failed("reference", pond(truth=pond_truth(entries=(parts,)))) == []
    other = replace(parts, year="1984")
    assert [a.name for a in failed("reference", pond(truth=pond_truth(entries=(other,))))] == ["entry “bib1”"]


@plants("citation")
def test_a_citation_that_leads_to_another_entry_is_seen() -> None:
    read = pond_paper()
    wrong = replace(read, citations=tuple(replace(c, targets=("ref-1",)) for c in read.citations))
    fault = the_fault("citation", pond(wrong), Severity.MINOR)
    assert (fault.name, fault.detail) == ("entry “bib2”", "cited 1 times, 0 times as read")


def test_citations_in_tables_and_marks_that_the_print_leaves_open_are_no_faults() -> None:
    read = replace(pond_paper(), citations=pond_paper().citations[:1])
    assert len(failed("citation", pond(read))) == 1
    assert failed("citation", pond(read, pond_truth(cited_in_tables=("bib2",)))) == []
    (first,) = read.citations
    opened = replace(read, citations=(first, replace(first, text="[?]", targets=())))
    assert failed("citation", pond(opened)) == []


# ---- prose ----------------------------------------------------------------------------------------------------------


@plants("readable text")
def test_prose_that_cannot_be_read_is_told_with_its_page() -> None:
    fault = the_fault(
        "readable text", pond(retold(pond_paper(), "par-3", text="Most of the pon\ufffds froze.")), Severity.MINOR
    )
    assert fault.page == 1
    assert "par-3" in fault.detail


def test_addresses_and_formulas_are_no_words_run_together() -> None:
    words = "https://example.org/a/very/long/address/that/is/no/word/at/all.html"
    assert failed("readable text", pond(retold(pond_paper(), "par-3", text=words))) == []


def test_figures_without_a_number_are_told_by_their_captions() -> None:
    truth = pond_truth(figures=(TrueFigure(number="", caption="Days until the thaw of each pond."),))
    assert [failed(kind, pond(truth=truth)) for kind in ("figure found", "caption found")] == [[], []]
