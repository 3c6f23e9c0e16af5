"""The paper with four sources, and papers with two, are aligned as the first trials were, or better."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import pytest

from variorum.fusion.alignment import align
from variorum.fusion.model import Alignment, Source, SourceKind
from variorum.fusion.sameness import check_same_paper
from variorum.sources import read_source

pytestmark = pytest.mark.corpus
FILES: dict[SourceKind, str] = {"latex": "latex", "ar5iv": "ar5iv.html", "docling": "docling.json"}
PAPERS = ("attention", "billy", "cebm", "hotcold", "schlacount", "young-flares")


@pytest.fixture(scope="module")
def three() -> list[Source]:
    """Return three of the sources of 2305.03393; its PDF takes too long to read for a test, and the bench has it."""
    from tests.conftest import corpus_path

    folder = corpus_path() / "three-sources" / "2305.03393"
    return [read(kind, folder / name) for kind, name in FILES.items()]


def read(kind: SourceKind, path: Path) -> Source:
    document = read_source(path, kind)
    return Source(kind=kind, name=path.name, sha256=document.sha256, document=document)


def shared(alignment: Alignment, type_: str) -> dict[str, tuple[int, int, int, int]]:
    return {
        f"{a.first}-{a.second}": (a.shared_of_first, a.of_first, a.shared_of_second, a.of_second)
        for a in alignment.agreements
        if a.type == type_
    }


def test_tables_figures_references_and_citations_are_all_found(three: list[Source]) -> None:
    found = align(three)
    pairs = ("latex-ar5iv", "latex-docling", "ar5iv-docling")
    for type_, count in (("table", 2), ("figure", 6), ("bibliography", 23), ("citation", 28)):
        assert shared(found, type_) == dict.fromkeys(pairs, (count,) * 4), type_


def test_all_of_the_text_is_found_and_letters_of_a_diagram_are_left_over(three: list[Source]) -> None:
    found = align(three)
    assert all(len(p.readings) > 1 for p in found.positions if p.part != "inline")
    letters = [left for left in found.left_overs if left.text in ("μ", "≥")]
    assert [(left.source, left.kind) for left in letters] == [("docling", "furniture")] * 2
    assert all("of a drawing" in left.reason for left in letters)
    in_text = [p for p in found.positions if p.part in ("front", "flow") and p.type != "citation"]
    low = [p for p in in_text if p.similarity < 0.8]
    assert [p.part for p in low] == ["front"], "only the authors are printed in ways that differ"


def test_the_order_of_sources_does_not_matter(three: list[Source]) -> None:
    expected = align(three)
    assert all(align(list(order)) == expected for order in permutations(three))


def test_only_furniture_is_left_over(three: list[Source]) -> None:
    assert {x.kind for x in align(three).left_overs} == {"furniture"}


@pytest.mark.parametrize("name", PAPERS)
def test_tables_figures_and_references_of_a_paper_are_found(name: str, corpus: Path) -> None:
    folder = corpus / "papers" / name
    sources = [read("latex", folder / "source.tar.gz"), read("ar5iv", folder / "ar5iv.html")]
    found = align(sources)
    check_same_paper(sources, found)
    for type_ in ("table", "figure", "bibliography"):
        for first, of_first, second, of_second in shared(found, type_).values():
            assert first == of_first or second == of_second, type_


def test_a_source_of_another_paper_is_found(corpus: Path) -> None:
    from variorum.errors import DifferentPapersError

    sources = [
        read("latex", corpus / "papers" / "billy" / "source.tar.gz"),
        read("ar5iv", corpus / "papers" / "hotcold" / "ar5iv.html"),
    ]
    with pytest.raises(DifferentPapersError, match="another paper than the latex"):
        check_same_paper(sources, align(sources))
