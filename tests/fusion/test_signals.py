"""Claims about signals: each finds its damage, only lowers, and says nothing of what all readings share."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from paper_sources import PAPER, decision_on, fused, source, table_decision, with_notice

from variorum.fusion.model import Candidate, Decision, SourceKind
from variorum.fusion.signals import SIGNAL_NAMES, SIGNALS

DYNAMIC = "default-dynamic"
PAGE = Path(__file__).resolve().parents[2] / "docs" / "reference" / "fusion-signals.md"
ISLANDS = "Foula, 12, 40 | Unst, 31, 7 | Yell, 5, 19 | Mousa, 44, 3"


def candidate(decision: Decision, kind: SourceKind) -> Candidate:
    return next(c for c in decision.candidates if c.source == kind)


def names(decision: Decision, kind: SourceKind) -> set[str]:
    return {signal.name for signal in candidate(decision, kind).signals}


def test_where_all_agree_there_is_no_signal() -> None:
    fusion = fused(source("latex"), source("ar5iv"), source("pdf"), tenant=DYNAMIC)
    assert not [s for d in fusion.decisions for c in d.candidates for s in c.signals]


def test_rows_run_together_lose_against_rows_apart() -> None:
    merged = "Foula Unst, 12 31, 40 7 | Yell, 5, 19 | Mousa, 44, 3"
    fusion = fused(source("ar5iv", mend={ISLANDS: merged}), source("pdf"), tenant=DYNAMIC)
    decision = table_decision(fusion)
    assert decision.winner == "pdf"
    assert "crowded_cells" in names(decision, "ar5iv")
    assert "“12 31”" in decision.reason


def test_two_numbers_that_every_reading_has_in_one_cell_are_no_damage() -> None:
    ranges = {"12, 40": "12 14, 40 44"}
    fusion = fused(source("ar5iv", mend=ranges), source("pdf", mend=ranges), tenant=DYNAMIC)
    assert names(table_decision(fusion), "ar5iv") == set()


@pytest.mark.parametrize(
    ("first", "second"),
    [("1.2 ± 0.1", "3.1 ± 0.2"), ("704", "630"), ("5 (2.5)", "17 (0.1)")],
    ids=["signs", "thousands", "brackets"],
)
def test_numbers_below_each_other_in_another_reading_are_rows_run_together(first: str, second: str) -> None:
    rows = "Foula, 12, 40 | Unst, 31, 7"
    apart = source("latex", mend={rows: f"Foula, {first}, low | Unst, {second}, high"})
    merged = source("ar5iv", mend={rows: f"Foula Unst, {first} {second}, low high"})
    decision = table_decision(fused(apart, merged, tenant=DYNAMIC))
    assert decision.winner == "latex"
    assert f"“{first} {second}”" in decision.reason


def test_a_text_whose_lines_another_reading_has_as_rows_is_no_damage() -> None:
    rows = "Foula, 12, 40 | Unst, 31, 7"
    whole = source("ar5iv", mend={rows: "Foula, survey of 2001, low"})
    split = source("pdf", mend={rows: "Foula, survey, low | , of 2001, "})
    assert "crowded_cells" not in names(table_decision(fused(whole, split, tenant=DYNAMIC)), "ar5iv")


def test_two_independent_readings_outvote_a_third() -> None:
    wrong = source("ar5iv", mend={"Yell, 5, 19": "Yell, 50, 19"})
    fusion = fused(source("latex"), wrong, source("pdf"), tenant=DYNAMIC)
    decision = table_decision(fusion)
    assert decision.winner != "ar5iv"
    (signal,) = candidate(decision, "ar5iv").signals
    assert signal.name == "outvoted"
    assert signal.reason == "latex and pdf agree against it in 100% of what is contested: it has “50”"


def test_two_sources_of_one_origin_are_no_two_witnesses() -> None:
    wrong = {"Yell, 5, 19": "Yell, 50, 19"}
    fusion = fused(source("latex", mend=wrong), source("ar5iv", mend=wrong), source("pdf"), tenant=DYNAMIC)
    assert "outvoted" not in names(table_decision(fusion), "pdf")


def test_a_table_of_another_paper_loses_by_its_words() -> None:
    other = "enzyme, buffer, dose | trypsin, low, 3 | pepsin, high, 9 | amylase, low, 4 | lipase, high, 2"
    fusion = fused(source("ar5iv", mend={"island, gulls, terns | " + ISLANDS: other}), source("pdf"), tenant=DYNAMIC)
    decision = table_decision(fusion)
    assert decision.winner == "pdf"
    assert "unfamiliar_words" in names(decision, "ar5iv")


def test_tex_in_a_text_loses() -> None:
    broken = source("docling", mend={"walked twice a day": r"walked \textbf{twice} a day"})
    decision = decision_on(fused(broken, source("ar5iv"), tenant=DYNAMIC), "Each island was")
    assert decision.winner == "ar5iv"
    assert names(decision, "docling") == {"leftover_tex"}


@pytest.mark.parametrize(
    ("old", "new", "name"),
    [
        ("gulls were many", "gul\ufffds were many", "missing_characters"),
        ("gulls were many", "(cid:12)ulls were many", "missing_characters"),
        ("surveys of the coast", "surveysofthe coast", "joined_words"),
        ("surveys of the coast", "sur- veys of the coast", "broken_words"),
    ],
    ids=["replaced", "cid", "joined", "broken"],
)
def test_damaged_words_lose(old: str, new: str, name: str) -> None:
    decision = decision_on(fused(source("docling", mend={old: new}), source("ar5iv"), tenant=DYNAMIC), "Terns were few")
    assert decision.winner == "ar5iv"
    assert name in names(decision, "docling")


def test_an_empty_formula_counts_for_nothing() -> None:
    made = source("latex")
    parts = tuple(replace(c, text="", tex=None) if c.kind == "equation" else c for c in made.document.components)
    fusion = fused(replace(made, document=replace(made.document, components=parts)), source("ar5iv"), tenant=DYNAMIC)
    formulas = [c for d in fusion.decisions if d.type == "equation_display" for c in d.candidates if c.source == "latex"]
    assert [c.score for c in formulas] == [0.0]


def test_empty_columns_lower_a_table() -> None:
    wide = {"gulls, terns | " + ISLANDS: "gulls, , terns | Foula, 12, , 40 | Unst, 31, , 7 | Yell, 5, , 19 | Mousa, 44, , 3"}
    decision = table_decision(fused(source("pdf", mend=wide), source("ar5iv"), tenant=DYNAMIC))
    assert names(decision, "pdf") == {"empty_columns"}
    assert candidate(decision, "pdf").signals[0].factor == 0.75


def test_what_latexml_did_not_understand_lowers_its_component() -> None:
    made = source("ar5iv")
    table = made.document.tables[0].id
    decision = table_decision(
        fused(with_notice(made, "LaTeXML did not understand \\foo", table), source("pdf"), tenant=DYNAMIC)
    )
    assert names(decision, "ar5iv") == {"latexml_errors"}
    assert decision.winner == "pdf"


def test_doclings_own_confidence_lowers_its_component() -> None:
    made = source("docling")
    (table,) = made.document.tables
    doubted = replace(table, provenance=replace(table.provenance, confidence=0.4))
    docling = replace(made, document=replace(made.document, tables=(doubted,)))
    found = candidate(table_decision(fused(docling, source("latex"), tenant=DYNAMIC)), "docling")
    assert [(s.name, s.factor, s.reason) for s in found.signals] == [
        ("docling_confidence", 0.4, "Docling's own confidence is 0.40")
    ]
    assert found.score == 0.32


def test_sections_out_of_order_are_put_in_the_order_of_the_others() -> None:
    methods, results = PAPER.index("heading: 2 Methods"), PAPER.index("heading: 3 Results")
    end = PAPER.index("heading: References")
    shuffled = (*PAPER[:methods], *PAPER[results:end], *PAPER[methods:results], *PAPER[end:])
    sources = [source("latex", *shuffled), source("ar5iv"), source("pdf")]
    order = [c.text for c in fused(*sources, tenant=DYNAMIC).document.components if c.kind == "heading"]
    assert order == ["1 Introduction", "2 Methods", "3 Results", "References"]
    moved = [c for d in fused(*sources, tenant=DYNAMIC).decisions for c in d.candidates if c.source == "latex" and c.signals]
    assert {s.name for c in moved for s in c.signals} == {"out_of_order"}


def test_signals_only_lower() -> None:
    damaged = source("docling", mend={"gulls were many": "gul\ufffds were many", ISLANDS: "Foula Unst, 12 31, 40 7"})
    for decision in fused(source("latex"), damaged, source("pdf"), tenant=DYNAMIC).decisions:
        for found in decision.candidates:
            assert all(0 <= s.factor < 1 for s in found.signals)
            assert found.score is None or found.weight is None or found.score <= found.weight


def test_with_signals_off_damage_is_followed() -> None:
    broken = source("docling", mend={"walked twice a day": r"walked \textbf{twice} a day"})
    assert decision_on(fused(broken, source("ar5iv")), "Each island was").winner == "docling"


def test_every_signal_has_its_line_in_the_documentation() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert [name for name in SIGNAL_NAMES if f"`{name}`" not in page] == []
    assert [kind.idea for kind in SIGNALS if kind.idea not in page] == []


def test_spaces_beside_signs_are_no_difference() -> None:
    spaced = source("ar5iv", mend={"twice a day": "12km a day (a, b)"})
    tight = {"twice a day": "12 km a day (a,b)"}
    decision = decision_on(fused(spaced, source("latex", mend=tight), source("pdf", mend=tight), tenant=DYNAMIC), "Each island")
    assert names(decision, "ar5iv") == set()


def test_what_a_reading_lacks_is_named() -> None:
    short = source("ar5iv", mend={" as older surveys of the coast have found": ""})
    decision = decision_on(fused(source("latex"), short, source("pdf"), tenant=DYNAMIC), "Terns were few")
    assert [s.reason for s in candidate(decision, "ar5iv").signals] == [
        "latex and pdf agree against it in 100% of what is contested: it lacks “as” and 7 more"
    ]
