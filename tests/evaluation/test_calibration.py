"""Claims about calibration: what counts as right, how sure a share is, what becomes a weight, and what is refused."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.document.document_samples import caption, document_of, figure_of, table_of, text
from variorum.document import BibliographyEntry, Citation, Document, TextComponent
from variorum.errors import DamagedInputError, InputNotFoundError, SchemaError
from variorum.evaluation.calibration import Calibration, Measured, calibrate
from variorum.evaluation.calibration_measures import outcomes, same_levels, signs_of_tex
from variorum.evaluation.calibration_output import as_lines, to_data, to_toml
from variorum.evaluation.calibration_shares import Tally, share_of, wilson
from variorum.evaluation.calibration_truth import PaperTruth, papers_in, truth_of
from variorum.fusion.model import SourceKind
from variorum.fusion.tenants import load_tenant, parse_tenant

BIRDS = "Gulls and terns of the northern coast, counted from a boat. Journal of Birds 12, 2019."
FISH = "Herring in the outer fjord after the storm of the century. Fish and Fisheries 7, 2021."


def paper(folder: Path, truth: Mapping[str, Any], *sources: str) -> Path:
    """Return the folder of a paper with its truth, and empty files for its sources."""
    folder.mkdir(parents=True)
    (folder / "truth.json").write_text(json.dumps(truth), encoding="utf-8")
    for name in sources or ("paper.pdf",):
        (folder / name).write_bytes(b"")
    return folder


def heading(words: str, level: int, number: str | None = None) -> TextComponent:
    return text("heading", f"{number} {words}" if number else words, level=level, number=number, id=f"sec-{words[:9]}")


def right(truth: PaperTruth, document: Document, kind: str) -> list[tuple[bool, float]]:
    """Return whether each item of a type was read, and how right."""
    return [(o.is_read, o.right) for o in outcomes(truth, document).get(kind, ())]  # type: ignore[call-overload]


# ---- what counts as right -------------------------------------------------------------------------------------------


def test_a_heading_is_right_with_its_words_and_level(tmp_path: Path) -> None:
    sections = [("section", "Methods"), ("subsection", "Counting birds"), ("section", "Results")]
    truth = truth_of(paper(tmp_path / "p", {"sections": [{"level": level, "title": t} for level, t in sections]}))
    read = [heading("Methods", 1, "2"), heading("Counting birds", 1, "2.1"), heading("Rezults", 1, "3")]
    assert right(truth, document_of(components=read), "heading") == [(True, 1.0), (True, 0.0), (True, 0.0)]
    assert right(truth, document_of(components=read[:1]), "heading") == [(True, 1.0), (False, 0.0), (False, 0.0)]


def test_levels_are_told_as_each_side_counts_them() -> None:
    assert same_levels([(1, 1), (2, 4), (2, 4), (1, 1)]) == {1: 1, 2: 4}
    assert same_levels([(1, 2), (1, 2), (2, 1)]) == {1: 2}


def test_headings_of_abstract_and_references_are_not_asked_for(tmp_path: Path) -> None:
    sections = [{"level": "abstract", "title": "Abstract"}, {"level": "bibliography", "title": "References"}]
    truth = truth_of(paper(tmp_path / "p", {"sections": sections}))
    assert outcomes(truth, document_of()) == {}


def test_a_figure_is_told_by_its_number_and_right_by_its_caption(tmp_path: Path) -> None:
    figures = [{"number": "Figure 1", "caption": "Gulls on a rock."}, {"number": "Figure 2", "caption": "Terns over the sea."}]
    truth = truth_of(paper(tmp_path / "p", {"figures": [*figures, {"number": "(a)", "caption": "A panel."}]}))
    both = [
        figure_of(id=f"f{n}", number=n, caption=replace(caption(words, n), label="Figure"))
        for n, words in (("1", "Figure 1: Gulls on a rock."), ("2", "Figure 2: Something quite different."))
    ]
    assert right(truth, document_of(figures=tuple(both)), "figure") == [(True, 1.0), (True, 0.0)]
    assert right(truth, document_of(figures=(both[0],)), "figure") == [(True, 1.0), (False, 0.0)]


def test_a_table_is_right_by_the_share_of_its_texts(tmp_path: Path) -> None:
    rows = [["bird", "count"], ["gull", "7"], ["tern", "9"]]
    cells = [
        {"row": r, "col": c, "rowspan": 1, "colspan": 1, "text": t} for r, row in enumerate(rows) for c, t in enumerate(row)
    ]
    item = {"id": "t1", "page": 7, "n_rows": 3, "n_cols": 2, "header_rows": 1, "exact": True, "cells": cells}
    truth = truth_of(paper(tmp_path / "p", {"tables": [item]}))
    assert right(truth, document_of(table_of(rows)), "table") == [(True, 1.0)]
    ((is_read, share),) = right(truth, document_of(table_of([*rows[:2], ["tern", "8"]])), "table")
    assert is_read
    assert 0.5 < share < 1
    assert right(truth, document_of(), "table") == [(False, 0.0)]


def test_an_equation_is_right_by_its_signs(tmp_path: Path) -> None:
    truth = truth_of(paper(tmp_path / "p", {"equations": [{"number": "(1)", "latex": r"\alpha = \frac{b_{1}}{\sqrt{c}}"}]}))
    assert signs_of_tex(r"\alpha = \mathrm{rate}\cdot x") == "αratex"
    read = text("equation", "α = b₁/√c", number="1", id="eq-1")
    assert right(truth, document_of(components=[read]), "equation_display") == [(True, 1.0)]
    wrong = replace(read, text="c = d")
    assert right(truth, document_of(components=[wrong]), "equation_display") == [(True, 0.0)]
    assert right(truth, document_of(components=[replace(read, number="2")]), "equation_display") == [(False, 0.0)]


def referring(*targets: tuple[str, ...], marks: Sequence[str] = ()) -> Document:
    """Return a document of two references whose text cites these."""
    words = "Birds [1] and fish [2] and both [1, 2]."
    entries = [text("bibliography_entry", t, id=f"ref-{n}") for n, t in ((1, BIRDS), (2, FISH))]
    cited = tuple(
        Citation(component="par-1", start=0, end=1, text=(marks or ["[1]"] * 9)[i], style="numeric", targets=found)
        for i, found in enumerate(targets)
    )
    body = text("paragraph", words, id="par-1")
    listed = tuple(BibliographyEntry(id=e.id) for e in entries)
    return document_of(components=[body, *entries], bibliography=listed, citations=cited)


def cited_truth(folder: Path) -> PaperTruth:
    entries = [{"id": "b1", "text": BIRDS}, {"id": "b2", "text": FISH}]
    return truth_of(paper(folder, {"bibliography": entries, "citations": [{"refs": ["b1"]}, {"refs": ["b2", "b1"]}]}))


def test_a_citation_is_right_when_it_leads_to_its_entries(tmp_path: Path) -> None:
    truth = cited_truth(tmp_path / "p")
    assert right(truth, referring(("ref-1",), ("ref-2", "ref-1")), "citation") == [(True, 1.0)] * 3
    assert right(truth, referring(("ref-1",), ("ref-2",), ("ref-1",)), "citation") == [(True, 1.0)] * 3
    assert right(truth, referring(("ref-1",), ("ref-2", "ref-2")), "citation") == [(True, 1.0), (True, 1.0), (True, 0.0)]
    assert right(truth, referring(("ref-1",)), "citation") == [(True, 1.0), (False, 0.0), (False, 0.0)]


def test_a_mark_that_names_nothing_is_no_reading_and_one_that_leads_nowhere_is_wrong(tmp_path: Path) -> None:
    truth = cited_truth(tmp_path / "p")
    assert right(truth, referring((), (), marks=["[?]", "[??]"]), "citation") == [(False, 0.0)] * 3
    assert right(truth, referring((), (), marks=["[1]", "[2]"]), "citation") == [(True, 0.0), (True, 0.0), (False, 0.0)]


def test_two_entries_in_one_are_not_right(tmp_path: Path) -> None:
    truth = cited_truth(tmp_path / "p")
    glued = document_of(components=[text("bibliography_entry", f"{BIRDS} {FISH}", id="ref-1")])
    assert [share for _, share in right(truth, glued, "bibliography")] == [0.0, 0.0]


# ---- how sure -------------------------------------------------------------------------------------------------------


def test_an_interval_holds_its_share_and_is_the_same_every_time() -> None:
    tallies = {f"p{n}": Tally(10, 10 - n % 3) for n in range(12)}
    share = share_of(tallies, "pdf/table")
    assert share is not None
    assert share == share_of(dict(reversed(tallies.items())), "pdf/table")
    assert share.low <= share.value <= share.high
    assert (share.items, share.papers) == (120, 12)


def test_all_right_is_not_quite_sure() -> None:
    few, many = share_of({"p": Tally(5, 5)}, "x"), share_of({"p": Tally(500, 500)}, "x")
    assert few is not None
    assert many is not None
    assert (few.value, few.high) == (1, 1)
    assert few.low < many.low < 1


def test_a_bad_paper_widens_the_interval_more_than_as_many_bad_items_all_over() -> None:
    one_bad = share_of({f"p{n}": Tally(20, 0 if n == 0 else 20) for n in range(10)}, "x")
    spread = share_of({f"p{n}": Tally(20, 18) for n in range(10)}, "x")
    assert one_bad is not None
    assert spread is not None
    assert one_bad.value == spread.value
    assert one_bad.width > 1.5 * spread.width
    assert one_bad.held_out_error is not None
    assert one_bad.held_out_error > (spread.held_out_error or 0)


def test_nothing_read_has_no_share() -> None:
    assert share_of({"p": Tally(0, 0)}, "x") is None


@pytest.mark.parametrize(("right_items", "items", "low", "high"), [(8, 10, 0.4902, 0.9433), (0, 10, 0.0, 0.2775)])
def test_wilsons_interval_is_the_published_one(right_items: int, items: int, low: float, high: float) -> None:
    assert wilson(right_items, items) == pytest.approx((low, high), abs=1e-4)


# ---- what becomes a weight ------------------------------------------------------------------------------------------


def corpus(folder: Path, papers: int = 12, headings: int = 80, *, from_html: bool = True, with_html: bool = True) -> Path:
    """Return papers of so many headings; their truths have the ids of the HTML, or ids of nobody."""
    dice = random.Random(0)
    for n in range(papers):
        titles = ["".join(dice.choices("abcdefghijklmnopqrstuvwxyz", k=12)) for _ in range(headings)]
        entries = [{"id": "bib.bib1", "text": ""}] if from_html else [{"id": "reference-1", "text": ""}]
        truth = {"sections": [{"level": "section", "title": t} for t in titles], "bibliography": entries}
        place = paper(folder / f"p{n:02}", truth, "paper.pdf", *(["ar5iv.html"] if with_html else []))
        if with_html:
            (place / "ar5iv.html").write_text('<li id="bib.bib1" class="ltx_bibitem">', encoding="utf-8")
    return folder


def read_with(wrong: Mapping[str, int]) -> Any:
    """Return a reader whose sources misread so many headings of each paper: each of these stands on a level of its own."""

    def read(truth: PaperTruth, source: SourceKind) -> Document:
        levels = [2 if n < wrong.get(source, 0) else 1 for n in range(len(truth.headings))]
        parts = [
            text("heading", h.text, level=level, id=f"sec-{n}")
            for n, (h, level) in enumerate(zip(truth.headings, levels, strict=True))
        ]
        return document_of(components=parts)

    return read


def number(found: Calibration, source: str, kind: str = "heading") -> Measured:
    return next(m for m in found.measured if (m.source, m.type) == (source, kind))


def test_a_measured_share_becomes_a_weight_on_the_scale_of_the_truths_own_source(tmp_path: Path) -> None:
    found = calibrate(corpus(tmp_path), load_tenant("default"), read_with({"pdf": 8}))
    measured = number(found, "pdf")
    assert found.made_from == "ar5iv"
    assert measured.share is not None
    assert measured.share.value == pytest.approx(0.9)
    assert measured.weight == round(0.9 * 0.85, 2)
    assert measured.share.items == 960
    assert measured.holds_in == 12


def test_what_the_truth_was_made_from_is_circular_and_gives_no_number(tmp_path: Path) -> None:
    found = calibrate(corpus(tmp_path), load_tenant("default"), read_with({}))
    measured = number(found, "ar5iv")
    assert measured.is_circular
    assert measured.weight is None
    assert "circular" in measured.refused


def test_circular_numbers_are_given_when_they_are_asked_for(tmp_path: Path) -> None:
    found = calibrate(corpus(tmp_path), load_tenant("default"), read_with({"pdf": 8}), accepts_circular=True)
    assert number(found, "ar5iv").weight == 0.85
    assert number(found, "pdf").weight == round(0.9 * 0.85, 2)
    assert number(found, "ar5iv").is_circular


def test_an_independent_truth_gives_numbers_to_all(tmp_path: Path) -> None:
    found = calibrate(corpus(tmp_path, from_html=False), load_tenant("default"), read_with({"pdf": 8, "ar5iv": 1}))
    assert found.made_from is None
    assert number(found, "ar5iv").weight == 0.85
    assert (number(found, "pdf").weight or 0) < 0.85


def test_without_another_source_nothing_places_a_number_on_the_scale(tmp_path: Path) -> None:
    found = calibrate(corpus(tmp_path, from_html=False, with_html=False), load_tenant("default"), read_with({}))
    assert number(found, "pdf").weight is None
    assert "no other source was measured" in number(found, "pdf").refused


def test_too_little_evidence_gives_no_number(tmp_path: Path) -> None:
    found = calibrate(corpus(tmp_path, papers=2, headings=6), load_tenant("default"), read_with({"pdf": 1}))
    measured = number(found, "pdf")
    assert measured.weight is None
    assert "too little evidence" in measured.refused
    assert "weights differ by 0.05" in measured.refused


def test_a_type_without_truth_gives_no_number(tmp_path: Path) -> None:
    found = calibrate(corpus(tmp_path), load_tenant("default"), read_with({}))
    assert number(found, "pdf", "paragraph").refused == "no truth in this corpus"
    assert number(found, "pdf", "equation_inline").refused == "no truth in this corpus"


def test_a_source_that_cannot_be_read_is_told_and_counts_for_nothing(tmp_path: Path) -> None:
    good = read_with({})

    def read(truth: PaperTruth, source: SourceKind) -> Document:
        if truth.name == "p00" and source == "pdf":
            raise DamagedInputError("is empty", where="paper.pdf")
        document: Document = good(truth, source)
        return document

    found = calibrate(corpus(tmp_path), load_tenant("default"), read)
    assert found.failures == ("p00: pdf: paper.pdf: is empty",)
    share = number(found, "pdf").share
    assert share is not None
    assert share.papers == 11


# ---- what is written ------------------------------------------------------------------------------------------------


def test_the_file_is_a_tenant_in_which_only_what_was_measured_is_changed(tmp_path: Path) -> None:
    found = calibrate(corpus(tmp_path), load_tenant("default"), read_with({"pdf": 8}))
    written = to_toml(found, "birds", "variorum calibrate birds")
    tenant, base = parse_tenant(written), load_tenant("default")
    assert tenant.name == "birds"
    assert tenant.weight("pdf", "heading") == round(0.9 * 0.85, 2)
    changed = [(w.source, w.type) for w in tenant.weights if w.origin == "birds"]
    assert changed == [("pdf", "heading")]
    assert tenant.weight("ar5iv", "heading") == base.weight("ar5iv", "heading")


def test_the_file_says_what_stands_behind_numbers_and_refusals(tmp_path: Path) -> None:
    found = calibrate(corpus(tmp_path), load_tenant("default"), read_with({"pdf": 8}))
    written = to_toml(found, "birds", "variorum calibrate birds")
    assert written.startswith("# Weights measured by: variorum calibrate birds\n")
    assert "# heading: share 0.900 [" in written
    assert "of 960 items in 12 papers; 960 of 960 were read" in written
    assert "times 0.850, since ar5iv, which the truth was made from, has 0.85" in written
    assert "# paragraph: no truth in this corpus; 0.75 stays" in written
    assert found.corpus_sha256 in written


def test_the_same_corpus_gives_the_same_file(tmp_path: Path) -> None:
    place = corpus(tmp_path)
    one, two = (to_toml(calibrate(place, load_tenant("default"), read_with({"pdf": 2})), "birds", "x") for _ in range(2))
    assert one == two


def test_the_data_is_json_and_the_lines_are_for_people(tmp_path: Path) -> None:
    found = calibrate(corpus(tmp_path), load_tenant("default"), read_with({"pdf": 8}))
    data = json.loads(json.dumps(to_data(found, "variorum calibrate birds")))
    entry = next(m for m in data["measured"] if (m["source"], m["type"]) == ("pdf", "heading"))
    assert (entry["read"], entry["papers"], entry["share"]) == (960, 12, 0.9)
    assert len(entry["without"]) == 12
    assert any(line.split()[:2] == ["pdf", "heading"] and line.endswith("0.77") for line in as_lines(found))


# ---- what is refused ------------------------------------------------------------------------------------------------


def test_a_folder_without_truths_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputNotFoundError, match=r"holds no paper with a truth\.json"):
        papers_in(tmp_path)
    with pytest.raises(InputNotFoundError, match="no such folder"):
        papers_in(tmp_path / "none")


@pytest.mark.parametrize(
    ("truth", "where"),
    [
        ({"sections": {}}, "sections"),
        ({"sections": [1]}, r"sections\[0\]"),
        ({"sections": [{"level": "section", "title": 3}]}, r"sections\[0\]\.title"),
        ({"citations": [{"refs": "b1"}]}, r"citations\[0\]\.refs"),
        ({"tables": 1}, "tables"),
    ],
)
def test_a_truth_of_another_form_is_refused_with_the_path(tmp_path: Path, truth: Mapping[str, Any], where: str) -> None:
    with pytest.raises(SchemaError, match=rf"truth\.json: {where}"):
        truth_of(paper(tmp_path / "p", truth))


@pytest.mark.parametrize("data", [b"", b"[", b"\xff", b"[1]"])
def test_a_truth_that_is_no_json_object_is_refused(tmp_path: Path, data: bytes) -> None:
    place = paper(tmp_path / "p", {})
    (place / "truth.json").write_bytes(data)
    with pytest.raises((DamagedInputError, SchemaError), match=r"truth\.json"):
        truth_of(place)


@pytest.mark.corpus
def test_a_truth_made_by_latexml_is_seen_and_its_own_source_is_nearly_always_right(corpus: Path) -> None:
    from variorum.sources import read_source

    truth = truth_of(corpus / "papers" / "mistral7b")
    assert truth.made_from == "ar5iv"
    found = outcomes(truth, read_source(truth.sources["ar5iv"], "ar5iv"))
    assert set(found) == {"heading", "figure", "table", "citation", "bibliography"}
    assert all(outcome.is_read and outcome.right > 0.9 for items in found.values() for outcome in items)
