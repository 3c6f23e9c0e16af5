"""The fusion bench: parts are kept apart in one file, and the figures say what they claim."""

from __future__ import annotations

from math import isclose

import pytest

from bench import fusion as bench
from bench._fusion_alignment import figures_of, lines
from bench._fusion_scale import exponent, strung_together
from tests.fusion.aligned_documents import component, paragraphs, source, table


def test_a_part_that_was_measured_takes_the_place_of_the_older_one_only() -> None:
    before = {"bench": "fusion", "parts": {"faults": {"figures": 1}, "alignment": {"figures": 2}}}
    assert bench.merged(before, {"alignment": {"figures": 3}}) == {
        "bench": "fusion",
        "parts": {"alignment": {"figures": 3}, "faults": {"figures": 1}},
    }


def test_places_of_this_machine_are_not_named() -> None:
    assert bench._named(["scale", "--pdf-documents", "/some/where"]) == ["scale", "--pdf-documents", "FOLDER"]


def test_an_unknown_part_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        bench.parse(["speed"])
    assert caught.value.code == 2
    assert "no such part: speed" in capsys.readouterr().err


def test_what_is_shared_sole_and_left_over_is_counted() -> None:
    furniture = component("f", "furniture", "7")
    one = table("t", [["a", "b"]], "1", "Table 1: Gulls.")
    row = figures_of(
        [
            source("latex", paragraphs(1, 2, 3), tables=[one]),
            source("ar5iv", paragraphs(1, 2), tables=[one]),
            source("pdf", [*paragraphs(1, 3, 9), furniture]),
        ]
    )
    assert row["pairs"]["latex-pdf"]["paragraph"] == [2, 3, 2, 3]
    assert row["groups"]["latex-ar5iv"] == [2, 3, 2]
    assert row["sole"] == {"latex": {}, "ar5iv": {}, "pdf": {"paragraph": 1}}
    assert row["left_over"] == {"pdf: furniture": 1}
    assert row["unplaced"] == 0
    assert any("latex-pdf" in line for line in lines({"papers": {"p": row}, "of_three_sources": 1, "sum": {**row["pairs"]}}))


def test_the_exponent_of_a_power_law_is_found() -> None:
    assert isclose(exponent([1, 2, 4, 8], [3, 12, 48, 192]), 2)


def test_papers_are_strung_together_to_the_size_asked_for() -> None:
    parts = [(source("latex", paragraphs(1, 2, 3)).document, source("ar5iv", paragraphs(1, 2, 3)).document)]
    latex, html = strung_together(parts, 7)
    assert [len(s.document.components) for s in (latex, html)] == [7, 7]
    assert len({c.id for c in latex.document.components}) == 7
