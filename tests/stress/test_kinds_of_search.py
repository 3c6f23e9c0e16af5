"""Faults planted in the index and in its answers are seen; a sound library has none."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from kinds_samples import Bent, failed, judged, library, library_papers, plants, retold, the_fault, without
from made_index import text

from variorum.search import Answer, Filters, Ranking, Searcher
from variorum.stress.kinds import boolean, context, filters, float_search, passages, weights
from variorum.stress.kinds.texts_of_all import spread
from variorum.stress.model import LIBRARY, PaperSubject, Severity

KINDS = [
    kind.name
    for module in (passages, float_search, filters, context, boolean, weights)
    for kind in module.KINDS
    if kind.name not in ("semantic recall", "boolean search", "section weights")
]
PONDS = "papers/ponds"


def nothing_found(answer: Answer) -> Answer:
    return replace(answer, papers=())


def forgetful(method: str) -> Callable[[Searcher], Any]:
    """Return searches of which one method never finds the paper about ponds."""

    def bent(searcher: Searcher, *values: Any, **more: Any) -> Answer:
        answer: Answer = getattr(searcher, method)(*values, **more)
        return replace(answer, papers=tuple(p for p in answer.papers if p.item.key != PONDS))

    return lambda searcher: Bent(searcher, **{method: bent})


def of(key: str) -> PaperSubject:
    return next(paper for paper in library_papers() if paper.key == key)


@pytest.mark.parametrize("kind", KINDS)
def test_a_sound_library_has_no_fault(tmp_path: Path, kind: str) -> None:
    with library(tmp_path) as subject:
        assert failed(kind, subject) == []


# ---- passages -------------------------------------------------------------------------------------------------------


@plants("sentence recall", "title ranking", "abstract ranking", "phrase recall")
@pytest.mark.parametrize(
    ("kind", "method"),
    [
        ("sentence recall", "search"),
        ("title ranking", "search_topic"),
        ("abstract ranking", "search_topic"),
        ("phrase recall", "search_topic"),
    ],
)
def test_a_paper_that_is_not_found_is_missed(tmp_path: Path, kind: str, method: str) -> None:
    with library(tmp_path, searcher=forgetful(method)) as subject:
        faults = failed(kind, subject)
    assert faults
    assert {(a.paper, a.severity) for a in faults} == {(PONDS, Severity.MAJOR)}


def test_a_sentence_that_the_index_does_not_have_is_missed(tmp_path: Path) -> None:
    ponds, *others = library_papers()
    indexed = [retold(ponds.document, "par-4", text="The thaw came late."), *(other.document for other in others)]
    with library(tmp_path, indexed=indexed) as subject:
        fault = the_fault("sentence recall", subject)
    assert (fault.paper, fault.component) == (PONDS, "par-4")


@plants("semantic recall")
def test_a_paper_without_vectors_is_missed_by_meaning(tmp_path: Path) -> None:
    with library(tmp_path, vectors=True) as subject:
        assert failed("semantic recall", subject) == []
    with library(tmp_path, vectors=True, searcher=forgetful("search")) as subject:
        assert {a.paper for a in failed("semantic recall", subject)} == {PONDS}


def test_nothing_is_said_of_meaning_where_there_are_no_vectors(tmp_path: Path) -> None:
    own = next(kind for kind in passages.KINDS if kind.name == "semantic recall")
    with library(tmp_path) as subject:
        assert list(own.check(subject)) == []  # type: ignore[arg-type]


def test_another_version_of_a_paper_before_it_is_no_fault(tmp_path: Path) -> None:
    ponds, *others = library_papers()
    again = replace(ponds.document, sha256=ponds.document.sha256[::-1], key="again")
    twin = replace(ponds, key="papers/ponds-2", document=again)
    with library(tmp_path, [ponds, twin, *others]) as subject:
        assert [failed(kind, subject) for kind in ("title ranking", "abstract ranking")] == [[], []]
        assert len(judged("title ranking", subject)) == 4


def test_a_sentence_of_few_words_is_not_asked_for() -> None:
    from variorum.stress.kinds.texts_of_all import sentences

    short = text("par-1", "The graph is based on one of these. It was not what we had thought that it would be before.")
    assert sentences([short]) == []


# ---- tables and figures ---------------------------------------------------------------------------------------------


@plants("table search by caption", "table search by words", "figure search by caption")
@pytest.mark.parametrize(
    ("kind", "method", "name"),
    [
        ("table search by caption", "search_tables", "table 1"),
        ("table search by words", "search_tables", "table 1"),
        ("figure search by caption", "search_figures", "figure 1"),
    ],
)
def test_a_table_or_figure_that_is_not_found_is_missed(tmp_path: Path, kind: str, method: str, name: str) -> None:
    with library(tmp_path, searcher=forgetful(method)) as subject:
        fault = the_fault(kind, subject)
    assert (fault.paper, fault.name) == (PONDS, name)


def test_a_caption_of_a_word_or_two_is_not_asked_for(tmp_path: Path) -> None:
    bells = of("papers/bells")
    (own,) = bells.document.figures
    assert own.caption is not None
    short = replace(own, caption=replace(own.caption, text="Figure 1: Nine bells."))
    with library(tmp_path, [replace(bells, document=replace(bells.document, figures=(short,)))]) as subject:
        own_kind = next(kind for kind in float_search.KINDS if kind.name == "figure search by caption")
        assert list(own_kind.check(subject)) == []  # type: ignore[arg-type]


# ---- filters --------------------------------------------------------------------------------------------------------


def unfiltered(searcher: Searcher) -> Any:
    """Return searches whose filters by author and year let everything pass."""

    def bent(searcher: Searcher, question: str, filters: Filters = Filters(), **more: Any) -> Answer:  # noqa: B008
        return searcher.search(question, replace(filters, authors=(), year_from=None, year_to=None), **more)

    return Bent(searcher, search=bent)


def asked_for_winter(paper: PaperSubject) -> PaperSubject:
    """Return a paper whose title is a word that others have too, so that a search for it finds them."""
    identity = replace(paper.document.identity, title="winter")
    return replace(paper, document=replace(paper.document, identity=identity))


@plants("author filter", "year filter", "year bounds")
@pytest.mark.parametrize("kind", ["author filter", "year filter", "year bounds"])
def test_a_filter_that_lets_others_pass_is_seen(tmp_path: Path, kind: str) -> None:
    with library(tmp_path, [asked_for_winter(p) for p in library_papers()], searcher=unfiltered) as subject:
        faults = failed(kind, subject)
    assert faults
    assert {a.severity for a in faults} == {Severity.MAJOR}


def test_a_filter_that_keeps_the_paper_itself_out_is_seen(tmp_path: Path) -> None:
    def bent(searcher: Searcher, question: str, filters: Filters = Filters(), **more: Any) -> Answer:  # noqa: B008
        answer = searcher.search(question, filters, **more)
        return nothing_found(answer) if filters.authors else answer

    with library(tmp_path, searcher=lambda s: Bent(s, search=bent)) as subject:
        assert len(failed("author filter", subject)) == len(judged("author filter", subject)) == 3


# ---- passages in their order ----------------------------------------------------------------------------------------


def long_paper() -> PaperSubject:
    """Return the paper about ponds with so long a text that it is cut into several passages."""
    ponds = of(PONDS)
    words = " ".join(f"On day {i} of the winter the ice of the mill pond was {i + 3} millimetres thick." for i in range(300))
    return replace(ponds, document=retold(ponds.document, "par-3", text=words))


@plants("context expansion")
def test_a_passage_beside_which_another_stands_is_seen(tmp_path: Path) -> None:
    def bent(searcher: Searcher, chunk: str, *, before: int, after: int) -> Any:
        around = searcher.context(chunk, before=before, after=after)
        return around if after > 1 else around[::-1]

    with library(tmp_path, [long_paper()]) as subject:
        assert failed("context expansion", subject) == []
    with library(tmp_path, [long_paper()], searcher=lambda s: Bent(s, context=bent)) as subject:
        faults = failed("context expansion", subject)
    assert faults
    assert {a.severity for a in faults} == {Severity.MAJOR}


@plants("chunk count")
def test_too_few_passages_for_a_text_are_seen(tmp_path: Path) -> None:
    paper = long_paper()
    short = retold(paper.document, "par-3", text="It was cold.")
    with library(tmp_path, [paper], [short]) as subject:
        assert "6 passages of 4" in the_fault("chunk count", subject, Severity.MINOR).detail


@plants("text in chunks")
def test_a_paragraph_that_is_in_no_passage_is_seen(tmp_path: Path) -> None:
    paper = of(PONDS)
    with library(tmp_path, [paper], [without(paper.document, "par-3")]) as subject:
        assert "par-3" in the_fault("text in chunks", subject).detail


# ---- Boolean searches -----------------------------------------------------------------------------------------------


def word_papers() -> tuple[PaperSubject, ...]:
    """Return papers that share some words: each word stands in some of them and has a stem of its own."""
    own = library_papers()
    more = ("Gravel and willow by the harbour.", "Willow and quartz by the harbour.", "Quartz and gravel, no trees.")
    return tuple(
        replace(p, document=replace(p.document, components=(*p.document.components, text("par-9", words)), sections=()))
        for p, words in zip(own, more, strict=True)
    )


@plants("boolean search")
def test_an_operator_that_means_another_is_seen(tmp_path: Path) -> None:
    def bent(searcher: Searcher, expression: str, **more: Any) -> Answer:
        return searcher.search_boolean(expression.replace("AND NOT", "AND"), **more)

    with library(tmp_path, word_papers()) as subject:
        assert failed("boolean search", subject) == []
    with library(tmp_path, word_papers(), searcher=lambda s: Bent(s, search_boolean=bent)) as subject:
        faults = failed("boolean search", subject)
    assert {a.severity for a in faults} == {Severity.MAJOR}
    assert all("NOT" in a.name for a in faults)


@plants("phrase search")
def test_a_phrase_that_is_not_found_is_seen(tmp_path: Path) -> None:
    with library(tmp_path, searcher=forgetful("search_boolean")) as subject:
        assert the_fault("phrase search", subject).paper == PONDS


@plants("nonsense query")
def test_a_word_that_nobody_wrote_and_that_finds_something_is_seen(tmp_path: Path) -> None:
    def bent(searcher: Searcher, question: str, **more: Any) -> Answer:
        return searcher.search("ponds", **more)

    with library(tmp_path, searcher=lambda s: Bent(s, search=bent)) as subject:
        faults = failed("nonsense query", subject)
    assert faults
    assert {(a.paper, a.severity) for a in faults} == {(LIBRARY, Severity.MAJOR)}


def test_a_made_up_word_that_stands_in_the_library_is_not_asked_for(tmp_path: Path) -> None:
    ponds, *others = library_papers()
    odd = replace(ponds, document=retold(ponds.document, "par-4", text=f"We call it the {boolean.NONSENSE[0]} of winter."))
    with library(tmp_path, [odd, *others]) as subject:
        assert failed("nonsense query", subject) == []
        assert not any(boolean.NONSENSE[0] in a.name for a in judged("nonsense query", subject))


# ---- weights --------------------------------------------------------------------------------------------------------


@plants("section weights")
def test_weights_without_effect_are_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with library(tmp_path) as subject:
        assert failed("section weights", subject) == []
        monkeypatch.setattr(Ranking, "section_weight", lambda self, section: 1.0)
        faults = failed("section weights", subject)
    assert {(a.paper, a.severity) for a in faults} == {(LIBRARY, Severity.MAJOR)}
    assert "expected" in faults[0].detail


def test_items_are_spread_evenly() -> None:
    assert spread(range(10), 2) == [2, 7]
    assert spread("ab", 5) == ["a", "b"]
