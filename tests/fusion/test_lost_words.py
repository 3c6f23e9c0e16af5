"""Claims about words that the winner lacks while two independent sources agree on them."""

from __future__ import annotations

from paper_sources import PAPER, fused, source

from variorum.fusion.model import Fusion

LOST = " at dusk, when the fishing boats come home with their catch"
CUT = {LOST: ""}


def losses(fusion: Fusion) -> list[str]:
    return [n.what for n in fusion.document.notices if "lacks words" in n.what]


def test_words_that_the_winner_lost_are_named_with_the_tenant_to_try() -> None:
    fusion = fused(source("latex"), source("ar5iv", mend=CUT), source("pdf"))
    (what,) = losses(fusion)
    assert what.startswith("ar5iv lacks words on which latex and pdf agree: “at dusk, when the fishing boats")
    assert what.endswith("try --tenant default-dynamic")


def test_lost_words_cost_the_best_grades_and_stand_among_the_gaps() -> None:
    whole = fused(source("latex"), source("ar5iv"), source("pdf")).document.completeness
    cut = fused(source("latex"), source("ar5iv", mend=CUT), source("pdf"))
    completeness = cut.document.completeness
    assert whole is not None
    assert completeness is not None
    assert not any(gap.kind == "lost_words" for gap in whole.gaps)
    (gap,) = [gap for gap in completeness.gaps if gap.kind == "lost_words"]
    assert next(c.text for c in cut.document.components if c.id == gap.component).startswith("Most gulls were seen")
    assert completeness.grade == "C"
    assert any(reason.startswith("C: in 1 place words are missing") for reason in completeness.reasons)


def test_two_sources_of_one_file_are_no_two_witnesses() -> None:
    fusion = fused(source("latex"), source("ar5iv"), source("pdf", mend=CUT), source("docling", mend=CUT))
    assert losses(fusion) == []


def test_with_signals_the_whole_reading_wins_and_nothing_is_lost() -> None:
    fusion = fused(source("latex"), source("ar5iv", mend=CUT), source("pdf"), tenant="default-dynamic")
    assert losses(fusion) == []
    assert any(LOST in c.text for c in fusion.document.components)


def test_words_that_stand_in_another_paragraph_are_not_lost() -> None:
    moved = tuple(line.removesuffix(".") + LOST + "." if "drawn by lot" in line else line for line in PAPER)
    assert losses(fused(source("latex"), source("ar5iv", *moved, mend={"seen" + LOST: "seen"}), source("pdf"))) == []
