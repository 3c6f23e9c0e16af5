"""Claims about what is said of a run that is not made again: whether a decision is another one, and which."""

from __future__ import annotations

from typing import Any

from variorum.fusion.audit.outcomes import outcome


def decision(name: str, winner: str, kind: str = "paragraph", **more: Any) -> dict[str, Any]:
    return {"kind": "decision", "type": kind, "components": [name], "winner": winner, "position": "p1", "reason": "r", **more}


OLD = [decision("p-1", "latex"), decision("tab-2", "latex", "table"), decision("p-3", "pdf")]


def test_the_same_decisions_say_nothing() -> None:
    assert outcome(OLD, [{**d, "position": "p9", "hash": "other", "seq": 4} for d in OLD]) == ""


def test_another_winner_is_named_with_its_component() -> None:
    said = outcome(OLD, [OLD[0], decision("tab-2", "ar5iv", "table"), decision("p-3", "pdf", reason="because")])
    assert said == (
        "1 of 3 decided otherwise, first table tab-2: latex then, ar5iv now; "
        "1 differ in text, scores or what was borrowed alone"
    )


def test_wording_alone_is_said_to_be_wording_alone() -> None:
    said = outcome(OLD, [OLD[0], decision("tab-2", "latex", "table", reason="because"), OLD[2]])
    assert said == "the winner is the same at every place; 1 differ in text, scores or what was borrowed alone"


def test_components_that_are_gone_or_new_are_named() -> None:
    assert outcome(OLD, [*OLD[:2], decision("eq-1", "latex", "equation_display")]) == (
        "1 are gone, first paragraph p-3; 1 are new, first equation display eq-1"
    )


def test_decisions_on_formulas_of_one_text_are_paired_in_order() -> None:
    old = [decision("p-1", "latex", "equation_inline"), decision("p-1", "pdf", "equation_inline")]
    new = [decision("p-1", "latex", "equation_inline"), decision("p-1", "latex", "equation_inline")]
    assert outcome(old, new) == "1 of 2 decided otherwise, first equation inline p-1: pdf then, latex now"
