"""AND, OR, NOT, brackets, phrases and beginnings of words; a fault is pointed at."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_index import Shelf, item, paper

from variorum.errors import UsageError
from variorum.search.boolean_query import Joined, Not, Term, answer, parse_boolean, positive_terms
from variorum.search.filters import Filters
from variorum.search.retrieval import Searcher


@pytest.fixture
def searcher(shelf: Callable[..., Shelf]) -> Iterator[Searcher]:
    index = shelf()
    filling = "Filling words stand here. " * 40
    index.put(
        [
            (item("A"), paper("A", f"Cats chase mice. {filling}", f"Dogs sleep. {filling}")),
            (item("B"), paper("B", f"Dogs chase cats. {filling}")),
            (item("C"), paper("C", f"Mice sleep in a deep house. {filling}")),
        ]
    )
    with index.searcher() as opened:
        yield opened


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("cats", "AB"),
        ("cats AND dogs", "AB"),
        ("cats dogs", "AB"),
        ("cats and mice", "A"),
        ("cats OR mice", "ABC"),
        ("mice NOT cats", "C"),
        ("mice AND NOT cats", "C"),
        ("NOT cats AND mice", "C"),
        ("(cats OR mice) AND sleep", "AC"),
        ("cats OR mice AND house", "ABC"),
        ("cats AND NOT (mice OR birds)", "B"),
        ("NOT NOT cats", "AB"),
        ('"chase cats"', "B"),
        ('"cats chase" OR "deep house"', "AC"),
        ("hou*", "C"),
        ("CAT", "AB"),
        ('"and"', ""),
    ],
)
def test_papers_that_fulfil_an_expression_are_found(searcher: Searcher, expression: str, expected: str) -> None:
    found = searcher.search_boolean(expression)
    assert sorted(paper.item.key for paper in found.papers) == list(expected)


def test_a_paper_may_fulfil_it_in_several_passages_and_a_passage_only_by_itself(searcher: Searcher) -> None:
    assert [p.item.key for p in searcher.search_boolean("mice AND dogs").papers] == ["A"]
    assert searcher.search_boolean("mice AND dogs", within="passage").papers == ()
    assert [p.item.key for p in searcher.search_boolean("mice AND cats", within="passage").papers] == ["A"]


def test_filters_hold_for_expressions_too(searcher: Searcher) -> None:
    found = searcher.search_boolean("cats OR mice", Filters(items=("B", "C"), required=("sleep",)))
    assert [p.item.key for p in found.papers] == ["C"]


@pytest.mark.parametrize(
    ("expression", "what", "place"),
    [
        ("(cats", "a closing bracket is missing", 6),
        ("cats)", "an opening bracket for this one is missing", 5),
        ("cats AND", "a term is missing", 9),
        ("cats AND OR dogs", "a term was expected", 10),
        ("OR cats", "a term was expected", 1),
        ("cats ()", "a term was expected", 7),
        ('cats "dogs', "the phrase that begins here has no end", 6),
        ("cats AND ...", "this has no word to look for", 10),
        ('""', "this has no word to look for", 1),
        ("*", "this has no word to look for", 1),
        ("", "a term is missing", 1),
    ],
)
def test_a_fault_is_pointed_at(expression: str, what: str, place: int) -> None:
    with pytest.raises(UsageError) as caught:
        parse_boolean(expression)
    assert f"{what}, at character {place}" in str(caught.value)


@pytest.mark.parametrize("expression", ["cats -dogs", "(cats -dogs)", "-dogs"])
def test_a_minus_is_refused_where_it_stands(expression: str) -> None:
    with pytest.raises(UsageError, match="NOT") as caught:
        parse_boolean(expression)
    assert "▸-dogs" in caught.value.what


def test_a_minus_in_quotes_or_within_a_word_is_no_operator() -> None:
    assert [term.text for term in positive_terms(parse_boolean('"-5" self-attention'))] == ["-5", "self-attention"]


@pytest.mark.parametrize("expression", ["NOT cats", "NOT (cats OR dogs)", "NOT NOT NOT cats"])
def test_a_search_that_only_excludes_is_refused(expression: str) -> None:
    with pytest.raises(UsageError, match="only says what is not wanted"):
        parse_boolean(expression)


def test_brackets_nested_without_end_are_refused() -> None:
    with pytest.raises(UsageError, match="nested too deep"):
        parse_boolean("(" * 5000 + "a" + ")" * 5000)
    with pytest.raises(UsageError, match="too often"):
        parse_boolean("NOT " * 5000 + "a")


@given(st.text(alphabet='ab ()"*ANDORNOT', max_size=40))
def test_any_text_is_an_expression_or_refused(text: str) -> None:
    with suppress(UsageError):
        parse_boolean(text)


TREES = st.recursive(
    st.sampled_from("abcd").map(lambda name: Term(name, f'"{name}"')),
    lambda parts: st.one_of(
        parts.map(Not),
        st.tuples(st.sampled_from(["and", "or"]), st.lists(parts, min_size=2, max_size=3)).map(
            lambda pair: Joined(pair[0], tuple(pair[1]))  # type: ignore[arg-type]
        ),
    ),
    max_leaves=8,
)


@given(TREES, st.lists(st.sets(st.sampled_from("abcd")), max_size=8))
def test_sets_give_what_logic_gives(tree: Term | Not | Joined, texts: list[set[str]]) -> None:
    def holds(part: Term | Not | Joined, text: set[str]) -> bool:
        match part:
            case Term(name, _):
                return name in text
            case Not(inner):
                return not holds(inner, text)
            case Joined(how, parts):
                return (all if how == "and" else any)(holds(each, text) for each in parts)

    found = answer(tree, lambda term: {i for i, t in enumerate(texts) if term.text in t}, lambda: set(range(len(texts))))
    assert found == {i for i, text in enumerate(texts) if holds(tree, text)}
