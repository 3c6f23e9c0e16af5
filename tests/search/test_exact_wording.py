"""What a text says word for word finds it first, however many others are about the same."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from made_index import Shelf, item, paper, with_floats

from variorum.search.found import Answer
from variorum.search.ranking import Reasons

MakeShelf = Callable[..., Shelf]
FILLING = "The heron waits. Reeds bend over the bank. Nobody counted the frogs this year. "


def keys(answer: Answer) -> list[str]:
    return [found.item.key for found in answer.papers]


def reasons(answer: Answer) -> list[Reasons | None]:
    return [hit.reasons for hit in answer.hits]


@pytest.fixture
def mills(shelf: MakeShelf) -> Shelf:
    """Return an index of twelve papers about mills and wheels, and of a long one that says one thing of them."""
    index = shelf()
    about = "Water mill, wheel, slow river. The mill. The wheel. The river. Slow water."
    others = [(item(f"X{i:02}", f"Mills {i}"), paper(f"Mills {i}", f"{about} Wheel number {i}.")) for i in range(12)]
    said = FILLING + "The wheel of a mill turns slowly in water of a lazy river. " + FILLING * 3
    index.put([*others, (item("W", "Birds"), paper("Birds", said))])
    index.embed()
    return index


@pytest.mark.parametrize(
    "question",
    [
        "The wheel of a mill turns slowly in water of a lazy river.",
        "“the WHEEL of a mill turns slowly”",
        "water of a lazy river",
        "turns slowly: the mill wheel",
    ],
)
@pytest.mark.parametrize("vectors", [False, True])
def test_what_a_text_says_finds_it_first(mills: Shelf, question: str, vectors: bool) -> None:
    with mills.searcher(vectors=vectors) as searcher:
        for ask in (searcher.search, searcher.search_topic):
            answer = ask(question)
            (why,) = [each for each in reasons(answer) if each is not None and each.wording_rank is not None]
            assert keys(answer)[0] == "W"
            assert why.wording_rank == 1
            assert "wording rank 1" in why.sentence()


def test_words_that_stand_far_apart_are_no_wording(mills: Shelf) -> None:
    with mills.searcher(vectors=True) as searcher:
        assert all(why is not None and why.wording_rank is None for why in reasons(searcher.search("heron river frogs")))


def test_a_text_that_has_the_question_word_for_word_comes_before_one_with_its_words_in_another_order(shelf: MakeShelf) -> None:
    index = shelf()
    index.put(
        [
            (item("A"), paper("One", "Stones round.")),
            (item("B"), paper("Two", "Here are round stones, and much else that takes up room in a text.")),
        ]
    )
    with index.searcher() as searcher:
        assert keys(searcher.search("stones round")) == ["A", "B"]
        assert keys(searcher.search("round stones")) == ["B", "A"]


def test_a_title_above_a_text_is_not_what_the_text_says(shelf: MakeShelf) -> None:
    index = shelf()
    index.put([(item("A"), paper("Round stones", FILLING * 20, FILLING * 20))])
    with index.searcher() as searcher:
        hits = searcher.search("round stones", hits_a_paper=20).hits
    assert len(hits) > 1
    assert [hit.kind for hit in hits if hit.reasons is not None and hit.reasons.wording_rank] == ["passage"]


@pytest.mark.parametrize("question", ["wheel", "the wheel", "wheel wheel"])
def test_a_question_of_one_word_has_no_wording(mills: Shelf, question: str) -> None:
    with mills.searcher() as searcher:
        assert all(why is not None and why.wording_rank is None for why in reasons(searcher.search(question)))


def test_a_caption_finds_its_table_and_its_figure(shelf: MakeShelf) -> None:
    index = shelf()
    index.put([(item("A", "Ponds"), with_floats())])
    index.embed()
    with index.searcher(vectors=True) as searcher:
        table = searcher.search_tables("Table 1: Ice by pond.").hits[0].reasons
        figure = searcher.search_figures("Figure 2: Days until the thaw.").hits[0].reasons
    assert table is not None
    assert figure is not None
    assert (table.wording_rank, figure.wording_rank) == (1, 1)


def test_wording_is_found_in_scripts_without_spaces(shelf: MakeShelf) -> None:
    index = shelf()
    index.put([(item("A"), paper("One", "水車は川で回る。")), (item("B"), paper("Two", "川で水車。水車、川。回る。"))])
    with index.searcher() as searcher:
        answer = searcher.search("水車は 川で回る")
    assert keys(answer)[0] == "A"


@pytest.mark.parametrize(
    "question",
    [
        "mill " * 3000,
        " ".join(f"w{i}" for i in range(3000)),
        'NEAR(" mill", 2) AND "wheel',
        "mill* -wheel ^ { } : text",
        "a\0b c",
    ],
)
def test_long_and_strange_questions_are_answered(mills: Shelf, question: str) -> None:
    with mills.searcher() as searcher:
        searcher.search(question)


def test_a_paper_whose_vectors_are_still_to_be_made_is_found_by_its_words(mills: Shelf) -> None:
    mills.put(
        [(item("N", "New"), paper("New", "The lock and the mill, the wheel of it, the water, the river: slow, all of them."))]
    )
    question = "lock, wheel, mill, river, water: which of them are slow?"
    with mills.searcher(vectors=True) as searcher:
        for ask in (searcher.search, searcher.search_topic):
            answer = ask(question)
            assert keys(answer)[0] == "N"
            why = answer.papers[0].hits[0].reasons
            assert why is not None
            assert why.lacks_vector
            assert "no vector yet" in why.sentence()
        by_meaning = searcher.search(question, by="vectors")
        assert "N" not in keys(by_meaning)
    mills.embed()
    with mills.searcher(vectors=True) as searcher:
        assert all(why is not None and not why.lacks_vector for why in reasons(searcher.search(question)))
