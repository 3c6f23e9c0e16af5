"""A source of another paper is refused and named; a short, an odd or an empty one is not."""

from __future__ import annotations

import pytest

from tests.fusion.aligned_documents import component, paragraphs, prose, source
from variorum.errors import DifferentPapersError
from variorum.fusion.alignment import align
from variorum.fusion.model import Source
from variorum.fusion.sameness import check_same_paper


def check(*sources: Source, force: bool = False) -> None:
    check_same_paper(sources, align(sources), force=force)


def test_sources_of_one_paper_are_taken() -> None:
    check(
        source("latex", paragraphs(*range(1, 9))), source("ar5iv", paragraphs(*range(1, 9))), source("pdf", paragraphs(8, 2, 5))
    )


def test_a_source_of_another_paper_is_named_with_what_was_found() -> None:
    other = [component("sec", "heading", "Results"), *paragraphs(*range(21, 29))]
    own = [component("sec", "heading", "Results"), *paragraphs(*range(1, 9))]
    with pytest.raises(DifferentPapersError) as caught:
        check(source("latex", own), source("ar5iv", other), source("pdf", own))
    assert caught.value.where == "ar5iv (ar5iv.file)"
    assert "another paper than the latex and the pdf" in caught.value.what
    assert "of its 9 headings and paragraphs 1 are found there" in caught.value.what
    assert "--force" in caught.value.hint


def test_of_two_the_first_is_held_to_be_the_paper() -> None:
    with pytest.raises(DifferentPapersError) as caught:
        check(source("latex", paragraphs(*range(1, 9))), source("pdf", paragraphs(*range(21, 29))))
    assert caught.value.where.startswith("pdf")


def test_another_paper_is_fused_when_forced() -> None:
    check(source("latex", paragraphs(*range(1, 9))), source("pdf", paragraphs(*range(21, 29))), force=True)


def test_a_source_that_is_cut_short_belongs_to_the_paper() -> None:
    check(source("latex", paragraphs(*range(1, 40))), source("pdf", paragraphs(7, 8)))


def test_a_revised_text_belongs_to_the_paper() -> None:
    revised = [component(f"r-{n}", "paragraph", f"{prose(n)[:-1]} {prose(n + 50, 10)}") for n in range(1, 9)]
    check(source("latex", paragraphs(*range(1, 9))), source("ar5iv", revised))


def test_a_source_without_words_cannot_be_judged() -> None:
    check(source("latex", paragraphs(1, 2, 3)), source("pdf", []))
    check(source("latex", paragraphs(1, 2, 3)), source("pdf", [component("e", "equation", "x = y")]))
